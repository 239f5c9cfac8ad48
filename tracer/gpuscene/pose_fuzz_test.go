package gpuscene_test

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// FuzzPose: whatever numbers a file that moves holds, it is refused, or its poses are made of numbers and its trees hold them.
func FuzzPose(f *testing.F) {
	const intro = `"data:application/octet-stream;base64,`
	text, err := os.ReadFile(tracertest.MovingFile(f))
	if err != nil {
		f.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), intro)
	encoded, after, _ := strings.Cut(rest, `"`)
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	for _, bits := range []uint32{0x7f800000, 0x7fc00000, 0x7149f2ca, 0xff7fffff, 1, 0x58635fa9} { // infinite, no number, 1e30, …, 1e15
		code := []byte{}
		for at := range 60 {
			code = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint16(code, uint16(at*53)), bits)
		}
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		changed := append([]byte(nil), data...)
		for ; len(code) >= 6; code = code[6:] {
			at := int(binary.LittleEndian.Uint16(code)) % (len(changed) / 4)
			copy(changed[4*at:], code[2:6])
		}
		path := filepath.Join(t.TempDir(), "moving.gltf")
		if err := os.WriteFile(path, []byte(before+intro+base64.StdEncoding.EncodeToString(changed)+`"`+after), 0o600); err != nil {
			t.Fatal(err)
		}
		memory := guard.NewMemory(256 << 20)
		s, err := scene.Load(t.Context(), path, scene.Options{Scene: -1, Animated: true, Memory: memory})
		if err != nil || s.Motion == nil {
			return // it says why
		}
		p, err := gpuscene.Prepare(t.Context(), s, gpuscene.Options{Environment: tracertest.Constant(1), Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		d := device.NewCPU("")
		posed, err := gpuscene.Upload(d, p, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer posed.Free(d)
		for _, at := range []float64{0, 0.7, s.Motion.Clips[0].Seconds} {
			if err := posed.Pose(d, s.Motion.Pose(0, at)); err != nil {
				t.Fatal(err)
			}
			checkPosed(t, posed, d)
		}
	})
}

func checkPosed(t *testing.T, posed *gpuscene.Scene, d device.Device) {
	t.Helper()
	vertices, err := gpuscene.Vertices(posed, d)
	if err != nil {
		t.Fatal(err)
	}
	drawn := make([]bool, len(vertices)) // faces that lie too far away have been left out
	first := 0
	note := func(own []scene.Vertex, faces []scene.Face) {
		for _, f := range faces {
			for _, v := range f.V {
				drawn[first+int(v)] = true
			}
		}
		first += len(own)
	}
	s := posed.Prepared().Scene
	note(s.Vertices, s.Faces)
	for i := range s.Meshes {
		note(s.Meshes[i].Vertices, s.Meshes[i].Faces)
	}
	for i, v := range vertices {
		if !drawn[i] {
			continue
		}
		for _, x := range v.Position {
			if !(x >= -1e15 && x <= 1e15) {
				t.Fatalf("vertex %d is at %v", i, v.Position)
			}
		}
		if n := v.Normal; !(n[0]*n[0]+n[1]*n[1]+n[2]*n[2] < 1.01) {
			t.Fatalf("the normal of vertex %d is %v", i, n)
		}
	}
	if err := gpuscene.CheckMeshes(posed, d); err != nil {
		t.Fatal(err)
	}
	lit, err := gpuscene.LitBy(posed, d)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range lit.Lights {
		sum := l.Selection
		for _, x := range slices.Concat(l.Emission[:], l.Intensity[:]) {
			sum += x - x // not of what is no number
		}
		if !(sum >= 0 && sum <= 1) || l.Selection != lit.Alias[i].Pdf {
			t.Fatalf("light %d is chosen with %v: %+v", i, lit.Alias[i].Pdf, l)
		}
	}
	for i, m := range lit.Materials {
		for _, x := range slices.Concat(m.BaseColor[:], m.Emission[:], []float32{m.Transmission, m.Roughness}) {
			if !(x >= 0 && x <= math.MaxFloat32) {
				t.Fatalf("material %d: %+v", i, m)
			}
		}
	}
}
