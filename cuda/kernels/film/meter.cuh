// A histogram of light, by which exposure is found (display/exposure.cuh).
#pragma once

#include "core/device.h"

DEVICE_TABLE float METER_LOWEST = -12.0f;   // log2 of the luminance of bin 0 [nit]; what is darker counts as black
DEVICE_TABLE float METER_BINS_A_STOP = 8.0f;

// meterPixel adds a luminance to a histogram, split between the two nearest bins, so that the mean changes smoothly.
DEVICE void meterPixel(uint32_t* bins, float luminance) {
  if (!finite(luminance) || luminance <= 0.0f) return;
  float place = (log2f(luminance) - METER_LOWEST) * METER_BINS_A_STOP;
  if (place < 0.0f) return;
  place = minf(place, (float)(METER_BINS - 2));
  uint32_t bin = (uint32_t)place, above = (uint32_t)((place - (float)bin) * (float)METER_SHARES + 0.5f);
  fetchAdd(bins + bin, METER_SHARES - above);
  fetchAdd(bins + bin + 1, above);
}

// MeterBlock is the histogram of a block's pixels.
struct MeterBlock {
  uint32_t bins[METER_BINS];
};

// meterLane adds the pixels of a lane to the histogram of its block.
template <typename Light>
DEVICE void meterLane(uint32_t* bins, uint32_t block, uint32_t lane, uint32_t threads, Light light) {
  uint32_t across = (frame.film.width + METER_STRIDE - 1) / METER_STRIDE;
  uint32_t down = (frame.film.height + METER_STRIDE - 1) / METER_STRIDE;
  for (uint32_t i = lane; i < METER_PIXELS; i += threads) {
    uint32_t at = block * METER_PIXELS + i;
    if (at >= across * down) break;
    meterPixel(bins, luminance(light(at % across * METER_STRIDE, at / across * METER_STRIDE)));
  }
}

// keepBin adds one bin of a block's histogram to that of the image.
DEVICE void keepBin(const uint32_t* bins, uint32_t lane) {
  if (bins[lane] > 0) fetchAdd(pointer<uint32_t>(frame.display.histogram) + lane, bins[lane]);
}
