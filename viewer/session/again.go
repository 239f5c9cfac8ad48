package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"glint/tracer/document"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Again offers to start the program again where the processor stands in for a GPU that was lost: only another process gets one. What the
// window shows goes there in a file: a picture that holds the light of its samples.
type Again struct {
	keeper    *Keeper
	documents *Documents
	leave     string    // Options.Leave
	asked     bool      // the user wants it
	read      string    // the file that this window goes on with, as long as it is needed
	light     []float32 // in it

	Width, Height int // of the image in that file, pixels; 0: there is none

	// Left is the file, once it is there: the window is to be closed, and the program to be started again with it.
	Left string
}

const (
	lightLayer = "light"         // of the file, with what its picture has no channel for
	viewWithin = 3 * time.Second // a window that opens has the size of the one before
)

// do does what a command asks for.
func (a *Again) do(command Command) {
	switch command.(type) {
	case StartAgain:
		a.asked = a.keeper.fellBack
	case StayOnProcessor:
		a.Close()
	}
}

// Close takes the offer back. It tells whether there was one.
func (a *Again) Close() bool {
	had := a.keeper.fellBack
	a.keeper.fellBack, a.asked = false, false
	return had
}

// findings are the offer; nil: there is none.
func (a *Again) findings() *Findings {
	if !a.keeper.fellBack {
		return nil
	}
	f := &Findings{Title: "The GPU stopped working", Close: StayOnProcessor{}, Low: true}
	samples := a.documents.Active.Stats.Samples
	if a.keeper.due {
		samples = a.keeper.kept.samples // which it will go on with
	}
	if a.asked {
		f.Lines = []Finding{{Text: "Saving what is shown, when the sample under way is complete."}}
	} else {
		f.Lines = []Finding{{
			Text: "The processor goes on with " + Count(samples, "sample") + ". Only a new start of glint can use the GPU again; it keeps the view and the samples.",
			Mend: "start again on the GPU", Do: StartAgain{},
		}}
	}
	return f
}

// step leaves what the window shows, once that is asked for and no sample is under way, and removes the file that is needed no more.
func (a *Again) step() {
	if a.read != "" && !a.keeper.due {
		_ = os.Remove(a.read) // a file that stays does no harm
		a.read = ""
	}
	side := a.documents.Active
	whole := side.Stats.Samples > 0 && side.Device.TakesSamples()
	if !a.asked || !whole && !side.View.Moving {
		return
	}
	a.asked = false
	if err := a.write(); err != nil {
		a.documents.log.Error("leave the view to another process", "err", err)
		a.documents.Messages.Warn("Start again: " + err.Error())
		return
	}
	a.Left = a.leave
}

// write writes the file. A view that moves leaves no samples.
func (a *Again) write() error {
	side, shown := a.documents.Active, a.documents.stage.Shown
	said := a.documents.whole()
	file := &imageio.Image{Width: 1, Height: 1, Pix: make([]float32, 3)}
	rest := make([]float32, 1)
	if still := a.documents.stage.Camera.Camera == side.View.Camera && side.Settings == side.Used; still && !side.View.Moving && said.Other == nil && keepable(side) {
		light, err := side.Device.Light(nil)
		if err != nil {
			return err
		}
		said.Samples = side.Stats.Samples
		file = &imageio.Image{Width: said.Width, Height: said.Height}
		file.Pix, rest = split(light)
	}
	if err := said.Locate(a.leave); err != nil { // another process would not find it either
		return err
	}
	notes, err := notesOf(shown.Scene, said)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(a.leave), 0o755)
	}
	if err != nil {
		return err
	}
	return imageio.WriteLayers(a.leave, file, []imageio.Layer{{Name: lightLayer, Channels: []string{"W"}, Pix: rest}}, notes)
}

// split puts light, four floats a pixel, into a picture's three and one more.
func split(light []float32) (rgb, w []float32) {
	n := len(light) / 4
	rgb, w = make([]float32, 0, 3*n), make([]float32, 0, n)
	for i := range n {
		rgb, w = append(rgb, light[4*i:4*i+3]...), append(w, light[4*i+3])
	}
	return rgb, w
}

// joined is what was split.
func joined(rgb, w []float32) []float32 {
	light := make([]float32, 0, 4*len(w))
	for i := range w {
		light = append(append(light, rgb[3*i:3*i+3]...), w[i])
	}
	return light
}

// load reads the file that a window has left.
func (a *Again) load(path string, table []settings.Setting, memory *guard.Memory) (said document.Document, err error) {
	file, err := imageio.ReadLayers(context.Background(), path, memory, nil)
	if err != nil {
		return said, fmt.Errorf("go on: %w", err)
	}
	if said, err = document.ReadNotes(file.Meta, table); err == nil {
		err = said.Locate(path)
	}
	if err == nil && (len(file.Layers) != 1 || file.Layers[0].Name != lightLayer || len(file.Layers[0].Channels) != 1) {
		err = errors.New("it holds no light: only files do that a window left whose GPU was lost")
	}
	if err != nil {
		return said, fmt.Errorf("go on with %s: %w", guard.Name(path), err)
	}
	a.Width, a.Height = said.Width, said.Height
	a.read, a.light = path, joined(file.Image.Pix, file.Layers[0].Pix)
	return said, nil
}

// goOn has the keeper put the samples in, once the scene is shown as the file says. Those of other files are not of this scene.
func (a *Again) goOn(said *document.Document, otherFiles bool, now time.Time) {
	light := a.light
	if a.light = nil; said.Samples == 0 || otherFiles {
		return
	}
	stage := a.documents.stage
	stage.play(a.documents.Active.Device.Pose, 0) // the moment that the samples are of
	a.keeper.await(&keptImage{
		view: schedule.Request{View: view.View{Camera: stage.Camera.Camera, Width: said.Width, Height: said.Height}}, settings: said.Settings, scene: stage.Shown, posed: stage.Player.Posed, samples: said.Samples, light: light,
	}, now.Add(viewWithin))
}
