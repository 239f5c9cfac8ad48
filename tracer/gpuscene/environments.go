package gpuscene

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
	"glint/tracer/imageio"
)

// BuiltinEnvironment is an environment that needs no file: what LoadEnvironment takes for it, and what it is called.
type BuiltinEnvironment struct {
	Spec, Label, Help string
	// makes makes it of what follows the name and a colon, if anything does.
	makes func(argument string, given bool) (*Environment, error)
}

// BuiltinEnvironments lists them.
func BuiltinEnvironments() []BuiltinEnvironment {
	always := func(e func() *Environment) func(string, bool) (*Environment, error) {
		return func(_ string, given bool) (*Environment, error) {
			if given {
				return nil, errors.New("nothing may follow the name")
			}
			return e(), nil
		}
	}
	return []BuiltinEnvironment{
		{"sky", "sun and sky", "A clear afternoon. On the command line, sky:30 has the sun 30 degrees above the horizon.", makeSky},
		{"sky:8", "low sun", "The sun is about to set.", makeSky},
		{"studio", "studio", "Lamps in front of grey, as scenes get that do not light themselves.", always(studioEnvironment)},
		{"none", "none", "Black all around.", always(func() *Environment { return &Environment{} })},
	}
}

// LoadEnvironment reads what --env says: a built-in environment, an image file, or "R,G,B" or one number (radiance in nits).
// The empty string gives nil: the scene decides. Memory counts what an image takes.
func LoadEnvironment(spec string, memory *guard.Memory) (*Environment, error) {
	if spec == "" {
		return nil, nil
	}
	name, argument, given := strings.Cut(spec, ":")
	for _, b := range BuiltinEnvironments() {
		if b.Spec != name {
			continue
		}
		e, err := b.makes(argument, given)
		if err != nil {
			return nil, fmt.Errorf("environment %q: %w", spec, err)
		}
		return e, nil
	}
	if c, err := parseRadiance(spec); err == nil {
		return &Environment{Constant: c}, nil
	} else if !errors.Is(err, errNotNumbers) {
		return nil, fmt.Errorf("environment %q: %w", spec, err)
	}
	img, err := imageio.ReadWithin(spec, memory)
	if err != nil {
		return nil, fmt.Errorf("load environment: %w", err)
	}
	return &Environment{Width: img.Width, Height: img.Height, Pixels: img.Pix}, nil
}

// FullEnvironment is what --env says with the full path of its file, if it names one.
func FullEnvironment(spec string) string {
	name, _, _ := strings.Cut(spec, ":")
	builtIn := slices.ContainsFunc(BuiltinEnvironments(), func(b BuiltinEnvironment) bool { return b.Spec == name })
	if _, err := parseRadiance(spec); spec == "" || builtIn || !errors.Is(err, errNotNumbers) {
		return spec
	}
	if path, err := filepath.Abs(spec); err == nil {
		return path
	}
	return spec
}

var errNotNumbers = errors.New("not numbers")

func parseRadiance(spec string) (mgl32.Vec3, error) {
	parts := strings.Split(spec, ",")
	if len(parts) == 1 {
		parts = []string{spec, spec, spec}
	}
	var c mgl32.Vec3
	if len(parts) != 3 {
		return c, errNotNumbers
	}
	for i, p := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 32)
		if err != nil {
			return c, errNotNumbers
		}
		if !(x >= 0) || math.IsInf(x, 0) {
			return c, errors.New("radiance must be finite and not negative")
		}
		c[i] = float32(x)
	}
	return c, nil
}
