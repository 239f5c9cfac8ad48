package gpuscene_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// imageLit loads a triangle in an image-based light, made of these properties and images.
func imageLit(t *testing.T, light map[string]any, images ...image.Image) (*scene.Scene, error) {
	t.Helper()
	corners, err := binary.Append(nil, binary.LittleEndian, [9]float32{3: 1, 7: 1})
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	for _, img := range images {
		var data bytes.Buffer
		if err := png.Encode(&data, img); err != nil {
			t.Fatal(err)
		}
		list = append(list, map[string]any{"uri": "data:image/png;base64," + base64.StdEncoding.EncodeToString(data.Bytes())})
	}
	doc := map[string]any{"asset": map[string]any{"version": "2.0"}, "scene": 1, "extensionsUsed": []any{"EXT_lights_image_based"},
		"extensionsRequired": []any{"EXT_lights_image_based"},
		"extensions":         map[string]any{"EXT_lights_image_based": map[string]any{"lights": []any{map[string]any{}, light}}},
		"buffers":            []any{map[string]any{"byteLength": len(corners), "uri": "data:;base64," + base64.StdEncoding.EncodeToString(corners)}},
		"bufferViews":        []any{map[string]any{"buffer": 0, "byteLength": len(corners)}},
		"accessors":          []any{map[string]any{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}},
		"meshes":             []any{map[string]any{"primitives": []any{map[string]any{"attributes": map[string]any{"POSITION": 0}}}}},
		"nodes":              []any{map[string]any{"mesh": 0}},
		"scenes":             []any{map[string]any{}, map[string]any{"nodes": []any{0}, "extensions": map[string]any{"EXT_lights_image_based": map[string]any{"light": 1}}}}}
	if len(list) > 0 {
		doc["images"] = list
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lit.gltf")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return scene.Load(t.Context(), path, scene.Options{Scene: -1})
}

// lookAround is what the environment shows in a direction, as kernels find it.
func lookAround(t *testing.T, e *gpuscene.Environment, d mgl64.Vec3) mgl32.Vec3 {
	t.Helper()
	if e == nil {
		t.Fatal("there is no environment")
	}
	u, v := math.Atan2(d[2], d[0])/(2*math.Pi)+0.5, math.Acos(d.Normalize()[1])/math.Pi
	x, y := min(int(u*float64(e.Width)), e.Width-1), min(int(v*float64(e.Height)), e.Height-1)
	return mgl32.Vec3(e.Pixels[3*(y*e.Width+x):][:3])
}

var (
	red, green, blue     = color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255}
	cyan, violet, yellow = color.NRGBA{0, 255, 255, 255}, color.NRGBA{255, 0, 255, 255}, color.NRGBA{255, 255, 0, 255}
)

func colored(c color.NRGBA) mgl32.Vec3 {
	return mgl32.Vec3{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255}
}

// sixColors are the faces of a cube, each with its own colour, but for a white mark near the upper right corner.
func sixColors() (faces []image.Image) {
	const side = 32
	for _, c := range []color.NRGBA{red, green, blue, cyan, violet, yellow} {
		img := image.NewNRGBA(image.Rect(0, 0, side, side))
		for i := range side * side {
			img.Set(i%side, i/side, c)
			if i%side >= 22 && i/side < 10 {
				img.Set(i%side, i/side, color.White)
			}
		}
		faces = append(faces, img)
	}
	return faces
}

