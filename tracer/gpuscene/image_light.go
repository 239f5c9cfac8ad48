package gpuscene

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// How large an environment is that is made of a file's light.
const (
	widestCube   = 4096 // texels
	coefficients = 128  // texels, of one without images: nothing in it is sharp
)

// imageEnvironment is a scene's image-based light as an environment.
func imageEnvironment(ctx context.Context, s *scene.Scene, memory *guard.Memory) (*Environment, error) {
	light := s.ImageLight
	seen := func(d mgl64.Vec3) rgb { return radianceOf(&light.Irradiance, d) }
	width, samples := coefficients, 1
	if light.Faces != nil {
		c := newCube(s, light.Faces)
		seen = c.seen
		width = min(4*c.side(), widestCube)
		samples = max(2, 4*c.side()/width) // a texel at the corner of a cube is a third as large as one in the middle
	}
	height := width / 2
	if err := memory.Take(fmt.Sprintf("an environment of %d×%d", width, height), 12*int64(width)*int64(height)); err != nil {
		return nil, err
	}
	e := &Environment{Width: width, Height: height, Pixels: make([]float32, 3*width*height)}
	back := light.Rotation.Inverse()
	guard.All(height, func(y int) {
		if ctx.Err() != nil {
			return
		}
		for x := range width {
			var sum rgb
			for k := range samples * samples {
				d := directionOf(x*samples+k%samples, y*samples+k/samples, width*samples, height*samples)
				for c, v := range seen(back.Rotate(scene.Wide(d))) {
					sum[c] += v
				}
			}
			for c, v := range sum {
				e.Pixels[3*(y*width+x)+c] = float32(min(v*light.Intensity/float64(samples*samples), math.MaxFloat32))
			}
		}
	})
	return e, ctx.Err()
}

// cube is the images of an image-based light.
type cube struct {
	faces  [6]*scene.Image
	linear [256]float64 // of a channel's value
}

func newCube(s *scene.Scene, faces []int) *cube {
	c := &cube{}
	for i, face := range faces {
		c.faces[i] = &s.Images[face]
	}
	for i := range c.linear {
		c.linear[i] = cuda.SRGBDecode(float64(i) / 255)
	}
	return c
}

// side is that of the largest face, texels.
func (c *cube) side() (most int) {
	for _, f := range c.faces {
		most = max(most, f.Width, f.Height)
	}
	return most
}

// seen is what the cube shows in a direction.
func (c *cube) seen(d mgl64.Vec3) rgb {
	face, right, down := cubeFace(d)
	f := c.faces[face]
	x, y := (right+1)/2*float64(f.Width)-0.5, (down+1)/2*float64(f.Height)-0.5
	x, y = max(0, min(x, float64(f.Width-1))), max(0, min(y, float64(f.Height-1)))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, f.Width-1), min(y0+1, f.Height-1)
	ax, ay := x-float64(x0), y-float64(y0)
	var out rgb
	for i, share := range [4]float64{(1 - ax) * (1 - ay), ax * (1 - ay), (1 - ax) * ay, ax * ay} {
		at := 4 * ([2]int{y0, y1}[i/2]*f.Width + [2]int{x0, x1}[i%2])
		for k := range out {
			out[k] += share * c.light(f, at+k) / max(float64(f.Value(at+3)), 1./255) // RGBD
		}
	}
	return out
}

// light is what a channel of a face stands for.
func (c *cube) light(f *scene.Image, i int) float64 {
	if f.Deep {
		return cuda.SRGBDecode(float64(f.Value(i)))
	}
	return c.linear[f.Pixels[i]]
}

// cubeFace is the face of a cube that a direction meets, and where, −1…1. Images stand upright as seen from the middle: standard
// cubemaps are mirrored, and EXT_lights_image_based has each image flipped about its vertical axis.
func cubeFace(d mgl64.Vec3) (face int, right, down float64) {
	x, y, z := d[0], d[1], d[2]
	switch size := max(math.Abs(x), math.Abs(y), math.Abs(z)); {
	case x == size:
		return 0, z / size, -y / size
	case -x == size:
		return 1, -z / size, -y / size
	case y == size:
		return 2, -x / size, z / size
	case -y == size:
		return 3, -x / size, -z / size
	case z == size:
		return 4, -x / size, -y / size
	default:
		return 5, x / size, -y / size
	}
}

// radianceOf is the radiance in a direction that gives these coefficients of irradiance (Ramamoorthi and Hanrahan, An Efficient
// Representation for Irradiance Environment Maps, 2001): each degree lessened by what a cosine keeps of it. It is never negative.
func radianceOf(irradiance *[9][3]float64, d mgl64.Vec3) (out rgb) {
	x, y, z := d[0], d[1], d[2]
	basis := [9]float64{0.282095, 0.488603 * y, 0.488603 * z, 0.488603 * x,
		1.092548 * x * y, 1.092548 * y * z, 0.315392 * (3*z*z - 1), 1.092548 * x * z, 0.546274 * (x*x - y*y)}
	keeps := [9]float64{math.Pi, 2 * math.Pi / 3, 2 * math.Pi / 3, 2 * math.Pi / 3, math.Pi / 4, math.Pi / 4, math.Pi / 4, math.Pi / 4, math.Pi / 4}
	for c := range out {
		for k, b := range basis {
			out[c] += irradiance[k][c] / keeps[k] * b
		}
		out[c] = max(0, out[c])
	}
	return out
}
