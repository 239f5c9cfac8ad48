// Tables that kernels look up: sRGB decoding, and directional albedos of the microfacet lobes.
//
// frame.scene.tables holds, as floats: SRGB_SIZE decoded values; then slices of ALBEDO_SIZE × ALBEDO_SIZE over (√cos θ,
// roughness): one of a perfect reflector, ALBEDO_IORS of the grazing part of a dielectric coat, and ALBEDO_IORS each of
// rough glass entered from outside and from inside. bsdf/albedo_table.cuh makes them.
#pragma once

#include "core/device.h"

static_assert(ALBEDO_SLICE == ALBEDO_SIZE * ALBEDO_SIZE, "a slice is square");
static_assert(ALBEDO_GLASS_OUTSIDE == ALBEDO_COAT + ALBEDO_IORS, "a slice of the coat for each index");
static_assert(ALBEDO_GLASS_INSIDE == ALBEDO_GLASS_OUTSIDE + ALBEDO_IORS, "a slice of glass for each index");
static_assert(ALBEDO_SLICES >= ALBEDO_GLASS_INSIDE + ALBEDO_IORS, "the same from inside");

DEVICE float srgbDecode(uint32_t byte) { return pointer<const float>(frame.scene.tables)[byte]; }

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
