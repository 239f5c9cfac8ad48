// Bloom: light that strays in the eye and the lens, as a pyramid of ever coarser images that are blurred on their way
// down and up again (after Jimenez 2014, Next Generation Post Processing in Call of Duty: Advanced Warfare). Both ways
// preserve the sum of light. Each level has the same weight, so that the glare of a point falls with the square of the
// distance, roughly as in the eye (Spencer et al. 1995).
#pragma once

#include "display/shown_light.cuh"

// BloomLevel is one image of the pyramid. Level 0 has half the image's width and height.
struct BloomLevel {
  float4* pixels;
  uint32_t width, height;
};

DEVICE BloomLevel bloomLevel(uint32_t level) {
  BloomLevel l = {pointer<float4>(frame.display.bloomed), (frame.film.width + 1) / 2, (frame.film.height + 1) / 2};
  for (uint32_t i = 0; i < level; i++) {
    l.pixels += l.width * l.height;
    l.width = (l.width + 1) / 2;
    l.height = (l.height + 1) / 2;
  }
  return l;
}

DEVICE uint32_t clampTo(int32_t at, uint32_t size) { return at < 0 ? 0u : minu((uint32_t)at, size - 1); }

// bloomSource is what level 0 is made from, clamped to the edge. NaN and infinity would spread.
DEVICE float3 bloomSource(int32_t x, int32_t y) {
  float3 L = shownLight(clampTo(x, frame.film.width), clampTo(y, frame.film.height));
  return finite(L) ? L : vec3(0.0f);
}

DEVICE float3 bloomPixel(const BloomLevel& l, int32_t x, int32_t y) {
  return xyz(l.pixels[clampTo(y, l.height) * l.width + clampTo(x, l.width)]);
}

// Weights along an axis of the six pixels around a pixel of the next level: five overlapping boxes, the outer four with
// half of the light and the inner one with the other half.
DEVICE_TABLE float BLOOM_OUTER[6] = {0.125f, 0.125f, 0.25f, 0.25f, 0.125f, 0.125f};
DEVICE_TABLE float BLOOM_INNER[6] = {0.0f, 0.25f, 0.25f, 0.25f, 0.25f, 0.0f};

// shrunk is pixel (x, y) of the next coarser image.
template <typename Source>
DEVICE float3 shrunk(uint32_t x, uint32_t y, Source source) {
  float3 sum = vec3(0.0f);
  for (uint32_t j = 0; j < 6; j++) {
    for (uint32_t i = 0; i < 6; i++) {
      float weight = 0.5f * (BLOOM_OUTER[i] * BLOOM_OUTER[j] + BLOOM_INNER[i] * BLOOM_INNER[j]);
      sum += source((int32_t)(2 * x + i) - 2, (int32_t)(2 * y + j) - 2) * weight;
    }
  }
  return sum;
}

// bloom_down makes level `pass` from the one above it, level 0 from the image.
KERNEL(bloom_down, 128, 1, output) {
  BloomLevel to = bloomLevel(pass);
  if (index >= to.width * to.height) return;
  uint32_t x = index % to.width, y = index / to.width;
  float3 L;
  if (pass == 0) {
    L = shrunk(x, y, [](int32_t sx, int32_t sy) { return bloomSource(sx, sy); });
  } else {
    BloomLevel from = bloomLevel(pass - 1);
    L = shrunk(x, y, [&](int32_t sx, int32_t sy) { return bloomPixel(from, sx, sy); });
  }
  to.pixels[index] = make_float4(L.x, L.y, L.z, 0.0f);
}

// Weights along an axis of the four nearest pixels of the coarser image, for a pixel with an even index: a tent of
// three bilinear taps. Odd pixels have them in reverse.
DEVICE_TABLE float BLOOM_TENT[4] = {0.0625f, 0.3125f, 0.4375f, 0.1875f};

// stretched is a level resampled at pixel (x, y) of the next finer image.
DEVICE float3 stretched(const BloomLevel& from, uint32_t x, uint32_t y) {
  bool oddX = x & 1u, oddY = y & 1u;
  int32_t left = (int32_t)(x / 2) - (oddX ? 1 : 2), top = (int32_t)(y / 2) - (oddY ? 1 : 2);
  float3 sum = vec3(0.0f);
  for (uint32_t j = 0; j < 4; j++) {
    for (uint32_t i = 0; i < 4; i++) {
      float weight = BLOOM_TENT[oddX ? 3 - i : i] * BLOOM_TENT[oddY ? 3 - j : j];
      sum += bloomPixel(from, left + (int32_t)i, top + (int32_t)j) * weight;
    }
  }
  return sum;
}

// bloom_up blends into level `pass` what is below it, from the coarsest up, so that all levels end with equal weights.
KERNEL(bloom_up, 128, 1, output) {
  BloomLevel to = bloomLevel(pass), from = bloomLevel(pass + 1);
  if (index >= to.width * to.height) return;
  float3 own = xyz(to.pixels[index]), below = stretched(from, index % to.width, index / to.width);
  float3 L = lerp(below, own, 1.0f / (float)(frame.display.bloomLevels - pass));
  to.pixels[index] = make_float4(L.x, L.y, L.z, 0.0f);
}

// strayLight is the light at pixel (x, y) if all of it strays [nit].
DEVICE float3 strayLight(uint32_t x, uint32_t y) { return stretched(bloomLevel(0), x, y); }
