package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// key is a key frame of a path. What is nil stays as it was.
type key struct {
	Time   *float64  `json:"time"`   // s
	Eye    []float64 `json:"eye"`    // m
	Target []float64 `json:"target"` // m
	VFov   *float64  `json:"vfov"`   // degrees
	Focus  *float64  `json:"focus"`  // m
}

// maxPathFile bounds what is read of a path, bytes.
const maxPathFile = 4 << 20

// readKeys reads a path of at least two key frames in the order of their times.
func readKeys(path string) ([]key, error) {
	keys, err := parseKeys(path)
	if err != nil {
		return nil, fmt.Errorf("--path %s: %w", path, err)
	}
	if len(keys) < 2 {
		return nil, fmt.Errorf("--path %s: it has %d key frames, a path needs two: `glint video --help` shows one", path, len(keys))
	}
	for i, k := range keys {
		if err := k.check(); err != nil {
			return nil, fmt.Errorf("--path %s: key %d: %w", path, i, err)
		}
		if i > 0 && !(*k.Time > *keys[i-1].Time) {
			return nil, fmt.Errorf("--path %s: key %d: time %v does not come after %v", path, i, *k.Time, *keys[i-1].Time)
		}
	}
	return keys, nil
}

func parseKeys(path string) ([]key, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, errors.Unwrap(err) // the caller names the file
	}
	if !info.Mode().IsRegular() || info.Size() > maxPathFile {
		return nil, fmt.Errorf("want a file of at most %d bytes", maxPathFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
	case ".toml":
		if text, err = jsonOfTOML(text); err != nil {
			return nil, err
		}
	default:
		return nil, errors.New("the name must end in .toml or .json")
	}
	var file struct {
		Key []key `json:"key"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, err
	}
	return file.Key, nil
}

// jsonOfTOML lets both kinds of files be read by the same rules.
func jsonOfTOML(text []byte) ([]byte, error) {
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	return json.Marshal(values)
}

func (k key) check() error {
	if k.Time == nil {
		return errors.New("it has no time")
	}
	for _, v := range []struct {
		name string
		at   []float64
	}{{"eye", k.Eye}, {"target", k.Target}} {
		if len(v.at) != 3 {
			return fmt.Errorf("%s: want three numbers, [x, y, z]", v.name)
		}
		for _, x := range v.at {
			if math.Abs(x) > 1e9 {
				return fmt.Errorf("%s: %v m is too far away", v.name, x)
			}
		}
	}
	switch {
	case math.Abs(*k.Time) > 1e6:
		return fmt.Errorf("time: %v s is too far away", *k.Time)
	case distance(k.Eye, k.Target) == 0:
		return errors.New("eye and target are the same point")
	case k.VFov != nil && !(*k.VFov > 0 && *k.VFov < 180):
		return fmt.Errorf("vfov: %v degrees do not lie between 0 and 180", *k.VFov)
	case k.Focus != nil && !(*k.Focus > 0):
		return fmt.Errorf("focus: %v m is not ahead of the camera", *k.Focus)
	}
	return nil
}
