// The filter that has learned (docs/denoising.md). A net looks at the noisy light, at guides and at the past, and says of each pixel how it
// is to be mixed: with its past, and in passes that widen with pixels to which it gave similar features (Işık et al. 2021, Interactive Monte
// Carlo Denoising using Affinity of Neural Features). It never makes light itself.
//
// What it was trained on: record.cuh, tracer/cli/training and cuda/tools/filter.
#pragma once

#include "denoise/temporal.cuh"
#include "film/meter.cuh"

// NetPixel is what the net's input is made of.
struct NetPixel {
  float3 light;      // irradiance [nit]
  float error;       // of its luminance, as Tap.error
  float3 emission;   // what bypasses the filter [nit]
  float3 albedo;
  float gloss, polish;   // shares of the albedo: of glossy lobes; the same times 1 − roughness
  float3 normal;         // to the right, up and forward
  float depth;           // log2 of that along the camera's axis [m]
  bool lit;              // there is a surface
  Followed past;
};

DEVICE NetPixel netPixel(uint32_t x, uint32_t y) {
  const uint32_t pixel = y * frame.film.width + x;
  const Tap t = loadTap(0, pixel);
  const float4 light = *planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel);
  NetPixel s = {};
  s.light = xyz(light);
  s.error = light.w;
  const float4 emission = *planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel);
  s.emission = xyz(emission);
  s.albedo = xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel));
  s.gloss = t.gloss;
  s.polish = emission.w;
  const Camera& c = frame.camera;
  s.normal = make_float3(dot(t.normal, c.right), dot(t.normal, c.up), dot(t.normal, c.forward));
  s.depth = log2f(clampf(t.depth, 1e-6f, DEPTH_OF_NOTHING));
  s.lit = !isBackground(t);
  if (frame.denoise.virtualHits) s.past = followSecond(x, y, reprojectPixel(x, y, seenAround(x, y)));
  return s;
}

// --- What the net is given ------------------------------------------------------------------------------------------

DEVICE_TABLE float WELL_EXPOSED = 0.01f;     // light that errors are compared with, where there is less
DEVICE_TABLE float MOST_LEARNED = 1024.0f;   // samples of an image in training; of more, samples take over
DEVICE_TABLE float MOST_HELD = 1024.0f;      // samples that the past stands for at most
DEVICE_TABLE float LEAST_SHARE = 0.01f;      // of a reprojection's weights, so that it counts

// meter_samples meters the light that is to be filtered, as meter_light does what is shown.
BLOCK_KERNEL(meter_samples, 256, 1, denoising, MeterBlock) {
  PHASE(lane) shared.bins[lane] = 0;
  PHASE(lane) {
    meterLane(shared.bins, block, lane, threads, [](uint32_t x, uint32_t y) {
      uint32_t pixel = y * frame.film.width + x;
      return remodulated(xyz(*planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel)), pixel);
    });
  }
  PHASE(lane) keepBin(shared.bins, lane);
}

// In training, light was at most so many times brighter or darker than where its middle is middle grey: 1.5 stops.
DEVICE_TABLE float WIDEST_EXPOSED = 2.82842712f;

// learnedExposure multiplies light before the net sees it: the exposure of the picture, as far as it was trained on such light.
DEVICE float learnedExposure() {
  const Meter* m = pointer<const Meter>(frame.display.meter);
  if (!m->metered) return frame.learned.exposure;   // all is black
  float middle = exp2f(m->target);
  return clampf(frame.learned.exposure, middle / WIDEST_EXPOSED, middle * WIDEST_EXPOSED);
}

// onCurve maps light to about 0…1, where errors look about as large as they are.
DEVICE float onCurve(float x) { return log2f(1.0f + 16.0f * clampf(x, 0.0f, 1e6f)) * 0.125f; }

// errorOnCurve maps a relative error to 0…1: 1/256 and less to 0, 16 and more to 1.
DEVICE float errorOnCurve(float x) { return saturate((log2f(maxf(x, 0.0f) + 1.0f / 256.0f) + 8.0f) / 12.0f); }

