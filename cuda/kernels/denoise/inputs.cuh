// What goes into a denoiser, in planes of float4 (enum DenoisePlane), free of NaN and infinity: means of colour and
// guides for OIDN; irradiance for the built-in filter.
#pragma once

#include "denoise/atrous.cuh"
#include "denoise/history.cuh"
#include "denoise/expected.cuh"

// --- Means ----------------------------------------------------------------------------------------------------------

DEVICE void putInput(uint32_t plane, uint32_t pixel, float3 value) {
  value = finiteOrBlack(value);
  *planeAt(frame.denoise.inputs, plane, pixel) = make_float4(value.x, value.y, value.z, 0.0f);
}

KERNEL(denoise_input, 128, 1, denoising) {
  if (index >= frame.film.width * frame.film.height) return;
  keepVirtualHit(index);
  float4 sum = pointer<const float4>(frame.film.accumulation)[index];
  float3 L = sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
  putInput(DENOISE_COLOR, index, make_float3(maxf(L.x, 0.0f), maxf(L.y, 0.0f), maxf(L.z, 0.0f)));
  float3 albedo = finiteOrBlack(meanGuide(AOV_ALBEDO, index));
  *planeAt(frame.denoise.inputs, DENOISE_ALBEDO, index) = make_float4(albedo.x, albedo.y, albedo.z, luminance(albedo));
  putInput(DENOISE_NORMAL, index, meanGuide(AOV_NORMAL, index));
}

// --- The built-in filter --------------------------------------------------------------------------------------------
// The light to be filtered, and how noisy it is.

DEVICE_TABLE float LEAST_ERROR = 1e-20f;     // keeps the sign of an error
DEVICE_TABLE float FAINT_EMISSION = 0.05f;   // share of a pixel up to which emission does not spoil its moments
DEVICE_TABLE float FIREFLY = 3.0f;           // standard deviations above the mean around: light beyond is clamped
DEVICE_TABLE float ENOUGH_BLOCKS = 2.0f;     // of samples, to tell how far these are from independent
DEVICE_TABLE int32_t NOISE_REACH = 3;        // how far around a pixel noise is estimated [pixels]

// likeIndependent is the variance of the mean of all samples, divided by what it would be if they were independent (each of variance v). Sums
// of blocks measure this ratio for the samples of a block. Below 1 the sampler spreads samples evenly, and the ratio is taken to go on falling
// as a power of their number. Where few samples find light, blocks are too noisy to measure it: the ratio is pulled towards 1.
DEVICE float likeIndependent(const Blocks& b, float count, float v, float samples) {
  float told = count - 1.0f, untold = v / sqr(b.sum / (count * BLOCK_WEIGHT));
  float ratio = (blockVariance(b, count) * told + v * untold) / (v * (told + untold));
  if (!(ratio < 1.0f)) return finite(ratio) ? ratio : 1.0f;
  return powf(ratio, maxf(log2f(samples) * (1.0f / log2f(BLOCK_WEIGHT)), 1.0f));
}

// sampleVariance is the variance of a sample of weight 1 [nit²], by the moments; negative when there are too few samples (with history, two
// are enough). One of weight w counts as w samples. Of a converged image, it gives the error of its mean.
DEVICE float sampleVariance(uint32_t pixel, float samples) {
  float n = samplesOfMoments(pixel), enough = frame.denoise.virtualHits ? 2.0f : ENOUGH_SAMPLES;
  if (!(frame.denoise.momentImages >= enough && n > 0.0f)) return -1.0f;
  float v = varianceOf(momentsOf(pixel)) * n / (frame.denoise.momentImages - 1.0f);
  float blocks = blockCount(n);
  if (isConverged() && frame.film.blocks && blocks >= ENOUGH_BLOCKS)
    v *= likeIndependent(*blocksAt(pixel), blocks, v, samples);
  return finite(v) ? v : -1.0f;
}

// Demodulates: irradiance = (image − emissive) / albedo. What later kernels need of a pixel is copied, because the
// AOVs go on changing while the filter works in the background.
KERNEL(atrous_demodulate, 128, 1, denoising) {
  if (index >= frame.film.width * frame.film.height) return;
  keepVirtualHit(index);
  float4 sum = pointer<const float4>(frame.film.accumulation)[index];
  float3 L = sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
  float4 at = *aovAt(AOV_VIRTUAL_HIT, index);
  uint32_t seen = unpackSight(at.w).seen;
  float3 n = finiteOrBlack(meanGuide(AOV_NORMAL, index));
  float3 paint = finiteOrBlack(meanGuide(AOV_ALBEDO, index));
  float3 emissive = finiteOrBlack(seen == SEEN_NOTHING ? L : meanGuide(AOV_EMISSIVE, index));
  float3 albedo = filterAlbedo(paint, seen, n);
  float3 gloss = meanGuide(AOV_GLOSS, index);
  *planeAt(frame.denoise.inputs, DENOISE_COLOR, index) =
      make_float4(emissive.x, emissive.y, emissive.z, saturate(gloss.y / luminance(albedo)));
  *planeAt(frame.denoise.inputs, DENOISE_ALBEDO, index) = make_float4(albedo.x, albedo.y, albedo.z, luminance(paint));
  float3 light = L - emissive;
  // Beyond glass, emission hardly varies.
  bool told = luminance(emissive) <= FAINT_EMISSION * luminance(L) || isBeyond(seen);
  float v = sampleVariance(index, sum.w);
  float error = v >= 0.0f && sum.w > 0.0f ? sqrtf(v / sum.w) / luminance(albedo) : -1.0f;
  Tap t;
  t.light = finiteOrBlack(make_float3(light.x / albedo.x, light.y / albedo.y, light.z / albedo.z));
  // Where it is not told, this is the error of emission, too: no less, and marked by its sign.
  t.error = told ? error : -maxf(absf(error), LEAST_ERROR);
  *planeAt(frame.denoise.inputs, DENOISE_SAMPLES, index) = make_float4(t.light.x, t.light.y, t.light.z, t.error);
  showsSurface(&t, seen, n, gloss.x, albedo, xyz(at));
  t.curvature = 0;
  *irradianceAt(0, index) = packIrradiance(t);
}

