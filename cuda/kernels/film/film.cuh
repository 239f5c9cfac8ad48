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

// addToSum adds a sample's value to a sum, or replaces what there was.
DEVICE float addToSum(float sum, float value) {
  return ((frame.sampling.flags & FRAME_REPLACE) ? 0.0f : sum) + value * frame.film.sampleWeight;
}

// eachAround calls take(pixel, dx, dy) for the pixels around one, every `step` up to REACH steps away, as far as there are any.
template <int32_t REACH = 1, typename Take>
DEVICE void eachAround(uint32_t x, uint32_t y, Take take, int32_t step = 1) {
  for (int32_t dy = -REACH; dy <= REACH; dy++)
    for (int32_t dx = -REACH; dx <= REACH; dx++) {
      uint32_t nx = x + (uint32_t)(dx * step), ny = y + (uint32_t)(dy * step);   // beyond the first they wrap around
      if (nx < frame.film.width && ny < frame.film.height) take(ny * frame.film.width + nx, dx, dy);
    }
}

// addGuide adds to the mean of guides; what w holds is not touched.
DEVICE void addGuide(uint32_t plane, uint32_t pixel, float3 value) {
  float4* sum = aovAt(plane, pixel);
  sum->x = addToSum(sum->x, value.x);
  sum->y = addToSum(sum->y, value.y);
  sum->z = addToSum(sum->z, value.z);
}

// meanGuide is the mean of guides so far, zero before the first one. The sign of their number says that another is under way.
DEVICE float3 meanGuide(uint32_t plane, uint32_t pixel) {
  float guides = absf(aovAt(AOV_ALBEDO, pixel)->w);
  return guides > 0.0f ? xyz(*aovAt(plane, pixel)) / guides : vec3(0.0f);
}

// meanAov is the mean of a plane whose w counts its samples, zero before the first one.
DEVICE float3 meanAov(uint32_t plane, uint32_t pixel) {
  float4 sum = *aovAt(plane, pixel);
  return sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
}

// Moments are the mean of luminances, and that of their squares.
struct Moments {
  float mean, squares;
};

// addLight adds a luminance of weight w where sums of both are kept.
DEVICE void addLight(Moments& m, float w, float l) {
  m.mean += w * l;
  m.squares += w * sqr(l);
}

DEVICE float varianceOf(const Moments& m) { return maxf(m.squares - sqr(m.mean), 0.0f); }

// samplesOfMoments is the number of samples, by weight, that a pixel's moments are of.
DEVICE float samplesOfMoments(uint32_t pixel) {
  return pointer<const float4>(frame.film.momentsImage)[pixel].w - frame.film.momentsSince;
}

// momentsOf are those of a pixel's samples [nit], of which there must be some.
DEVICE Moments momentsOf(uint32_t pixel) {
  float n = samplesOfMoments(pixel);
  float4 sums = *aovAt(AOV_GLOSS, pixel);
  return {sums.z / n, sums.w / n};
}

DEVICE_TABLE float BLOCK_WEIGHT = (float)BLOCK_SAMPLES;   // a block ends where the weight of samples passes a multiple

// blockCount is how many blocks are whole after samples of a weight: more than there are where the weight of one passes several multiples.
DEVICE float blockCount(float weight) { return floorf(weight * (1.0f / BLOCK_WEIGHT)); }

DEVICE Blocks* blocksAt(uint32_t pixel) { return pointer<Blocks>(frame.film.blocks) + pixel; }

// blockVariance is the variance of a sample of weight 1 [nit²] if those of a block were independent; there must be two blocks.
DEVICE float blockVariance(const Blocks& b, float count) {
  return maxf(b.squares - sqr(b.sum) * (1.0f / BLOCK_WEIGHT) / count, 0.0f) / (count - 1.0f);
}

