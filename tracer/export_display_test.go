package tracer

import "github.com/go-gl/mathgl/mgl64"

// Balance, Adaptation, WhiteOf, Chromaticity and Daylight open white balance to its tests.
func Balance(kelvin, tint float64) mgl64.Mat3 { return balance(kelvin, tint) }

func Adaptation(from, to mgl64.Vec3) mgl64.Mat3 { return adaptation(from, to) }

func WhiteOf(kelvin, tint float64) mgl64.Vec3 { return whiteOf(kelvin, tint) }

func Chromaticity(kelvin float64) (x, y float64) { return chromaticity(kelvin) }

func Daylight(kelvin float64) (x, y float64) { return daylight(kelvin) }

// Rec709ToXYZ is the display's colour space.
func Rec709ToXYZ() mgl64.Mat3 { return rec709ToXYZ() }

// BloomBytes is the memory of the bloom's pyramid.
func (r *Renderer) BloomBytes() int { return r.film.bloom.size }
