// What ReSTIR stores for each pixel, and the views of it.
#pragma once

enum GBufferFlag : uint32_t {
  GBUFFER_VALID = 1,       // a surface with a finite lobe was found
  GBUFFER_REUSABLE = 2,    // it has lobes that resampling may share
  GBUFFER_NO_MIRROR = 4,   // seen without mirrors or glass in between
  GBUFFER_MIRROR = 8,      // the upper five bits count mirrors
  MAX_MIRRORS = 31,        // with more, nothing is shared
};

// The first surface with a finite lobe that a pixel sees, packed so that neighbours can evaluate samples there without
// texture lookups. Double-buffered: the previous frame's is kept.
struct alignas(16) GBuffer {
  float3 position;     // x1 [m]
  uint32_t ns;         // shading normal, octahedral 2 × 16 bits
  uint32_t ng;         // geometric normal on wo's side, octahedral
  uint32_t wo;         // to the viewer, octahedral
  uint32_t color;      // base colour, square roots in 3 × 8 bits; flags in the upper 8 (enum GBufferFlag)
  uint32_t lobes;      // 4 × 8 bits: roughness, metallic, coat's reflectance at normal incidence, weight of the base
  float depth;         // distance along all segments from the lens [m]; its lower 6 bits hold the error of x1
  uint32_t triangle;   // id, as in Hit
  float u;             // barycentric weight of v1
  float v;             // barycentric weight of v2
};

// What a sample's light comes from.
enum SampleKind : uint32_t {
  SAMPLE_SURFACE = 0,    // a point of a surface that reflects or emits
  SAMPLE_DISTANT = 1,    // a direction: the environment, a directional light
  SAMPLE_PUNCTUAL = 2,   // a point or spot light
};

// A resampled sample: where light comes from, and what arrives from there at the owner's x1.
struct alignas(16) Reservoir {
  float3 x2;         // the path's second vertex or the light's position [m]; of SAMPLE_DISTANT the unit direction
  uint32_t n2;       // geometric normal, octahedral 2 × 16 bits; of SAMPLE_PUNCTUAL the light's index
  float L2;          // R + G + B of the radiance that emission or the Lambert base of x2 sends to x1 [nit]
  uint32_t chroma;   // R and G as shares of L2, unorm16 each
  float W;           // unbiased contribution weight: estimate of 1 / pdf [sr]
  uint32_t meta;     // confidence, age, enum SampleKind, the error of x2 and the coat over it: restir/reservoir.cuh
};

// The part of a pixel's light that is not in its reservoir.
struct alignas(16) Shade {
  float3 direct;        // emission, and light that is not shared [nit]
  uint32_t dimension;   // of the sampler at x1, before light samples; the upper half counts panes
  float3 prefix;        // throughput from the camera to x1
  uint32_t metLight;    // 1: the path's ray from x1 met light that is shared
  float3 own;           // what the light sample of x1 adds without being shared, if it is visible [nit]
  uint32_t paths;       // how many of the frame came to the x1 of the first
};

// Shade.dimension: what it holds.
enum ShadeDimension : uint32_t {
  SHADE_DIMENSION = 0x7fff,   // of the sampler at x1, before light samples
  SHADE_INDIRECT = 0x8000,    // x1 is seen by a lobe that is not a delta: what it reflects is indirect light
};

// A reference to a pixel that samples are shared with, and visibility bits.
enum NeighborRef : uint32_t {
  NEIGHBOR_INDEX = 0x1fffffff,       // which pixel; all ones: none
  NEIGHBOR_FINAL_VIS = 0x20000000,   // x1 sees the sample that was kept
  NEIGHBOR_VIS_IN = 0x40000000,      // this pixel's x1 sees the neighbour's sample
  NEIGHBOR_VIS_OUT = 0x80000000,     // the neighbour's x1 sees this pixel's sample
};

enum MisMode : uint32_t {
  MIS_NAIVE = 0,   // 1/M: biased, for comparison
  MIS_BASIC = 1,   // generalized balance and pairwise, without visibility
  MIS_FULL = 2,    // with visibility rays: unbiased
};

enum RestirFlag : uint32_t {
  RESTIR_TEMPORAL = 1,
  RESTIR_SPATIAL = 2,
  RESTIR_HISTORY = 4,       // the previous frame's buffers hold something
  RESTIR_INTERACTIVE = 8,   // a moving view: history grows no older than MAX_AGE
  RESTIR_DIRECT = 16,       // direct light is shared, too
  RESTIR_GATHER = 32,       // more paths of this frame follow before samples are shared
};

