package tracer

// AutoDenoiser is what auto stands for.
func AutoDenoiser(v View, backend string) string { return autoDenoiser(v, backend) }

// NextPicture is with how many samples an image is denoised again after one of so many.
func NextPicture(samples int, rests, background bool) int {
	return (&denoising{samples: samples}).next(rests, background)
}
