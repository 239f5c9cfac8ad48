package session

import (
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/crew"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

var updateTraces = flag.Bool("update-traces", false, "write testdata/trace-*.txt")

// clockedDevice is a device that is not there: its launches take time by the test's clock, and are written down.
type clockedDevice struct {
	*device.Planner
	frame cuda.Frame
	log   *workLog
	busy  time.Time     // a GPU has work until then
	pixel time.Duration // that a kernel takes for a thousand indices
}

// workLog is what ran in a frame.
type workLog struct {
	counts map[string]int // launches, by category and size of the image
	order  hash.Hash64    // of kernels, in order, with what of the frame decides what they do
}

func (l *workLog) restart() { *l = workLog{counts: map[string]int{}, order: fnv.New64a()} }

func (l *workLog) String() string {
	text := ""
	for _, what := range slices.Sorted(maps.Keys(l.counts)) {
		text += fmt.Sprintf(" %s %d", what, l.counts[what])
	}
	return fmt.Sprintf("%s #%x", text, l.order.Sum64()&0xffffffff)
}

func (d *clockedDevice) SetFrame(f *cuda.Frame) error {
	d.frame = *f
	return nil
}

func (d *clockedDevice) note(launch device.Launch, from int) {
	if from > 0 {
		return
	}
	f := d.frame
	if launch.Kernel == cuda.UpscaleFade {
		f.Sampling.SampleIndex, f.Sampling.Seed = 0, 0 // it draws nothing at random
	}
	d.log.counts[fmt.Sprintf("%v@%dx%d", launch.Kernel.Category(), f.Film.Width, f.Film.Height)]++
	fmt.Fprintln(d.log.order, launch.Kernel, launch.Arg, launch.Indices, f.Sampling.Flags, f.Sampling.SampleIndex, f.Sampling.Seed,
		f.Film.SampleWeight, f.Restir.Flags, f.Display.Shown, f.Upscale.Flags, f.Camera.Eye, f.Previous.Eye)
}

// cost is what indices of a kernel take: of those that trace rays more. It depends on names, so that further kernels change no trace.
func (d *clockedDevice) cost(k cuda.Kernel, indices int) time.Duration {
	weight := time.Duration(1 + len(k.String())%3)
	if strings.Contains(k.String(), "trace") || strings.Contains(k.String(), "samples") {
		weight = 20
	}
	return d.pixel * weight * time.Duration(indices) / 1000
}

func (d *clockedDevice) Submit(batch []device.Launch) error {
	for _, l := range batch {
		if _, err := d.RunUntil(l, 0, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

func (d *clockedDevice) RunUntil(l device.Launch, from int, deadline time.Time) (int, error) {
	d.note(l, from)
	if d.Info().Kind == device.KindCUDA {
		d.busy = later(d.busy, time.Now()).Add(d.cost(l.Kernel, l.Indices-from))
		return l.Indices, nil
	}
	const chunk = 64
	for at := from; at < l.Indices; at += chunk {
		n := min(chunk, l.Indices-at)
		time.Sleep(d.cost(l.Kernel, n))
		if !deadline.IsZero() && !time.Now().Before(deadline) {
			return at + n, nil
		}
	}
	return l.Indices, nil
}

func (d *clockedDevice) Sync() error {
	if wait := time.Until(d.busy); wait > 0 {
		time.Sleep(wait)
	}
	return nil
}

// Background is the same device for another goroutine, which writes nothing down: its order is the scheduler's of goroutines.
func (d *clockedDevice) Background() device.Device {
	if d.Info().Kind == device.KindCUDA {
		return d
	}
	return &clockedDevice{Planner: d.Planner, log: discarded(), pixel: d.pixel}
}

func discarded() *workLog {
	var l workLog
	l.restart()
	return &l
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// scripted is what the user does in frame n.
func scripted(s *Session, n int, size *[2]int) (user UserState) {
	set := func(change func(o *settings.Settings)) { change(&s.Sides.Active.Settings) }
	orbit := func(from, to int) {
		if n >= from && n < to {
			s.Stage.Camera.Camera.Eye[0] += 0.01
			user.Dragged, user.Touched = true, time.Now()
		}
	}
	orbit(60, 100)
	orbit(230, 250)
	orbit(270, 330)
	orbit(360, 390)
	orbit(470, 490)
	switch n {
	case 160:
		set(func(o *settings.Settings) { o.Bounces = 3 })
	case 220:
		set(func(o *settings.Settings) { o.Denoise = "off" })
	case 260:
		set(func(o *settings.Settings) { o.Denoise, o.TargetFPS = "atrous", 100 })
	case 350:
		set(func(o *settings.Settings) { o.TargetFPS, o.RenderScale = 0, 0.5 })
	case 410:
		set(func(o *settings.Settings) { o.AOVView = "normal" })
	case 420:
		set(func(o *settings.Settings) { o.AOVView, o.RenderScale, o.AutoExposure = "off", 1, true })
	case 430:
		*size = [2]int{80, 60}
	case 450:
		s.OpenSplit()
	case 500:
		s.Do(SetPacing{schedule.EqualTime})
	case 520:
		s.Do(ToggleReference{})
	case 570:
		s.ToggleSplit()
	}
	return user
}

// TestTraces: what a window renders, denoises and shows in each of 600 frames, on a device and by a clock that are not there.
func TestTraces(t *testing.T) {
	for kind, pixel := range map[string]time.Duration{device.KindCUDA: 150 * time.Microsecond, device.KindCPU: 700 * time.Microsecond} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { compareTrace(t, kind, trace(t, kind, pixel)) })
		})
	}
}

func trace(t *testing.T, kind string, pixel time.Duration) string {
	cornell, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var log workLog
	log.restart()
	open := func(tracer.Options, []tracer.Options) (Renderer, error) {
		r, err := tracer.OpenOn(&clockedDevice{Planner: device.NewPlanner(kind, 1<<34), log: &log, pixel: pixel}, everyFrame)
		return realRenderer{r, r.Engine(), &crew.Crew{}}, err
	}
	size := [2]int{64, 48}
	window := headless(0, 0)
	window.Size = func() (int, int) { return size[0], size[1] }
	window.Pixels = window.Size
	s := New(Options{Scene: cornell, Settings: settings.Defaults(), Open: open}, window, Remembered{}, time.Now())
	s.Frames.cores = 2
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for s.Stage.Shown == nil && s.Failure == nil {
		synctest.Wait()
		s.Update(time.Now(), 0)
	}
	var out strings.Builder
	last := time.Now()
	before, from := "", 0
	flush := func(n int) {
		if before != "" {
			fmt.Fprintf(&out, "%d–%d %s\n", from, n-1, before)
		}
	}
	for n := range 600 {
		log.restart()
		now := time.Now()
		user := scripted(s, n, &size)
		s.Update(now, now.Sub(last).Seconds())
		fresh, err := s.Render(user, now, now.Sub(last))
		if err != nil {
			t.Fatal(err)
		}
		s.Frames.Drawn(time.Since(now))
		line := fmt.Sprintf("%v fresh %v idle %v moving %v", time.Since(now), fresh, s.Frames.Idle, s.Frames.Rendered.View.Moving)
		for _, side := range s.Sides.Sides {
			line += fmt.Sprintf(" %s: shown %d denoised %d 1/%d of %dx%d;", side.Name, side.Stats.Shown, side.Stats.Denoised, side.Stats.Scale,
				side.Stats.Width, side.Stats.Height)
		}
		line += log.String()
		if line != before {
			flush(n)
			before, from = line, n
		}
		last = now
		time.Sleep(time.Until(now.Add(time.Second / 60)))
	}
	flush(600)
	return out.String()
}

func compareTrace(t *testing.T, kind, got string) {
	file := filepath.Join("testdata", "trace-"+kind+".txt")
	if *updateTraces {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("line %d:\n got %s\nwant %s", i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%d lines, want %d", len(a), len(b))
	}
}
