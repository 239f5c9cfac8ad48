package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// open begins a small run on the CPU.
func open(t *testing.T) *Run {
	t.Helper()
	r, err := Open(Options{
		Device: tracer.Options{Backend: "cpu"}, Width: 64, Height: 64, Frames: 3, Seconds: 5, Settings: settings.Defaults(),
		Load: func(_ context.Context, name string, _ *guard.Memory) (*scene.Scene, error) {
			s, err := builtin.Make(name, builtin.Options{})
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNotHere, err)
			}
			return s, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// TestTablesAreSound reads every table's settings as a run would.
func TestTablesAreSound(t *testing.T) {
	names := map[string]bool{}
	for _, table := range Tables() {
		if names[table.Name] || table.Name == "" || table.Title == "" || table.Reference == "" || table.Found == "" || len(table.Sides) == 0 || len(table.Rows) == 0 {
			t.Errorf("table %q twice, or something is missing", table.Name)
		}
		names[table.Name] = true
		for _, row := range table.Rows {
			if len(row.Seen) >= len(table.Sides) && len(row.Seen) > 0 {
				t.Errorf("%s, %s: %d ratios for %d sides", table.Name, row.Name, len(row.Seen), len(table.Sides))
			}
			for _, r := range row.Seen {
				if r.Low > r.High || r.Low < 0 {
					t.Errorf("%s, %s: range %v", table.Name, row.Name, r)
				}
			}
			for _, side := range table.Sides {
				_, err := apply(settings.Defaults(), joined(table.Flags, row.Flags, side.Flags))
				if err != nil {
					t.Errorf("%s, %s, %s: %v", table.Name, row.Name, side.Name, err)
				}
			}
		}
	}
}

func TestChoose(t *testing.T) {
	all, err := Choose(nil)
	if err != nil || len(all) != len(Tables()) {
		t.Errorf("%d tables, %v", len(all), err)
	}
	two, err := Choose([]string{"sort", "depth"})
	if err != nil || len(two) != 2 || two[0].Name != "sort" || two[1].Name != "depth" {
		t.Errorf("%v, %v", two, err)
	}
	if _, err := Choose([]string{"sorts"}); err == nil || !strings.Contains(err.Error(), "sort,") {
		t.Errorf("an unknown table: %v", err)
	}
}

func TestApply(t *testing.T) {
	s, err := apply(settings.Defaults(), "--bounces 3 --rr off")
	if err != nil || s.Bounces != 3 || s.Roulette {
		t.Errorf("%+v, %v", s, err)
	}
	for _, flags := range []string{"--sorcery on", "--exec magic", "--bounces -1"} {
		if _, err := apply(s, flags); !errors.Is(err, ErrNotHere) {
			t.Errorf("%s: %v", flags, err)
		}
	}
	for _, flags := range []string{"--bounces", "bounces 3"} {
		if _, err := apply(s, flags); err == nil || errors.Is(err, ErrNotHere) {
			t.Errorf("%s: %v", flags, err)
		}
	}
}

func TestSpread(t *testing.T) {
	if s := spreadOf([]float64{5, 1, 3, 2}); s != (spread{2.5, 1, 5}) {
		t.Errorf("%v", s)
	}
	side := func(ms ...float64) *sideRun { return &sideRun{frames: ms} }
	// The machine slows down by half in the middle: pairs of frames do not notice.
	if s := side(1, 1, 2, 2).speed(side(2, 2, 4, 4)); s != (spread{2, 2, 2}) {
		t.Errorf("%v", s)
	}
}

// TestRunMeasures: a path of eight bounces takes longer than its first surface alone, wherever it is measured.
func TestRunMeasures(t *testing.T) {
	table := Table{
		Name: "test", Flags: "--rr off", Kernels: true,
		Sides: []Side{{Name: "long", Flags: "--bounces 16"}, {Name: "short", Flags: "--bounces 0"}, {Name: "unheard of", Flags: "--sorcery on"}},
		Rows: []Row{
			{Name: "box", Scene: "box-closed", Seen: []Range{{2, 3}}},
			{Name: "nowhere", Scene: "no such scene"},
		},
	}
	emitted := 0
	results, err := open(t).Tables(t.Context(), []Table{table}, func(figures []Figure) error { emitted += len(figures); return nil })
	if err != nil || len(results) != 1 || emitted != 6 {
		t.Fatalf("%d results, %d figures, %v", len(results), emitted, err)
	}
	long, short, missing := results[0].Figures[0][0], results[0].Figures[0][1], results[0].Figures[0][2]
	if long.Frames != 3 || long.Width != 64 || long.Ms <= 0 || long.MsMin > long.Ms || long.MsMax < long.Ms || long.Speed != 0 || len(long.Kernels) == 0 || len(long.Kinds) == 0 || long.RaysAPath < 1 {
		t.Errorf("%+v", long)
	}
	if short.Speed < 1.5 || short.SpeedMin > short.Speed || short.Reference == nil || short.Flags != "--rr off --bounces 0" || short.Triangles == 0 {
		t.Errorf("%+v", short)
	}
	if missing.Skipped == "" || missing.Ms != 0 {
		t.Errorf("%+v", results[0].Figures)
	}
	for _, f := range results[0].Figures[1] {
		if !strings.Contains(f.Skipped, "not in this build") {
			t.Errorf("%+v", f)
		}
	}
}

// TestSize: where every triangle is tested, images shrink with the number of triangles.
func TestSize(t *testing.T) {
	r := open(t)
	r.options.Width, r.options.Height = 800, 400
	for _, row := range []struct {
		exhaust                  bool
		triangles, width, height int
	}{{false, 1_000_000, 800, 400}, {true, 12, 800, 400}, {true, 12_000, 44, 22}, {true, 100_000_000, 1, 1}} {
		if w, h := r.size(Table{Exhaust: row.exhaust}, row.triangles); w != row.width || h != row.height {
			t.Errorf("%+v: %d×%d", row, w, h)
		}
	}
}

// TestAlive: nothing leaves the closed box, and each bounce loses some from the open one.
func TestAlive(t *testing.T) {
	table := Table{
		Alive: true, Flags: "--integrator naive --rr off --bounces 4", Sides: []Side{{Name: "paths"}},
		Rows: []Row{{Name: "open", Scene: "box-open"}, {Name: "closed", Scene: "box-closed"}},
	}
	results, err := open(t).Tables(t.Context(), []Table{table}, func([]Figure) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	opened, closed := results[0].Figures[0][0].Alive, results[0].Figures[1][0].Alive
	if len(opened) != 4 || len(closed) != 4 || opened[0] < 70 || opened[3] > 0.7*opened[0] || closed[3] < 90 {
		t.Errorf("open %v, closed %v", opened, closed)
	}
}

func TestScene(t *testing.T) {
	f, err := open(t).Scene(t.Context(), "cornell", func(s *scene.Scene) (schedule.Request, error) {
		return schedule.Request{View: view.View{Camera: s.DefaultCamera(1), Width: 48, Height: 40}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.FPS <= 0 || f.Mpaths <= 0 || f.Mrays <= f.Mpaths || len(f.Alive) == 0 || f.Width != 48 || f.Frames != 3 || f.Triangles == 0 {
		t.Errorf("%+v", f)
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 123456: 123500, 0.0123456: 0.01235, math.Inf(1): 0} {
		if got := digits(x); got != want {
			t.Errorf("digits(%g) = %g", x, got)
		}
	}
}
