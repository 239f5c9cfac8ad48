package tracer

import (
	"glint/tracer/settings"

	"github.com/go-gl/mathgl/mgl64"
)

// xyToXYZ is the tristimulus of a chromaticity, of luminance 1.
func xyToXYZ(x, y float64) mgl64.Vec3 { return mgl64.Vec3{x / y, 1, (1 - x - y) / y} }

// chromaticity of white light of a temperature (K): below 4000 K a glowing body's (Kim et al. 2002, US 7024034), from 5000 K
// daylight's (CIE 15:2004, equations 3.3 and 3.4), and from one to the other between.
func chromaticity(kelvin float64) (x, y float64) {
	x, y = planckian(kelvin)
	t := min(max((kelvin-4000)/1000, 0), 1)
	if t > 0 {
		dx, dy := daylight(kelvin)
		t *= t * (3 - 2*t)
		x, y = x+(dx-x)*t, y+(dy-y)*t
	}
	return x, y
}

// planckian is a cubic fit, from 1667 to 25000 K.
func planckian(kelvin float64) (x, y float64) {
	u := 1000 / kelvin
	if kelvin <= 4000 {
		x = ((-0.2661239*u-0.2343589)*u+0.8776956)*u + 0.179910
	} else {
		x = ((-3.0258469*u+2.1070379)*u+0.2226347)*u + 0.240390
	}
	switch {
	case kelvin <= 2222:
		y = ((-1.1063814*x-1.34811020)*x+2.18555832)*x - 0.20219683
	case kelvin <= 4000:
		y = ((-0.9549476*x-1.37418593)*x+2.09137015)*x - 0.16748867
	default:
		y = ((3.0817580*x-5.87338670)*x+3.75112997)*x - 0.37001483
	}
	return x, y
}

// daylight is defined from 4000 to 25000 K. The names of illuminants are of a time when Planck's second constant was
// 1.438 cm K: D65 has 6504 K.
func daylight(kelvin float64) (x, y float64) {
	u := 1000 / (kelvin * 1.4388 / 1.438)
	if kelvin <= 7000 {
		x = ((-4.6070*u+2.9678)*u+0.09911)*u + 0.244063
	} else {
		x = ((-2.0064*u+1.9018)*u+0.24748)*u + 0.237040
	}
	return x, (-3*x+2.870)*x - 0.275
}

// uvOf and xyOf go to CIE 1960 uv and back, where distances from the curve of temperatures are measured.
func uvOf(x, y float64) mgl64.Vec2 {
	d := -2*x + 12*y + 3
	return mgl64.Vec2{4 * x / d, 6 * y / d}
}

func xyOf(uv mgl64.Vec2) (x, y float64) {
	d := 2*uv[0] - 8*uv[1] + 4
	return 3 * uv[0] / d, 2 * uv[1] / d
}

// tintScale is how many steps of tint there are to a unit of uv.
const tintScale = 3000

// whiteOf is the light of a temperature, moved off the curve of temperatures by so much tint, towards green.
func whiteOf(kelvin, tint float64) mgl64.Vec3 {
	const apart = 1 // K, to find the curve's direction
	at, next := uvOf(chromaticity(kelvin)), uvOf(chromaticity(kelvin+apart))
	along := next.Sub(at).Normalize() // towards blue, that is to lower u
	green := mgl64.Vec2{along[1], -along[0]}
	return xyToXYZ(xyOf(at.Add(green.Mul(tint / tintScale))))
}

// bradford are the cones that the eye's adaptation is modelled with (Lam 1985; ICC.1:2010, annex E).
func bradford() mgl64.Mat3 {
	return mgl64.Mat3FromRows(mgl64.Vec3{0.8951, 0.2664, -0.1614}, mgl64.Vec3{-0.7502, 1.7135, 0.0367}, mgl64.Vec3{0.0389, -0.0685, 1.0296})
}

// adaptation turns colours seen in one white light into those that look alike in another (XYZ).
func adaptation(from, to mgl64.Vec3) mgl64.Mat3 {
	cones := bradford()
	a, b := cones.Mul3x1(from), cones.Mul3x1(to)
	gains := mgl64.Diag3(mgl64.Vec3{b[0] / a[0], b[1] / a[1], b[2] / a[2]})
	return cones.Inv().Mul3(gains).Mul3(cones)
}

// rec709ToXYZ follows from the primaries and the white of ITU-R BT.709.
func rec709ToXYZ() mgl64.Mat3 {
	primaries := mgl64.Mat3FromCols(xyToXYZ(0.64, 0.33), xyToXYZ(0.30, 0.60), xyToXYZ(0.15, 0.06))
	shares := primaries.Inv().Mul3x1(xyToXYZ(0.3127, 0.3290))
	return primaries.Mul3(mgl64.Diag3(shares))
}

// balance turns linear Rec.709 so that light of a temperature and a tint becomes neutral. White keeps its luminance.
func balance(kelvin, tint float64) mgl64.Mat3 {
	space := rec709ToXYZ()
	return space.Inv().Mul3(adaptation(whiteOf(kelvin, tint), whiteOf(settings.NeutralWhite, 0))).Mul3(space)
}

// balanceRows are the rows of that matrix as kernels take them.
func balanceRows(kelvin, tint float64) (red, green, blue [3]float32) {
	m := balance(kelvin, tint)
	rows := [3][3]float32{}
	for i := range rows {
		for j := range rows[i] {
			rows[i][j] = float32(m.At(i, j))
		}
	}
	return rows[0], rows[1], rows[2]
}
