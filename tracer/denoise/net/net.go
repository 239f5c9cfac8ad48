// Package net runs small convolutional nets on images, by kernels of our own (cuda/kernels/denoise/conv.cuh).
//
//	n, err := net.New(d, 9, table, tensors)
//	err = n.Resize(width, height)
//	err = d.Upload(n.Input(), halves)      // or kernels write it
//	n.Fill(&frame)
//	err = d.SetFrame(&frame)
//	err = d.Submit(n.Launches())           // n.Output() has the result
package net

import (
	"errors"
	"fmt"
	"slices"

	"glint/cuda"
	"glint/tracer/device"
)

// Layer is a 3×3 convolution of one or two images side by side, with zeros around them: a row of the table that describes a net.
type Layer struct {
	Name     string // its tensors are Name.weight and Name.bias
	From     []Source
	Channels int  // of the output
	ReLU     bool // what is negative becomes 0
	Pool     bool // an image Name+Pooled is made, too: the maximum of each 2×2 pixels
}

// Source is an image that a layer reads.
type Source struct {
	Image string // the layer which made it, or that with Pooled behind it; Input: what the net is given
	Up    bool   // it has half the size: each of its pixels stands for 2×2
}

// Names of images that are not those of layers.
const (
	Input  = ""        // what a net is given
	Pooled = "/pooled" // behind a layer's name: its output at half the size
)

// Net is a net on a device. Its images have a channel count padded to a multiple of 16, and a size padded to a multiple of what poolings
// divide it by, so that every layer has whole pixels: the input image lies in the corner at 0, 0, and is 0 beyond.
type Net struct {
	device  device.Device
	images  []image // in the order in which they are made
	layers  []layer
	scale   int             // of the smallest image: sizes are multiples of it
	weights []device.Buffer // and biases
	set     device.Set[Size]
	memory  []device.Buffer // that images lie in, some in turn
	table   device.Buffer   // cuda.ConvLayer per layer
	rows    []cuda.ConvLayer
}

// Size is that of an image, pixels.
type Size struct{ Width, Height int }

type image struct {
	name     string
	layer    int // that makes it, from 0
	channels int // without padding
	scale    int // size of the input per size of this
	memory   int // number; −1: nobody reads it
}

// layer is a row of the table with numbers for names.
type layer struct {
	Layer
	from      []int // images
	out, half int   // images; −1: it is not made
	row       cuda.ConvLayer
}

// New makes a net of a table and its tensors. The last layer's output is the net's.
func New(d device.Device, channels int, table []Layer, tensors []Tensor) (*Net, error) {
	n := &Net{device: d, images: []image{{layer: -1, channels: channels, scale: 1}}, scale: 1}
	for _, l := range table {
		if err := n.add(l, tensors); err != nil {
			n.Free()
			return nil, fmt.Errorf("layer %s: %w", l.Name, err)
		}
	}
	n.share()
	return n, nil
}

// add takes a layer into the net, and its weights to the device.
func (n *Net) add(l Layer, tensors []Tensor) error {
	if len(l.From) < 1 || len(l.From) > 2 || l.Channels < 1 {
		return fmt.Errorf("%d sources and %d channels: want 1 or 2, and some", len(l.From), l.Channels)
	}
	added := layer{Layer: l}
	made := image{name: l.Name, layer: len(n.layers), channels: l.Channels}
	var sources []int
	channels := 0
	for i, s := range l.From {
		at := slices.IndexFunc(n.images, func(i image) bool { return i.name == s.Image })
		if at < 0 {
			return fmt.Errorf("there is no image %s before it", s.Image)
		}
		source := n.images[at]
		scale := source.scale
		if s.Up {
			scale /= 2
			added.row.Flags |= cuda.ConvUpFirst << i
		}
		if scale == 0 || i > 0 && scale != made.scale {
			return fmt.Errorf("image %q does not have the size of the layer", s.Image)
		}
		made.scale = scale
		added.from = append(added.from, at)
		added.row.Chunks[i] = uint32(padded(source.channels) / chunk)
		sources = append(sources, source.channels)
		channels += source.channels
	}
	if l.ReLU {
		added.row.Flags |= cuda.ConvRelu
	}
	added.row.Channels = uint32(padded(l.Channels))
	weights, err := find(tensors, l.Name+".weight", l.Channels, channels, 3, 3)
	if err != nil {
		return err
	}
	bias, err := find(tensors, l.Name+".bias", l.Channels)
	if err != nil {
		return err
	}
	buffers, err := device.UploadAll(n.device, []device.Rows{
		{Address: &added.row.Weights, Data: device.BytesOf(pack(weights, l.Channels, inputs(sources...), channels))},
		{Address: &added.row.Bias, Data: device.BytesOf(append(slices.Clone(bias), make([]float32, padded(l.Channels)-l.Channels)...))}})
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	n.weights = append(n.weights, buffers...)
	added.out, added.half = len(n.images), -1
	n.images = append(n.images, made)
	if l.Pool {
		made.name, made.scale, added.half = l.Name+Pooled, 2*made.scale, len(n.images)
		n.images = append(n.images, made)
	}
	n.scale = max(n.scale, made.scale)
	n.layers = append(n.layers, added)
	return nil
}

