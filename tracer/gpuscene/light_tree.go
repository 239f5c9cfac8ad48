package gpuscene

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// Light trees after Conty Estevez and Kulla, "Importance Sampling of Many Lights with Adaptive Tree Splitting" (2018). The kernels
// that descend them are in light/light_tree.cuh.

// lightTree chooses lights by where they stand; the zero value does not.
type lightTree struct {
	clusters []cuda.LightCluster
	alias    []cuda.AliasEntry // of all lights, for draws that the tree does not answer
	share    float32           // of the draws that it does
}

const (
	// fewestLights are worth a tree: among fewer, power finds one near by often enough.
	fewestLights = 32
	// leastGain is by how much place must lessen the variance that choosing by power brings: descending a tree takes about as
	// long as half a path. The triangles of a single lamp come to 3 or 4, since half of them face away.
	leastGain = 8
	// byPower is how often a light in the tree is chosen by its power all the same, since a tree knows of no walls.
	byPower = 0.1
)

// growLightTree puts those lights into a tree that stay as they are in all poses. weights are what lights are chosen by without it, and what
// they go on to be chosen by where a tree would not pay or there is no memory for one. The only error is that of ctx, when it ends.
func growLightTree(ctx context.Context, g *geometry, lights []cuda.Light, still func(light int) bool, powers, weights []float64,
	memory *guard.Memory) (t lightTree, err error) {
	building := int64(len(lights)) * int64(unsafe.Sizeof(lightLeaf{}))
	if g.scene.Motion.Relights() || memory.Check("the lights of a tree", building) != nil {
		return t, nil
	}
	b := treeBuilder{ctx: ctx}
	for i := range lights {
		if kind := lights[i].Kind; !still(i) || kind == cuda.LightDirectional || kind == cuda.LightEnvironment {
			continue
		}
		if leaf := newLightLeaf(uint32(i), &lights[i], powers[i]); leaf.finite() {
			b.leaves = append(b.leaves, leaf)
		}
	}
	n := len(b.leaves)
	if n < fewestLights || gainByPlace(g.triangles, b.leaves, weights) < leastGain {
		return t, nil
	}
	bytes := int64(2*n*device.SizeOf[cuda.LightCluster]()) + int64(len(lights)*device.SizeOf[cuda.AliasEntry]())
	if memory.Take("the tree of lights", bytes) != nil {
		return t, nil
	}
	b.clusters = make([]cuda.LightCluster, 0, 2*n)
	b.trails = make([]uint32, len(lights))
	for i := range b.trails {
		b.trails[i] = cuda.NoTrail
	}
	b.branch(b.leaves, 0, 0)
	if err := ctx.Err(); err != nil {
		return t, err // the tree is not complete
	}

	all, rest := 0.0, 0.0
	byTable := slices.Clone(weights)
	for i, w := range weights {
		if b.trails[i] != cuda.NoTrail {
			byTable[i] = byPower * w
		}
		all += w
		rest += byTable[i]
	}
	t = lightTree{clusters: b.clusters, alias: buildAlias(byTable), share: float32(1 - rest/all)}
	for i := range t.alias {
		e := &t.alias[i]
		e.Pdf *= 1 - t.share
		e.Trail = b.trails[i]
	}
	return t, nil
}

// gainByPlace is how much less variance direct light would have, but for what is in the way, if lights were chosen by what they send
// to a place in place of by weights: the median over some places on surfaces that are no lamps.
func gainByPlace(triangles []cuda.Triangle, leaves []lightLeaf, weights []float64) float64 {
	const most, least, effort = 64, 8, 1 << 21
	all := 0.0
	for i := range leaves {
		all += weights[leaves[i].light]
	}
	var gains []float64
	places := min(max(effort/len(leaves), least), most, len(triangles))
	for k := range places {
		t := &triangles[int(scrambled(uint32(3*k))%uint32(len(triangles)))]
		if t.Light != cuda.NoLight {
			continue // the lamp itself
		}
		b1, b2 := float32(scrambled(uint32(3*k+1)))/(1<<32), float32(scrambled(uint32(3*k+2)))/(1<<32)
		if b1+b2 > 1 {
			b1, b2 = 1-b1, 1-b2
		}
		at := scene.Wide(mgl32.Vec3(t.V0).Add(mgl32.Vec3(t.E1).Mul(b1)).Add(mgl32.Vec3(t.E2).Mul(b2)))
		sum, squares := 0.0, 0.0
		for i := range leaves {
			sent := leaves[i].sends(at)
			sum += sent
			squares += sent * sent / weights[leaves[i].light]
		}
		if gain := squares * all / (sum * sum); sum > 0 && gain-gain == 0 {
			gains = append(gains, gain)
		}
	}
	if len(gains) == 0 {
		return 0
	}
	slices.Sort(gains)
	return gains[len(gains)/2]
}

