package builtin

import "github.com/go-gl/mathgl/mgl32"

// field is a solid as a function of space: about the distance to its surface (m), negative inside.
type field func(p vec3) float32

// ellipsoid is about the distance to one (Quílez, "Ellipsoid SDF": exact on the surface, of the right order near it).
func ellipsoid(center, radii vec3) field {
	return func(p vec3) float32 {
		q := p.Sub(center)
		a := vec3{q[0] / radii[0], q[1] / radii[1], q[2] / radii[2]}
		b := vec3{a[0] / radii[0], a[1] / radii[1], a[2] / radii[2]}
		k0, k1 := a.Len(), b.Len()
		if k1 == 0 {
			return -min(radii[0], radii[1], radii[2])
		}
		return k0 * (k0 - 1) / k1
	}
}

// limb is a rod from a to b whose radius changes from ra to rb.
func limb(a, b vec3, ra, rb float32) field {
	along := b.Sub(a)
	scale := 1 / along.Dot(along)
	return func(p vec3) float32 {
		q := p.Sub(a)
		t := min(max(q.Dot(along)*scale, 0), 1)
		return q.Sub(along.Mul(t)).Len() - (ra + (rb-ra)*t)
	}
}

// mirrored is a part and its image across x = 0.
func mirrored(f field) field {
	return func(p vec3) float32 {
		if p[0] < 0 {
			p[0] = -p[0]
		}
		return f(p)
	}
}

// melted joins parts, with fillets about as wide as k, m (polynomial smooth minimum).
func melted(k float32, parts ...field) field {
	return func(p vec3) float32 {
		d := parts[0](p)
		for _, f := range parts[1:] {
			e := f(p)
			h := max(k-mgl32.Abs(d-e), 0) / k
			d = min(d, e) - h*h*k/4
		}
		return d
	}
}

// carved takes tools away from a solid, with edges rounded by k, m.
func carved(k float32, solid field, tools ...field) field {
	return func(p vec3) float32 {
		d := solid(p)
		for _, f := range tools {
			e := -f(p)
			h := max(k-mgl32.Abs(d-e), 0) / k
			d = max(d, e) + h*h*k/4
		}
		return d
	}
}

// gradient is the field's by differences over a tetrahedron of size e, m.
func (f field) gradient(p vec3, e float32) vec3 {
	var g vec3
	for _, k := range [4]vec3{{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}} {
		g = g.Add(k.Mul(f(p.Add(k.Mul(e)))))
	}
	return g.Mul(1 / (4 * e))
}

// onto moves p to the surface nearby: one step of Newton's method along the gradient.
func (f field) onto(p vec3, e float32) vec3 {
	g := f.gradient(p, e)
	return p.Sub(g.Mul(f(p) / max(g.Dot(g), 0.1)))
}

// within tells of a far part no more than how far it is: nothing of it lies outside a ball, and near the ball all of it counts.
func within(center vec3, radius float32, f field) field {
	const near = 0.15 // m, more than any fillet is wide
	return func(p vec3) float32 {
		if d := p.Sub(center).Len() - radius; d > near {
			return d
		}
		return f(p)
	}
}
