package tracer

import (
	"glint/tracer/device"
)

// Record has the built-in filter keep what filters learn from, for pictures of so many pixels.
func (r *Renderer) Record(pixels int) error {
	return device.Allocate(r.engine.device, r.pipeline.full.recordings(pixels))
}

// ReadRecord reads that of the last picture: planes of floats (cuda.RecordLight and so on).
func (r *Renderer) ReadRecord(to []float32) error {
	return r.engine.device.Download(r.pipeline.full.record, device.BytesOf(to))
}
