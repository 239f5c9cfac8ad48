package profile

// Memory is what a renderer holds, bytes.
type Memory struct {
	Film     int    // the image, and what it is displayed by
	Restir   int    // history and samples that pixels share
	Pool     int    // paths under way in the wavefront engine
	Hits     int    // first hits that are kept
	Denoiser int    // AOVs, and what a denoiser reads and writes
	Upscaler int    // the small image, and what brings it to full size
	Scene    int    // shared by twins
	Scratch  int    // of these counted more than once: what paths and the denoiser have by turns
	HostPeak uint64 // the most that the process has held; 0 where the system does not tell
}

// Device is the bytes on the device.
func (m Memory) Device() int {
	return m.Film + m.Restir + m.Pool + m.Hits + m.Denoiser + m.Upscaler + m.Scene - m.Scratch
}
