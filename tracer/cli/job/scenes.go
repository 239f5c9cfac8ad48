package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// SceneNames lists the built-in scenes.
func SceneNames() []string {
	return terminal.Names(builtin.List(), func(i builtin.Info) string { return i.Name })
}

// CheckScene refuses a word that is no scene before anything is opened for it. Others are what else it may have been meant as.
func CheckScene(name string, others ...string) error {
	if name == "" || IsScene(name) {
		return nil
	}
	return fmt.Errorf("no such file or built-in scene: %q%s", name, terminal.Suggestion(name, slices.Concat(SceneNames(), others)))
}

// IsScene tells whether a word names a file or a built-in scene.
func IsScene(word string) bool {
	_, err := os.Stat(word)
	return err == nil || slices.Contains(SceneNames(), word)
}

// LoadScene opens a file, or makes the built-in scene of that name; the empty name is the default scene. Meshes that repeat are
// kept as instances where that suits the device. Of the options it takes Variant, Animated, Progress and Memory, and Instancing if it is
// not the zero value.
func LoadScene(ctx context.Context, name string, on tracer.Options, o scene.Options) (*scene.Scene, error) {
	if ctx.Err() != nil {
		return nil, interrupt.NothingYet(ctx)
	}
	if name == "" {
		name = builtin.Default
	}
	info, err := os.Stat(name)
	if slices.Contains(SceneNames(), name) && (err != nil || info.IsDir()) { // a file comes first
		if o.Variant != "" {
			return nil, fmt.Errorf("%s has no variants, and %s was asked for", name, guard.Name(o.Variant))
		}
		if len(o.Edits) > 0 {
			return nil, fmt.Errorf("%s is built in, and only files can be edited: write it to one with glint scene %s -o %s.glb", name, name, name)
		}
		return builtin.Make(name, builtin.Options{})
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; glint scene lists the built-in scenes%s", err, terminal.Suggestion(name, SceneNames()))
	}
	how, baked := tracer.Repeats(on)
	o.Scene, o.BakedBytes, o.Instancing = -1, baked, cmp.Or(o.Instancing, how)
	return scene.Load(ctx, name, o)
}

// SceneInputs are a scene's file and those that it refers to. What cannot be read is left to the loader.
func SceneInputs(scene string) []save.Named {
	files := []save.Named{{Flag: "the scene", Path: scene}}
	if !strings.EqualFold(filepath.Ext(scene), ".gltf") {
		return files
	}
	const most = 1 << 28 // bytes
	text, err := imageio.ReadBounded(scene, most)
	if err != nil {
		return files
	}
	var parts struct{ Buffers, Images []struct{ URI string } }
	if json.Unmarshal(text, &parts) != nil {
		return files
	}
	for _, part := range append(parts.Buffers, parts.Images...) {
		if part.URI == "" || strings.HasPrefix(part.URI, "data:") {
			continue
		}
		if path, err := url.PathUnescape(part.URI); err == nil {
			files = append(files, save.Named{Flag: "the scene", Path: filepath.Join(filepath.Dir(scene), path)})
		}
	}
	return files
}

// LoadEnvironment reads what --env says.
func LoadEnvironment(spec string, memory *guard.Memory) (*gpuscene.Environment, error) {
	env, err := gpuscene.LoadEnvironment(spec, memory)
	if _, noFile := os.Stat(spec); err != nil && noFile != nil {
		err = fmt.Errorf("%w; built in are %s", err, EnvironmentNames())
	}
	return env, err
}

// EnvironmentNames lists the environments that need no file.
func EnvironmentNames() string {
	return strings.Join(terminal.Names(gpuscene.BuiltinEnvironments(), func(e gpuscene.BuiltinEnvironment) string { return e.Spec }), ", ")
}
