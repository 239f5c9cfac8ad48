package cli

import (
	"time"

	"glint/tracer"
	"glint/tracer/scene"
)

// runStats is the JSON object of --stats.
type runStats struct {
	Scene         string             `json:"scene"`
	Triangles     int                `json:"triangles"`
	Width         int                `json:"width"`
	Height        int                `json:"height"`
	Samples       int                `json:"samples"`
	Settings      tracer.Settings    `json:"settings"`
	Camera        scene.Camera       `json:"camera"`
	Backend       string             `json:"backend"`
	Device        string             `json:"device"`
	LoadSeconds   float64            `json:"load_seconds"`
	TotalSeconds  float64            `json:"total_seconds"`
	TreeSeconds   float64            `json:"tree_seconds"`
	MsPerFrame    float64            `json:"ms_per_frame"`
	MsPerKernel   map[string]float64 `json:"ms_per_kernel"` // mean of a frame
	Paths         uint64             `json:"paths"`
	Rays          uint64             `json:"rays"`
	ExtensionRays uint64             `json:"extension_rays"`
	ShadowRays    uint64             `json:"shadow_rays"`
	MpathsPerS    float64            `json:"mpaths_per_s"`
	MraysPerS     float64            `json:"mrays_per_s"`
	AlivePerDepth []float64          `json:"alive_per_bounce"` // share of all paths that go on after bounce 1, 2, …
	NonFinite     uint64             `json:"nan_count"`
	PeakMemory    uint64             `json:"peak_memory_bytes"`
}

func (j *job) stats() (*runStats, error) {
	counters, err := j.renderer.Counters()
	if err != nil {
		return nil, err
	}
	b := j.renderer.Backend()
	frames := float64(max(j.last.Samples, 1))
	s := &runStats{
		Scene: j.prepared.Scene.Name, Triangles: len(j.prepared.Scene.Faces), Width: j.view.Width, Height: j.view.Height,
		Samples: j.last.Samples, Settings: j.settings, Camera: j.view.Camera, Backend: b.Kind, Device: b.Device,
		LoadSeconds: rounded(j.loaded), TotalSeconds: rounded(time.Since(j.begun)), TreeSeconds: j.prepared.Tree.Seconds,
		MsPerKernel: map[string]float64{}, Paths: counters.Paths, ExtensionRays: counters.ExtensionRays,
		ShadowRays: counters.ShadowRays, Rays: counters.ExtensionRays + counters.ShadowRays, NonFinite: counters.NonFinite,
		PeakMemory: peakMemory(),
	}
	var total float64
	for kernel, ms := range j.kernels {
		s.MsPerKernel[kernel] = ms / frames
		total += ms
	}
	s.MsPerFrame = total / frames
	if total > 0 {
		s.MpathsPerS = float64(counters.Paths) / total / 1e3
		s.MraysPerS = float64(s.Rays) / total / 1e3
	}
	for _, alive := range counters.Alive {
		s.AlivePerDepth = append(s.AlivePerDepth, float64(alive)/float64(max(counters.Paths, 1)))
	}
	return s, nil
}