// Each face is where the extension says, stands as one sees it from the middle, and turns with the light.
func TestImageLightIsAround(t *testing.T) {
	turn := mgl64.QuatRotate(math.Pi/2, mgl64.Vec3{0, 1, 0}) // +Z comes to +X
	for _, row := range []struct {
		name string
		q    mgl64.Quat
	}{{"as it is", mgl64.QuatIdent()}, {"about +Y", turn}, {"about +X, too", turn.Mul(mgl64.QuatRotate(math.Pi/2, mgl64.Vec3{1, 0, 0}))}} {
		s, err := imageLit(t, map[string]any{"intensity": 2, "specularImageSize": 32, "specularImages": []any{[]any{0, 1, 2, 3, 4, 5}},
			"rotation": []any{row.q.V[0], row.q.V[1], row.q.V[2], row.q.W}}, sixColors()...)
		if err != nil || len(s.Report.Notes) > 0 && !strings.Contains(fmt.Sprint(s.Report.Notes), "no triangles") || !s.HasLight() {
			t.Fatal(err, s)
		}
		e, err := gpuscene.ImageEnvironment(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, face := range []struct {
			ahead, up mgl64.Vec3
			color     color.NRGBA
		}{
			{mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}, red}, {mgl64.Vec3{-1, 0, 0}, mgl64.Vec3{0, 1, 0}, green},
			{mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, -1}, blue}, {mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, 1}, cyan},
			{mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, 1, 0}, violet}, {mgl64.Vec3{0, 0, -1}, mgl64.Vec3{0, 1, 0}, yellow},
		} {
			right := face.ahead.Cross(face.up)
			for _, look := range []struct {
				right, up float64
				want      mgl32.Vec3
			}{{0.05, 0.05, colored(face.color)}, {0.7, 0.7, mgl32.Vec3{1, 1, 1}}, {-0.7, 0.7, colored(face.color)}, {0.7, -0.7, colored(face.color)}} {
				d := row.q.Rotate(face.ahead.Add(right.Mul(look.right)).Add(face.up.Mul(look.up)))
				if got := lookAround(t, e, d); got.Sub(look.want.Mul(2)).Len() > 1e-3 {
					t.Errorf("%s: towards %v of the face at %v, %v right and %v up, is %v, want %v", row.name, d, face.ahead, look.right, look.up, got, look.want.Mul(2))
				}
			}
		}
	}
}