// scrambled is k with its bits mixed, so that places are all over the scene (Wellons' lowbias32).
func scrambled(k uint32) uint32 {
	k = (k ^ k>>16) * 0x7feb352d
	k = (k ^ k>>15) * 0x846ca68b
	return k ^ k>>16
}

// sends is about what a light sends to a place, lx.
func (b *lightBounds) sends(to mgl64.Vec3) float64 {
	d := to.Sub(b.center())
	square := d.Dot(d)
	if b.cosNormals < 0 { // in all directions
		return b.intensity / square
	}
	cosine := b.axis.Dot(d) / math.Sqrt(square)
	if b.twoSided {
		cosine = math.Abs(cosine)
	}
	if !(cosine > b.cosEmission) {
		return 0
	}
	return b.intensity * cosine / square
}

// lightBox is the box around some lights, m.
type lightBox struct{ lo, hi mgl64.Vec3 }

// lightBounds is what a cluster of lights sends out.
type lightBounds struct {
	lightBox
	axis        mgl64.Vec3 // of the cone around the directions in which they shine most, unit
	cosNormals  float64    // of half the angle of that cone
	cosEmission float64    // of the angle beyond it up to which they shine
	intensity   float64    // luminance: Σ of their largest intensities, cd
	twoSided    bool       // they shine to the other side as well
}

// lightLeaf is one light.
type lightLeaf struct {
	lightBounds
	bin    lightBin // it alone
	center mgl64.Vec3
	light  uint32
}

func newLightLeaf(light uint32, l *cuda.Light, power float64) lightLeaf {
	at := scene.Wide(l.Position)
	b := lightBounds{lightBox: lightBox{at, at}, axis: mgl64.Vec3{0, 0, 1}, cosNormals: -1, intensity: float64(luminance(l.Intensity))}
	switch l.Kind {
	case cuda.LightTriangle:
		e1, e2 := scene.Wide(l.Direction), scene.Wide(l.Intensity)
		for _, corner := range []mgl64.Vec3{at.Add(e1), at.Add(e2)} {
			b.include(corner, corner)
		}
		b.axis, b.cosNormals = unitOr(e1.Cross(e2), b.axis), 1
		b.intensity = power / math.Pi
		if b.twoSided = l.Material&cuda.TwoSidedBit != 0; b.twoSided {
			b.intensity /= 2 // a side
		}
	case cuda.LightSpot:
		b.axis, b.cosNormals, b.cosEmission = unitOr(scene.Wide(l.Direction), b.axis), 1, float64(l.CosOuter)
	}
	bin := lightBin{lightBox: b.lightBox, intensity: b.intensity, lights: 1}
	if b.cosNormals > 0 && !b.twoSided {
		bin.axes = b.axis
	}
	return lightLeaf{b, bin, b.center(), light}
}

func unitOr(v, otherwise mgl64.Vec3) mgl64.Vec3 {
	if length := v.Len(); length > 0 {
		return v.Mul(1 / length)
	}
	return otherwise
}

func (b *lightBox) include(lo, hi mgl64.Vec3) {
	for a := range 3 {
		b.lo[a], b.hi[a] = min(b.lo[a], lo[a]), max(b.hi[a], hi[a])
	}
}

func (b *lightBounds) finite() bool {
	size := b.hi.Sub(b.lo).Len() + b.lo.Len() + b.intensity
	return size-size == 0
}

func (b *lightBounds) center() mgl64.Vec3 { return b.lo.Add(b.hi).Mul(0.5) }

// join makes them the bounds of both.
func (b *lightBounds) join(o *lightBounds) {
	axis := o.axis
	if b.twoSided && o.twoSided && b.axis.Dot(axis) < 0 {
		axis = axis.Mul(-1)
	}
	b.axis, b.cosNormals = joinCones(b.axis, b.cosNormals, axis, o.cosNormals)
	b.cosEmission = min(b.cosEmission, o.cosEmission)
	b.intensity += o.intensity
	b.twoSided = b.twoSided || o.twoSided
	b.include(o.lo, o.hi)
}

// joinCones is a cone around two.
func joinCones(a mgl64.Vec3, cosA float64, b mgl64.Vec3, cosB float64) (axis mgl64.Vec3, cosine float64) {
	halfA, halfB := math.Acos(cosA), math.Acos(cosB)
	between := math.Acos(mgl64.Clamp(a.Dot(b), -1, 1))
	switch {
	case min(between+halfB, math.Pi) <= halfA:
		return a, cosA
	case min(between+halfA, math.Pi) <= halfB:
		return b, cosB
	}
	half := (halfA + between + halfB) / 2
	around := a.Cross(b)
	if half >= math.Pi || around.Len() == 0 {
		return a, -1
	}
	return mgl64.QuatRotate(half-halfA, around.Normalize()).Rotate(a), math.Cos(half)
}

