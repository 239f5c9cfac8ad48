// What is kept of each pixel: besides its light, and of all.
#pragma once

enum Counter : uint32_t {
  COUNTER_NONFINITE = 0,        // samples dropped
  COUNTER_EXTENSION_RAYS = 1,   // closest-hit rays
  COUNTER_SHADOW_RAYS = 2,      // any-hit rays
  COUNTER_PATHS = 3,            // camera paths
  COUNTER_ALIVE = 8,            // + b: paths that scattered b times and go on, b < 56
  COUNTER_CLASS = 64,           // + enum MaterialClass: hits shaded, with SORT_CLASS
  COUNTER_COUNT = 72,
};

// Planes of Frame.aovs, float4 per pixel each. The first few serve denoisers, all of them views and layers.
enum AovPlane : uint32_t {
  AOV_ALBEDO = 0,            // sum over samples; w their number, by weight
  AOV_NORMAL = 1,            // the same
  AOV_DENOISER_PLANES = 2,   // what OIDN reads
  AOV_GLOW = 2,              // sum of the light that no finite lobe has scattered [nit]; w as above
  AOV_SEEN = 3,              // of the first sample: where what it shows seems to be [m]; w: enum Seen
  AOV_MOMENTS = 4,           // sums of luminance [nit] and of its square; w as above
  AOV_FILTER_PLANES = 5,     // what the built-in filter and history read
  AOV_PLACE = 5,             // of the first sample: position [m], depth along the camera's axis [m]
  AOV_IDS = 6,      // of the first sample: material, object, or −1; then how far it moved in the image [pixels]
  AOV_DIRECT = 7,   // sum over samples of direct light [nit]; w their number, by weight
  AOV_PLANES = 8,   //
};

// What a pixel shows, for the most part.
enum Seen : uint32_t {
  SEEN_NOTHING = 0,
  SEEN_SURFACE = 1,
  SEEN_LAMP = 2,   // a surface that glows and reflects nothing
};
