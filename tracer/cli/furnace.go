package cli

import (
	"context"
	"errors"
	"fmt"
	"math"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// The picture that a material is judged by: a sphere in a room that is white all over.
const (
	furnaceSide      = 64 // pixels
	furnaceSamples   = 64
	furnaceBounces   = 64
	furnaceTriangles = 5000
)

// furnaceRow is how much of the light that falls on a sphere of a material from everywhere comes back: 1 where nothing is absorbed.
type furnaceRow struct {
	Material string     `json:"material"`
	Albedo   [3]float32 `json:"albedo"`
}

// furnace renders each material of a scene by itself. Its emission counts for nothing.
func furnace(ctx context.Context, s *scene.Scene, o tracer.Options, own settings.Settings) (rows []furnaceRow, err error) {
	renderer, err := tracer.Open(o, profile.Policy{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, renderer.Close()) }()
	white, err := gpuscene.LoadEnvironment("1,1,1", nil)
	if err != nil {
		return nil, err
	}
	own.Integrator, own.Denoise, own.Bounces, own.Roulette, own.LightScale = "path", "off", furnaceBounces, false, 1
	for i := range s.Materials {
		albedo, err := furnaceOf(ctx, renderer, s, i, white, own)
		if err != nil {
			return nil, fmt.Errorf("material %d: %w", i, err)
		}
		rows = append(rows, furnaceRow{s.Materials[i].Name, albedo})
	}
	return rows, nil
}

// furnaceOf is the mean radiance of the pixels that a sphere of a material covers whole.
func furnaceOf(ctx context.Context, renderer *tracer.Renderer, of *scene.Scene, material int, white *gpuscene.Environment,
	own settings.Settings) (mean [3]float32, err error) {
	s, err := builtin.Make("white-furnace", builtin.Options{Triangles: furnaceTriangles, Material: func(m *scene.Material) {
		*m = of.Materials[material]
		m.Emission = [3]float32{}
	}})
	if err != nil {
		return mean, err
	}
	s.Textures, s.Images = of.Textures, of.Images
	p, err := gpuscene.Prepare(ctx, s, gpuscene.Options{Environment: white})
	if err == nil {
		err = renderer.Engine().Use(p)
	}
	if err != nil {
		return mean, err
	}
	camera := s.DefaultCamera(1)
	v := schedule.Request{View: view.View{Camera: camera, Width: furnaceSide, Height: furnaceSide}}
	for range furnaceSamples {
		if err := ctx.Err(); err != nil {
			return mean, err
		}
		if _, err := renderer.Render(v, own, view.Target{}); err != nil {
			return mean, err
		}
	}
	img, err := renderer.Image().Radiance()
	if err != nil {
		return mean, err
	}
	radius, count := furnaceSide/2*covered(s, camera), float32(0)
	for y := range furnaceSide {
		for x := range furnaceSide {
			dx, dy := float64(x)+0.5-furnaceSide/2, float64(y)+0.5-furnaceSide/2
			if dx*dx+dy*dy > radius*radius {
				continue
			}
			count++
			for c := range mean {
				mean[c] += img.Pix[3*(y*furnaceSide+x)+c]
			}
		}
	}
	for c := range mean {
		mean[c] /= count
	}
	return mean, nil
}

// covered is the part of half of the picture's height that the scene's sphere fills with whole pixels.
func covered(s *scene.Scene, camera scene.Camera) float64 {
	const edge = 0.96
	b := s.Bounds()
	outline := math.Asin(float64(b.Max[0]-b.Min[0]) / 2 / camera.Eye.Sub(camera.Target).Len())
	return edge * math.Tan(outline) / math.Tan(float64(camera.VFov)/2*math.Pi/180)
}
