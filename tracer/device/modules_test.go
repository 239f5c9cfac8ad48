package device

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"glint/cuda"
	"glint/cuda/compiled"
	"glint/cuda/driver"
	"glint/cuda/images"
)

func TestGeneralKernelsComeFromMachineCodeElseFromPTX(t *testing.T) {
	archive, err := images.Pack(images.Manifest{}, []images.Image{{Target: "sm_86"}, {Target: "sm_90"}, {Target: "compute_75"}})
	if err != nil {
		t.Fatal(err)
	}
	from := kernels{archive.For, func(uint32, int) (images.Image, error) { return archive.PTX() }}
	old, broken := errors.New("the driver is too old"), errors.New("no compiler")
	for _, c := range []struct {
		name         string
		major, minor int
		machine, ptx error // of loading them
		asked, how   string
		failed       bool
	}{
		{"machine code", 8, 7, nil, broken, "sm_86", "machine code (sm_86)", false},
		{"newer GPU", 12, 0, old, nil, "compute_75", "compiled by the driver (compute_75)", false},
		{"refused", 9, 0, old, nil, "sm_90 compute_75", "compiled by the driver (compute_75), which refused the machine code: the driver is too old", false},
		{"neither", 9, 0, old, broken, "sm_90 compute_75", "", true},
		{"newer GPU, no compiler", 12, 0, nil, broken, "compute_75", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked []string
			g, err := loadGeneral(from, c.major, c.minor, func(i images.Image) (*module, error) {
				asked = append(asked, string(i.Target))
				if i.Target.IsPTX() {
					return &module{}, c.ptx
				}
				return &module{}, c.machine
			})
			if got := strings.Join(asked, " "); got != c.asked {
				t.Errorf("loaded %s, want %s", got, c.asked)
			}
			if !c.failed && (err != nil || g.String() != c.how) {
				t.Errorf("%q, want %q: %v", g, c.how, err)
			}
			if c.failed && !errors.Is(err, broken) {
				t.Errorf("what the compiler said is missing: %v", err)
			}
			if c.failed && c.machine != nil && !errors.Is(err, c.machine) {
				t.Errorf("what was said of the machine code is missing: %v", err)
			}
		})
	}
}

func TestBuildsWithoutKernelsSayHowToGetThem(t *testing.T) {
	none := kernels{image: func(int, int) (images.Image, error) { return images.Image{}, compiled.ErrMissing }}
	if _, err := loadGeneral(none, 9, 0, nil); !errors.Is(err, compiled.ErrMissing) || !strings.Contains(err.Error(), "make kernels") {
		t.Errorf("%v", err)
	}
}

// openGPU opens the first GPU, or skips the test and says why.
func openGPU(t *testing.T) *driver.Context {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	c, err := driver.Open(driver.Options{})
	if err != nil {
		t.Skip("needs a GPU: ", err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestGPULoadsEveryForm loads the kernels in each form there is and shows how long that takes. With CUDA_CACHE_DISABLE=1
// it is what a first start takes. The blocks that a kernel's definition promises must fit, in every form.
func TestGPULoadsEveryForm(t *testing.T) {
	c := openGPU(t)
	t.Logf("%s, CUDA_CACHE_DISABLE=%q", c.Device.Name, os.Getenv("CUDA_CACHE_DISABLE"))
	const most = cuda.FeatureGlass | cuda.FeatureMedia | cuda.FeatureInstances
	for _, form := range []struct {
		name  string
		lacks uint32
		make  func() (images.Image, error)
	}{
		{"best for this GPU", 0, func() (images.Image, error) { return compiled.Image(c.Device.Major, c.Device.Minor) }},
		{"PTX for every scene", 0, func() (images.Image, error) { return compiled.PTX(0, c.Device.Major) }},
		{"PTX for scenes without glass, media and instances", most, func() (images.Image, error) { return compiled.PTX(most, c.Device.Major) }},
	} {
		begin := time.Now()
		image, err := form.make()
		if err != nil {
			t.Fatal(err)
		}
		unpacked := time.Now()
		m, err := loadModule(c, image, form.lacks)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%s (%s): unpacked in %.1f ms, loaded in %.1f ms", form.name, image.Target,
			ms(unpacked.Sub(begin)), ms(time.Since(unpacked)))
		for k, f := range m.functions {
			info, err := f.Info()
			if err != nil {
				t.Fatal(err)
			}
			if info.Registers == 0 || info.MaxBlockThreads < cuda.Kernel(k).Threads() {
				t.Errorf("%s, %s: %+v", form.name, f.Name, info)
			}
		}
		if err := m.module.Close(); err != nil {
			t.Error(err)
		}
	}
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }
