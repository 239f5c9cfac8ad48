// Auto exposure: a histogram of the luminance that is shown, and from it the exposure that maps its middle to middle
// grey. The darkest and the brightest tenth do not count, so that neither a lamp nor a black background decides (as in
// Unreal Engine's histogram metering), and the mean is that of logarithms (Reinhard et al. 2002, equation 1).
#pragma once

#include "core/scan.cuh"
#include "film/meter.cuh"
#include "display/shown_light.cuh"

DEVICE_TABLE float METER_CUT = 0.1f;             // share of pixels left out at either end
DEVICE_TABLE float MIDDLE_GREY = -2.47393119f;   // log2 of 18 %

// meteredExposure multiplies what is shown; 1 without auto exposure.
DEVICE float meteredExposure() {
  return frame.display.flags & DISPLAY_AUTO_EXPOSURE ? exp2f(pointer<const Meter>(frame.display.meter)->ev) : 1.0f;
}

BLOCK_KERNEL(meter_light, 256, 1, output, MeterBlock) {
  PHASE(lane) shared.bins[lane] = 0;
  PHASE(lane) meterLane(shared.bins, block, lane, threads, shownLight);
  PHASE(lane) keepBin(shared.bins, lane);
}

// ExposureBlock finds the mean of the middle of the histogram.
struct ExposureBlock {
  BlockSums<THREADS_set_exposure> scan;
  float shares[METER_BINS];   // that count
  float light[METER_BINS];    // their logarithms, summed
};

// adapt moves exposure towards where the middle would be middle grey. Without light it stays.
DEVICE void adapt(float shares, float light) {
  if (shares <= 0.0f) return;
  Meter* m = pointer<Meter>(frame.display.meter);
  m->target = MIDDLE_GREY - light / shares;
  float way = m->target < m->ev ? frame.display.adaptDarker : frame.display.adaptBrighter;
  m->ev = m->metered && way < 1.0f ? lerp(m->ev, m->target, way) : m->target;
  m->metered = 1;
}

// One block. It clears the histogram for the next frame.
BLOCK_KERNEL(set_exposure, 256, 1, output, ExposureBlock) {
  uint32_t* bins = pointer<uint32_t>(frame.display.histogram);
  PHASE(lane) shared.scan.sums[lane] = bins[lane];
  scanBlock<THREADS_set_exposure>(shared.scan);
  PHASE(lane) {
    float all = (float)shared.scan.sums[threads], from = (float)shared.scan.sums[lane];
    float counted = minf(from + (float)bins[lane], all * (1.0f - METER_CUT)) - maxf(from, all * METER_CUT);
    shared.shares[lane] = maxf(counted, 0.0f);
    shared.light[lane] = shared.shares[lane] * (METER_LOWEST + (float)lane / METER_BINS_A_STOP);
    bins[lane] = 0;
  }
  for (uint32_t half = threads / 2; half > 0; half /= 2) {
    PHASE(lane) {
      if (lane >= half) continue;
      shared.shares[lane] += shared.shares[lane + half];
      shared.light[lane] += shared.light[lane + half];
    }
  }
  PHASE(lane) {
    if (lane == 0 && block == 0) adapt(shared.shares[0], shared.light[0]);
  }
}
