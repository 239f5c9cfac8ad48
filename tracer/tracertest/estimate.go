package tracertest

import (
	"errors"
	"fmt"
	"math"

	"glint/tracer/imageio"
	"glint/tracer/metric"
)

// TileSize is the side of the tiles whose means are compared, in pixels. Tiles at the right and lower edge may be
// smaller.
const TileSize = 16

// quantities are what is estimated for a tile: luminance, red, green, blue.
const quantities = 4

// Moment is an estimate of luminance, red, green and blue with its standard error.
type Moment struct {
	Mean          [quantities]float64 `json:"mean"`
	StandardError [quantities]float64 `json:"error"`
}

// Estimate is what one side of an agreement says of a picture. It can be committed as JSON in place of runs that are
// too costly to repeat.
type Estimate struct {
	Width  int      `json:"width"`  // pixels
	Height int      `json:"height"` // pixels
	Runs   int      `json:"runs"`   // independent runs behind the numbers, 0 for a closed form
	Image  Moment   `json:"image"`
	Tiles  []Moment `json:"tiles"` // row by row
}

// ConstantEstimate is the exact estimate of a picture that is rgb everywhere, such as a furnace.
func ConstantEstimate(width, height int, rgb [3]float64) Estimate {
	m := Moment{Mean: withLuminance(rgb)}
	e := Estimate{Width: width, Height: height, Image: m, Tiles: make([]Moment, tilesAcross(width)*tilesAcross(height))}
	for i := range e.Tiles {
		e.Tiles[i] = m
	}
	return e
}

// validate refuses estimates that were damaged on their way through a file.
func (e *Estimate) validate() error {
	if e.Width <= 0 || e.Height <= 0 || len(e.Tiles) != tilesAcross(e.Width)*tilesAcross(e.Height) {
		return fmt.Errorf("estimate has %d tiles for %d×%d pixels", len(e.Tiles), e.Width, e.Height)
	}
	for _, m := range append([]Moment{e.Image}, e.Tiles...) {
		for q := range quantities {
			if math.IsNaN(m.Mean[q]) || math.IsInf(m.Mean[q], 0) || !(m.StandardError[q] >= 0) {
				return errors.New("estimate holds a mean that is not finite or an error that is negative")
			}
		}
	}
	return nil
}

// Side is one side of an Agreement: either independent runs or a known estimate. The zero value has seen no run. Its
// memory is that of the tiles, whatever the number of runs.
type Side struct {
	width, height int
	image         running
	tiles         []running
	known         *Estimate
}

// Add counts the picture of one more independent run. All pictures of a side have one size.
func (s *Side) Add(img *imageio.Image) error {
	if err := metric.CheckImage(img); err != nil {
		return fmt.Errorf("run %d: %w", s.image.n+1, err)
	}
	if s.known != nil {
		return errors.New("this side is a known estimate: no run can be added")
	}
	if s.image.n == 0 {
		s.width, s.height = img.Width, img.Height
		s.tiles = make([]running, tilesAcross(img.Width)*tilesAcross(img.Height))
	}
	if img.Width != s.width || img.Height != s.height {
		return fmt.Errorf("run %d is %d×%d, the runs before were %d×%d", s.image.n+1, img.Width, img.Height, s.width, s.height)
	}
	s.addTiles(img)
	return nil
}

func (s *Side) addTiles(img *imageio.Image) {
	sums := make([][3]float64, len(s.tiles))
	pixels := make([]float64, len(s.tiles))
	var total [3]float64
	for i := range img.Width * img.Height {
		tile := i/img.Width/TileSize*tilesAcross(img.Width) + i%img.Width/TileSize
		pixels[tile]++
		for c, v := range img.Pix[3*i:][:3] {
			sums[tile][c] += float64(v)
		}
	}
	for t := range sums {
		for c := range total {
			total[c] += sums[t][c]
			sums[t][c] /= pixels[t]
		}
		s.tiles[t].add(withLuminance(sums[t]))
	}
	for c := range total {
		total[c] /= float64(img.Width * img.Height)
	}
	s.image.add(withLuminance(total))
}

// Know makes this side an estimate made earlier or a closed form.
func (s *Side) Know(e Estimate) error {
	if s.image.n > 0 {
		return errors.New("this side has runs: it cannot become a known estimate")
	}
	if err := e.validate(); err != nil {
		return err
	}
	s.known = &e
	return nil
}

// Estimate is what this side says so far. It takes at least two runs to know an error.
func (s *Side) Estimate() (Estimate, error) {
	if s.known != nil {
		return *s.known, nil
	}
	if s.image.n < 2 {
		return Estimate{}, fmt.Errorf("%d runs are too few to know an error", s.image.n)
	}
	e := Estimate{Width: s.width, Height: s.height, Runs: s.image.n, Image: s.image.moment(), Tiles: make([]Moment, len(s.tiles))}
	for i := range s.tiles {
		e.Tiles[i] = s.tiles[i].moment()
	}
	return e, nil
}

// running holds means and sums of squared deviations over runs (Welford, "Note on a Method for Calculating Corrected
// Sums of Squares and Products", Technometrics 1962).
type running struct {
	n        int
	mean, m2 [quantities]float64
}

func (r *running) add(v [quantities]float64) {
	r.n++
	for q, x := range v {
		d := x - r.mean[q]
		r.mean[q] += d / float64(r.n)
		r.m2[q] += d * (x - r.mean[q])
	}
}

func (r *running) moment() Moment {
	m := Moment{Mean: r.mean}
	for q := range m.StandardError {
		m.StandardError[q] = math.Sqrt(r.m2[q] / float64(r.n-1) / float64(r.n))
	}
	return m
}

func withLuminance(rgb [3]float64) [quantities]float64 {
	return [quantities]float64{imageio.Luminance(rgb[0], rgb[1], rgb[2]), rgb[0], rgb[1], rgb[2]}
}

// tilesAcross is the number of tiles over so many pixels.
func tilesAcross(pixels int) int { return (pixels + TileSize - 1) / TileSize }
