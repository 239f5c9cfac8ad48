package scene

import (
	"fmt"
	"image"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// addThings adds one of everything that scenes have, at a place, by the names of a file: something that rests, that turns, that deforms, a
// camera and a light that move; material, camera and light change, too. Each has a colour and an image of its own.
func addThings(b *builder, name string, at mgl64.Vec3, red byte) {
	places := func(x float64) []float64 { return []float64{at[0] + x, at[1], at[2]} }
	nodes := 0
	if list, some := b.doc["nodes"].([]any); some {
		nodes = len(list)
	}
	picture := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	picture.Pix[0] = red
	texture := jsonObject{"index": b.image(encodePNG(picture))}
	materials, _ := b.doc["materials"].([]any)
	b.textured(jsonObject{"name": name, "pbrMetallicRoughness": jsonObject{"baseColorTexture": texture}, "occlusionTexture": texture})
	b.doc["nodes"].([]any)[nodes].(jsonObject)["translation"] = places(0)
	b.mesh(b.triangle(jsonObject{"name": name + " turns"}))["translation"] = places(2)
	lights := b.doc["extensions"].(jsonObject)["KHR_lights_punctual"].(jsonObject)
	all, _ := lights["lights"].([]any)
	lights["lights"] = append(all, jsonObject{"type": "point", "name": name})
	camera := b.add("cameras", jsonObject{"name": name, "type": "perspective", "perspective": jsonObject{"yfov": 1, "znear": 0.1}})
	b.add("nodes", jsonObject{"camera": camera, "translation": places(4), "extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": len(all)}}})
	skinned := b.triangle(jsonObject{"name": name + " bends"})
	attributes := skinned["attributes"].(jsonObject)
	attributes["JOINTS_0"] = b.accessor(u8, "VEC4", 3, make([]uint8, 12))
	attributes["WEIGHTS_0"] = b.accessor(f32, "VEC4", 3, []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	b.mesh(skinned)["skin"] = b.add("skins", jsonObject{"joints": []int{nodes + 4}})
	b.add("nodes", jsonObject{"translation": places(6)})

	times := b.accessor(f32, "SCALAR", 2, []float32{0, float32(red)})
	turns := b.accessor(f32, "VEC4", 2, []float32{0, 0, 0, 1, 0, 1, 0, 0})
	var channels []any
	for _, node := range []int{1, 2, 4} {
		channels = append(channels, jsonObject{"sampler": 0, "target": jsonObject{"node": nodes + node, "path": "rotation"}})
	}
	samplers := []any{jsonObject{"input": times, "output": turns}}
	for _, row := range []struct {
		pointer string
		to      []float32
	}{
		{fmt.Sprintf("/materials/%d/pbrMetallicRoughness/baseColorFactor", len(materials)), []float32{1, 0.5, 0.25, 1}},
		{fmt.Sprintf("/materials/%d/emissiveFactor", len(materials)), []float32{0.5, 1, float32(red) / 8}},
		{fmt.Sprintf("/materials/%d/extensions/KHR_materials_transmission/transmissionFactor", len(materials)), []float32{1}},
		{fmt.Sprintf("/extensions/KHR_lights_punctual/lights/%d/intensity", len(all)), []float32{float32(red)}},
		{fmt.Sprintf("/cameras/%d/perspective/yfov", camera), []float32{0.25}},
	} {
		shape := map[int]string{1: "SCALAR", 3: "VEC3", 4: "VEC4"}[len(row.to)]
		output := b.accessor(f32, shape, 2, slices.Concat(make([]float32, len(row.to)), row.to))
		channels = append(channels, jsonObject{"sampler": len(samplers), "target": jsonObject{"path": "pointer", "extensions": jsonObject{animationPointer: jsonObject{"pointer": row.pointer}}}})
		samplers = append(samplers, jsonObject{"input": times, "output": output})
	}
	b.add("animations", jsonObject{"name": name, "channels": channels, "samplers": samplers})
}

func newThings() *builder {
	b := newBuilder()
	b.extension("KHR_lights_punctual")
	b.doc["extensions"] = jsonObject{"KHR_lights_punctual": jsonObject{}}
	return b
}

