// The net that denoises: its layers, as denoise/conv.cuh reads them.
#pragma once

enum ConvFlag : uint32_t {
  CONV_RELU = 1,        // what is negative becomes 0
  CONV_UP_FIRST = 2,    // the first source has half the size: each of its pixels stands for 2×2
  CONV_UP_SECOND = 4,   // the second has
};

enum ConvSize : uint32_t {
  CONV_CHUNK = 16,     // channels that are read at once; images have a multiple of so many
  CONV_WIDE = 32,      // output channels that a block computes where they are a multiple of it, else CONV_CHUNK
  CONV_COLUMNS = 32,   // that a block computes [pixels]
  CONV_ROWS = 2,       // for each 32 of its threads; even [pixels]
  CONV_TAPS = 9,       // 3×3
};

// A layer: a 3×3 convolution of one or two images. Images are halves, all channels of a pixel side by side.
struct alignas(16) ConvLayer {
  uint64_t sources[2];   // halves; 0: there is none
  uint64_t weights;      // halves: packed as core/matrix.h says
  uint64_t bias;         // float per output channel
  uint64_t output;       // halves; 0: nobody reads it
  uint64_t pooled;       // halves of half the size: the maximum of each 2×2 pixels; 0: nobody reads it
  uint64_t pad0;         //
  uint32_t chunks[2];    // that each source has
  uint32_t width;        // of the output [pixels]
  uint32_t height;       // [pixels]
  uint32_t channels;     // of the output
  uint32_t flags;        // enum ConvFlag
};

// The net that runs.
struct NetParams {
  uint64_t layers;   // ConvLayer each
  uint64_t pad0;     //
};
