package integrator_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// walker follows light through a sphere of one colour by rules of its own: radius 0.5 m around the origin, smooth.
type walker struct {
	*rand.Rand
	sigmaT, albedo, g, ior float64
}

const walkerRadius = 0.5

// exit is how far a ray from inside goes to the surface, m.
func exit(p, d mgl64.Vec3) float64 {
	b := p.Dot(d)
	return -b + math.Sqrt(max(b*b-p.Dot(p)+walkerRadius*walkerRadius, 0))
}

// reflects decides at random, by Fresnel's equations, whether the ray stays on its side of the surface; n is the normal
// there, eta the index beyond over the index before. Else refracted is its direction beyond.
func (w *walker) reflects(d, n mgl64.Vec3, eta float64) (refracted mgl64.Vec3, stays bool) {
	if eta == 1 {
		return d, false
	}
	cos := -d.Dot(n)
	sin2 := (1 - cos*cos) / (eta * eta)
	if sin2 >= 1 {
		return d, true
	}
	cosT := math.Sqrt(1 - sin2)
	s, p := (cos-eta*cosT)/(cos+eta*cosT), (eta*cos-cosT)/(eta*cos+cosT)
	if w.Float64() < (s*s+p*p)/2 {
		return d, true
	}
	return d.Mul(1 / eta).Add(n.Mul(cos/eta - cosT)).Normalize(), false
}

func mirror(d, n mgl64.Vec3) mgl64.Vec3 { return d.Sub(n.Mul(2 * d.Dot(n))) }

// turn draws a direction by Henyey and Greenstein's density, for a g that is not 0.
func (w *walker) turn(d mgl64.Vec3) mgl64.Vec3 {
	root := (1 - w.g*w.g) / (1 - w.g + 2*w.g*w.Float64())
	z, azimuth := (1+w.g*w.g-root*root)/(2*w.g), 2*math.Pi*w.Float64()
	other := mgl64.Vec3{1, 0, 0}
	if math.Abs(d[0]) > 0.9 {
		other = mgl64.Vec3{0, 1, 0}
	}
	x := d.Cross(other).Normalize()
	sin := math.Sqrt(max(1-z*z, 0))
	return d.Mul(z).Add(x.Mul(sin * math.Cos(azimuth))).Add(d.Cross(x).Mul(sin * math.Sin(azimuth)))
}

// radiance walks from outside along d, which meets the sphere at p, until it leaves.
func (w *walker) radiance(p, d mgl64.Vec3, sky func(mgl64.Vec3) float64) float64 {
	n := p.Normalize()
	d, stays := w.reflects(d, n, w.ior)
	if stays {
		return sky(mirror(d, n))
	}
	for weight := 1.0; ; {
		s := -math.Log(1-w.Float64()) / w.sigmaT
		if end := exit(p, d); s >= end {
			p = p.Add(d.Mul(end))
			n := p.Normalize().Mul(-1)
			out, stays := w.reflects(d, n, 1/w.ior)
			if !stays {
				return weight * sky(out)
			}
			d = mirror(d, n)
			continue
		}
		p = p.Add(d.Mul(s))
		weight *= w.albedo
		d = w.turn(d)
	}
}

// walked is the mean radiance over a square picture of the sphere's middle, and its standard error. Where few walks see enough, there are
// no more of them.
func (w *walker) walked(c walkCase, sky func(mgl64.Vec3) float64) (mean, deviation float64) {
	const most = 500_000
	half := math.Tan(c.vfov / 2 * math.Pi / 180)
	eye := mgl64.Vec3{0, 0, 2}
	sum, squares := 0.0, 0.0
	for walks := 1.0; walks <= most; walks++ {
		d := mgl64.Vec3{half * (2*w.Float64() - 1), half * (2*w.Float64() - 1), -1}.Normalize()
		b := eye.Dot(d)
		p := eye.Add(d.Mul(-b - math.Sqrt(b*b-4+walkerRadius*walkerRadius)))
		L := w.radiance(p, d, sky)
		sum += L
		squares += L * L
		mean = sum / walks
		deviation = math.Sqrt(max(squares/walks-mean*mean, 0) / walks)
		if walks >= most/4 && walkBound(deviation) < 0.008*mean {
			break
		}
	}
	return mean, deviation
}

// walkBound is how far from the walks a picture may be that has about as many paths.
func walkBound(deviation float64) float64 { return 4*math.Sqrt2*deviation + 1e-4 }

