// The trust map: samples are kept as two halves that know nothing of each other, each half is denoised by itself, and where the
// results disagree the denoised image is not to be trusted.
#pragma once

#include "film/film.cuh"

DEVICE_TABLE float TRUST_FLOOR = 0.01f;   // [nit]: below it, differences hardly show
DEVICE_TABLE int32_t TRUST_REACH = 4;     // pixels to each side over which disagreement is averaged

// keep_halves adds the newest sample to its half; pass 1 begins anew with what is accumulated by then left out, and so do
// samples that replace the image.
KERNEL(keep_halves, 128, 1, denoising) {
  if (index >= frame.width * frame.height) return;
  float4 now = pointer<const float4>(frame.accumulation)[index];
  float4* before = planeAt(frame.halves, HALF_BEFORE, index);
  if (pass == 1 || (frame.flags & FRAME_REPLACE)) {
    *planeAt(frame.halves, HALF_EVEN, index) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    *planeAt(frame.halves, HALF_ODD, index) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  } else {
    float4* half = planeAt(frame.halves, frame.sampleIndex & 1u ? HALF_ODD : HALF_EVEN, index);
    *half = *half + (now + *before * -1.0f);
  }
  *before = now;
}

// compare_halves writes |A − B| / (A + B) of the denoised halves around each pixel: about the relative error that is left in
// their mean.
KERNEL(compare_halves, 128, 1, denoising) {
  if (index >= frame.width * frame.height) return;
  int32_t x = (int32_t)(index % frame.width), y = (int32_t)(index / frame.width);
  float apart = 0.0f, sum = 0.0f;
  for (int32_t v = y - TRUST_REACH; v <= y + TRUST_REACH; v++) {
    for (int32_t u = x - TRUST_REACH; u <= x + TRUST_REACH; u++) {
      if (u < 0 || v < 0 || u >= (int32_t)frame.width || v >= (int32_t)frame.height) continue;
      uint32_t pixel = (uint32_t)v * frame.width + (uint32_t)u;
      float3 a = xyz(*planeAt(frame.halfImages, 0, pixel)), b = xyz(*planeAt(frame.halfImages, 1, pixel));
      apart += luminance(abs3(a - b));
      sum += luminance(abs3(a + b)) + 2.0f * TRUST_FLOOR;
    }
  }
  pointer<float>(frame.trust)[index] = apart / sum;
}
