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
	Pool     bool // the output has half the size: the maximum of each 2×2 pixels
}

// Source is an image that a layer reads.
type Source struct {
	Layer string // which made it; Input: what the net is given
	Up    bool   // it has half the size: each of its pixels stands for 2×2
}

// Input is the image that a net is given.
const Input = ""

// Net is a net on a device. Its images have a channel count padded to a multiple of 16, and a size padded to a multiple of what poolings
// divide it by, so that every layer has whole pixels: the input image lies in the corner at 0, 0, and is 0 beyond.
type Net struct {
	device  device.Device
	images  []image // the input, then each layer's output
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
	channels int // without padding
	scale    int // size of the input per size of this
	memory   int // number
}

// layer is a row of the table with numbers for names.
type layer struct {
	Layer
	from []int // images
	row  cuda.ConvLayer
}

// New makes a net of a table and its tensors. The last layer's output is the net's.
func New(d device.Device, channels int, table []Layer, tensors []Tensor) (*Net, error) {
	n := &Net{device: d, images: []image{{channels: channels, scale: 1}}, scale: 1}
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
	made := image{channels: l.Channels}
	var sources []int
	channels := 0
	for i, s := range l.From {
		at := slices.IndexFunc(n.layers, func(l layer) bool { return l.Name == s.Layer }) + 1
		if at == 0 && s.Layer != Input {
			return fmt.Errorf("there is no layer %s before it", s.Layer)
		}
		source := n.images[at]
		scale := source.scale
		if s.Up {
			scale /= 2
			added.row.Flags |= cuda.ConvUpFirst << i
		}
		if scale == 0 || i > 0 && scale != made.scale {
			return fmt.Errorf("image %q does not have the size of the layer", s.Layer)
		}
		made.scale = scale
		added.from = append(added.from, at)
		added.row.Chunks[i] = uint32(padded(source.channels) / chunk)
		sources = append(sources, source.channels)
		channels += source.channels
	}
	if l.Pool {
		made.scale *= 2
		added.row.Flags |= cuda.ConvPool
	}
	if l.ReLU {
		added.row.Flags |= cuda.ConvRelu
	}
	n.scale = max(n.scale, made.scale)
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
	n.images, n.layers = append(n.images, made), append(n.layers, added)
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
	last := make([]int, len(n.images)) // layer that reads it
	last[0], last[len(last)-1] = len(n.layers), len(n.layers)
	for i, l := range n.layers {
		for _, from := range l.from {
			last[from] = max(last[from], i)
		}
	}
	free := map[int][]int{} // memory, by bytes per pixel of the smallest image
	next := 1
	for i := range n.layers {
		made := &n.images[i+1]
		if f := free[n.unit(*made)]; len(f) > 0 {
			made.memory, free[n.unit(*made)] = f[0], f[1:]
		} else {
			made.memory = next
			next++
		}
		for at, image := range n.images[:i+1] {
			if last[at] == i {
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
	for i, l := range n.layers {
		row := l.row
		for k, from := range l.from {
			row.Sources[k] = n.memory[n.images[from].memory].Address
		}
		made := n.images[i+1]
		row.Output = n.memory[made.memory].Address
		if l.Pool {
			made.scale /= 2
		}
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
func (n *Net) Output() device.Buffer { return n.memory[n.images[len(n.images)-1].memory] }

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
