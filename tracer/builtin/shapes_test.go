package builtin

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// volume is the signed volume inside a closed mesh, m³: positive when its faces look outwards (divergence theorem).
func volume(m mesh) float64 {
	var sum float64
	for _, f := range m.faces {
		p, q, r := m.vertices[f[0]].Position, m.vertices[f[1]].Position, m.vertices[f[2]].Position
		sum += float64(p.Dot(q.Cross(r))) / 6
	}
	return sum
}

func TestSolidsAreClosedAndLookOutwards(t *testing.T) {
	d := carver{steps: 2, segments: 32}
	for _, test := range []struct {
		name       string
		m          mesh
		volume, by float64 // within a fraction
		closed     bool
	}{
		{"box", box(mgl32.Vec3{1, 2, 3}), 6, 1e-5, true},
		{"sphere", sphere(1, 64), 4 * math.Pi / 3, 0.01, true},
		{"cross", cross(0), 0.0174 * 0.05, 0.1, true},
		{"merlon", arcBlock(0.19, 0.272, 0, 0.1, 0.6, 6), 0.3 * (0.272*0.272 - 0.19*0.19) * 0.1, 0.01, true},
		{"horse", d.horse(), 0.078, 0.05, true},
		{"mane", d.mane(), 0.0026, 0.2, true},
		{"ear", d.ear(), 0.0002, 0.5, false},
		{"pawn", d.turn(pawnProfile()), 0.0828, 0.05, true},
		{"king", d.turn(kingProfile()), 0.254, 0.05, true},
		{"rook", d.turn(rookProfile()), 0.176, 0.05, true},
		{"knight's foot", d.turn(knightProfile()), 0.0937, 0.05, true},
	} {
		v := volume(test.m)
		if math.Abs(v/test.volume-1) > test.by {
			t.Errorf("%s: volume %g, want %g", test.name, v, test.volume)
		}
		if !test.closed {
			continue
		}
		var faces []scene.Face
		for _, f := range test.m.faces {
			faces = append(faces, scene.Face{V: f})
		}
		checkClosed(t, test.m.vertices, faces)
	}
}

func TestSphereNormalsAreExact(t *testing.T) {
	for _, v := range sphere(0.3, 24).vertices {
		if d := v.Position.Mul(1 / 0.3).Sub(v.Normal).Len(); d > 1e-6 {
			t.Fatalf("normal %v at %v", v.Normal, v.Position)
		}
	}
}

// The bitangent of a normal map points up in the image: against the way v grows (glTF 2.0 §3.9.3).
func TestTangentFrames(t *testing.T) {
	d := carver{steps: 2, segments: 24}
	for name, m := range map[string]mesh{
		"quad": boxSide(mgl32.Vec3{}, mgl32.Vec3{1, 1, 1}, left, true), "sphere": sphere(1, 24), "pawn": d.turn(pawnProfile()),
		"horse": d.horse(), "frame": boardFrame(2),
	} {
		wrong := 0
		for _, f := range m.faces {
			a, b, c := m.vertices[f[0]], m.vertices[f[1]], m.vertices[f[2]]
			e1, e2 := b.Position.Sub(a.Position), c.Position.Sub(a.Position)
			s1, s2 := b.UV[0].Sub(a.UV[0]), c.UV[0].Sub(a.UV[0])
			det := s1[0]*s2[1] - s1[1]*s2[0]
			dpdu := e1.Mul(s2[1] / det).Sub(e2.Mul(s1[1] / det))
			dpdv := e2.Mul(s1[0] / det).Sub(e1.Mul(s2[0] / det))
			n := a.Normal.Add(b.Normal).Add(c.Normal)
			tangent := a.Tangent.Vec3().Add(b.Tangent.Vec3()).Add(c.Tangent.Vec3())
			if tangent.Dot(dpdu) <= 0 || n.Cross(tangent).Mul(a.Tangent[3]).Dot(dpdv) >= 0 {
				wrong++
			}
		}
		if wrong*50 > len(m.faces) { // a few slivers at poles
			t.Errorf("%s: %d of %d faces have a wrong frame", name, wrong, len(m.faces))
		}
	}
}

func TestSampleMeetsItsKnots(t *testing.T) {
	k := kingProfile()
	p := sample(k, 3)
	var s float64
	for i, run := range p {
		if i > 0 {
			last := p[i-1][len(p[i-1])-1]
			if last.r != run[0].r || last.y != run[0].y {
				t.Fatalf("run %d starts at %v, the one before ends at %v", i, run[0], last)
			}
		}
		for _, q := range run {
			if math.Abs(math.Hypot(q.nr, q.ny)-1) > 1e-9 || q.s < s || q.r < 0 {
				t.Fatalf("point %+v after length %g", q, s)
			}
			s = q.s
		}
	}
	end := p[len(p)-1]
	if last := end[len(end)-1]; last.r != 0 || last.y != k[len(k)-1].y {
		t.Errorf("the outline ends at %+v", last)
	}
}

func TestPosition(t *testing.T) {
	men := position(operaGame)
	count := map[rune]int{}
	for _, m := range men {
		if m.file < 0 || m.file > 7 || m.rank < 0 || m.rank > 7 {
			t.Errorf("%c stands at %d, %d", m.kind, m.file, m.rank)
		}
		count[m.kind]++
	}
	if len(men) != 28 || count['k'] != 2 || count['q'] != 2 || count['p'] != 14 {
		t.Errorf("%d men: %v", len(men), count)
	}
	if first := men[0]; first != (chessman{'r', false, 0, 7}) {
		t.Errorf("first man %+v", first)
	}
}

func TestTexturesTile(t *testing.T) {
	for _, p := range chessPaintings() {
		img := p.run()
		inner, seam := 0.0, 0.0
		n := img.Width
		at := func(x, y int) float64 { return float64(img.Pixels[4*(y*n+x)+1]) }
		for i := range n {
			inner += math.Abs(at(n/2, i)-at(n/2-1, i)) + math.Abs(at(i, n/2)-at(i, n/2-1))
			seam += math.Abs(at(0, i)-at(n-1, i)) + math.Abs(at(i, 0)-at(i, n-1))
		}
		if seam > 3*inner+float64(n) {
			t.Errorf("%s: the seam differs by %g where the middle differs by %g", p.name, seam/float64(n), inner/float64(n))
		}
	}
}

// Refraction shows each facet of the crystal pawns: neighbouring ones on a smooth stretch may differ little.
func TestCrystalIsCutFine(t *testing.T) {
	const limit = 12 // degrees
	fine := newCarver(recipes()[0].Triangles).fine()
	for _, run := range sample(pawnProfile(), fine.steps) {
		for i := range len(run) - 1 {
			cos := run[i].nr*run[i+1].nr + run[i].ny*run[i+1].ny
			if angle := math.Acos(min(cos, 1)) * 180 / math.Pi; angle > limit {
				t.Errorf("at height %.3f facets differ by %.0f°, want at most %d°", run[i].y, angle, limit)
			}
		}
	}
	if angle := 360 / fine.segments; angle > limit {
		t.Errorf("facets around differ by %d°, want at most %d°", angle, limit)
	}
}
