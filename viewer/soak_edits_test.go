package viewer

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// What the user of a soak does to the file, and asks about the view.

const (
	soakUndoEvery = 4  // checkpoints between two tests of undo
	soakChanges   = 40 // before all is undone
)

// soakAsks are the keys of pages, questions, views and panels: by chance, most of them would hardly ever be pressed.
const soakAsks = "ctrl+e ctrl+e ctrl+m ctrl+m ctrl+i ctrl+t ctrl+F1 ctrl+Right ctrl+Right ctrl+Left shift+y x p shift+t ctrl+s " +
	"ctrl+z ctrl+z ctrl+z ctrl+shift+z ctrl+shift+z ctrl+1 alt+1 ctrl+2 alt+2 ctrl+equal ctrl+minus ctrl+0 ctrl+c ctrl+v shift+p i shift+i"

// linkFolder makes a folder with the files of another, so that scenes with edits are saved in there.
func linkFolder(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "scenes")
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, rest), 0o755)
		}
		if os.Link(path, filepath.Join(to, rest)) == nil {
			return nil
		}
		return copyFile(filepath.Join(to, rest), path)
	})
	if err != nil {
		t.Logf("without shared scenes: %v", err)
	}
	return to
}

// copyFile is for what cannot be linked.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

// command is one that the panel or a page would ask for.
func (s *soak) command() soakEvent {
	commands := []session.Command{
		session.ZoomLoupe{}, session.StepSample{By: 1}, session.StepSample{By: -1}, session.BrightestSample{}, session.FindOutliers{},
		session.FindDropped{}, session.SaveReplay{}, session.ReleasePixel{}, session.Mend{}, session.MendNoise{Part: s.dice.IntN(5)},
		session.StepTour{By: s.dice.IntN(3) - 1}, session.CloseFindings{}, session.Tune{}, session.LookForNoise{}, session.ToggleTurntable{},
		session.OpenSplit{}, session.SetShow{Show: session.Show(s.dice.IntN(int(session.Shows)))}, session.ChooseSide{Side: s.dice.IntN(2)},
		session.TogglePlaying{},
		session.SearchScene{Text: []string{"", "a", "zzz", "%s"}[s.dice.IntN(4)]}, session.CopyFlags{}, session.SaveScene{},
	}
	c := commands[s.dice.IntN(len(commands))]
	return soakEvent{text: fmt.Sprintf("command %T%+v", c, c), do: func(a *app) { a.do(c) }}
}

// edit changes the file as the page of the scene does: mostly well, sometimes as no slider could.
func (s *soak) edit() soakEvent {
	kind, object, property := s.dice.IntN(10), s.dice.Uint64(), s.dice.Uint64()
	var parts [4]float64
	for i := range parts {
		parts[i] = s.dice.Float64()
	}
	e := soakEvent{text: fmt.Sprintf("edit %d of object %d, property %d: %.3v", kind, object%1000, property%1000, parts)}
	e.do = func(a *app) {
		all := a.session.Stage.Shown.Scene.Editable
		if all == nil {
			a.do(session.EditScene{Edit: scene.Edit{Pointer: "/materials/0/emissiveFactor", Value: []float64{1, 1, 1}}})
			return
		}
		pick := func(names []string) string { return names[object%uint64(len(names))] }
		if objects := all.Objects(); kind < 6 && len(objects) > 0 {
			name := pick(objects)
			a.do(session.SelectObject{Object: name})
			rows := all.Properties(name, a.session.Stage.Edits)
			row := rows[property%uint64(len(rows))]
			low, high := max(row.Least, -2), min(row.Most, 2)
			value := make([]float64, len(row.Value))
			for i := range value {
				value[i] = low + (high-low)*parts[i%4]
			}
			switch {
			case kind == 5 && len(a.session.Stage.Edits) > 0:
				a.do(session.RevertEdit{Pointer: a.session.Stage.Edits[property%uint64(len(a.session.Stage.Edits))].Pointer})
			case kind == 4:
				a.do(session.EditScene{Edit: scene.Edit{Pointer: row.Pointer + "x", Value: append(value, 1e300)}})
			default:
				a.do(session.EditScene{Edit: scene.Edit{Pointer: row.Pointer, Value: value}})
			}
			return
		}
		if len(all.Nodes) == 0 {
			return
		}
		node := all.Nodes[object%uint64(len(all.Nodes))].Object
		switch kind {
		case 6:
			a.do(session.ShowNode{Object: node, Visible: false})
		case 7:
			a.do(session.ShowNode{Object: node, Visible: true})
		case 8:
			a.do(session.SoloNode{Object: node})
		default:
			a.do(session.FrameNode{Object: node})
		}
	}
	return e
}

