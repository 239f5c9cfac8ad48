package tracer

// Memory is what a renderer holds, bytes.
type Memory struct {
	Film     int    // the image
	Restir   int    // history and samples that pixels share
	Pool     int    // paths under way in the wavefront engine
	Hits     int    // first hits that are kept
	Denoiser int    // AOVs, and what a denoiser reads and writes
	Scene    int    // shared by twins
	HostPeak uint64 // the most that the process has held; 0 where the system does not tell
}

// Device is the bytes on the device.
func (m Memory) Device() int { return m.Film + m.Restir + m.Pool + m.Hits + m.Denoiser + m.Scene }

func (r *Renderer) memory() Memory {
	f := &r.film
	m := Memory{
		Film:   held(f.lasting()) + held(f.images(0)) + f.preview.size,
		Restir: held(f.restir.claims(0, 0)) + f.restir.view.size,
		Pool:   held(f.pool.claims(0)),
		Hits:   f.firstHits.hits.size, Denoiser: f.aovs.buffer.size,
		Scene: r.tables.size, HostPeak: peakMemory(),
	}
	if b := r.denoise.buffers; b != nil {
		m.Denoiser += held(b.claims())
	}
	if r.scene != nil {
		for _, b := range r.scene.buffers {
			m.Scene += b.size
		}
	}
	return m
}

// held is how many bytes claims have got.
func held(claims []claim) (bytes int) {
	for _, c := range claims {
		bytes += c.b.size
	}
	return bytes
}
