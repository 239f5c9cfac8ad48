package probe

/*
#cgo CXXFLAGS: -std=c++17 -O3 -g0 -fno-exceptions -fno-rtti -Wall -Wno-unused-function -Wno-unknown-pragmas
#cgo CXXFLAGS: -I${SRCDIR}/.. -I${SRCDIR}/../kernels
#cgo LDFLAGS: -lm
#include "probe.h"
*/
import "C"

import (
	"unsafe"

	"glint/cuda"
)

// Point is a place where a material is seen. The geometric normal, on the viewer's side, is +z.
type Point struct {
	Frame    *cuda.Frame // Tables and Flags count
	Material cuda.Material
	Wo       [3]float32 // unit, z > 0
	Normal   [3]float32 // shading normal, unit; zero for +z
	Position [3]float32 // m: where procedural noise is looked up
	Inside   bool       // Wo is behind the surface, as within glass
}

// BsdfSample is a direction drawn by sampleBsdf.
type BsdfSample struct {
	Wi     [3]float32
	Weight [3]float32 // f |cos| / pdf; zero when the sample failed
	Pdf    float32    // [1/sr]; means nothing for a delta
	Delta  int32      // not 0 for a mirror or smooth glass
}

// BsdfValue is what evalBsdf says of one direction.
type BsdfValue struct {
	F      [3]float32 // times |cos|
	Pdf    float32    // of sampleBsdf [1/sr]
	Shared [3]float32 // what of F neighbouring pixels may share
}

func (p *Point) c() *C.ProbePoint {
	n := p.Normal
	if n == ([3]float32{}) {
		n[2] = 1
	}
	at := &C.ProbePoint{front: 1}
	for i := range 3 {
		at.wo[i], at.normal[i], at.position[i] = C.float(p.Wo[i]), C.float(n[i]), C.float(p.Position[i])
	}
	if p.Inside {
		at.front = 0
	}
	return at
}

// Sample draws a direction for each triple of uniform numbers: one for the lobe, two inside it.
func (p *Point) Sample(u [][3]float32) []BsdfSample {
	out := make([]BsdfSample, len(u))
	if len(u) > 0 {
		C.glint_probe_sample(unsafe.Pointer(p.Frame), unsafe.Pointer(&p.Material), p.c(), C.int(len(u)),
			(*C.float)(&u[0][0]), (*C.ProbeSample)(unsafe.Pointer(&out[0])))
	}
	return out
}

// Eval evaluates the BSDF for each direction, unit.
func (p *Point) Eval(wi [][3]float32) []BsdfValue {
	out := make([]BsdfValue, len(wi))
	if len(wi) > 0 {
		C.glint_probe_eval(unsafe.Pointer(p.Frame), unsafe.Pointer(&p.Material), p.c(), C.int(len(wi)),
			(*C.float)(&wi[0][0]), (*C.ProbeValue)(unsafe.Pointer(&out[0])))
	}
	return out
}