func (b *builder) loadMoving(t *testing.T, name string) *Scene {
	t.Helper()
	s, err := load(t.Context(), b.glb(), noFiles, Options{Scene: -1, Animated: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Name, s.Report.Path = name, name
	return s
}

// things are those at a place as a scene of their own.
func things(t *testing.T, name string, at mgl64.Vec3, red byte) *Scene {
	t.Helper()
	b := newThings()
	addThings(b, name, at, red)
	return b.loadMoving(t, name)
}

func merged(t *testing.T, a, b *Scene) *Scene {
	t.Helper()
	s, err := Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	checkSound(t, s)
	checkPoses(t, s)
	return s
}

// TestMergeIsOneFile: two files merged are the scene of one that holds both, at rest and in every pose; and they are as they were.
func TestMergeIsOneFile(t *testing.T) {
	for _, far := range []float64{0, 1 << 22} {
		here, there := mgl64.Vec3{far, 0, 0}, mgl64.Vec3{far, 3, 0}
		a, b := things(t, "a.glb", here, 1), things(t, "b.glb", there, 2)
		both := newThings()
		addThings(both, "a.glb", here, 1)
		addThings(both, "b.glb", there, 2)
		want, got := both.loadMoving(t, "a.glb + b.glb"), merged(t, a, b)
		sameFields(t, "the scene", *got, *want, "Report", "Motion", "Cameras", "Editable")
		if got.Editable != a.Editable || got.Editable == nil {
			t.Error("what can be edited is not the first file's")
		}
		sameSights(t, "the scene", got.Cameras, want.Cameras)
		for i := range want.Materials {
			if at := uint32(i); got.Features(at) != want.Features(at) || got.Glows(at) != want.Glows(at) {
				t.Errorf("material %d needs %x and may glow: %v; want %x, %v", i, got.Features(at), got.Glows(at), want.Features(at), want.Glows(at))
			}
		}
		if !slices.Equal(got.Motion.Materials, want.Motion.Materials) || !got.Motion.Relights() {
			t.Errorf("materials %v change, want %v", got.Motion.Materials, want.Motion.Materials)
		}
		for i := range want.Motion.Clips {
			g, w := got.Motion.Pose(i, 0.7), want.Motion.Pose(i, 0.7)
			sameFields(t, want.Motion.Clips[i].Name, *g, *w, "Cameras")
			sameSights(t, want.Motion.Clips[i].Name, g.Cameras, w.Cameras)
		}
		if !a.Same(things(t, "a.glb", here, 1)) || !b.Same(things(t, "b.glb", there, 2)) {
			t.Error("merging has changed what was merged")
		}
	}
}

// sameFields compares the fields of two structs, but for some.
func sameFields(t *testing.T, what string, got, want any, but ...string) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		if name := g.Type().Field(i).Name; !slices.Contains(but, name) && !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
			t.Errorf("%s: %s is %v, want %v", what, name, g.Field(i), w.Field(i))
		}
	}
}

// sameSights compares cameras. How far ahead they look depends on what else is in their file.
func sameSights(t *testing.T, what string, got, want []Camera) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d cameras, want %d", what, len(got), len(want))
	}
	for i, c := range got {
		w := want[i]
		w.Target = w.Eye.Add(w.Target.Sub(w.Eye).Normalize().Mul(c.Target.Sub(c.Eye).Len()))
		if w.Target.Sub(c.Target).Len() > 1e-6 {
			t.Errorf("%s: camera %d looks at %v, want %v", what, i, c.Target, w.Target)
		}
		if w.Target = c.Target; c != w {
			t.Errorf("%s: camera %d is %v, want %v", what, i, c, w)
		}
	}
}

// TestMergeAboutOrigins: scenes that are drawn about points of their own are where their files have them, whichever comes first.
func TestMergeAboutOrigins(t *testing.T) {
	const far = 1 << 12
	near, distant := things(t, "near", mgl64.Vec3{}, 1), things(t, "distant", mgl64.Vec3{far, 0, 0}, 2)
	if distant.Origin == (mgl64.Vec3{}) {
		t.Fatal("the distant one is drawn where it is")
	}
	inFile := func(s *Scene) (points []mgl64.Vec3) {
		for _, v := range s.Vertices {
			points = append(points, s.ToFile(Wide(v.Position)))
		}
		pose := s.Motion.Pose(len(s.Motion.Clips)-1, 0.3)
		for _, in := range slices.Concat(s.Instances, pose.Instances) {
			if !s.Meshes[in.Mesh].deforms { // which is placed by its vertices
				points = append(points, s.ToFile(Wide(in.World.Col(3).Vec3())))
			}
		}
		for _, d := range pose.Deformed {
			points = append(points, s.ToFile(d.Joints[0].Col(3).Vec3()))
		}
		for _, m := range s.Meshes {
			if m.deforms {
				points = append(points, s.ToFile(Wide(m.Vertices[0].Position)))
			}
		}
		for _, c := range s.Cameras {
			points = append(points, s.ToFile(c.Eye))
		}
		for _, l := range s.Lights {
			points = append(points, s.ToFile(Wide(l.Position)))
		}
		slices.SortFunc(points, func(a, b mgl64.Vec3) int { return slices.Compare(a[:], b[:]) })
		return points
	}
	one, other := merged(t, near, distant), merged(t, distant, near)
	if one.Origin != near.Origin || other.Origin != distant.Origin {
		t.Errorf("origins %v and %v, want those of the first", one.Origin, other.Origin)
	}
	p, q := inFile(one), inFile(other)
	if len(p) != len(q) || len(p) < 18 {
		t.Fatalf("%d and %d points", len(p), len(q))
	}
	for i := range p {
		if p[i].Sub(q[i]).Len() > 1e-3 { // where either is far off, a step of single precision is 5e-4
			t.Errorf("point %d is at %v or at %v", i, p[i], q[i])
		}
	}
	if last := p[len(p)-1][0]; last < far || p[0][0] > 1 {
		t.Errorf("they reach from %v to %v", p[0], last)
	}
	if !warned(one, "distant: lies 4096 m") || !warned(other, "near: lies") {
		t.Errorf("rounding is not told: %v", one.Report.Notes)
	}
}

