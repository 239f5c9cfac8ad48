package oidn

// Where a release keeps its libraries. The folder's name matters: they look for each other in ../lib.
const (
	libraryFolder = "lib"
	libraryName   = "libOpenImageDenoise.so.2"
)