// cluster is what kernels read of them.
func (b *lightBounds) cluster(child uint32) cuda.LightCluster {
	c := cuda.LightCluster{Center: scene.Single(b.center()), Radius: float32(b.hi.Sub(b.lo).Len() / 2), Axis: scene.Single(b.axis),
		Intensity: float32(b.intensity), Spread: 2, CosEmission: float32(b.cosEmission), Child: child}
	if b.cosNormals > 0 {
		c.Spread = float32(math.Sqrt(1 - b.cosNormals*b.cosNormals))
	}
	if b.twoSided {
		c.TwoSided = 1
	}
	return c
}

// treeBuilder parts lights into clusters, from the root down.
type treeBuilder struct {
	ctx      context.Context
	leaves   []lightLeaf
	clusters []cuda.LightCluster
	trails   []uint32 // by light: the ways to them
}

// branch makes the clusters below a branch, and returns their bounds and the reference to them.
func (b *treeBuilder) branch(leaves []lightLeaf, depth int, trail uint32) (lightBounds, uint32) {
	if len(leaves) == 1 || b.ctx.Err() != nil {
		b.trails[leaves[0].light] = trail
		return leaves[0].lightBounds, cuda.LightLeaf | leaves[0].light
	}
	at := len(b.clusters)
	b.clusters = append(b.clusters, cuda.LightCluster{}, cuda.LightCluster{})
	middle := len(leaves) / 2
	if depth+bits.Len(uint(len(leaves))) < int(cuda.LightTreeDepth) { // else halves alone are sure to end in time
		middle = partLights(leaves)
	}
	bounds, child := b.branch(leaves[:middle], depth+1, trail)
	b.clusters[at] = bounds.cluster(child)
	second, child := b.branch(leaves[middle:], depth+1, trail|1<<depth)
	b.clusters[at+1] = second.cluster(child)
	bounds.join(&second)
	return bounds, uint32(at)
}

// lightBins are the slices of an axis between which lights may be parted.
const lightBins = 12

// partLights puts those of one side first, and returns how many they are: at least one, and not all.
func partLights(leaves []lightLeaf) int {
	around := lightBox{leaves[0].center, leaves[0].center}
	for i := range leaves {
		around.include(leaves[i].center, leaves[i].center)
	}
	lo, extent := around.lo, around.hi.Sub(around.lo)
	longest := max(extent[0], extent[1], extent[2])
	binOf := func(l *lightLeaf, axis int) int {
		return min(int(lightBins*(l.center[axis]-lo[axis])/extent[axis]), lightBins-1)
	}
	bestAxis, bestBin, best := -1, 0, math.Inf(1)
	for axis := range 3 {
		if !(extent[axis] > 0) {
			continue
		}
		var bins [lightBins]lightBin
		for i := range leaves {
			bins[binOf(&leaves[i], axis)].add(&leaves[i].bin)
		}
		for k, cost := range planeCosts(&bins) {
			if cost *= longest / extent[axis]; cost < best {
				bestAxis, bestBin, best = axis, k, cost
			}
		}
	}
	if bestAxis < 0 {
		return len(leaves) / 2 // all at one place
	}
	middle := 0
	for i := range leaves {
		if binOf(&leaves[i], bestAxis) < bestBin {
			leaves[i], leaves[middle] = leaves[middle], leaves[i]
			middle++
		}
	}
	return middle
}

// lightBin gathers the lights of a slice of an axis.
type lightBin struct {
	lightBox
	axes      mgl64.Vec3 // Σ of their axes; those that shine in all directions have none
	intensity float64
	lights    float64
}

func (b *lightBin) add(o *lightBin) {
	if b.lights == 0 {
		*b = *o
		return
	}
	b.include(o.lo, o.hi)
	b.axes = b.axes.Add(o.axes)
	b.intensity += o.intensity
	b.lights += o.lights
}

// cost is how much noise a cluster of these lights brings: the surface area orientation heuristic (§4.4 there), with the squared
// diagonal for the area, which lights in a row have as well, and the mean of the axes for the cone, which takes no angles: as short as
// they are scattered. It is infinite for a side without lights.
func (b *lightBin) cost() float64 {
	if b.lights == 0 {
		return math.Inf(1)
	}
	d := b.hi.Sub(b.lo)
	return b.intensity * (4 - 3*b.axes.Len()/b.lights) * d.Dot(d)
}

// planeCosts is what parting before each bin costs.
func planeCosts(bins *[lightBins]lightBin) (costs [lightBins]float64) {
	var below, above lightBin
	for k := range bins {
		costs[k] = below.cost()
		if bins[k].lights > 0 {
			below.add(&bins[k])
		}
	}
	for k := lightBins - 1; k >= 0; k-- {
		if bins[k].lights > 0 {
			above.add(&bins[k])
		}
		costs[k] += above.cost()
	}
	return costs
}
