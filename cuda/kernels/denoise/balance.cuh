// The end of the built-in filters: where one blurs what guides do not know, such as shadows, reflections and glints, and errs more than the
// samples, these are shown. The picture tells where: filtered light differs from samples by their noise, as far as that is not in both, and
// by the filter's squared bias. That is Stein's unbiased risk estimate, as in Firmino, Frisvad and Jensen 2022 (Progressive Denoising of
// Monte Carlo Rendered Images); what both have in common stands for its derivative (noiseKept).
#pragma once

#include "denoise/atrous.cuh"

// How far around a pixel differences count [pixels], and their weight by the squared distance [1/pixel²]: of single pixels that show the
// same, and of blocks.
DEVICE_TABLE int32_t ALIKE_REACH = 2;
DEVICE_TABLE float ALIKE_FALLOFF = 0.35f, BLOCK_FALLOFF = 0.08f;
// A pixel with another normal or gloss counts for less: a glint in a groove says nothing about the smooth metal around the groove.
DEVICE_TABLE float ALIKE_NORMALS = 4.0f;    // times as much as to the filter
DEVICE_TABLE float ALIKE_GLOSS = 12.0f;     // times the squared difference
DEVICE_TABLE float DARKEST_SHOWN = 0.05f;   // of what a display shows: what is darker counts as this dark
// So many times the squared difference that noise explains is taken for noise, and more of few samples, whose noise is known badly.
DEVICE_TABLE float NOISE_MARGIN = 1.1f, MARGIN_OF_ONE = 6.0f;
// Where most samples miss the light, so many times its relative variance comes on top: of few rays little is known.
DEVICE_TABLE float FEW_FOUND = 32.0f;
DEVICE_TABLE float SELDOM_MISSED = 0.25f;   // share of the light that pixels miss where it is not rare
// Of a squared difference, so many times the noise of its pixel or of a typical one around counts at most: what is more may be chance.
DEVICE_TABLE float MOST_DIFFERENT = 12.0f;
// Noise that differs from pixel to pixel is seen less than a blur, the less the fainter it is: its squared error counts as so many times its
// squared relative size of that, but as LEAST_SEEN of it at least.
DEVICE_TABLE float NOISE_SEEN = 15.0f, LEAST_SEEN = 0.05f;

// Differences of samples and filtered light over a block of pixels: sums of what is said of luminance.
struct alignas(16) Differences {
  float4 errors;   // x, y: squared differences, and their part due to noise, as seen; z: variance [nit²]; w: pixels
  float4 light;    // x: of the samples; y: filtered; z: the lesser of both [nit]
};

// Differences of blocks are where irradiance was, which is not needed any more.
DEVICE Differences* differencesAt(uint32_t buffer, uint32_t block) {
  return reinterpret_cast<Differences*>(irradianceAt(buffer, 0)) + block;
}

DEVICE uint32_t blocksAcross(uint32_t pixels) { return (pixels + BALANCE_SIDE - 1) / BALANCE_SIDE; }

// seenSquare is what a display makes of a squared difference of light of that luminance: noise is seen in the dark [1/nit²].
DEVICE float seenSquare(float l) {
  float e = frame.display.exposure, x = maxf(l, 0.0f) * e, shown = x / (1.0f + x);
  return sqr(e / (1.0f + x)) / (DARKEST_SHOWN + shown);
}

DEVICE float3 filteredAt(uint32_t pixel) { return xyz(pointer<const float4>(frame.denoise.denoised)[pixel]); }

// Measured is what is known of a pixel [nit²]. It overwrites the plane of what bypassed the filter. The samples' plane, so far light over
// albedo, then holds their light [nit]. Neither is needed as it was, and this saves two planes.
struct alignas(16) Measured {
  float square;     // difference of samples and filtered light, squared
  float noise;      // what noise explains of it; negative where that is not known
  float variance;   // of the samples
  float pad;
};

DEVICE Measured* measuredAt(uint32_t pixel) {
  return reinterpret_cast<Measured*>(planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel));
}
DEVICE float4* samplesAt(uint32_t pixel) { return planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel); }

// addPixel measures a pixel and adds it to a block.
DEVICE void addPixel(Differences* d, uint32_t pixel) {
  float4 input = *samplesAt(pixel), albedo = *planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel);
  float kept = planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel)->w;
  float3 L = remodulated(xyz(input), pixel);
  float samples = luminance(L), filtered = luminance(filteredAt(pixel)), square = sqr(samples - filtered);
  float variance = sqr(input.w * luminance(xyz(albedo))), noise = variance * (1.0f - kept);
  bool known = input.w >= 0.0f;
  *measuredAt(pixel) = {square, known ? noise : -1.0f, variance, 0.0f};
  *samplesAt(pixel) = make_float4(L.x, L.y, L.z, 0.0f);
  if (!known) return;
  float seen = seenSquare(maxf(samples, filtered));
  d->errors = d->errors + make_float4(seen * square, seen * noise, variance, 1.0f);
  d->light = d->light + make_float4(samples, filtered, minf(samples, filtered), 0.0f);
}

