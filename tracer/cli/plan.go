package cli

import (
	"fmt"

	"glint/tracer"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// planInfo is what rendering a picture will hold, bytes.
type planInfo struct {
	Size   string         `json:"size"`
	Device profile.Memory `json:"device_memory_bytes"` // on a GPU; on a processor it is the host's
	Peak   int            `json:"device_peak_bytes"`
	Host   uint64         `json:"host_peak_bytes"` // of the process: the scene, the GPU's driver, the picture's file
	Whole  uint64         `json:"cpu_peak_bytes"`  // the same on a processor, at most: not all of it may be touched
}

// plan tells what a picture of a size will hold: a renderer does all that it would do, on devices that are not there.
func plan(p *gpuscene.Prepared, s settings.Settings, size string) (*planInfo, error) {
	width, height, err := flags.ParseSizeOf("--plan", size)
	if err != nil {
		return nil, err
	}
	s = job.WithoutWindow(s)
	loaded := profile.PeakMemory()
	v := schedule.Request{View: view.View{Camera: p.Scene.DefaultCamera(float32(width) / float32(height)), Width: width, Height: height}}
	gpu, cpu := device.NewPlanner(device.KindCUDA, gpuMemory()), device.NewPlanner(device.KindCPU, 0)
	memory, err := tracer.PlannedMemory(gpu, p.OnDevice(), v, s)
	if err == nil {
		_, err = tracer.PlannedMemory(cpu, p, v, s)
	}
	if err != nil {
		return nil, fmt.Errorf("--plan: %w", err)
	}
	const pixelOfFile = 16     // bytes, while it is written
	const ofDriver = 240 << 20 // of CUDA, as measured
	host := loaded + pixelOfFile*uint64(width)*uint64(height)
	return &planInfo{Size: fmt.Sprintf("%dx%d", width, height), Device: memory, Peak: gpu.Peak(), Host: host + ofDriver,
		Whole: host + uint64(cpu.Peak())}, nil
}

// gpuMemory is that of this machine's GPU, bytes; without one that of a large one, which takes the most.
func gpuMemory() uint64 {
	if gpu, found := tracer.GPU(tracer.Options{}); found {
		return gpu.TotalMemory
	}
	return 96 << 30
}

// rows of the table.
func (i *planInfo) rows() [][2]string {
	mb := func(bytes int) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
	rows := [][2]string{}
	for _, row := range []struct {
		what  string
		bytes int
	}{{"scene", i.Device.Scene}, {"image", i.Device.Film}, {"paths under way", i.Device.Pool}, {"first hits", i.Device.Hits},
		{"shared samples", i.Device.Restir}, {"guides, denoiser", i.Device.Denoiser},
		{"counted for both paths and denoiser", i.Device.Scratch}, {"at most at once", i.Peak}} {
		if row.bytes > 0 {
			rows = append(rows, [2]string{"GPU memory at " + i.Size, row.what + ": " + mb(row.bytes)})
		}
	}
	return append(rows, [2]string{"host memory", mb(int(i.Host)) + " with a GPU, up to " + mb(int(i.Whole)) + " without"})
}
