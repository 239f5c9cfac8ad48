package tracertest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"glint/tracer/imageio"
)

// estimator renders a synthetic picture: a gradient with heavy-tailed noise that averages to it.
type estimator struct {
	width, height int
	noise         float64                   // relative standard deviation of a pixel
	bias          func(x, y, c int) float64 // factor, nil for none
}

func (e estimator) render(random *rand.Rand) *imageio.Image {
	return picture(e.width, e.height, func(x, y, c int) float32 {
		v := 0.5 + float64(x+y+c)/float64(e.width+e.height)
		if e.bias != nil {
			v *= e.bias(x, y, c)
		}
		return float32(v * (1 + e.noise*(random.ExpFloat64()-1)))
	})
}

func addRuns(t *testing.T, s *Side, e estimator, runs int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	for range runs {
		if err := s.Add(e.render(random)); err != nil {
			t.Fatal(err)
		}
	}
}

func agree(t *testing.T, a, b estimator, runs int) Result {
	t.Helper()
	var g Agreement
	addRuns(t, &g.A, a, runs, 1)
	addRuns(t, &g.B, b, runs, 2)
	r, err := g.Result()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAgreementTellsFairFromBiased(t *testing.T) {
	const runs = 64
	fair := estimator{width: 64, height: 56, noise: 0.25}
	with := func(bias func(x, y, c int) float64) estimator {
		return estimator{width: fair.width, height: fair.height, noise: fair.noise, bias: bias}
	}
	tests := []struct {
		name string
		b    estimator
		want string // part of the error, "" to pass
	}{
		{"fair pair", fair, ""},
		{"1 % too bright", with(func(_, _, _ int) float64 { return 1.01 }), "global relative difference is 0.009"},
		{"1 % too dark", with(func(_, _, _ int) float64 { return 0.99 }), "global relative difference is 0.01"},
		{"3 % in one tile", with(func(x, y, _ int) float64 {
			if x/16 == 2 && y/16 == 1 {
				return 1.03
			}
			return 1
		}), "max |z| at tile [2 1]"},
		// The channels' biases cancel in luminance: only the test by channel sees them.
		{"a tint", with(func(_, _, c int) float64 { return 1 + [3]float64{0.04, -0.0085, -0.03}[c] }), "max |z|"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := agree(t, fair, test.b, runs).Check()
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func TestAgreementAsksForPower(t *testing.T) {
	weak := estimator{width: 32, height: 32, noise: 2}
	if err := agree(t, weak, weak, 64).Check(); err == nil || !strings.Contains(err.Error(), "no power, add runs") {
		t.Errorf("error %v, want one that asks for power", err)
	}
	quiet := estimator{width: 32, height: 32, noise: 0.01}
	if err := agree(t, quiet, quiet, 10).Check(); err == nil || !strings.Contains(err.Error(), "needs 64") {
		t.Errorf("error %v, want one that asks for runs", err)
	}
}

func TestAgreementStandardErrors(t *testing.T) {
	const noise, runs = 0.2, 64
	// Every pixel is 1 ± 0.2 in all channels alike: errors follow from the counts.
	var g Agreement
	for _, side := range []*Side{&g.A, &g.B} {
		random := rand.New(rand.NewPCG(uint64(len(side.tiles)), 5))
		for range runs {
			v := float32(0)
			img := picture(64, 64, func(_, _, c int) float32 {
				if c == 0 {
					v = float32(1 + noise*random.NormFloat64())
				}
				return v
			})
			if err := side.Add(img); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := g.Result()
	if err != nil {
		t.Fatal(err)
	}
	tile := noise / 16 / math.Sqrt(runs) * math.Sqrt2
	wantNear(t, "tile standard error", r.TileStandardError, tile, 0.1*tile)
	wantNear(t, "image standard error", r.ImageStandardError, tile/4, 0.2*tile/4)
}

func TestAgreementWithClosedForm(t *testing.T) {
	furnace := func(level float32) *Agreement {
		var g Agreement
		random := rand.New(rand.NewPCG(3, 0))
		for range 64 {
			img := picture(40, 24, func(_, _, _ int) float32 { return level * float32(1+0.1*random.NormFloat64()) })
			if err := g.A.Add(img); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.B.Know(ConstantEstimate(40, 24, [3]float64{2, 2, 2})); err != nil {
			t.Fatal(err)
		}
		return &g
	}
	r, err := furnace(2).Result()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Errorf("a fair furnace fails: %v", err)
	}
	if r, err = furnace(2.02).Result(); err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err == nil {
		t.Error("a furnace of 2.02 passes for 2")
	}
}

func TestAgreementWithoutNoise(t *testing.T) {
	tests := []struct {
		name  string
		value float64
		pass  bool
	}{
		{"equal", 2, true},
		{"off by rounding", 2.000001, true},
		{"off by a thousandth", 2.002, false},
	}
	for _, test := range tests {
		var g Agreement
		if err := g.A.Know(ConstantEstimate(32, 32, [3]float64{2, 2, 2})); err != nil {
			t.Fatal(err)
		}
		if err := g.B.Know(ConstantEstimate(32, 32, [3]float64{test.value, test.value, test.value})); err != nil {
			t.Fatal(err)
		}
		r, err := g.Result()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Check(); (err == nil) != test.pass {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestEstimateSurvivesJSON(t *testing.T) {
	var side Side
	addRuns(t, &side, estimator{width: 20, height: 40, noise: 0.1}, 8, 4)
	want, err := side.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Estimate
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || len(got.Tiles) != 6 || got.Runs != 8 {
		t.Errorf("estimate %+v became %+v", want, got)
	}
}

// know and add fill a side.
func know(e Estimate) func(*Side) error { return func(s *Side) error { return s.Know(e) } }

func add(images ...*imageio.Image) func(*Side) error {
	return func(s *Side) error {
		for _, img := range images {
			if err := s.Add(img); err != nil {
				return err
			}
		}
		return nil
	}
}

func resultOf(a, b func(*Side) error) error {
	var g Agreement
	if err := a(&g.A); err != nil {
		return err
	}
	if err := b(&g.B); err != nil {
		return err
	}
	_, err := g.Result()
	return err
}

func TestAgreementRefuses(t *testing.T) {
	run := flat(32, 32, 1)
	one := ConstantEstimate(32, 32, [3]float64{1, 1, 1})
	broken := ConstantEstimate(32, 32, [3]float64{1, math.NaN(), 1})
	tests := []struct {
		name string
		a, b func(*Side) error
		want string
	}{
		{"no runs", add(), know(one), "side A: 0 runs"},
		{"one run", know(one), add(run), "side B: 1 runs"},
		{"sizes within a side", add(run, flat(32, 31, 1)), know(one), "run 2 is 32×31"},
		{"sizes of the sides", add(run, run), know(ConstantEstimate(16, 32, [3]float64{1, 1, 1})), "side A is 32×32"},
		{"NaN", add(flat(32, 32, float32(math.NaN()))), know(one), "run 1: value NaN"},
		{"damaged estimate", know(broken), know(one), "not finite"},
		{"missing tiles", know(Estimate{Width: 32, Height: 32}), know(one), "0 tiles"},
		{"black", add(flat(8, 8, 0), flat(8, 8, 0)), know(ConstantEstimate(8, 8, [3]float64{})), "nothing to compare"},
	}
	for _, test := range tests {
		if err := resultOf(test.a, test.b); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
	}
}
