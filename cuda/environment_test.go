package cuda_test

import (
	"math"
	"slices"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

const skyWidth, skyHeight = 8, 4

// skyFrame is an environment of skyWidth × skyHeight texels, chosen by an alias table of known shares.
func skyFrame(t *testing.T, rotation float32) *cuda.Frame {
	r := newRandom(8)
	kept := make([]float32, skyWidth*skyHeight/2)
	for i := range kept {
		kept[i] = unit(r)
	}
	texels := make([][4]float32, skyWidth*skyHeight)
	for i := range texels {
		texels[i] = [4]float32{float32(i), 1, float32(i % skyWidth), 0}
	}
	f := &cuda.Frame{Scene: cuda.SceneParams{LightScale: 1}}
	f.Scene.Environment = cuda.Environment{
		Texels: upload(t, texels), Alias: upload(t, pairedAlias(kept)),
		Width: skyWidth, Height: skyHeight, Strength: 1, Rotation: rotation,
	}
	return f
}

// skyDirection of image coordinates (params/light.h: u = atan2(z, x)/2π + ½ after the rotation, v = acos(y)/π).
func skyDirection(u, v, rotation float64) []float32 {
	phi, theta := (u-0.5)*2*math.Pi+rotation, v*math.Pi
	return []float32{float32(math.Sin(theta) * math.Cos(phi)), float32(math.Cos(theta)), float32(math.Sin(theta) * math.Sin(phi))}
}

// skyExpected integrates the pdf over quarters of texels, by the midpoint rule. All of it must be 1.
func skyExpected(t *testing.T, f *cuda.Frame) []float64 {
	t.Helper()
	const w, h, sub = 2 * skyWidth, 2 * skyHeight, 16
	expected := make([]float64, w*h)
	sum := 0.0
	for bin := range expected {
		var in []float32
		var solid []float64
		for i := range sub * sub {
			u := (float64(bin%w) + (float64(i%sub)+0.5)/sub) / w
			v := (float64(bin/w) + (float64(i/sub)+0.5)/sub) / h
			in = append(in, skyDirection(u, v, float64(f.Scene.Environment.Rotation))...)
			solid = append(solid, 2*math.Pi*math.Pi*math.Sin(v*math.Pi)/(w*h*sub*sub))
		}
		for i, pdf := range probe.EnvironmentPdf.Map(f, in) {
			expected[bin] += lightSamples * float64(pdf) * solid[i]
		}
		sum += expected[bin]
	}
	if integral := sum / lightSamples; math.Abs(integral-1) > 1e-4 {
		t.Errorf("the environment's pdf integrates to %.5f, want 1", integral)
	}
	return expected
}

func TestEnvironmentSamplesFollowPdf(t *testing.T) {
	const w, h = 2 * skyWidth, 2 * skyHeight
	var tests family
	for _, rotation := range []float32{0, 1.3, -4} {
		f := skyFrame(t, rotation)
		observed := make([]float64, w*h)
		out := probe.SampleEnvironment.Map(f, environmentNumbers())
		for i := 0; i < len(out); i += drawnEnvironment {
			u := (math.Atan2(float64(out[i+2]), float64(out[i]))-float64(rotation))/(2*math.Pi) + 0.5
			u -= math.Floor(u)
			v := math.Acos(max(-1, min(1, float64(out[i+1])))) / math.Pi
			observed[min(int(v*h), h-1)*w+min(int(u*w), w-1)]++
		}
		tests.add(t, "environment image", observed, skyExpected(t, f))
	}
	tests.judge(t)
}

// drawnEnvironment is how many values SampleEnvironment gives of a sample.
const drawnEnvironment = 3 + 3 + 1

// A sample says what radiance and pdf are in its direction: whoever asks for them by the direction is told the same, but where rounding
// moves that into the next texel.
func TestEnvironmentSamplesKnowWhatIsThere(t *testing.T) {
	for _, rotation := range []float32{0, 1.3, -4} {
		f := skyFrame(t, rotation)
		out := probe.SampleEnvironment.Map(f, environmentNumbers())
		var directions []float32
		for i := 0; i < len(out); i += drawnEnvironment {
			directions = append(directions, out[i:i+3]...)
		}
		pdf, Li := probe.EnvironmentPdf.Map(f, directions), probe.EnvironmentRadiance.Map(f, directions)
		differ := 0
		for i := range pdf {
			drawn := out[drawnEnvironment*i:]
			for c := range 3 {
				if math.Abs(float64(drawn[3+c]-Li[3*i+c])) > 1e-3*float64(1+Li[3*i+c]) {
					t.Fatalf("rotation %g: radiance %v, want %v", rotation, drawn[3:6], Li[3*i:3*i+3])
				}
			}
			if math.Abs(float64(drawn[6]-pdf[i])) > 1e-3*float64(pdf[i]) {
				differ++
			}
		}
		if differ > len(pdf)/1000 {
			t.Errorf("rotation %g: the pdf of %d of %d samples is not that of their direction", rotation, differ, len(pdf))
		}
	}
}

// environmentNumbers are uniform runs of what sampleEnvironment takes.
func environmentNumbers() []float32 {
	r := newRandom(9)
	inputs, _ := probe.SampleEnvironment.Arity()
	in := make([]float32, inputs*lightSamples)
	for i := range in {
		in[i] = unit(r)
	}
	return in
}

func TestConstantEnvironmentIsUniform(t *testing.T) {
	f := &cuda.Frame{Scene: cuda.SceneParams{
		LightScale: 2, Environment: cuda.Environment{Constant: [3]float32{1, 2, 3}, Strength: 0.5},
	}}
	const bands, sectors = 8, 8
	observed, expected := make([]float64, bands*sectors), make([]float64, bands*sectors)
	out := probe.SampleEnvironment.Map(f, environmentNumbers())
	for i := 0; i < len(out); i += drawnEnvironment {
		band := min(int((float64(out[i+1])+1)/2*bands), bands-1)
		sector := min(int((math.Atan2(float64(out[i+2]), float64(out[i]))/(2*math.Pi)+0.5)*sectors), sectors-1)
		observed[band*sectors+sector]++
	}
	for i := range expected {
		expected[i] = lightSamples / float64(len(expected))
	}
	var tests family
	tests.add(t, "constant environment", observed, expected)
	tests.judge(t)
	if pdf := probe.EnvironmentPdf.Map(f, out[:3])[0]; math.Abs(float64(pdf)*4*math.Pi-1) > 1e-6 {
		t.Errorf("pdf %g, want 1/4π", pdf)
	}
	if got := probe.EnvironmentRadiance.Map(f, out[:3]); got[0] != 1 || got[1] != 2 || got[2] != 3 {
		t.Errorf("radiance %v, want strength × scale × constant = [1 2 3]", got)
	}
}

// The image is filtered bilinearly, wraps around at ±180° and stops at the poles.
func TestEnvironmentRadiance(t *testing.T) {
	f := skyFrame(t, 0.7)
	for _, c := range []struct{ x, y, red, blue float64 }{
		{2.5, 1.5, 10, 2},
		{3, 1.5, 10.5, 2.5},
		{2.5, 2, 14, 2},
		{0.25, 0.5, 0.75*0 + 0.25*7, 0.75*0 + 0.25*7},
		{7.75, 0.5, 0.75*7 + 0.25*0, 0.75*7 + 0.25*0},
		{4.5, 0.1, 4, 4},
		{4.5, 3.9, 28, 4},
	} {
		got := probe.EnvironmentRadiance.Map(f, skyDirection(c.x/skyWidth, c.y/skyHeight, 0.7))
		if math.Abs(float64(got[0])-c.red) > 1e-4*(1+c.red) || got[1] != 1 || math.Abs(float64(got[2])-c.blue) > 1e-4*(1+c.blue) {
			t.Errorf("texel place (%g, %g): %v, want [%g 1 %g]", c.x, c.y, got, c.red, c.blue)
		}
	}
}

// Close to the poles the pdf is that of the texel over its solid angle, too: sin θ must not come from cos θ, which is 1 there.
func TestEnvironmentPdfAtThePoles(t *testing.T) {
	f := skyFrame(t, 0)
	for _, theta := range []float64{1e-5, 1e-4, 3e-4, 1e-3, 1e-2} {
		for _, v := range []float64{theta / math.Pi, 1 - theta/math.Pi} {
			d := skyDirection(0.4, v, 0)
			near := skyDirection(0.4, math.Abs(math.Round(v)-0.05), 0) // the same texel, where nothing is lost
			pdf := probe.EnvironmentPdf.Map(f, slices.Concat(d, near))
			want := float64(pdf[1]) * math.Sin(0.05*math.Pi) / math.Sin(theta)
			if got := float64(pdf[0]); math.Abs(got/want-1) > 1e-3 {
				t.Errorf("%g rad from a pole: pdf %g, want %g", theta, got, want)
			}
		}
	}
}
