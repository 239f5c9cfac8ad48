package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// losing is a renderer whose GPU stops working.
type losing struct {
	Renderer
	lost    bool
	closed  bool
	renders int
}

func (l *losing) Backend() device.Info {
	info := l.Renderer.Backend()
	info.Kind = device.KindCUDA
	return info
}

func (l *losing) Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error) {
	if l.lost {
		return view.Stats{}, fmt.Errorf("render: %w", device.ErrLost)
	}
	l.renders++
	return l.Renderer.Render(v, s, t)
}

func (l *losing) Close() error {
	l.closed = true
	return l.Renderer.Close()
}

// TestSamplesSurviveALostDevice: a window goes on with the samples that it had, to the bit, on the same device or on another; a device that is
// lost again at once ends it.
func TestSamplesSurviveALostDevice(t *testing.T) {
	cornell, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := settings.Defaults()
	own.Integrator, own.Denoise = "path", "off"
	for _, back := range []bool{true, false} {
		t.Run(fmt.Sprintf("the same again %v", back), func(t *testing.T) {
			var opened []*losing
			s := New(Options{Scene: cornell, Settings: own, Open: func(on tracer.Options, helpers []tracer.Options) (Renderer, error) {
				if len(opened) > 0 && !back && on.Backend != "cpu" {
					return nil, errors.New("there is no GPU any more")
				}
				on.Backend = "cpu"
				r, err := OpenTracer(on, helpers)
				opened = append(opened, &losing{Renderer: r})
				return opened[len(opened)-1], err
			}}, headless(64, 48), Remembered{}, time.Now())
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			if err := s.Start(); err != nil {
				t.Fatal(err)
			}
			until(t, s, "the scene", func() bool { return s.Stage.Shown != nil })
			s.Loader.OpenEnvironment("0.1,0.2,0.3") // the scene is prepared again
			until(t, s, "samples that are kept", func() bool {
				return s.Stage.Light.Spec != "" && s.Keeper.kept != nil && s.Keeper.kept.scene == s.Stage.Shown
			})
			opened[0].lost = true
			until(t, s, "another device", func() bool { return len(opened) == 2 })
			until(t, s, "its samples", func() bool { return !s.Keeper.due && s.Sides.Active.Stats.Samples > 2*keptSamples })
			if !opened[0].closed || s.Keeper.due {
				t.Errorf("closed %v, still due %v", opened[0].closed, s.Keeper.due)
			}
			side := s.Sides.Active
			if made := opened[1].renders; side.Stats.Samples < made+keptSamples-1 {
				t.Errorf("%d samples, of which %d are new: none was kept", side.Stats.Samples, made)
			}
			for _, at := range [][2]int{{10, 10}, {32, 24}, {50, 40}} {
				var asked []tracer.PixelSample
				for n := range side.Stats.Samples {
					asked = append(asked, tracer.PixelSample{X: at[0], Y: at[1], N: n})
				}
				paths, err := side.Device.Replay(side.View, side.Used, asked, 0)
				if err != nil {
					t.Fatal(err)
				}
				var sum [3]float32
				for _, p := range paths {
					for k := range sum {
						sum[k] += p.Answer.Lo[k]
					}
				}
				if sum != paths[0].Answer.Sum {
					t.Errorf("pixel %v has %v of %d samples, want %v", at, paths[0].Answer.Sum, len(paths), sum)
				}
			}
			opened[1].lost = true
			var failed error
			for range 100 {
				if _, failed = s.Render(UserState{}, time.Now(), time.Millisecond); failed != nil {
					break
				}
			}
			if failed == nil || !strings.Contains(failed.Error(), "stopped working") {
				t.Errorf("lost again: %v", failed)
			}
		})
	}
}
