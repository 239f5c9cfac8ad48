// The accumulator and the statistics that every integrator adds to.
#pragma once

#include "aov.cuh"

// accumulate adds a sample to its pixel; what is not a number is dropped and counted.
DEVICE void accumulate(uint32_t pixel, float3 L) {
  float4* sum = pointer<float4>(frame.accumulation) + pixel;
  float4 old = (frame.flags & FRAME_REPLACE) ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : *sum;
  bool good = finite(L);
  if (!good) count(COUNTER_NONFINITE, 1);
  if (good) addMoments(pixel, L);
  *sum = good ? old + make_float4(L.x, L.y, L.z, 1.0f) * frame.sampleWeight : old;
}

// countRay keeps the statistics of one kind of ray.
DEVICE void countRay(uint32_t counter) {
  if (frame.flags & FRAME_STATISTICS) count(counter, 1);
}

// countAlive keeps the number of paths that go on after so many scattering events.
DEVICE void countAlive(uint32_t depth) { countRay(COUNTER_ALIVE + minu(depth, COUNTER_CLASS - COUNTER_ALIVE - 1)); }
