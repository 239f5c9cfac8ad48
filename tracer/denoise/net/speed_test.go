package net_test

import (
	"slices"
	"testing"
	"time"

	"glint/tracer/denoise/net"
	"glint/tracer/device"
	"glint/tracer/oidn"
)

// TestConvSpeedOnGPU prints what OIDN's small net takes by our kernels and by OIDN, which also scales, converts and writes radiance, on
// the same picture, and how much they differ. Its weights come from OIDN's library, or from GLINT_TEST_TZA, which TestNetMatchesOIDN
// writes to GLINT_WRITE_TZA elsewhere; without the library, only ours are timed.
func TestConvSpeedOnGPU(t *testing.T) {
	d := openGPU(t)
	archives := weightsOf(t)
	library, missing := oidn.Find()
	if missing != nil {
		t.Log(missing)
	}
	for _, size := range []net.Size{{Width: 1280, Height: 720}, {Width: 1920, Height: 1080}} {
		picture := made(size.Width, size.Height)
		var theirs []float32
		if missing == nil {
			var ms float64
			theirs, ms = timeOIDN(t, d, library, picture)
			t.Logf("%d×%d: OIDN, fast: %.3f ms", size.Width, size.Height, ms)
		}
		input := picture.input()
		for _, tensors := range archives {
			n, err := net.New(d, inputChannels, smallNet(), tensors)
			if err != nil {
				t.Fatal(err)
			}
			give(t, n, d, input)
			submit(t, n, d)
			ms := median(t, d, func() {
				if err := d.Submit(n.Launches()); err != nil {
					t.Fatal(err)
				}
			})
			t.Logf("%d×%d: our kernels: %.3f ms, %d MB", size.Width, size.Height, ms, n.Bytes()>>20)
			if theirs != nil {
				ours := picture.output(take(t, n, d, picture.padded(), 3))
				t.Logf("they differ by %.2g", distance(ours, theirs))
			}
			n.Free()
		}
	}
}

// timeOIDN is what OIDN makes of a picture at quality fast, and the milliseconds that it takes.
func timeOIDN(t *testing.T, d device.Device, library *oidn.Library, n noisy) (result []float32, ms float64) {
	t.Helper()
	access := d.Access()
	opened, err := library.CUDA(access.Ordinal, access.Stream)
	if err != nil {
		t.Fatal(err)
	}
	denoiser := opened.Denoiser()
	defer func() {
		denoiser.Release()
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}()
	output := make([][4]float32, len(n.color))
	task := oidn.Task{Width: n.Width, Height: n.Height, HDR: true, Quality: oidn.Fast}
	var rows []device.Rows
	for _, image := range []struct {
		to    *oidn.Image
		plane [][4]float32
	}{{&task.Color, n.color}, {&task.Albedo, n.albedo}, {&task.Normal, n.normal}, {&task.Output, output}} {
		image.to.Stride = 16
		rows = append(rows, device.Rows{Address: &image.to.Address, Data: device.BytesOf(image.plane)})
	}
	buffers, err := device.UploadAll(d, rows)
	if err != nil {
		t.Fatal(err)
	}
	defer device.FreeAll(d, buffers)
	ms = median(t, d, func() {
		if err := denoiser.Denoise(task); err != nil {
			t.Fatal(err)
		}
	})
	if err := d.Download(buffers[3], device.BytesOf(output)); err != nil {
		t.Fatal(err)
	}
	return three(output), ms
}

// median is the milliseconds that work takes once it is queued: the median of 50 times, of 10 pieces each.
func median(t *testing.T, d device.Device, work func()) float64 {
	t.Helper()
	const warmUp, times, pieces = 5, 50, 10
	var all []float64
	for i := range warmUp + times {
		begun := time.Now()
		for range pieces {
			work()
		}
		if err := d.Sync(); err != nil {
			t.Fatal(err)
		}
		if i >= warmUp {
			all = append(all, float64(time.Since(begun))/1e6/pieces)
		}
	}
	slices.Sort(all)
	return all[times/2]
}
