// ReSTIR's filters: one drops samples that would boil, the other makes copies of one sample count less. Both bias,
// so they run in interactive mode only.
#pragma once

#include "restir/reservoir.cuh"

// --- Boiling --------------------------------------------------------------------------------------------------------
// A sample far brighter than those of its block is dropped before neighbours copy it (RTXDI; pass P4 of
// docs/restir.md). That darkens.

enum BoilingSize : uint32_t {
  BOILING_SIDE = 16,   // of a block [pixels]
};

// BoilingBlock adds up what the lanes of a block hold; the sums end in lane 0.
struct BoilingBlock {
  float brightness[THREADS_boiling_filter];
  uint32_t lit[THREADS_boiling_filter];   // reservoirs that are not black
};

// boilingReservoir is the pixel of a lane, null beyond the edge of the image.
DEVICE Reservoir* boilingReservoir(uint32_t block, uint32_t lane) {
  uint32_t across = (frame.film.width + BOILING_SIDE - 1) / BOILING_SIDE;
  uint32_t x = block % across * BOILING_SIDE + lane % BOILING_SIDE;
  uint32_t y = block / across * BOILING_SIDE + lane / BOILING_SIDE;
  return x < frame.film.width && y < frame.film.height
             ? pointer<Reservoir>(frame.restir.reservoirs) + y * frame.film.width + x
             : nullptr;
}

// brightness is what a reservoir would add to a white pixel: luminance of L2 W.
DEVICE float brightness(const Reservoir& r) { return r.W > 0.0f ? luminance(unpackRadiance(r)) * r.W : 0.0f; }

// A dropped sample leaves no confidence, so that the pixel is not mistaken for black.
BLOCK_KERNEL(boiling_filter, 256, 1, reuse, BoilingBlock) {
  PHASE(lane) {
    const Reservoir* r = boilingReservoir(block, lane);
    shared.brightness[lane] = r ? brightness(*r) : 0.0f;
    shared.lit[lane] = shared.brightness[lane] > 0.0f ? 1u : 0u;
  }
  for (uint32_t half = threads / 2; half > 0; half /= 2) {
    PHASE(lane) {
      if (lane >= half) continue;
      shared.brightness[lane] += shared.brightness[lane + half];
      shared.lit[lane] += shared.lit[lane + half];
    }
  }
  PHASE(lane) {
    Reservoir* r = boilingReservoir(block, lane);
    if (r && brightness(*r) * (float)shared.lit[0] > frame.restir.boiling * shared.brightness[0]) *r = nullReservoir(0);
  }
}

// --- Duplicates -----------------------------------------------------------------------------------------------------
// The duplication map: where many pixels of 17×17 hold the same sample, their history loses confidence, so that fresh
// samples take over sooner. A denoiser mistakes copies for features (RTXDI; docs/restir.md, “For a denoiser”). How
// much is lost depends on samples, which biases.

enum DuplicateSize : uint32_t {
  DUPLICATE_SIDE = 16,                                    // of a block [pixels]
  DUPLICATE_REACH = 8,                                    // of the window, on each side [pixels]
  DUPLICATE_TILE = DUPLICATE_SIDE + 2 * DUPLICATE_REACH   // what a block reads [pixels]
};

// Most copies that a window holds besides a pixel's own.
DEVICE_TABLE float MOST_DUPLICATES = 288.0f;

// DuplicateBlock holds the ids of the samples in and around a block.
struct DuplicateBlock {
  uint32_t id[DUPLICATE_TILE * DUPLICATE_TILE];   // 0: no sample
};

// sampleId is the same for copies of a sample: shifts change L2 and W, never the vertex.
DEVICE uint32_t sampleId(const Reservoir& r) {
  if (!(r.W > 0.0f)) return 0;
  return hash(floatBits(r.x2.x), hash(floatBits(r.x2.y), floatBits(r.x2.z))) | 1u;
}

// sampleIdAt is 0 beyond the edge of the image. Confidence, which other blocks write concurrently, is not read.
DEVICE uint32_t sampleIdAt(int32_t x, int32_t y) {
  if (x < 0 || y < 0 || x >= (int32_t)frame.film.width || y >= (int32_t)frame.film.height) return 0;
  return sampleId(pointer<const Reservoir>(frame.restir.history)[(uint32_t)y * frame.film.width + (uint32_t)x]);
}

// copiesOf counts the other pixels in the window of a block's lane that hold its sample.
DEVICE uint32_t copiesOf(const DuplicateBlock& shared, uint32_t lane) {
  uint32_t left = lane % DUPLICATE_SIDE, top = lane / DUPLICATE_SIDE, same = 0;
  uint32_t own = shared.id[(top + DUPLICATE_REACH) * DUPLICATE_TILE + left + DUPLICATE_REACH];
  if (own == 0) return 0;
  for (uint32_t y = top; y <= top + 2 * DUPLICATE_REACH; y++) {
    for (uint32_t x = left; x <= left + 2 * DUPLICATE_REACH; x++)
      same += shared.id[y * DUPLICATE_TILE + x] == own ? 1u : 0u;
  }
  return same - 1;
}

// capForCopies is the confidence that history keeps among so many copies: all of it without any, 1 where all hold the
// same sample.
DEVICE uint32_t capForCopies(uint32_t copies) {
  float t = powf((float)copies / MOST_DUPLICATES, frame.restir.copyPower);
  return (uint32_t)(lerp((float)frame.restir.confidenceCap, 1.0f, copies > 0 ? t : 0.0f) + 0.5f);
}

// Only confidence is written, which no lane reads of another's reservoir.
BLOCK_KERNEL(thin_duplicates, 256, 1, reuse, DuplicateBlock) {
  uint32_t across = (frame.film.width + DUPLICATE_SIDE - 1) / DUPLICATE_SIDE;
  uint32_t left = block % across * DUPLICATE_SIDE, top = block / across * DUPLICATE_SIDE;
  PHASE(lane) {
    for (uint32_t i = lane; i < DUPLICATE_TILE * DUPLICATE_TILE; i += threads) {
      int32_t x = (int32_t)(left + i % DUPLICATE_TILE) - (int32_t)DUPLICATE_REACH;
      int32_t y = (int32_t)(top + i / DUPLICATE_TILE) - (int32_t)DUPLICATE_REACH;
      shared.id[i] = sampleIdAt(x, y);
    }
  }
  PHASE(lane) {
    uint32_t x = left + lane % DUPLICATE_SIDE, y = top + lane / DUPLICATE_SIDE;
    if (x >= frame.film.width || y >= frame.film.height) continue;
    Reservoir* r = pointer<Reservoir>(frame.restir.history) + y * frame.film.width + x;
    setConfidence(r, minu(confidence(*r), capForCopies(copiesOf(shared, lane))), age(*r));
  }
}
