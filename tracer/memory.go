package tracer

// Memory is what a renderer holds, bytes.
type Memory struct {
	Film     int    // the image, and what it is displayed by
	Restir   int    // history and samples that pixels share
	Pool     int    // paths under way in the wavefront engine
	Hits     int    // first hits that are kept
	Denoiser int    // AOVs, and what a denoiser reads and writes
	Upscaler int    // the small image, and what brings it to full size
	Scene    int    // shared by twins
	HostPeak uint64 // the most that the process has held; 0 where the system does not tell
}

// Device is the bytes on the device.
func (m Memory) Device() int {
	return m.Film + m.Restir + m.Pool + m.Hits + m.Denoiser + m.Upscaler + m.Scene
}

func (r *Renderer) memory() Memory {
	f := &r.film
	m := Memory{
		Film:   held(f.lasting()) + held(f.images(0)) + f.preview.size + f.bloom.size,
		Restir: held(f.restir.claims(0, 0)) + f.restir.view.size,
		Pool:   held(f.pool.claims(poolShape{})),
		Hits:   f.firstHits.hits.size, Denoiser: f.aovs.buffer.size + held(r.trust.claims()),
		Scene: r.tables.size, HostPeak: peakMemory(),
	}
	if b := r.denoise.buffers; b != nil {
		m.Denoiser += held(b.claims())
	}
	m.Denoiser += held(r.denoise.history.claims(""))
	if u := &r.upscaler; u.small != nil {
		small := u.small.memory()
		m.Upscaler = held(u.buffers.claims(0, 0)) + small.Device() - small.Scene
	}
	if r.scene != nil {
		m.Scene += r.scene.size()
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

// size is the bytes of a scene with all that is planted beside it.
func (s *deviceScene) size() (bytes int) {
	all := [][]buffer{s.buffers, s.upper.buffers}
	for _, t := range s.trees {
		all = append(all, t.buffers)
	}
	for _, buffers := range all {
		for _, b := range buffers {
			bytes += b.size
		}
	}
	return bytes
}
