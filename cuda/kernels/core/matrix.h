// Products of matrices of halves, which a convolution is made of: by tensor cores on a GPU, by vectors on a CPU. Included by device.h.
//
// A block has a tile of input pixels in shared memory, 16 channels of each (ChannelTile), and sums for its output (ConvSums): CONV_COLUMNS,
// and CONV_ROWS for each 32 threads. On a GPU each warp has the sums of its rows in registers.
//
// Weights are packed in the order in which a warp reads them (tracer/denoise/net/pack.go):
//   [part of OUT output channels][chunk of 16 input channels][tap: row, column][16 output channels][lane][8 halves]
// Half i of lane l belongs to column l / 4 of the 16×8 matrix m = i / 4, and to input channel 8 · (i / 2 % 2) + 2 · (l % 4) + i % 2. Columns
// are output channels in an order that gives a lane the sums of neighbouring channels: column c of matrix m (counted through all of a part)
// is output channel OUT / 4 · (c / 2) + 2 · m + c % 2 of the part.
#pragma once

// --- Halves ---------------------------------------------------------------------------------------------------------

#ifdef __CUDACC__
// packHalves rounds two numbers; the first is in the lower bits.
DEVICE uint32_t packHalves(float a, float b) {
  uint32_t both;
  asm("{\n"
      "  .reg .b16 low, high;\n"
      "  cvt.rn.f16.f32 low, %1;\n"
      "  cvt.rn.f16.f32 high, %2;\n"
      "  mov.b32 %0, {low, high};\n"
      "}"
      : "=r"(both)
      : "f"(a), "f"(b));
  return both;
}

// storeHalves writes 8 or 4 numbers to an address that is aligned to all of them.
DEVICE void storeHalves(uint16_t* to, const float (&v)[8]) {
  *reinterpret_cast<uint4*>(to) =
      make_uint4(packHalves(v[0], v[1]), packHalves(v[2], v[3]), packHalves(v[4], v[5]), packHalves(v[6], v[7]));
}
DEVICE void storeHalves(uint16_t* to, const float (&v)[4]) {
  *reinterpret_cast<uint2*>(to) = make_uint2(packHalves(v[0], v[1]), packHalves(v[2], v[3]));
}

// loadHalves reads 8 from an address that is aligned to all of them.
DEVICE void loadHalves(float* to, const void* from) {
  const uint4 v = *reinterpret_cast<const uint4*>(from);
  const uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (uint32_t i = 0; i < 4; i++)
    asm("{\n"
        "  .reg .b16 low, high;\n"
        "  mov.b32 {low, high}, %2;\n"
        "  cvt.f32.f16 %0, low;\n"
        "  cvt.f32.f16 %1, high;\n"
        "}"
        : "=f"(to[2 * i]), "=f"(to[2 * i + 1])
        : "r"(words[i]));
}
#else
#ifdef GLINT_FMA
DEVICE uint16_t halfOf(float x) { return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT); }
#else
// halfOf rounds to the nearest half, to the even one of two.
DEVICE uint16_t halfOf(float x) {
  uint32_t bits = floatBits(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);    // not a number
  if (size >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u);   // 65520 and more
  if (size < 0x38800000u)                                       // denormal: the sum keeps units of 2⁻²⁴
    return (uint16_t)(sign | (floatBits(bitsFloat(size) + 0.5f) - 0x3f000000u));
  return (uint16_t)(sign | (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13);
}
#endif

template <uint32_t N>
DEVICE void storeHalves(uint16_t* to, const float (&v)[N]) {
  for (uint32_t i = 0; i < N; i++) to[i] = halfOf(v[i]);
}

// loadHalves reads 8.
DEVICE void loadHalves(float* to, const void* from) {
#ifdef GLINT_FMA
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)from)));
#else
  uint16_t halves[8];
  memcpy(halves, from, sizeof halves);
  for (uint32_t i = 0; i < 8; i++) {
    uint32_t sign = (halves[i] & 0x8000u) << 16, size = halves[i] & 0x7fffu;
    float scaled = bitsFloat(size << 13) * 5.192296858534828e33f;   // 2¹¹²: the exponents' biases differ by so much
    to[i] = bitsFloat(sign | (size < 0x7c00u ? floatBits(scaled) : size << 13 | 0x7f800000u));
  }
