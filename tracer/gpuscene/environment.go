package gpuscene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/guard"
	"glint/tracer/imageio"
)

// Environment is the light around the scene: a constant, or an equirectangular image.
type Environment struct {
	Constant mgl32.Vec3 // radiance, nits; used when Pixels is nil
	Width    int
	Height   int
	Pixels   []float32 // RGB, linear, row 0 at the top (+Y), 3·Width·Height
}

// BuiltinEnvironment is an environment that needs no file: what LoadEnvironment takes for it, and what it is called.
type BuiltinEnvironment struct {
	Spec, Label, Help string
	// makes makes it of what follows the name and a colon, if anything does.
	makes func(argument string, given bool) (*Environment, error)
}

// BuiltinEnvironments lists them.
func BuiltinEnvironments() []BuiltinEnvironment {
	always := func(e func() *Environment) func(string, bool) (*Environment, error) {
		return func(_ string, given bool) (*Environment, error) {
			if given {
				return nil, errors.New("nothing may follow the name")
			}
			return e(), nil
		}
	}
	return []BuiltinEnvironment{
		{"sky", "sun and sky", "A clear afternoon. On the command line, sky:30 has the sun 30 degrees above the horizon.", makeSky},
		{"sky:8", "low sun", "The sun is about to set.", makeSky},
		{"studio", "studio", "Lamps in front of grey, as scenes get that do not light themselves.", always(studioEnvironment)},
		{"none", "none", "Black all around.", always(func() *Environment { return &Environment{} })},
	}
}

// LoadEnvironment reads what --env says: a built-in environment, an image file, or "R,G,B" or one number (radiance in nits).
// The empty string gives nil: the scene decides. Memory counts what an image takes.
func LoadEnvironment(spec string, memory *guard.Memory) (*Environment, error) {
	if spec == "" {
		return nil, nil
	}
	name, argument, given := strings.Cut(spec, ":")
	for _, b := range BuiltinEnvironments() {
		if b.Spec != name {
			continue
		}
		e, err := b.makes(argument, given)
		if err != nil {
			return nil, fmt.Errorf("environment %q: %w", spec, err)
		}
		return e, nil
	}
	if c, err := parseRadiance(spec); err == nil {
		return &Environment{Constant: c}, nil
	} else if !errors.Is(err, errNotNumbers) {
		return nil, fmt.Errorf("environment %q: %w", spec, err)
	}
	img, err := imageio.ReadWithin(spec, memory)
	if err != nil {
		return nil, fmt.Errorf("load environment: %w", err)
	}
	return &Environment{Width: img.Width, Height: img.Height, Pixels: img.Pix}, nil
}

