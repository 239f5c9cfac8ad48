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

// applyAOVs has the kernels keep what is wanted.
func (r *Renderer) applyAOVs(f *cuda.Frame, v View, s Settings) error {
	a := &r.film.aovs
	if err := a.fit(r.device, v.Width*v.Height, r.planesWanted(v, s)); err != nil {
		return err
	}
	f.Aovs, f.AovPlanes = a.buffer.address, uint32(a.planes)
	return nil
}

// guided: somebody wants to know what is seen.
func guided(f *cuda.Frame) bool { return f.AovPlanes > 0 }

// applyShown chooses what film shows: an AOV, the denoised image where there is one, or the image.
func (r *Renderer) applyShown(f *cuda.Frame, s Settings) {
	a := &r.film.aovs
	f.Aovs, f.AovPlanes, f.SceneRadius = a.buffer.address, uint32(a.planes), r.scene.radius
	view, viewed := LookupAOV(s.AOVView)
	switch {
	case viewed && a.planes == int(cuda.AovPlanes):
		f.Shown = view.shown
	case r.upscaler.shown != 0:
		f.Shown, f.Denoised = cuda.ShownDenoised, r.upscaler.shown
	case s.Denoise != "off" && r.denoise.samples > 0:
		f.Shown, f.Denoised = cuda.ShownDenoised, r.denoise.picture().address
	}
}
