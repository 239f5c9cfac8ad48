package tracer

import "glint/cuda"

// atrousInput is the first launch of the built-in denoiser: what it reads is not looked at again after it.
func atrousInput(f *cuda.Frame) launch {
	return launch{kernel: cuda.AtrousDemodulate, indices: int(f.Film.Width * f.Film.Height)}
}

// atrousFilter are the launches that follow. They read one half of the signals and write the other by turns.
func atrousFilter(f *cuda.Frame) []launch {
	tiles := indices(int(f.Film.Width), int(f.Film.Height))
	var batch []launch
	side := uint32(0)
	if f.Denoise.VirtualHits != 0 {
		batch = append(batch, launch{kernel: cuda.AtrousAccumulate, indices: tiles})
		side = 1 - side
	}
	batch = append(batch, launch{kernel: cuda.AtrousErrors, turn: side, indices: tiles})
	for pass := range uint32(cuda.AtrousPasses) {
		side = 1 - side
		batch = append(batch, launch{kernel: cuda.AtrousFilter, turn: pass<<1 | side, indices: tiles})
	}
	if f.Denoise.VirtualHits != 0 {
		batch = append(batch, launch{kernel: cuda.TemporalStabilize, turn: cuda.StabilizeSoft, indices: tiles})
	}
	return batch
}
