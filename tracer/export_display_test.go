package tracer

import (
	"sync"

	"github.com/go-gl/mathgl/mgl64"
)

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

// TrustBytes is the memory of the trust map.
func (r *Renderer) TrustBytes() (sum int) {
	claims := r.trust.claims()
	if b := r.trust.buffers; b != nil {
		claims = append(claims, b.claims()...)
	}
	for _, c := range claims {
		sum += c.b.size
	}
	return sum
}

// HoldTrust has a job work on the halves until it is told to end.
func (r *Renderer) HoldTrust() (end func()) {
	t := &r.trust
	job := &trustJob{buffers: t.buffers, samples: t.kept, image: r.progress.key, done: make(chan struct{})}
	t.job = job
	return sync.OnceFunc(func() { close(job.done) })
}

// PlantHalf multiplies what the first half of the samples has in a rectangle.
func (r *Renderer) PlantHalf(x0, y0, width, height int, by float32) error {
	planes := make([][4]float32, r.trust.halves.size/16)
	if err := r.device.download(r.trust.halves, bytesOf(planes)); err != nil {
		return err
	}
	for y := y0; y < y0+height; y++ {
		for x := x0; x < x0+width; x++ {
			for c := range 3 {
				planes[y*r.film.width+x][c] *= by
			}
		}
	}
	return r.device.upload(r.trust.halves, bytesOf(planes))
}

// HalfCounts are the samples in each pixel of one half and of the other.
func (r *Renderer) HalfCounts() ([]float32, error) {
	planes := make([][4]float32, r.trust.halves.size/16)
	if err := r.device.download(r.trust.halves, bytesOf(planes)); err != nil {
		return nil, err
	}
	var counts []float32
	for _, sum := range planes[:2*r.trust.pixels] {
		counts = append(counts, sum[3])
	}
	return counts, nil
}
