// What a filter learns from: each pixel's NetPixel, in planes (enum RecordPlane).
#pragma once

#include "denoise/learned.cuh"

DEVICE void record(uint32_t plane, uint32_t pixel, float value) {
  pointer<float>(frame.denoise.record)[plane * frame.film.width * frame.film.height + pixel] =
      finite(value) ? value : 0.0f;
}

DEVICE void record3(uint32_t plane, uint32_t pixel, float3 value) {
  record(plane, pixel, value.x);
  record(plane + 1, pixel, value.y);
  record(plane + 2, pixel, value.z);
}

// recordPast records where a reprojection leads: how far to the right and down, and which of the four pixels around that place count.
DEVICE void recordPast(uint32_t plane, uint32_t x, uint32_t y, const Reprojection& r) {
  uint32_t pixel = y * frame.film.width + x;
  uint32_t counts = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (r.share[i] > 0.0f) counts |= 1u << i;
  record(plane, pixel, r.x + (float)(int32_t)(r.left - x));
  record(plane + 1, pixel, r.y + (float)(int32_t)(r.top - y));
  record(plane + 2, pixel, (float)counts);
}

// Records an image whose light has been demodulated.
KERNEL(keep_record, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  NetPixel s = netPixel(x, y);
  record3(RECORD_LIGHT, pixel, s.light);
  record(RECORD_ERROR, pixel, s.error);
  record3(RECORD_EMISSION, pixel, s.emission);
  record3(RECORD_ALBEDO, pixel, s.albedo);
  record(RECORD_GLOSS, pixel, s.gloss);
  record(RECORD_POLISH, pixel, s.polish);
  record3(RECORD_NORMAL, pixel, s.normal);
  record(RECORD_DEPTH, pixel, s.depth);
  record(RECORD_LIT, pixel, s.lit ? 1.0f : 0.0f);
  recordPast(RECORD_SURFACE, x, y, s.past.surface);
  recordPast(RECORD_SECOND, x, y, s.past.albedoShare > 0.0f ? s.past.second : Reprojection{});
  record(RECORD_SECOND_SHARE, pixel, s.past.albedoShare);
}
