package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// renderCommand is `glint render`.
type renderCommand struct {
	SceneFlags
	TeamFlags
	Output     string   `short:"o" required:"" ends:".png,.exr,.pfm" placeholder:"FILE" help:"File to write: .png as displayed, .exr or .pfm with linear radiance."`
	SPP        *int     `name:"spp" placeholder:"N" help:"Samples per pixel. Default 64, or with --time as many as fit."`
	Time       duration `placeholder:"DURATION" help:"Sample for this long, such as 30s (a plain number is in seconds), or until --spp is reached."`
	Samples    *span    `placeholder:"A:B" help:"Render samples A to B-1 into a part of a still, an .exr; A is a multiple of ${block}. glint merge puts parts together (docs/farm.md)."`
	Resume     string   `placeholder:"PART.exr" help:"Begin with the samples of this part. With --samples go on to B, from the start if the file is not there yet; without write the picture of them, and of more up to --spp."`
	Checkpoint duration `default:"5m" placeholder:"DURATION" help:"With --samples write the part this often while it is rendered, so that a task that is killed loses little. Default ${default}."`
	Layers     bool     `help:"Write AOVs as layers of the .exr: ${aovs}. With a denoiser also the noisy image, and the error map, which pictures of --resume and --devices lack."`
	Stats      string   `placeholder:"FILE|-" help:"Write a JSON object with settings, times, rays and memory of the run."`
}

// Run renders and writes the files.
func (c *renderCommand) Run(ctx context.Context, p *Program, line *kong.Context) error {
	if c.Samples == nil {
		if err := refuseIdle(line, "a picture that is no part, without --samples", []string{"checkpoint"}); err != nil {
			return err
		}
	}
	if err := c.check(); err != nil {
		return err
	}
	if err := c.checkResume(p); err != nil {
		return err
	}
	err := c.still(ctx, p)
	if c.Samples != nil {
		return asTask(ctx, err)
	}
	return err
}

// still renders a picture, or a part of one.
func (c *renderCommand) still(ctx context.Context, p *Program) error {
	t, err := c.openTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.close() // by then the picture is written
	if err := t.first(func(j *job) error { return c.prepare(j) }); err != nil {
		return err
	}
	if c.Samples != nil {
		return c.renderPart(ctx, p, t)
	}
	cut, err := c.sampleAll(ctx, p, t)
	if err != nil {
		return err
	}
	return t.first(func(j *job) error { return c.finish(ctx, p, j, cut) })
}

// prepare makes a device ready for what the flags ask for.
func (c *renderCommand) prepare(j *job) error {
	j.view.Layers = c.Layers
	if err := j.checkMemory(); err != nil || c.Stats == "" {
		return err
	}
	if err := j.renderer.Engine().WaitForKernels(); err != nil { // what is measured is of this scene's kernels
		return err
	}
	j.renderer.SetProfilePolicy(c.watch())
	return nil
}

// inBlocks tells whether the image is made of blocks of samples.
func (c *renderCommand) inBlocks() bool { return c.Resume != "" || len(c.Devices) > 0 }

// sampleAll has the first device's image hold all samples, whoever renders them.
func (c *renderCommand) sampleAll(ctx context.Context, p *Program, t *team) (cut bool, err error) {
	if c.inBlocks() {
		return c.sampleInBlocks(ctx, p, t)
	}
	err = t.first(func(j *job) error {
		cut, err = c.sample(ctx, p, j)
		return err
	})
	return cut, err
}

// finish writes the files.
func (c *renderCommand) finish(ctx context.Context, p *Program, j *job, cut bool) error {
	if err := c.write(j); err != nil {
		return err
	}
	p.log.Info("written", "file", absolute(c.Output), "samples", j.last.Samples, "seconds", rounded(time.Since(j.begun)))
	if err := c.writeStats(p, j); err != nil {
		return err
	}
	if cut {
		return interrupted(ctx, fmt.Sprintf("%s holds the picture so far, of %d samples per pixel", c.Output, j.last.Samples))
	}
	return nil
}

