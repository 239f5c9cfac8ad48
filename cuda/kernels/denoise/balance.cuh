// The end of the built-in filter: it blurs what guides do not know, such as shadows and reflections. Where that errs more than the samples,
// these are shown. How much it errs, the picture tells itself. Filtered light differs from that of the samples by their noise, whose variance
// is known, and by the filter's bias. Over some pixels noise cancels, and bias does not: what the squared mean difference has beyond the
// variance of a mean is squared bias. That is Stein's unbiased risk estimate, which Firmino, Frisvad and Jensen 2022 (Progressive Denoising of
// Monte Carlo Rendered Images) use, without its derivative: as if filtered light had nothing of the pixel's own noise, so that bias seems
// smaller than it is.
#pragma once

#include "denoise/atrous.cuh"

// Of the weight of a block around a pixel, by its squared distance [1/pixel²].
DEVICE_TABLE float BLOCK_FALLOFF = 0.08f;
DEVICE_TABLE float DARKEST_SHOWN = 0.05f;   // of what a display shows: what is darker counts as this dark
// What counts as noise, over the variance: of a mean of 2×2 pixels, of a block, and of the blocks around a pixel.
DEVICE_TABLE float NOISE_OF_FOUR = 1.2f, NOISE_OF_BLOCK = 1.5f, NOISE_OF_BLOCKS = 2.0f;
// Where light is as noisy as if so many rays had found it, twice the variance counts as noise: of few rays little is known.
DEVICE_TABLE float FEW_FOUND = 32.0f;
// Noise that differs from pixel to pixel is seen less than a blur: its squared error counts as so much of that.
DEVICE_TABLE float NOISE_SEEN = 0.05f;

// Differences of samples and filtered light over a block of pixels, in luminance.
struct alignas(16) Differences {
  // Of 2×2 pixels: the squared mean difference and its variance, as they are seen; sums over pixels.
  float squares, noise;
  float mean, variance;   // sums of the difference and of its variance [nit], [nit²]
  float light;            // sum of the samples' light [nit]
  float seen;             // sum of seenSquare [1/nit²]
  float pixels;           // that count
  float pad;
};

// Differences are where irradiance was, which is not needed any more.
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

// addFour adds 2×2 pixels to a block.
DEVICE void addFour(Differences* d, uint32_t x, uint32_t y) {
  float samples = 0.0f, filtered = 0.0f, variance = 0.0f, n = 0.0f;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t nx = x + (i & 1), ny = y + (i >> 1);
    if (nx >= frame.film.width || ny >= frame.film.height) continue;
    uint32_t pixel = ny * frame.film.width + nx;
    float4 s = samplesAt(pixel);
    if (s.w < 0.0f) continue;
    float own = luminance(xyz(s)), other = luminance(filteredAt(pixel));
    samples += own;
    filtered += other;
    variance += sqr(s.w);
    n += 1.0f;
  }
  if (!(n > 0.0f)) return;
  float sum = samples - filtered, seen = seenSquare(maxf(samples, filtered) / n);
  d->squares += seen * sqr(sum) / n;
  d->noise += seen * variance / n;
  d->mean += sum;
  d->variance += variance;
  d->light += samples;
  d->seen += seen * n;
  d->pixels += n;
}

// Sums differences over blocks. The argument is the half of the irradiance that they are written to.
KERNEL(measure_bias, 128, 1, denoising) {
  uint32_t across = blocksAcross(frame.film.width);
  if (index >= across * blocksAcross(frame.film.height)) return;
  uint32_t x = index % across * BALANCE_SIDE, y = index / across * BALANCE_SIDE;
  Differences d = {};
  for (uint32_t i = 0; i < 4; i++) addFour(&d, x + (i & 1) * 2, y + (i >> 1) * 2);
  *differencesAt(pass, index) = d;
}

// shareOfSamples is the share of a pixel's samples that is shown: by the squared error of the filter around, and by their own.
DEVICE float shareOfSamples(uint32_t x, uint32_t y, float error, uint32_t buffer) {
  uint32_t across = blocksAcross(frame.film.width), down = blocksAcross(frame.film.height);
  uint32_t bx = x / BALANCE_SIDE, by = y / BALANCE_SIDE;
  float squares = 0.0f, noise = 0.0f, blockSquares = 0.0f, blockNoise = 0.0f;
  float mean = 0.0f, variance = 0.0f, variances = 0.0f, light = 0.0f, seen = 0.0f, pixels = 0.0f;
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t cx = bx + i % 3 - 1, cy = by + i / 3 - 1;   // beyond the first they wrap around to be too large
    if (cx >= across || cy >= down) continue;
    Differences d = *differencesAt(buffer, cy * across + cx);
    if (!(d.pixels > 0.0f)) continue;
    float centre = 0.5f * (BALANCE_SIDE - 1), dx = (float)(cx * BALANCE_SIDE) + centre - (float)x,
          dy = (float)(cy * BALANCE_SIDE) + centre - (float)y;
    float w = expMinus(BLOCK_FALLOFF * (sqr(dx) + sqr(dy))), scale = w * d.seen / sqr(d.pixels);
    squares += w * d.squares;
    noise += w * d.noise;
    blockSquares += scale * sqr(d.mean);
    blockNoise += scale * d.variance;
    mean += w * d.mean;
    variance += w * d.variance;
    variances += sqr(w) * d.variance;
    light += w * d.light;
    seen += w * d.seen;
    pixels += w * d.pixels;
  }
  // Where no sample has found light, none tells how much there is.
  if (!(light > 0.0f)) return 0.0f;
  float doubt = 1.0f + FEW_FOUND * variance / sqr(light), scale = seen / sqr(pixels);
  float bias = maxf(squares - NOISE_OF_FOUR * doubt * noise, blockSquares - NOISE_OF_BLOCK * doubt * blockNoise);
  bias = maxf(bias, scale * (sqr(mean) - NOISE_OF_BLOCKS * doubt * variances));
  if (!(bias > 0.0f)) return 0.0f;
  float own = maxf(4.0f * noise, seen * sqr(error));   // like bias, times the pixels
  return bias / (bias + NOISE_SEEN * own);
}

// Shows the samples where the filter errs more. The argument is the half of the irradiance that holds the differences.
KERNEL(balance, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  float4 s = samplesAt(pixel);
  float share = shareOfSamples(x, y, maxf(s.w, 0.0f), pass);
  if (share > 0.0f) show(pixel, lerp(filteredAt(pixel), xyz(s), share));
}
