package oidn

import "github.com/ebitengine/purego"

// Where a release keeps its libraries. The folder's name matters: they look for each other in ../lib.
const (
	libraryFolder = "lib"
	libraryName   = "libOpenImageDenoise.so.2"
)

func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func findSymbol(handle uintptr, name string) (uintptr, error) {
	return purego.Dlsym(handle, name)
}
