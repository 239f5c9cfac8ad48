package tracer

import (
	"glint/cuda"
	"glint/cuda/driver"
)

// frameQueue hands frames to a GPU without waiting for the launches that read the one before: each is copied, in its turn
// among the launches, out of pinned memory of its own. Waiting between the parts of a picture would leave the GPU idle while
// the next ones are queued.
type frameQueue struct {
	memory driver.HostMemory
	used   int // slots since the stream was last waited for
}

const (
	frameSlots = 16 // more than a picture takes
	slotAlign  = 64
)

// slotSize is that of a frame, aligned [bytes].
func slotSize() int {
	return (len(bytesOf(make([]cuda.Frame, 1))) + slotAlign - 1) / slotAlign * slotAlign
}

func (q *frameQueue) open(c *driver.Context) (err error) {
	q.memory, err = c.AllocHost(frameSlots * slotSize())
	return err
}

func (q *frameQueue) full() bool { return q.used == frameSlots }

// push queues the copy of a frame to where kernels read it.
func (q *frameQueue) push(f *cuda.Frame, s *driver.Stream, to driver.DevicePtr) error {
	data, at := bytesOf([]cuda.Frame{*f}), q.used*slotSize()
	slot := q.memory.Slice(at, at+len(data))
	copy(slot.Bytes(), data)
	q.used++
	return s.CopyToDevice(to, slot)
}
