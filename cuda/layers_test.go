package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// The layers that glTF's extensions put over a material, or change it by.

func clearcoat(m *cuda.Material) {
	m.Clearcoat, m.ClearcoatRoughness, m.ClearcoatNormalScale = 1, 0.3, 1
}

func sheen(m *cuda.Material) { m.SheenColor, m.SheenRoughness = [3]float32{1, 1, 1}, m.Roughness }

func anisotropic(m *cuda.Material) {
	metal(m)
	m.Anisotropy, m.AnisotropyCos, m.AnisotropySin = 0.7, float32(math.Cos(0.6)), float32(math.Sin(0.6))
}

func film(m *cuda.Material) {
	m.Iridescence, m.IridescenceIor, m.IridescenceMin, m.IridescenceMax = 1, 1.4, 100, 380
}

func translucent(m *cuda.Material) {
	m.Flags |= cuda.MaterialThin
	m.DiffuseTransmission, m.DiffuseTransmissionColor = 0.6, [3]float32{1, 1, 1}
}

// both makes one change of a material after the other.
func both(changes ...func(*cuda.Material)) func(*cuda.Material) {
	return func(m *cuda.Material) {
		for _, change := range changes {
			change(m)
		}
	}
}

// layers lists materials under each of the layers.
func layers() map[string]func(*cuda.Material) {
	return map[string]func(*cuda.Material){
		"coat over black":      both(lambert, clearcoat, black),
		"coat over plastic":    clearcoat,
		"coat over metal":      both(metal, clearcoat),
		"coat over glass":      both(glass, clearcoat),
		"coat over sheen":      both(sheen, clearcoat),
		"sheen over black":     both(lambert, sheen, black),
		"sheen over plastic":   sheen,
		"brushed metal":        anisotropic,
		"brushed plastic":      both(anisotropic, func(m *cuda.Material) { m.Metallic = 0 }),
		"brushed glass":        both(anisotropic, glass, func(m *cuda.Material) { m.Metallic = 0 }),
		"brushed thin glass":   both(anisotropic, thinGlass, func(m *cuda.Material) { m.Metallic = 0 }),
		"film over plastic":    film,
		"film over metal":      both(metal, film),
		"film over glass":      both(glass, film),
		"translucent":          both(lambert, translucent),
		"translucent under it": both(translucent, clearcoat),
	}
}

func black(m *cuda.Material) { m.BaseColor = [4]float32{0, 0, 0, 1} }

func TestLayersSamplesFollowPdf(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	for name, change := range layers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f family
			for _, r := range []float64{0.1, 0.3, 1} {
				for _, cos := range []float64{1, 0.6, 0.08} {
					p := probe.Point{Frame: frame, Material: material(r, change), Wo: toward(cos, 0.7)}
					checkSampling(t, &f, fmt.Sprintf("roughness %g cos %g", r, cos), &p)
					if p.Inside = p.Material.Transmission > 0 && p.Material.Flags == 0; p.Inside {
						checkSampling(t, &f, fmt.Sprintf("from inside, roughness %g cos %g", r, cos), &p)
					}
				}
			}
			f.judge(t)
		})
	}
}

// What falls on white layers leaves them, and never more. Films send some colours elsewhere, and what filmed glass loses between
// microfacets is not given back (KHR_materials_specular dims glass alike): they are only held to the upper bound.
func TestLayersKeepEnergy(t *testing.T) {
	const samples, most, least = 1 << 16, 1.005, 0.99
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	loses := map[string]bool{"coat over black": true, "sheen over black": true, "film over plastic": true, "film over glass": true}
	for name, change := range layers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, roughness := range []float64{0.01, 0.12, 0.25, 0.41, 0.6, 0.8, 1} {
				for i, cos := range []float64{0.03, 0.1, 0.22, 0.45, 0.7, 0.93, 1} {
					azimuth := 5*roughness + float64(i)
					p := probe.Point{Frame: frame, Material: material(roughness, change), Wo: toward(cos, azimuth)}
					mean, deviation := meanWeight(&p, samples)
					if mean-2*deviation > most || (!loses[name] && mean+2*deviation < least) {
						t.Errorf("roughness %g cos %g azimuth %.2f: albedo %.4f ± %.4f, want %g to %g", roughness, cos, azimuth, mean, deviation, least, most)
					}
				}
			}
		})
	}
}

// Layers look the same with viewer and light swapped, where nothing under them is weighed by what the viewer sees.
func TestLayersAreReciprocal(t *testing.T) {
	frame := tableFrame(t, 0)
	for name, change := range map[string]func(*cuda.Material){
		"coat":          both(lambert, clearcoat, black),
		"sheen":         both(lambert, sheen, black),
		"brushed metal": anisotropic,
		"brushed glass": both(anisotropic, glass, func(m *cuda.Material) { m.Metallic = 0 }),
		"film":          both(metal, film),
		"translucent":   both(lambert, translucent),
	} {
		checkReciprocity(t, name, probe.Point{Frame: frame}, change, []float64{0.3, 0.5, 1}, []float64{0.3, 0.5, 0.9}, []float64{0.35, 0.45, 0.97})
	}
}

// A film of no thickness is none, and one of the index of air is hardly any.
func TestFilmsVanish(t *testing.T) {
	frame := tableFrame(t, 0)
	plain := probe.Point{Frame: frame, Material: material(0.3, metal), Wo: toward(0.7, 0.4)}
	plain.Material.BaseColor = [4]float32{0.9, 0.5, 0.2, 1}
	filmed := plain
	film(&filmed.Material)
	filmed.Material.IridescenceMax = 0
	wi := [][3]float32{toward(0.8, 0.4+math.Pi)}
	if a, b := plain.Eval(wi)[0], filmed.Eval(wi)[0]; a != b {
		t.Errorf("without thickness %v, without film %v", b, a)
	}
	filmed.Material.IridescenceMax = 0.01
	for c, want := range plain.Eval(wi)[0].F {
		if got := filmed.Eval(wi)[0].F[c]; math.Abs(float64(got-want)) > 0.02*float64(want) {
			t.Errorf("channel %d: a hundredth of a nanometre gives %g, no film %g", c, got, want)
		}
	}
}

// A surface that is brushed by next to nothing is as rough along all directions.
func TestBrushedAndRoundAreAlikeWithoutStrength(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	round := probe.Point{Frame: frame, Material: material(0.4, metal), Wo: toward(0.6, 0.4)}
	brushed := round
	anisotropic(&brushed.Material)
	brushed.Material.Anisotropy = 1e-4
	for _, wi := range [][3]float32{toward(0.9, 3), toward(0.5, 3.5), toward(0.2, 1)} {
		a, b := round.Eval([][3]float32{wi})[0], brushed.Eval([][3]float32{wi})[0]
		if math.Abs(float64(a.F[0]-b.F[0])) > 1e-3*float64(a.F[0]) || math.Abs(float64(a.Pdf-b.Pdf)) > 1e-3*float64(a.Pdf) {
			t.Errorf("towards %v: round %v, brushed by nothing %v", wi, a, b)
		}
	}
}
