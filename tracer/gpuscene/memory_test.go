package gpuscene_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// TestPrepareWithinMemory: each part of preparing a scene is refused before it takes more memory than there may be.
func TestPrepareWithinMemory(t *testing.T) {
	s := made(t, "spheres", builtin.Options{Triangles: 100_000})
	words := map[string]bool{}
	for most := int64(1 << 20); ; most += 1 << 20 {
		memory := guard.NewMemory(most)
		p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{Memory: memory})
		if err == nil {
			if err := memory.Take("what others hold", memory.Left()); err != nil {
				t.Fatal(err)
			}
			_, err = gpuscene.Upload(device.NewCPU(""), p, 0)
		}
		var refused *guard.MemoryError
		if !errors.As(err, &refused) || refused.Most != most {
			t.Fatalf("in %d bytes: %v", most, err)
		}
		what := strings.Join(strings.Fields(refused.What)[:2], " ")
		words[what] = true
		if p != nil {
			break
		}
	}
	for _, what := range []string{"a scene", "a tree", "the scene"} {
		if !words[what] {
			t.Errorf("nothing refuses %s: %v", what, words)
		}
	}
}

// TestPrepareIsCancelled: no stage goes on for long when nobody wants the scene any more.
func TestPrepareIsCancelled(t *testing.T) {
	s := made(t, "spheres", builtin.Options{Triangles: 1_000_000})
	for _, stage := range []string{"weighing the environment", "building the tree"} {
		ctx, cancel := context.WithCancel(context.Background())
		var since time.Time
		_, err := gpuscene.Prepare(ctx, s, gpuscene.Options{Progress: func(now string, _ float64) {
			if now == stage {
				cancel()
				since = time.Now()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) || time.Since(since) > 5*time.Second {
			t.Errorf("%s: %v after %v", stage, err, time.Since(since))
		}
	}
}

// TestFaultsOfPrepare: a panic in a goroutine of it is an error.
func TestFaultsOfPrepare(t *testing.T) {
	s := &scene.Scene{Name: "broken", Faces: []scene.Face{{V: [3]uint32{7, 8, 9}}}, Vertices: make([]scene.Vertex, 3), Materials: make([]scene.Material, 1)}
	_, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{})
	var fault *guard.Fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "broken: internal error") {
		t.Errorf("%v", err)
	}
}

// TestEnvironmentWithinMemory: it counts from the header on.
func TestEnvironmentWithinMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sky.pfm")
	const w, h = 512, 256
	if err := imageio.Write(path, &imageio.Image{Width: w, Height: h, Pix: make([]float32, 3*w*h)}, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{1, info.Size(), info.Size() + 12*w*h - 1} {
		if _, err := gpuscene.LoadEnvironment(path, guard.NewMemory(most)); err == nil || !strings.Contains(err.Error(), "--load-memory") {
			t.Errorf("in %d bytes: %v", most, err)
		}
	}
	memory := guard.NewMemory(info.Size() + 12*w*h)
	e, err := gpuscene.LoadEnvironment(path, memory)
	if err != nil || memory.Left() != info.Size() {
		t.Fatalf("%v, %d bytes left", err, memory.Left())
	}
	if _, err := gpuscene.Prepare(context.Background(), &scene.Scene{Name: "none"}, gpuscene.Options{Environment: e, Memory: memory}); err == nil ||
		!strings.Contains(err.Error(), "an environment of 512×256") {
		t.Errorf("weighing it: %v", err)
	}
}

// gpu is a GPU of little memory, as far as Upload asks.
type gpu struct {
	*device.CPU
	free uint64
}

func (g gpu) Info() device.Info { return device.Info{Kind: device.KindCUDA} }

func (g gpu) FreeMemory() (uint64, bool) { return g.free, true }

// Alloc must not be asked for what does not fit.
func (g gpu) Alloc(int) (device.Buffer, error) { panic("takes memory") }

// TestUploadAsksForFreeMemory: a scene that does not fit a GPU is refused before any of it is copied.
func TestUploadAsksForFreeMemory(t *testing.T) {
	p, err := gpuscene.Prepare(context.Background(), made(t, "spheres", builtin.Options{Triangles: 10_000}), gpuscene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = gpuscene.Upload(gpu{device.NewCPU(""), 1 << 20}, p, 0); err == nil || !strings.Contains(err.Error(), "1 MiB are free") {
		t.Errorf("%v", err)
	}
}

// onProcessor is a scene of so many triangles with a BVH by a method, and the memory that it counts for.
func onProcessor(t *testing.T, triangles int, method string) (*gpuscene.Scene, device.Device, *guard.Memory) {
	t.Helper()
	memory := guard.NewMemory(guard.DefaultMemory)
	p, err := gpuscene.Prepare(t.Context(), made(t, "spheres", builtin.Options{Triangles: triangles}), gpuscene.Options{BVH: method, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	d := device.NewCPU("")
	s, err := gpuscene.Upload(d, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s, d, memory
}

// TestDroppedBVHsGiveMemoryBack: one may change from method to method for as long as one likes.
func TestDroppedBVHsGiveMemoryBack(t *testing.T) {
	s, d, memory := onProcessor(t, 10_000, "auto")
	change := func(method string) int64 {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			now, err := s.RequestBVH(d, t, method)
			if err != nil || time.Now().After(deadline) {
				t.Fatalf("--bvh %s: %v", method, err)
			}
			if now == method {
				return memory.Left()
			}
		}
	}
	before := memory.Left()
	change("off")
	first := change("fast")
	for range 3 {
		change("off")
		if left := change("fast"); left != first {
			t.Errorf("%d bytes are left, %d were the first time", left, first)
		}
	}
	s.Free(d)
	if left := memory.Left(); left != before {
		t.Errorf("%d bytes are left without the scene, %d were before other BVHs", left, before)
	}
}

// TestFreeEndsBuilds: nobody makes the BVH of a scene that is gone. Processor time says so: on a busy machine the clock does not.
func TestFreeEndsBuilds(t *testing.T) {
	s, d, memory := onProcessor(t, 1_000_000, "off")
	begun := tracertest.ProcessorTime(t)
	if _, err := s.Prepared().BuildBVH(t.Context(), "auto"); err != nil {
		t.Fatal(err)
	}
	whole, before := tracertest.ProcessorTime(t)-begun, memory.Left()
	if _, err := s.RequestBVH(d, t, "auto"); err != nil {
		t.Fatal(err)
	}
	for memory.Left() == before { // until it has begun
		time.Sleep(time.Millisecond)
	}
	begun = tracertest.ProcessorTime(t)
	s.Free(d)
	for memory.Left() != before {
		if tracertest.ProcessorTime(t)-begun > whole/2 {
			t.Fatalf("the build goes on: a whole one takes %v", whole)
		}
		time.Sleep(time.Millisecond)
	}
}