// Measures differences of pixels and blocks. The argument is the half of the irradiance that those of blocks are written to.
KERNEL(measure_bias, 128, 1, denoising) {
  uint32_t across = blocksAcross(frame.film.width);
  if (index >= across * blocksAcross(frame.film.height)) return;
  Differences d = {};
  for (uint32_t i = 0; i < BALANCE_SIDE * BALANCE_SIDE; i++) {
    uint32_t x = index % across * BALANCE_SIDE + i % BALANCE_SIDE, y = index / across * BALANCE_SIDE + i / BALANCE_SIDE;
    if (x < frame.film.width && y < frame.film.height) addPixel(&d, y * frame.film.width + x);
  }
  *differencesAt(pass, index) = d;
}

// blocksAround sums the differences of blocks around a pixel.
DEVICE Differences blocksAround(uint32_t x, uint32_t y, uint32_t buffer) {
  uint32_t across = blocksAcross(frame.film.width), down = blocksAcross(frame.film.height);
  Differences sum = {};
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t bx = x / BALANCE_SIDE + i % 3 - 1,
             by = y / BALANCE_SIDE + i / 3 - 1;   // beyond the first they wrap around
    if (bx >= across || by >= down) continue;
    Differences d = *differencesAt(buffer, by * across + bx);
    float center = 0.5f * (BALANCE_SIDE - 1), dx = (float)(bx * BALANCE_SIDE) + center - (float)x,
          dy = (float)(by * BALANCE_SIDE) + center - (float)y;
    float w = expMinus(BLOCK_FALLOFF * (sqr(dx) + sqr(dy)));
    sum.errors = sum.errors + d.errors * w;
    sum.light = sum.light + d.light * w;
  }
  return sum;
}

// Compared is how samples and filtered light differ around a pixel.
struct Compared {
  float squares;   // squared differences, over what noise explains
  float noise;     // that, for a pixel [nit²]
};

// comparedAlike compares pixels around that show the same. It reads guides from the irradiance, whose light may be that of an earlier
// pass. No noise is less than `least`; `typical` is the variance of a pixel's samples around [nit²].
DEVICE Compared comparedAlike(uint32_t x, uint32_t y, uint32_t buffer, float least, float typical) {
  Tap t = loadTap(buffer, y * frame.film.width + x);
  Edges e = edgesAround(t, (float)x, (float)y, (float)ALIKE_REACH);
  float squares = 0.0f, noise = 0.0f, weights = 0.0f;
  eachAround<ALIKE_REACH>(x, y, [&](uint32_t pixel, int32_t dx, int32_t dy) {
    Measured m = *measuredAt(pixel);
    if (m.noise < 0.0f) return;
    Tap q = loadTap(buffer, pixel);
    float away = surfaceDistance(e, q, (float)dx, (float)dy) + (ALIKE_NORMALS - 1.0f) * normalDistance(e, q);
    away += ALIKE_GLOSS * sqr(q.gloss - t.gloss) + ALIKE_FALLOFF * (float)(dx * dx + dy * dy);
    float w = expMinus(away), n = maxf(m.noise, least);
    squares += w * minf(m.square, MOST_DIFFERENT * minf(n, typical));
    noise += w * n;
    weights += w;
  });
  return noise > 0.0f ? Compared{squares / noise, noise / weights} : Compared{0.0f, MOST_VARIANCE};
}

// shareOfSamples is the share of a pixel's samples that is shown. The squared error of any mix of both is least where it is the share of
// bias in their squared difference; as it is seen, noise counts for less.
DEVICE float shareOfSamples(uint32_t x, uint32_t y, float filtered, uint32_t buffer) {
  if (isBackground(loadTap(1 - buffer, y * frame.film.width + x))) return 0.0f;   // it is of the samples
  Differences d = blocksAround(x, y, buffer);
  // Where no sample has found light, none tells how much there is.
  if (!(d.light.x > 0.0f && d.errors.y > 0.0f)) return 0.0f;
  float missed = saturate((1.0f - d.light.z / d.light.y) / SELDOM_MISSED - 1.0f);
  float doubt = FEW_FOUND * missed * d.errors.z / sqr(d.light.x), typical = d.errors.z / d.errors.w;
  float margin = NOISE_MARGIN + MARGIN_OF_ONE / frame.denoise.imageSamples + doubt;
  Compared alike = comparedAlike(x, y, 1 - buffer, minf(doubt, 1.0f) * typical, typical);
  float bias = maxf(alike.squares, d.errors.x / d.errors.y) - margin;   // squared, over what noise explains
  float seen = clampf(NOISE_SEEN * alike.noise / (sqr(filtered) + NO_VARIANCE), LEAST_SEEN, 1.0f);
  return bias > 0.0f ? bias / (bias + seen) : 0.0f;
}

// Shows the samples where the filter errs more. The argument is the half of the irradiance that holds the differences of blocks.
KERNEL(balance, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  float3 filtered = filteredAt(pixel), samples = xyz(*samplesAt(pixel));
  float share = shareOfSamples(x, y, luminance(filtered), pass);
  if (!(share > 0.0f)) return;
  float own = luminance(samples);   // of bright samples that the pixels around do not confirm, what those allow
  auto around = [](uint32_t other) { return luminance(xyz(*samplesAt(other))); };
  float expected = expectedShare(own, measuredAt(pixel)->variance / sqr(own), DOT_RATIO, x, y, around);
  show(pixel, lerp(filtered, samples * maxf(expected, minf(luminance(filtered) / own, 1.0f)), share));
}