// PastLight is what is known of a pixel from the image before.
struct PastLight {
  float3 light;      // that was filtered
  float samples;     // that it stands for
  float3 filtered;   // what came out
  float3 picture;
};

// pastAt is that where a reprojection leads; false where that is nowhere.
DEVICE bool pastAt(const Reprojection& r, float exposure, PastLight* past) {
  if (!(r.sum > LEAST_SHARE)) return false;
  float4 light = historyMean<float4>(r, frame.denoise.pastLight), filtered = samplePast(r, frame.learned.pastFiltered),
         picture = samplePast(r, frame.denoise.pastStabilized);
  *past = {xyz(light) * exposure, light.w, xyz(filtered) * exposure, xyz(picture) * exposure};
  return true;
}

DEVICE uint16_t* pastAddress(uint32_t plane, uint32_t pixel) {
  return pointer<uint16_t>(frame.learned.past) + 8 * ((uint64_t)plane * frame.film.width * frame.film.height + pixel);
}

DEVICE_TABLE float LARGEST_HALF = 65504.0f;

// Light is stored as the half of its root: from 1e-9 to 4e9 of what is shown as white, to a thousandth.
DEVICE float lightToHalf(float x) { return minf(sqrtf(maxf(x, 0.0f)), LARGEST_HALF); }
DEVICE float3 lightFromHalves(const float* v) { return make_float3(sqr(v[0]), sqr(v[1]), sqr(v[2])); }

// Two lights, with a number each.
struct PastPair {
  float3 surface;
  float a;
  float3 second;
  float b;
};

DEVICE void storePast(uint32_t plane, uint32_t pixel, const PastPair& p) {
  float v[8] = {lightToHalf(p.surface.x), lightToHalf(p.surface.y), lightToHalf(p.surface.z), p.a,
                lightToHalf(p.second.x),  lightToHalf(p.second.y),  lightToHalf(p.second.z),  p.b};
  storeHalves(pastAddress(plane, pixel), v);
}

DEVICE PastPair loadPast(uint32_t plane, uint32_t pixel) {
  float v[8];
  loadHalves(v, pastAddress(plane, pixel));
  return {lightFromHalves(v), v[3], lightFromHalves(v + 4), v[7]};
}

// Writes what the net is given, and what is reprojected.
KERNEL(learned_input, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  NetPixel s = netPixel(x, y);
  float exposure = learnedExposure(), n = frame.learned.samples;
  float3 light = s.lit ? max3(s.light, vec3(0.0f)) * exposure : vec3(0.0f);
  PastLight surface = {}, second;
  bool seen = pastAt(s.past.surface, exposure, &surface),
       reflected = s.lit && s.past.albedoShare > 0.0f && pastAt(s.past.second, exposure, &second);
  if (!reflected) second = surface;
  float share = reflected ? s.past.albedoShare : 0.0f;
  float3 past = lerp(surface.light, second.light, share);
  float known = s.error >= 0.0f ? 1.0f : 0.0f;
  float relative = absf(s.error) * exposure / (luminance(light) + WELL_EXPOSED);
  float in[LEARNED_INPUTS] = {onCurve(light.x),
                              onCurve(light.y),
                              onCurve(light.z),
                              onCurve(past.x),
                              onCurve(past.y),
                              onCurve(past.z),
                              onCurve(surface.filtered.x),
                              onCurve(surface.filtered.y),
                              onCurve(surface.filtered.z),
                              onCurve(luminance(second.filtered)),
                              onCurve(surface.picture.x),
                              onCurve(surface.picture.y),
                              onCurve(surface.picture.z),
                              s.albedo.x,
                              s.albedo.y,
                              s.albedo.z,
                              s.gloss,
                              s.polish,
                              s.normal.x,
                              s.normal.y,
                              s.normal.z,
                              clampf((s.depth - log2f(frame.camera.focusDistance)) * 0.25f, -2.0f, 2.0f),
                              errorOnCurve(relative) * known,
                              known,
                              log2f(minf(n, MOST_LEARNED)) * 0.125f,
                              log2f(1.0f + lerp(surface.samples, second.samples, share)) * 0.125f,
                              seen && s.lit ? 1.0f : 0.0f,
                              share,
                              onCurve(luminance(s.emission) * exposure),
                              s.lit ? 1.0f : 0.0f,
                              frame.learned.shared ? 1.0f : 0.0f,
                              reflected ? 1.0f : 0.0f};
  uint16_t* to =
      pointer<uint16_t>(frame.learned.input) + (uint64_t)LEARNED_INPUTS * ((uint64_t)y * frame.learned.pitch + x);
  for (uint32_t i = 0; i < LEARNED_INPUTS; i += 8) {
    float eight[8];
    for (uint32_t k = 0; k < 8; k++) eight[k] = finite(in[i + k]) ? in[i + k] : 0.0f;
    storeHalves(to + i, eight);
  }
  storePast(PAST_LIGHT, pixel, {surface.light, seen ? surface.samples : -1.0f, second.light, second.samples});
  storePast(PAST_FILTERED, pixel, {surface.filtered, 0.0f, second.filtered, 0.0f});
  storePast(PAST_PICTURE, pixel, {surface.picture, 0.0f, second.picture, 0.0f});
}