#endif
}
#endif

// loadSixteen and storeSixteen are for 16 numbers.
DEVICE void loadSixteen(float (&to)[16], const uint16_t* from) {
  loadHalves(to, from);
  loadHalves(to + 8, from + 8);
}
DEVICE void storeSixteen(uint16_t* to, const float (&v)[16]) {
  float low[8], high[8];
  for (uint32_t i = 0; i < 8; i++) {
    low[i] = v[i];
    high[i] = v[8 + i];
  }
  storeHalves(to, low);
  storeHalves(to + 8, high);
}

// rowsOf is how many rows of pixels a block has.
constexpr uint32_t rowsOf(uint32_t threads) { return threads / 32 * CONV_ROWS; }

// --- Tiles of input --------------------------------------------------------------------------------------------------
// copyHalves puts 8 of a pixel's 16 channels into a tile, or zeros; COPIES(lane) { … } has all lanes do so, and nobody sees what they
// copy before copiesArrive().

#ifdef __CUDACC__
template <uint32_t PIXELS>
struct ChannelTile {
  float4 units[2 * PIXELS];   // 8 halves each
};

// unitOf is where 8 channels of a pixel lie. ldmatrix reads those of eight pixels, of every other one: each from banks of its own.
DEVICE uint32_t unitOf(uint32_t pixel, uint32_t half) { return (2u * pixel + half) ^ (pixel >> 2 & 3u); }

DEVICE uint32_t sharedAddress(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }

// PTX is written for Turing, which lacks the instructions behind the mark //sm_80: for newer GPUs, they replace those that are marked
// as sm_75 (images.Instructions).
template <uint32_t PIXELS>
DEVICE void copyHalves(ChannelTile<PIXELS>& tile, uint32_t pixel, uint32_t half, const uint16_t* from, bool inside) {
  asm volatile(
      "/*sm_75*/{\n"
      "/*sm_75*/.reg .pred inside;\n"
      "/*sm_75*/.reg .b32 unit<4>;\n"
      "/*sm_75*/mov.b32 unit0, 0; mov.b32 unit1, 0; mov.b32 unit2, 0; mov.b32 unit3, 0;\n"
      "/*sm_75*/setp.ne.u32 inside, %2, 0;\n"
      "/*sm_75*/@inside ld.global.v4.b32 {unit0, unit1, unit2, unit3}, [%1];\n"
      "/*sm_75*/st.shared.v4.b32 [%0], {unit0, unit1, unit2, unit3};\n"
      "/*sm_75*/}\n"
      "//sm_80 cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(sharedAddress(tile.units + unitOf(pixel, half))),
      "l"(from), "r"(inside ? 16u : 0u)
      : "memory");
}

DEVICE void copiesArrive() {
  asm volatile("//sm_80 cp.async.wait_all;\n" ::: "memory");
  __syncthreads();
}
#define COPIES(lane) for (uint32_t lane = threadIdx.x, open = 1; open; open = 0)
#else
template <uint32_t PIXELS>
struct ChannelTile {
  float channels[PIXELS][CONV_CHUNK];
};

template <uint32_t PIXELS>
DEVICE void copyHalves(ChannelTile<PIXELS>& tile, uint32_t pixel, uint32_t half, const uint16_t* from, bool inside) {
  float* to = tile.channels[pixel] + 8 * half;
  if (inside)
    loadHalves(to, from);
  else
    for (uint32_t i = 0; i < 8; i++) to[i] = 0.0f;
}

DEVICE void copiesArrive() {}
#define COPIES(lane) for (uint32_t lane = 0; lane < threads; lane++)
#endif

// --- Sums of output --------------------------------------------------------------------------------------------------
// addProducts adds those of a chunk of channels to the sums of a block. The tile has a rim of one pixel. eachQuad calls
// f(x, y, channel, sums[row][column][channel]) for each 2×2 pixels and OUT / 4 channels.

