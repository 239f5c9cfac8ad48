// Temporal upsampling: frames of upsample images accumulate. History is reprojected from the previous frame, clamped
// to the colours that are around now, and blended with the new image, the more the nearer that one's samples are (Yang,
// Liu and Salvi 2020, A Survey of Temporal Antialiasing Techniques).
#pragma once

#include "denoise/temporal.cuh"
#include "upscale/gather.cuh"

DEVICE_TABLE float BOX = 2.5f;               // half of the range that history is clamped to [deviations]
DEVICE_TABLE float MIN_NEW = 0.1f;           // of a frame, where its samples tell little about a pixel
DEVICE_TABLE float SAME_DISTANCE = 0.02f;    // how much the distance of one surface may differ between frames, relative
DEVICE_TABLE float DEVIATION_RATE = 0.15f;   // weight of the newest frame in a pixel's deviation

// Range of colours, YCoCg.
struct ColorBox {
  float3 mean, half;
};

// boxAround is the range of colours of the image in 3×3 pixels.
DEVICE ColorBox boxAround(uint32_t x, uint32_t y) {
  Neighborhood n = neighborhoodOf(frame.upscale.image, x, y, 1);
  return {n.mean, n.deviation * BOX};
}

// clampToBox moves a colour towards the centre of a box until it is inside.
DEVICE float3 clampToBox(const ColorBox& b, float3 L) {
  float3 offset = toYCoCg(L) - b.mean;
  float3 over = make_float3(absf(offset.x) / maxf(b.half.x, 1e-20f), absf(offset.y) / maxf(b.half.y, 1e-20f),
                            absf(offset.z) / maxf(b.half.z, 1e-20f));
  float3 c = fromYCoCg(b.mean + offset / maxf(maxComponent(over), 1.0f));
  return make_float3(maxf(c.x, 0.0f), maxf(c.y, 0.0f), maxf(c.z, 0.0f));
}

// historyPixel is the history of a pixel, clamped to the edge of the image.
DEVICE float4 historyPixel(int32_t x, int32_t y) {
  int32_t width = (int32_t)frame.film.width, height = (int32_t)frame.film.height;
  x = x < 0 ? 0 : x >= width ? width - 1 : x;
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  return pointer<const float4>(frame.upscale.history)[y * width + x];
}

// NearbyDepths is the range of distances of what a pixel and its neighbours show: at edges, samples alternate between
// surfaces.
struct NearbyDepths {
  float nearest, farthest;   // distance from the previous eye, widened by tolerance [m]
  uint32_t x, y;             // the pixel with the nearest
};

DEVICE NearbyDepths nearbyDepths(uint32_t x, uint32_t y) {
  NearbyDepths a = {INFINITE, 0.0f, x, y};
  eachAround(x, y, [&](uint32_t pixel, int32_t dx, int32_t dy) {
    float3 before = xyz(*aovAt(AOV_VIRTUAL_HIT, pixel)) + movementAt(pixel);
    float distance = length(before - frame.previous.eye);
    a.farthest = maxf(a.farthest, distance);
    if (!(distance < a.nearest)) return;
    a.nearest = distance;
    a.x = x + (uint32_t)dx;
    a.y = y + (uint32_t)dy;
  });
  a.nearest *= 1.0f - SAME_DISTANCE;
  a.farthest *= 1.0f + SAME_DISTANCE;
  return a;
}

// wasVisible tells whether pixel (x, y) of the previous frame showed something about as far away.
DEVICE bool wasVisible(const NearbyDepths& a, int32_t x, int32_t y) {
  if (x < 0 || y < 0 || x >= (int32_t)frame.film.width || y >= (int32_t)frame.film.height) return false;
  float distance = pointer<const float>(frame.upscale.distances)[y * (int32_t)frame.film.width + x];
  return distance >= a.nearest && distance <= a.farthest;
}

// historyAt is the previous frame's history at a point, in pixels, from those pixels that show the same surface.
DEVICE PixelHistory historyAt(const NearbyDepths& a, float px, float py) {
  float fx = floorf(px - 0.5f), fy = floorf(py - 0.5f);
  float tx = px - 0.5f - fx, ty = py - 0.5f - fy;
  int32_t x = (int32_t)fx, y = (int32_t)fy;
  PixelHistory m = {};
  float3 sum = vec3(0.0f);
  float shares = 0.0f, most = 0.0f;
  uint32_t seen = 0;
  for (int32_t k = 0; k < 4; k++) {
    int32_t i = k & 1, j = k >> 1;
    if (!wasVisible(a, x + i, y + j)) continue;
    float4 past = historyPixel(x + i, y + j);
    float share = (i ? tx : 1.0f - tx) * (j ? ty : 1.0f - ty);
    sum += xyz(past) * share;
    shares += share;
    seen++;
    if (share <= most) continue;
    most = share;
    m = unpackHistory(past);
  }
  if (shares < 0.05f) return {};
  m.L = seen < 4 ? sum / shares
                 : resampleSharp(tx, ty, [&](int32_t dx, int32_t dy) { return xyz(historyPixel(x + dx, y + dy)); });
  return m;
}

