package viewer

// refError is a side's error against the reference. The zero value says that it is not known.
type refError struct {
	known               bool
	relMSE              float64 // mean of (I−R)²/(R²+0.01)
	trimmed             float64 // the same without the worst 0.1 % of the pixels
	samples, refSamples int     // of the side and of the reference
}
