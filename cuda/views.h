// Views of reuse and their colours, which Go knows too: cuda/gen reads this file like params.h, and in the same form.
#pragma once

#include "params.h"

// What of reuse is shown in place of the image. A view with the bit REUSE_VIEW_OF_HISTORY is made before the spatial pass
// replaces the history, others after it.
enum ReuseView : uint32_t {
  REUSE_VIEW_OFF = 0,
  REUSE_VIEW_POSITION = 1,           // x2 of the sample that is shaded
  REUSE_VIEW_NORMAL = 2,             // n2
  REUSE_VIEW_RADIANCE = 3,           // L2
  REUSE_VIEW_COAT = 4,               // roughness and reflectance of the coat over x2
  REUSE_VIEW_WEIGHT = 5,             // W
  REUSE_VIEW_CONFIDENCE = 6,         // c
  REUSE_VIEW_AGE = 7,                // frames that the sample has lived
  REUSE_VIEW_NEIGHBOURS = 8,         // how many were alike enough
  REUSE_VIEW_SPATIAL_JACOBIAN = 9,   // of the first neighbour's sample
  REUSE_VIEW_DUPLICATES = 10,        // pixels around that hold the same sample
  REUSE_VIEW_OF_HISTORY = 16,
  REUSE_VIEW_VERDICT = 16,             // whether history was found, or why not: enum Verdict
  REUSE_VIEW_TEMPORAL_JACOBIAN = 17,   // of its sample
};

// What became of the search for a pixel's history. The values are the colours in which it is shown, 0xRRGGBB (after Okabe
// and Ito's palette for all kinds of colour vision).
enum Verdict : uint32_t {
  VERDICT_TAKEN = 0x009e73,      // found where the surface was in the frame before
  VERDICT_NEAR = 0x8fd9be,       // not there, but at a place near by
  VERDICT_UNSHARED = 0x303030,   // this pixel has nothing to share: no surface, or sharp lobes alone
  VERDICT_NEW = 0x909090,        // there is no frame before
  VERDICT_OUTSIDE = 0x0072b2,    // the frame before did not look there
  VERDICT_KIND = 0x56b4e9,       // it saw nothing to share there, or one of both is seen in a mirror
  VERDICT_NORMAL = 0xcc79a7,     // normals differ
  VERDICT_DEPTH = 0xd55e00,      // distances differ
  VERDICT_MATERIAL = 0xe69f00,   // roughness, reflectance or colour differ
  VERDICT_AGE = 0xf0e442,        // the sample was too old
};

// Where a shift has no Jacobian, 0xRRGGBB.
enum ShiftColor : uint32_t {
  SHIFT_NONE = 0x303030,        // nobody to take a sample from
  SHIFT_EMPTY = 0x000000,       // who has none
  SHIFT_UNDEFINED = 0xcc79a7,   // or one that cannot be moved here
};
