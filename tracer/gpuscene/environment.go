package gpuscene

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/guard"
)

// Environment is the light around the scene: a constant, or an equirectangular image.
type Environment struct {
	Constant mgl32.Vec3 // radiance, nits; used when Pixels is nil
	Width    int
	Height   int
	Pixels   []float32 // RGB, linear, row 0 at the top (+Y), 3·Width·Height
}

// preparedEnvironment is an environment in the kernels' layout.
type preparedEnvironment struct {
	constant      mgl32.Vec3
	width, height int
	texels        [][4]float32
	alias         []cuda.AliasEntry
	mean          float32 // luminance over the sphere, nits
}

// What a texel of an environment takes: with its entry of the sampling table, and while that is made.
const (
	texelBytes     = 16 + 12
	weighingBytes  = 2*8 + 10 // weights, as they are scaled, and two lists that grow
	rowsBetweenAsk = 64
)

func prepareEnvironment(ctx context.Context, e *Environment, memory *guard.Memory) (preparedEnvironment, error) {
	p := preparedEnvironment{}
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
					// The mean over a texel of the filter's tent: ¾ at the centre, ⅛ for each neighbour.
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