// watch times about every eighth sample of a longer run, and counts the rays of another one, so that measuring hardly slows
// the run.
func (c *renderCommand) watch() profile.Policy {
	const watched = 8 // samples, or as many
	every := min(max(c.samples()/watched, 1), watched)
	return profile.Policy{TimeEvery: every, CountEvery: every}
}

func (c *renderCommand) check() error {
	if c.Layers && !strings.EqualFold(filepath.Ext(c.Output), ".exr") {
		return fmt.Errorf("--layers: only .exr files have layers, and %s is none", c.Output)
	}
	if c.SPP != nil {
		if err := checkSamples("--spp", *c.SPP, 1); err != nil {
			return err
		}
	}
	if err := c.checkPart(); err != nil {
		return err
	}
	inputs := c.inputs()
	if c.Samples == nil || !sameFile(c.Resume, c.Output) { // a part may go on in its own file
		inputs = append(inputs, named{"--resume", c.Resume})
	}
	if err := checkOutput(named{"-o", c.Output}, inputs...); err != nil || c.Stats == "" || c.Stats == "-" {
		return err
	}
	return checkOutput(named{"--stats", c.Stats}, append(inputs, named{"-o", c.Output})...)
}

// samples is how many there are to be at most.
func (c *renderCommand) samples() int {
	switch {
	case c.SPP != nil:
		return *c.SPP
	case c.Time > 0:
		return math.MaxInt
	}
	return 64
}

// sample renders until --spp or --time is reached, or the context ends: cut tells of that. There is then at least one sample, or an error.
func (c *renderCommand) sample(ctx context.Context, p *Program, j *job) (cut bool, err error) {
	limit := time.Duration(c.Time)
	bar := newBar(p.Stderr, c.samples(), "samples")
	if c.SPP == nil && limit > 0 {
		bar = newBar(p.Stderr, int(limit.Milliseconds()), "ms")
	}
	defer bar.finish()
	start := time.Now()
	for j.last.Samples < c.samples() {
		if ctx.Err() != nil && j.last.Samples > 0 {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, nothingYet(ctx)
		}
		stats, err := j.renderer.Render(j.view, j.settings, view.Target{})
		if errors.Is(err, view.ErrStopped) {
			continue // the context has ended
		}
		if err != nil {
			return false, err
		}
		j.last = stats
		done := time.Since(start)
		if c.SPP == nil && limit > 0 {
			bar.set(int(min(done, limit).Milliseconds()))
		} else {
			bar.set(stats.Samples)
		}
		if limit > 0 && done > limit {
			break
		}
	}
	return false, nil
}

func (c *renderCommand) write(j *job) error {
	meta, err := j.describe(j.view.Camera, j.settings, j.last.Samples)
	if err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(c.Output), ".png") {
		return c.writePNG(j, meta)
	}
	img, layers, err := c.picture(j)
	if err != nil {
		return err
	}
	meta["seconds"] = fmt.Sprint(rounded(time.Since(j.begun)))
	if c.Layers {
		return imageio.WriteLayers(c.Output, img, layers, meta)
	}
	return imageio.Write(c.Output, img, meta)
}

// writePNG writes the image as displayed.
func (c *renderCommand) writePNG(j *job, meta imageio.Meta) error {
	if j.settings.Denoise != "off" {
		if _, err := j.renderer.Image().Denoised(j.view, j.settings); err != nil {
			return err
		}
	}
	img, err := j.renderer.Image().Picture(j.view, j.settings)
	if err != nil {
		return err
	}
	meta["seconds"] = fmt.Sprint(rounded(time.Since(j.begun)))
	return imageio.WritePNG(c.Output, img, meta)
}

