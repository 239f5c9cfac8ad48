package oidn

import "syscall"

// Where a release keeps its libraries.
const (
	libraryFolder = "bin"
	libraryName   = "OpenImageDenoise.dll"
)

func openLibrary(path string) (uintptr, error) {
	handle, err := syscall.LoadLibrary(path)
	return uintptr(handle), err
}

func findSymbol(handle uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(handle), name)
}