// What is shown of ReSTIR in place of the image. A view with the bit REUSE_VIEW_OF_HISTORY is made before the spatial pass
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
  REUSE_VIEW_NEIGHBORS = 8,          // how many were similar enough
  REUSE_VIEW_SPATIAL_JACOBIAN = 9,   // of the first neighbour's sample
  REUSE_VIEW_DUPLICATES = 10,        // pixels around that hold the same sample
  REUSE_VIEW_OF_HISTORY = 16,
  REUSE_VIEW_VERDICT = 16,             // whether history was found, or why not: enum Verdict
  REUSE_VIEW_TEMPORAL_JACOBIAN = 17,   // of its sample
};

// The result of the search for a pixel's history. The values are the colours in which it is shown, 0xRRGGBB (after Okabe
// and Ito's palette for all kinds of colour vision).
enum Verdict : uint32_t {
  VERDICT_ACCEPTED = 0x009e73,   // found where the surface was in the previous frame
  VERDICT_NEAR = 0x8fd9be,       // not there, but nearby
  VERDICT_UNSHARED = 0x303030,   // this pixel has nothing to share: no surface, or only sharp lobes
  VERDICT_NEW = 0x909090,        // there is no previous frame
  VERDICT_OUTSIDE = 0x0072b2,    // outside of the previous frame
  VERDICT_KIND = 0x56b4e9,       // the previous pixel has nothing to share, or one of both is seen in a mirror
  VERDICT_NORMAL = 0xcc79a7,     // normals differ
  VERDICT_DEPTH = 0xd55e00,      // distances differ
  VERDICT_MATERIAL = 0xe69f00,   // roughness, reflectance or colour differ
  VERDICT_AGE = 0xf0e442,        // the sample was too old
};

// Where a shift has no Jacobian, 0xRRGGBB.
enum ShiftColor : uint32_t {
  SHIFT_NONE = 0x303030,        // no neighbour
  SHIFT_EMPTY = 0x000000,       // a neighbour without a sample
  SHIFT_UNDEFINED = 0xcc79a7,   // a sample that cannot be shifted here
};

// The buffers and settings of ReSTIR.
struct RestirParams {
  uint64_t gbuffer;           // GBuffer per pixel
  uint64_t previousGBuffer;   // GBuffer per pixel, of the previous frame
  uint64_t reservoirs;        // Reservoir per pixel: initial samples, then with history
  uint64_t history;           // Reservoir per pixel: the spatial pass's output, read by the next frame
  uint64_t shade;             // Shade per pixel
  uint64_t lights;            // Reservoir per pixel: the sample of direct light, until the path ends
  uint64_t candidates;        // Reservoir per pixel: what the frame's paths so far have found, where it has several
  uint64_t neighborRefs;      // uint32_t per pixel and plane: enum NeighborRef
  uint64_t view;              // RGBA8 per pixel: what reuseView shows; 0 where there is nothing yet
  uint64_t lightMedia;        // MediumStack per pixel, on the ray to its light sample; with panes and volumes
  uint32_t frameIndex;        // counts frames, never restarts: seeds the resampling passes
  uint32_t path;              // which one of the frame's paths, from 0
  uint32_t flags;             // enum RestirFlag
  uint32_t misMode;           // enum MisMode
  uint32_t confidenceCap;     // history counts for at most so many fresh samples
  uint32_t neighbors;         // of the spatial pass
  uint32_t neighborPlanes;    // of neighborRefs; at least neighbours
  uint32_t reuseView;         // enum ReuseView
  uint32_t lightSamples;      // of which x1 chooses its sample of direct light
  uint32_t blockSide;         // neighbours lie in the same block of so many pixels' side
  float minNormalDot;         // of the normals of two pixels that may share
  float maxDepthChange;       // between them, relative
  float minDistance;          // from x1 to a sample that is shared, relative to x1's depth
  float maxMaterialChange;    // between them: reflectance, colour, half of the relative roughness
  float boiling;              // samples brighter than so many times the mean of their block are dropped
  float copyPower;            // by how much copies of a sample lower its confidence; see restir/filters.cuh
};
