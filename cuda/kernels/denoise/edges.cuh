// Smooth light and edges in a live view. Where the filter has left noise, a pixel takes light from those around. And where these differ,
// textures and outlines are jagged with a sample or two: further camera rays find their colours and surfaces, without noise, and take light
// from filtered pixels that show the same. find_edges smooths and queues pixels, smooth_edges and follow_edges trace, average_edges shows.
#pragma once

#include "denoise/inputs.cuh"
#include "path/guides.cuh"

DEVICE_TABLE float ANY_SURFACE = 1e-3f;   // weight of a pixel that shows another surface, where none shows the same
DEVICE_TABLE float SOFT_LIGHT = 0.3f;     // of the luminance around: darker pixels weigh like this where light is noisy
DEVICE_TABLE float PLAIN_RANGE = 0.1f;    // of the brightest albedo or emission around, up to which it does not vary
DEVICE_TABLE float CLEAN_LIGHT = 0.1f;    // relative error of filtered light up to which it is no noise,
DEVICE_TABLE float NOISY_LIGHT = 0.2f;    // and from which on it is
DEVICE_TABLE float ONE_SURFACE = 1.0f;    // surfaceDistance up to which pixels show the same

// Around is the light of the pixels around one.
struct Around {
  uint32_t x, y, buffer;
  float usual;   // mean luminance
  float noisy;   // 0 to 1: how much its own light is noise; the more, the less do bright pixels weigh
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

// noisiness is Around.noisy of a pixel, by the errors that the filter has left around it, since a pixel that all light has missed does
// not know of its own. It fades away before an image is converged. With so few samples that edges are smoothed it is at least 1 over
// their number, history among them. It is 0 for the filter that has learned.
DEVICE float noisiness(uint32_t pixel, float errors, float light) {
  if (frame.learned.filtered) return 0.0f;
  float few = 0.0f;
  if (frame.denoise.edgeRays > 0) few = 1.0f / maxf(pointer<const float>(frame.denoise.lightSamples)[pixel], 1.0f);
  float relative = errors / maxf(light, 1e-20f);
  float fade = saturate(2.0f - 2.0f * frame.denoise.imageSamples / (float)CONVERGED_SAMPLES);
  return maxf(few, saturate((relative - CLEAN_LIGHT) / (NOISY_LIGHT - CLEAN_LIGHT)) * fade);
}

// lookAround also tells whether the pixels show one surface of one colour: then further rays would find nothing else.
DEVICE Around lookAround(uint32_t x, uint32_t y, uint32_t buffer, bool* plain) {
  uint32_t pixel = y * frame.film.width + x;
  Tap own = loadTap(buffer, pixel);
  Edges e = edgesAround(own, (float)x, (float)y, 1.0f);
  Range albedo = {INFINITE, 0.0f}, emission = {INFINITE, 0.0f};
  float sum = 0.0f, errors = 0.0f, n = 0.0f;
  bool one = true;
  eachAround(x, y, [&](uint32_t there, int32_t dx, int32_t dy) {
    Tap q = loadTap(buffer, there);
    widen(albedo, luminance(xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, there))));
    widen(emission, luminance(xyz(*planeAt(frame.denoise.inputs, DENOISE_COLOR, there))));
    one = one && isLit(q) == isLit(own) && isBackground(q) == isBackground(own) &&
          (!isLit(own) || surfaceDistance(e, q, (float)dx, (float)dy) <= ONE_SURFACE);
    if (!isLit(q)) return;
    sum += maxf(luminance(q.light), 0.0f);
    errors += absf(q.error);
    n += 1.0f;
  });
  *plain = one && isNarrow(albedo) && isNarrow(emission);
  return {x, y, buffer, n > 0.0f ? sum / n : 0.0f, noisiness(pixel, errors, sum)};
}

// lightOn is the light on what a camera ray shows; black where no pixel around shows anything that reflects.
DEVICE float3 lightOn(const Tap& seen, const Around& a) {
  Edges e = edgesAround(seen, (float)a.x, (float)a.y, 1.0f);
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

// ownLight is what a pixel's samples show. The noisier their light is, the more they take from around.
DEVICE float3 ownLight(const Around& a) {
  uint32_t pixel = a.y * frame.film.width + a.x;
  float3 L = xyz(pointer<const float4>(frame.denoise.denoised)[pixel]);
  Tap own = loadTap(a.buffer, pixel);
  if (!isLit(own)) return L;
  float3 soft = xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel)) * lightOn(own, a) +
                xyz(*planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel));
  return lerp(L, soft, a.noisy);
}

// --- The queue ------------------------------------------------------------------------------------------------------
// Two buffers have room for it: the half of the irradiance that does not hold the filtered light, and the picture that is
// yet to be stabilized.

