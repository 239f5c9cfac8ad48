package gpuscene_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// FuzzPrepare: a scene of any triangles gets a tree and is taken by a device, or is refused.
func FuzzPrepare(f *testing.F) {
	f.Add(uint8(0), []byte{})
	f.Add(uint8(1), make([]byte, 36*70))
	many := []byte{}
	for i := range 36 * 100 / 4 {
		many = binary.LittleEndian.AppendUint32(many, math.Float32bits(float32(i%97)*float32(math.Pow(10, float64(i%31-15)))))
	}
	for method := range uint8(4) {
		f.Add(method, many)
	}
	f.Fuzz(func(t *testing.T, method uint8, data []byte) {
		const largest = 1e15 // what the scene package lets through, m
		s := &scene.Scene{Name: "fuzz", Materials: []scene.Material{scene.NewMaterial("m")}}
		for ; len(data) >= 12; data = data[12:] {
			var v scene.Vertex
			for a := range 3 {
				x := math.Float32frombits(binary.LittleEndian.Uint32(data[4*a:]))
				if !(x >= -largest && x <= largest) {
					x = 0
				}
				v.Position[a] = x
			}
			v.Normal, v.Tangent, v.Color = mgl32.Vec3{0, 1, 0}, mgl32.Vec4{1, 0, 0, 1}, mgl32.Vec4{1, 1, 1, 1}
			s.Vertices = append(s.Vertices, v)
		}
		for i := 0; i+2 < len(s.Vertices); i += 3 {
			s.Faces = append(s.Faces, scene.Face{V: [3]uint32{uint32(i), uint32(i + 1), uint32(i + 2)}})
		}
		light := &gpuscene.Environment{Constant: mgl32.Vec3{1, 1, 1}} // a studio takes a hundred times as long as the triangles
		o := gpuscene.Options{Environment: light, BVH: []string{"auto", "off", "fast", "auto"}[method%4], Floor: method&4 != 0, Memory: guard.NewMemory(256 << 20)}
		p, err := gpuscene.Prepare(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if p.BVH.Triangles < len(s.Faces) {
			t.Fatalf("%d triangles in leaves, of %d faces", p.BVH.Triangles, len(s.Faces))
		}
		d := device.NewCPU("")
		uploaded, err := gpuscene.Upload(d, p, 0)
		if err != nil {
			t.Fatal(err)
		}
		uploaded.Free(d)
	})
}
