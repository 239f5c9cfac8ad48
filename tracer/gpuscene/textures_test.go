package gpuscene

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// smallGPU counts what is asked for, of a GPU that has so much memory.
type smallGPU struct {
	*device.Planner
	free uint64
	rows []int // bytes of what was copied
}

func newSmallGPU(free int64) *smallGPU {
	return &smallGPU{Planner: device.NewPlanner(device.KindCUDA, 8<<30), free: uint64(free)}
}

func (g *smallGPU) FreeMemory() (bytes uint64, known bool) { return g.free, true }

func (g *smallGPU) Upload(_ device.Buffer, data []byte) error {
	g.rows = append(g.rows, len(data))
	return nil
}

// checkered is an image whose pixels are black and white by turns.
func checkered(width, height int, srgb bool) scene.Image {
	img := scene.Image{Width: width, Height: height, SRGB: srgb, Pixels: make([]byte, 4*width*height)}
	for i := range width * height {
		value := byte(255 * ((i%width + i/width) % 2))
		copy(img.Pixels[4*i:], []byte{value, value, value, 255})
	}
	return img
}

func textured(t *testing.T, reserve int64, images ...scene.Image) *Prepared {
	t.Helper()
	s := &scene.Scene{Name: "textured", Vertices: []scene.Vertex{{}, {Position: mgl32.Vec3{1, 0, 0}}, {Position: mgl32.Vec3{0, 1, 0}}},
		Faces: []scene.Face{{V: [3]uint32{0, 1, 2}}}, Materials: []scene.Material{scene.NewMaterial("white")}, Images: images}
	for i := range images {
		s.Textures = append(s.Textures, scene.Texture{Image: i})
	}
	p, err := Prepare(context.Background(), s, Options{Reserve: reserve})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTexturesFitTheGPU: where its memory is short the longest textures are halved first, others stay, and pictures have their room.
func TestTexturesFitTheGPU(t *testing.T) {
	const reserve = 10 << 20
	p := textured(t, reserve, checkered(2048, 1024, true), checkered(1000, 1000, false), checkered(300, 20, false))
	need := p.Needs()
	bytes := func(sizes ...[2]int) (sum int64) {
		for _, s := range sizes {
			sum += 4 * int64(s[0]) * int64(s[1])
		}
		return sum
	}
	if want := bytes([2]int{2048, 1024}, [2]int{1000, 1000}, [2]int{300, 20}); need.Textures != want {
		t.Errorf("textures take %d bytes, not %d", need.Textures, want)
	}
	for _, row := range []struct {
		textures int64
		sizes    [][2]int
		longest  int
	}{
		{need.Textures, [][2]int{{2048, 1024}, {1000, 1000}, {300, 20}}, 2048},
		{need.Textures - 1, [][2]int{{1024, 512}, {1000, 1000}, {300, 20}}, 1024},
		{bytes([2]int{512, 256}, [2]int{500, 500}, [2]int{300, 20}), [][2]int{{512, 256}, {500, 500}, {300, 20}}, 512},
		{bytes([2]int{256, 128}, [2]int{250, 250}, [2]int{150, 10}), [][2]int{{256, 128}, {250, 250}, {150, 10}}, 256},
	} {
		gpu := newSmallGPU(need.Geometry + reserve + row.textures + driverSpare)
		s, err := Upload(gpu, p, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, size := range row.sizes {
			if gpu.rows[i] != int(bytes(size)) {
				t.Errorf("in %d bytes: texture %d takes %d bytes, want %v", row.textures, i, gpu.rows[i], size)
			}
		}
		if said := len(s.Notes) == 1 && strings.Contains(s.Notes[0], fmt.Sprintf("more than %d pixels a side were halved", row.longest)); said == (row.longest == 2048) {
			t.Errorf("in %d bytes: notes %q", row.textures, s.Notes)
		}
	}
	_, err := Upload(newSmallGPU(need.Geometry+reserve+bytes([2]int{256, 128})), p, 0)
	if err == nil {
		t.Fatal("it fits in what is too small for it")
	}
	for _, figure := range []string{guard.Size(need.Geometry+need.Textures) + " of the GPU's memory", "12 MiB of it textures", "pictures of this size 10 MiB"} {
		if !strings.Contains(err.Error(), figure) {
			t.Errorf("%v: want %s", err, figure)
		}
	}
}

// TestScaledTextures: light is averaged as light, other data as it is, and what is transparent gives no colour.
func TestScaledTextures(t *testing.T) {
	light, data := checkered(7, 5, true), checkered(7, 5, false)
	light.Pixels[3], light.Pixels[4+3] = 0, 0 // of the first block black and white above are left out
	if got := scaled(&light, 7); got != &light {
		t.Error("what is small enough is copied")
	}
	for name, row := range map[string]struct {
		img   *scene.Image
		first [4]byte
		inner byte
	}{
		"light": {&light, [4]byte{188, 188, 188, 128}, 188}, // half of the light
		"data":  {&data, [4]byte{128, 128, 128, 255}, 128},
	} {
		small := scaled(row.img, 4)
		if small.Width != 4 || small.Height != 3 || small.SRGB != row.img.SRGB || [4]byte(small.Pixels[:4]) != row.first || small.Pixels[4] != row.inner {
			t.Errorf("%s: %d×%d, %v", name, small.Width, small.Height, small.Pixels[:8])
		}
	}
	even := scene.Image{Width: 256, Height: 2, SRGB: true, Pixels: make([]byte, 4*256*2)}
	for i := range 512 {
		v := byte(i % 256 / 2 * 2)
		copy(even.Pixels[4*i:], []byte{v, v, v, 255})
	}
	for x, small := 0, scaled(&even, 128); x < 128; x++ {
		if small.Pixels[4*x] != byte(2*x) {
			t.Errorf("the mean of %d is %d", 2*x, small.Pixels[4*x])
		}
	}
}