// edgeSlot is where the i-th pixel of the queue keeps what one of its further rays shows: light in x, y and z. In w of ray 0 is which
// pixel it is; in w of ray 1 of the first pixel how many there are (edgeCount). `buffer` holds the filtered light.
DEVICE float4* edgeSlot(uint32_t buffer, uint32_t ray, uint32_t i) {
  return ray == 0 ? reinterpret_cast<float4*>(irradianceAt(1 - buffer, i))
                  : pointer<float4>(frame.denoise.stabilized) + i;
}
DEVICE uint32_t edgePixel(uint32_t buffer, uint32_t i) { return floatBits(edgeSlot(buffer, 0, i)->w); }

// Pixels show what their samples do, smoothed where that is noise. Those whose edges are to be smoothed are queued; until they have
// been, they hold the sum of their samples, and of the light around what is usual and how noisy it is. The argument is the buffer that
// holds the filtered light.
KERNEL(find_edges, 128, 8, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  bool plain;
  Around around = lookAround(x, y, pass, &plain);
  if (!plain && frame.denoise.edgeRays == 0) return;   // it shows them already
  float3 own = ownLight(around);
  if (plain) {
    show(pixel, own);
    return;
  }
  float n = frame.denoise.imageSamples;
  pointer<float4>(frame.denoise.denoised)[pixel] =
      make_float4(own.x * n, own.y * n, own.z * n, withShare(around.usual, around.noisy));
  edgeSlot(pass, 0, append(edgeCount()))->w = bitsFloat(pixel);
}

// EdgeRay is a further camera ray of a queued pixel. Its index counts all first rays, then all second ones.
struct EdgeRay {
  uint32_t pixel, ray;
  float4* slot;
};

DEVICE uint32_t edgeRayCount() { return *edgeCount() * frame.denoise.edgeRays; }

DEVICE EdgeRay edgeRay(uint32_t buffer, uint32_t index) {
  uint32_t queued = *edgeCount(), ray = index / queued, i = index - ray * queued;
  return {edgePixel(buffer, i), ray, edgeSlot(buffer, ray, i)};
}

DEVICE Path beginEdgeRay(const EdgeRay& e) {
  return beginSample(e.pixel % frame.film.width, e.pixel / frame.film.width, frame.sampling.sampleIndex + 1 + e.ray);
}

// A ray waits for its guide paths to be followed while its slot has these bits in x.
DEVICE_TABLE uint32_t WAITING = 0xffffffff;

// storeEdgeRay stores what such a ray shows.
DEVICE void storeEdgeRay(const EdgeRay& e, const Path& camera, const Guide& g, uint32_t buffer) {
  float usual = pointer<const float4>(frame.denoise.denoised)[e.pixel].w;
  Around a = {e.pixel % frame.film.width, e.pixel / frame.film.width, buffer, usual, shareIn(usual)};
  float3 L = g.emissive, albedo = filterAlbedo(g.albedo, g.seen, g.normal);
  Tap seen = {};
  showsSurface(&seen, g.seen, g.normal, g.gloss, albedo, camera.origin + camera.direction * g.distance);
  if (isLit(seen)) L += albedo * lightOn(seen, a);
  *e.slot = make_float4(L.x, L.y, L.z, e.slot->w);
}

// Finds what further camera rays show. Where guide paths go on from what one hits, follow_edges does.
QUEUE_KERNEL(smooth_edges, 128, 5, denoising, edgeRayCount()) {
  EdgeRay e = edgeRay(pass, index);
  Path camera = beginEdgeRay(e);
  Guide g;
  if (firstGuide(camera, cameraHit(camera.origin, camera.direction, alphaSeed(camera)), &g, false))
    storeEdgeRay(e, camera, g, pass);
  else
    e.slot->x = bitsFloat(WAITING);
}

// WaitingEdges is the source of the rays that wait.
struct WaitingEdges {
  uint32_t buffer;
  DEVICE_METHOD uint32_t count() const { return edgeRayCount(); }
  DEVICE_METHOD bool begin(uint32_t index, Path* camera) const {
    EdgeRay e = edgeRay(buffer, index);
    if (floatBits(e.slot->x) != WAITING) return false;
    *camera = beginEdgeRay(e);
    return true;
  }
  DEVICE_METHOD bool knows(uint32_t, Hit*) const { return false; }
  DEVICE_METHOD void end(uint32_t index, const GuideWalk& w) const {
    storeEdgeRay(edgeRay(buffer, index), w.camera, w.g, buffer);
  }
};

RAY_KERNEL(follow_edges, 128, 4, denoising) { followGuides(WaitingEdges{pass}, fetch); }

// Queued pixels become means of what their samples and further camera rays show.
QUEUE_KERNEL(average_edges, 128, 8, denoising, *edgeCount()) {
  uint32_t pixel = edgePixel(pass, index);
  float3 sum = xyz(pointer<const float4>(frame.denoise.denoised)[pixel]);
  float n = frame.denoise.imageSamples;
  for (uint32_t ray = 0; ray < frame.denoise.edgeRays; ray++, n += 1.0f) {
    float3 L = xyz(*edgeSlot(pass, ray, index));
    sum += finite(L) ? L : sum * (1.0f / n);
  }
  show(pixel, sum * (1.0f / n));
}
