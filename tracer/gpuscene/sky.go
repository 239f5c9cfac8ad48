package gpuscene

import (
	"errors"
	"math"
	"strconv"

	"github.com/go-gl/mathgl/mgl32"
)

// Sky is clear daylight: the sky after Preetham, Shirley and Smits 1999, "A Practical Analytic Model for Daylight", with the sun
// in it and ground below the horizon. It is scaled so that a white matt surface that faces the sun sends 1 nit.
type Sky struct {
	Elevation float64 // of the sun above the horizon, degrees: 0 to 90
	Turbidity float64 // haze: 2 is very clear, 10 hazy
}

// DefaultSky is a clear afternoon.
var DefaultSky = Sky{Elevation: 40, Turbidity: 3}

const (
	skyWidth, skyHeight = 1024, 512
	sunRadius           = 0.00465 // rad
	sunAzimuth          = -2.2    // of the image, rad: over the left shoulder of a viewer who looks along −Z
	sunIlluminance      = 128e3   // above the atmosphere, lx
	groundAlbedo        = 0.22
)

// makeSky makes "sky" or "sky:ELEVATION", degrees.
func makeSky(elevation string, given bool) (*Environment, error) {
	s := DefaultSky
	if given {
		x, err := strconv.ParseFloat(elevation, 64)
		if err != nil || !(x >= 0 && x <= 90) {
			return nil, errors.New("write sky:ELEVATION with the sun's elevation from 0 to 90 degrees, such as sky:30")
		}
		s.Elevation = x
	}
	return s.Environment(), nil
}

// Environment is an image of the sky.
func (s Sky) Environment() *Environment {
	model := newSkyModel(s)
	e := &Environment{Width: skyWidth, Height: skyHeight, Pixels: make([]float32, 3*skyWidth*skyHeight)}
	for y := range skyHeight {
		for x := range skyWidth {
			model.radiance(directionOf(x, y, skyWidth, skyHeight)).put(e, x, y, 1)
		}
	}
	model.addSun(e)
	facing := irradiance(e, model.sun)
	for i := range e.Pixels {
		e.Pixels[i] *= float32(math.Pi / facing)
	}
	return e
}

// rgb is linear Rec.709.
type rgb [3]float64

// put adds a share of a colour to a texel.
func (c rgb) put(e *Environment, x, y int, share float64) {
	for i, v := range c {
		e.Pixels[3*(y*e.Width+x)+i] += float32(v * share)
	}
}

// directionOf is the direction of a texel's middle: u = atan2(z, x)/2π + ½.
func directionOf(x, y, width, height int) mgl32.Vec3 {
	sin, cos := math.Sincos(math.Pi * (float64(y) + 0.5) / float64(height))
	sinU, cosU := math.Sincos(2 * math.Pi * ((float64(x)+0.5)/float64(width) - 0.5))
	return mgl32.Vec3{float32(sin * cosU), float32(cos), float32(sin * sinU)}
}

// irradiance is the luminance that arrives on a surface, times cosine and solid angle [lx].
func irradiance(e *Environment, normal mgl32.Vec3) (sum float64) {
	solid := 2 * math.Pi * math.Pi / float64(e.Width) / float64(e.Height)
	for y := range e.Height {
		sin := math.Sin(math.Pi * (float64(y) + 0.5) / float64(e.Height))
		for x := range e.Width {
			if cos := directionOf(x, y, e.Width, e.Height).Dot(normal); cos > 0 {
				at := 3 * (y*e.Width + x)
				sum += float64(luminance(mgl32.Vec3{e.Pixels[at], e.Pixels[at+1], e.Pixels[at+2]})*cos) * sin * solid
			}
		}
	}
	return sum
}

// perez are the coefficients A to E of Perez's distribution of luminance and of chromaticities over the sky.
type perez [5]float64

// at is the distribution in a direction at the angle θ from the zenith and γ from the sun (equation 3).
func (p perez) at(cosTheta, gamma float64) float64 {
	cos := math.Cos(gamma)
	return (1 + p[0]*math.Exp(p[1]/max(cosTheta, 0.01))) * (1 + p[2]*math.Exp(p[3]*gamma) + p[4]*cos*cos)
}

// skyModel is a sky ready to be looked at. All of its numbers are those of the paper's appendix.
type skyModel struct {
	sun         mgl32.Vec3
	angle       float64 // of the sun from the zenith, rad
	turbidity   float64
	channels    [3]perez   // of Y, x, y
	zenith      [3]float64 // Y [cd/m²], x, y, over the distribution there
	ground      rgb        // radiance [nit]
	sunRadiance rgb        // times its solid angle: irradiance [lx]
}

