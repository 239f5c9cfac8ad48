package gpuscene

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/scene"
)

func randomImage(width, height int, srgb bool) *scene.Image {
	random := rand.New(rand.NewPCG(5, uint64(width)))
	img := &scene.Image{Width: width, Height: height, SRGB: srgb, Pixels: make([]byte, 4*width*height)}
	for i := range img.Pixels {
		img.Pixels[i] = byte(random.Uint32())
	}
	return img
}

// meanOf is what an image shows on average, light linearly. Cut-outs count by coverage.
func meanOf(img *scene.Image, cutout bool) (mean [4]float64) {
	linear, _ := values(img.SRGB)
	weights := 0.0
	for at := 0; at < len(img.Pixels); at += 4 {
		weight := 1.0
		if cutout {
			weight = float64(img.Pixels[at+3]) / 255
		}
		weights += weight
		for c := range 3 {
			mean[c] += weight * float64(linear[img.Pixels[at+c]])
		}
		mean[3] += float64(img.Pixels[at+3]) / 255
	}
	for c := range 3 {
		mean[c] /= weights
	}
	mean[3] /= float64(len(img.Pixels) / 4)
	return mean
}

// TestMipmapsKeepTheMean, whatever their sizes, down to one pixel.
func TestMipmapsKeepTheMean(t *testing.T) {
	for _, row := range []struct {
		width, height int
		sizes         [][2]int
	}{
		{8, 4, [][2]int{{4, 2}, {2, 1}, {1, 1}}},
		{7, 5, [][2]int{{3, 2}, {1, 1}}},
		{1, 3, [][2]int{{1, 1}}},
		{255, 130, [][2]int{{127, 65}, {63, 32}, {31, 16}, {15, 8}, {7, 4}, {3, 2}, {1, 1}}},
		{1, 1, nil},
	} {
		for _, srgb := range []bool{false, true} {
			for _, cutout := range []bool{false, true} {
				img := randomImage(row.width, row.height, srgb)
				levels, pixels := mipmaps(img, cutout)
				var sizes [][2]int
				want, bytes := meanOf(img, cutout), 0
				for _, level := range levels {
					bound := 1. / 255
					if level.Width*level.Height < 8 {
						bound *= 2 // what few bytes are rounded by does not cancel out
					}
					sizes, bytes = append(sizes, [2]int{level.Width, level.Height}), bytes+len(level.Pixels)
					for c, got := range meanOf(level, cutout) {
						if math.Abs(got-want[c]) > bound {
							t.Errorf("%d×%d, light %v, cut-out %v: channel %d is %.4f on average, and of %d×%d %.4f", row.width, row.height, srgb, cutout, c, want[c], level.Width, level.Height, got)
						}
					}
				}
				if !slices.Equal(sizes, row.sizes) || bytes != len(pixels) || int64(bytes) != mipmapBytes(row.width, row.height, 4) {
					t.Errorf("%d×%d: levels %v of %d bytes, %d in all", row.width, row.height, sizes, bytes, mipmapBytes(row.width, row.height, 4))
				}
			}
		}
	}
}

// TestMipmapsOfCutouts: what is transparent has no colour there, and elsewhere it has.
func TestMipmapsOfCutouts(t *testing.T) {
	img := &scene.Image{Width: 2, Height: 1, Pixels: []byte{200, 100, 50, 255, 0, 0, 0, 0}}
	for cutout, want := range map[bool][]byte{true: {200, 100, 50, 128}, false: {100, 50, 25, 128}} {
		if _, pixels := mipmaps(img, cutout); !slices.Equal(pixels, want) {
			t.Errorf("cut-out %v: %v, want %v", cutout, pixels, want)
		}
	}
}

// mippedScene has a material of each kind of texture: colour twice, of which one is looked up by the nearest texel, a cut-out and a
// normal map.
func mippedScene() *scene.Scene {
	s := &scene.Scene{Name: "mipped", Vertices: make([]scene.Vertex, 3), Faces: []scene.Face{{V: [3]uint32{0, 1, 2}}}}
	s.Vertices[1].Position[0], s.Vertices[2].Position[1] = 1, 1
	s.Images = []scene.Image{checkered(1024, 512, true), checkered(300, 20, true), checkered(64, 64, true), checkered(512, 512, false)}
	s.Textures = []scene.Texture{{Image: 0, WrapS: scene.WrapClamp}, {Image: 1, Nearest: true}, {Image: 2}, {Image: 3}}
	for i, use := range []scene.TextureUse{scene.TextureBaseColor, scene.TextureBaseColor, scene.TextureBaseColor, scene.TextureNormal} {
		m := scene.NewMaterial("m")
		m.Textures[use] = scene.TextureRef{Texture: i, Transform: scene.IdentityTransform}
		if i == 2 {
			m.AlphaMode = scene.AlphaMask
		}
		s.Materials = append(s.Materials, m)
	}
	return s
}

