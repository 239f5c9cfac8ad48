// Resolve: the light that is shown → bloom → exposure → white balance → tone curve → RGBA8 in the target; or a view of
// an AOV or of ReSTIR in its place.
#pragma once

#include "display/bloom.cuh"
#include "display/exposure.cuh"
#include "display/views.cuh"

// FilmBlock is a run of pixels of one line, one array for each channel: light, then encoded values 0…1. Settings are the same
// for all pixels, so each step reads them once, and then loops over the pixels without a branch: C++ compilers vectorise that.
struct FilmBlock {
  float r[THREADS_resolve], g[THREADS_resolve], b[THREADS_resolve];
};

DEVICE float3 colorOf(const FilmBlock& block, uint32_t lane) {
  return make_float3(block.r[lane], block.g[lane], block.b[lane]);
}
DEVICE void setColor(FilmBlock& block, uint32_t lane, float3 c) {
  block.r[lane] = c.x;
  block.g[lane] = c.y;
  block.b[lane] = c.z;
}

// loadLight takes the light that is shown at `count` pixels from (x, y) on [nit].
DEVICE void loadLight(FilmBlock& block, uint32_t x, uint32_t y, uint32_t count) {
  uint32_t pixel = y * frame.film.width + x;
  if (frame.display.shown == SHOWN_DENOISED) {
    const float4* denoised = pointer<const float4>(frame.denoise.denoised) + pixel;
    PHASE_BELOW(lane, count) setColor(block, lane, xyz(denoised[lane]));
  } else if (frame.display.shown == SHOWN_IMAGE) {
    const float4* sums = pointer<const float4>(frame.film.accumulation) + pixel;
    PHASE_BELOW(lane, count) {
      const float4& sum = sums[lane];                                    // GCC does not vectorise a copy
      setColor(block, lane, xyz(sum) / (sum.w > 0.0f ? sum.w : 1.0f));   // without samples the sum is 0
    }
  } else {
    PHASE_BELOW(lane, count) setColor(block, lane, shownLight(x + lane, y));
  }
}

// bounded makes a number safe for tone curves: not negative, no NaN, and small enough to be squared.
DEVICE float bounded(float x) { return cap(x, 1e10f); }
DEVICE float3 bounded(float3 c) { return make_float3(bounded(c.x), bounded(c.y), bounded(c.z)); }

// expose applies exposure and white balance, and bounds what comes out.
DEVICE void expose(FilmBlock& block, uint32_t count) {
  float exposure = frame.display.exposure * meteredExposure();
  if (!(frame.display.flags & DISPLAY_BALANCE)) {
    PHASE_BELOW(lane, count) setColor(block, lane, bounded(colorOf(block, lane) * exposure));
    return;
  }
  float3 red = frame.display.balanceRed, green = frame.display.balanceGreen, blue = frame.display.balanceBlue;
  PHASE_BELOW(lane, count) { setColor(block, lane, bounded(rows(red, green, blue, colorOf(block, lane) * exposure))); }
}

// encode applies the tone curve.
DEVICE void encode(FilmBlock& block, uint32_t count) {
  switch (frame.display.toneMap) {
#define X(id, function)                                                             \
  case id:                                                                          \
    PHASE_BELOW(lane, count) setColor(block, lane, function(colorOf(block, lane))); \
    return;
    TONE_CURVES(X)
#undef X
    default:
      PHASE_BELOW(lane, count) setColor(block, lane, srgbEncode(colorOf(block, lane)));
  }
}

// coverageAt is the share of a pixel where the camera sees a surface, while the background is hidden. Nothing is known of it where
// guides are not kept.
DEVICE float coverageAt(uint32_t x, uint32_t y) {
  uint64_t planes = frame.film.aovPlanes > AOV_EMISSIVE ? frame.film.aovs : 0;
  uint32_t width = frame.film.width, height = frame.film.height;
  if (frame.display.shown == SHOWN_PREVIEW) {
    planes = frame.film.previewAovs;
    x = x * frame.film.previewWidth / width;
    y = y * frame.film.previewHeight / height;
    width = frame.film.previewWidth;
    height = frame.film.previewHeight;
  }
  if (!planes) return 1.0f;
  const float4* of = pointer<const float4>(planes) + y * width + x;
  uint32_t plane = width * height;
  float guides = absf(of[AOV_ALBEDO * plane].w);
  return guides > 0.0f ? saturate(1.0f - of[AOV_EMISSIVE * plane].w / guides) : 0.0f;
}

// uncover makes the light of pixels that show some background what their surfaces send, as pictures with alpha are stored.
DEVICE void uncover(FilmBlock& block, uint32_t x, uint32_t y, uint32_t count) {
  PHASE_BELOW(lane, count) {
    float coverage = coverageAt(x + lane, y);
    setColor(block, lane, colorOf(block, lane) * (coverage > 0.0f ? 1.0f / coverage : 0.0f));
  }
}

DEVICE_TABLE uint32_t CHECKER_LIGHT = 0x999999, CHECKER_DARK = 0x666666, CHECKER_SIDE = 8;   // colours, and pixels

