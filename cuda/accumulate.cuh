// The accumulator and the statistics that every integrator adds to.
#pragma once

#include "device.h"

// accumulate adds a sample to its pixel; what is not a number is dropped and counted.
DEVICE void accumulate(uint32_t pixel, float3 L) {
  float4* sum = pointer<float4>(frame.accumulation) + pixel;
  float4 old = *sum;
  bool good = finite(L);
  if (!good) count(COUNTER_NONFINITE, 1);
  *sum = good ? make_float4(old.x + L.x, old.y + L.y, old.z + L.z, old.w + 1.0f) : old;
}

// countRay keeps the statistics of one kind of ray.
DEVICE void countRay(uint32_t counter) {
  if (frame.flags & FRAME_STATISTICS) count(counter, 1);
}
