// Smooth edges in a live view. With a sample or two a pixel, textures and outlines are jagged. Light
// varies slowly, so it needs no more of them: where pixels around differ, further camera rays find colours and surfaces, without noise,
// and take their light from those of the filtered pixels that show the same surface.
#pragma once

#include "denoise/inputs.cuh"
#include "path/guides.cuh"

DEVICE_TABLE float ANY_SURFACE = 1e-3f;   // weight of a pixel that shows another surface, where none shows the same
DEVICE_TABLE float SOFT_LIGHT = 0.3f;     // of the luminance around: darker pixels weigh like this where light is noisy
DEVICE_TABLE float PLAIN_RANGE = 0.1f;    // of the brightest albedo or emission around, up to which it does not vary
DEVICE_TABLE float ONE_SURFACE = 1.0f;    // surfaceDistance up to which pixels show the same

// Around is what the pixels around one show.
struct Around {
  uint32_t x, y, buffer;
  float usual;   // mean luminance of their light
  float noisy;   // 1 / samples, history among them: the fewer, the less do bright pixels weigh
  bool plain;    // one surface of one colour: further rays would find nothing else
};

// Range is how much something varies.
struct Range {
  float least, most;
};

DEVICE void widen(Range& r, float x) {
  r.least = minf(r.least, x);
  r.most = maxf(r.most, x);
}

DEVICE bool isNarrow(const Range& r) { return r.most - r.least <= PLAIN_RANGE * r.most; }

DEVICE Around lookAround(uint32_t x, uint32_t y, uint32_t buffer) {
  uint32_t pixel = y * frame.film.width + x;
  Tap own = loadTap(buffer, pixel);
  Edges e = edgesAround(own, (float)x, (float)y);
  Range albedo = {INFINITE, 0.0f}, emission = {INFINITE, 0.0f};
  float sum = 0.0f, n = 0.0f;
  bool one = true;
  eachAround(x, y, [&](uint32_t there, int32_t dx, int32_t dy) {
    Tap q = loadTap(buffer, there);
    widen(albedo, luminance(xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, there))));
    widen(emission, luminance(xyz(*planeAt(frame.denoise.inputs, DENOISE_COLOR, there))));
    one = one && isLit(q) == isLit(own) && isBackground(q) == isBackground(own) &&
          (!isLit(own) || surfaceDistance(e, q, (float)dx, (float)dy) <= ONE_SURFACE);
    if (!isLit(q)) return;
    sum += maxf(luminance(q.light), 0.0f);
    n += 1.0f;
  });
  float samples = pointer<const float>(frame.denoise.lightSamples)[pixel];
  return {x,
          y,
          buffer,
          n > 0.0f ? sum / n : 0.0f,
          1.0f / maxf(samples, 1.0f),
          one && isNarrow(albedo) && isNarrow(emission)};
}

// lightOn is the light on what a camera ray shows; black where no pixel around shows anything that reflects.
DEVICE float3 lightOn(const Tap& seen, const Around& a) {
  Edges e = edgesAround(seen, (float)a.x, (float)a.y);
  float3 sum = vec3(0.0f);
  float weights = 0.0f;
  eachAround(a.x, a.y, [&](uint32_t there, int32_t dx, int32_t dy) {
    Tap q = loadTap(a.buffer, there);
    if (!isLit(q)) return;
    float same = expMinus(surfaceDistance(e, q, (float)dx, (float)dy)) + ANY_SURFACE;
    float usual = a.usual / (maxf(luminance(q.light), 0.0f) + SOFT_LIGHT * a.usual + 1e-20f);
    float w = splineWeight(dx) * splineWeight(dy) * same * lerp(1.0f, usual, a.noisy);
    sum += q.light * w;
    weights += w;
  });
  return weights > 0.0f ? sum / weights : vec3(0.0f);
}

// seenBy is what a camera ray shows, as the filter compares surfaces.
DEVICE Tap seenBy(const Guide& g, const Path& primary) {
  float3 at = primary.origin + primary.direction * g.distance;
  Tap t = {};
  t.normal = dot(g.normal, g.normal) > 1e-4f ? normalize(g.normal) : vec3(0.0f);
  t.depth = dot(at - frame.camera.eye, frame.camera.forward);
  return t;
}

// ownLight is what a pixel's samples show. The fewer they are, the more they take from around.
DEVICE float3 ownLight(const Around& a) {
  uint32_t pixel = a.y * frame.film.width + a.x;
  float3 L = xyz(pointer<const float4>(frame.denoise.denoised)[pixel]);
  Tap own = loadTap(a.buffer, pixel);
  if (!isLit(own)) return L;
  float3 soft = xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel)) * lightOn(own, a) +
                xyz(*planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel));
  return lerp(L, soft, a.noisy);
}

// The argument is the buffer that holds the filtered light. Pixels become means of what their samples and further camera rays show.
KERNEL(smooth_edges, 128, 4, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  Around around = lookAround(x, y, pass);
  float n = frame.denoise.imageSamples;
  float3 own = ownLight(around), sum = own * n;
  for (uint32_t i = 0; !around.plain && i < frame.denoise.edgeRays; i++, n += 1.0f) {
    Path primary = beginSample(x, y, frame.sampling.sampleIndex + 1 + i);
    Guide g = guideOf(primary, cameraHit(primary.origin, primary.direction, alphaSeed(primary)));
    float3 L = g.emissive;
    if (g.seen == SEEN_SURFACE) L += filterAlbedo(g.albedo) * lightOn(seenBy(g, primary), around);
    sum += finite(L) ? L : own;
  }
  sum *= 1.0f / n;
  pointer<float4>(frame.denoise.denoised)[y * frame.film.width + x] =
      make_float4(maxf(sum.x, 0.0f), maxf(sum.y, 0.0f), maxf(sum.z, 0.0f), 0.0f);
}
