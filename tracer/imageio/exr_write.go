package imageio

import (
	"fmt"
	"io"
	"strings"

	"github.com/mrjoshuak/go-openexr/exr"
)

// WriteLayers stores a picture with layers as .exr (32-bit float), whole or not at all.
func WriteLayers(path string, img *Image, layers []Layer, meta Meta) error {
	err := img.Validate()
	if err == nil {
		err = WriteAtomic(path, func(w io.WriteSeeker) error { return encodeLayers(w, img, layers, meta) })
	}
	return named("write", path, err)
}

func encodeEXR(w io.WriteSeeker, img *Image, meta Meta) error { return encodeLayers(w, img, nil, meta) }

// encodeLayers writes ZIP-compressed 32-bit floats, with meta as string attributes named glint.KEY.
func encodeLayers(w io.WriteSeeker, img *Image, layers []Layer, meta Meta) error {
	h := exr.NewScanlineHeader(img.Width, img.Height)
	channels, frame := exr.NewChannelList(), exr.NewFrameBuffer()
	for _, layer := range append([]Layer{{Channels: []string{"R", "G", "B"}, Pix: img.Pix}}, layers...) {
		if len(layer.Pix) != img.Width*img.Height*len(layer.Channels) {
			return fmt.Errorf("layer %s has %d values, %d×%d pixels of %d channels need %d", layer.Name, len(layer.Pix),
				img.Width, img.Height, len(layer.Channels), img.Width*img.Height*len(layer.Channels))
		}
		names := layer.channelNames()
		for _, name := range names {
			channels.Add(exr.NewChannel(name, exr.PixelTypeFloat))
		}
		setPlanes(frame, layer.Pix, len(names), img, names)
	}
	h.SetChannels(channels)
	for key, value := range meta {
		name := exrPrefix + key
		if len(name) > exrMaxName || strings.ContainsRune(key, 0) {
			return fmt.Errorf("metadata key %q: OpenEXR allows %d characters and no NUL", key, exrMaxName-len(exrPrefix))
		}
		h.Set(&exr.Attribute{Name: name, Type: exr.AttrTypeString, Value: value})
	}
	sw, err := exr.NewScanlineWriter(w, h)
	if err != nil {
		return err
	}
	sw.SetFrameBuffer(frame)
	if err := sw.WritePixels(0, img.Height-1); err != nil {
		return err
	}
	return sw.Close()
}

// channelNames are the names in the file; those of a layer without a name are the picture's own.
func (l Layer) channelNames() []string {
	names := make([]string, len(l.Channels))
	for i, c := range l.Channels {
		names[i] = c
		if l.Name != "" {
			names[i] = l.Name + "." + c
		}
	}
	return names
}
