package gpuscene

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"glint/tracer/bvh"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// Prepared is a scene made ready for a device: triangles, lights, tables, and a first BVH. Made by Prepare, taken by Upload.
type Prepared struct {
	Scene *scene.Scene // as it was opened
	Added string       // the environment that was added since nothing in the scene lights it, and why; empty: none was
	Notes []string     // what the user should know, e.g. that a soft environment was added to a scene without lights
	BVH   bvh.Stats    // of the first BVH
	Dark  bool         // nothing lights the scene, in any pose

	drawn       *scene.Scene // Scene, with its floor where it has one
	radius      float32      // of Scene, m
	reach       float32      // of all that is drawn, m
	geometry    *geometry
	materials   materials
	lights      lights
	textures    textures
	environment preparedEnvironment
	first       *BVH
	memory      *guard.Memory // that other BVHs must fit in as well
	reserve     int64
}

// Options say how a scene is prepared; the zero value will do.
type Options struct {
	Environment *Environment // nil: the scene's own environment and lights, or a soft default environment when it has none
	Floor       bool         // stand the scene on a floor that it does not have itself
	Mipmaps     bool         // give textures mipmaps
	BVH         string       // of the choices of setting bvh; empty is auto
	// OnDevice leaves to Upload the BVHs that a GPU builds itself, in milliseconds: fast, and auto of a huge scene.
	OnDevice bool
	// Quick says that somebody waits: a large scene gets BVH fast in place of auto, which can follow.
	Quick    bool
	Progress func(stage string, fraction float64)
	Memory   *guard.Memory // counts what is taken of the host's memory; nil has no bound
	// Reserve is what pictures will take of the GPU's memory, bytes. Where that is short, Upload scales textures.
	Reserve int64
}

// Prepare builds what rendering needs of a scene. It ends early when ctx does.
func Prepare(ctx context.Context, s *scene.Scene, o Options) (p *Prepared, err error) {
	err = guard.Safely(func() (err error) {
		p, err = prepare(ctx, s, o)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", guard.Name(s.Name), err)
	}
	return p, nil
}

func prepare(ctx context.Context, s *scene.Scene, o Options) (*Prepared, error) {
	progress := o.Progress
	if progress == nil {
		progress = func(string, float64) {}
	}
	p := &Prepared{Scene: s, drawn: s, memory: o.Memory, reserve: o.Reserve}
	env, err := p.chooseEnvironment(ctx, o)
	if err != nil {
		return nil, err
	}
	progress("weighing the environment", 0)
	if p.environment, err = prepareEnvironment(ctx, env, o.Memory); err != nil {
		return nil, err
	}
	p.radius = s.Bounds().Radius()
	if p.reach = p.radius; o.Floor {
		p.drawn = withFloor(s, &p.environment)
		p.reach = p.drawn.Bounds().Radius()
	}
	p.textures.scene = p.drawn
	if o.Mipmaps {
		p.textures.mipmapped = mipmapped(p.drawn)
	}
	progress("arranging triangles", 0.1)
	p.materials = newMaterials(p.drawn)
	if scatters(p.drawn) {
		p.Notes = append(p.Notes, "light scatters inside volumes: where they look too dark, raise --bounces (128 is enough for most)")
	}
	what, bytes := geometryBytes(p.drawn)
	if err := o.Memory.Take(what, bytes+posingBytes(s.Motion)); err != nil {
		return nil, err
	}
	p.geometry = listGeometry(p.drawn, &p.materials)
	if err := p.geometry.buildMeshes(ctx, o.BVH); err != nil {
		return nil, err
	}
	progress("weighing lights", 0.2)
	if p.lights, err = collectLights(ctx, p.geometry, float64(p.radius), p.environment.mean, o.Memory); err != nil {
		return nil, err
	}
	unlit := slices.ContainsFunc(p.drawn.Materials, func(m scene.Material) bool { return m.Unlit }) // seen without light
	if p.Dark = len(p.lights.table) == 0 && !unlit; p.Dark {
		p.Notes = append(p.Notes, "nothing lights this scene: it has no lamps, and no environment around it (--env studio or --env sky gives it one)")
	}
	progress("building the tree", 0.3)
	method := cmp.Or(o.BVH, "auto")
	if method == "auto" && o.Quick && len(p.drawn.Faces) >= quickFaces {
		method = "fast"
	}
	if faces := len(p.drawn.Faces); o.OnDevice && onDevice(method, faces) {
		p.first = deferredBVH(method, faces)
	} else if p.first, err = buildBVH(ctx, p.geometry, method, o.Memory); err != nil {
		return nil, err
	}
	p.BVH = p.first.Stats
	if o.BVH == "off" && len(p.drawn.Faces) > manyFaces {
		p.Notes = append(p.Notes, fmt.Sprintf("without a tree each ray tests %d triangles: expect seconds a frame (--bvh off)", len(p.drawn.Faces)))
	}
	progress("ready", 1)
	return p, nil
}

// chooseEnvironment is what the user chose, else the scene's own, else a studio where nothing lights the scene; nil for none.
func (p *Prepared) chooseEnvironment(ctx context.Context, o Options) (*Environment, error) {
	s := p.Scene
	switch {
	case o.Environment != nil:
		return o.Environment, nil
	case s.Environment != "":
		return LoadEnvironment(s.Environment, o.Memory)
	case s.ImageLight != nil:
		return imageEnvironment(ctx, s, o.Memory)
	case !s.HasLight():
		p.Added = "nothing in the scene lights it: a studio was added (--env none turns it off, --env sky takes daylight)"
		p.Notes = append(p.Notes, p.Added)
		return studioEnvironment(), nil
	}
	return nil, nil
}

// OnDevice is the scene as a GPU takes it, which builds some BVHs itself, in more room than they then need.
func (p *Prepared) OnDevice() *Prepared {
	if !onDevice(p.first.Method, len(p.drawn.Faces)) {
		return p
	}
	out := *p
	out.first = deferredBVH(p.first.Method, len(p.drawn.Faces))
	return &out
}
