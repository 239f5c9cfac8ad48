// Package movie renders films: where the camera goes, the frames, as pictures or as a video, and videos of pictures that are there.
package movie

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/pelletier/go-toml/v2"

	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// MaxFrames bounds the length of a film: nine hours at 30 frames a second.
const MaxFrames = 1_000_000

// maxReach bounds where a key is and what it focuses on, m: squares must not overflow.
const maxReach = 1e15

// Motion is where the camera is in each frame of a film.
type Motion struct {
	Frames int
	At     func(frame int) Pose
}

// Pose is a camera with its focus, m; 0 leaves that to the settings.
type Pose struct {
	Camera scene.Camera
	focus  float64
}

// checked is the motion if all its cameras can be used: it is better to know before the first frame is rendered.
func (m Motion) checked() (Motion, error) {
	for frame := range m.Frames {
		p := m.At(frame)
		if err := p.Camera.Check(); err != nil {
			return Motion{}, fmt.Errorf("frame %d: %w", frame, err)
		}
		if !(p.focus <= maxReach) {
			return Motion{}, fmt.Errorf("frame %d: a focus of %v m: want at most %g", frame, p.focus, maxReach)
		}
	}
	return m, nil
}

// Orbit turns a camera about an axis through its target, once in n frames, counter-clockwise seen from the axis's tip.
func Orbit(c scene.Camera, axis mgl32.Vec3, n int) (Motion, error) {
	axis = axis.Normalize()
	return Motion{Frames: n, At: func(frame int) Pose {
		turn := mgl32.HomogRotate3D(float32(2*math.Pi*float64(frame)/float64(n)), axis)
		turned := c
		turned.Eye = c.Target.Sub(scene.Wide(turn.Mul4x1(c.Sight().Vec4(0)).Vec3()))
		turned.Up = turn.Mul4x1(c.Up.Vec4(0)).Vec3()
		return Pose{Camera: turned}
	}}.checked()
}

// channels are the numbers that a path interpolates: eye, target, field of view, focus.
type channels [8]float64

// Keyed moves a camera through key frames, which are in the order of their times.
func Keyed(keys []Key, c scene.Camera, fps float64) (Motion, error) {
	times, values, err := fillIn(keys, c)
	if err != nil {
		return Motion{}, err
	}
	length := (times[len(times)-1] - times[0]) * fps
	if length > MaxFrames-1 {
		return Motion{}, fmt.Errorf("%.0f frames are above the limit of %d", length, MaxFrames)
	}
	// A hundredth of a frame forgives decimal times.
	return Motion{Frames: int(length+0.01) + 1, At: func(frame int) Pose {
		v := catmullRom(times, values, times[0]+float64(frame)/fps)
		moved := c
		moved.Eye, moved.Target = mgl64.Vec3(v[0:3]), mgl64.Vec3(v[3:6])
		if v[6] > 0 {
			moved.VFov, moved.Orthographic = float32(min(max(v[6], 0.1), 179)), 0
		}
		return Pose{Camera: moved, focus: max(v[7], 0)}
	}}.checked()
}

// InScene are key frames given in the coordinates of a scene's file.
func InScene(keys []Key, s *scene.Scene) []Key {
	out := slices.Clone(keys)
	for i, k := range keys {
		eye, target := s.FromFile(mgl64.Vec3(k.Eye)), s.FromFile(mgl64.Vec3(k.Target))
		out[i].Eye, out[i].Target = eye[:], target[:]
	}
	return out
}

// fillIn takes what a key leaves out from the key before, and for the first from the camera.
func fillIn(keys []Key, c scene.Camera) (times []float64, values []channels, err error) {
	vfov, focus := float64(c.VFov), 0.0
	focused := slices.ContainsFunc(keys, func(k Key) bool { return k.Focus != nil })
	for i, k := range keys {
		if k.VFov != nil {
			vfov = *k.VFov
			if values != nil && values[i-1][6] == 0 {
				return nil, nil, errors.New("key 0 needs a vfov: the camera that it begins with has none")
			}
		}
		if k.Focus != nil {
			focus = *k.Focus
		} else if i == 0 && focused {
			focus = distance(k.Eye, k.Target)
		}
		times = append(times, *k.Time)
		values = append(values, channels{k.Eye[0], k.Eye[1], k.Eye[2], k.Target[0], k.Target[1], k.Target[2], vfov, focus})
	}
	return times, values, nil
}

// catmullRom interpolates values over times that need not be even: cubic Hermite pieces whose slopes are those of the
// chords between neighbours (Catmull and Rom 1974).
func catmullRom(times []float64, values []channels, t float64) channels {
	i := sort.Search(len(times)-2, func(i int) bool { return times[i+1] > t })
	span := times[i+1] - times[i]
	u := min(max((t-times[i])/span, 0), 1)
	slope := func(i, c int) float64 {
		before, after := max(i-1, 0), min(i+1, len(times)-1)
		return (values[after][c] - values[before][c]) / (times[after] - times[before])
	}
	var out channels
	for c := range out {
		p, q, m, n := values[i][c], values[i+1][c], span*slope(i, c), span*slope(i+1, c)
		out[c] = p + u*(m+u*(3*(q-p)-2*m-n+u*(2*(p-q)+m+n)))
	}
	return out
}

func distance(a, b []float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// Key is a key frame of a path. What is nil stays as in the key before.
type Key struct {
	Time   *float64  `json:"time"`   // s
	Eye    []float64 `json:"eye"`    // m
	Target []float64 `json:"target"` // m
	VFov   *float64  `json:"vfov"`   // degrees
	Focus  *float64  `json:"focus"`  // m
}

// maxPathFile is the largest path file that is read, bytes.
const maxPathFile = 4 << 20

// ReadKeys reads a path of at least two key frames in the order of their times.
func ReadKeys(path string) ([]Key, error) {
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

func parseKeys(path string) ([]Key, error) {
	text, err := imageio.ReadBounded(path, maxPathFile)
	if err != nil {
		return nil, err // the caller names the file
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
		Key []Key `json:"key"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, keysError(err)
	}
	return file.Key, nil
}

// keysError says in words of the file what is wrong with key frames.
func keysError(err error) error {
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("a key frame has time, eye, target, vfov and focus, but no %s", name)
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("it does not hold key frames, which `glint video --help` shows: %s cannot be %s", wrong.Value,
			cmp.Or(wrong.Field, "the whole"))
	}
	return err
}

// jsonOfTOML converts TOML, so that one decoder reads both formats.
func jsonOfTOML(text []byte) ([]byte, error) {
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("its numbers must be finite: %s", strings.TrimPrefix(err.Error(), "json: unsupported value: "))
	}
	return text, nil
}

func (k Key) check() error {
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
			if !(math.Abs(x) <= maxReach) {
				return fmt.Errorf("%s: %v m is too far away", v.name, x)
			}
		}
	}
	switch {
	case !(math.Abs(*k.Time) <= 1e6):
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