DEVICE_TABLE float ONE_TURN = 0.5f;         // squared difference up to which two normals are of one surface
DEVICE_TABLE float CHANGE_SEEN = 50.0f;     // squared relative change of light, over that of gloss and normal
DEVICE_TABLE float NOISE_EXPECTED = 0.5f;   // of the light's variance, counts as noise: to be sure that the rest is not
DEVICE_TABLE float VARIANCE_SEEN = 3.0f;    // squared relative change of light, over the variance that is left

// plainness is the share of the past of a pixel's light that counts. The past is a mean of four pixels: the more light changes from pixel
// to pixel of the surface, the less it fits. How much it may change, gloss and normals tell; how much it does, the light itself, beyond its
// noise. The lesser of both counts, against the noise that the light has now.
DEVICE float plainness(const Tap& t, uint32_t x, uint32_t y) {
  Edges e = edgesAround(t, (float)x, (float)y, 1.0f);
  float n = 0.0f, changes = 0.0f, errors = 0.0f;
  Moments sums = {};
  eachAround(x, y, [&](uint32_t pixel, int32_t dx, int32_t dy) {
    Tap q = loadTap(0, pixel);
    float3 turn = q.normal - t.normal;
    float turned = dot(turn, turn), off = absf(planeDistance(e, (float)dx, (float)dy, q.depth) - e.plane);
    bool own = dx == 0 && dy == 0;
    if (!own && (!isLit(q) || turned > ONE_TURN || off > 1.0f)) return;
    n += 1.0f;
    changes += turned + sqr(q.gloss - t.gloss);
    addLight(sums, 1.0f, luminance(q.light));
    errors += sqr(maxf(q.error, 0.0f));
  });
  float noise = t.error > 0.0f ? minf(sqr(t.error / maxf(luminance(t.light), 1e-20f)), 1.0f) : 1.0f;
  float variance = (sums.squares - sqr(sums.mean) / n) / maxf(n - 1.0f, 1.0f) - NOISE_EXPECTED * errors / n;
  float varies = VARIANCE_SEEN * maxf(variance, 0.0f) / maxf(sqr(sums.mean / n), 1e-20f);
  return noise / (noise + minf(CHANGE_SEEN * changes / n, varies));
}

// Averages a live view's irradiance with history. Its moments tell the noise once there are enough samples.
KERNEL(atrous_accumulate, 128, 6, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Tap t = loadTap(0, pixel);
  float n = frame.denoise.imageSamples, held = 0.0f;
  Followed followed = {};
  if (!isBackground(t)) followed = followSecond(x, y, reprojectSurface(x, y));
  const Reprojection& surface = followed.surface;
  if (surface.sum > 0.0f) {
    held = minf(followedMean<float>(followed, frame.denoise.pastLightSamples), frame.denoise.historyCap) *
           plainness(t, x, y);
    bool moved = frame.denoise.sceneMoved != 0;
    LightAround around = moved ? lightAround<2, 2>(t, x, y, surface) : lightAround<1, 3>(t, x, y, surface);
    t.light = expectedLight(t.light, around);
    if (moved) held *= trustInPast(around);
  }
  // Those of single samples.
  float squares = sqr(luminance(t.light)) + (t.error > 0.0f ? sqr(t.error) * (n - 1.0f) : 0.0f);
  if (held > 0.0f) {
    float4 past = followedMean<float4>(followed, frame.denoise.pastLight);
    float share = held / (n + held);
    t.light = lerp(t.light, xyz(past), share);
    squares = lerp(squares, past.w, share);
    n += held;
    t.error = sqrtf(maxf(squares - sqr(luminance(t.light)), 0.0f) / n);
  }
  if (n < ENOUGH_SAMPLES) t.error = -1.0f;
  pointer<float>(frame.denoise.lightSamples)[pixel] = n;
  pointer<float4>(frame.denoise.light)[pixel] = make_float4(t.light.x, t.light.y, t.light.z, squares);
  *irradianceAt(1, pixel) = packIrradiance(t);
}

