package tracer_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"glint/tracer/device"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestModelsAreFinite renders every model that loads: the fixture fails the test on a sample that is not a number, and
// under a light that comes from everywhere something must be seen. What does not load is the loader's business.
func TestModelsAreFinite(t *testing.T) {
	readManifest(t) // skips where there are no models
	var paths []string
	err := filepath.WalkDir(sharedScenes, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "broken" || entry.Name() == "faults") {
			return filepath.SkipDir // files that show what is wrong with a file, or was with glint
		}
		if strings.HasSuffix(path, ".glb") || strings.HasSuffix(path, ".gltf") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	loaded := 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, err := scene.Load(context.Background(), path, scene.Options{})
			if err != nil {
				t.Skip("a file that is refused has no picture: ", err)
			}
			loaded++
			shot := tracertest.Shot{Camera: s.DefaultCamera(4. / 3), Width: 96, Height: 72, Samples: 2,
				Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 32 })}
			fx := tracertest.OnFastest(t)
			if fx.Renderer.Engine().Device().Info().Kind == device.KindCUDA {
				shot.Zoom, shot.Samples = 8, 8 // some errors need warps whose threads are in different places
			}
			img := fx.Use(s, tracertest.Constant(1)).Render(shot)
			if mean := tracertest.Mean(img); !(mean[1] > 0) {
				t.Errorf("the picture has mean %v", mean)
			}
		})
	}
	if loaded < 40 {
		t.Errorf("%d of %d models load, there were more than 40", loaded, len(paths))
	}
}
