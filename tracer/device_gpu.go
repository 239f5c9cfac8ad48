package tracer

import (
	"errors"
	"fmt"
	"time"

	"glint/cuda"
	"glint/cuda/driver"
)

// gpuDevice runs the PTX build of the kernels through the CUDA driver, on one stream.
type gpuDevice struct {
	context   *driver.Context
	stream    *driver.Stream
	programs  programs
	program   *program // the one that runs
	targets   map[uint32]*driver.GLBuffer
	frames    frameQueue
	stopwatch stopwatch
	scores    scores
}

func newGPUDevice(ordinal int) (*gpuDevice, error) {
	context, err := driver.Open(driver.Options{Ordinal: ordinal})
	if err != nil {
		return nil, err
	}
	d := &gpuDevice{context: context, targets: map[uint32]*driver.GLBuffer{}, stopwatch: stopwatch{context: context},
		programs: programs{context: context, coming: map[uint32]chan compiled{}}}
	if err := d.load(); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// load compiles the kernels that suit every scene.
func (d *gpuDevice) load() error {
	var err error
	if d.program, err = loadProgram(d.context, 0); err != nil {
		return err
	}
	d.programs.ready = []*program{d.program}
	if d.stream, err = d.context.NewStream(); err != nil {
		return err
	}
	return d.frames.open(d.context)
}

func (d *gpuDevice) suit(lacks uint32) { d.programs.ask(lacks) }

func (d *gpuDevice) settle() error { return d.programs.settle() }

func (d *gpuDevice) backend() Backend { return Backend{Kind: "cuda", Device: d.context.Device.Name} }

func (d *gpuDevice) memory() uint64 { return d.context.Device.TotalMemory }

func (d *gpuDevice) alloc(bytes int) (buffer, error) {
	p, err := d.context.Alloc(uint64(bytes))
	return buffer{address: uint64(p), size: bytes}, err
}

// free ignores the driver's answer: memory of a lost device is gone already.
func (d *gpuDevice) free(b buffer) {
	if b.address != 0 {
		_ = d.context.Free(driver.DevicePtr(b.address))
	}
}

func (d *gpuDevice) upload(b buffer, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if err := d.sync(); err != nil {
		return err
	}
	return d.context.CopyToDevice(driver.DevicePtr(b.address), data)
}

func (d *gpuDevice) download(b buffer, data []byte) error {
	if err := d.sync(); err != nil {
		return err
	}
	return d.context.CopyToHost(data, driver.DevicePtr(b.address))
}

func (d *gpuDevice) zero(b buffer) error {
	if err := d.sync(); err != nil {
		return err
	}
	return d.context.Memset(driver.DevicePtr(b.address), 0, uint64(b.size))
}

// setFrame queues the frame for the launches that follow.
func (d *gpuDevice) setFrame(f *cuda.Frame) error {
	p := d.programs.take(f.Scene.Missing)
	if p != d.program || d.frames.full() {
		if err := d.sync(); err != nil {
			return err
		}
	}
	if p != d.program {
		d.program = p
		if err := d.scores.close(); err != nil { // they launch what the program before held
			return err
		}
	}
	return d.frames.push(f, d.stream, d.program.frame)
}

// launch queues the whole range, which must start at 0.
func (d *gpuDevice) launch(k cuda.Kernel, turn uint32, _, to int, _ time.Time) (int, error) {
	return to, d.queue(launch{kernel: k, turn: turn, indices: to}, d.stream)
}

// queue puts a launch into a stream, timed where somebody wants to know.
func (d *gpuDevice) queue(l launch, s *driver.Stream) error {
	threads := l.kernel.Threads()
	indices := l.indices
	if l.kernel.Fetches() {
		indices = min(indices, d.context.Device.Multiprocessors*l.kernel.Blocks()*threads)
	}
	err := d.stopwatch.around(entryOf(l.kernel, l.turn), s, func() error {
		return d.program.functions[l.kernel].Launch(driver.Linear(uint32(indices), uint32(threads), s), driver.U32(l.turn))
	})
	if err != nil {
		return fmt.Errorf("kernel %s: %w", l.kernel, err)
	}
	return nil
}

func (d *gpuDevice) sync() error {
	if err := d.stream.Synchronize(); err != nil {
		return err
	}
	d.frames.used = 0
	d.stopwatch.collect()
	return nil
}

func (d *gpuDevice) time(on *sheet) { d.stopwatch.on = on }

func (d *gpuDevice) attach(buffer uint32) error {
	b, err := d.context.RegisterGLBuffer(buffer)
	if err != nil {
		return err
	}
	d.targets[buffer] = b
	return nil
}

func (d *gpuDevice) detach(buffer uint32) error {
	b, ok := d.targets[buffer]
	if !ok {
		return nil
	}
	delete(d.targets, buffer)
	return b.Close()
}

func (d *gpuDevice) mapTarget(buffer uint32) (uint64, error) {
	b, ok := d.targets[buffer]
	if !ok {
		return 0, fmt.Errorf("GL buffer %d is not attached", buffer)
	}
	p, _, err := b.Map(d.stream)
	return uint64(p), err
}

func (d *gpuDevice) unmapTarget(buffer uint32) error { return d.targets[buffer].Unmap(d.stream) }

func (d *gpuDevice) close() error {
	var errs []error
	for buffer := range d.targets {
		errs = append(errs, d.detach(buffer))
	}
	errs = append(errs, d.stopwatch.close(), d.scores.close())
	if d.stream != nil {
		errs = append(errs, d.stream.Close())
	}
	errs = append(errs, d.context.FreeHost(d.frames.memory))
	abandoned, err := d.programs.close()
	errs = append(errs, err)
	if !abandoned {
		errs = append(errs, d.context.Close())
	}
	return errors.Join(errs...)
}
