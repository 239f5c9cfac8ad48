package tracer

import (
	"fmt"

	"glint/cuda"
)

// Queue is how many rays stood in the queues of a wave.
type Queue struct {
	Extension, Shadow uint32
}

// queues are those of the last frame, or of its last turn where the image is larger than the pool.
func (r *Renderer) queues() ([]Queue, error) {
	b := r.film.pool.lengths
	if b.size == 0 || !r.watch.waves {
		return nil, nil
	}
	raw := make([]uint32, b.size/4)
	if err := r.device.download(b, bytesOf(raw)); err != nil {
		return nil, fmt.Errorf("read the queues: %w", err)
	}
	var queues []Queue
	for wave := range int(cuda.WaveMax) {
		q := Queue{raw[wave], raw[int(cuda.WaveMax)+wave]}
		if q == (Queue{}) {
			break
		}
		queues = append(queues, q)
	}
	return queues, nil
}
