// ReSTIR GI, boiling filter: a sample far brighter than those of its block is dropped before neighbours copy it and make it
// boil (RTXDI; pass P4 of docs/restir-gi.md). It darkens, so interactive mode alone runs it.
#pragma once

#include "reservoir.cuh"

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
  uint32_t across = (frame.width + BOILING_SIDE - 1) / BOILING_SIDE;
  uint32_t x = block % across * BOILING_SIDE + lane % BOILING_SIDE;
  uint32_t y = block / across * BOILING_SIDE + lane / BOILING_SIDE;
  return x < frame.width && y < frame.height ? pointer<Reservoir>(frame.reservoirs) + y * frame.width + x : nullptr;
}

// brightness is what a reservoir would add to a white pixel: luminance of L2 W.
DEVICE float brightness(const Reservoir& r) { return r.W > 0.0f ? luminance(unpackRadiance(r)) * r.W : 0.0f; }

// A dropped sample leaves no confidence: nobody should take the place for black.
BLOCK_KERNEL(boiling_filter, BoilingBlock) {
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
    if (r && brightness(*r) * (float)shared.lit[0] > frame.boiling * shared.brightness[0]) *r = nullReservoir(0);
  }
}
