package net

import "glint/cuda"

const (
	chunk = int(cuda.ConvChunk)
	taps  = int(cuda.ConvTaps)
	lanes = 32 // of a warp
)

// padded is how many channels an image has in memory.
func padded(channels int) int { return (channels + chunk - 1) / chunk * chunk }

// wide is how many output channels of so many, which are padded, a block computes, and by which kernel.
func wide(channels int) (int, cuda.Kernel) {
	if channels%int(cuda.ConvWide) == 0 {
		return int(cuda.ConvWide), cuda.Conv32
	}
	return chunk, cuda.Conv16
}

// inputs says which of a layer's input channels, counted through its sources, lies where in their padded images; −1: none does.
func inputs(sources ...int) []int {
	var from []int
	first := 0
	for _, channels := range sources {
		for c := range padded(channels) {
			if c < channels {
				from = append(from, first+c)
			} else {
				from = append(from, -1)
			}
		}
		first += channels
	}
	return from
}

// pack puts weights [output channel][input channel][3][3] into the order of cuda/kernels/core/matrix.h. Channels that only pad have none.
func pack(weights []float32, outputs int, from []int, count int) []Half {
	out, _ := wide(padded(outputs))
	packed := make([]Half, 0, padded(outputs)*len(from)*taps)
	for first := 0; first < padded(outputs); first += out {
		for block := 0; block < len(from); block += chunk {
			for i := range taps * out / chunk * lanes * 8 {
				half, lane := i%8, i/8%lanes
				matrix, tap := i/(8*lanes)%(out/chunk)*2+half/4, i/(8*lanes*(out/chunk))
				column := lane / 4
				o := first + out/4*(column/2) + 2*matrix + column%2
				in := from[block+8*(half/2%2)+2*(lane%4)+half%2]
				var w float32
				if o < outputs && in >= 0 {
					w = weights[(o*count+in)*taps+tap]
				}
				packed = append(packed, HalfOf(w))
			}
		}
	}
	return packed
}
