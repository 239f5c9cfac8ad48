// Walks the binary tree: closest hit and any hit.
#pragma once

#include "alpha.cuh"

DEVICE bool hitTriangle(uint32_t i, float3 o, float3 d, float tMax, uint32_t seed, Hit* hit) {
  const Triangle& t = pointer<const Triangle>(frame.triangles)[i];
  float3 p = cross(d, t.e2);
  float det = dot(t.e1, p);
  if (det == 0.0f) return false;
  float inv = 1.0f / det;
  float3 s = o - t.v0;
  float u = dot(s, p) * inv;
  float3 q = cross(s, t.e1);
  float v = dot(d, q) * inv;
  const float edge = 1e-5f;
  if (!(u >= -edge && v >= -edge && u + v <= 1.0f + edge)) return false;
  float dist = dot(t.e2, q) * inv;
  if (!(dist > 0.0f && dist < tMax)) return false;
  if ((t.material & ALPHA_BIT) && !alphaPasses(i, u, v, seed)) return false;
  *hit = {dist, saturate(u), saturate(v), i};
  return true;
}

DEVICE Hit walk(float3 o, float3 d, float tMax, uint32_t seed, bool any) {
  Hit hit = {tMax, 0.0f, 0.0f, NO_HIT};
  if (frame.nodeCount == 0) return hit;
  float3 inv = make_float3(1.0f / d.x, 1.0f / d.y, 1.0f / d.z);
  uint32_t stack[64], n = 0;
  stack[n++] = 0;
  while (n > 0) {
    uint32_t ref = stack[--n];
    if (ref == EMPTY_CHILD) continue;
    if (ref & LEAF_BIT) {
      uint32_t first = ref & 0x7ffffffu, count = ((ref >> 27) & 15u) + 1;
      for (uint32_t i = first; i < first + count; i++)
        if (hitTriangle(i, o, d, hit.t, seed, &hit) && any) return hit;
      continue;
    }
    const BvhNode& b = pointer<const BvhNode>(frame.nodes)[ref];
    const float* px = &b.x.x; const float* py = &b.y.x; const float* pz = &b.z.x;
    float near[2];
    bool in[2];
    for (int c = 0; c < 2; c++) {
      float x0 = (px[c] - o.x) * inv.x, x1 = (px[c + 2] - o.x) * inv.x;
      float y0 = (py[c] - o.y) * inv.y, y1 = (py[c + 2] - o.y) * inv.y;
      float z0 = (pz[c] - o.z) * inv.z, z1 = (pz[c + 2] - o.z) * inv.z;
      near[c] = maxf(maxf(minf(x0, x1), minf(y0, y1)), maxf(minf(z0, z1), 0.0f));
      float far = minf(minf(maxf(x0, x1), maxf(y0, y1)), minf(maxf(z0, z1), hit.t));
      in[c] = near[c] <= far * 1.0000005f;
    }
    bool swap = near[1] < near[0];
    if (in[swap ? 0 : 1]) stack[n++] = b.child[swap ? 0 : 1];
    if (in[swap ? 1 : 0]) stack[n++] = b.child[swap ? 1 : 0];
  }
  return hit;
}

DEVICE_CALL Hit traceClosest(float3 o, float3 d, float tMax, uint32_t alphaSeed) { return walk(o, d, tMax, alphaSeed, false); }
DEVICE_CALL bool traceAny(float3 o, float3 d, float tMax, uint32_t alphaSeed) {
  return walk(o, d, tMax, alphaSeed, true).triangle != NO_HIT;
}