// addToBlocks adds a sample after which the sum of all luminances is so much.
DEVICE void addToBlocks(uint32_t pixel, float sum) {
  bool anew = (frame.sampling.flags & FRAME_REPLACE) != 0;
  float own = frame.film.sampleWeight, before = anew ? 0.0f : samplesOfMoments(pixel);
  Blocks* blocks = blocksAt(pixel);
  Blocks b = anew ? Blocks{0.0f, 0.0f} : *blocks;
  if (blockCount(before + own) > blockCount(before))
    b = {sum, b.squares + exactDiv(sqr(sum - b.sum), maxf(own, BLOCK_WEIGHT))};
  *blocks = b;
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

DEVICE float4 aovGuide(uint32_t plane, uint32_t, uint32_t pixel) {
  float3 mean = meanGuide(plane, pixel);
  return make_float4(mean.x, mean.y, mean.z, 0.0f);
}

DEVICE float4 aovFirst(uint32_t plane, uint32_t channel, uint32_t pixel) {
  float4 v = *aovAt(plane, pixel);
  if (channel == 1) return make_float4(v.y, v.z, v.w, 0.0f);
  if (channel == 2) return make_float4(v.z, v.w, 0.0f, 0.0f);
  if (channel == 3) return make_float4(v.w, 0.0f, 0.0f, 0.0f);
  return v;
}

// The variance of the mean luminance, and that mean; 0 with less than two samples.
DEVICE float4 aovMoments(uint32_t, uint32_t, uint32_t pixel) {
  float n = samplesOfMoments(pixel);
  if (n < 2.0f) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  Moments m = momentsOf(pixel);
  return make_float4(varianceOf(m) / (n - 1.0f), m.mean, 0.0f, 0.0f);
}

DEVICE float4 aovSamples(uint32_t, uint32_t, uint32_t pixel) {
  return make_float4(pointer<const float4>(frame.film.accumulation)[pixel].w, 0.0f, 0.0f, 0.0f);
}

DEVICE float4 aovOwn(uint32_t, uint32_t, uint32_t) { return make_float4(0.0f, 0.0f, 0.0f, 0.0f); }

// addMoments keeps the sums that mean and variance of a pixel's luminance are made of, before the sample is added to the image.
DEVICE void addMoments(uint32_t pixel, float3 L) {
  if (!hasAov(AOV_GLOSS)) return;
  float2* sums = reinterpret_cast<float2*>(&aovAt(AOV_GLOSS, pixel)->z);
  float l = luminance(L);
  float2 now = make_float2(addToSum(sums->x, l), addToSum(sums->y, l * l));
  *sums = now;
  if (frame.film.blocks) addToBlocks(pixel, now.x);
}

// --- The accumulator ------------------------------------------------------------------------------------------------

// drop counts a sample that is not finite, and notes where it was.
DEVICE void drop(uint32_t pixel) {
  count(COUNTER_NONFINITE, 1);
  pointer<uint64_t>(frame.film.counters)[COUNTER_NONFINITE_AT] = (uint64_t)frame.sampling.sampleIndex << 32 | pixel;
}

// accumulate adds a sample to its pixel; NaN and infinity are dropped and counted, and leave what was there, also where samples
// replace it: a pixel of before is better than a black one.
DEVICE void accumulate(uint32_t pixel, float3 L) {
  float4* sum = pointer<float4>(frame.film.accumulation) + pixel;
  float4 old = (frame.sampling.flags & FRAME_REPLACE) ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : *sum;
  bool good = finite(L);
  if (!good) return drop(pixel);
  float most = frame.film.clamp, brightest = maxComponent(L);
  if (most > 0.0f && brightest > most) L *= exactDiv(most, brightest);
  addMoments(pixel, L);
  *sum = old + make_float4(L.x, L.y, L.z, 1.0f) * frame.film.sampleWeight;
}

// countRay counts one kind of ray, with FRAME_STATISTICS.
DEVICE void countRay(uint32_t counter) {
  if (frame.sampling.flags & FRAME_STATISTICS) count(counter, 1);
}

// countAlive counts the paths that continue after so many scattering events.
DEVICE void countAlive(uint32_t depth) { countRay(COUNTER_ALIVE + minu(depth, COUNTER_CLASS - COUNTER_ALIVE - 1)); }
