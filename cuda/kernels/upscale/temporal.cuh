// Frames of upscaled images become one image: history comes from where a pixel's place was in the frame before, is held to what
// is about there now, and takes the new image in, the more the nearer that one's samples are (temporal upsampling: Yang,
// Liu and Salvi 2020, A Survey of Temporal Antialiasing Techniques).
#pragma once

#include "denoise/temporal.cuh"
#include "upscale/gather.cuh"

DEVICE_TABLE float BOX = 2.5f;               // half of the range that history is held to [deviations]
DEVICE_TABLE float LEAST_NEW = 0.1f;         // of a frame, where its samples say little of a pixel
DEVICE_TABLE float SAME_DISTANCE = 0.02f;    // how far distances of one thing may differ between frames, relative
DEVICE_TABLE float DEVIATION_RATE = 0.15f;   // of the newest frame in a pixel's deviation

// Range of colours, YCoCg.
struct ColorBox {
  float3 mean, half;
};

// boxAround is the range of the image about a pixel: 3×3.
DEVICE ColorBox boxAround(uint32_t x, uint32_t y) {
  const float4* image = pointer<const float4>(frame.upscale.image);
  float3 sum = vec3(0.0f), squares = vec3(0.0f);
  float n = 0.0f;
  for (uint32_t j = y > 0 ? y - 1 : 0; j <= minu(y + 1, frame.film.height - 1); j++)
    for (uint32_t i = x > 0 ? x - 1 : 0; i <= minu(x + 1, frame.film.width - 1); i++) {
      float3 c = toYCoCg(xyz(image[j * frame.film.width + i]));
      sum += c;
      squares += c * c;
      n += 1.0f;
    }
  float3 mean = sum / n;
  return {mean, root3(squares / n - mean * mean) * BOX};
}

// heldTo moves a colour towards the middle of a box until it is inside. It stays between colours that there are.
DEVICE float3 heldTo(const ColorBox& b, float3 L) {
  float3 apart = toYCoCg(L) - b.mean;
  float3 over = make_float3(absf(apart.x) / maxf(b.half.x, 1e-20f), absf(apart.y) / maxf(b.half.y, 1e-20f),
                            absf(apart.z) / maxf(b.half.z, 1e-20f));
  float3 c = fromYCoCg(b.mean + apart / maxf(maxComponent(over), 1.0f));
  return make_float3(maxf(c.x, 0.0f), maxf(c.y, 0.0f), maxf(c.z, 0.0f));
}

// pastPixel is the history of a pixel, or of the nearest where there is none such.
DEVICE float4 pastPixel(int32_t x, int32_t y) {
  int32_t width = (int32_t)frame.film.width, height = (int32_t)frame.film.height;
  x = x < 0 ? 0 : x >= width ? width - 1 : x;
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  return pointer<const float4>(frame.upscale.history)[y * width + x];
}

DEVICE float3 smaller3(float3 a, float3 b) { return make_float3(minf(a.x, b.x), minf(a.y, b.y), minf(a.z, b.z)); }
DEVICE float3 larger3(float3 a, float3 b) { return make_float3(maxf(a.x, b.x), maxf(a.y, b.y), maxf(a.z, b.z)); }

// Surroundings is what a pixel and those beside it show: at edges samples show now this and now that.
struct Surroundings {
  float nearest, farthest;   // distance from the eye of the frame before, with what it may differ by [m]
  uint32_t x, y;             // which pixel shows what is nearest
};

DEVICE float3 seenAt(uint32_t x, uint32_t y) { return xyz(*aovAt(AOV_SEEN, y * frame.film.width + x)); }

DEVICE Surroundings lookAround(uint32_t x, uint32_t y) {
  Surroundings a = {INFINITE, 0.0f, x, y};
  for (uint32_t j = y > 0 ? y - 1 : 0; j <= minu(y + 1, frame.film.height - 1); j++)
    for (uint32_t i = x > 0 ? x - 1 : 0; i <= minu(x + 1, frame.film.width - 1); i++) {
      float distance = length(seenAt(i, j) - frame.previous.eye);
      a.farthest = maxf(a.farthest, distance);
      if (!(distance < a.nearest)) continue;
      a.nearest = distance;
      a.x = i;
      a.y = j;
    }
  a.nearest *= 1.0f - SAME_DISTANCE;
  a.farthest *= 1.0f + SAME_DISTANCE;
  return a;
}

// wasSeen tells whether pixel (x, y) of the frame before showed something about as far away.
DEVICE bool wasSeen(const Surroundings& a, int32_t x, int32_t y) {
  if (x < 0 || y < 0 || x >= (int32_t)frame.film.width || y >= (int32_t)frame.film.height) return false;
  float distance = pointer<const float>(frame.upscale.distances)[y * (int32_t)frame.film.width + x];
  return distance >= a.nearest && distance <= a.farthest;
}

