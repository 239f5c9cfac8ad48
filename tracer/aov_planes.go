package tracer

import (
	"fmt"

	"glint/cuda"
)

// aovPlanes are the planes of AOVs of one image, taken when they are first wanted.
type aovPlanes struct {
	buffer buffer // float4 per pixel and plane
	pixels int
	planes int
	since  int  // whole samples of the image when keeping began
	anew   bool // room was made, and nobody has noted since when
}

func (a *aovPlanes) claims() []claim { return []claim{{&a.buffer, 16 * a.planes * a.pixels}} }

// fit makes room for as many planes, empty where there was no room before.
func (a *aovPlanes) fit(d device, pixels, planes int) error {
	if pixels == a.pixels && planes == a.planes {
		return nil
	}
	a.free(d)
	if planes == 0 {
		return nil
	}
	a.pixels, a.planes = pixels, planes
	a.anew = true
	if err := take(d, a.claims()); err != nil {
		*a = aovPlanes{}
		return fmt.Errorf("buffers of AOVs: %w", err)
	}
	return d.zero(a.buffer)
}

func (a *aovPlanes) free(d device) {
	giveBack(d, a.claims())
	*a = aovPlanes{}
}

// planesWanted is how many planes somebody asks for.
func (r *Renderer) planesWanted(v View, s Settings) int {
	switch {
	case v.Layers || s.AOVView != "off":
		return int(cuda.AovPlanes)
	case r.guided || s.Denoise == "atrous" || s.Denoise == "oidn" && r.remembers(v, s):
		return int(cuda.AovFilterPlanes)
	case s.Denoise == "oidn":
		return int(cuda.AovDenoiserPlanes)
	}
	return 0
}

// hasGuides tells whether what is kept besides light is of a whole sample at least.
func (r *Renderer) hasGuides() bool {
	return r.film.aovs.planes > 0 && r.progress.samples > r.film.aovs.since
}

// applyAOVs has the kernels keep what is wanted.
func (r *Renderer) applyAOVs(f *cuda.Frame, v View, s Settings) error {
	a := &r.film.aovs
	if err := a.fit(r.device, v.Width*v.Height, r.planesWanted(v, s)); err != nil {
		return err
	}
	if a.anew { // guides come first in a sample: one under way has none any more
		a.anew, a.since = false, r.progress.samples
		if r.progress.pass > 0 || r.progress.reached > 0 {
			a.since++
		}
		r.denoise.samples = 0
	}
	f.Film.Aovs, f.Film.AovPlanes = a.buffer.address, uint32(a.planes)
	return r.readyTrust(f, v, s)
}

// wholeTable is all that a sample takes. Where what is to be kept changes under way, keeping it begins anew.
func (r *Renderer) wholeTable(v View, s Settings, f *cuda.Frame) []pass {
	table, rows, p := passes(s, f), r.keeping(v, s), &r.progress
	if len(rows) != p.keeps || len(rows) > 0 && rows[0].kernel != p.first {
		if p.pass >= len(table) {
			p.pass, p.reached = len(table), 0
		}
		p.keeps = len(rows)
		if p.keeps > 0 {
			p.first = rows[0].kernel
		}
	}
	return append(table, rows...)
}

// keeping are the passes of a sample that keep what the integrator does not.
func (r *Renderer) keeping(v View, s Settings) []pass {
	var rows []pass
	if trustWanted(v, s) {
		rows = append(rows, r.trust.keepHalves())
	}
	if v.Layers || s.AOVView == "direct" || s.AOVView == "indirect" {
		rows = append(rows, pass{kernel: cuda.TracePaths, apart: r.directApart})
	}
	return rows
}

// directApart traces the paths of a sample once more, for direct light alone: the same random numbers find the same light, so
// that direct and indirect add up to the image, and the kernels that render it need not tell them apart.
func (r *Renderer) directApart(f cuda.Frame) cuda.Frame {
	f.Film.Accumulation = f.Film.Aovs + uint64(cuda.AovDirect)*16*uint64(f.Film.Width)*uint64(f.Film.Height)
	f.Film.Counters = r.film.spare.address // what is dropped has been counted
	f.Sampling.Flags = f.Sampling.Flags&^cuda.FrameStatistics | cuda.FrameNoIndirect
	f.Film.AovPlanes = 0
	return f
}

// guided: somebody wants to know what is seen.
func guided(f *cuda.Frame) bool { return f.Film.AovPlanes > 0 }

// applyShown chooses what film shows: an AOV, the denoised image where there is one, or the image.
func (r *Renderer) applyShown(f *cuda.Frame, s Settings) {
	a := &r.film.aovs
	f.Film.Aovs, f.Film.AovPlanes = a.buffer.address, uint32(a.planes)
	view, viewed := LookupAOV(s.AOVView)
	if view.shown == cuda.ShownError && r.trust.samples == 0 {
		viewed = false // not yet
	}
	f.ErrorMap.Errors = r.trust.distance.address
	switch {
	case viewed && a.planes == int(cuda.AovPlanes):
		f.Display.Shown = view.shown
	case r.upscaler.shown != 0:
		f.Display.Shown, f.Denoise.Denoised = cuda.ShownDenoised, r.upscaler.shown
	case s.Denoise != "off" && r.denoise.samples > 0:
		f.Display.Shown, f.Denoise.Denoised = cuda.ShownDenoised, r.denoise.picture().address
	}
}
