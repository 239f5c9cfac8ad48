package builtin

// Measures of the sunlit room, m: windows are in the left wall, where the sun of the built-in sky stands.
const (
	sunRoomX   = 2.5 // half of the width
	sunRoomY   = 3.2
	sunRoomZ   = 3.5 // half of the depth
	sunWall    = 0.3
	sunSill    = 0.35
	sunLintel  = 2.85
	sunWindow  = 1.6 // width
	sunSpacing = 2.1
	skylight   = 0.8 // half of its width and depth
)

// buildSunAndSky is a room that has no lamps: sun and sky come in through three windows and a skylight, and all else is lit by what they fall on.
// Walls are thick, so that light comes in only through the openings.
func buildSunAndSky(b *builder, opts Options) {
	b.s.Environment = "sky:38"
	plaster := b.material(matte("plaster", vec3{0.84, 0.82, 0.78}))
	b.slab(vec3{-sunRoomX - sunWall, -sunWall, -sunRoomZ - sunWall}, vec3{sunRoomX + sunWall, 0, sunRoomZ + sunWall},
		b.material(plastic("floor tiles", vec3{0.66, 0.5, 0.36}, 0.35)))
	sunRoof(b, plaster)
	b.slab(vec3{sunRoomX, 0, -sunRoomZ}, vec3{sunRoomX + sunWall, sunRoomY, sunRoomZ}, plaster)
	b.slab(vec3{-sunRoomX - sunWall, 0, -sunRoomZ - sunWall}, vec3{sunRoomX + sunWall, sunRoomY, -sunRoomZ},
		b.material(matte("blue wall", vec3{0.25, 0.44, 0.56})))
	b.slab(vec3{-sunRoomX - sunWall, 0, sunRoomZ}, vec3{sunRoomX + sunWall, sunRoomY, sunRoomZ + sunWall}, plaster)
	sunWindows(b, plaster)
	sunFurniture(b, sphereSegments(opts.Triangles, 11))
	b.camera(vec3{1.75, 1.55, 3.2}, vec3{-0.55, 1.05, -1.2}, 58)
}

// sunRoof is the ceiling around its skylight.
func sunRoof(b *builder, plaster uint32) {
	const x, z, y0, y1 = sunRoomX + sunWall, sunRoomZ + sunWall, sunRoomY, sunRoomY + sunWall
	for _, part := range [][4]float32{ // x from, x to, z from, z to
		{-x, -skylight, -z, z}, {skylight, x, -z, z}, {-skylight, skylight, -z, -skylight}, {-skylight, skylight, skylight, z},
	} {
		b.slab(vec3{part[0], y0, part[2]}, vec3{part[1], y1, part[3]}, plaster)
	}
}

// sunWindows are the left wall around its windows, with a bar across each.
func sunWindows(b *builder, plaster uint32) {
	const x0, x1 = -sunRoomX - sunWall, -sunRoomX
	b.slab(vec3{x0, 0, -sunRoomZ}, vec3{x1, sunSill, sunRoomZ}, plaster)
	b.slab(vec3{x0, sunLintel, -sunRoomZ}, vec3{x1, sunRoomY, sunRoomZ}, plaster)
	wood := b.material(plastic("window bars", vec3{0.3, 0.17, 0.09}, 0.4))
	from := float32(-sunRoomZ)
	for i := range 3 {
		z := (float32(i) - 1) * sunSpacing
		b.slab(vec3{x0, sunSill, from}, vec3{x1, sunLintel, z - sunWindow/2}, plaster)
		b.slab(vec3{x0 + 0.12, sunSill, z - 0.025}, vec3{x0 + 0.17, sunLintel, z + 0.025}, wood)
		b.slab(vec3{x0 + 0.11, 1.75, z - sunWindow/2}, vec3{x0 + 0.18, 1.8, z + sunWindow/2}, wood)
		from = z + sunWindow/2
	}
	b.slab(vec3{x0, sunSill, from}, vec3{x1, sunLintel, sunRoomZ}, plaster)
}

// sunFurniture stands partly in the sun.
func sunFurniture(b *builder, segments int) {
	const y = 0.0005 // m above what carries it
	wood := b.material(plastic("walnut", vec3{0.3, 0.16, 0.08}, 0.3))
	b.put(box(vec3{2.6, 0.012, 3}), at(0.1, y, -1), matte("rug", vec3{0.5, 0.09, 0.07}))
	b.add(table(vec3{1.5, 0.74, 0.85}), at(0.15, 0.013, -1.1).Mul4(turned(12)), wood)
	b.put(vase(0.55, segments), at(0.4, 0.754, -1.2), plastic("celadon vase", vec3{0.3, 0.5, 0.4}, 0.12))
	b.put(bowl(0.13, segments), at(-0.2, 0.754, -1), metal("brass bowl", brassColor, 0.25))
	b.put(sphere(0.07, segments), at(-0.2, 0.86, -1), matte("orange", vec3{0.8, 0.33, 0.05}))
	b.put(vase(1.25, segments), at(-1.75, y, -2.7), matte("terracotta", vec3{0.6, 0.25, 0.13}))
	b.put(box(vec3{1.5, 0.42, 0.65}), at(1.65, y, -2.75), matte("bench", vec3{0.65, 0.55, 0.2}))
	b.put(sphere(0.22, segments), ball(-1.1, 0.75, 0.2201), plastic("red ball", vec3{0.62, 0.05, 0.04}, 0.2))
	b.put(frameAround(0.6, 0.42, 0.07, 0.04), at(0.5, 1.85, -sunRoomZ+0.021), metal("gilded frame", brassColor, 0.3))
	b.slab(vec3{-0.1, 1.43, -sunRoomZ + y}, vec3{1.1, 2.27, -sunRoomZ + 0.01}, b.material(matte("canvas", vec3{0.75, 0.6, 0.3})))
}
