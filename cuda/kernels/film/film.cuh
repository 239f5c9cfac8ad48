// The film: the accumulator and the statistics that every integrator adds to, and AOVs, which are what is stored for
// each pixel besides its light: planes of float4 in one buffer (enum AovPlane), as many as are needed.
#pragma once

#include "core/device.h"

// Depth of the background [m].
DEVICE_TABLE float DEPTH_OF_NOTHING = 1e10f;

DEVICE float4* planeAt(uint64_t buffer, uint32_t plane, uint32_t pixel) {
  return pointer<float4>(buffer) + (uint64_t)plane * frame.film.width * frame.film.height + pixel;
}
DEVICE float4* aovAt(uint32_t plane, uint32_t pixel) { return planeAt(frame.film.aovs, plane, pixel); }

DEVICE bool hasAov(uint32_t plane) { return plane < frame.film.aovPlanes; }

// Sight is what the largest part of a pixel shows, and where the next part, which moves otherwise, seems to be.
struct Sight {
  uint32_t seen;    // enum Seen
  float distance;   // of the second part, along the camera ray [m]
  float share;      // its share of both; 0: there is none
};

// packSight keeps the distance to 0.4 % and the share to 1/255, in the bits of a float.
DEVICE float packSight(const Sight& s) {
  uint32_t distance = (floatBits(s.distance) + 0x8000u) & 0xffff0000u;
  return bitsFloat(distance | (uint32_t)(s.share * 255.0f + 0.5f) << 8 | s.seen);
}
DEVICE Sight unpackSight(float packed) {
  uint32_t bits = floatBits(packed);
  return {bits & 0xffu, bitsFloat(bits & 0xffff0000u), (float)(bits >> 8 & 0xffu) * (1.0f / 255.0f)};
}

// movementAt leads from a pixel's virtual hit to where that was in the frame before [m].
DEVICE float3 movementAt(uint32_t pixel) {
  return frame.film.movement ? xyz(pointer<const float4>(frame.film.movement)[pixel]) : vec3(0.0f);
}

// finiteOrBlack replaces NaN and infinity by black, before they spread.
DEVICE float3 finiteOrBlack(float3 c) { return finite(c) ? c : vec3(0.0f); }

// addAov adds to a mean: w counts samples.
DEVICE void addAov(uint32_t plane, uint32_t pixel, float3 value) {
  float4* sum = aovAt(plane, pixel);
  float4 old = (frame.sampling.flags & FRAME_REPLACE) ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : *sum;
  if (finite(value)) *sum = old + make_float4(value.x, value.y, value.z, 1.0f) * frame.film.sampleWeight;
}

// meanAov is the mean so far, zero before the first sample.
DEVICE float3 meanAov(uint32_t plane, uint32_t pixel) {
  float4 sum = *aovAt(plane, pixel);
  return sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
}

// --- Values of AOVs -------------------------------------------------------------------------------------------------
// One function for each source that a row of AOVs may name: the value at a pixel, its first channel in x.

// SHOWN_ and the name of each AOV. Those that are light come first.
#define X(name, ...) SHOWN_##name,
enum ShownAov : uint32_t {
  SHOWN_BEFORE_LIGHT = SHOWN_AOVS - 1,
  LIGHT_AOVS(X) SHOWN_LIGHT_END,
  SHOWN_BEFORE_VIEWS = SHOWN_LIGHT_END - 1,
  VIEW_AOVS(X)
};
#undef X

DEVICE float4 aovMean(uint32_t plane, uint32_t, uint32_t pixel) {
  float3 mean = meanAov(plane, pixel);
  return make_float4(mean.x, mean.y, mean.z, 0.0f);
}

DEVICE float4 aovFirst(uint32_t plane, uint32_t channel, uint32_t pixel) {
  float4 v = *aovAt(plane, pixel);
  if (channel == 1) return make_float4(v.y, v.z, v.w, 0.0f);
  if (channel == 2) return make_float4(v.z, v.w, 0.0f, 0.0f);
  if (channel == 3) return make_float4(v.w, 0.0f, 0.0f, 0.0f);
  return v;
}

// The sums that a variance is made from.
DEVICE float4 aovMoments(uint32_t plane, uint32_t, uint32_t pixel) { return *aovAt(plane, pixel); }

DEVICE float4 aovSamples(uint32_t, uint32_t, uint32_t pixel) {
  return make_float4(pointer<const float4>(frame.film.accumulation)[pixel].w, 0.0f, 0.0f, 0.0f);
}

DEVICE float4 aovOwn(uint32_t, uint32_t, uint32_t) { return make_float4(0.0f, 0.0f, 0.0f, 0.0f); }

// addMoments keeps the mean and the variance of a pixel's luminance.
DEVICE void addMoments(uint32_t pixel, float3 L) {
  float l = luminance(L);
  if (hasAov(AOV_MOMENTS)) addAov(AOV_MOMENTS, pixel, make_float3(l, l * l, 0.0f));
}

// --- The accumulator ------------------------------------------------------------------------------------------------

// accumulate adds a sample to its pixel; NaN and infinity are dropped and counted, and leave what was there, also where samples
// replace it: a pixel of before is better than a black one.
DEVICE void accumulate(uint32_t pixel, float3 L) {
  float4* sum = pointer<float4>(frame.film.accumulation) + pixel;
  float4 old = (frame.sampling.flags & FRAME_REPLACE) ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : *sum;
  bool good = finite(L);
  if (!good) return count(COUNTER_NONFINITE, 1);
  addMoments(pixel, L);
  *sum = old + make_float4(L.x, L.y, L.z, 1.0f) * frame.film.sampleWeight;
}

// countRay counts one kind of ray, with FRAME_STATISTICS.
DEVICE void countRay(uint32_t counter) {
  if (frame.sampling.flags & FRAME_STATISTICS) count(counter, 1);
}

// countAlive counts the paths that continue after so many scattering events.
DEVICE void countAlive(uint32_t depth) { countRay(COUNTER_ALIVE + minu(depth, COUNTER_CLASS - COUNTER_ALIVE - 1)); }
