package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/builtin"
)

// benchCommand is `glint bench`.
type benchCommand struct {
	Scenes   []string `arg:"" optional:"" name:"scene" help:"Files .glb or .gltf, or built-in scenes. Without any: the default scene."`
	Rays     bool     `help:"Measure the ray kernels: primary, cosine-weighted bounce and shadow rays, through each encoding of the tree."`
	Size     string   `default:"1920x1080" placeholder:"WxH" help:"Of the image whose rays are traced, pixels. Default ${default}."`
	Launches int      `default:"25" placeholder:"N" help:"Of each kernel; medians are reported. Default ${default}."`
	CameraFlags
	DeviceFlags

	settings *settingsFlags
}

// rayLine is one line of `glint bench --rays`.
type rayLine struct {
	Scene     string `json:"scene"`
	Triangles int    `json:"triangles"`
	Backend   string `json:"backend"`
	Device    string `json:"device"`
	tracer.RayRate
}

// Run measures scene after scene and prints one JSON object a line.
func (c *benchCommand) Run(p *Program) error {
	if !c.Rays {
		return errors.New("bench: say what to measure: glint bench --rays [SCENE…]")
	}
	if c.Launches < 1 {
		return fmt.Errorf("--launches %d: want at least one", c.Launches)
	}
	scenes := c.Scenes
	if len(scenes) == 0 {
		scenes = []string{builtin.Default}
	}
	options := c.options()
	options.Log = p.log
	r, err := tracer.Open(options)
	if err != nil {
		return err
	}
	for _, name := range scenes {
		if err := c.benchRays(p, r, name); err != nil {
			return errors.Join(fmt.Errorf("bench %s: %w", name, err), r.Close())
		}
	}
	return r.Close()
}

func (c *benchCommand) benchRays(p *Program, r *tracer.Renderer, name string) error {
	v := tracer.View{}
	var err error
	if v.Width, v.Height, err = parseSize(c.Size); err != nil {
		return err
	}
	s, err := LoadScene(name, nil)
	if err != nil {
		return err
	}
	if v.Camera, err = c.Choose(s, float32(v.Width)/float32(v.Height)); err != nil {
		return err
	}
	settings, err := c.settings.settings()
	if err != nil {
		return err
	}
	prepared, err := tracer.PrepareWith(s, tracer.PrepareOptions{Tree: settings.BVH, OnDevice: true})
	if err != nil {
		return err
	}
	if err := r.Use(prepared); err != nil {
		return err
	}
	rates, err := r.BenchRays(v, c.Launches)
	if err != nil {
		return err
	}
	b := r.Backend()
	lines := json.NewEncoder(p.Stdout)
	for _, rate := range rates {
		if err := lines.Encode(rayLine{s.Name, len(s.Faces), b.Kind, b.Device, rate}); err != nil {
			return fmt.Errorf("write measurements: %w", err)
		}
	}
	return nil
}