// smoothHistory is the image of the frame before between four pixels that all show the same. Nothing is brighter than
// they are, or darker, as it would be beside lamps.
DEVICE float3 smoothHistory(int32_t x, int32_t y, float tx, float ty) {
  float3 L = vec3(0.0f), least = vec3(INFINITE), most = vec3(0.0f);
  for (int32_t j = 0; j < 4; j++)
    for (int32_t i = 0; i < 4; i++) {
      float3 one = xyz(pastPixel(x + i - 1, y + j - 1));
      L += one * (cubicWeight((uint32_t)i, tx) * cubicWeight((uint32_t)j, ty));
      if (i % 3 == 0 || j % 3 == 0) continue;   // not of the four
      least = smaller3(least, one);
      most = larger3(most, one);
    }
  return larger3(least, smaller3(most, L));
}

// historyAt is the frame before at a point, in pixels, as far as it shows the same there.
DEVICE Memory historyAt(const Surroundings& a, float px, float py) {
  float fx = floorf(px - 0.5f), fy = floorf(py - 0.5f);
  float tx = px - 0.5f - fx, ty = py - 0.5f - fy;
  int32_t x = (int32_t)fx, y = (int32_t)fy;
  Memory m = {};
  float3 sum = vec3(0.0f);
  float shares = 0.0f, most = 0.0f;
  uint32_t seen = 0;
  for (int32_t k = 0; k < 4; k++) {
    int32_t i = k & 1, j = k >> 1;
    if (!wasSeen(a, x + i, y + j)) continue;
    float4 past = pastPixel(x + i, y + j);
    float share = (i ? tx : 1.0f - tx) * (j ? ty : 1.0f - ty);
    sum += xyz(past) * share;
    shares += share;
    seen++;
    if (share <= most) continue;
    most = share;
    m = unpackMemory(past);
  }
  if (shares < 0.05f) return {};
  m.L = seen == 4 ? smoothHistory(x, y, tx, ty) : sum / shares;
  return m;
}

// recalled is what is remembered of a pixel; nothing where the frame before did not see what it shows. At an edge a pixel
// moves along with what is in front, so that the edge stays as smooth as it has become.
DEVICE Memory recalled(uint32_t x, uint32_t y) {
  const UpscaleParams& u = frame.upscale;
  Memory none = {};
  float px, py;
  if (!(u.flags & UPSCALE_HISTORY)) return none;
  if (u.flags & UPSCALE_STILL) return unpackMemory(pointer<const float4>(u.history)[y * frame.film.width + x]);
  Surroundings a = lookAround(x, y);
  if (!placeBefore(a.x, a.y, seenAt(a.x, a.y), &px, &py)) return none;
  px += (float)x - (float)a.x;
  py += (float)y - (float)a.y;
  if (!(px >= 0.0f && py >= 0.0f && px < (float)frame.film.width && py < (float)frame.film.height)) return none;
  return historyAt(a, px, py);
}

// join takes a new frame into history. What is newly seen is held to its neighbours: a single sample would stand out.
DEVICE Memory join(const Memory& old, float4 now, const ColorBox& box) {
  float part = maxf(now.w, LEAST_NEW);
  Memory m = {xyz(now), part, 0.0f};
  if (old.frames <= 0.0f) {
    if (frame.upscale.flags & UPSCALE_HISTORY) m.L = heldTo({box.mean, box.half / BOX}, xyz(now));
    return m;
  }
  ColorBox wide = box;
  wide.half = make_float3(maxf(box.half.x, BOX * old.deviation), maxf(box.half.y, 0.5f * BOX * old.deviation),
                          maxf(box.half.z, 0.5f * BOX * old.deviation));
  float3 held = heldTo(wide, old.L);
  m.frames = minf(old.frames + part, (float)UPSCALE_FRAMES);
  m.L = lerp(held, xyz(now), part / m.frames);
  float apart = sqr(luminance(xyz(now)) - luminance(old.L));
  m.deviation = sqrtf(lerp(sqr(old.deviation), apart, maxf(DEVIATION_RATE, part / m.frames)));
  return m;
}

KERNEL(upscale_temporal, 128, 1, upscaling) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  const UpscaleParams& u = frame.upscale;
  uint32_t pixel = y * frame.film.width + x;
  SeenPlace here = seenPlace(pixel);
  Memory m = join(recalled(x, y), pointer<const float4>(u.image)[pixel], boxAround(x, y));
  if (here.normal == 0u) m.deviation = 0.0f;   // the sky has no noise
  pointer<float4>(u.next)[pixel] = packMemory(m);
  pointer<float>(u.nextDistances)[pixel] = length(here.position - frame.camera.eye);
}

// --- Fading to the image at full size -------------------------------------------------------------------------------
// While a resting view is rendered at full size, that image takes the place of the upscaled one.

KERNEL(upscale_fade, 128, 1, upscaling) {
  if (index >= frame.film.width * frame.film.height) return;
  const UpscaleParams& u = frame.upscale;
  Memory m = unpackMemory(pointer<const float4>(u.history)[index]);
  float4 sum = pointer<const float4>(frame.display.shown == SHOWN_DENOISED ? frame.denoise.denoised
                                                                           : frame.film.accumulation)[index];
  if (frame.display.shown == SHOWN_DENOISED) sum.w = 1.0f;
  if (sum.w > 0.0f && finite(xyz(sum))) {
    m.L = lerp(m.L, xyz(sum) / sum.w, u.share);
    m.frames = maxf(m.frames, u.share * (float)UPSCALE_FRAMES);
  }
  pointer<float4>(u.next)[index] = packMemory(m);
}