func newSkyModel(s Sky) *skyModel {
	t, angle := s.Turbidity, (90-s.Elevation)*math.Pi/180
	m := &skyModel{angle: angle, turbidity: t, channels: [3]perez{
		{0.1787*t - 1.4630, -0.3554*t + 0.4275, -0.0227*t + 5.3251, 0.1206*t - 2.5771, -0.0670*t + 0.3703},
		{-0.0193*t - 0.2592, -0.0665*t + 0.0008, -0.0004*t + 0.2125, -0.0641*t - 0.8989, -0.0033*t + 0.0452},
		{-0.0167*t - 0.2608, -0.0950*t + 0.0092, -0.0079*t + 0.2102, -0.0441*t - 1.6537, -0.0109*t + 0.0529},
	}}
	sin, cos := math.Sincos(angle)
	m.sun = mgl32.Vec3{float32(sin * math.Cos(sunAzimuth)), float32(cos), float32(-sin * math.Sin(sunAzimuth))}
	chi := (4.0/9 - t/120) * (math.Pi - 2*angle)
	m.zenith = [3]float64{
		1000 * max((4.0453*t-4.9710)*math.Tan(chi)-0.2155*t+2.4192, 0.05),
		chromaticity(t, angle, [3][4]float64{{0.00166, -0.00375, 0.00209, 0}, {-0.02903, 0.06377, -0.03202, 0.00394}, {0.11693, -0.21196, 0.06052, 0.25886}}),
		chromaticity(t, angle, [3][4]float64{{0.00275, -0.00610, 0.00317, 0}, {-0.04214, 0.08970, -0.04153, 0.00516}, {0.15346, -0.26756, 0.06670, 0.26688}}),
	}
	for i, c := range m.channels {
		m.zenith[i] /= c.at(1, angle)
	}
	m.sunRadiance = m.sunlight()
	m.ground = m.groundRadiance()
	return m
}

// chromaticity is that of the zenith: a polynomial of turbidity (rows, squares first) and of the sun's angle (cubes first).
func chromaticity(t, angle float64, rows [3][4]float64) float64 {
	var sum float64
	for _, row := range rows {
		sum = sum*t + ((row[0]*angle+row[1])*angle+row[2])*angle + row[3]
	}
	return sum
}

// sunlight is what arrives of the sun through the air, by Rayleigh's and Ångström's scattering at three wavelengths.
func (m *skyModel) sunlight() (c rgb) {
	degrees := m.angle * 180 / math.Pi
	mass := 1 / (max(math.Cos(m.angle), 0) + 0.15*math.Pow(93.885-min(degrees, 93), -1.253))
	haze := max(0.04608*m.turbidity-0.04586, 0)
	for i, wavelength := range []float64{0.61, 0.55, 0.465} { // µm
		c[i] = sunIlluminance * math.Exp(-mass*(0.008735*math.Pow(wavelength, -4.08)+haze*math.Pow(wavelength, -1.3)))
	}
	return c
}

// sky is the radiance of the sky in a direction above the horizon.
func (m *skyModel) sky(d mgl32.Vec3) rgb {
	gamma := math.Acos(min(max(float64(d.Dot(m.sun)), -1), 1))
	var v [3]float64
	for i, c := range m.channels {
		v[i] = max(m.zenith[i]*c.at(float64(d[1]), gamma), 1e-3)
	}
	lum, x, y := v[0], v[1], v[2]
	bigX, bigZ := lum*x/y, lum*(1-x-y)/y
	return rgb{ // Rec.709 of CIE XYZ (IEC 61966-2-1)
		max(3.2406*bigX-1.5372*lum-0.4986*bigZ, 0), max(-0.9689*bigX+1.8758*lum+0.0415*bigZ, 0),
		max(0.0557*bigX-0.2040*lum+1.0570*bigZ, 0),
	}
}

// groundRadiance is that of matt ground under this sky.
func (m *skyModel) groundRadiance() (c rgb) {
	const rows, columns = 24, 48
	up := max(float64(m.sun[1]), 0)
	for i := range c {
		c[i] = m.sunRadiance[i] * up
	}
	for y := range rows / 2 {
		sin, cos := math.Sincos(math.Pi * (float64(y) + 0.5) / rows)
		for x := range columns {
			for i, v := range m.sky(directionOf(x, y, columns, rows)) {
				c[i] += v * sin * cos * 2 * math.Pi * math.Pi / rows / columns
			}
		}
	}
	for i := range c {
		c[i] *= groundAlbedo / math.Pi
	}
	return c
}

// radiance is that of sky or ground, with haze between them.
func (m *skyModel) radiance(d mgl32.Vec3) rgb {
	const haze = 0.05 // sine of the angle below the horizon over which ground fades in
	up := float64(d[1])
	if up >= 0 {
		return m.sky(d)
	}
	level := mgl32.Vec3{d[0], 0, d[2]}.Normalize()
	c, t := m.sky(level), min(-up/haze, 1)
	for i := range c {
		c[i] += (m.ground[i] - c[i]) * t
	}
	return c
}

// addSun spreads the sun's light over the texels that its disc covers.
func (m *skyModel) addSun(e *Environment) {
	const fine = 8 // samples of a texel along each axis
	type place struct{ x, y int }
	covered := map[place]int{}
	var solid float64
	for y := range e.Height * fine {
		sin := math.Sin(math.Pi * (float64(y) + 0.5) / float64(e.Height*fine))
		if math.Abs(math.Acos(min(float64(m.sun[1]), 1))-math.Pi*(float64(y)+0.5)/float64(e.Height*fine)) > 2*sunRadius {
			continue
		}
		for x := range e.Width * fine {
			if float64(directionOf(x, y, e.Width*fine, e.Height*fine).Dot(m.sun)) > math.Cos(sunRadius) {
				covered[place{x / fine, y / fine}]++
				solid += sin
			}
		}
	}
	solid *= 2 * math.Pi * math.Pi / float64(e.Width*fine) / float64(e.Height*fine)
	if solid == 0 {
		return
	}
	disc := m.sunRadiance
	for i := range disc {
		disc[i] /= solid
	}
	for at, n := range covered {
		disc.put(e, at.x, at.y, float64(n)/(fine*fine))
	}
}
