package driver

// defaultLibrary is the driver's own library, installed with it and on the loader's path.
const defaultLibrary = "libcuda.so.1"

// findLibraryAdvice ends the message of a library that cannot be loaded.
const findLibraryAdvice = "install the NVIDIA driver (530 or newer), or use --backend cpu"
