// The error map: samples are accumulated as two independent halves, each half is denoised by itself, and where the
// results differ the denoised image is unreliable.
#pragma once

#include "film/film.cuh"

DEVICE_TABLE float ERROR_FLOOR = 0.01f;     // [nit]: below it, differences are hardly visible
DEVICE_TABLE int32_t ERROR_MAP_REACH = 4;   // pixels to each side over which the difference is averaged

// accumulate_halves adds the newest sample to its half. Pass 1 starts over and leaves out what has been accumulated by
// then, as do samples that replace the image.
KERNEL(accumulate_halves, 128, 1, denoising) {
  if (index >= frame.film.width * frame.film.height) return;
  float4 now = pointer<const float4>(frame.film.accumulation)[index];
  float4* before = planeAt(frame.errorMap.halves, HALF_BEFORE, index);
  if (pass == 1 || (frame.sampling.flags & FRAME_REPLACE)) {
    *planeAt(frame.errorMap.halves, HALF_EVEN, index) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    *planeAt(frame.errorMap.halves, HALF_ODD, index) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  } else {
    float4* half = planeAt(frame.errorMap.halves, frame.sampling.sampleIndex & 1u ? HALF_ODD : HALF_EVEN, index);
    *half = *half + (now + *before * -1.0f);
  }
  *before = now;
}

// estimate_error writes |A − B| / (A + B) of the denoised halves around each pixel: roughly the relative error that is
// left in their mean.
KERNEL(estimate_error, 128, 1, denoising) {
  if (index >= frame.film.width * frame.film.height) return;
  float difference = 0.0f, sum = 0.0f;
  auto take = [&](uint32_t pixel, int32_t, int32_t) {
    float3 a = xyz(*planeAt(frame.errorMap.halfImages, 0, pixel)),
           b = xyz(*planeAt(frame.errorMap.halfImages, 1, pixel));
    difference += luminance(abs3(a - b));
    sum += luminance(abs3(a + b)) + 2.0f * ERROR_FLOOR;
  };
  eachAround<ERROR_MAP_REACH>(index % frame.film.width, index / frame.film.width, take);
  pointer<float>(frame.errorMap.errors)[index] = difference / sum;
}