// dropSaved drops something that was saved: a picture, a replay, a scene with edits.
func (s *soak) dropSaved() soakEvent {
	saved, _ := filepath.Glob("*")
	edited, _ := filepath.Glob(filepath.Join(filepath.Dir(s.files[0]), "*-edited*.glb"))
	all := slices.Concat(saved, edited)
	if len(all) == 0 {
		return soakEvent{text: "nothing was saved"}
	}
	path, err := filepath.Abs(all[s.dice.IntN(len(all))])
	if err != nil {
		s.t.Error(err)
	}
	return soakEvent{text: "drop " + path, do: func(a *app) {
		a.input.events = append(a.input.events, func() { a.session.Documents.Drop([]string{path}, false) })
	}}
}

// playPad pushes sticks and buttons of a gamepad, or takes it away.
func (s *soak) playPad() soakEvent {
	at := (&gamepad{}).state()
	for axis := range at.Axes {
		if s.dice.IntN(3) == 0 {
			at.Axes[axis] = 2*s.dice.Float32() - 1
		}
	}
	for range s.dice.IntN(3) {
		at.Buttons[s.dice.IntN(len(at.Buttons))] = glfw.Press
	}
	gone := s.dice.IntN(10) == 0
	return soakEvent{text: fmt.Sprintf("gamepad %+v, gone: %t", at, gone), rest: 100 * time.Millisecond, do: func(a *app) {
		a.input.pad.read = func() *glfw.GamepadState {
			if gone {
				return nil
			}
			return &at
		}
	}}
}

// letGo puts a gamepad at rest.
func (s *soak) letGo() soakEvent {
	return soakEvent{text: "gamepad at rest", do: func(a *app) {
		if a.input.pad.read != nil {
			rest := (&gamepad{}).state()
			a.input.pad.read = func() *glfw.GamepadState { return &rest }
		}
	}}
}

// changed is what undo must bring back.
type changed struct {
	settings []settings.Settings
	edits    scene.Edits
}

func changedOf(a *app) (c changed) {
	for _, side := range a.session.Sides.Sides {
		c.settings = append(c.settings, side.Settings)
	}
	c.edits = a.session.Stage.Edits
	return c
}

func (c changed) same(other changed) bool {
	return slices.Equal(c.settings, other.settings) && c.edits.Equal(other.edits)
}

// undoAll opens a file, changes much, and takes it back to the start and up to the end again.
func (s *soak) undoAll() {
	s.t.Helper()
	s.rest()
	s.do(func(a *app) { a.session.Documents.Open(s.files[0]) })
	s.until("the file", func(a *app) bool {
		return a.session.Loader.Loading == nil && a.session.Stage.Shown.Path == s.files[0] && a.session.Sides.Active.Stats.Samples > 0
	})
	var start, end, now changed
	s.do(func(a *app) { start = changedOf(a) })
	for n := range soakChanges {
		switch n % 4 {
		case 0:
			s.act(s.setSetting())
		case 3:
			s.act(soakEvent{text: "ctrl+z", do: func(a *app) { a.do(session.Undo{}) }})
		default:
			s.act(s.edit())
		}
	}
	compare := func(what string, want changed, c session.Command) {
		s.t.Helper()
		s.do(func(a *app) {
			for range 2 * soakChanges {
				a.do(c)
			}
			now = changedOf(a)
		})
		if !now.same(want) {
			s.t.Errorf("%s, the edits are %v, want %v", what, now.edits, want.edits)
			for i := range min(len(now.settings), len(want.settings)) {
				s.t.Errorf("side %d: %v, want %v", i, settings.Flags(s.p.app.session.Sides.Table, now.settings[i]), settings.Flags(s.p.app.session.Sides.Table, want.settings[i]))
			}
		}
	}
	compare("undone to the start", start, session.Undo{})
	s.until("a scene read for no edits", func(a *app) bool { return a.session.Loader.Loading == nil })
	s.do(func(a *app) {
		for range 2 * soakChanges {
			a.do(session.Redo{})
		}
		end = changedOf(a)
	})
	compare("undone once more", start, session.Undo{})
	compare("done again", end, session.Redo{})
	if s.t.Failed() {
		s.t.FailNow()
	}
}

// tidy ends what the user has asked for.
func (s *soak) tidy(a *app) {
	a.session.Questions.Close()
	a.session.Inspector.Release()
	a.session.Stage.Turntable.Stop()
	a.hud.StepZoom(0)
	a.input.pad.read = nil
	a.do(session.SearchScene{})
	a.do(session.SelectObject{})
}