// TestMergeReports: notes have their file in front, once however many are merged, and boxes are where things are now.
func TestMergeReports(t *testing.T) {
	a, b, c := things(t, "a.glb", mgl64.Vec3{}, 1), things(t, "b.glb", mgl64.Vec3{}, 2), things(t, "c.glb", mgl64.Vec3{}, 3)
	c.Origin = mgl64.Vec3{0, 0, 8} // as if it were drawn about another point
	s := merged(t, merged(t, a, b), c)
	var objects []string
	for _, n := range s.Report.Notes {
		if strings.Contains(n.Text, "occlusion") {
			objects = append(objects, n.Object)
		}
	}
	if got, want := strings.Join(objects, ", "), `a.glb: material 0 "a.glb", b.glb: material 0 "b.glb", c.glb: material 0 "c.glb"`; got != want {
		t.Errorf("notes about %s, want %s", got, want)
	}
	for _, n := range s.Report.Notes {
		if strings.HasPrefix(n.Object, "c.glb: material") && (n.At == nil || n.At.Min[2] != 8) {
			t.Errorf("%v is at %v", n, n.At)
		}
	}
	if !slices.Equal(s.Report.Merged, []string{"a.glb", "b.glb", "c.glb"}) || s.Report.Path != "" || s.Name != "a.glb + b.glb + c.glb" || len(s.Report.Extensions) != 1 {
		t.Errorf("%s is made of %v, at %q, with %v", s.Name, s.Report.Merged, s.Report.Path, s.Report.Extensions)
	}
	var clips []string
	for _, clip := range s.Motion.Clips {
		clips = append(clips, clip.Name)
	}
	if got := strings.Join(clips, ", "); got != "a.glb, b.glb, c.glb, all" {
		t.Errorf("clips %s", got)
	}
}

// TestMergeKeepsEnvironment: it is the first's, or else the second's.
func TestMergeKeepsEnvironment(t *testing.T) {
	lit := func(by string) *Scene {
		return &Scene{Environment: by, Materials: []Material{NewMaterial("white")}}
	}
	for _, c := range [][3]string{{"sky", "studio", "sky"}, {"", "studio", "studio"}, {"sky", "", "sky"}, {}} {
		if s := merged(t, lit(c[0]), lit(c[1])); s.Environment != c[2] {
			t.Errorf("%q and %q are lit by %q", c[0], c[1], s.Environment)
		}
	}
}

// TestMergeKeepsImageLight: that of the first file that lights itself from around, with its images.
func TestMergeKeepsImageLight(t *testing.T) {
	images := []Image{{Width: 1, Height: 1, Pixels: make([]byte, 4)}, {Width: 1, Height: 1, Pixels: make([]byte, 4)}}
	lit := func(first int) *Scene {
		return &Scene{ImageLight: &ImageLight{Faces: []int{first, 0, 0, 0, 0, 0}}, Images: images, Materials: []Material{NewMaterial("white")}}
	}
	sky, none := &Scene{Environment: "sky", Images: images}, &Scene{Images: images}
	for name, c := range map[string]struct {
		a, b  *Scene
		first int // image of the light; -1: none
		env   string
	}{
		"both": {lit(1), lit(0), 1, ""}, "the second": {none, lit(1), 3, ""}, "beside a sky": {lit(1), sky, 1, ""}, "under a sky": {sky, lit(1), -1, "sky"},
	} {
		got, first := merged(t, c.a, c.b), -1
		if got.ImageLight != nil {
			first = got.ImageLight.Faces[0]
		}
		if first != c.first || got.Environment != c.env || c.b.ImageLight != nil && c.b.ImageLight.Faces[0] > 1 {
			t.Errorf("%s: image %d and %q, want %d and %q", name, first, got.Environment, c.first, c.env)
		}
	}
}

// TestMergeKnowsItsLimits: what cannot be drawn as one is refused before anything is made of it.
func TestMergeKnowsItsLimits(t *testing.T) {
	half := &Scene{Name: "half", Faces: make([]Face, maxFaces/2+1)}
	mesh := Mesh{Vertices: make([]Vertex, 3), Faces: make([]Face, 1<<20)}
	crowd := &Scene{Name: "crowd", Meshes: []Mesh{mesh}, Instances: make([]Instance, maxIDs>>21+1)}
	away := triangleScene(mgl32.Vec3{}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 1, 0})
	away.Origin[1] = largest
	for words, pair := range map[string][2]*Scene{
		"merge half into half: 134217730 triangles": {half, half},
		"instances have":         {crowd, crowd},
		"where numbers overflow": {triangleScene(mgl32.Vec3{}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 1, 0}), away},
	} {
		if _, err := Merge(pair[0], pair[1]); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("want an error that says %q, got %v", words, err)
		}
	}
}
