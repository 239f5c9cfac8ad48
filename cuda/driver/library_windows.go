package driver

// defaultLibrary is the driver's own library, installed with it into the system folder.
const defaultLibrary = "nvcuda.dll"

// findLibraryAdvice ends the message of a library that cannot be loaded.
const findLibraryAdvice = "install the NVIDIA driver (531 or newer), or use --backend cpu"
