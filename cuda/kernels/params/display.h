// How a picture is displayed.
#pragma once

// What film shows.
enum Shown : uint32_t {
  SHOWN_IMAGE = 0,
  SHOWN_DENOISED = 1,
  SHOWN_DIRECT = 2,
  SHOWN_INDIRECT = 3,   // up to here it is light, and developed like light
  SHOWN_ALBEDO = 4,
  SHOWN_NORMAL = 5,
  SHOWN_DEPTH = 6,
  SHOWN_POSITION = 7,
  SHOWN_MATERIAL = 8,
  SHOWN_OBJECT = 9,
  SHOWN_SAMPLES = 10,
  SHOWN_VARIANCE = 11,
  SHOWN_MOTION = 12,
  SHOWN_TRUST = 13,
};

enum ToneMap : uint32_t {
  TONEMAP_NONE = 0,
  TONEMAP_REINHARD = 1,
  TONEMAP_ACES = 2,
  TONEMAP_AGX = 3,
  TONEMAP_NEUTRAL = 4,
};

// What film does besides the tone curve.
enum DisplayFlag : uint32_t {
  DISPLAY_DITHER = 1,          // round to 8 bits by chance
  DISPLAY_BALANCE = 2,         // white is balanced
  DISPLAY_AUTO_EXPOSURE = 4,   // the meter says how bright
};

// What the meter of auto exposure has found.
struct Meter {
  float ev;           // exposure that is in force [stops]
  float target;       // where it is going [stops]
  uint32_t metered;   // 1 once there was light to meter
  uint32_t pad;       //
};