// picture is the linear image, denoised with a denoiser, and its layers. A denoised image has the noisy one as a layer.
func (c *renderCommand) picture(j *job) (img *imageio.Image, layers []imageio.Layer, err error) {
	if img, err = j.renderer.Image().Radiance(); err != nil {
		return nil, nil, err
	}
	if c.Layers {
		if layers, err = j.renderer.Image().Layers(); err != nil {
			return nil, nil, err
		}
	}
	if j.settings.Denoise != "off" {
		layers = append(layers, imageio.Layer{Name: "noisy", Channels: []string{"R", "G", "B"}, Pix: img.Pix})
		if c.Layers && !c.inBlocks() && j.last.Samples > 1 { // blocks have no halves to compare
			trust, err := j.renderer.Image().ErrorMap(j.view, j.settings)
			if err != nil {
				return nil, nil, err
			}
			layers = append(layers, trust)
		}
		img, err = j.renderer.Image().Denoised(j.view, j.settings)
	}
	return img, layers, err
}

// writeStats writes the JSON object of --stats.
func (c *renderCommand) writeStats(p *Program, j *job) error {
	if c.Stats == "" {
		return nil
	}
	stats, err := j.stats()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(stats, "", "  ")
	if err != nil {
		return fmt.Errorf("write statistics: %w", err)
	}
	text = append(text, '\n')
	if c.Stats == "-" {
		_, err = p.Stdout.Write(text)
		return err
	}
	if err := writeText(c.Stats, string(text)); err != nil {
		return fmt.Errorf("write statistics to %s: %w", c.Stats, err)
	}
	return nil
}

// runStats is the JSON object of --stats.
type runStats struct {
	Scene string `json:"scene"`
	subject
	Triangles     int                `json:"triangles"`
	Width         int                `json:"width"`
	Height        int                `json:"height"`
	Samples       int                `json:"samples"`
	Settings      settings.Settings  `json:"settings"`
	Camera        scene.Camera       `json:"camera"`
	Backend       string             `json:"backend"`
	Device        string             `json:"device"`
	LoadSeconds   float64            `json:"load_seconds"`
	TotalSeconds  float64            `json:"total_seconds"`
	TreeSeconds   float64            `json:"tree_seconds"`
	TimedFrames   int                `json:"timed_frames"`
	CountedFrames int                `json:"counted_frames"`
	MsPerFrame    float64            `json:"ms_per_frame"`           // the sum of its kernels
	WholeFrames   *spreadStats       `json:"whole_frames,omitempty"` // those in which no launch was timed by itself
	MsPerKernel   map[string]float64 `json:"ms_per_kernel"`          // mean of a timed frame
	Kernels       []kernelStats      `json:"kernels"`
	Kinds         []kindStats        `json:"kinds"`
	Paths         uint64             `json:"paths"` // rays are those of counted frames, extended to all paths
	Rays          uint64             `json:"rays"`
	ExtensionRays uint64             `json:"extension_rays"`
	ShadowRays    uint64             `json:"shadow_rays"`
	MpathsPerS    float64            `json:"mpaths_per_s"`
	MraysPerS     float64            `json:"mrays_per_s"`
	AlivePerDepth []float64          `json:"alive_per_bounce"`        // share of all paths that go on after bounce 1, 2, …
	Queues        []queueStats       `json:"queue_lengths,omitempty"` // mean of the counted frames, wave by wave
	NonFinite     uint64             `json:"nan_count"`
	DeviceMemory  memoryStats        `json:"device_memory_bytes"`
	PeakMemory    uint64             `json:"peak_memory_bytes"` // of the process
}

// spreadStats are milliseconds over frames.
type spreadStats struct {
	Frames int     `json:"frames"`
	Mean   float64 `json:"mean_ms"`
	Min    float64 `json:"min_ms"`
	Max    float64 `json:"max_ms"`
}

func spreadOf(s profile.Spread) spreadStats { return spreadStats{s.Frames, s.Mean(), s.Min, s.Max} }

