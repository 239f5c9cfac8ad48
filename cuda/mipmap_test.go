package cuda_test

import (
	"math"
	"slices"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// levelsFrame is a frame whose texture 0 is 4×4 with two levels below, each of one grey.
func levelsFrame(t *testing.T, grays [3]byte) *cuda.Frame {
	t.Helper()
	var list []cuda.Texture
	for i, gray := range grays {
		side := 4 >> i
		list = append(list, cuda.Texture{Texels: upload(t, slices.Repeat([]byte{gray}, 4*side*side)), Width: uint32(side), Height: uint32(side)})
	}
	list[0].Mips = 1
	frame := tableFrame(t, 0)
	frame.Scene.Textures = upload(t, list)
	return frame
}

// TestFilteredTexture: a footprint of 4ⁿ texels shows level n, one in between a blend, and any other an end of the chain.
func TestFilteredTexture(t *testing.T) {
	frame := levelsFrame(t, [3]byte{0, 51, 255})
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, row := range []struct{ texels, want float32 }{
		{0, 0}, {-1, 0}, {nan, 0}, {0.3, 0}, {1, 0}, {2, 0.1}, {4, 0.2}, {8, 0.6}, {16, 1}, {1e20, 1}, {inf, 1},
	} {
		for c, got := range probe.FilteredTexture.Map(frame, []float32{0.3, 0.8, row.texels / 16}) {
			if math.Abs(float64(got-row.want)) > 1e-5 {
				t.Errorf("%g texels: channel %d is %g, want %g", row.texels, c, got, row.want)
			}
		}
	}
	frame.Scene.Missing = cuda.FeatureMipmaps
	if got := probe.FilteredTexture.Map(frame, []float32{0.3, 0.8, 1}); got[0] != 0 {
		t.Errorf("a scene without mipmaps shows %g", got[0])
	}
}

// TestConstantTextureIsUnchanged by whatever footprint.
func TestConstantTextureIsUnchanged(t *testing.T) {
	frame := levelsFrame(t, [3]byte{77, 77, 77})
	for texels := float32(0.1); texels < 100; texels *= 1.3 {
		if got := probe.FilteredTexture.Map(frame, []float32{0.1, 0.6, texels / 16}); math.Abs(float64(got[0])-77./255) > 1e-6 {
			t.Errorf("%g texels: %g", texels, got[0])
		}
	}
}

// TestMipLevel: half a pixel at so many metres is so many texels wide; a surface that is seen at an angle shows a longer piece, of
// which the geometric mean of both axes counts.
func TestMipLevel(t *testing.T) {
	const side, texels, lines, tan = 3, 1 << 10, 100, 0.5 // of the triangle [m], the texture, the image, and its half height at 1 m
	frame := tableFrame(t, 0)
	frame.Scene.Missing = cuda.FeatureInstances | cuda.FeatureUv1
	frame.Scene.Textures = upload(t, []cuda.Texture{{Width: texels, Height: texels / 4, Mips: 1}})
	frame.Scene.Triangles = upload(t, []cuda.Triangle{{E1: [3]float32{side, 0, 0}, E2: [3]float32{0, side, 0}}})
	frame.Scene.Faces = upload(t, []cuda.Face{{V0: 0, V1: 1, V2: 2}})
	normal := [3]float32{0, 0, 1}
	frame.Scene.Vertices = upload(t, []cuda.Vertex{{Normal: normal}, {Normal: normal, Uv0: [2]float32{1, 0}}, {Normal: normal, Uv0: [2]float32{0, 1}}})
	frame.Film.Height, frame.Camera.TanHalfFovY = lines, tan
	for distance := 0.1; distance < 1000; distance *= 1.7 {
		for _, cos := range []float64{1, 0.5, 0.05} {
			got := probe.MipLevel.Map(frame, []float32{float32(distance), float32(math.Sqrt(1 - cos*cos)), 0, float32(cos)})[0]
			width := distance * tan / lines
			want := math.Log2(width * math.Sqrt(texels*texels/4/(side*side)) / math.Sqrt(cos))
			if want = max(0, min(want, 10)); math.Abs(float64(got)-want) > 0.045 {
				t.Errorf("%g m away, cos %g: level %g, want %g", distance, cos, got, want)
			}
		}
	}
}
