// The structs of lights.
#pragma once

enum LightKind : uint32_t {
  LIGHT_TRIANGLE = 0,
  LIGHT_ENVIRONMENT = 1,
  LIGHT_POINT = 2,
  LIGHT_SPOT = 3,
  LIGHT_DIRECTIONAL = 4,
};

// Marks inside Light.material.
enum LightMark : uint32_t {
  TWO_SIDED_BIT = 0x80000000,   // it emits on both sides
  TEXTURED_BIT = 0x40000000,    // with a texture
  TESTED_BIT = 0x20000000,      // parts of it are transparent: its alpha is looked up
  AVERTED_BIT = 0x10000000,   // LIGHT_TRIANGLE: its front is on the side of e2 × e1, as TURNED_BIT says of its triangle
  LIGHT_MARKS = 0xf0000000,   // all of these
};

// One light that next-event estimation may choose.
struct alignas(16) Light {
  float3 position;     // point, spot; LIGHT_TRIANGLE: its first corner [m]
  uint32_t kind;       // enum LightKind
  float3 direction;    // the way light travels: spot, directional; LIGHT_TRIANGLE: v1 − v0 [m]
  uint32_t face;       // LIGHT_TRIANGLE: index into faces
  float3 intensity;    // [cd] point and spot, [lux] directional; LIGHT_TRIANGLE: v2 − v0 [m]
  float selection;     // probability that this light is chosen
  float3 emission;     // LIGHT_TRIANGLE: without its texture [nit]
  uint32_t material;   // LIGHT_TRIANGLE: index into materials; enum LightMark
  float cosInner;      // spot
  float cosOuter;      // spot
  float range;         // 0 for unlimited [m]
  float area;          // LIGHT_TRIANGLE [m²]
};

// Walker's alias method: keep this index when u < threshold, else take alias.
struct alignas(16) AliasEntry {
  float threshold;   // 0…1
  uint32_t alias;    // index
  float pdf;         // probability of this index
  uint32_t trail;    // LightTree.alias: the way to the light in the tree, a bit a level, or NO_TRAIL
};

// What a light tree knows of the lights below a branch.
struct alignas(16) LightCluster {
  float3 center;       // of the box around them [m]
  float radius;        // half its diagonal [m]
  float3 axis;         // of a cone around the directions in which they shine most, unit
  float intensity;     // luminance: Σ of their largest intensities [cd]
  float spread;        // sine of half the angle of that cone; 2 from a right angle on
  float cosEmission;   // of the angle beyond the cone up to which they shine
  uint32_t child;      // index of the first of the two clusters below, or LIGHT_LEAF and the light's index
  uint32_t twoSided;   // they shine to the other side as well
};

// The lights by place: with a probability of `share` one is drawn from the tree, else by the table.
struct LightTree {
  uint64_t clusters;   // LightCluster, in pairs; those of the root come first
  uint64_t alias;      // AliasEntry per light; its pdf is the probability of being drawn by the table, not by the tree
  float share;         // 0: lights are chosen by power alone
  uint32_t pad0;       //
  uint32_t pad1;       //
  uint32_t pad2;       //
};

enum LightTrail : uint32_t {
  LIGHT_LEAF = 0x80000000,
  NO_TRAIL = 0xffffffff,   // the tree does not have the light
  LIGHT_TREE_DEPTH = 31,   // levels, at most
};

// The world around the scene: constant when width is 0, else equirectangular.
// u = atan2(z, x) / 2π + ½, v = acos(y) / π from the top.
struct Environment {
  uint64_t texels;   // float4 RGB_, row 0 at the top [nit]
  uint64_t alias;    // AliasEntry per texel
  uint32_t width;    // [texels]
  uint32_t height;   // [texels]
  uint32_t light;    // index into lights, or NO_LIGHT
  float strength;    // multiplies everything
  float3 constant;   // radiance when width is 0 [nit]
  float rotation;    // about +Y [rad]
};
