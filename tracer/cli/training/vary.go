package training

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// load loads a scene, changes it at random, and gives it to the engine. The first variant is changed least.
func (m *maker) load(ctx context.Context, name string, variant int) error {
	c := m.command
	width, height, err := flags.ParseSize(c.Size)
	if err != nil {
		return err
	}
	s, err := job.LoadScene(ctx, name, c.Options(), scene.Options{})
	if err != nil {
		return err
	}
	m.scene = subject{name: s.Name}
	v := &m.scene.view
	v.Width, v.Height, v.Live = width, height, true
	if v.Camera, err = c.Choose(s, float32(width)/float32(height)); err != nil {
		return err
	}
	spec := c.Env
	if !c.Test {
		if variant > 0 || m.chance(0.3) {
			m.changeMaterials(s)
		}
		if len(c.Envs) > 0 && (!lit(s) || m.chance(0.4)) {
			spec = c.Envs[m.random.IntN(len(c.Envs))]
		}
	}
	env, err := gpuscene.LoadEnvironment(spec, nil)
	if err != nil {
		return err
	}
	p, err := gpuscene.Prepare(ctx, s, gpuscene.Options{Environment: env, Floor: !c.Test && m.chance(0.3), Mipmaps: m.settings.Mipmaps(),
		BVH: m.settings.BVH, OnDevice: true})
	if err != nil {
		return err
	}
	return m.engine.Use(p)
}

// lit tells whether a scene has light of its own.
func lit(s *scene.Scene) bool {
	if len(s.Lights) > 0 || s.Environment != "" || s.ImageLight != nil {
		return true
	}
	for _, m := range s.Materials {
		if m.Emission.Len() > 0 {
			return true
		}
	}
	return false
}

// changeMaterials changes some materials, so that more kinds of surfaces are seen.
func (m *maker) changeMaterials(s *scene.Scene) {
	for i := range s.Materials {
		a := &s.Materials[i]
		if a.Transmission > 0 {
			continue
		}
		if m.chance(0.6) {
			a.Roughness = float32(min(float64(a.Roughness)*m.between(0.1, 1.5), 1))
		}
		if m.chance(0.2) {
			a.Metallic = 1 - a.Metallic
		}
		if m.chance(0.3) {
			for k := range 3 {
				a.BaseColor[k] *= float32(m.between(0.1, 1))
			}
		}
		if m.chance(0.1) {
			a.Clearcoat.Factor, a.Clearcoat.Roughness = 1, float32(m.between(0, 0.4))
		}
		if m.chance(0.3) {
			other := &s.Materials[m.random.IntN(len(s.Materials))]
			a.Textures[scene.TextureBaseColor] = other.Textures[scene.TextureBaseColor]
		}
		a.Emission = a.Emission.Mul(float32(math.Exp2(m.between(-2, 2))))
	}
}

// plan is how a sequence is rendered.
type plan struct {
	integrator string
	samples    int                          // of each frame while the camera moves
	moving     int                          // frames
	resting    int                          // frames after those, each of which doubles the samples
	camera     func(frame int) scene.Camera // while it moves
	settings   settings.Settings
}

// focus is the distance of what the camera looks at, m.
func (p *plan) focus() float64 {
	c := p.camera(p.moving - 1)
	return c.Target.Sub(c.Eye).Len()
}

// counts are samples of a frame, to choose from by chance: as many as fast GPUs take in 4 to 16 ms, and fewer.
var counts = []int{1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 12, 16, 25, 32}

// tests are the sequences of a test, one for each variant.
var tests = []plan{{integrator: "path", samples: 5}, {integrator: "path", samples: 12}, {integrator: "restir", samples: 2},
	{integrator: "restir", samples: 6}, {integrator: "path", samples: 6, resting: 5}, {integrator: "restir", samples: 5, resting: 4}}

// plan chooses how the next sequence is rendered.
func (m *maker) plan(variant int) plan {
	c := m.scene.view.Camera
	if c.Up.Len() == 0 {
		c.Up = mgl32.Vec3{0, 1, 0}
	}
	p := plan{integrator: "path", samples: counts[m.random.IntN(len(counts))]}
	if m.chance(0.5) {
		p.integrator = "restir"
	}
	if m.chance(0.35) {
		p.resting = 1 + m.random.IntN(5)
	}
	p.settings = m.settings
	if m.command.Test {
		p = tests[variant%len(tests)]
		p.settings, p.camera = m.settings, orbit(c, 1)
	} else {
		p.settings.EnvRotation = m.between(0, 360)
		if m.chance(0.1) {
			p.settings.DepthOfField, p.settings.Aperture = true, 0.02*c.Target.Sub(c.Eye).Len()
		}
		p.camera = m.motion(m.place(c))
	}
	p.settings.Integrator, p.moving = p.integrator, m.command.Frames
	return p
}

// place puts a camera somewhere else, nearer or farther.
func (m *maker) place(c scene.Camera) scene.Camera {
	up := scene.Wide(c.Up).Normalize()
	ahead := c.Target.Sub(c.Eye)
	wide := 30.0 // degrees; of rooms, half of all places would be behind a wall
	if m.chance(0.5) {
		wide = 180
	}
	c.Target = c.Target.Add(mgl64.Vec3{m.between(-1, 1), m.between(-1, 1), m.between(-1, 1)}.Mul(0.15 * ahead.Len()))
	ahead = turned(turned(ahead, ahead.Cross(up).Normalize(), m.between(-20, 20)), up, m.between(-wide, wide))
	c.Eye = c.Target.Sub(ahead.Mul(math.Exp(m.between(-1, 0.3))))
	return c
}

// motion chooses how a camera moves: around its target, along, or by turning; some rest.
func (m *maker) motion(c scene.Camera) func(frame int) scene.Camera {
	up, ahead := scene.Wide(c.Up).Normalize(), c.Target.Sub(c.Eye)
	side := ahead.Cross(up).Normalize()
	switch kind := m.random.IntN(10); {
	case kind == 0:
		return orbit(c, 0)
	case kind < 5:
		return orbit(c, m.between(-2, 2))
	case kind < 8:
		step := ahead.Mul(m.between(-0.02, 0.02)).Add(side.Mul(m.between(-0.02, 0.02) * ahead.Len()))
		return func(frame int) scene.Camera {
			moved := c
			moved.Eye, moved.Target = c.Eye.Add(step.Mul(float64(frame))), c.Target.Add(step.Mul(float64(frame)))
			return moved
		}
	default:
		by, tilt := m.between(-1.5, 1.5), m.between(-0.5, 0.5)
		return func(frame int) scene.Camera {
			moved := c
			moved.Target = c.Eye.Add(turned(turned(ahead, side, tilt*float64(frame)), up, by*float64(frame)))
			return moved
		}
	}
}

// orbit turns a camera around its target by so many degrees a frame.
func orbit(c scene.Camera, by float64) func(frame int) scene.Camera {
	up := scene.Wide(c.Up).Normalize()
	return func(frame int) scene.Camera {
		moved := c
		moved.Eye = c.Target.Sub(turned(c.Target.Sub(c.Eye), up, by*float64(frame)))
		return moved
	}
}

func turned(v, axis mgl64.Vec3, degrees float64) mgl64.Vec3 {
	return mgl64.HomogRotate3D(mgl64.DegToRad(degrees), axis).Mul4x1(v.Vec4(0)).Vec3()
}
