package grid

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"glint/tracer"
	"glint/tracer/cli/job"
	"glint/tracer/cli/measure"
	"glint/tracer/cli/save"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// cache keeps rendered references in a folder: a picture each, and a note about it. The note is written first, so
// that where there is a picture, it is whole and has its note.
type cache struct{ folder string }

// referenceNote says what a kept reference shows.
type referenceNote struct {
	Scene   string       `json:"scene"`
	Camera  scene.Camera `json:"camera"`
	Width   int          `json:"width"`
	Height  int          `json:"height"`
	Samples int          `json:"samples"`
	RelMSE  float64      `json:"relmse"` // of its own noise, estimated
}

// openCache makes the folder; without a name it is one in the user's cache.
func openCache(folder string) (*cache, error) {
	if folder == "" {
		folder = filepath.Join(xdg.CacheHome, "glint", "references")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("make a folder for references: %w: name another by --cache", err)
	}
	return &cache{folder}, nil
}

// find reads the reference of a view, or renders and keeps it. from is the key of the scene.
func (c *cache) find(ctx context.Context, p *job.Process, j *job.Job, from [sha256.Size]byte, v schedule.Request,
	samples int) (img *imageio.Image, noise float64, err error) {
	path := filepath.Join(c.folder, referenceKey(from, v, measure.ReferenceSettings(j.Settings), samples))
	if _, err := os.Stat(path + ".pfm"); !errors.Is(err, fs.ErrNotExist) {
		return readReference(path)
	}
	img, about, err := measure.RenderReference(ctx, p, j, v, samples)
	if err == nil && about.Samples < samples {
		err = ctx.Err() // what is kept is whole
	}
	if err != nil {
		return nil, 0, err
	}
	noise = about.Noise
	note := referenceNote{j.Prepared.Scene.Name, j.Prepared.Scene.CameraToFile(v.Camera), v.Width, v.Height, samples, noise}
	if err := save.JSON(path+".json", note); err != nil {
		return nil, 0, fmt.Errorf("keep a reference: %w: name another folder by --cache", err)
	}
	if err := imageio.Write(path+".pfm", img, nil); err != nil { // keeps every bit
		return nil, 0, fmt.Errorf("keep a reference: %w: name another folder by --cache", err)
	}
	return img, noise, nil
}

func readReference(path string) (*imageio.Image, float64, error) {
	img, err := imageio.Read(path + ".pfm")
	if err != nil {
		return nil, 0, fmt.Errorf("%w: remove it, to have it rendered again", err)
	}
	var note referenceNote
	const most = 1 << 20
	text, err := imageio.ReadBounded(path+".json", most)
	if err == nil {
		err = json.Unmarshal(text, &note)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the note of a reference: %w: remove %s.pfm, to have both made again", err, path)
	}
	return img, note.RelMSE, nil
}

// referenceKey names the reference of a view. Settings that path does not read make no difference, nor do those that are at
// their defaults, so that a new setting leaves what was kept before.
func referenceKey(from [sha256.Size]byte, v schedule.Request, s settings.Settings, samples int) string {
	h := sha256.New()
	h.Write(from[:])
	fmt.Fprintf(h, "%+v %d %d %d %d\n", v.Camera, v.Width, v.Height, v.Frame, samples)
	defaults := settings.Defaults()
	for _, row := range tracer.SettingsTable() {
		if row.Restarts && row.Group != "Reuse" && !row.Same(&s, &defaults) {
			fmt.Fprintln(h, row.Name, row.Text(&s))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