// recallHistory is a pixel's history; none where the previous frame did not see its surface. At an edge a pixel moves
// with the foreground, so that the edge stays smooth.
DEVICE PixelHistory recallHistory(uint32_t x, uint32_t y) {
  const UpscaleParams& u = frame.upscale;
  PixelHistory none = {};
  float px, py;
  if (!(u.flags & UPSCALE_HISTORY)) return none;
  if (u.flags & UPSCALE_STILL) return unpackHistory(pointer<const float4>(u.history)[y * frame.film.width + x]);
  NearbyDepths a = nearbyDepths(x, y);
  uint32_t nearest = a.y * frame.film.width + a.x;
  float3 at = xyz(*aovAt(AOV_VIRTUAL_HIT, nearest));
  if (!reproject(a.x, a.y, at, at + movementAt(nearest), &px, &py)) return none;
  px += (float)x - (float)a.x;
  py += (float)y - (float)a.y;
  if (!(px >= 0.0f && py >= 0.0f && px < (float)frame.film.width && py < (float)frame.film.height)) return none;
  return historyAt(a, px, py);
}

// blendHistory blends a new frame into history. A pixel without history is clamped to its neighbourhood: a single
// sample would stand out.
DEVICE PixelHistory blendHistory(const PixelHistory& old, float4 now, const ColorBox& box) {
  float part = maxf(now.w, MIN_NEW);
  PixelHistory m = {xyz(now), part, 0.0f};
  if (old.frames <= 0.0f) {
    if (frame.upscale.flags & UPSCALE_HISTORY) m.L = clampToBox({box.mean, box.half / BOX}, xyz(now));
    return m;
  }
  ColorBox wide = box;
  wide.half = make_float3(maxf(box.half.x, BOX * old.deviation), maxf(box.half.y, 0.5f * BOX * old.deviation),
                          maxf(box.half.z, 0.5f * BOX * old.deviation));
  float3 held = clampToBox(wide, old.L);
  m.frames = minf(old.frames + part, (float)UPSCALE_FRAMES);
  m.L = lerp(held, xyz(now), part / m.frames);
  float difference = sqr(luminance(xyz(now)) - luminance(old.L));
  m.deviation = sqrtf(lerp(sqr(old.deviation), difference, maxf(DEVIATION_RATE, part / m.frames)));
  return m;
}

KERNEL(upscale_temporal, 128, 1, upscaling) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  const UpscaleParams& u = frame.upscale;
  uint32_t pixel = y * frame.film.width + x;
  VirtualHit here = virtualHit(pixel);
  PixelHistory m = blendHistory(recallHistory(x, y), pointer<const float4>(u.image)[pixel], boxAround(x, y));
  if (here.normal == NORMAL_NONE) m.deviation = 0.0f;   // the sky has no noise
  pointer<float4>(u.next)[pixel] = packHistory(m);
  pointer<float>(u.nextDistances)[pixel] = length(here.position - frame.camera.eye);
}

// --- Blending to the native image -----------------------------------------------------------------------------------
// While a resting view accumulates at native resolution, its image replaces the upscaled one by and by.

KERNEL(upscale_fade, 128, 1, upscaling) {
  if (index >= frame.film.width * frame.film.height) return;
  const UpscaleParams& u = frame.upscale;
  PixelHistory m = unpackHistory(pointer<const float4>(u.history)[index]);
  float4 sum = pointer<const float4>(frame.display.shown == SHOWN_DENOISED ? frame.denoise.denoised
                                                                           : frame.film.accumulation)[index];
  if (frame.display.shown == SHOWN_DENOISED) sum.w = 1.0f;
  if (sum.w > 0.0f && finite(xyz(sum))) {
    m.L = lerp(m.L, xyz(sum) / sum.w, u.share);
    m.frames = maxf(m.frames, u.share * (float)UPSCALE_FRAMES);
  }
  pointer<float4>(u.next)[index] = packHistory(m);
}
