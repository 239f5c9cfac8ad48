package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// SceneFlags say what is rendered, and on what, by every command without a window.
type SceneFlags struct {
	Scene string `arg:"" optional:"" help:"A .glb or .gltf file, or a built-in scene. Without it: the default scene."`
	Size  string `default:"1280x720" placeholder:"WxH" help:"Of the image, pixels. Default ${default}."`
	Env   string `placeholder:"FILE|R,G,B|none" help:"Light from around: an .hdr or .exr, a constant radiance, or none."`
	CameraFlags
	DeviceFlags

	settings *settingsFlags
}

// job is one headless rendering under way.
type job struct {
	renderer *tracer.Renderer
	prepared *tracer.Prepared
	view     view.View
	settings settings.Settings
	begun    time.Time
	loaded   time.Duration
	last     view.Stats
}

// begin loads and prepares everything.
func (c *SceneFlags) begin(p *Program) (*job, error) {
	j := &job{begun: time.Now()}
	var err error
	if j.settings, err = c.settings.settings(); err != nil {
		return nil, err
	}
	if j.settings.Denoise == "auto" {
		j.settings.Denoise = "off" // nobody watches
	}
	if j.view.Width, j.view.Height, err = parseSize(c.Size); err != nil {
		return nil, err
	}
	env, err := tracer.LoadEnvironment(c.Env)
	if err != nil {
		return nil, err
	}
	s, err := LoadScene(c.Scene, c.options(), nil)
	if err != nil {
		return nil, err
	}
	if j.view.Camera, err = c.Choose(s, float32(j.view.Width)/float32(j.view.Height)); err != nil {
		return nil, err
	}
	if j.prepared, err = tracer.PrepareWith(s, tracer.PrepareOptions{Environment: env, Tree: j.settings.BVH, OnDevice: true}); err != nil {
		return nil, err
	}
	options := c.options()
	options.Log = p.log
	if j.renderer, err = tracer.Open(options); err != nil {
		return nil, err
	}
	j.renderer.Watch(tracer.Watch{}) // unless a command wants to know
	if err = j.renderer.CheckDenoiser(j.settings); err == nil {
		err = j.renderer.Use(j.prepared)
	}
	if err != nil {
		return nil, errors.Join(err, j.renderer.Close())
	}
	j.loaded = time.Since(j.begun)
	announce(p, j, s)
	return j, nil
}

// announce says what is rendered, on what, and what was left out of the file.
func announce(p *Program, j *job, s *scene.Scene) {
	b := j.renderer.Backend()
	p.log.Info("loaded", "scene", s.Name, "triangles", s.Triangles(), "seconds", rounded(j.loaded), "backend", b.Kind, "device", b.Device)
	if b.Why != "" {
		p.log.Info("rendering on the CPU", "why", b.Why)
	}
	for _, note := range append(j.prepared.Notes, s.Report.Warnings...) {
		p.log.Warn(note)
	}
}

// close gives the device back; what it has to say then no longer matters.
func (j *job) close() { _ = j.renderer.Close() }

// describe is what a picture says of how it was made, so that it can be made again.
func (j *job) describe(camera scene.Camera, s settings.Settings, samples int) (map[string]string, error) {
	about, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("describe the picture: %w", err)
	}
	from, err := json.Marshal(camera)
	if err != nil {
		return nil, fmt.Errorf("describe the picture: %w", err)
	}
	return map[string]string{
		"scene": j.prepared.Scene.Name, "camera": string(from), "settings": string(about), "samples": strconv.Itoa(samples),
	}, nil
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// short keeps the digits that say something.
func short(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return y
}

func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }
