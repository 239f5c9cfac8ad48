package net_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"glint/cuda"
	"glint/tracer/denoise/net"
	"glint/tracer/device"
	"glint/tracer/tracertest"
)

// picture is an image of floats for the plain loop.
type picture struct {
	net.Size
	channels int
	values   []float32 // all channels of a pixel side by side
}

func newPicture(width, height, channels int) picture {
	return picture{net.Size{Width: width, Height: height}, channels, make([]float32, width*height*channels)}
}

// at is a value, 0 beyond the borders.
func (p picture) at(x, y, c int) float32 {
	if x < 0 || y < 0 || x >= p.Width || y >= p.Height {
		return 0
	}
	return p.values[(y*p.Width+x)*p.channels+c]
}

// framed is the picture in the corner of one of another size, with 0 around it.
func (p picture) framed(size net.Size) picture {
	q := newPicture(size.Width, size.Height, p.channels)
	for i := range q.values {
		q.values[i] = p.at(i/p.channels%q.Width, i/p.channels/q.Width, i%p.channels)
	}
	return q
}

// upsampled repeats each pixel.
func (p picture) upsampled() picture {
	up := newPicture(2*p.Width, 2*p.Height, p.channels)
	for i := range up.values {
		x, y := i/p.channels%up.Width, i/p.channels/up.Width
		up.values[i] = p.at(x/2, y/2, i%p.channels)
	}
	return up
}

func (p picture) pooled() picture {
	half := newPicture(p.Width/2, p.Height/2, p.channels)
	for i := range half.values {
		x, y, c := i/p.channels%half.Width*2, i/p.channels/half.Width*2, i%p.channels
		half.values[i] = max(p.at(x, y, c), p.at(x+1, y, c), p.at(x, y+1, c), p.at(x+1, y+1, c))
	}
	return half
}

// besides puts the channels of another picture behind those of this one.
func (p picture) besides(q picture) picture {
	both := newPicture(p.Width, p.Height, p.channels+q.channels)
	for i := range p.Width * p.Height {
		copy(both.values[i*both.channels:], p.values[i*p.channels:(i+1)*p.channels])
		copy(both.values[i*both.channels+p.channels:], q.values[i*q.channels:(i+1)*q.channels])
	}
	return both
}

// convolved is the plain loop.
func (p picture) convolved(weights, bias []float32, relu bool) picture {
	out := newPicture(p.Width, p.Height, len(bias))
	for y := range p.Height {
		for x := range p.Width {
			for o := range bias {
				sum := bias[o]
				for c := range p.channels {
					for tap := range 9 {
						sum += net.HalfOf(weights[(o*p.channels+c)*9+tap]).Float() * p.at(x+tap%3-1, y+tap/3-1, c)
					}
				}
				if relu {
					sum = max(sum, 0)
				}
				out.values[(y*p.Width+x)*len(bias)+o] = sum
			}
		}
	}
	return out
}

// plain runs a net by the plain loop. Images between layers are halves.
func plain(input picture, table []net.Layer, tensors []net.Tensor) picture {
	made := map[string]picture{net.Input: input}
	values := func(name string) []float32 {
		for _, t := range tensors {
			if t.Name == name {
				return t.Values
			}
		}
		return nil
	}
	last := input
	for _, l := range table {
		var from picture
		for i, s := range l.From {
			p := made[s.Image]
			if s.Up {
				p = p.upsampled()
			}
			if i > 0 {
				p = from.besides(p)
			}
			from = p
		}
		last = from.convolved(values(l.Name+".weight"), values(l.Name+".bias"), l.ReLU)
		for i, v := range last.values {
			last.values[i] = net.HalfOf(v).Float()
		}
		made[l.Name] = last
		if l.Pool {
			made[l.Name+net.Pooled] = last.pooled()
		}
	}
	return last
}

// randomTensors are weights for a table that keep values about as large as they are.
func randomTensors(random *rand.Rand, channels int, table []net.Layer) []net.Tensor {
	made := map[string]int{net.Input: channels}
	var tensors []net.Tensor
	for _, l := range table {
		in := 0
		for _, s := range l.From {
			in += made[s.Image]
		}
		weights, bias := make([]float32, 9*in*l.Channels), make([]float32, l.Channels)
		for i := range weights {
			weights[i] = float32(random.NormFloat64() / math.Sqrt(float64(9*in)))
		}
		for i := range bias {
			bias[i] = float32(random.NormFloat64() / 4)
		}
		made[l.Name], made[l.Name+net.Pooled] = l.Channels, l.Channels
		tensors = append(tensors, net.Tensor{Name: l.Name + ".weight", Dims: []int{l.Channels, in, 3, 3}, Layout: "oihw", Values: weights},
			net.Tensor{Name: l.Name + ".bias", Dims: []int{l.Channels}, Layout: "x", Values: bias})
	}
	return tensors
}

// run has a net on a device work on a picture; all of the output is of that size.
func run(t testing.TB, d device.Device, input picture, table []net.Layer, tensors []net.Tensor, size net.Size) picture {
	t.Helper()
	n, err := net.New(d, input.channels, table, tensors)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Free)
	give(t, n, d, input)
	submit(t, n, d)
	return take(t, n, d, size, table[len(table)-1].Channels)
}

// give makes room, and uploads the input.
func give(t testing.TB, n *net.Net, d device.Device, input picture) {
	t.Helper()
	if err := n.Resize(input.Width, input.Height); err != nil {
		t.Fatal(err)
	}
	each, width := (input.channels+15)/16*16, n.Padded().Width
	halves := make([]net.Half, each*width*n.Padded().Height)
	for i, v := range input.values {
		x, y := i/input.channels%input.Width, i/input.channels/input.Width
		halves[(y*width+x)*each+i%input.channels] = net.HalfOf(v)
	}
	if err := d.Upload(n.Input(), device.BytesOf(halves)); err != nil {
		t.Fatal(err)
	}
}

