// Cells of random shape that fill space, after Worley (1996, A Cellular Texture Basis Function).
#pragma once

#include "core/random.cuh"

// cellKey mixes the coordinates of a grid cell.
DEVICE uint32_t cellKey(int32_t x, int32_t y, int32_t z, uint32_t seed) {
  return hash((uint32_t)x * 0x9e3779b1u + (uint32_t)y * 0x85ebca77u + (uint32_t)z * 0xc2b2ae3du + seed);
}

// nearestCell is the key of the cell around p, in units of the cells' mean distance: that of the nearest of the points
// that are scattered one to a grid cell, among the eight grid cells around p.
DEVICE_CALL uint32_t nearestCell(float3 p, uint32_t seed) {
  const float far = 1e9f;   // beyond, an integer would overflow
  float3 q = make_float3(clampf(p.x, -far, far), clampf(p.y, -far, far), clampf(p.z, -far, far));
  float3 low = make_float3(floorf(q.x - 0.5f), floorf(q.y - 0.5f), floorf(q.z - 0.5f));
  float3 within = q - low;
  uint32_t nearest = 0;
  float least = INFINITE;
  for (int32_t i = 0; i < 8; i++) {
    int32_t dx = i & 1, dy = i >> 1 & 1, dz = i >> 2;
    uint32_t key = cellKey((int32_t)low.x + dx, (int32_t)low.y + dy, (int32_t)low.z + dz, seed);
    float3 point =
        make_float3((float)(key & 1023u), (float)(key >> 10 & 1023u), (float)(key >> 20 & 1023u)) * (1.0f / 1024.0f) +
        make_float3((float)dx, (float)dy, (float)dz);
    float3 d = point - within;
    float distance2 = dot(d, d);
    if (distance2 >= least) continue;
    least = distance2;
    nearest = key;
  }
  return nearest;
}
