// display.h: how a picture is displayed and trusted, as far as that crosses between Go and the kernels. What params.h says of its
// lines holds here, too.
#pragma once

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

// Planes of Frame.halves, float4 per pixel each.
enum HalfPlane : uint32_t {
  HALF_EVEN = 0,     // sum over samples with even numbers; w their number, by weight
  HALF_ODD = 1,      // over the others
  HALF_BEFORE = 2,   // what was accumulated one sample ago
  HALF_PLANES = 3,   //
};
