package builtin

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/qmuntal/gltf"

	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// WriteGLB writes any flat scene as one binary glTF 2.0 file with its images inside as PNG: one primitive per material, so
// nodes and names of meshes are lost. Cameras, punctual lights and every material extension of scene.Material are kept.
// The file appears whole or not at all. Scenes whose indices lead nowhere and sheared texture transforms, which glTF
// cannot express, are errors.
func WriteGLB(path string, s *scene.Scene) error {
	doc, err := document(s)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	err = imageio.WriteAtomic(path, func(w io.WriteSeeker) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		if err := gltf.NewEncoder(buffered).Encode(doc); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// glbWriter is a document under construction and the extensions it has used.
type glbWriter struct {
	doc  *gltf.Document
	s    *scene.Scene
	used map[string]bool
}

func document(s *scene.Scene) (*gltf.Document, error) {
	if err := checkIndices(s); err != nil {
		return nil, err
	}
	w := glbWriter{doc: gltf.NewDocument(), s: s, used: map[string]bool{}}
	w.doc.Asset.Generator = "glint"
	w.doc.Scenes[0].Name = s.Name
	steps := []func() error{w.images, w.materials, w.mesh, w.cameras, w.lights}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	for name := range w.used {
		w.doc.ExtensionsUsed = append(w.doc.ExtensionsUsed, name)
	}
	slices.Sort(w.doc.ExtensionsUsed)
	return w.doc, nil
}

// checkIndices makes sure that nothing below can step outside a slice.
func checkIndices(s *scene.Scene) error {
	for i, f := range s.Faces {
		if int(f.Material) >= len(s.Materials) {
			return fmt.Errorf("face %d has material %d of %d", i, f.Material, len(s.Materials))
		}
		for _, v := range f.V {
			if int(v) >= len(s.Vertices) {
				return fmt.Errorf("face %d has vertex %d of %d", i, v, len(s.Vertices))
			}
		}
	}
	for i, t := range s.Textures {
		if t.Image < 0 || t.Image >= len(s.Images) {
			return fmt.Errorf("texture %d has image %d of %d", i, t.Image, len(s.Images))
		}
	}
	for i, img := range s.Images {
		if img.Width <= 0 || img.Height <= 0 || len(img.Pixels) != 4*img.Width*img.Height {
			return fmt.Errorf("image %d (%s) has %d bytes for %d×%d texels", i, img.Name, len(img.Pixels), img.Width, img.Height)
		}
	}
	return nil
}

// extension records that the file uses an extension and returns its name.
func (w *glbWriter) extension(name string) string {
	w.used[name] = true
	return name
}

// node adds a node to the scene.
func (w *glbWriter) node(n *gltf.Node) {
	w.doc.Nodes = append(w.doc.Nodes, n)
	w.doc.Scenes[0].Nodes = append(w.doc.Scenes[0].Nodes, len(w.doc.Nodes)-1)
}
