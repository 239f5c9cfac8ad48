package cuda_test

import (
	"math"

	"glint/cuda/probe"
)

// sphereGrid divides the sphere into bins of polar angle and azimuth, in each hemisphere dense around one direction.
type sphereGrid struct {
	n      int // bins each way and hemisphere
	halves [2]halfGrid
}

// halfGrid is one hemisphere: edges lie evenly in the inverse hyperbolic sine of the distance to the peak.
type halfGrid struct {
	theta, phi   axis
	lower        bool
	phiP, thetaP float64
}

// axis maps bins to an interval [lo, hi] around a peak at 0.
type axis struct{ width, lo, hi float64 }

func (a axis) at(x float64) float64 {
	l, h := math.Asinh(a.lo/a.width), math.Asinh(a.hi/a.width)
	return a.width * math.Sinh(l+(h-l)*x)
}

func (a axis) where(v float64) float64 {
	l, h := math.Asinh(a.lo/a.width), math.Asinh(a.hi/a.width)
	return (math.Asinh(v/a.width) - l) / (h - l)
}

// newSphereGrid is dense around `up` above and `down` below, where lobes are about width wide [rad].
func newSphereGrid(n int, up, down [3]float64, width float64) sphereGrid {
	g := sphereGrid{n: n}
	for i, peak := range [2][3]float64{up, down} {
		theta := math.Acos(max(-1, min(1, peak[2])))
		lo, hi := 0.0, math.Pi/2
		if i == 1 {
			lo, hi = math.Pi/2, math.Pi
		}
		theta = max(lo, min(hi, theta))
		spread := width / max(math.Sin(theta), width)
		g.halves[i] = halfGrid{
			theta: axis{width, lo - theta, hi - theta}, phi: axis{spread, -math.Pi, math.Pi},
			lower: i == 1, phiP: math.Atan2(peak[1], peak[0]), thetaP: theta,
		}
	}
	return g
}

func (g sphereGrid) bins() int { return 2 * g.n * g.n }

// bin is where direction d falls.
func (g sphereGrid) bin(d [3]float32) int {
	half := 0
	if d[2] < 0 {
		half = 1
	}
	h := g.halves[half]
	theta := math.Atan2(math.Hypot(float64(d[0]), float64(d[1])), float64(d[2]))
	phi := math.Remainder(math.Atan2(float64(d[1]), float64(d[0]))-h.phiP, 2*math.Pi)
	n := float64(g.n)
	i := max(0, min(n-1, math.Floor(h.theta.where(theta-h.thetaP)*n)))
	j := max(0, min(n-1, math.Floor(h.phi.where(phi)*n)))
	return (half*g.n+int(i))*g.n + int(j)
}

// cell is a rectangle of polar angle and azimuth inside a bin, with its integral as known so far.
type cell struct {
	bin                    int
	theta0, theta1         float64
	phi0, phi1, integrated float64
}

func (g sphereGrid) cells() []cell {
	var cells []cell
	for half, h := range g.halves {
		for i := range g.n {
			for j := range g.n {
				at := func(a axis, k int) float64 { return a.at(float64(k) / float64(g.n)) }
				cells = append(cells, cell{
					bin:    (half*g.n+i)*g.n + j,
					theta0: h.thetaP + at(h.theta, i), theta1: h.thetaP + at(h.theta, i+1),
					phi0: h.phiP + at(h.phi, j), phi1: h.phiP + at(h.phi, j+1),
				})
			}
		}
	}
	return cells
}

// measure fills in each cell's integral of the BSDF's pdf by Gauss and Legendre's rule of four points both ways.
func measure(p *probe.Point, cells []cell) {
	gaussPoints := [4]float64{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526}
	gaussWeights := [4]float64{0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538}
	directions := make([][3]float32, 0, 16*len(cells))
	weights := make([]float64, 0, 16*len(cells))
	for _, c := range cells {
		for i, x := range gaussPoints {
			theta := (c.theta0+c.theta1)/2 + x*(c.theta1-c.theta0)/2
			sin, cos := math.Sincos(theta)
			for j, y := range gaussPoints {
				s, k := math.Sincos((c.phi0+c.phi1)/2 + y*(c.phi1-c.phi0)/2)
				directions = append(directions, [3]float32{float32(sin * k), float32(sin * s), float32(cos)})
				weights = append(weights, gaussWeights[i]*gaussWeights[j]*sin*(c.theta1-c.theta0)*(c.phi1-c.phi0)/4)
			}
		}
	}
	for i, v := range p.Eval(directions) {
		cells[i/16].integrated += float64(v.Pdf) * weights[i]
	}
}

// integratePdf is the probability of each bin, by halving cells both ways until that changes nothing. Cells where the pdf
// jumps never settle: what they changed last is the doubt.
func (g sphereGrid) integratePdf(p *probe.Point) (probability []float64, doubt float64) {
	const tolerance, shallowest, deepest = 1e-7, 2, 7
	probability = make([]float64, g.bins())
	cells := g.cells()
	measure(p, cells)
	for level := 0; len(cells) > 0; level++ {
		var quarters []cell
		for _, c := range cells {
			thetaM, phiM := (c.theta0+c.theta1)/2, (c.phi0+c.phi1)/2
			quarters = append(quarters, cell{c.bin, c.theta0, thetaM, c.phi0, phiM, 0}, cell{c.bin, thetaM, c.theta1, c.phi0, phiM, 0},
				cell{c.bin, c.theta0, thetaM, phiM, c.phi1, 0}, cell{c.bin, thetaM, c.theta1, phiM, c.phi1, 0})
		}
		measure(p, quarters)
		var next []cell
		for i, c := range cells {
			q := quarters[4*i : 4*i+4]
			sum := q[0].integrated + q[1].integrated + q[2].integrated + q[3].integrated
			change := math.Abs(sum - c.integrated)
			if settled := change < tolerance+1e-6*sum; level < shallowest || !settled && level < deepest {
				next = append(next, q...)
				continue
			} else if !settled {
				doubt += change
			}
			probability[c.bin] += sum
		}
		cells = next
	}
	return probability, doubt
}
