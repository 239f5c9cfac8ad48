package tracer

import (
	"fmt"

	"glint/cuda"
)

// Queue is how many rays stood in the queues of a wave, in the mean of frames.
type Queue struct {
	Extension, Shadow float64
}

// queues are those of the last frame, wave by wave. Paths that begin in a wave stand in its queue, too.
func (r *Renderer) queues() ([]Queue, error) {
	b, stride := r.film.pool.lengths, r.film.pool.shape.waves
	if b.size == 0 || !r.watch.waves {
		return nil, nil
	}
	raw := make([]uint32, b.size/4)
	if err := r.device.download(b, bytesOf(raw)); err != nil {
		return nil, fmt.Errorf("read the queues: %w", err)
	}
	var queues []Queue
	of := func(row uint32, wave int) float64 { return float64(raw[int(row)*stride+wave]) }
	for wave := range stride - 1 {
		begun := of(cuda.LengthBegun, wave+1) - of(cuda.LengthBegun, wave)
		q := Queue{of(cuda.LengthExtension, wave) + begun, of(cuda.LengthShadow, wave)}
		if q == (Queue{}) {
			break
		}
		queues = append(queues, q)
	}
	return queues, nil
}

// addQueues adds those of a frame, scaled.
func addQueues(sum, frame []Queue, scale float64) []Queue {
	for i, q := range frame {
		if i == len(sum) {
			sum = append(sum, Queue{})
		}
		sum[i].Extension += scale * q.Extension
		sum[i].Shadow += scale * q.Shadow
	}
	return sum
}
