package optix

// defaultLibrary comes with the driver.
const defaultLibrary = "nvoptix.dll"

// findLibraryAdvice ends the message of a library that cannot be loaded.
const findLibraryAdvice = "it comes with the NVIDIA driver (531 or newer)"
