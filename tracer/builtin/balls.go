package builtin

import (
	"fmt"

	"glint/tracer/scene"
)

// sphereGrid is the number of spheres along each side of the grid.
const sphereGrid = 5

// sphereWall is a wall of 25 spheres, diffuse, mirror and glass in turn.
func sphereWall(b *builder, opts Options) {
	b.ceilingLamp(vec3{0, 2, 0}, 0.4, 0.4, warm.Mul(8))
	mirror := b.material(metal("mirror", vec3{0.95, 0.95, 0.95}, 0))
	crystal := b.material(glass("glass", 0, vec3{1, 1, 1}, 1))
	one := sphere(0.16, sphereSegments(opts.Triangles, sphereGrid*sphereGrid))
	for row := range sphereGrid {
		for column := range sphereGrid {
			x, y := float32(column-sphereGrid/2)*0.37, 1+float32(row-sphereGrid/2)*0.37
			material := mirror
			switch (row + 2*column) % 3 {
			case 0:
				material = b.material(diffuseSphere(row, column))
			case 1:
				material = crystal
			}
			b.add(one, at(x, y, 0.12*float32((row+column)%3)-0.1), material)
		}
	}
	b.camera(vec3{0, 1, 2.95}, vec3{0, 1, 0}, 42)
}

// diffuseSphere is matte, redder to the right and bluer upwards.
func diffuseSphere(row, column int) scene.Material {
	u, v := float32(column)/(sphereGrid-1), float32(row)/(sphereGrid-1)
	return matte(fmt.Sprintf("diffuse %d.%d", row, column), vec3{0.2 + 0.6*u, 0.55 - 0.3*v, 0.2 + 0.6*v})
}

// ballGrid is the number of balls along each side of the floor.
const ballGrid = 6

// balls that differ in size and material are in rows on the floor, under a lamp at 2 m.
func balls(b *builder, opts Options) {
	b.ceilingLamp(vec3{0, 2, 0}, 0.4, 0.4, warm.Mul(9))
	segments := sphereSegments(opts.Triangles, ballGrid*ballGrid)
	for row := range ballGrid {
		for column := range ballGrid {
			radius := 0.1 + 0.04*float32((3*row+5*column)%7)/6
			x, z := (float32(column)+0.5)/ballGrid*2-1, (float32(row)+0.5)/ballGrid*2-1
			b.put(sphere(radius, segments), ball(x*0.93, z*0.93, radius), ballMaterial(row, column))
		}
	}
	b.camera(vec3{0, 1.6, 2.9}, vec3{0, 0.3, 0}, 31)
}

// ballMaterial is metal, plastic, clear, tinted or frosted glass in turn; hue and roughness change over the floor.
func ballMaterial(row, column int) scene.Material {
	hue := float64(row*ballGrid+column) / (ballGrid * ballGrid)
	rough := float32(column) / ballGrid * 0.6
	name := fmt.Sprintf("ball %d.%d", row, column)
	switch color := rainbow(hue); (2*row + column) % 5 {
	case 0:
		return metal(name, color.Mul(0.35).Add(vec3{0.6, 0.6, 0.6}), rough)
	case 1:
		return plastic(name, color, rough)
	case 2:
		return glass(name, 0, color.Mul(0.5).Add(vec3{0.45, 0.45, 0.45}), 0.1)
	case 3:
		return matte(name, color)
	default:
		return glass(name, 0.1+rough/2, vec3{1, 1, 1}, 1)
	}
}
