// While a resting view is rendered at full size, that image takes the place of the upscaled one.
#pragma once

#include "upscale_history.cuh"

KERNEL(upscale_fade) {
  if (index >= frame.width * frame.height) return;
  const Upscaling& u = frame.upscaling;
  Memory m = unpackMemory(pointer<const float4>(u.history)[index]);
  float4 sum = pointer<const float4>(frame.shown == SHOWN_DENOISED ? frame.denoised : frame.accumulation)[index];
  if (frame.shown == SHOWN_DENOISED) sum.w = 1.0f;
  if (sum.w > 0.0f && finite(xyz(sum))) {
    m.L = lerp(m.L, xyz(sum) / sum.w, u.share);
    m.frames = maxf(m.frames, u.share * (float)UPSCALE_FRAMES);
  }
  pointer<float4>(u.next)[index] = packMemory(m);
}
