// Counter-based random numbers: every number is a function of (pixel, sample, dimension, seed).
//
// Points are Owen-scrambled Sobol pairs, padded (Burley 2020, Practical Hash-based Owen Scrambling). Pixels take
// consecutive runs of one sequence along the Morton curve, whose order is shuffled hierarchically (Ahmed & Wonka 2020,
// Screen-Space Blue-Noise Diffusion of Monte Carlo Sampling Error): errors of neighbours differ, like blue noise.
// The sample count is not known beforehand, so samples come in blocks of 1, 2, 4, 8, …, each a net of its own.
#pragma once

#include "core/device.h"

// hash mixes 32 bits well enough for seeds (Wellons' lowbias32, prospected by exhaustive search).
DEVICE uint32_t hash(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
DEVICE uint32_t hash(uint32_t a, uint32_t b) { return hash(a ^ hash(b + 0x9e3779b9u)); }

// unit is a uniform number in [0, 1) from the upper 24 bits.
DEVICE float unit(uint32_t bits) { return (float)(bits >> 8) * (1.0f / 16777216.0f); }
DEVICE float2 unit(uint2 bits) { return make_float2(unit(bits.x), unit(bits.y)); }

// scaled is a uniform whole number in [0, n) from all bits.
DEVICE uint32_t scaled(uint32_t bits, uint32_t n) { return (uint32_t)((uint64_t)bits * n >> 32); }

// scrambleReversed is a nested uniform scramble of a bit-reversed number: a bit flips others only above it
// (Laine & Karras 2011, with Vegdahl's constants).
DEVICE uint32_t scrambleReversed(uint32_t x, uint32_t seed) {
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return x;
}

// spreadBits puts a zero bit between the lower 16 bits of x.
DEVICE uint32_t spreadBits(uint32_t x) {
  x = (x | (x << 8)) & 0x00ff00ffu;
  x = (x | (x << 4)) & 0x0f0f0f0fu;
  x = (x | (x << 2)) & 0x33333333u;
  return (x | (x << 1)) & 0x55555555u;
}

// Sampler yields the numbers of one camera path, dimension after dimension.
struct Sampler {
  uint32_t index;       // along the shuffled Morton curve
  uint32_t seed;        // of this block of samples and 64×64 tile
  uint32_t dimension;   // next pair
};

// A block has at most 2²⁰ samples of each of a tile's 2¹² pixels: then come more blocks of that size.
DEVICE_TABLE uint32_t LARGEST_BLOCK = 20;

DEVICE Sampler beginSampler(uint32_t x, uint32_t y, uint32_t sample, uint32_t seed) {
  uint32_t size = minu(floorLog2(sample + 1), LARGEST_BLOCK);
  uint32_t morton = spreadBits(x & 63u) | (spreadBits(y & 63u) << 1);
  uint32_t tile = (x >> 6) | ((y >> 6) << 16);
  uint32_t block = size + ((sample + 1) >> size) - 1;   // counts them
  Sampler s;
  s.index = (morton << size) | ((sample + 1) & ((1u << size) - 1u));
  s.seed = hash(hash(seed, tile), block);
  s.dimension = 0;
  return s;
}

// sampleBits is the next point of the unit square, in 32 bits each.
DEVICE uint2 sampleBits(Sampler& s) {
  uint32_t key = hash(s.seed, s.dimension++);
  uint32_t i = reverseBits(scrambleReversed(reverseBits(s.index), key));
  uint32_t x = scrambleReversed(i, hash(key ^ 0x68bc21ebu));
  // Sobol's second dimension is Pascal's triangle mod 2: bit k is the sum of the index bits whose place contains k.
  uint32_t j = i;
  j ^= (j >> 1) & 0x55555555u;
  j ^= (j >> 2) & 0x33333333u;
  j ^= (j >> 4) & 0x0f0f0f0fu;
  j ^= (j >> 8) & 0x00ff00ffu;
  j ^= (j >> 16) & 0x0000ffffu;
  uint32_t y = scrambleReversed(j, hash(key ^ 0x02e5be93u));
  return {reverseBits(x), reverseBits(y)};
}

// sample2 is the next point of the unit square.
DEVICE float2 sample2(Sampler& s) { return unit(sampleBits(s)); }

// numberAt is the number of the unit interval that a key gives to an index. Those of consecutive indices are spread evenly.
DEVICE float numberAt(uint32_t index, uint32_t key) {
  uint32_t i = reverseBits(scrambleReversed(reverseBits(index), key));
  return unit(reverseBits(scrambleReversed(i, hash(key ^ 0x68bc21ebu))));
}

// sample1 is the next number of the unit interval.
DEVICE float sample1(Sampler& s) { return numberAt(s.index, hash(s.seed, s.dimension++)); }

// --- Coverage -------------------------------------------------------------------------------------------------------
// Rays meet triangles in any order, so the seed of a ray and the number of a triangle decide whether the triangle stops the ray. The
// last bits of a seed are the sampler's index, which spreads the decisions evenly: over pixels beside each other, and over the samples of
// a pixel. Any other number will do as a seed, too.

DEVICE_TABLE uint32_t COVERAGE_INDEX_BITS = 18;

// coverageIndex is the last bits of an index or a seed.
DEVICE uint32_t coverageIndex(uint32_t bits) { return bits & ((1u << COVERAGE_INDEX_BITS) - 1u); }

DEVICE uint32_t coverageSeed(const Sampler& s) {
  return hash(s.seed ^ (s.index >> COVERAGE_INDEX_BITS), s.dimension) << COVERAGE_INDEX_BITS | coverageIndex(s.index);
}

// seedOfCopy is the seed for triangles of an instance, or all copies of a leaf would let the same rays through.
DEVICE uint32_t seedOfCopy(uint32_t seed, uint32_t firstId) { return seed + (hash(firstId) << COVERAGE_INDEX_BITS); }

// coverageNumber decides, by a number of the unit interval.
DEVICE float coverageNumber(uint32_t seed, uint32_t face) {
  return numberAt(coverageIndex(seed), hash(seed >> COVERAGE_INDEX_BITS, face));
}
