package job

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
)

// SceneKey is a hash of everything in a scene that light depends on.
func SceneKey(s *scene.Scene, env *gpuscene.Environment) (key [sha256.Size]byte) {
	h := sha256.New()
	write := func(data []byte) {
		fmt.Fprintln(h, len(data)) // tells where one thing ends and the next begins
		h.Write(data)
	}
	write(device.BytesOf(s.Vertices))
	write(device.BytesOf(s.Faces))
	write(device.BytesOf(s.Instances))
	for _, m := range s.Meshes {
		write(device.BytesOf(m.Vertices))
		write(device.BytesOf(m.Faces))
	}
	for _, m := range s.Materials {
		writeMaterial(h, m)
	}
	for _, img := range s.Images {
		fmt.Fprintln(h, img.Width, img.Height, img.SRGB)
		write(img.Pixels)
	}
	fmt.Fprintf(h, "%+v %+v\n", s.Textures, s.Lights)
	if s.Environment != "" {
		fmt.Fprintln(h, s.Environment)
	}
	if s.ImageLight != nil {
		fmt.Fprintf(h, "%+v\n", *s.ImageLight)
	}
	if env != nil {
		fmt.Fprintln(h, env.Constant, env.Width, env.Height)
		write(device.BytesOf(env.Pixels))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// KeyInPose is the key of a scene in a pose; nil is at rest, where the scene's own key says all.
func KeyInPose(from [sha256.Size]byte, pose *scene.Pose) [sha256.Size]byte {
	if pose == nil {
		return from
	}
	h := sha256.New()
	h.Write(from[:])
	WritePose(h, pose)
	return [sha256.Size]byte(h.Sum(nil))
}

// writeMaterial writes what a material is; a pointer in it would be written as an address.
func writeMaterial(h hash.Hash, m scene.Material) {
	if m.CarPaint != nil {
		fmt.Fprintf(h, "%+v ", *m.CarPaint)
		m.CarPaint = nil
	}
	fmt.Fprintf(h, "%+v\n", m)
}

// ContentKey is a hash of the scene and its environment, and of what moves meshes.
func ContentKey(s *scene.Scene, env *gpuscene.Environment) [sha256.Size]byte {
	key, h := SceneKey(s, env), sha256.New()
	h.Write(key[:])
	if m := s.Motion; m != nil {
		for _, d := range m.Deforming() {
			fmt.Fprintln(h, d.Mesh, d.Instance, d.Influences, len(d.Vertices), len(d.Targets))
			h.Write(device.BytesOf(d.Vertices))
			h.Write(device.BytesOf(d.Joints))
			h.Write(device.BytesOf(d.Weights))
			for _, t := range d.Targets {
				h.Write(device.BytesOf(t.Positions))
				h.Write(device.BytesOf(t.Normals))
				h.Write(device.BytesOf(t.Tangents))
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// WritePose writes where everything is at one moment.
func WritePose(h hash.Hash, p *scene.Pose) {
	h.Write(device.BytesOf(p.Instances))
	fmt.Fprintln(h, p.Hidden, p.Deformed, p.Cameras, p.Lights)
	for _, m := range p.Materials {
		writeMaterial(h, m)
	}
}

// ShortHash is a hash as it stands in notes.
func ShortHash(sum []byte) string { return hex.EncodeToString(sum[:16]) }
