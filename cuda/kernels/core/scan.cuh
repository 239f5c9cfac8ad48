// Sums over the lanes of a block (Blelloch 1990, Prefix sums and their applications): work-efficient, and stable.
#pragma once

#include "core/device.h"

// BlockSums is what a block of THREADS lanes adds up; a power of two.
template <uint32_t THREADS>
struct BlockSums {
  uint32_t sums[THREADS + 1];   // one for each lane, then that of all
};

// scanBlock turns what each lane has into the sum of the lanes before it, and sums[THREADS] into that of all.
template <uint32_t THREADS>
DEVICE void scanBlock(BlockSums<THREADS>& s) {
  const uint32_t threads = THREADS;
  for (uint32_t step = 1; step < threads; step *= 2) {
    PHASE(lane) {
      uint32_t i = (lane + 1) * step * 2 - 1;
      if (i < threads) s.sums[i] += s.sums[i - step];
    }
  }
  PHASE(lane) {
    if (lane != 0) continue;
    s.sums[threads] = s.sums[threads - 1];
    s.sums[threads - 1] = 0;
  }
  for (uint32_t step = threads / 2; step > 0; step /= 2) {
    PHASE(lane) {
      uint32_t i = (lane + 1) * step * 2 - 1;
      if (i >= threads) continue;
      uint32_t below = s.sums[i - step];
      s.sums[i - step] = s.sums[i];
      s.sums[i] += below;
    }
  }
}

// scanCounts turns n counts into the sums of all before each, by one block; sums[THREADS] becomes that of all.
template <uint32_t THREADS>
DEVICE void scanCounts(BlockSums<THREADS>& s, uint32_t* counts, uint32_t n) {
  const uint32_t threads = THREADS, each = (n + threads - 1) / threads;
  PHASE(lane) {
    s.sums[lane] = 0;
    for (uint32_t i = lane * each; i < n && i < (lane + 1) * each; i++) s.sums[lane] += counts[i];
  }
  scanBlock(s);
  PHASE(lane) {
    uint32_t before = s.sums[lane];
    for (uint32_t i = lane * each; i < n && i < (lane + 1) * each; i++) {
      uint32_t count = counts[i];
      counts[i] = before;
      before += count;
    }
  }
}