// --- What it says ---------------------------------------------------------------------------------------------------

// The past picture counts for at most so many samples. More would leave less noise, but blur reflections that move: with 8, FLIP of fine
// grooves in polished metal is 2 to 4 % higher, and that of a fox in fur 2 % lower.
DEVICE_TABLE float PICTURES_HELD = 4.0f;

// mixPast keeps the mixture of a plane's two lights, and the share that it will have.
DEVICE void mixPast(uint32_t plane, uint32_t pixel, float second, float share) {
  PastPair p = loadPast(plane, pixel);
  storePast(plane, pixel, {lerp(p.surface, p.second, second), share, vec3(0.0f), 0.0f});
}

// logistic maps a number to a share, 0…1.
DEVICE float logistic(float x) { return 1.0f / (1.0f + expf(-x)); }

DEVICE uint16_t* learnedTap(uint32_t buffer, uint32_t pixel) {
  return reinterpret_cast<uint16_t*>(pointer<LearnedTap>(frame.learned.taps) +
                                     (uint64_t)buffer * frame.film.width * frame.film.height + pixel);
}

DEVICE_TABLE float LEAST_TRUST = 1e-4f;   // that a pixel has in others

DEVICE void setTapLight(float (&tap)[16], float3 light) {
  tap[LEARNED_FEATURES] = lightToHalf(light.x);
  tap[LEARNED_FEATURES + 1] = lightToHalf(light.y);
  tap[LEARNED_FEATURES + 2] = lightToHalf(light.z);
}
DEVICE float3 tapLight(const float (&tap)[16]) { return lightFromHalves(tap + LEARNED_FEATURES); }

// Heads are all numbers that the net gives of a pixel.
struct Heads {
  float of[LEARNED_HEADS];
};

// headsAt is the last layer, which has no neighbours: sums of what the net gives.
DEVICE Heads headsAt(uint32_t x, uint32_t y) {
  const uint16_t* from = pointer<const uint16_t>(frame.learned.output) +
                         (uint64_t)LEARNED_HIDDEN * ((uint64_t)y * frame.learned.pitch + x);
  const float* weights = pointer<const float>(frame.learned.heads);
  float hidden[LEARNED_HIDDEN];
  for (uint32_t i = 0; i < LEARNED_HIDDEN; i += 8) loadHalves(hidden + i, from + i);
  Heads h;
  for (uint32_t k = 0; k < LEARNED_HEADS; k++) {
    float sum = weights[LEARNED_HEADS * LEARNED_HIDDEN + k];
    for (uint32_t i = 0; i < LEARNED_HIDDEN; i++) sum = madd(weights[k * LEARNED_HIDDEN + i], hidden[i], sum);
    h.of[k] = sum;
  }
  return h;
}

