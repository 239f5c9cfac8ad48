// How an image is displayed.
#pragma once

// What is shown.
enum Shown : uint32_t {
  SHOWN_IMAGE = 0,
  SHOWN_DENOISED = 1,
  SHOWN_PREVIEW = 2,   // a smaller image, stretched
  SHOWN_AOVS = 3,      // from here on AOVs, in the order of their rows
};

enum ToneMap : uint32_t {
  TONEMAP_NONE = 0,
  TONEMAP_REINHARD = 1,
  TONEMAP_ACES = 2,
  TONEMAP_AGX = 3,
  TONEMAP_NEUTRAL = 4,
};

// What is shown where the camera sees no surface.
enum Background : uint32_t {
  BACKGROUND_SEEN = 0,      // what the scene has there
  BACKGROUND_COLOR = 1,     // a colour in its place
  BACKGROUND_ALPHA = 2,     // nothing: pixels are transparent there
  BACKGROUND_CHECKER = 3,   // a checkerboard, which stands for what is transparent
};

// Steps of display besides the tone curve.
enum DisplayFlag : uint32_t {
  DISPLAY_DITHER = 1,          // round to 8 bits by chance
  DISPLAY_BALANCE = 2,         // white is balanced
  DISPLAY_AUTO_EXPOSURE = 4,   // exposure is automatic
};

// How auto exposure meters the light.
enum MeterSize : uint32_t {
  METER_BINS = 256,      // one for each lane of set_exposure
  METER_SHARES = 16,     // of a pixel, for the two bins that it lies between
  METER_STRIDE = 2,      // one pixel in so many is metered, along both axes
  METER_PIXELS = 4096,   // that a block meters
};

// The state of auto exposure.
struct Meter {
  float ev;           // exposure that is in force [stops]
  float target;       // what it adapts to [stops]
  uint32_t metered;   // 1 once there was light to measure
  uint32_t pad;       //
};

// From light to what a display shows.
struct DisplayParams {
  uint64_t target;        // RGBA8 per pixel
  uint64_t bloomed;       // float4 per pixel of the pyramid, level after level, the finest first: radiance [nit]
  uint64_t meter;         // Meter
  uint64_t histogram;     // uint32_t × METER_BINS: shares of pixels by luminance
  float3 balanceRed;      // rows of the matrix that balances white: DISPLAY_BALANCE
  float bloom;            // share of light that strays in eye and lens
  float3 balanceGreen;    //
  uint32_t bloomLevels;   // of the pyramid; 0: no bloom
  float3 balanceBlue;     //
  uint32_t flags;         // enum DisplayFlag
  uint32_t shown;         // enum Shown
  uint32_t toneMap;       // enum ToneMap
  float exposure;         // multiplies radiance before the tone curve
  float adaptDarker;      // share of the way that exposure adapts in this frame where it is too high, 0…1
  float adaptBrighter;    // where it is too low
  uint32_t background;    // enum Background
  uint32_t backdrop;      // the colour, 0xRRGGBB as it is displayed
  uint32_t pad0;          //
};
