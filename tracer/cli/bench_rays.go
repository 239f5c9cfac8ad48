package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/view"
)

// rayScenes stand in for the scenes that rays are measured on where none is named: few and many triangles, open and closed.
func rayScenes() []string {
	return []string{"statue", "statue-large", "chess", "spheres", "city", "interior"}
}

// rayLine is one line of `glint bench --rays`.
type rayLine struct {
	Scene     string `json:"scene"`
	Triangles int    `json:"triangles"`
	Backend   string `json:"backend"`
	Device    string `json:"device"`
	tracer.RayRate
}

// runRays measures the ray kernels on scene after scene.
func (c *benchCommand) runRays(p *Program) error {
	if c.Launches < 1 {
		return fmt.Errorf("--launches %d: want at least one", c.Launches)
	}
	scenes := c.Scenes
	if len(scenes) == 0 {
		scenes = rayScenes()
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
	v := view.View{}
	var err error
	if v.Width, v.Height, err = c.size("1920x1080"); err != nil {
		return err
	}
	s, err := LoadScene(name, c.options(), nil)
	if err != nil {
		return err
	}
	if v.Camera, err = c.Choose(s, float32(v.Width)/float32(v.Height)); err != nil {
		return err
	}
	own, err := c.settings.settings()
	if err != nil {
		return err
	}
	prepared, err := tracer.PrepareWith(s, tracer.PrepareOptions{Tree: own.BVH, OnDevice: true})
	if err != nil {
		return err
	}
	if err := errors.Join(r.Use(prepared), r.Settle()); err != nil {
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