// FullEnvironment is what --env says with the full path of its file, if it names one.
func FullEnvironment(spec string) string {
	name, _, _ := strings.Cut(spec, ":")
	builtIn := slices.ContainsFunc(BuiltinEnvironments(), func(b BuiltinEnvironment) bool { return b.Spec == name })
	if _, err := parseRadiance(spec); spec == "" || builtIn || !errors.Is(err, errNotNumbers) {
		return spec
	}
	if path, err := filepath.Abs(spec); err == nil {
		return path
	}
	return spec
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

// What a texel of an environment takes: with its entry of the sampling table, and while that is made.
const (
	texelBytes     = 16 + 12
	weighingBytes  = 2*8 + 10 // weights, as they are scaled, and two lists that grow
	rowsBetweenAsk = 64
)

func prepareEnvironment(ctx context.Context, e *Environment, memory *guard.Memory) (preparedEnvironment, error) {
	p := preparedEnvironment{light: cuda.NoLight}
	if e == nil {
		return p, nil
	}
	if e.Pixels == nil {
		p.constant = e.Constant
		p.mean = luminance(e.Constant)
		return p, nil
	}
	what := fmt.Sprintf("an environment of %d×%d", e.Width, e.Height)
	texels := int64(e.Width) * int64(e.Height)
	if err := memory.Check(what, texels*(texelBytes+weighingBytes)); err != nil {
		return p, fmt.Errorf("%w; half of its width and height needs a quarter", err)
	}
	if err := memory.Take(what, texels*texelBytes); err != nil {
		return p, err
	}
	p.width, p.height = e.Width, e.Height
	p.texels = guard.MakeLarge[[4]float32](e.Width * e.Height)
	for i := range p.texels {
		for c := range 3 {
			if x := e.Pixels[3*i+c]; x > 0 && !math.IsInf(float64(x), 0) {
				p.texels[i][c] = x
			}
		}
	}
	return p, p.weigh(ctx)
}

// weigh makes the sampling table: each texel by its own and its neighbours' brightness, as the bilinear filter spreads
// them, times the solid angle of its row.
func (p *preparedEnvironment) weigh(ctx context.Context) error {
	weights := make([]float64, len(p.texels))
	var sum, solid float64
	bright := func(x, y int) float64 {
		x = (x + p.width) % p.width
		y = min(max(y, 0), p.height-1)
		t := p.texels[y*p.width+x]
		return float64(luminance(mgl32.Vec3{t[0], t[1], t[2]}))
	}
	for y := range p.height {
		if y%rowsBetweenAsk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
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
	return nil
}

// softbox is a rectangular lamp far away. Its edges are what polished surfaces show of it.
type softbox struct {
	toward    mgl32.Vec3
	halfWidth float32 // tangents of half the angles that it covers
	halfTall  float32
	radiance  mgl32.Vec3
}

// softEdge is the width over which a softbox fades out, as the tangent of an angle.
const softEdge = 0.06

// seen is how much of the lamp there is in a direction, 0…1. It is brightest in the middle, as a cloth before a bulb is.
func (l *softbox) seen(d mgl32.Vec3) float32 {
	toward := l.toward.Normalize()
	ahead := d.Dot(toward)
	if ahead <= 0 {
		return 0
	}
	right := mgl32.Vec3{0, 1, 0}.Cross(toward).Normalize()
	x, y := d.Dot(right)/ahead, d.Dot(toward.Cross(right))/ahead
	inside := func(v, half float32) float32 {
		t := min(max((half-float32(math.Abs(float64(v))))/softEdge+0.5, 0), 1)
		return t * t * (3 - 2*t)
	}
	dim := 1 - 0.35*min((x*x)/(l.halfWidth*l.halfWidth)+(y*y)/(l.halfTall*l.halfTall), 1)
	return inside(x, l.halfWidth) * inside(y, l.halfTall) * dim
}

// studioEnvironment is the environment of scenes that do not light themselves: a photographer's corner with a large warm lamp over the
// left shoulder of a viewer who looks along −Z, a weak one on the other side, a cool strip behind each flank, and a backdrop
// that darkens towards the ground.
func studioEnvironment() *Environment {
	const w, h = 512, 256
	softboxes := []softbox{
		{mgl32.Vec3{-0.6, 0.62, 0.62}, 0.42, 0.34, mgl32.Vec3{5.6, 5.2, 4.7}},
		{mgl32.Vec3{0.85, 0.3, 0.5}, 0.3, 0.45, mgl32.Vec3{0.75, 0.8, 0.9}},
		{mgl32.Vec3{0.8, 0.3, -0.75}, 0.12, 0.8, mgl32.Vec3{4.2, 4.7, 5.4}},
		{mgl32.Vec3{-0.95, 0.25, -0.6}, 0.09, 0.7, mgl32.Vec3{2.6, 2.9, 3.3}},
	}
	e := &Environment{Width: w, Height: h, Pixels: make([]float32, 0, 3*w*h)}
	for y := range h {
		for x := range w {
			d := directionOf(x, y, w, h)
			c := gradient(d[1])
			for i := range softboxes {
				c = c.Add(softboxes[i].radiance.Mul(softboxes[i].seen(d)))
			}
			e.Pixels = append(e.Pixels, c[0], c[1], c[2])
		}
	}
	return e
}

// gradient is the sky's radiance without its lamps at the height up, −1…1.
func gradient(up float32) mgl32.Vec3 {
	zenith, horizon, ground := mgl32.Vec3{0.30, 0.33, 0.38}, mgl32.Vec3{0.27, 0.275, 0.285}, mgl32.Vec3{0.10, 0.097, 0.094}
	if up > 0 {
		return lerp(horizon, zenith, up)
	}
	t := min(-up*1.6, 1)
	return lerp(horizon, ground, t*t*(3-2*t))
}

func lerp(a, b mgl32.Vec3, t float32) mgl32.Vec3 { return a.Mul(1 - t).Add(b.Mul(t)) }
