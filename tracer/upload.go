package tracer

import (
	"glint/cuda"
	"glint/tracer/bvh"
)

// deviceScene is a prepared scene in a device's memory.
type deviceScene struct {
	prepared *Prepared
	buffers  []buffer
	frame    cuda.Frame // the addresses; everything else is zero
	radius   float32    // of the scene, m
	alpha    bool       // some triangle must be tested for alpha
	media    bool       // some volume scatters
}

// upload copies a prepared scene to the device, all or nothing.
func upload(d device, p *Prepared) (*deviceScene, error) {
	s := &deviceScene{prepared: p, radius: p.Scene.Bounds().Radius(), alpha: p.tested(), media: p.scatters()}
	put := func(data []byte) (uint64, error) {
		b, err := d.alloc(max(len(data), 1))
		if err != nil {
			return 0, err
		}
		s.buffers = append(s.buffers, b)
		return b.address, d.upload(b, data)
	}
	var spread []bvh.SpreadNode
	if d.backend().Kind == "cpu" {
		spread = bvh.Spread(p.wideNodes)
	}
	textures, err := s.putTextures(put)
	if err != nil {
		s.free(d)
		return nil, err
	}
	for _, row := range []struct {
		address *uint64
		data    []byte
	}{
		{&s.frame.Nodes, bytesOf(p.nodes)},
		{&s.frame.WideNodes, bytesOf(p.wideNodes)},
		{&s.frame.SpreadNodes, bytesOf(spread)},
		{&s.frame.Triangles, bytesOf(p.triangles)},
		{&s.frame.Faces, bytesOf(p.faces)},
		{&s.frame.Vertices, bytesOf(p.vertices)},
		{&s.frame.Materials, bytesOf(p.materials)},
		{&s.frame.Textures, bytesOf(textures)},
		{&s.frame.Lights, bytesOf(p.lights)},
		{&s.frame.LightAlias, bytesOf(p.lightAlias)},
		{&s.frame.Environment.Texels, bytesOf(p.environment.texels)},
		{&s.frame.Environment.Alias, bytesOf(p.environment.alias)},
	} {
		if *row.address, err = put(row.data); err != nil {
			s.free(d)
			return nil, err
		}
	}
	e := &p.environment
	s.frame.Environment.Constant = e.constant
	s.frame.Environment.Width, s.frame.Environment.Height = uint32(e.width), uint32(e.height)
	s.frame.Environment.Light = e.light
	s.frame.LightCount, s.frame.NodeCount = uint32(len(p.lights)), uint32(len(p.nodes))
	return s, nil
}

// putTextures uploads each distinct set of pixels once and returns the textures that refer to them.
func (s *deviceScene) putTextures(put func([]byte) (uint64, error)) ([]cuda.Texture, error) {
	scene := s.prepared.Scene
	addresses := map[*byte]uint64{}
	textures := make([]cuda.Texture, len(scene.Textures))
	for i, t := range scene.Textures {
		img := &scene.Images[t.Image]
		address, ok := addresses[&img.Pixels[0]]
		if !ok {
			var err error
			if address, err = put(img.Pixels); err != nil {
				return nil, err
			}
			addresses[&img.Pixels[0]] = address
		}
		d := cuda.Texture{Texels: address, Width: uint32(img.Width), Height: uint32(img.Height),
			WrapS: uint32(t.WrapS), WrapT: uint32(t.WrapT)}
		if img.SRGB {
			d.Flags |= cuda.TextureSrgb
		}
		if t.Nearest {
			d.Flags |= cuda.TextureNearest
		}
		textures[i] = d
	}
	return textures, nil
}

// free gives the memory back.
func (s *deviceScene) free(d device) {
	for _, b := range s.buffers {
		d.free(b)
	}
	s.buffers = nil
}
