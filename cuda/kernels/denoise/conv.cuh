// The layers of the net that denoises: 3×3 convolutions with zeros around the image (params/net.h).
//
// A block computes CONV_WIDE or CONV_CHUNK output channels of CONV_COLUMNS and CONV_ROWS for each 32 threads. It goes through the input in
// chunks of 16 channels; while one is multiplied, the next is copied to shared memory. Weights come from the cache: each warp reads all of a
// chunk, and all blocks the same.
#pragma once

#include "core/device.h"

template <uint32_t THREADS>
struct ConvBlock {
  ChannelTile<(CONV_COLUMNS + 2) * (rowsOf(THREADS) + 2)> tiles[2];   // the input with a rim of one pixel, by turns
};

// ConvPlace is what a block computes.
struct ConvPlace {
  uint32_t x, y;   // its first pixel
  uint32_t part;   // of the output channels
};

// copyChunk has a lane copy its part of 16 channels.
template <uint32_t THREADS>
DEVICE void copyChunk(ConvBlock<THREADS>& shared, const ConvLayer& l, ConvPlace at, uint32_t chunk, uint32_t lane) {
  const bool second = chunk >= l.chunks[0];
  const uint32_t chunks = second ? l.chunks[1] : l.chunks[0];
  const uint32_t up = l.flags & (second ? CONV_UP_SECOND : CONV_UP_FIRST) ? 1u : 0u, pitch = (l.width + up) >> up;
  const uint16_t* image = pointer<const uint16_t>(second ? l.sources[1] : l.sources[0]) +
                          (chunk - (second ? l.chunks[0] : 0u)) * CONV_CHUNK;
  const uint32_t width = CONV_COLUMNS + 2, height = rowsOf(THREADS) + 2;
  for (uint32_t i = lane; i < 2 * width * height; i += THREADS) {
    const uint32_t pixel = i / 2, half = i % 2, x = at.x + pixel % width - 1, y = at.y + pixel / width - 1;
    const bool inside = x < l.width && y < l.height;   // −1 is beyond
    const uint64_t from = inside ? (uint64_t)((y >> up) * pitch + (x >> up)) * (chunks * CONV_CHUNK) + 8 * half : 0u;
    copyHalves(shared.tiles[chunk & 1u], pixel, half, image + from, inside);
  }
}

// finish adds the bias to the sums of 2×2 pixels and stores them, and their maximum.
template <uint32_t N>
DEVICE void finish(const ConvLayer& l, uint32_t x, uint32_t y, uint32_t channel, float (&quad)[2][2][N]) {
  const float* bias = pointer<const float>(l.bias) + channel;
  const float least = l.flags & CONV_RELU ? 0.0f : -INFINITE;
#pragma unroll
  for (uint32_t i = 0; i < 4 * N; i++) {
    float& sum = quad[i & 1u][i >> 1 & 1u][i >> 2];
    sum = maxf(sum + bias[i >> 2], least);
  }
  if (l.output) {
    uint16_t* out = pointer<uint16_t>(l.output) + channel;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t dx = i & 1u, dy = i >> 1;
      if (x + dx < l.width && y + dy < l.height)
        storeHalves(out + (uint64_t)((y + dy) * l.width + x + dx) * l.channels, quad[dy][dx]);
    }
  }
  const uint32_t width = l.width / 2, height = l.height / 2;
  if (!l.pooled || x / 2 >= width || y / 2 >= height) return;
  float most[N];
#pragma unroll
  for (uint32_t c = 0; c < N; c++)
    most[c] = maxf(maxf(quad[0][0][c], quad[0][1][c]), maxf(quad[1][0][c], quad[1][1][c]));
  storeHalves(pointer<uint16_t>(l.pooled) + channel + (uint64_t)(y / 2 * width + x / 2) * l.channels, most);
}

// convolve is the body of the kernels; `pass` numbers the layer.
template <uint32_t OUT, uint32_t THREADS>
DEVICE void convolve(ConvBlock<THREADS>& shared, uint32_t block, uint32_t threads, uint32_t pass) {
  const ConvLayer& l = pointer<const ConvLayer>(frame.net.layers)[pass];
  const uint32_t chunks = l.chunks[0] + l.chunks[1], parts = l.channels / OUT, tile = block / parts;
  const uint32_t across = (l.width + CONV_COLUMNS - 1) / CONV_COLUMNS;
  const ConvPlace at = {tile % across * CONV_COLUMNS, tile / across * rowsOf(THREADS), block % parts};
  const uint16_t* weights =
      pointer<const uint16_t>(l.weights) + (uint64_t)at.part * chunks * (CONV_TAPS * CONV_CHUNK * OUT);
  ConvSums<OUT, THREADS> sums = {};
  COPIES(lane) copyChunk(shared, l, at, 0, lane);
  for (uint32_t chunk = 0; chunk < chunks; chunk++, weights += CONV_TAPS * CONV_CHUNK * OUT) {
    copiesArrive();
    if (chunk + 1 < chunks) COPIES(lane) copyChunk(shared, l, at, chunk + 1, lane);
    addProducts(sums, shared.tiles[chunk & 1u], weights);
  }
  eachQuad(sums, [&](uint32_t x, uint32_t y, uint32_t channel, auto& quad) {
    finish(l, at.x + x, at.y + y, at.part * OUT + channel, quad);
  });
}

BLOCK_KERNEL(conv_16, 128, 5, denoising, ConvBlock<THREADS_conv_16>) { convolve<16>(shared, block, threads, pass); }

BLOCK_KERNEL(conv_32, 128, 4, denoising, ConvBlock<THREADS_conv_32>) { convolve<32>(shared, block, threads, pass); }
