package builtin

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// sphereGrid is the number of spheres along each side of the grid.
const sphereGrid = 5

// buildSpheres is a wall of 25 spheres, diffuse, mirror and glass in turn, in a box that no path leaves.
func buildSpheres(b *builder, opts Options) {
	cornellRoom().closed(3).addTo(b)
	b.sphereWall(opts.Triangles)
	b.camera(mgl32.Vec3{0, 1, 2.95}, mgl32.Vec3{0, 1, 0}, 42)
}

// buildSpheresOpen leaves out ceiling and front wall; the lamp hangs where it was.
func buildSpheresOpen(b *builder, opts Options) {
	cornellRoom().without(ceiling).addTo(b)
	b.sphereWall(opts.Triangles)
	b.camera(mgl32.Vec3{0, 1, 2.95}, mgl32.Vec3{0, 1, 0}, 42)
}

func (b *builder) sphereWall(triangles int) {
	b.ceilingLamp(mgl32.Vec3{0, 2, 0}, 0.4, 0.4, warm.Mul(8))
	mirror := b.material(metal("mirror", mgl32.Vec3{0.95, 0.95, 0.95}, 0))
	crystal := b.material(glass("glass", 0, mgl32.Vec3{1, 1, 1}, 1))
	one := sphere(0.16, sphereSegments(triangles, sphereGrid*sphereGrid))
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
}

// diffuseSphere is matte, redder to the right and bluer upwards.
func diffuseSphere(row, column int) scene.Material {
	u, v := float32(column)/(sphereGrid-1), float32(row)/(sphereGrid-1)
	return matte(fmt.Sprintf("diffuse %d.%d", row, column), mgl32.Vec3{0.2 + 0.6*u, 0.55 - 0.3*v, 0.2 + 0.6*v})
}
