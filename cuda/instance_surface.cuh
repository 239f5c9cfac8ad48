// Points of triangles, of instances too: how far rounding may have moved them, and their corners in the world.
#pragma once

#include "alpha.cuh"
#include "instance.cuh"

// surfaceError bounds the rounding of v0 + u e1 + v e2 and of the triangle test of a ray that leaves it for a neighbour
// (Pharr, Jakob & Humphreys, Physically Based Rendering, §6.8): some ulps of every term's size.
DEVICE_TABLE float SURFACE_ULPS = 32.0f * 5.9604645e-8f;
DEVICE float surfaceError(float3 v0, float3 e1, float3 e2) {
  return maxComponent(abs3(v0) + abs3(e1) + abs3(e2)) * SURFACE_ULPS;
}

// transformSize bounds the terms that add up to a transformed point or vector of that size.
DEVICE float3 transformSize(const float4* rows, float3 size) {
  return make_float3(dot(abs3(xyz(rows[0])), size), dot(abs3(xyz(rows[1])), size), dot(abs3(xyz(rows[2])), size)) +
         abs3(offsetOf(rows));
}

// instanceError is surfaceError for a triangle in its mesh's space, as seen from the world: the point rounds on its way
// out, and the ray that leaves it on its way back in.
DEVICE float instanceError(const Instance& in, const Triangle& t) {
  float3 size = abs3(t.v0) + abs3(t.e1) + abs3(t.e2), outside = transformSize(in.toWorld, size);
  return maxComponent(transformSize(in.toWorld, size + transformSize(in.toMesh, outside))) * SURFACE_ULPS;
}

DEVICE void bring(const Instance& in, Vertex* v) {
  v->normal = normalize(transformNormal(in.toMesh, v->normal));
  if (!has(FEATURE_TEXTURES << TEXTURE_NORMAL)) return;
  float3 tangent = transformVector(in.toWorld, xyz(v->tangent));
  if (dot(tangent, tangent) > 0.0f) tangent = normalize(tangent);
  v->tangent = make_float4(tangent.x, tangent.y, tangent.z, v->tangent.w);
}

// bring moves a triangle and its corners' normals and tangents into the world.
DEVICE void bring(const Instance& in, Triangle* t, Corners* k) {
  toWorld(in, t);
  bring(in, &k->a);
  bring(in, &k->b);
  bring(in, &k->c);
}
