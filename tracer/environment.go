package tracer

import (
	"github.com/go-gl/mathgl/mgl32"
)

// Environment is the light around the scene: a constant, or an equirectangular image.
type Environment struct {
	Constant mgl32.Vec3 // radiance, nits; used when Pixels is nil
	Width    int
	Height   int
	Pixels   []float32 // RGB, linear, row 0 at the top (+Y), 3·Width·Height
}
