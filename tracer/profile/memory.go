package profile

// Memory is what a renderer holds, bytes.
type Memory struct {
	Film     int    `json:"film"`          // the image, and what it is displayed by
	Restir   int    `json:"restir"`        // history and samples that pixels share
	Pool     int    `json:"pool"`          // paths under way in the wavefront engine
	Hits     int    `json:"first_hits"`    // first hits that are kept
	Denoiser int    `json:"denoiser"`      // AOVs, and what a denoiser reads and writes
	Upscaler int    `json:"upscaler"`      // the small image, and what brings it to full size
	Scene    int    `json:"scene"`         // shared by twins
	Scratch  int    `json:"counted_twice"` // of these counted more than once: what paths and the denoiser have by turns
	HostPeak uint64 `json:"-"`             // the most that the process has held; 0 where the system does not tell
}

// Device is the bytes on the device.
func (m Memory) Device() int {
	return m.Film + m.Restir + m.Pool + m.Hits + m.Denoiser + m.Upscaler + m.Scene - m.Scratch
}
