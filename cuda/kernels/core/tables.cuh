// Tables that kernels look up: sRGB decoding, and directional albedos of the microfacet lobes.
//
// frame.scene.tables holds, as floats: SRGB_SIZE decoded values; then slices of ALBEDO_SIZE × ALBEDO_SIZE over (√cos θ,
// roughness): one of a perfect reflector, ALBEDO_IORS of the grazing part of a dielectric coat, ALBEDO_IORS each of
// rough glass entered from outside and from inside, one of sheen, and those of anisotropic reflectors. bsdf/albedo_table.cuh makes them.
#pragma once

#include "core/device.h"

static_assert(ALBEDO_SLICE == ALBEDO_SIZE * ALBEDO_SIZE, "a slice is square");
static_assert(ALBEDO_GLASS_OUTSIDE == ALBEDO_COAT + ALBEDO_IORS, "a slice of the coat for each index");
static_assert(ALBEDO_GLASS_INSIDE == ALBEDO_GLASS_OUTSIDE + ALBEDO_IORS, "a slice of glass for each index");
static_assert(ALBEDO_SHEEN == ALBEDO_GLASS_INSIDE + ALBEDO_IORS, "the same from inside");
static_assert(ALBEDO_BRUSHED_COAT == ALBEDO_BRUSHED + ALBEDO_STRENGTHS * ALBEDO_AZIMUTHS,
              "a slice for each strength and azimuth");
static_assert(ALBEDO_SLICES == ALBEDO_BRUSHED_COAT + ALBEDO_STRENGTHS * ALBEDO_AZIMUTHS, "the same of the coat");

DEVICE float srgbDecode(uint32_t byte) { return pointer<const float>(frame.scene.tables)[byte]; }

// srgbDecode16 is linear between the curve at two bytes: off by less than half of a step of 16 bits, but where it is nearly black.
DEVICE float srgbDecode16(uint32_t value) {
  uint32_t byte = minu(value / 257u, 254u);
  float low = srgbDecode(byte);
  return low + (srgbDecode(byte + 1) - low) * ((float)(value - 257u * byte) * (1.0f / 257.0f));
}

// albedoSlice interpolates one slice at cos θ and roughness.
DEVICE float albedoSlice(uint32_t slice, float cosTheta, float roughness) {
  const float* table = pointer<const float>(frame.scene.tables) + SRGB_SIZE + slice * ALBEDO_SLICE;
  float x = sqrtf(saturate(cosTheta)) * (ALBEDO_SIZE - 1);
  float y = saturate(roughness) * (ALBEDO_SIZE - 1);
  uint32_t x0 = minu((uint32_t)x, ALBEDO_SIZE - 2), y0 = minu((uint32_t)y, ALBEDO_SIZE - 2);
  const float* row = table + y0 * ALBEDO_SIZE + x0;
  float fx = x - (float)x0, fy = y - (float)y0;
  return lerp(lerp(row[0], row[1], fx), lerp(row[ALBEDO_SIZE], row[ALBEDO_SIZE + 1], fx), fy);
}

// albedoIor interpolates between the slices of the nearest indices of refraction, spaced evenly in root = √F₀.
DEVICE float albedoIor(uint32_t first, float root, float cosTheta, float roughness) {
  float z = saturate(2.0f * root) * (ALBEDO_IORS - 1);
  uint32_t z0 = minu((uint32_t)z, ALBEDO_IORS - 2);
  return lerp(albedoSlice(first + z0, cosTheta, roughness), albedoSlice(first + z0 + 1, cosTheta, roughness),
              z - (float)z0);
}

// albedoBrushed interpolates between anisotropic reflectors, or coats, whose slices begin with `first`; `alike` is the slice where the
// widths are the same. roughness is that along y, where the width is α; along x it is α + (1 − α) strength2. Towards wo it is
// α + (1 − α) strength2 azimuth². A call, not inlined: other materials should not carry its code.
DEVICE_CALL float albedoBrushed(uint32_t first, float alike, float cosTheta, float roughness, float strength2,
                                float azimuth) {
  float z = saturate(strength2) * ALBEDO_STRENGTHS, x = saturate(azimuth) * (ALBEDO_AZIMUTHS - 1);
  uint32_t z0 = minu((uint32_t)z, ALBEDO_STRENGTHS - 1), x0 = minu((uint32_t)x, ALBEDO_AZIMUTHS - 2);
  float less = alike, more = 0.0f;
  for (uint32_t i = 0; i < 2; i++) {
    if (z0 + i == 0) continue;
    uint32_t slice = first + (z0 + i - 1) * ALBEDO_AZIMUTHS + x0;
    float here =
        lerp(albedoSlice(slice, cosTheta, roughness), albedoSlice(slice + 1, cosTheta, roughness), x - (float)x0);
    if (i == 0)
      less = here;
    else
      more = here;
  }
  return lerp(less, more, z - (float)z0);
}
