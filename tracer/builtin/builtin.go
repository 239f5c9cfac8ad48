// Package builtin makes glint's procedural scenes in memory and writes any flat scene as a .glb file.
//
//	s, err := builtin.Make("chess", builtin.Options{})
//
// A scene is a function of its options alone: the same options give the same scene on every run.
package builtin

import (
	"fmt"
	"strings"

	"glint/tracer/scene"
)

// Default names the scene that glint shows when it is given none.
const Default = "chess"

// maxTriangles bounds Options.Triangles: beyond it the scene alone would take gigabytes.
const maxTriangles = 20_000_000

// Info describes one procedural scene.
type Info struct {
	Name      string
	Help      string // one line
	Triangles int    // about how many by default; 0 when the scene is a few flat faces and Options.Triangles is refused
}

// recipe is one row of the table of scenes.
type recipe struct {
	Info
	build func(b *builder, opts Options)
}

// recipes is the table of scenes: a new scene is a function and a row here.
func recipes() []recipe {
	return []recipe{
		{Info{"chess", "a chess game in a Cornell box: marble, wood, metal and glass", 180_000}, buildChess},
		{Info{"cornell", "the classic box with two blocks", 0}, inside(cornellRoom(), cornellBlocks)},
		{Info{"cornell-sphere-light", "a Cornell box lit by a glowing sphere", 4000}, inside(cornellRoom(), sphereLight)},
		{Info{"furnace", "a closed room, albedo 0.5 and emission 1 everywhere: radiance is 2", 0}, buildFurnace},
		{Info{"white-furnace", "a sphere of albedo 1 for a constant environment: it must vanish", 40_000}, buildWhiteFurnace},
		{Info{"spheres", "25 diffuse, mirror and glass spheres in a closed box", 100_000}, inside(cornellRoom().closed(3), sphereWall)},
		{Info{"spheres-open", "the same spheres without ceiling and front wall", 100_000}, inside(cornellRoom().without(ceiling), sphereWall)},
		{Info{"box-open", "a cube in a box without ceiling and front wall: most paths escape", 0}, inside(cornellRoom().without(ceiling), cube)},
		{Info{"box-closed", "a cube in a closed box: no path escapes", 0}, inside(cornellRoom().closed(3), cube)},
		{Info{"multiball", "36 balls, no two of one material", 100_000}, inside(cornellRoom(), balls)},
		{Info{"multiball-open", "the same balls on a floor without walls or ceiling", 100_000}, inside(cornellRoom().without(left, right, back, ceiling), balls)},
		{Info{"multiball-closed", "the same balls in a closed box", 100_000}, inside(cornellRoom().closed(3), balls)},
		{Info{"statue", "a bronze cat in a gallery without ceiling and front wall", 70_000}, inside(gallery().without(ceiling), exhibit)},
		{Info{"statue-closed", "the same cat in a closed gallery", 70_000}, inside(gallery().closed(3), exhibit)},
		{Info{"statue-large", "the cat of statue in a million triangles", 1_000_000}, inside(gallery().without(ceiling), exhibit)},
		{Info{"statue-large-closed", "the cat of statue-closed in a million triangles", 1_000_000}, inside(gallery().closed(3), exhibit)},
		{Info{"city", "a skyline over a river: many simple materials, sky and sun", 180_000}, buildCity},
		{Info{"interior", "a conference room: wood, leather, metal, glass, cloth, lamps and screens", 150_000}, buildInterior},
		{Info{"cornell-glossy", "a Cornell box with a glossy floor, a metal and a plastic block", 0}, buildCornellGlossy},
		{Info{"door-ajar", "two rooms and a door ajar: all light comes through the gap", 40_000}, buildDoorAjar},
		{Info{"emissive-sphere", "inside a glowing sphere of albedo 0.5: k times scattered light is 0.5^k", 10_000}, buildEmissiveSphere},
		{Info{"open-environment", "a stage on open ground, to be lit by an environment", 40_000}, buildOpenEnvironment},
		{Info{"mixed-reflection", "mirror, rough metal, coat and glass between diffuse walls", 40_000}, inside(cornellRoom().closed(4), mixedReflection)},
		{Info{"pillars", "a hall of thin pillars that uncover each other when the camera moves", 40_000}, buildPillars},
		{Info{"sun-and-sky", "a room that sun and sky light through windows and a skylight", 40_000}, buildSunAndSky},
		{Info{"thousand-lamps", "a dark hall of pillars with 1,000 small lamps of twelve colours", 60_000}, buildThousandLamps},
		{Info{"many-spots", "a gallery under 100 coloured spot lights", 40_000}, buildManySpots},
		{Info{"glass-chain", "lamps seen and cast through several pieces of glass and mirrors in a row", 40_000}, buildGlassChain},
		{Info{"glossy-room", "a room whose floor and walls reflect with a blur", 40_000}, buildGlossyRoom},
		{Info{"smooth-coat-floor", "a parlour mirrored in its polished floor", 40_000}, buildSmoothCoatFloor},
		{Info{"carpaint", "a car in a studio, painted in four layers: one costly material on most pixels", carTriangles}, buildCarpaint},
		{Info{"media", "wax, milk and jade in a Cornell box: light scatters inside", 60_000}, inside(cornellRoom(), media)},
		{Info{"subsurface-100", "a translucent sphere lit from behind, 100 scattering events a metre", 40_000}, subsurface(violetWax(100))},
		{Info{"subsurface-200", "the same, 200 events a metre", 40_000}, subsurface(violetWax(200))},
		{Info{"subsurface-300", "the same, 300 events a metre", 40_000}, subsurface(violetWax(300))},
		{Info{"subsurface-lambert", "the same sphere, opaque", 40_000}, subsurface(matte("subject", violet))},
	}
}

// List names the scenes in the order in which a user should see them.
func List() []Info {
	var list []Info
	for _, r := range recipes() {
		list = append(list, r.Info)
	}
	return list
}

// Make builds the scene called name. An unknown name and a number of triangles that the scene cannot have are errors.
func Make(name string, opts Options) (*scene.Scene, error) {
	var names []string
	for _, r := range recipes() {
		if r.Name == name {
			return r.make(opts)
		}
		names = append(names, r.Name)
	}
	return nil, fmt.Errorf("no built-in scene is called %q; choose one of %s", name, strings.Join(names, ", "))
}

func (r recipe) make(opts Options) (*scene.Scene, error) {
	switch {
	case opts.Triangles < 0 || opts.Triangles > maxTriangles:
		return nil, fmt.Errorf("scene %s: %d triangles asked for; choose 1 to %d", r.Name, opts.Triangles, maxTriangles)
	case opts.Triangles > 0 && r.Triangles == 0:
		return nil, fmt.Errorf("scene %s: it is a few flat faces, so its number of triangles cannot be chosen", r.Name)
	case opts.Triangles == 0:
		opts.Triangles = r.Triangles
	}
	b := &builder{s: &scene.Scene{Name: r.Name, Report: scene.Report{Path: r.Name, Generator: "glint"}}}
	r.build(b, opts)
	b.s.Report.HasLight = b.s.HasLight()
	return b.s, nil
}
