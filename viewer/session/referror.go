package session

// RefError is a side's error against the reference. The zero value says that it is not known.
type RefError struct {
	Known               bool
	RelMSE              float64 // mean of (I−R)²/(R²+0.01)
	Trimmed             float64 // the same without the worst 0.1 % of the pixels
	Samples, RefSamples int     // of the side and of the reference
}