func submit(t testing.TB, n *net.Net, d device.Device) {
	t.Helper()
	var f cuda.Frame
	n.Fill(&f)
	err := d.SetFrame(&f)
	if err == nil {
		err = d.Submit(n.Launches())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// take reads the output, which has that size.
func take(t testing.TB, n *net.Net, d device.Device, size net.Size, channels int) picture {
	t.Helper()
	each := (channels + 15) / 16 * 16
	halves := make([]net.Half, each*size.Width*size.Height)
	if err := d.Download(n.Output(), device.BytesOf(halves)); err != nil {
		t.Fatal(err)
	}
	out := newPicture(size.Width, size.Height, channels)
	for i := range out.values {
		out.values[i] = halves[i/channels*each+i%channels].Float()
	}
	return out
}

// distance is the root of the mean square difference, by that of b.
func distance(a, b []float32) float64 {
	var difference, square float64
	for i := range b {
		d := float64(a[i]) - float64(b[i])
		difference += d * d
		square += float64(b[i]) * float64(b[i])
	}
	return math.Sqrt(difference / square)
}

func randomPicture(random *rand.Rand, width, height, channels int) picture {
	p := newPicture(width, height, channels)
	for i := range p.values {
		p.values[i] = net.HalfOf(float32(random.NormFloat64())).Float()
	}
	return p
}

// from is the sources of a layer of full size.
func from(names ...string) (sources []net.Source) {
	for _, name := range names {
		sources = append(sources, net.Source{Image: name})
	}
	return sources
}

// onEachDevice runs a test on both builds for processors, and on a GPU where there is one.
func onEachDevice(t *testing.T, test func(t *testing.T, d device.Device)) {
	for name, variant := range map[string]cuda.Variant{"baseline": cuda.Baseline, "best": cuda.BestVariant()} {
		t.Run(name, func(t *testing.T) {
			d := device.NewCPU("")
			d.Variant = variant
			test(t, d)
		})
	}
	t.Run("GPU", func(t *testing.T) { test(t, openGPU(t)) })
}

func openGPU(t *testing.T) device.Device {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	d, err := device.Open(device.Options{Backend: device.KindCUDA})
	if err != nil {
		t.Skip("needs a GPU: ", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestConvMatchesPlainLoop: sizes that are no multiples of anything, every number of channels that blocks differ by, and each thing
// that a layer may do besides.
func TestConvMatchesPlainLoop(t *testing.T) {
	up := func(name string) net.Source { return net.Source{Image: name, Up: true} }
	for _, c := range []struct {
		name                    string
		width, height, channels int
		table                   []net.Layer
	}{
		{"9 channels to 16", 37, 19, 9, []net.Layer{{Name: "a", From: from(net.Input), Channels: 16}}},
		{"16 channels to 3", 33, 9, 16, []net.Layer{{Name: "a", From: from(net.Input), Channels: 3}}},
		{"one pixel", 1, 1, 32, []net.Layer{{Name: "a", From: from(net.Input), Channels: 32}}},
		{"32 channels, ReLU", 65, 17, 32, []net.Layer{{Name: "a", From: from(net.Input), Channels: 32, ReLU: true}}},
		{"48 channels, three layers", 40, 21, 48, []net.Layer{{Name: "a", From: from(net.Input), Channels: 48, ReLU: true},
			{Name: "b", From: from("a"), Channels: 48, ReLU: true}, {Name: "c", From: from("b"), Channels: 48}}},
		{"64 channels", 31, 16, 64, []net.Layer{{Name: "a", From: from(net.Input), Channels: 64}}},
		{"96 channels", 34, 10, 96, []net.Layer{{Name: "a", From: from(net.Input), Channels: 96}}},
		{"two sources", 35, 18, 20, []net.Layer{{Name: "a", From: from(net.Input), Channels: 40}, {Name: "b", From: from("a", net.Input), Channels: 32}}},
		{"pooling", 70, 35, 16, []net.Layer{{Name: "a", From: from(net.Input), Channels: 32, Pool: true}, {Name: "b", From: from("a" + net.Pooled), Channels: 16, ReLU: true}}},
		{"down and up", 75, 37, 9, []net.Layer{{Name: "a", From: from(net.Input), Channels: 16, ReLU: true, Pool: true},
			{Name: "b", From: from("a" + net.Pooled), Channels: 32, ReLU: true, Pool: true},
			{Name: "c", From: []net.Source{up("b" + net.Pooled), {Image: "a" + net.Pooled}}, Channels: 32, ReLU: true},
			{Name: "d", From: []net.Source{{Image: "a"}, up("c")}, Channels: 64, ReLU: true}, {Name: "e", From: from("d"), Channels: 3}}},
	} {
		random := rand.New(rand.NewPCG(1, uint64(len(c.name))))
		tensors := randomTensors(random, c.channels, c.table)
		input := randomPicture(random, c.width, c.height, c.channels)
		scale := 1 // of the smallest image
		for _, l := range c.table {
			if l.Pool {
				scale *= 2
			}
		}
		framed := input.framed(net.Size{Width: (c.width + scale - 1) / scale * scale, Height: (c.height + scale - 1) / scale * scale})
		want := plain(framed, c.table, tensors)
		t.Run(c.name, func(t *testing.T) {
			onEachDevice(t, func(t *testing.T, d device.Device) {
				got := run(t, d, input, c.table, tensors, want.Size)
				if d := distance(got.values, want.values); !(d < 2e-3) {
					t.Errorf("the kernel differs from the plain loop by %.2g", d)
				}
			})
		})
	}
}

// TestNetsThatMakeNoSense: what is wrong with a table or its tensors is said, and nothing stays allocated.
func TestNetsThatMakeNoSense(t *testing.T) {
	good := []net.Layer{{Name: "a", From: from(net.Input), Channels: 16, Pool: true}, {Name: "b", From: []net.Source{{Image: "a" + net.Pooled, Up: true}, {Image: net.Input}}, Channels: 3}}
	tensors := randomTensors(rand.New(rand.NewPCG(1, 2)), 9, good)
	for _, c := range []struct {
		name   string
		change func(table []net.Layer, tensors []net.Tensor)
		want   string
	}{
		{"good", func([]net.Layer, []net.Tensor) {}, ""},
		{"no source", func(l []net.Layer, _ []net.Tensor) { l[1].From = nil }, "layer b: 0 sources"},
		{"three sources", func(l []net.Layer, _ []net.Tensor) { l[1].From = from("a", "a", "a") }, "layer b: 3 sources"},
		{"unknown source", func(l []net.Layer, _ []net.Tensor) { l[0].From = from("b") }, "layer a: there is no image b"},
		{"no channels", func(l []net.Layer, _ []net.Tensor) { l[0].Channels = 0 }, "0 channels"},
		{"wrong size", func(l []net.Layer, _ []net.Tensor) { l[1].From = from("a"+net.Pooled, net.Input) }, "does not have the size"},
		{"larger than the input", func(l []net.Layer, _ []net.Tensor) { l[0].From = []net.Source{{Image: net.Input, Up: true}} }, "does not have the size"},
		{"no weights", func(_ []net.Layer, t []net.Tensor) { t[2].Name = "c" }, "no tensor b.weight"},
		{"weights of another layer", func(_ []net.Layer, t []net.Tensor) { t[2].Dims = t[0].Dims }, "[16 9 3 3]: want [3 25 3 3]"},
		{"no bias", func(_ []net.Layer, t []net.Tensor) { t[3].Name = "c" }, "no tensor b.bias"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := tracertest.NewDevice()
			table, changed := slices.Clone(good), slices.Clone(tensors)
			c.change(table, changed)
			n, err := net.New(d, 9, table, changed)
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v does not say %q", err, c.want)
			}
			if err == nil {
				if err := n.Resize(33, 7); err != nil || n.Padded() != (net.Size{Width: 34, Height: 8}) {
					t.Errorf("33×7 became %v: %v", n.Padded(), err)
				}
				if n.Bytes() == 0 || n.Bytes() != d.Held {
					t.Errorf("%d bytes are said to be held of %d", n.Bytes(), d.Held)
				}
				n.Free()
			}
			if d.Held != 0 {
				t.Errorf("%d bytes are held", d.Held)
			}
		})
	}
}

// TestImagesShareMemory: what no later layer reads makes room, and a net that is run again after another size gives what it gave.
func TestImagesShareMemory(t *testing.T) {
	var table []net.Layer
	for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
		source := net.Input
		if i > 0 {
			source = table[i-1].Name
		}
		table = append(table, net.Layer{Name: name, From: from(source), Channels: 32, ReLU: true})
	}
	random := rand.New(rand.NewPCG(3, 4))
	tensors, input := randomTensors(random, 16, table), randomPicture(random, 64, 64, 16)
	d := tracertest.NewDevice()
	n, err := net.New(d, 16, table, tensors)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Free()
	weights := d.Held
	give(t, n, d, input)
	if images, input := d.Held-weights, 2*16*64*64; images > input+2*2*input+4096 {
		t.Errorf("images of %d bytes take %d", input, images)
	}
	submit(t, n, d)
	first := take(t, n, d, input.Size, 32)
	give(t, n, d, randomPicture(random, 31, 15, 16))
	submit(t, n, d)
	give(t, n, d, input)
	submit(t, n, d)
	if !slices.Equal(first.values, take(t, n, d, input.Size, 32).values) {
		t.Error("the second time it gave something else")
	}
}
