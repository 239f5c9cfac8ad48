package net_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/denoise/net"
	"glint/tracer/device"
	"glint/tracer/oidn"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// smallNet is the net that OIDN takes at quality fast (RenderKit/oidn, core/unet_filter.cpp): colour, albedo and normal in.
func smallNet() []net.Layer {
	up := func(name, skip string) []net.Source { return []net.Source{{Image: name, Up: true}, {Image: skip}} }
	return []net.Layer{
		{Name: "enc_conv0", From: from(net.Input), Channels: 32, ReLU: true},
		{Name: "enc_conv1", From: from("enc_conv0"), Channels: 32, ReLU: true, Pool: true},
		{Name: "enc_conv2", From: from("enc_conv1" + net.Pooled), Channels: 32, ReLU: true, Pool: true},
		{Name: "enc_conv3", From: from("enc_conv2" + net.Pooled), Channels: 32, ReLU: true, Pool: true},
		{Name: "enc_conv4", From: from("enc_conv3" + net.Pooled), Channels: 32, ReLU: true, Pool: true},
		{Name: "enc_conv5a", From: from("enc_conv4" + net.Pooled), Channels: 32, ReLU: true},
		{Name: "enc_conv5b", From: from("enc_conv5a"), Channels: 32, ReLU: true},
		{Name: "dec_conv4a", From: up("enc_conv5b", "enc_conv3"+net.Pooled), Channels: 64, ReLU: true},
		{Name: "dec_conv4b", From: from("dec_conv4a"), Channels: 64, ReLU: true},
		{Name: "dec_conv3a", From: up("dec_conv4b", "enc_conv2"+net.Pooled), Channels: 64, ReLU: true},
		{Name: "dec_conv3b", From: from("dec_conv3a"), Channels: 64, ReLU: true},
		{Name: "dec_conv2a", From: up("dec_conv3b", "enc_conv1"+net.Pooled), Channels: 64, ReLU: true},
		{Name: "dec_conv2b", From: from("dec_conv2a"), Channels: 32, ReLU: true},
		{Name: "dec_conv1a", From: up("dec_conv2b", net.Input), Channels: 32, ReLU: true},
		{Name: "dec_conv1b", From: from("dec_conv1a"), Channels: 32, ReLU: true},
		{Name: "dec_conv0", From: from("dec_conv1b"), Channels: 3, ReLU: true},
	}
}

const inputChannels = 9

// weightsOf are the archives in OIDN's library that fit its small net: it has some for other kinds of images as well. With GLINT_TEST_TZA
// it is the one in that file.
func weightsOf(t testing.TB) (archives [][]net.Tensor) {
	t.Helper()
	path := os.Getenv("GLINT_TEST_TZA")
	if path == "" {
		found, err := filepath.Glob(filepath.Join(filepath.Dir(tracertest.NeedsOIDN(t).Path), "libOpenImageDenoise_core.so*"))
		if err != nil || len(found) == 0 {
			t.Skip("needs OIDN's weights: ", err)
		}
		path = found[0]
	}
	library, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for rest := library; ; rest = rest[1:] {
		at := bytes.Index(rest, []byte("\xd7\x41\x02\x00"))
		if at < 0 {
			break
		}
		rest = rest[at:]
		tensors, err := net.ReadTZA(rest)
		if err == nil && fits(tensors) {
			archives = append(archives, tensors)
		}
	}
	if len(archives) == 0 {
		t.Fatalf("%s holds no weights of the small net", path)
	}
	return archives
}

// fits tells whether tensors are those of the small net: the others have as many.
func fits(tensors []net.Tensor) bool {
	n, err := net.New(device.NewCPU(""), inputChannels, smallNet(), tensors)
	if err == nil {
		n.Free()
	}
	return err == nil
}

// noisy is what OIDN reads of a picture: three floats a pixel, in planes with a fourth.
type noisy struct {
	net.Size
	color, albedo, normal [][4]float32
}

// rendered is a few samples of a scene.
func rendered(t *testing.T, width, height int) noisy {
	t.Helper()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	d := tracertest.NewDevice()
	fx := d.Open(t).Use(s, nil)
	own := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Denoise = "path", "oidn" })
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: width, Height: height}, Live: true}
	fx.Frame(v, own, view.Target{})
	if _, err := fx.Renderer.Image().Denoised(v, own); err != nil {
		t.Fatal(err)
	}
	planes, pixels := tracertest.ReadBuffer[[4]float32](t, d, d.LastFrame.Denoise.Inputs), width*height
	plane := func(p uint32) [][4]float32 { return slices.Clone(planes[int(p)*pixels:][:pixels]) }
	return noisy{net.Size{Width: width, Height: height}, plane(cuda.DenoiseColor), plane(cuda.DenoiseAlbedo), plane(cuda.DenoiseNormal)}
}

// made is a picture without a scene: stripes of light and of surfaces, and noise.
func made(width, height int) noisy {
	n := noisy{Size: net.Size{Width: width, Height: height}}
	state := uint32(1)
	for i := range width * height {
		x, y := i%width, i/width
		state = state*1664525 + 1013904223
		noise := -float32(math.Log(float64(state>>8+1) / (1 << 24)))
		light := float32(1+x%97) / 40 * noise
		albedo := 0.2 + 0.6*float32(y/31%2)
		n.color = append(n.color, [4]float32{light * albedo, 0.7 * light * albedo, 0.4 * light * albedo})
		n.albedo = append(n.albedo, [4]float32{albedo, albedo, 0.5 * albedo})
		n.normal = append(n.normal, [4]float32{float32(x/53%2)*1.2 - 0.6, 0, 0.8})
	}
	return n
}

