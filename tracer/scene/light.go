package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf/ext/lightspunctual"

	"glint/tracer/guard"
)

// LightKind is the form of a punctual light.
type LightKind uint32

// The kinds of KHR_lights_punctual, in the order of sourceOf.
const (
	LightPoint LightKind = iota
	LightSpot
	LightDirectional
)

// Light is a punctual light of KHR_lights_punctual, in world space.
type Light struct {
	Name      string
	Kind      LightKind
	Position  mgl32.Vec3 // m
	Direction mgl32.Vec3 // unit, the way light travels
	Intensity mgl32.Vec3 // colour × intensity: cd (W/sr) for point and spot, lux (W/m²) for directional
	Range     float32    // m, 0 for unlimited
	InnerCone float32    // radians, spot only
	OuterCone float32    // radians, spot only
}

// stand places a light in the world.
func (l *Light) stand(world mgl64.Mat4) {
	if !placeable(world) {
		return
	}
	l.Position = position(world)
	l.Direction = unitOr(narrow(world.Col(2).Vec3().Mul(-1)), mgl32.Vec3{0, 0, -1})
}

// lightSource is a light as its file says it, in parts that clips change each by itself.
type lightSource struct {
	kind         LightKind
	color        [3]float64
	intensity    float64
	reach        float64 // m, 0 for unlimited
	inner, outer float64 // radians
}

// widestCone is half a sphere, with room for a file's decimals.
const widestCone = math.Pi/2 + 1e-6

func sourceOf(src *lightspunctual.Light) (lightSource, error) {
	s := lightSource{color: src.ColorOrDefault(), intensity: src.IntensityOrDefault()}
	if r := src.Range; r != nil && !math.IsInf(*r, 0) {
		s.reach = *r
	}
	kind := slices.Index([]string{lightspunctual.TypePoint, lightspunctual.TypeSpot, lightspunctual.TypeDirectional}, src.Type)
	if kind < 0 {
		return s, fmt.Errorf("type %s is none of point, spot, directional", guard.Quoted(src.Type))
	}
	if s.kind = LightKind(kind); s.kind == LightSpot {
		s.outer = math.Pi / 4
		if src.Spot != nil {
			s.inner, s.outer = src.Spot.InnerConeAngle, src.Spot.OuterConeAngleOrDefault()
		}
	}
	return s, nil
}

// fit gives a light what its source says, within the bounds of files.
func (s *lightSource) fit(l *Light) {
	for i, v := range s.color {
		l.Intensity[i] = finite32(max(0, v) * max(0, s.intensity))
	}
	l.Range = finite32(s.reach)
	if s.kind == LightSpot {
		outer := max(0, min(s.outer, widestCone))
		l.InnerCone, l.OuterCone = float32(max(0, min(s.inner, outer))), float32(outer)
	}
}