#ifdef __CUDACC__
template <uint32_t OUT, uint32_t THREADS>
struct ConvSums {
  float of[CONV_ROWS][2][OUT / 8][4];   // row, columns from 0 or 16, 8 channels, and as the instruction has them
};

DEVICE void loadMatrices(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

// multiplyAdd adds a 16×16 matrix times a 16×8 matrix.
DEVICE void multiplyAdd(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "/*sm_75*/mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%8}, {%0, %1, %2, %3};\n"
      "/*sm_75*/mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%6, %7}, {%9}, {%0, %1, %2, %3};\n"
      "//sm_80 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, "
      "%1, %2, %3};\n"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A warp reads each of its rows once for each column of taps, for all taps of that column. Rows of a matrix are every other pixel,
// so that a lane has the sums of 2×2 pixels.
template <uint32_t OUT, uint32_t THREADS, uint32_t PIXELS>
DEVICE void addProducts(ConvSums<OUT, THREADS>& sums, const ChannelTile<PIXELS>& tile, const uint16_t* weights) {
  const uint32_t width = CONV_COLUMNS + 2, lane = laneIndex();
  const uint32_t first = threadIdx.x / WARP_SIZE * CONV_ROWS * width + 2u * (lane & 7u) + (lane >> 3 & 1u);
  const uint32_t base = sharedAddress(tile.units);
  const uint4* w = reinterpret_cast<const uint4*>(weights) + lane;
#pragma unroll
  for (uint32_t dx = 0; dx < 3; dx++) {
    uint32_t pixels[CONV_ROWS + 2][2][4];
#pragma unroll
    for (uint32_t y = 0; y < CONV_ROWS + 2; y++)
#pragma unroll
      for (uint32_t m = 0; m < 2; m++)
        loadMatrices(pixels[y][m], base + 16u * unitOf(first + y * width + m * 16u + dx, lane >> 4));
#pragma unroll
    for (uint32_t dy = 0; dy < 3; dy++)
#pragma unroll
      for (uint32_t n = 0; n < OUT / 16; n++) {
        const uint4 b = __ldg(w + ((dy * 3u + dx) * (OUT / 16) + n) * WARP_SIZE);
#pragma unroll
        for (uint32_t y = 0; y < CONV_ROWS; y++)
#pragma unroll
          for (uint32_t m = 0; m < 2; m++) {
            multiplyAdd(sums.of[y][m][2 * n], pixels[y + dy][m], b.x, b.y);
            multiplyAdd(sums.of[y][m][2 * n + 1], pixels[y + dy][m], b.z, b.w);
          }
      }
  }
}

template <uint32_t OUT, uint32_t THREADS, typename F>
DEVICE void eachQuad(const ConvSums<OUT, THREADS>& sums, F f) {
  const uint32_t lane = laneIndex(), row = threadIdx.x / WARP_SIZE * CONV_ROWS;
#pragma unroll
  for (uint32_t q = 0; q < CONV_ROWS; q++) {
    const uint32_t y = q & ~1u, m = q & 1u;
    float quad[2][2][OUT / 4];
#pragma unroll
    for (uint32_t i = 0; i < OUT; i++)   // row and column of the quad, and in each number of the instruction
      quad[i & 1u][i >> 1 & 1u][i >> 2] = sums.of[y + (i & 1u)][m][i >> 3][(i >> 1 & 1u) * 2u + (i >> 2 & 1u)];
    f(m * 16u + 2u * (lane >> 2), row + y, (lane & 3u) * (OUT / 4), quad);
  }
}
#else
template <uint32_t OUT, uint32_t THREADS>
struct ConvSums {
  float of[rowsOf(THREADS)][CONV_COLUMNS][OUT];
};

// unpackWeights puts those of a chunk in the order tap, input channel, output channel.
template <uint32_t OUT>
DEVICE void unpackWeights(float (&to)[CONV_TAPS][CONV_CHUNK][OUT], const uint16_t* from) {
  for (uint32_t tap = 0; tap < CONV_TAPS; tap++)
    for (uint32_t n = 0; n < OUT / 8; n += 2)
      for (uint32_t lane = 0; lane < 32; lane++, from += 8) {
        float w[8];
        loadHalves(w, from);
        for (uint32_t i = 0; i < 8; i++) {
          uint32_t in = 8 * (i >> 1 & 1u) + 2 * (lane & 3u) + (i & 1u), column = lane >> 2;
          to[tap][in][OUT / 4 * (column >> 1) + 2 * (n + i / 4) + (column & 1u)] = w[i];
        }
      }
}

// Eight is as many output channels of a pixel.
#ifdef GLINT_FMA
struct Eight {
  __m256 all;
};
DEVICE Eight loadEight(const float* from) { return {_mm256_loadu_ps(from)}; }
DEVICE void storeEight(float* to, Eight v) { _mm256_storeu_ps(to, v.all); }
DEVICE void addProduct(Eight& sum, float a, Eight b) { sum.all = _mm256_fmadd_ps(_mm256_set1_ps(a), b.all, sum.all); }
#else
struct Eight {
  __m128 low, high;
};
DEVICE Eight loadEight(const float* from) { return {_mm_loadu_ps(from), _mm_loadu_ps(from + 4)}; }
DEVICE void storeEight(float* to, Eight v) {
  _mm_storeu_ps(to, v.low);
  _mm_storeu_ps(to + 4, v.high);
}
DEVICE void addProduct(Eight& sum, float a, Eight b) {
  sum.low = _mm_add_ps(_mm_mul_ps(_mm_set1_ps(a), b.low), sum.low);
  sum.high = _mm_add_ps(_mm_mul_ps(_mm_set1_ps(a), b.high), sum.high);
}
#endif

// Four pixels and 16 output channels at a time are as many sums as registers hold.
template <uint32_t OUT, uint32_t THREADS, uint32_t PIXELS>
DEVICE void addProducts(ConvSums<OUT, THREADS>& sums, const ChannelTile<PIXELS>& tile, const uint16_t* weights) {
  const uint32_t width = CONV_COLUMNS + 2;
  float unpacked[CONV_TAPS][CONV_CHUNK][OUT];
  unpackWeights(unpacked, weights);
  for (uint32_t y = 0; y < rowsOf(THREADS); y++)
    for (uint32_t out = 0; out < OUT; out += 16)
      for (uint32_t x = 0; x < CONV_COLUMNS; x += 4) {
        Eight s[4][2];
        for (uint32_t i = 0; i < 8; i++) s[i / 2][i % 2] = loadEight(sums.of[y][x + i / 2] + out + 8 * (i % 2));
        for (uint32_t tap = 0; tap < CONV_TAPS; tap++) {
          const float* in = tile.channels[(y + tap / 3) * width + x + tap % 3];
#pragma GCC unroll 4
          for (uint32_t c = 0; c < CONV_CHUNK; c++) {
            const Eight w[2] = {loadEight(unpacked[tap][c] + out), loadEight(unpacked[tap][c] + out + 8)};
            for (uint32_t i = 0; i < 8; i++) addProduct(s[i / 2][i % 2], in[i / 2 * CONV_CHUNK + c], w[i % 2]);
          }
        }
        for (uint32_t i = 0; i < 8; i++) storeEight(sums.of[y][x + i / 2] + out + 8 * (i % 2), s[i / 2][i % 2]);
      }
}

template <uint32_t OUT, uint32_t THREADS, typename F>
DEVICE void eachQuad(const ConvSums<OUT, THREADS>& sums, F f) {
  for (uint32_t y = 0; y < rowsOf(THREADS); y += 2)
    for (uint32_t x = 0; x < CONV_COLUMNS; x += 2)
      for (uint32_t channel = 0; channel < OUT; channel += OUT / 4) {
        float quad[2][2][OUT / 4];
        for (uint32_t i = 0; i < OUT; i++)
          quad[i & 1u][i >> 1 & 1u][i >> 2] = sums.of[y + (i & 1u)][x + (i >> 1 & 1u)][channel + (i >> 2)];
        f(x, y, channel, quad);
      }
}
#endif