// scale is what OIDN multiplies radiance by: the geometric mean of luminance over blocks of up to 16×16 pixels becomes 0.18.
func (n noisy) scale() float64 {
	down, across := (n.Height+15)/16, (n.Width+15)/16
	var logs float64
	count := 0
	for block := range down * across {
		i, j := block/across, block%across
		var sum, pixels float64
		for y := i * n.Height / down; y < (i+1)*n.Height/down; y++ {
			for x := j * n.Width / across; x < (j+1)*n.Width/across; x++ {
				c := n.color[y*n.Width+x]
				sum += 0.212671*float64(c[0]) + 0.715160*float64(c[1]) + 0.072169*float64(c[2])
				pixels++
			}
		}
		if mean := sum / pixels; mean > 1e-8 {
			logs += math.Log2(mean)
			count++
		}
	}
	if count == 0 {
		return 1
	}
	return 0.18 / math.Exp2(logs/float64(count))
}

// perceptual is OIDN's transfer function: about as bright as it looks (after Azimi et al. 2021, PU21), 1 for the largest half.
func perceptual(y float64) float64 { return pu(y) / pu(65504) }

func pu(y float64) float64 {
	switch {
	case y <= 1.57945760e-06:
		return 1.41283765e+03 * y
	case y <= 3.22087631e-02:
		return 1.64593172e+00*math.Pow(y, 4.31384981e-01) - 2.94139609e-03
	}
	return 1.92653254e-01*math.Log(y+6.26026094e-03) + 9.98620152e-01
}

// radiance is the inverse of perceptual.
func radiance(v float64) float64 {
	switch x := v * pu(65504); {
	case x <= 2.23151711e-03:
		return x / 1.41283765e+03
	case x <= 3.70974749e-01:
		return math.Pow((x+2.94139609e-03)/1.64593172e+00, 1/4.31384981e-01)
	default:
		return math.Exp((x-9.98620152e-01)/1.92653254e-01) - 6.26026094e-03
	}
}

// input is what the net is given.
func (n noisy) input() picture {
	p := newPicture(n.Width, n.Height, inputChannels)
	scale := n.scale()
	for i := range n.color {
		for c := range 3 {
			to := p.values[i*inputChannels+c:]
			to[0] = float32(perceptual(max(0, float64(n.color[i][c])*scale)))
			to[3] = min(max(n.albedo[i][c], 0), 1)
			to[6] = min(max(n.normal[i][c], -1), 1)/2 + 0.5
		}
	}
	return p
}

// output is the radiance that a net's output stands for.
func (n noisy) output(p picture) []float32 {
	var values []float32
	scale := n.scale()
	for i := range n.color {
		for c := range 3 {
			x := max(0, float64(p.at(i%n.Width, i/n.Width, c)))
			values = append(values, float32(radiance(x)/scale))
		}
	}
	return values
}

// padded is the size of images in a net that divides by 16.
func (n noisy) padded() net.Size {
	return net.Size{Width: (n.Width + 15) / 16 * 16, Height: (n.Height + 15) / 16 * 16}
}

// denoisedBy is what our kernels make of it.
func (n noisy) denoisedBy(t testing.TB, d device.Device, tensors []net.Tensor) []float32 {
	t.Helper()
	return n.output(run(t, d, n.input(), smallNet(), tensors, n.padded()))
}

// denoised is what OIDN makes of it, on a processor.
func (n noisy) denoised(t *testing.T) []float32 {
	t.Helper()
	opened, err := tracertest.NeedsOIDN(t).CPU()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}()
	image := func(plane [][4]float32) oidn.Image {
		return oidn.Image{Address: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(plane)))), Stride: 16}
	}
	result := make([][4]float32, len(n.color))
	d := opened.Denoiser()
	defer d.Release()
	if err := d.Denoise(oidn.Task{Width: n.Width, Height: n.Height, HDR: true, Quality: oidn.Fast,
		Color: image(n.color), Albedo: image(n.albedo), Normal: image(n.normal), Output: image(result)}); err != nil {
		t.Fatal(err)
	}
	return three(result)
}

// three drops the fourth value of each pixel.
func three(plane [][4]float32) (values []float32) {
	for _, p := range plane {
		values = append(values, p[:3]...)
	}
	return values
}

// TestNetMatchesOIDN: with OIDN's weights, our kernels make OIDN's picture of a noisy one whose sides no pooling divides evenly. Of
// its weights those must be for noisy guides that come closest.
func TestNetMatchesOIDN(t *testing.T) {
	tracertest.NeedsOIDN(t)
	n := rendered(t, 201, 139)
	want := n.denoised(t)
	archives := weightsOf(t)
	distances := make([]float64, len(archives))
	for i, tensors := range archives {
		distances[i] = distance(n.denoisedBy(t, device.NewCPU(""), tensors), want)
	}
	best := slices.Index(distances, slices.Min(distances))
	t.Logf("differs from OIDN by %.2g", distances)
	if !(distances[best] < 1e-2) {
		t.Errorf("OIDN's picture differs by %.2g", distances)
	}
	others := slices.Delete(slices.Clone(distances), best, best+1)
	if slices.ContainsFunc(others, func(d float64) bool { return d < 2*distances[best] }) {
		t.Errorf("other weights come as close: %.2g", distances)
	}
	if path := os.Getenv("GLINT_WRITE_TZA"); path != "" { // for a machine without OIDN's library: GLINT_TEST_TZA
		file, err := net.WriteTZA(archives[best])
		if err := errors.Join(err, os.WriteFile(path, file, 0o644)); err != nil {
			t.Error(err)
		}
	}
}
