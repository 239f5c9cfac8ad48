package builtin

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// ballGrid is the number of balls along each side of the floor.
const ballGrid = 6

// buildMultiball covers the floor of a Cornell room with balls that differ in size and material.
func buildMultiball(b *builder, opts Options) {
	cornellRoom().addTo(b)
	b.balls(opts.Triangles)
}

// buildMultiballOpen leaves the floor and the lamp alone.
func buildMultiballOpen(b *builder, opts Options) {
	cornellRoom().without(left, right, back, ceiling).addTo(b)
	b.balls(opts.Triangles)
}

// buildMultiballClosed is the room without openings, the camera inside.
func buildMultiballClosed(b *builder, opts Options) {
	cornellRoom().closed(3).addTo(b)
	b.balls(opts.Triangles)
}

// balls are in rows on the floor, under a lamp at 2 m.
func (b *builder) balls(triangles int) {
	b.ceilingLamp(mgl32.Vec3{0, 2, 0}, 0.4, 0.4, warm.Mul(9))
	segments := sphereSegments(triangles, ballGrid*ballGrid)
	for row := range ballGrid {
		for column := range ballGrid {
			radius := 0.1 + 0.04*float32((3*row+5*column)%7)/6
			x, z := (float32(column)+0.5)/ballGrid*2-1, (float32(row)+0.5)/ballGrid*2-1
			b.add(sphere(radius, segments), ball(x*0.93, z*0.93, radius), b.material(ballMaterial(row, column)))
		}
	}
	b.camera(mgl32.Vec3{0, 1.6, 2.9}, mgl32.Vec3{0, 0.3, 0}, 31)
}

// ballMaterial is metal, plastic, clear, tinted or frosted glass in turn; hue and roughness change over the floor.
func ballMaterial(row, column int) scene.Material {
	hue := float64(row*ballGrid+column) / (ballGrid * ballGrid)
	rough := float32(column) / ballGrid * 0.6
	name := fmt.Sprintf("ball %d.%d", row, column)
	switch color := rainbow(hue); (2*row + column) % 5 {
	case 0:
		return metal(name, color.Mul(0.35).Add(mgl32.Vec3{0.6, 0.6, 0.6}), rough)
	case 1:
		return plastic(name, color, rough)
	case 2:
		return glass(name, 0, color.Mul(0.5).Add(mgl32.Vec3{0.45, 0.45, 0.45}), 0.1)
	case 3:
		return matte(name, color)
	default:
		return glass(name, 0.1+rough/2, mgl32.Vec3{1, 1, 1}, 1)
	}
}

// rainbow is a colour of albedo 0.05…0.8 with the hue as a fraction of the circle.
func rainbow(hue float64) mgl32.Vec3 {
	var c mgl32.Vec3
	for i := range c {
		c[i] = float32(0.425 + 0.375*math.Cos(2*math.Pi*(hue-float64(i)/3)))
	}
	return c
}