// Mixes a pixel's light with its past, and writes what the passes read.
KERNEL(learned_mix, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  const Heads h = headsAt(x, y);
  const bool lit = !isBackground(loadTap(0, pixel));
  float exposure = learnedExposure(), n = frame.learned.samples;
  float3 light = vec3(0.0f);
  if (lit) light = max3(xyz(*planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel)), vec3(0.0f)) * exposure;
  PastPair past = loadPast(PAST_LIGHT, pixel);
  bool seen = past.a >= 0.0f;
  float second = seen && lit ? logistic(h.of[HEAD_SECOND]) : 0.0f;
  float held = lerp(maxf(past.a, 0.0f), past.b, second), share = seen && lit ? logistic(h.of[HEAD_LIGHT]) : 0.0f;
  light = lerp(light, lerp(past.surface, past.second, second), share);
  // The variance of the mixture tells the number of samples that it is worth.
  float samples = 1.0f / (sqr(1.0f - share) / n + sqr(share) / maxf(held, 0.5f));
  if (frame.denoise.light)
    pointer<float4>(frame.denoise.light)[pixel] =
        make_float4(light.x / exposure, light.y / exposure, light.z / exposure, minf(samples, MOST_HELD));
  mixPast(PAST_FILTERED, pixel, second, seen && lit ? logistic(h.of[HEAD_FILTERED]) : 0.0f);
  mixPast(PAST_PICTURE, pixel, second,
          seen ? minf(logistic(h.of[HEAD_PICTURE]), PICTURES_HELD / (n + PICTURES_HELD)) : 0.0f);
  float tap[16], scales[8] = {};
  for (uint32_t i = 0; i < LEARNED_FEATURES; i++) tap[i] = h.of[i];
  setTapLight(tap, light);
  tap[15] = lit ? logistic(h.of[HEAD_TRUST]) + LEAST_TRUST : 0.0f;
  for (uint32_t i = 0; i < LEARNED_PASSES; i++) scales[i] = expf(clampf(h.of[HEAD_SCALE + i], -6.0f, 6.0f));
  scales[NOTE_NEW] = 1.0f - share;
  scales[NOTE_LEFT] = 1.0f;
  storeSixteen(learnedTap(0, pixel), tap);
  storeHalves(pointer<uint16_t>(frame.learned.scales) + 8 * (uint64_t)pixel, scales);
}

// --- The passes -----------------------------------------------------------------------------------------------------

// learnedPass is the mean of the light around a pixel, by how alike the features are. Errors of half floats aside it lies between its taps.
// *left becomes less by how much variance a mean of independent taps with such weights would lose.
template <int32_t REACH>
DEVICE float3 learnedPass(const float (&own)[16], float scale, uint32_t x, uint32_t y, uint32_t buffer, int32_t step,
                          float* left) {
  float3 sum = vec3(0.0f);
  float weights = 1e-12f, squares = 0.0f;
  auto take = [&](uint32_t pixel, int32_t dx, int32_t dy) {
    float tap[16], distance = 0.0f;
    loadSixteen(tap, learnedTap(buffer, pixel));
    for (uint32_t i = 0; i < LEARNED_FEATURES; i++) distance = madd(tap[i] - own[i], tap[i] - own[i], distance);
    float w = splineWeight(dx) * splineWeight(dy) * tap[15] * expMinus(scale * distance);
    sum += tapLight(tap) * w;
    weights += w;
    squares += w * w;
  };
  eachAround<REACH>(x, y, take, step);
  *left *= squares / sqr(weights);
  return sum * (1.0f / weights);
}

// What outshines the pixels around it by more is dimmed where it may be chance: on grooves 13 of 48 dots are left. With 3, as in the hand-made
// filter, there are as many, but glints are dimmed, and FLIP is 2 to 4 % higher.
DEVICE_TABLE float GLINT_RATIO = 8.0f;