// TestMipmapsOnTheDevice: what is planned is what is uploaded, levels stand behind the textures, and only where they serve.
func TestMipmapsOnTheDevice(t *testing.T) {
	without, err := Prepare(context.Background(), mippedScene(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(context.Background(), mippedScene(), Options{Mipmaps: true})
	if err != nil {
		t.Fatal(err)
	}
	if without.lacks()&cuda.FeatureMipmaps == 0 || p.lacks()&cuda.FeatureMipmaps != 0 {
		t.Errorf("features %#x without mipmaps, %#x with them are missing", without.lacks(), p.lacks())
	}
	below := mipmapBytes(1024, 512, 4) + mipmapBytes(64, 64, 4)
	if got := p.Needs().Textures - without.Needs().Textures; got != below {
		t.Errorf("mipmaps take %d bytes, want %d", got, below)
	}
	for _, longest := range []int{1024, 256} {
		gpu := newSmallGPU(1 << 30)
		textures, _, err := p.textures.upload(gpu, longest)
		if err != nil {
			t.Fatal(err)
		}
		var uploaded int64
		for _, bytes := range gpu.rows {
			uploaded += int64(bytes)
		}
		if want := p.textures.bytes(gpu, longest); uploaded != want {
			t.Errorf("of %d pixels a side: %d bytes are uploaded, %d planned", longest, uploaded, want)
		}
		levels := uint32(math.Log2(float64(longest)))
		if got := []uint32{textures[0].Mips, textures[1].Mips, textures[2].Mips, textures[3].Mips}; !slices.Equal(got, []uint32{4, 0, 4 + levels, 0}) || len(textures) != int(4+levels+6) {
			t.Errorf("of %d pixels a side: levels begin at %v of %d textures", longest, got, len(textures))
		}
		last := textures[4+levels-1]
		if first := textures[4]; first.Width != uint32(longest)/2 || first.WrapS != cuda.WrapClamp || first.Flags != cuda.TextureSrgb ||
			last.Width != 1 || last.Height != 1 || last.Texels-first.Texels != uint64(mipmapBytes(longest, longest/2, 4)-4) {
			t.Errorf("of %d pixels a side: the first level is %+v, the last %+v", longest, first, last)
		}
	}
}

// TestMipmapsOfAProcessorLieWithTheHost: nothing of level 0 is copied for them.
func TestMipmapsOfAProcessorLieWithTheHost(t *testing.T) {
	p, err := Prepare(context.Background(), mippedScene(), Options{Mipmaps: true})
	if err != nil {
		t.Fatal(err)
	}
	lent := func(img *scene.Image) bool { return lends(device.NewPlanner(device.KindCPU, 0), img.Pixels) }
	var want int64
	p.textures.eachImage(func(img *scene.Image) {
		if !lent(img) {
			want += int64(len(img.Pixels))
		}
		if _, ok := p.textures.mipmapped[&img.Pixels[0]]; ok {
			want += mipmapBytes(img.Width, img.Height, 4)
		}
	})
	if got := p.textures.bytes(device.NewPlanner(device.KindCPU, 0), 1024); got != want || !lent(&p.drawn.Images[0]) {
		t.Errorf("%d bytes, want %d", got, want)
	}
}

// TestDeepMipmaps: levels of 16 bits keep the mean, closer than 8 bits could; a halved image does, too.
func TestDeepMipmaps(t *testing.T) {
	mean := func(img *scene.Image, channel int) (mean float64) {
		for i := range img.Width * img.Height {
			v := float64(img.Value(4*i + channel))
			if img.SRGB && channel < 3 {
				v = cuda.SRGBDecode(v)
			}
			mean += v / float64(img.Width*img.Height)
		}
		return mean
	}
	for _, srgb := range []bool{false, true} {
		img := &scene.Image{Width: 64, Height: 16, SRGB: srgb, Deep: true, Pixels: make([]byte, 8*64*16)}
		for i := range img.Pixels {
			img.Pixels[i] = byte(i * 7919 >> 4)
		}
		for i := range 64 * 16 {
			img.Pixels[8*i+6], img.Pixels[8*i+7] = 255, 255
		}
		levels, pixels := mipmaps(img, false)
		if len(levels) != 6 || int64(len(pixels)) != mipmapBytes(64, 16, 8) {
			t.Fatalf("%d levels of %d bytes", len(levels), len(pixels))
		}
		for _, level := range append(levels, scaled(img, 16)) {
			for c := range 4 {
				if got, want := mean(level, c), mean(img, c); !level.Deep || math.Abs(got-want) > 1e-4 {
					t.Errorf("sRGB %v, %d × %d, channel %d: %.6f, want %.6f", srgb, level.Width, level.Height, c, got, want)
				}
			}
		}
	}
	for v := range 65536 {
		if got := nearest16(srgbEncode16(srgbDecode16(float32(v) / 65535))); int(got) != v {
			t.Fatalf("%d comes back as %d", v, got)
		}
	}
}
