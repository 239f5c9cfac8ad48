package session

import (
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"glint/tracer/document"
	"glint/tracer/guard"
	"glint/tracer/settings"
)

// Documents describe what is shown, and show what pictures say of themselves.
type Documents struct {
	*Comparison
	stage     *Stage
	loader    *Loader
	openSplit func()
	ask       func(title, folder string, found func(path string)) // Window.AskForFile
	views     map[string][]string                                 // that were saved: Remembered.Views
	remember  func()                                              // Window.Remember
}

// of is what a side's picture says of itself. What stood for auto is said by name, so that the picture is made alike anywhere.
func (d *Documents) of(side *Side, samples int) document.Document {
	shown := side.Settings
	if side.Device != nil && side.View.Width > 0 {
		shown = side.Device.Planned(side.View, side.Settings)
	}
	return document.Document{
		Subject: d.stage.subject(side.View.Camera), Settings: shown, Samples: samples, Width: side.View.Width, Height: side.View.Height,
	}
}

// Shown is what the image in the window says of itself. Where two sides are seen, each has its settings.
func (d *Documents) Shown(samples int) document.Document {
	if !d.Comparing() || d.Compare.Show == OneSide {
		return d.of(d.Active, samples)
	}
	out := d.of(d.Sides[0], samples)
	other := d.of(d.Sides[1], samples).Settings
	out.Other, out.Compared = &other, d.Compare.String()
	return out
}

// now is the view as it is at this moment, with settings as the user has them.
func (d *Documents) now() document.Document {
	out := d.of(d.Active, 0)
	out.Camera, out.Settings = d.stage.Shown.Scene.CameraToFile(d.stage.Camera.Camera), d.Active.Settings
	out.Edits = d.stage.Edits // also those that are not seen yet
	return out
}

// whole is the view with the settings of both sides, where two are compared.
func (d *Documents) whole() document.Document {
	out := d.now()
	if d.Comparing() {
		other := d.Sides[1].Settings
		out.Settings, out.Other = d.Sides[0].Settings, &other
	}
	return out
}

// Open opens a scene, or what a picture shows, while the old scene stays.
func (d *Documents) Open(path string) {
	if document.IsPicture(path) {
		said, err := document.Read(path, d.Table)
		d.show(path, said, err)
		return
	}
	d.loader.Open(path)
}

// Drop opens files one after another: scenes, which may be merged, environments, and pictures that say how they were made.
func (d *Documents) Drop(paths []string, merge bool) {
	var others []string
	for _, path := range paths {
		if !document.IsPicture(path) {
			others = append(others, path)
			continue
		}
		said, err := document.Read(path, d.Table)
		if err != nil && IsEnvironment(path) {
			others = append(others, path)
			continue
		}
		d.show(path, said, err)
	}
	d.loader.Drop(others, merge)
}

// show shows what a picture shows, or says why that cannot be read.
func (d *Documents) show(path string, said document.Document, err error) {
	if err != nil {
		d.Messages.WarnOf(path, err)
		return
	}
	d.find(path, said)
}

// find loads what a picture shows. Where a file is gone, it asks for it.
func (d *Documents) find(picture string, said document.Document) {
	err := said.Locate(picture)
	var missing *document.MissingError
	switch {
	case errors.As(err, &missing) && d.ask != nil:
		d.Messages.Warn(guard.Name(missing.Path) + " is not there any more: choose where it is now")
		d.ask("Where is "+guard.Name(filepath.Base(missing.Path))+" now?", filepath.Dir(picture), func(found string) {
			said.Replace(missing.Path, found)
			d.find(picture, said)
		})
	case err != nil:
		d.Messages.WarnOf(picture, err)
	default:
		d.loader.restore(said)
	}
}

// loaded shows the scene that was loaded as its picture says.
func (d *Documents) loaded(said *document.Document, light Lighting) {
	d.stage.Light = light
	d.loader.rememberEnvironment(light.Spec)
	d.take(said)
}

// take shows the scene on the screen as a document says.
func (d *Documents) take(said *document.Document) {
	d.Active.Settings = said.Settings
	d.stage.take(said)
	if said.Other != nil {
		d.splitAs(said.Other)
		d.Sides[0].Settings = said.Settings
	}
}

// splitAs opens side B, with settings that it had before if they are known.
func (d *Documents) splitAs(other *settings.Settings) {
	if !d.Comparing() {
		d.openSplit()
	}
	if d.Comparing() && other != nil {
		d.Sides[1].Settings = *other
	}
}

// Text is the view as a line for the command line and for Paste.
func (d *Documents) Text() string { return d.now().Text(d.Table) }

// Paste shows what the text of the clipboard says: a file, or a line that was copied.
func (d *Documents) Paste(text string) {
	text = strings.TrimSpace(text)
	if d.stage.Shown == nil || text == "" {
		return
	}
	path, _, _ := strings.Cut(text, "\n")
	if from, err := url.Parse(strings.TrimSpace(path)); err == nil && from.Scheme == "file" {
		path = filepath.FromSlash(from.Path)
	}
	if document.IsFile(path) {
		d.Drop([]string{path}, false)
		return
	}
	now := d.now()
	said, err := now.ReadText(d.Table, text)
	switch {
	case err != nil:
		d.Messages.Warn("Paste: " + err.Error())
	case said.SameScene(&now):
		d.take(&said)
		d.Messages.Say("pasted the view")
	default:
		d.loader.restore(said)
	}
}
