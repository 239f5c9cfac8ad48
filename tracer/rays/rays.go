// Package rays makes the three kinds of rays by which ray kernels are measured: primary rays, which stay together, and what
// leaves the points that they find: cosine-weighted bounces, which scatter, and shadow rays to one light.
package rays

import (
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
)

// Kind is one of the kinds of rays.
type Kind struct {
	Name   string
	AnyHit bool // asks only whether something is hit
	leave  func(l *leaver, point, normal mgl32.Vec3) cuda.Ray
}

// Kinds are primary, bounce and shadow, in this order.
func Kinds() []Kind {
	return []Kind{
		{Name: "primary"},
		{Name: "bounce", leave: (*leaver).cosineBounce},
		{Name: "shadow", AnyHit: true, leave: (*leaver).towardsLight},
	}
}

// Primary makes a ray for each pixel's centre, by at, in the order of the kernels: tiles of 8×4 pixels. Width and height are
// rounded down to whole tiles.
func Primary(width, height int, at func(x, y float32) cuda.Ray) []cuda.Ray {
	across, down := width/8, height/4
	out := make([]cuda.Ray, 32*across*down)
	for i := range out {
		tile, in := i/32, i%32
		out[i] = at(float32(tile%across*8+in%8)+0.5, float32(tile/across*4+in/8)+0.5)
	}
	return out
}

// Room is the box of the scene, m. The light of shadow rays is a square a sixth of it to each side of the middle, a little
// below the top.
type Room struct{ Min, Max mgl32.Vec3 }

// Leave makes the rays of a kind that leave the hits of primary rays; a ray that hit nothing stays. Primary rays stay all.
// The same seed gives the same rays.
func (r Room) Leave(k Kind, first []cuda.Ray, hits []cuda.Hit, triangles []cuda.Triangle, seed uint64) []cuda.Ray {
	out := append([]cuda.Ray(nil), first...)
	if k.leave == nil {
		return out
	}
	l := &leaver{room: r, random: rand.New(rand.NewPCG(seed, 8)), offset: 2e-5 * r.Max.Sub(r.Min).Len()}
	for i, h := range hits {
		if h.Triangle != cuda.NoHit {
			point, normal := l.surface(first[i], h, &triangles[h.Triangle])
			out[i] = k.leave(l, point, normal)
		}
	}
	return out
}

type leaver struct {
	room   Room
	random *rand.Rand
	offset float32 // from the surface, m
}

// surface is the point of a hit, moved off the triangle, and the normal on the ray's side.
func (l *leaver) surface(ray cuda.Ray, hit cuda.Hit, t *cuda.Triangle) (point, normal mgl32.Vec3) {
	direction := mgl32.Vec3(ray.Direction)
	normal = mgl32.Vec3(t.E1).Cross(mgl32.Vec3(t.E2)).Normalize()
	if normal.Dot(direction) > 0 {
		normal = normal.Mul(-1)
	}
	return mgl32.Vec3(ray.Origin).Add(direction.Mul(hit.T)).Add(normal.Mul(l.offset)), normal
}

// cosineBounce leaves along the sum of the normal and a random unit vector, which is cosine-weighted.
func (l *leaver) cosineBounce(point, normal mgl32.Vec3) cuda.Ray {
	z, phi := 2*l.random.Float64()-1, 2*math.Pi*l.random.Float64()
	r := math.Sqrt(1 - z*z)
	unit := mgl32.Vec3{float32(r * math.Cos(phi)), float32(r * math.Sin(phi)), float32(0.999 * z)}
	return cuda.Ray{Origin: point, Direction: normal.Add(unit).Normalize(), TMax: math.MaxFloat32}
}

func (l *leaver) towardsLight(point, _ mgl32.Vec3) cuda.Ray {
	size, middle := l.room.Max.Sub(l.room.Min), l.room.Max.Add(l.room.Min).Mul(0.5)
	light := mgl32.Vec3{
		middle[0] + size[0]/3*(l.random.Float32()-0.5),
		l.room.Min[1] + 0.975*size[1],
		middle[2] + size[2]/3*(l.random.Float32()-0.5),
	}
	way := light.Sub(point)
	return cuda.Ray{Origin: point, Direction: way.Normalize(), TMax: way.Len()}
}