// estimateErrorAround estimates a pixel's error from how much the pixels around it that show the same surface differ, and clamps fireflies
// to what they allow.
DEVICE void estimateErrorAround(Tap* t, uint32_t x, uint32_t y, uint32_t buffer) {
  Edges e = edgesAround(*t, (float)x, (float)y, (float)NOISE_REACH);
  Moments m = {};
  float weights = 0.0f;
  eachAround<NOISE_REACH>(x, y, [&](uint32_t pixel, int32_t dx, int32_t dy) {
    Tap q = loadTap(buffer, pixel);
    if (isBackground(q)) return;
    float w = expMinus(surfaceDistance(e, q, (float)dx, (float)dy));
    addLight(m, w, luminance(q.light));
    weights += w;
  });
  t->error = safeSqrt(varianceOf({m.mean / weights, m.squares / weights}));
  float own = luminance(t->light), most = maxf(m.mean / weights + FIREFLY * t->error, 0.0f);
  if (frame.denoise.virtualHits && own > most) t->light *= most / own;
}

// smoothError averages a pixel's known error with those of its 3×3 neighbours on the same surface, as a root mean square, because an error
// estimated from few samples is itself noisy. For errors of emission it is the plain mean, so that one bright pixel does not dominate. *told
// is the error for the test for lone dots: the pixel's own where it is much brighter than its neighbours.
DEVICE float smoothError(const Tap& t, uint32_t x, uint32_t y, uint32_t buffer, float* told) {
  Edges e = edgesAround(t, (float)x, (float)y, 1.0f);
  bool emission = doubtsEmission(t);
  float sum = 0.0f, weights = 0.0f, light = 0.0f, beside = 0.0f;
  eachAround(x, y, [&](uint32_t pixel, int32_t dx, int32_t dy) {
    Tap q = loadTap(buffer, pixel);
    if (q.error < 0.0f || isBackground(q)) return;
    float w = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f);
    w *= expMinus(surfaceDistance(e, q, (float)dx, (float)dy));
    sum += w * (emission ? q.error : sqr(q.error));
    weights += w;
    if (dx == 0 && dy == 0) return;
    light += w * luminance(q.light);
    beside += w;
  });
  float error = emission ? sum / weights : sqrtf(sum / weights);
  *told = luminance(t.light) * beside > DOT_RATIO * light ? t.error : error;
  return error;
}

// ALIKE is the normalDistance up to which two pixels may show one surface.
DEVICE_TABLE float ALIKE = 1.0f;

// offPlane is how far a pixel beside another one is off the plane of that, with its sign; INFINITE where it shows something else.
DEVICE float offPlane(const Edges& e, uint32_t x, uint32_t y, int32_t dx, int32_t dy, uint32_t buffer) {
  uint32_t nx = x + (uint32_t)dx, ny = y + (uint32_t)dy;
  if (nx >= frame.film.width || ny >= frame.film.height) return INFINITE;
  Tap q = loadTap(buffer, ny * frame.film.width + nx);
  if (!isLit(q) || normalDistance(e, q) > ALIKE) return INFINITE;
  return planeDistance(e, (float)dx, (float)dy, q.depth) - e.plane;
}

// curvatureBetween is how much an image is bent along a line, by how far the pixels on both sides of one are off its plane. Where one of them
// lies on it, or both on the same side of it, there is an edge.
DEVICE float curvatureBetween(float before, float after) {
  float nearer = minf(absf(before), absf(after)), farther = maxf(absf(before), absf(after));
  return farther < INFINITE && before * after < 0.0f ? nearer : 0.0f;
}

// curvatureAround is how far the pixels beside one are off its plane, in units of what is allowed for: all of them, or those on both sides.
DEVICE float curvatureAround(const Tap& t, uint32_t x, uint32_t y, uint32_t buffer) {
  Edges e = edgesAround(t, (float)x, (float)y, 0.0f);
  float left = offPlane(e, x, y, -1, 0, buffer), right = offPlane(e, x, y, 1, 0, buffer);
  float up = offPlane(e, x, y, 0, -1, buffer), down = offPlane(e, x, y, 0, 1, buffer);
  float nearest = minf(minf(absf(left), absf(right)), minf(absf(up), absf(down)));
  return maxf(nearest < INFINITE ? nearest : 0.0f, maxf(curvatureBetween(left, right), curvatureBetween(up, down)));
}

// Completes the errors. The argument is the buffer to read; the result goes to the other.
KERNEL(atrous_errors, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Tap t = loadTap(pass, pixel);
  float before = t.error, told = before;
  bool known = before >= 0.0f;
  if (isLit(t)) t.curvature = curvatureBits(curvatureAround(t, x, y, pass));
  if (!isBackground(t) && !known) {
    estimateErrorAround(&t, x, y, pass);
    if (isConverged()) t.error = minf(t.error, -before);
  } else if (!isBackground(t)) {
    t.error = smoothError(t, x, y, pass, &told);
  }
  planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel)->w = told;
  *irradianceAt(1 - pass, pixel) = packIrradiance(t);
}
