package driver

import "github.com/ebitengine/purego"

// defaultLibrary is the driver's own library, installed with it and on the loader's path.
const defaultLibrary = "libcuda.so.1"

// findLibraryAdvice ends the message of a library that cannot be loaded.
const findLibraryAdvice = "install the NVIDIA driver (530 or newer), or use --backend cpu"

func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func findSymbol(handle uintptr, name string) (uintptr, error) {
	return purego.Dlsym(handle, name)
}