// Alpha divides colours once they are linear, and what it would divide by nothing stays finite.
func TestImageLightIsRGBD(t *testing.T) {
	for _, row := range []struct {
		pixel color.NRGBA
		want  float64
	}{
		{color.NRGBA{188, 188, 188, 255}, cuda.SRGBDecode(188. / 255)},
		{color.NRGBA{188, 188, 188, 51}, cuda.SRGBDecode(188./255) * 5},
		{color.NRGBA{255, 255, 255, 1}, 255},
		{color.NRGBA{255, 255, 255, 0}, 255},
	} {
		img := image.NewNRGBA(image.Rect(0, 0, 2, 2))
		for i := range 4 {
			img.Set(i%2, i/2, row.pixel)
		}
		s, err := imageLit(t, map[string]any{"specularImages": []any{[]any{0, 0, 0, 0, 0, 0}}}, img)
		if err != nil {
			t.Fatal(err)
		}
		e, err := gpuscene.ImageEnvironment(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := lookAround(t, e, mgl64.Vec3{1, 2, 3}); math.Abs(float64(got[0])/row.want-1) > 1e-5 {
			t.Errorf("%v shows %v, want %v", row.pixel, got, row.want)
		}
	}
}

// Without images the environment gives the irradiance that the coefficients tell: here light from +X alone, as far as nine can say.
func TestImageLightOfCoefficients(t *testing.T) {
	// Of an irradiance of 3 + 0.5x + 0.25y − 0.125z + 0.25xy lux.
	rows := make([]any, 9)
	for i, v := range []float64{3 / 0.282095, 0.25 / 0.488603, -0.125 / 0.488603, 0.5 / 0.488603, 0.25 / 1.092548, 0, 0, 0, 0} {
		rows[i] = []any{v, v / 2, 0}
	}
	s, err := imageLit(t, map[string]any{"irradianceCoefficients": rows})
	if err != nil {
		t.Fatal(err)
	}
	e, err := gpuscene.ImageEnvironment(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []mgl32.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {0.6, 0.8, 0}, {-0.6, 0, 0.8}} {
		want := 3 + 0.5*n[0] + 0.25*n[1] - 0.125*n[2] + 0.25*n[0]*n[1]
		var sum [3]float64
		for y := range e.Height {
			theta := math.Pi * (float64(y) + 0.5) / float64(e.Height)
			for x := range e.Width {
				phi := 2 * math.Pi * ((float64(x)+0.5)/float64(e.Width) - 0.5)
				d := mgl64.Vec3{math.Sin(theta) * math.Cos(phi), math.Cos(theta), math.Sin(theta) * math.Sin(phi)}
				weight := max(0, d.Dot(scene.Wide(n))) * math.Sin(theta) * 2 * math.Pi * math.Pi / float64(e.Width*e.Height)
				for c := range sum {
					sum[c] += weight * float64(e.Pixels[3*(y*e.Width+x)+c])
				}
			}
		}
		if math.Abs(sum[0]-float64(want)) > 0.005 || math.Abs(sum[1]-float64(want)/2) > 0.005 || sum[2] != 0 {
			t.Errorf("a surface towards %v gets %v lux, want %v, half and nothing", n, sum, want)
		}
	}
}

// What is broken in the light is said, and the scene is drawn without it; memory is asked first.
func TestImageLightIsChecked(t *testing.T) {
	faces := func(list ...any) []any { return []any{list} }
	nine := func(first ...any) []any { return append([]any{first}, slices.Repeat([]any{[]any{0, 0, 0}}, 8)...) }
	for words, light := range map[string]map[string]any{
		"has 5 faces":                  {"specularImages": faces(0, 0, 0, 0, 0)},
		"element 5: 7 is out of range": {"specularImages": faces(0, 0, 0, 0, 0, 7)},
		"needs 9":                      {},
		"must be triples":              {"irradianceCoefficients": nine(1)},
		"element 1: null":              {"irradianceCoefficients": []any{[]any{1, 1, 1}, nil, nil, nil, nil, nil, nil, nil, nil}},
		"not all of its images can":    {"specularImages": faces(0, 0, 0, 0, 0, 1)},
	} {
		s, err := imageLit(t, light, image.NewNRGBA(image.Rect(0, 0, 1, 1)), image.NewGray(image.Rect(0, 0, 20000, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if s.ImageLight != nil || !strings.Contains(fmt.Sprint(s.Report.Notes), words) {
			t.Errorf("no warning says %q: %q", words, s.Report.Notes)
		}
	}
	for words, light := range map[string]map[string]any{
		"irradianceCoefficients[0][0]: 1e30 is above": {"irradianceCoefficients": nine(json.Number("1e30"), 0, 0)},
		"intensity: -1 is below 0: 0 is used":         {"intensity": -1, "specularImages": faces(0, 0, 0, 0, 0, 0)},
		"rotation: turns about no axis: left out":     {"rotation": []any{0, 0, 0, 0}, "specularImages": faces(0, 0, 0, 0, 0, 0)},
	} {
		s, err := imageLit(t, light, image.NewNRGBA(image.Rect(0, 0, 1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if s.ImageLight == nil || !strings.Contains(fmt.Sprint(s.Report.Notes), words) {
			t.Errorf("no warning says %q, or no light is left: %q", words, s.Report.Notes)
		}
	}
	s, err := imageLit(t, map[string]any{"specularImages": faces(0, 1, 2, 3, 4, 5)}, sixColors()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gpuscene.Prepare(t.Context(), s, gpuscene.Options{Memory: guard.NewMemory(12*128*64 - 1)}); err == nil || !strings.Contains(err.Error(), "an environment of 128×64") {
		t.Errorf("in too little memory: %v", err)
	}
	p, err := gpuscene.Prepare(t.Context(), s, gpuscene.Options{Environment: &gpuscene.Environment{}})
	if err != nil || gpuscene.HasSky(p) {
		t.Errorf("the user chose no light: %v", err)
	}
	if p, err = gpuscene.Prepare(t.Context(), s, gpuscene.Options{}); err != nil || !gpuscene.HasSky(p) || len(p.Notes) > 0 {
		t.Errorf("the file's light is not taken: %v", err)
	}
}
