// What ReSTIR GI keeps of a pixel, and the views of that.
#pragma once

enum GBufferFlag : uint32_t {
  GBUFFER_VALID = 1,      // a surface with a finite lobe was found
  GBUFFER_REUSABLE = 2,   // it has lobes that resampling may share
  GBUFFER_DIRECT = 4,     // seen without mirrors or glass in between
  GBUFFER_MIRROR = 8,     // one of them; the upper five bits count them
  MAX_MIRRORS = 31,       // beyond, nothing is shared
};

// The first surface with a finite lobe that a pixel sees, packed so that neighbours can weigh samples there without
// touching textures. Ping-pong: the previous frame's is kept.
struct alignas(16) GBuffer {
  float3 position;     // x1 [m]
  uint32_t ns;         // shading normal, octahedral 2 × 16 bits
  uint32_t ng;         // geometric normal on wo's side, octahedral
  uint32_t wo;         // to the viewer, octahedral
  uint32_t color;      // base colour, square roots in 3 × 8 bits; flags in the upper 8 (enum GBufferFlag)
  uint32_t lobes;      // 4 × 8 bits: roughness, metallic, coat's reflectance at normal incidence, weight of the base
  float depth;         // distance along all segments from the lens [m]
  uint32_t triangle;   // id, as in Hit
  float u;             // barycentric weight of v1
  float v;             // barycentric weight of v2
};

// A resampled indirect sample: the path's second vertex, and what leaves it towards the owner's x1.
struct alignas(16) Reservoir {
  float3 x2;         // [m]
  uint32_t n2;       // geometric normal, octahedral 2 × 16 bits
  float L2;          // R + G + B of the radiance that the Lambert base of x2 sends to x1 [nit]
  uint32_t chroma;   // R and G as shares of L2, unorm16 each
  float W;           // unbiased contribution weight: estimate of 1 / pdf [sr]
  uint32_t meta;     // 4 × 8 bits: confidence, age, and roughness and reflectance of the coat over x2
};

// What a pixel adds up besides its reservoir.
struct alignas(16) Shade {
  float3 direct;   // emission, direct light, and indirect light of lobes that are not reused [nit]
  float pad0;      //
  float3 prefix;   // throughput from the eye to x1
  float pad1;      //
};

// Marks inside a word that names a pixel to share with.
enum Partner : uint32_t {
  PARTNER_INDEX = 0x1fffffff,         // which pixel; all ones: none
  PARTNER_SAMPLE_SEEN = 0x20000000,   // x1 sees the sample that was kept
  PARTNER_IS_SEEN = 0x40000000,       // x1 sees the partner's sample
  PARTNER_SEES_OURS = 0x80000000,     // the partner's x1 sees this pixel's sample
};

enum MisMode : uint32_t {
  MIS_NAIVE = 0,   // 1/M: biased, to be shown
  MIS_BASIC = 1,   // generalized balance and pairwise, without visibility
  MIS_FULL = 2,    // with visibility rays: unbiased
};

enum RestirFlag : uint32_t {
  RESTIR_TEMPORAL = 1,
  RESTIR_SPATIAL = 2,
  RESTIR_HISTORY = 4,       // the previous frame's buffers hold something
  RESTIR_INTERACTIVE = 8,   // a moving view: history grows no older than MAX_AGE
  RESTIR_PERMUTE = 16,      // history is shuffled inside 4×4 blocks
  RESTIR_UNSEEN = 32,       // kept samples are shown without a look: biased, to be shown
};

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

// The buffers and settings of ReSTIR GI.
struct RestirParams {
  uint64_t gbuffer;           // GBuffer per pixel
  uint64_t previousGBuffer;   // GBuffer per pixel, of the frame before
  uint64_t reservoirs;        // Reservoir per pixel: initial samples, then with history
  uint64_t history;           // Reservoir per pixel: the spatial pass's output, read by the next frame
  uint64_t shade;             // Shade per pixel
  uint64_t partners;          // uint32_t per pixel and plane: enum Partner
  uint64_t view;              // RGBA8 per pixel: what reuseView shows; 0 where there is nothing yet
  uint32_t reuseView;         // enum ReuseView
  uint32_t frameIndex;        // counts frames, never restarts: seeds the resampling passes
  uint32_t flags;             // enum RestirFlag
  uint32_t misMode;           // enum MisMode
  uint32_t confidenceCap;     // history counts for at most so many fresh samples
  uint32_t neighbours;        // of the spatial pass
  uint32_t partnerPlanes;     // words a pixel in partners; at least neighbours
  float radius;               // of the spatial pass [pixels]
  float minNormalDot;         // of the normals of two pixels that may share
  float maxDepthChange;       // between them, relative
  float minDistance;          // from x1 to a sample that is shared, relative to x1's depth
  float maxMaterialChange;    // between them: reflectance, colour, half the relative roughness
  float boiling;              // samples brighter than so many times the mean of their block are dropped
  float copyPower;            // by how much copies of a sample lower its confidence; see restir/filters.cuh
};
