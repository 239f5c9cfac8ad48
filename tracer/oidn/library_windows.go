package oidn

// Where a release keeps its libraries.
const (
	libraryFolder = "bin"
	libraryName   = "OpenImageDenoise.dll"
)
