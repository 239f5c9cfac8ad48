package oidn_test

import (
	"runtime"
	"testing"
	"time"
	"unsafe"

	"glint/cuda/driver"
	"glint/tracer/oidn"
	"glint/tracer/tracertest"
)

// gpu is a CUDA device with OIDN on a stream of ours.
type gpu struct {
	*oidn.Denoiser
	context *driver.Context
	stream  *driver.Stream
}

// onGPU opens both; tests are skipped without a GPU.
func onGPU(t *testing.T) gpu {
	t.Helper()
	l := tracertest.NeedsOIDN(t)
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	context, err := driver.Open(driver.Options{})
	if err != nil {
		t.Skip("needs a GPU: ", err)
	}
	t.Cleanup(func() { _ = context.Close() })
	stream := need(context.NewStream())(t)
	t.Cleanup(func() { _ = stream.Close() })
	d := need(l.CUDA(0, stream.Handle()))(t)
	n := d.Denoiser()
	t.Cleanup(func() {
		n.Release()
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return gpu{n, context, stream}
}

func need[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func bytesOf(plane []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(plane))), 4*len(plane))
}

// upload copies a card to the GPU; result is the address of its result there.
func (g gpu) upload(t *testing.T, c *card, q oidn.Quality) (task oidn.Task, result driver.DevicePtr) {
	t.Helper()
	task = c.task(q)
	for _, row := range []struct {
		image *oidn.Image
		plane []float32
	}{{&task.Color, c.noisy}, {&task.Albedo, c.albedo}, {&task.Normal, c.normal}, {&task.Output, c.result}} {
		p := need(g.context.Alloc(uint64(4 * len(row.plane))))(t)
		t.Cleanup(func() { _ = g.context.Free(p) })
		if err := g.context.CopyToDevice(p, bytesOf(row.plane)); err != nil {
			t.Fatal(err)
		}
		row.image.Address, result = uint64(p), p
	}
	return task, result
}

// TestGPUAgreesWithCPU shares device pointers and the stream, and reads the result after a wait for the stream alone.
func TestGPUAgreesWithCPU(t *testing.T) {
	g := onGPU(t)
	c := newCard(640, 360)
	task, result := g.upload(t, c, oidn.High)
	if err := g.Denoise(task); err != nil {
		t.Fatal(err)
	}
	if err := g.stream.Synchronize(); err != nil {
		t.Fatal(err)
	}
	found := make([]float32, len(c.result))
	if err := g.context.CopyToHost(bytesOf(found), result); err != nil {
		t.Fatal(err)
	}
	if err := onCPU(t).Denoise(c.task(oidn.High)); err != nil {
		t.Fatal(err)
	}
	if d := distance(found, c.result); d > 0.01 {
		t.Errorf("GPU and CPU differ by %.4f (RMS, relative)", d)
	}
}

// TestGPUTimes logs what a picture takes with everything prepared.
func TestGPUTimes(t *testing.T) {
	g := onGPU(t)
	for _, size := range [][2]int{{400, 400}, {1280, 720}, {1920, 1080}} {
		c := newCard(size[0], size[1])
		for _, q := range []oidn.Quality{oidn.Fast, oidn.Balanced, oidn.High} {
			task, _ := g.upload(t, c, q)
			const warmUp, frames = 5, 50
			var begun time.Time
			for i := range warmUp + frames {
				if i == warmUp {
					if err := g.stream.Synchronize(); err != nil {
						t.Fatal(err)
					}
					begun = time.Now()
				}
				if err := g.Denoise(task); err != nil {
					t.Fatal(err)
				}
			}
			if err := g.stream.Synchronize(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d×%d quality %d: %.2f ms", size[0], size[1], q, time.Since(begun).Seconds()*1e3/frames)
		}
	}
}

// TestGPUResizingLeaksNothing compares free memory of the GPU after 99 and after 201 more changes of size.
func TestGPUResizingLeaksNothing(t *testing.T) {
	g := onGPU(t)
	var tasks []oidn.Task
	for _, c := range []*card{newCard(640, 360), newCard(800, 600), newCard(320, 200)} {
		task, _ := g.upload(t, c, oidn.Fast)
		tasks = append(tasks, task)
	}
	resize := func(times int) uint64 {
		for i := range times {
			if err := g.Denoise(tasks[i%len(tasks)]); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.stream.Synchronize(); err != nil {
			t.Fatal(err)
		}
		free, _, err := g.context.MemInfo()
		if err != nil {
			t.Fatal(err)
		}
		return free
	}
	before := resize(99) // each time up to the last task: what the largest needs stays
	if after := resize(201); after+16<<20 < before {
		t.Errorf("201 resizes took %d MiB of the GPU's memory", (before-after)>>20)
	}
}