// setBackground puts a colour or a checkerboard behind encoded pixels, as viewers do behind pictures with alpha.
DEVICE void setBackground(FilmBlock& block, uint32_t x, uint32_t y, uint32_t count) {
  bool checker = frame.display.background == BACKGROUND_CHECKER;
  PHASE_BELOW(lane, count) {
    bool dark = ((x + lane) / CHECKER_SIDE + y / CHECKER_SIDE) % 2 != 0;
    float3 behind = unpackRgb(!checker ? frame.display.backdrop : dark ? CHECKER_DARK : CHECKER_LIGHT);
    float3 c = colorOf(block, lane);
    setColor(block, lane,
             lerp(behind, make_float3(cap(c.x, 1.0f), cap(c.y, 1.0f), cap(c.z, 1.0f)), coverageAt(x + lane, y)));
  }
}

// storeAlpha puts coverage into pixels that have been stored.
DEVICE void storeAlpha(uint32_t x, uint32_t y, uint32_t count, uint32_t* target) {
  PHASE_BELOW(lane, count) { target[lane] = (target[lane] & 0xffffffu) | unorm8(coverageAt(x + lane, y)) << 24; }
}

// Where the dithers of the channels begin: a third of the range from each other, so that errors partly cancel in luminance.
enum DitherStart : uint32_t { DITHER_RED = 0, DITHER_GREEN = 0x55555555, DITHER_BLUE = 0xaaaaaaab };

// rounded8 is an encoded value as 8 bits: rounded up where its fraction and the dither make a whole, down elsewhere. Both
// are taken to 12 bits, so that what is white but for an error of arithmetic is white.
DEVICE uint32_t rounded8(float x, uint32_t dither) {
  return (uint32_t)((int32_t)(cap(x, 1.0f) * (255.0f * 4096.0f) + 0.5f) + (int32_t)(dither >> 20)) >> 12;
}

DEVICE uint32_t packed(float3 c, uint32_t red, uint32_t green, uint32_t blue) {
  return rounded8(c.x, red) | rounded8(c.y, green) << 8 | rounded8(c.z, blue) << 16 | 0xff000000u;
}

// store rounds to RGBA8. Dithers are numbers of the R2 lattice (Roberts 2018, The Unreasonable Effectiveness of Quasirandom
// Sequences), as fractions of 2³²: spread evenly over neighbours, so that the mean over pixels is exact, and the same in
// every frame, so that a still does not flicker.
DEVICE void store(const FilmBlock& block, uint32_t x, uint32_t y, uint32_t count, uint32_t* target) {
  const uint32_t acrossStep = 3242174889u, downStep = 2447445414u;   // 1/ρ and 1/ρ² of ρ³ = ρ + 1
  if (!(frame.display.flags & DISPLAY_DITHER)) {
    const uint32_t half = 0x80000000u;
    PHASE_BELOW(lane, count) target[lane] = packed(colorOf(block, lane), half, half, half);
    return;
  }
  uint32_t first = x * acrossStep + y * downStep;
  PHASE_BELOW(lane, count) {
    uint32_t dither = first + lane * acrossStep;
    target[lane] = packed(colorOf(block, lane), dither + DITHER_RED, dither + DITHER_GREEN, dither + DITHER_BLUE);
  }
}

// resolve displays a run of pixels; each line of the image has whole blocks.
BLOCK_KERNEL(resolve, 128, 1, output, FilmBlock) {
  uint32_t width = frame.film.width, height = frame.film.height, across = (width + threads - 1) / threads;
  uint32_t row = block / across, x = block % across * threads, count = minu(threads, width - x);
  if (row >= height) return;
  uint32_t y = (frame.sampling.flags & FRAME_FLIP_Y) ? height - 1 - row : row;
  uint32_t* target = pointer<uint32_t>(frame.display.target) + row * width + x;
  if (showsLight()) {
    loadLight(shared, x, y, count);
    if (frame.display.bloomLevels > 0) {
      float bloom = frame.display.bloom;
      PHASE_BELOW(lane, count) setColor(shared, lane, lerp(colorOf(shared, lane), strayLight(x + lane, y), bloom));
    }
    uint32_t background = frame.display.background;
    if (background != BACKGROUND_SEEN) uncover(shared, x, y, count);
    expose(shared, count);
    encode(shared, count);
    if (background == BACKGROUND_COLOR || background == BACKGROUND_CHECKER) setBackground(shared, x, y, count);
    store(shared, x, y, count, target);
    if (background == BACKGROUND_ALPHA) storeAlpha(x, y, count, target);
  } else {
    PHASE_BELOW(lane, count) {
      uint32_t view = aovColor(y * width + x + lane);
      target[lane] = view >> 16 | (view & 0xff00u) | (view & 255u) << 16 | 0xff000000u;
    }
  }
  if (frame.restir.reuseView == REUSE_VIEW_OFF) return;
  const uint32_t* views = pointer<const uint32_t>(frame.restir.view) + y * width + x;
  PHASE_BELOW(lane, count) {
    if (views[lane]) target[lane] = views[lane];
  }
}
