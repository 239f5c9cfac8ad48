package cli

import (
	"fmt"
	"math"
	"time"

	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// writeStats writes the JSON object of --stats.
func writeStats(p *job.Process, file string, j *job.Job) error {
	if file == "" {
		return nil
	}
	stats, err := statsOf(j)
	if err != nil {
		return err
	}
	if file == "-" {
		return save.PrintJSON(p.Stdout, stats)
	}
	if err := save.JSON(file, stats); err != nil {
		return fmt.Errorf("write statistics to %s: %w", file, err)
	}
	return nil
}

// runStats is the JSON object of --stats.
type runStats struct {
	Scene string `json:"scene"`
	job.Subject
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
	Kinds         []profile.Cost     `json:"kinds"`
	Paths         uint64             `json:"paths"` // rays are those of counted frames, extended to all paths
	Rays          uint64             `json:"rays"`
	ExtensionRays uint64             `json:"extension_rays"`
	ShadowRays    uint64             `json:"shadow_rays"`
	MpathsPerS    float64            `json:"mpaths_per_s"`
	MraysPerS     float64            `json:"mrays_per_s"`
	RaysBy        string             `json:"rays_by,omitempty"`       // software or hardware, and why
	AlivePerDepth []float64          `json:"alive_per_bounce"`        // share of all paths that go on after bounce 1, 2, …
	Queues        []profile.Queue    `json:"queue_lengths,omitempty"` // mean of the counted frames, wave by wave
	NonFinite     uint64             `json:"nan_count"`
	DeviceMemory  profile.Memory     `json:"device_memory_bytes"`
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

func statsOf(j *job.Job) (*runStats, error) {
	counters, err := j.Renderer.Counters()
	if err != nil {
		return nil, err
	}
	watched, err := j.Renderer.Statistics()
	if err != nil {
		return nil, err
	}
	b, m := j.Renderer.Engine().Backend(), watched.Memory
	s := &runStats{
		Scene: j.Prepared.Scene.Name, Subject: j.Subject, Triangles: j.Prepared.Scene.Triangles(), Width: j.View.Width, Height: j.View.Height,
		Samples: j.Last.Samples, Settings: j.Renderer.Engine().Plan(j.View,
			j.Settings).Settings, Camera: j.Prepared.Scene.CameraToFile(j.View.Camera), Backend: b.Kind, Device: b.Device, RaysBy: j.Last.Rays,
		LoadSeconds: job.Seconds(j.Loaded), TotalSeconds: job.Seconds(time.Since(j.Begun)), TreeSeconds: j.Prepared.BVH.Seconds,
		NonFinite: max(counters.NonFinite, j.Dropped), PeakMemory: m.HostPeak, DeviceMemory: m,
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
	s.Queues = w.Queues
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
	s.Kinds = w.Costs()
}