// kernelStats are the milliseconds of a kernel in the timed frames in which it ran.
type kernelStats struct {
	Name     string       `json:"name"`
	Kind     profile.Kind `json:"kind"`
	Launches int          `json:"launches"`
	spreadStats
}

// kindStats are the times of a kind of kernels: per frame, and per million of the rays or paths that it handles.
type kindStats struct {
	Kind       profile.Kind `json:"kind"`
	Ms         float64      `json:"ms_per_frame"`
	PerMillion float64      `json:"ms_per_million,omitempty"`
	Unit       string       `json:"unit,omitempty"`
}

type queueStats struct {
	Extension float64 `json:"extension"`
	Shadow    float64 `json:"shadow"`
}

type memoryStats struct {
	Film     int `json:"film"`
	Restir   int `json:"restir"`
	Pool     int `json:"pool"`
	Hits     int `json:"first_hits"`
	Denoiser int `json:"denoiser"`
	Upscaler int `json:"upscaler"`
	Scene    int `json:"scene"`
	Turns    int `json:"counted_twice"` // of these: profile.Memory.Turns
}

func (j *job) stats() (*runStats, error) {
	counters, err := j.renderer.Counters()
	if err != nil {
		return nil, err
	}
	watched, err := j.renderer.Statistics()
	if err != nil {
		return nil, err
	}
	b, m := j.renderer.Engine().Backend(), watched.Memory
	s := &runStats{
		Scene: j.prepared.Scene.Name, subject: j.subject, Triangles: j.prepared.Scene.Triangles(), Width: j.view.Width, Height: j.view.Height,
		Samples: j.last.Samples, Settings: j.renderer.Engine().Plan(j.view, j.settings).Settings, Camera: j.prepared.Scene.CameraToFile(j.view.Camera), Backend: b.Kind, Device: b.Device,
		LoadSeconds: rounded(j.loaded), TotalSeconds: rounded(time.Since(j.begun)), TreeSeconds: j.prepared.BVH.Seconds,
		NonFinite: max(counters.NonFinite, j.dropped), PeakMemory: m.HostPeak,
		DeviceMemory: memoryStatsOf(m),
	}
	s.count(watched)
	s.time(watched)
	return s, nil
}

// count fills in what was counted, scaled to all paths.
func (s *runStats) count(w profile.Statistics) {
	s.CountedFrames = w.Counted
	s.Paths = uint64(s.Width) * uint64(s.Height) * uint64(s.Samples)
	share := float64(s.Paths) / float64(max(w.Counters.Paths, 1))
	s.ExtensionRays = uint64(math.Round(share * float64(w.Counters.ExtensionRays)))
	s.ShadowRays = uint64(math.Round(share * float64(w.Counters.ShadowRays)))
	s.Rays = s.ExtensionRays + s.ShadowRays
	s.AlivePerDepth = w.Alive()
	for _, q := range w.Queues {
		s.Queues = append(s.Queues, queueStats(q))
	}
}

// time fills in what was timed.
func (s *runStats) time(w profile.Statistics) {
	s.TimedFrames, s.MsPerFrame, s.MsPerKernel = w.Timed, w.MsPerFrame(), map[string]float64{}
	s.MpathsPerS = w.PathRate() / 1e6
	s.MraysPerS = s.MpathsPerS * w.RaysPerPath()
	if w.Whole.Frames > 0 {
		whole := spreadOf(w.Whole)
		s.WholeFrames = &whole
	}
	for _, k := range w.Kernels {
		s.MsPerKernel[k.Name] = k.Ms.Sum / float64(w.Timed)
		s.Kernels = append(s.Kernels, kernelStats{k.Name, k.Kind, k.Launches, spreadOf(k.Ms)})
	}
	for _, c := range w.Costs() {
		s.Kinds = append(s.Kinds, kindStats(c))
	}
}