// certainShare is expectedShare of a pixel's filtered light [nit], of whose samples' error `kept` is left.
DEVICE float certainShare(float3 light, float kept, uint32_t x, uint32_t y, uint32_t buffer) {
  const uint32_t pixel = y * frame.film.width + x;
  const float exposure = learnedExposure();
  const float own = luminance(light * xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel)));
  const float4 samples = *planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel);
  // Of few samples the error is not known (-1): it may be all there is.
  const float error = samples.w == -1.0f ? luminance(xyz(samples)) : absf(samples.w);
  return expectedShare(own, sqr(kept * error / luminance(light)), GLINT_RATIO, x, y, [&](uint32_t other) {
    float tap[16];
    loadSixteen(tap, learnedTap(buffer, other));
    return luminance(remodulated(tapLight(tap) / exposure, other));
  });
}

// One pass. The argument is its number, times two, plus the buffer that it reads. The last one writes the picture, and what smoothed edges
// (edges.cuh) and the balance (balance.cuh) read.
KERNEL(learned_pass, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x, level = pass >> 1, buffer = pass & 1;
  float own[16], scales[8];
  uint16_t* notes = pointer<uint16_t>(frame.learned.scales) + 8 * (uint64_t)pixel;
  loadSixteen(own, learnedTap(buffer, pixel));
  loadHalves(scales, notes);
  const bool lit = own[15] > 0.0f;
  float3 light = vec3(0.0f);
  if (lit)
    light = level == 0 ? learnedPass<2>(own, scales[0], x, y, buffer, 1, &scales[NOTE_LEFT])
                       : learnedPass<1>(own, scales[level], x, y, buffer, 1 << level, &scales[NOTE_LEFT]);
  if (level + 1 < LEARNED_PASSES) {
    setTapLight(own, light);
    storeSixteen(learnedTap(1 - buffer, pixel), own);
    storeHalves(notes, scales);
    return;
  }
  float exposure = learnedExposure();
  float3 samples = max3(xyz(*planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel)), vec3(0.0f));
  PastPair filtered = loadPast(PAST_FILTERED, pixel);
  light = lerp(light, filtered.surface, filtered.a) / exposure;
  // Of more samples than the net has seen, the limit must be right.
  float fade = minf(MOST_LEARNED / frame.learned.samples, 1.0f);
  if (lit) light = lerp(samples, light, fade);
  // How much of the samples' noise is left in the picture (noiseKept): the root of what is left of its variance, as measured against pictures
  // of 384 samples. For 0.5, 0.13 and 0.03 of the variance, 0.57 to 0.78, 0.14 to 0.44 and 0.02 to 0.32 were kept.
  float kept = scales[NOTE_NEW] * sqrtf(scales[NOTE_LEFT]) * (1.0f - filtered.a);
  kept = lerp(1.0f, kept, fade);
  light *= certainShare(light, kept, x, y, buffer);
  if (frame.learned.filtered)
    pointer<float4>(frame.learned.filtered)[pixel] = make_float4(light.x, light.y, light.z, 0.0f);
  show(pixel, remodulated(light, pixel));
  planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel)->w = kept;
  Tap t = loadTap(0, pixel);
  t.light = light;
  *irradianceAt(LEARNED_LIGHT, pixel) = packIrradiance(t);
  if (frame.denoise.edgeRays > 0 && pixel == 0) *edgeCount() = 0;
}

// Mixes the picture of a live view with that of the image before.
KERNEL(learned_stabilize, 128, 8, denoising) {
  if (index >= frame.film.width * frame.film.height) return;
  PastPair past = loadPast(PAST_PICTURE, index);
  show(index, lerp(denoisedAt(index), past.surface / learnedExposure(), past.a));
  planeAt(frame.denoise.inputs, DENOISE_COLOR, index)->w *= 1.0f - past.a;
}

// Writes the picture that is shown, which is the past of the next image.
KERNEL(learned_keep, 128, 8, denoising) {
  if (index >= frame.film.width * frame.film.height) return;
  float3 shown = denoisedAt(index);
  pointer<float4>(frame.denoise.stabilized)[index] =
      make_float4(shown.x, shown.y, shown.z, withShare(frame.denoise.imageSamples, -1.0f));
}
