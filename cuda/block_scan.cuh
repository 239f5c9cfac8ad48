// Sums over the lanes of a block (Blelloch 1990, Prefix sums and their applications): work-efficient, and stable.
#pragma once

#include "device.h"

// scanBlock turns v[lane] into the sum over the lanes below, for all lanes of a block; v[threads] becomes the sum of all.
DEVICE void scanBlock(uint32_t* v, uint32_t threads) {
  for (uint32_t step = 1; step < threads; step *= 2) {
    PHASE(lane) {
      uint32_t i = (lane + 1) * step * 2 - 1;
      if (i < threads) v[i] += v[i - step];
    }
  }
  PHASE(lane) {
    if (lane != 0) continue;
    v[threads] = v[threads - 1];
    v[threads - 1] = 0;
  }
  for (uint32_t step = threads / 2; step > 0; step /= 2) {
    PHASE(lane) {
      uint32_t i = (lane + 1) * step * 2 - 1;
      if (i >= threads) continue;
      uint32_t below = v[i - step];
      v[i - step] = v[i];
      v[i] += below;
    }
  }
}
