package tracer

import (
	"errors"
	"time"

	"glint/cuda"
	"glint/tracer/oidn"
)

// oidnDevice opens OIDN for all renderers of the stage, once: what was missing then stays missing.
func (s *stage) oidnDevice() (*oidn.Device, error) {
	if s.oidn == nil && s.oidnWhy == nil {
		library, err := oidn.Find()
		if err == nil {
			s.oidn, err = s.device.openOIDN(library)
		}
		s.oidnWhy = err
	}
	return s.oidn, s.oidnWhy
}

// closeOIDN closes the device that denoisers of the stage shared.
func (s *stage) closeOIDN() error {
	if s.oidn == nil {
		return nil
	}
	err := s.oidn.Close()
	s.oidn, s.oidnWhy = nil, errors.New("closed")
	return err
}

// readyOIDN opens what is missing.
func (r *Renderer) readyOIDN() error {
	d := &r.denoise
	if d.oidn != nil {
		return nil
	}
	device, err := r.oidnDevice()
	if err == nil {
		d.oidn = device.Denoiser()
	}
	return err
}

// runOIDN denoises what the frame says, and steadies it where there is a history.
func (r *Renderer) runOIDN(v View, s Settings, f *cuda.Frame) error {
	if _, err := r.device.launch(cuda.DenoiseInput, 0, 0, v.Width*v.Height, time.Time{}); err != nil {
		return err
	}
	if err := r.denoise.oidn.Denoise(r.denoise.task(v, s)); err != nil || f.Denoise.VirtualHits == 0 {
		return err
	}
	_, err := r.device.launch(cuda.TemporalStabilize, cuda.StabilizeSharp, 0, indices(v.Width, v.Height), time.Time{})
	return err
}

// task writes to the output that is not shown.
func (d *denoising) task(v View, s Settings) oidn.Task {
	return oidnTask(v, s, d.buffers.inputs.address, d.buffers.outputs[1-d.shown].address)
}

// oidnTask is what is to be done with planes of float4 (enum DenoisePlane) for a view.
func oidnTask(v View, s Settings, inputs, output uint64) oidn.Task {
	plane := func(p uint32) oidn.Image {
		return oidn.Image{Address: inputs + uint64(p)*16*uint64(v.Width*v.Height), Stride: 16}
	}
	still := !v.Live
	t := oidn.Task{Width: v.Width, Height: v.Height, HDR: true, Prefilter: still, Quality: qualityOf[s.DenoiseQuality],
		Color: plane(cuda.DenoiseColor), Albedo: plane(cuda.DenoiseAlbedo), Normal: plane(cuda.DenoiseNormal),
		Output: oidn.Image{Address: output, Stride: 16}}
	if t.Quality == 0 {
		t.Quality = oidn.Fast
		if still {
			t.Quality = oidn.High
		}
	}
	return t
}

// qualityOf translates the settings' words; auto is 0.
var qualityOf = map[string]oidn.Quality{"fast": oidn.Fast, "balanced": oidn.Balanced, "high": oidn.High}
