package probe

// #include "probe.h"
import "C"

import (
	"unsafe"

	"glint/cuda"
)

// Function numbers a row of the table in functions.cpp.
type Function int

// The functions, with what they take → what they give.
const (
	FresnelDielectric    Function = iota // |cos θ|, index beyond over index before → reflectance
	InterfaceReflectance                 // the same, as Frame.Sampling.Flags ask
	FresnelRise                          // |cos θ|, index → 0 at normal incidence to 1
	FresnelSchlick                       // F₀, |cos θ| → reflectance
	GgxVisible                           // wo, alpha, u → h
	GgxVisiblePdf                        // wo, h, alpha → [1/sr]
	AlbedoSlice                          // slice, cos θ, roughness → albedo
	Disk                                 // u → point of the unit disk
	Polygon                              // u, corners → point of the regular polygon in it
	ChooseAlias                          // u (column, threshold) → index in Frame.Scene.LightAlias
	SampleEnvironment                    // uTexel (column, threshold), u → direction, radiance, pdf
	EnvironmentPdf                       // direction → [1/sr]
	EnvironmentRadiance                  // direction → RGB [nit]
	TriangleLight                        // point, normal, error, u → direction, distance [m], pdf [1/sr] (0: no sample), of light 0
	ToneMap                              // RGB, curve → encoded RGB
	Texture                              // (u, v) → RGBA of texture 0
	OffsetOrigin                         // point, normal, error → point
	SinCosTurn                           // angle [turns] → sine, cosine
	PackedNormal                         // unit vector → what is left of it in 32 bits
	PackedRadiance                       // RGB [nit], two dithers in [0, 1) → what a reservoir keeps of it [nit]
	Jacobian                             // from, to, x2, its normal → dω_to / dω_from, 0 where the shift is undefined
	PairwiseWeights                      // 4 × (position, brightness, confidence), x2, its normal → weights, the receiver's first
	BalanceWeights                       // the same → weights of pixel 0 and of its history, pixel 1
	HenyeyGreenstein                     // direction of travel, g, u → direction
	Reproject                            // pixel (column, line), place [m] → where that was in the image of Frame.Previous [pixels], 1 if it was
	PackedIrradiance                     // light RGB, its error, normal → what is left of them in an Irradiance
	Flight                               // attenuation and scattering [1/m], throughput, length [m], u → weight, distance [m], 1 if scattered
	StrayLight                           // pixel → RGB [nit] of the pyramid in Frame.Display.Bloomed
	FastLog2                             // x → log2(x)
	FastExp2                             // x → 2^x
	FastPow                              // x, y → x^y
	Scaled                               // upper and lower 16 bits, n → a number below n: its 4096s and the rest
	DrawnLight                           // point, normal or zero, u → light (−1: none), its probability, and that without the normal
	ChanceOfLight                        // point, normal or zero, light → those probabilities, by place
	Shift                                // from, to, sample, its normal, kind, coat → dω_to / dω_from, that of the way back, L2 there, and back
	MetWeights                           // densities of a light sample and of the BSDF → MIS weights of light samples and of chance
	FilteredTexture                      // (u, v), the area around it → RGBA of texture 0 and its mipmaps
	MipLevel                             // distance from the camera [m], direction to it → the level of texture 0 on triangle 0
)

// Arity is how many numbers f takes and gives.
func (f Function) Arity() (inputs, outputs int) {
	var in, out C.int
	C.glint_probe_arity(C.int(f), &in, &out)
	return int(in), int(out)
}

// Map applies f to each run of as many numbers as it takes; a rest too short for a run is ignored.
func (f Function) Map(frame *cuda.Frame, in []float32) []float32 {
	inputs, outputs := f.Arity()
	if inputs == 0 || len(in) < inputs {
		return nil
	}
	n := len(in) / inputs
	out := make([]float32, n*outputs)
	C.glint_probe_map(unsafe.Pointer(frame), C.int(f), C.int(n), (*C.float)(&in[0]), (*C.float)(&out[0]))
	return out
}
