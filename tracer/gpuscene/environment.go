package gpuscene

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/imageio"
)

// Environment is the light around the scene: a constant, or an equirectangular image.
type Environment struct {
	Constant mgl32.Vec3 // radiance, nits; used when Pixels is nil
	Width    int
	Height   int
	Pixels   []float32 // RGB, linear, row 0 at the top (+Y), 3·Width·Height
}

// LoadEnvironment reads what --env says: an image file, "R,G,B" or one number (radiance in nits), or none.
// The empty string gives nil: the scene decides.
func LoadEnvironment(spec string) (*Environment, error) {
	if spec == "" {
		return nil, nil
	}
	if spec == "none" {
		return &Environment{}, nil
	}
	if c, err := parseRadiance(spec); err == nil {
		return &Environment{Constant: c}, nil
	} else if !errors.Is(err, errNotNumbers) {
		return nil, fmt.Errorf("environment %q: %w", spec, err)
	}
	img, err := imageio.Read(spec)
	if err != nil {
		return nil, fmt.Errorf("load environment: %w", err)
	}
	return &Environment{Width: img.Width, Height: img.Height, Pixels: img.Pix}, nil
}

var errNotNumbers = errors.New("not numbers")

func parseRadiance(spec string) (mgl32.Vec3, error) {
	parts := strings.Split(spec, ",")
	if len(parts) == 1 {
		parts = []string{spec, spec, spec}
	}
	var c mgl32.Vec3
	if len(parts) != 3 {
		return c, errNotNumbers
	}
	for i, p := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 32)
		if err != nil {
			return c, errNotNumbers
		}
		if !(x >= 0) || math.IsInf(x, 0) {
			return c, errors.New("radiance must be finite and not negative")
		}
		c[i] = float32(x)
	}
	return c, nil
}

// preparedEnvironment is an environment in the kernels' layout.
type preparedEnvironment struct {
	constant      mgl32.Vec3
	width, height int
	texels        [][4]float32
	alias         []cuda.AliasEntry
	mean          float32 // luminance over the sphere, nits
	light         uint32
}

func prepareEnvironment(e *Environment) preparedEnvironment {
	p := preparedEnvironment{light: cuda.NoLight}
	if e == nil {
		return p
	}
	if e.Pixels == nil {
		p.constant = e.Constant
		p.mean = luminance(e.Constant)
		return p
	}
	p.width, p.height = e.Width, e.Height
	p.texels = make([][4]float32, e.Width*e.Height)
	for i := range p.texels {
		for c := range 3 {
			if x := e.Pixels[3*i+c]; x > 0 && !math.IsInf(float64(x), 0) {
				p.texels[i][c] = x
			}
		}
	}
	p.weigh()
	return p
}

// weigh makes the sampling table: each texel by its own and its neighbours' brightness, as the bilinear filter spreads
// them, times the solid angle of its row.
func (p *preparedEnvironment) weigh() {
	weights := make([]float64, len(p.texels))
	var sum, solid float64
	bright := func(x, y int) float64 {
		x = (x + p.width) % p.width
		y = min(max(y, 0), p.height-1)
		t := p.texels[y*p.width+x]
		return float64(luminance(mgl32.Vec3{t[0], t[1], t[2]}))
	}
	for y := range p.height {
		sin := math.Sin(math.Pi * (float64(y) + 0.5) / float64(p.height))
		for x := range p.width {
			var b float64
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					// The mean over a texel of the filter's tent: ¾ at the centre, ⅛ beside it.
					b += bright(x+dx, y+dy) * (0.75 - 0.625*float64(dx*dx)) * (0.75 - 0.625*float64(dy*dy))
				}
			}
			weights[y*p.width+x] = b * sin
			sum += b * sin
			solid += sin
		}
	}
	p.mean = float32(sum / solid)
	p.alias = buildAlias(weights)
}

// softbox is a soft lamp of the sky: radiance falls off with the angle from toward like a von Mises-Fisher distribution.
type softbox struct {
	toward    mgl32.Vec3
	sharpness float64 // the greater the smaller
	radiance  mgl32.Vec3
}

// studioEnvironment is the environment of scenes that do not light themselves: a photographer's corner with a large warm lamp over the
// left shoulder of a viewer who looks along −Z, a cool one behind, and a gradient that darkens towards the ground.
func studioEnvironment() *Environment {
	const w, h = 128, 64
	softboxes := []softbox{
		{mgl32.Vec3{-0.55, 0.75, 0.6}.Normalize(), 14, mgl32.Vec3{5.6, 5.3, 4.9}},
		{mgl32.Vec3{0.75, 0.45, -0.6}.Normalize(), 18, mgl32.Vec3{2.2, 2.4, 2.8}},
	}
	e := &Environment{Width: w, Height: h, Pixels: make([]float32, 0, 3*w*h)}
	for y := range h {
		sin, cos := math.Sincos(math.Pi * (float64(y) + 0.5) / h)
		for x := range w {
			// u = atan2(z, x)/2π + ½
			sinU, cosU := math.Sincos(2 * math.Pi * ((float64(x)+0.5)/w - 0.5))
			d := mgl32.Vec3{float32(sin * cosU), float32(cos), float32(sin * sinU)}
			c := gradient(d[1])
			for _, g := range softboxes {
				c = c.Add(g.radiance.Mul(float32(math.Exp(g.sharpness * float64(d.Dot(g.toward)-1)))))
			}
			e.Pixels = append(e.Pixels, c[0], c[1], c[2])
		}
	}
	return e
}

// gradient is the sky's radiance without its lamps at the height up, −1…1.
func gradient(up float32) mgl32.Vec3 {
	zenith, horizon, ground := mgl32.Vec3{0.42, 0.48, 0.56}, mgl32.Vec3{0.36, 0.37, 0.38}, mgl32.Vec3{0.13, 0.125, 0.12}
	if up > 0 {
		return lerp(horizon, zenith, up)
	}
	t := min(-up*1.6, 1)
	return lerp(horizon, ground, t*t*(3-2*t))
}

func lerp(a, b mgl32.Vec3, t float32) mgl32.Vec3 { return a.Mul(1 - t).Add(b.Mul(t)) }
