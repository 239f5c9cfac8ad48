package viewer

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/view"
	"glint/viewer/session"
)

// longestBase bounds the scene's part of a file name, in characters.
const longestBase = 50

// shotName is the name of a file that shows a scene, but for its extension: scene.YYYYMMDD-HHMMSS.NNNNsamp.
func shotName(scene string, at time.Time, samples int) string {
	base := filepath.Base(scene)
	base = strings.Trim(strings.TrimSuffix(base, filepath.Ext(base)), ".")
	base = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, base)
	if runes := []rune(base); len(runes) > longestBase {
		base = string(runes[:longestBase])
	}
	if base == "" {
		base = "scene"
	}
	return fmt.Sprintf("%s.%s.%04dsamp", base, at.Format("20060102-150405"), samples)
}

// screenshot saves the image in the working directory. It is encoded in the background.
func (a *app) screenshot() {
	if a.shown == nil {
		a.messages.Warn("there is no image yet")
		return
	}
	film, err := a.shot()
	if err != nil {
		a.shotFailed(err)
		return
	}
	samples := a.active.Stats.Shown
	text := a.shotText(samples)
	a.writeShot(".png", samples, func(path string) error { return imageio.WritePNG(path, film, text) })
}

// saveRadiance saves the radiance of the active side in the working directory.
func (a *app) saveRadiance() {
	if a.shown == nil || a.active.Stats.Samples == 0 {
		a.messages.Warn("there is no whole sample yet: wait a moment")
		return
	}
	film, err := a.active.Device.Radiance()
	if err != nil {
		a.shotFailed(err)
		return
	}
	text := a.notes(a.active, a.active.Stats.Samples)
	a.writeShot(".exr", a.active.Stats.Samples, func(path string) error { return imageio.Write(path, film, text) })
}

func (a *app) shotFailed(err error) {
	a.log.Error("save the image", "err", err)
	a.messages.Warn("Save the image: " + err.Error())
}

// writeShot writes a file in the background.
func (a *app) writeShot(extension string, samples int, write func(path string) error) {
	path, err := filepath.Abs(shotName(a.shown.scene.Name, time.Now(), samples) + extension)
	if err != nil {
		a.shotFailed(err)
		return
	}
	path = a.freePath(path)
	a.writes.Add(1)
	guard.Go(func() error {
		if err := write(path); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(a.opts.Out, path); err != nil { // nobody listens, and the file is there
			a.log.Debug("print the name of an image", "err", err)
		}
		return nil
	}, func(err error) {
		defer a.writes.Done()
		a.tasks.post(func() {
			if err != nil {
				a.shotFailed(err)
			} else {
				a.messages.Say("saved " + path)
			}
		})
	})
}

// freePath is path, or one numbered from 2 on where that is taken: by a file, or by one that is still being written.
func (a *app) freePath(path string) string {
	extension := filepath.Ext(path)
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); err != nil && !a.shots[path] {
			a.shots[path] = true
			return path
		}
		path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(strings.TrimSuffix(path, extension), fmt.Sprintf("-%d", n-1)), n, extension)
	}
}

// shot is the image that the window shows, without panel: of one side, or two put together. A side that has waited for its turn since
// the window was resized has an image of the size before.
func (a *app) shot() (*image.NRGBA, error) {
	if !a.comparing() || a.compare.show == session.OneSide {
		return a.active.Device.Picture(a.active.View, a.active.Settings)
	}
	return a.screen.capture(a.composition(a.rendered.view.Width), a.rendered.view.Width, a.rendered.view.Height)
}

// shotText says how the image was made, in the text of its file. Where two sides are seen, each has its settings.
func (a *app) shotText(samples int) map[string]string {
	if !a.comparing() || a.compare.show == session.OneSide {
		return a.notes(a.active, samples)
	}
	notes := a.notes(a.sides[0], samples)
	notes["compare"], notes[view.NoteSettings+" B"] = a.compare.String(), a.notes(a.sides[1], samples)[view.NoteSettings]
	return notes
}

// notes are those of a picture of one side.
func (a *app) notes(of *session.Side, samples int) map[string]string {
	notes, err := a.subject(a.active.View.Camera).Notes(of.Settings, samples)
	if err != nil { // of NaN and infinities only
		a.log.Error("the image does not say how it was made", "err", err)
		return map[string]string{}
	}
	return notes
}