// find is the tensor of a name, which must have these dimensions.
func find(tensors []Tensor, name string, dims ...int) ([]float32, error) {
	i := slices.IndexFunc(tensors, func(t Tensor) bool { return t.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no tensor %s", name)
	}
	if !slices.Equal(tensors[i].Dims, dims) {
		return nil, fmt.Errorf("tensor %s has dimensions %d: want %d", name, tensors[i].Dims, dims)
	}
	return tensors[i].Values, nil
}

// share gives images memory: that of one which no later layer reads is used again, if it is as large.
func (n *Net) share() {
	last := make([]int, len(n.images)) // layer that reads it; −1: none
	for i := range last {
		last[i] = -1
	}
	for i, l := range n.layers {
		for _, from := range l.from {
			last[from] = i
		}
	}
	last[0], last[n.layers[len(n.layers)-1].out] = len(n.layers), len(n.layers) // these stay
	free := map[int][]int{}                                                     // memory, by bytes per pixel of the smallest image
	next := 1
	for i := range n.layers {
		for k := range n.images {
			made := &n.images[k]
			if made.layer != i {
				continue
			}
			made.memory = -1
			if f := free[n.unit(*made)]; last[k] < 0 {
				continue
			} else if len(f) > 0 {
				made.memory, free[n.unit(*made)] = f[0], f[1:]
			} else {
				made.memory = next
				next++
			}
		}
		for k, image := range n.images {
			if last[k] == i {
				free[n.unit(image)] = append(free[n.unit(image)], image.memory)
			}
		}
	}
	n.memory = make([]device.Buffer, next)
}

// unit is how many bytes of an image a pixel of the smallest one stands for.
func (n *Net) unit(i image) int {
	return 2 * padded(i.channels) * (n.scale / i.scale) * (n.scale / i.scale)
}

// Resize makes room for images of a size. What Launches and Input gave before is no longer good.
func (n *Net) Resize(width, height int) error {
	size := n.padded(width, height)
	fresh, err := n.set.Ensure(n.device, size, func(s Size) []device.Allocation {
		list := []device.Allocation{{Buffer: &n.table, Bytes: len(n.layers) * device.SizeOf[cuda.ConvLayer]()}}
		bytes := make([]int, len(n.memory))
		for _, i := range n.images {
			if i.memory < 0 {
				continue
			}
			bytes[i.memory] = n.unit(i) * (s.Width / n.scale) * (s.Height / n.scale)
		}
		for i := range n.memory {
			list = append(list, device.Allocation{Buffer: &n.memory[i], Bytes: bytes[i]})
		}
		return list
	})
	if err != nil {
		n.rows = nil
		return fmt.Errorf("images of the net: %w", err)
	}
	if !fresh {
		return nil
	}
	n.rows = nil
	for _, l := range n.layers {
		row := l.row
		for k, from := range l.from {
			row.Sources[k] = n.address(from)
		}
		row.Output, row.Pooled = n.address(l.out), n.address(l.half)
		made := n.images[l.out]
		row.Width, row.Height = uint32(size.Width/made.scale), uint32(size.Height/made.scale)
		n.rows = append(n.rows, row)
	}
	if err := errors.Join(n.device.Upload(n.table, device.BytesOf(n.rows)), n.device.Zero(n.Input())); err != nil {
		return fmt.Errorf("images of the net: %w", err)
	}
	return nil
}

func (n *Net) padded(width, height int) Size {
	return Size{(width + n.scale - 1) / n.scale * n.scale, (height + n.scale - 1) / n.scale * n.scale}
}

// Padded is the size that images have in memory.
func (n *Net) Padded() Size { return n.set.Shape() }

// Input is the image to be written: halves, all channels of a pixel side by side, 0 where it is padded. It stays as it is.
func (n *Net) Input() device.Buffer { return n.memory[0] }

// Output is the image that the last layer makes.
func (n *Net) Output() device.Buffer { return n.memory[n.images[n.layers[len(n.layers)-1].out].memory] }

// address is where an image lies; 0 where it is not made or nobody reads it.
func (n *Net) address(image int) uint64 {
	if image < 0 || n.images[image].memory < 0 {
		return 0
	}
	return n.memory[n.images[image].memory].Address
}

// Fill fills in what kernels read.
func (n *Net) Fill(f *cuda.Frame) { f.Net.Layers = n.table.Address }

// Launches are the layers in order.
func (n *Net) Launches() []device.Launch {
	var launches []device.Launch
	for i, r := range n.rows {
		out, kernel := wide(int(r.Channels))
		rows := kernel.Threads() / lanes * int(cuda.ConvRows)
		across := (int(r.Width) + int(cuda.ConvColumns) - 1) / int(cuda.ConvColumns)
		blocks := across * ((int(r.Height) + rows - 1) / rows) * (int(r.Channels) / out)
		launches = append(launches, device.Launch{Kernel: kernel, Arg: uint32(i), Indices: blocks * kernel.Threads()})
	}
	return launches
}

// Bytes is the memory that is held.
func (n *Net) Bytes() int { return n.set.Bytes() + device.SizeOfAll(n.weights) }

// Free gives all memory back.
func (n *Net) Free() {
	n.set.Free(n.device)
	device.FreeAll(n.device, n.weights)
	n.weights, n.rows = nil, nil
}
