package tracer

import "glint/cuda"

// deviceScene is a prepared scene in a device's memory.
type deviceScene struct {
	prepared *Prepared
	buffers  []buffer
	frame    cuda.Frame // what kernels read of the scene; everything else is zero
	trees    []*plantedTree
	meshes   []cuda.Instance // where each mesh is; everything else is zero
	upper    upper
}

// put is what goes to the device, and where its address goes.
type put struct {
	address *uint64
	data    []byte
	size    int // bytes, when there is no data: what is there at first does not matter
}

// putAll allocates and fills a buffer for each row, or none.
func putAll(d device, rows []put) ([]buffer, error) {
	var buffers []buffer
	for _, row := range rows {
		b, err := d.alloc(max(len(row.data), row.size, 1))
		if err == nil {
			buffers = append(buffers, b)
			err = d.upload(b, row.data)
		}
		if err != nil {
			freeAll(d, buffers)
			return nil, err
		}
		*row.address = b.address
	}
	return buffers, nil
}

func freeAll(d device, buffers []buffer) {
	for _, b := range buffers {
		d.free(b)
	}
}

// upload copies a prepared scene to the device, all or nothing.
func upload(d device, p *Prepared) (*deviceScene, error) {
	s := &deviceScene{prepared: p}
	s.frame.Scene.Radius = p.Scene.Bounds().Radius()
	s.frame.Scene.Reach = s.frame.Scene.Radius
	s.frame.Scene.Missing = p.lacks()
	d.suit(s.frame.Scene.Missing)
	err := s.put(d, p)
	if err == nil {
		err = s.plant(d, p.first)
	}
	if err == nil {
		err = s.putInstances(d)
	}
	if err != nil {
		s.free(d)
		return nil, err
	}
	p.Tree = p.first.Stats // of a promised tree they are known only now
	return s, nil
}

// put copies what does not depend on the tree.
func (s *deviceScene) put(d device, p *Prepared) error {
	textures, err := s.putTextures(d)
	if err != nil {
		return err
	}
	e := &p.environment
	s.frame.Scene.Environment.Constant = e.constant
	s.frame.Scene.Environment.Width, s.frame.Scene.Environment.Height = uint32(e.width), uint32(e.height)
	s.frame.Scene.Environment.Light = e.light
	s.frame.Scene.LightCount = uint32(len(p.lights))
	s.frame.Guides.ObjectCount = uint32(len(p.Scene.Objects))
	buffers, err := putAll(d, []put{
		{address: &s.frame.Scene.Vertices, data: bytesOf(p.vertices)},
		{address: &s.frame.Scene.Materials, data: bytesOf(p.materials)},
		{address: &s.frame.Scene.Textures, data: bytesOf(textures)},
		{address: &s.frame.Guides.Objects, data: bytesOf(p.Scene.Objects)},
		{address: &s.frame.Scene.Lights, data: bytesOf(p.lights)},
		{address: &s.frame.Scene.LightAlias, data: bytesOf(p.lightAlias)},
		{address: &s.frame.Scene.Environment.Texels, data: bytesOf(e.texels)},
		{address: &s.frame.Scene.Environment.Alias, data: bytesOf(e.alias)},
	})
	s.buffers = append(s.buffers, buffers...)
	return err
}

// putTextures uploads each distinct set of pixels once and returns the textures that refer to them.
func (s *deviceScene) putTextures(d device) ([]cuda.Texture, error) {
	scene := s.prepared.Scene
	addresses := map[*byte]uint64{}
	textures := make([]cuda.Texture, len(scene.Textures))
	for i, t := range scene.Textures {
		img := &scene.Images[t.Image]
		address, ok := addresses[&img.Pixels[0]]
		if !ok {
			buffers, err := putAll(d, []put{{address: &address, data: img.Pixels}})
			if err != nil {
				return nil, err
			}
			s.buffers = append(s.buffers, buffers...)
			addresses[&img.Pixels[0]] = address
		}
		texture := cuda.Texture{Texels: address, Width: uint32(img.Width), Height: uint32(img.Height),
			WrapS: uint32(t.WrapS), WrapT: uint32(t.WrapT)}
		if img.SRGB {
			texture.Flags |= cuda.TextureSrgb
		}
		if t.Nearest {
			texture.Flags |= cuda.TextureNearest
		}
		textures[i] = texture
	}
	return textures, nil
}

// free gives the memory back.
func (s *deviceScene) free(d device) {
	freeAll(d, s.buffers)
	s.buffers = nil
	for _, t := range s.trees {
		freeAll(d, t.buffers)
	}
	s.trees = nil
	freeAll(d, s.upper.buffers)
	s.upper = upper{}
}
