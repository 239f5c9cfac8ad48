// What goes into a denoiser: means of colour and guides, in planes of float4 (enum DenoisePlane), and nothing that is not a
// number.
#pragma once

#include "history.cuh"

DEVICE void putInput(uint32_t plane, uint32_t pixel, float3 value) {
  value = orBlack(value);
  *planeAt(frame.denoiser, plane, pixel) = make_float4(value.x, value.y, value.z, 0.0f);
}

KERNEL(denoise_input) {
  if (index >= frame.width * frame.height) return;
  keepPlaceSeen(index);
  float4 sum = pointer<const float4>(frame.accumulation)[index];
  float3 L = sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
  putInput(DENOISE_COLOR, index, make_float3(maxf(L.x, 0.0f), maxf(L.y, 0.0f), maxf(L.z, 0.0f)));
  putInput(DENOISE_ALBEDO, index, meanAov(AOV_ALBEDO, index));
  putInput(DENOISE_NORMAL, index, meanAov(AOV_NORMAL, index));
}
