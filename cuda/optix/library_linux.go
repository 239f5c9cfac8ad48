package optix

// defaultLibrary comes with the driver.
const defaultLibrary = "libnvoptix.so.1"

// findLibraryAdvice ends the message of a library that cannot be loaded.
const findLibraryAdvice = "it comes with the NVIDIA driver (530 or newer); in a container, NVIDIA_DRIVER_CAPABILITIES must name graphics"