type walkCase struct {
	volume
	vfov float64 // degrees
}

// TestMediaAgreeWithWalks compares pictures of a sphere under a sky brighter behind it with random walks that share no code
// with the kernels: one colour at a time, the sphere by its formula.
func TestMediaAgreeWithWalks(t *testing.T) {
	forward := volume{sigmaT: [3]float64{3, 6, 10}, albedo: [3]float64{0.95, 0.8, 0.9}, g: 0.6, ior: 1}
	back := volume{sigmaT: [3]float64{2, 2, 12}, albedo: [3]float64{0.5, 0.9, 0.7}, g: -0.4, ior: 1}
	glassy := forward
	glassy.ior = 1.5
	for _, c := range []walkCase{{forward, 16}, {back, 16}, {glassy, 4}} {
		t.Run(fmt.Sprint(c.volume), func(t *testing.T) {
			tracertest.Parallel(t)
			s := tracertest.Builtin(t, "white-furnace", builtin.Options{Material: c.applyTo, Triangles: 100_000})
			s.Cameras[0].VFov = float32(c.vfov)
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 16, Height: 16,
				Samples: 1536, Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces, o.Roulette = 256, false })}
			fx := tracertest.OnBestBackend(t).Use(s, leaning(mgl32.Vec3{0.2, 0.1, -0.8}))
			got := tracertest.Mean(fx.Render(v))
			sky := func(d mgl64.Vec3) float64 { return 1 + d.Dot(mgl64.Vec3{0.2, 0.1, -0.8}) }
			for channel := range 3 {
				w := &walker{rand.New(rand.NewPCG(1, uint64(channel))), c.sigmaT[channel], c.albedo[channel], c.g, float64(c.ior)}
				want, deviation := w.walked(c, sky)
				bound := walkBound(deviation)
				t.Logf("channel %d: %.4f, walks say %.4f ± %.4f", channel, got[channel], want, deviation)
				if math.Abs(got[channel]-want) > bound {
					t.Errorf("channel %d: %.4f, want %.4f within %.4f", channel, got[channel], want, bound)
				}
				if bound > 0.01*want {
					t.Errorf("channel %d: the bound %.4f does not see 1 %% of %.4f", channel, bound, want)
				}
			}
		})
	}
}

// TestSingleScattering compares a sphere under an even sky, seen through its centre and scattering once at most, with the
// integral over where along the diameter and where to:
//
//	L = e^−2σr + a ∫₀²ʳ σ e^−σs ∫₋₁¹ 2π p(μ) e^−σ·exit(s, μ) dμ ds
func TestSingleScattering(t *testing.T) {
	for _, v := range []volume{gray(0.5, 0.9, 0), gray(2, 0.7, 0.5), gray(4, 1, -0.6)} {
		s := tracertest.Builtin(t, "white-furnace", builtin.Options{Material: v.applyTo, Triangles: 100_000})
		s.Cameras[0].VFov = 0.5
		const event = 1 // the volume's surface takes no bounce
		img := tracertest.OnCPU(t).Use(s, tracertest.Constant(1)).Render(tracertest.Shot{Camera: s.Cameras[0], Width: 16, Height: 16, Samples: 1024,
			Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces, o.Roulette = event, false })})
		got, want := tracertest.Mean(img)[1], singleScattering(v.sigmaT[0], v.albedo[0], v.g)
		t.Logf("%.4f, want %.4f", got, want)
		if math.Abs(got/want-1) > 0.004 {
			t.Errorf("%v: %.4f, want %.4f", v, got, want)
		}
	}
}

func singleScattering(sigma, albedo, g float64) float64 {
	const steps = 1000
	L := math.Exp(-2 * walkerRadius * sigma)
	for i := range steps {
		s := 2 * walkerRadius * (float64(i) + 0.5) / steps
		for j := range steps {
			mu := 2*(float64(j)+0.5)/steps - 1
			density := (1 - g*g) / 2 * math.Pow(1+g*g-2*g*mu, -1.5)
			left := exit(mgl64.Vec3{0, 0, s - walkerRadius}, mgl64.Vec3{math.Sqrt(1 - mu*mu), 0, mu})
			L += albedo * sigma * math.Exp(-sigma*(s+left)) * density * 2 * walkerRadius / steps * 2 / steps
		}
	}
	return L
}
