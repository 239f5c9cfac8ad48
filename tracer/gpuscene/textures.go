package gpuscene

import (
	"glint/cuda"
	"glint/tracer/device"
)

// uploadTextures uploads each distinct set of pixels once and returns the textures that refer to them.
func (s *Scene) uploadTextures(d device.Device) ([]cuda.Texture, error) {
	scene := s.prepared.drawn
	addresses := map[*byte]uint64{}
	textures := make([]cuda.Texture, len(scene.Textures))
	for i, t := range scene.Textures {
		img := &scene.Images[t.Image]
		address, ok := addresses[&img.Pixels[0]]
		if !ok {
			buffers, err := device.UploadAll(d, []device.Rows{{Address: &address, Data: img.Pixels, Stays: true}})
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
