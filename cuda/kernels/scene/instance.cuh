// Instances: meshes that are drawn several times. Each instance has its own ids for the mesh's triangles: from `first` on, in
// the mesh's leaf order. Ids below FIRST_INSTANCED are of static triangles, which are stored in world space.
#pragma once

#include "core/device.h"
#include "scene/texture.cuh"

DEVICE bool needsTangents() {
  return has(FEATURE_TEXTURES << TEXTURE_NORMAL) || has(FEATURE_CLEARCOAT) || has(FEATURE_ANISOTROPY);
}

// twoLevels tells whether rays go through a TLAS first.
DEVICE bool twoLevels() { return has(FEATURE_INSTANCES) && frame.scene.instanceCount != 0; }

DEVICE const Instance& instanceAt(uint32_t i) { return pointer<const Instance>(frame.scene.instances)[i]; }

// instanceOf is the instance that an id belongs to: the last that begins no later.
DEVICE_CALL uint32_t instanceOf(uint32_t id) {
  uint32_t at = 0;
  for (uint32_t count = frame.scene.instanceCount; count > 1;) {
    uint32_t half = count / 2;
    bool later = instanceAt(at + half).first <= id;
    at += later ? half : 0u;
    count = later ? count - half : half;
  }
  return at;
}

// toLeafIndex turns the id of a triangle into its index in its BVH's leaf order, and returns the instance; nullptr when
// static.
DEVICE const Instance* toLeafIndex(uint32_t* id) {
  if (!twoLevels() || *id < FIRST_INSTANCED) return nullptr;
  const Instance* in = &instanceAt(instanceOf(*id));
  *id -= in->first;
  return in;
}

// triangleOf is the triangle of an id, in its mesh's space.
DEVICE const Triangle* triangleOf(uint32_t id) {
  const Instance* in = toLeafIndex(&id);
  return pointer<const Triangle>(in ? in->triangles : frame.scene.triangles) + id;
}

DEVICE float3 transformVector(const float4* rows, float3 v) {
  return make_float3(dot(xyz(rows[0]), v), dot(xyz(rows[1]), v), dot(xyz(rows[2]), v));
}
DEVICE float3 offsetOf(const float4* rows) { return make_float3(rows[0].w, rows[1].w, rows[2].w); }
DEVICE float3 transformPoint(const float4* rows, float3 p) { return transformVector(rows, p) + offsetOf(rows); }

// transformNormal uses the inverse transpose: `rows` are those of the inverse transform.
DEVICE float3 transformNormal(const float4* rows, float3 n) {
  return xyz(rows[0]) * n.x + xyz(rows[1]) * n.y + xyz(rows[2]) * n.z;
}

// toWorld moves a triangle out of its mesh's space. Meshes of instances that mirror at rest have their corners in mirrored order, so
// that fronts stay fronts.
DEVICE void toWorld(const Instance& in, Triangle* t) {
  t->v0 = transformPoint(in.toWorld, t->v0);
  t->e1 = transformVector(in.toWorld, t->e1);
  t->e2 = transformVector(in.toWorld, t->e2);
  t->material ^= in.turned;
}

// worldTriangle is the triangle of an id, in the world.
DEVICE Triangle worldTriangle(uint32_t id) {
  const Instance* in = toLeafIndex(&id);
  Triangle t = fetch<Triangle>(in ? in->triangles : frame.scene.triangles, id);
  if (in) toWorld(*in, &t);
  return t;
}

// materialOf is the index of a triangle's material.
DEVICE uint32_t materialOf(const Triangle& t) { return t.material & ~TRIANGLE_MARKS; }

// frontOf is the normal of a triangle's front, as long as twice its area.
DEVICE float3 frontOf(const Triangle& t) {
  float3 n = cross(t.e1, t.e2);
  return t.material & TURNED_BIT ? -n : n;
}

// isVolume tells whether a material's surface encloses something.
DEVICE bool isVolume(uint32_t material) {
  const Material& m = pointer<const Material>(frame.scene.materials)[material];
  return maxf(m.transmission, m.diffuseTransmission) > 0.0f && !(m.flags & MATERIAL_THIN);
}

// isBack tells whether a ray meets the back of a single-sided surface. That of a volume counts from within too, else nobody could
// dive into water.
DEVICE bool isBack(uint32_t id, float3 direction) {
  const Triangle t = worldTriangle(id);
  if (dot(frontOf(t), direction) <= 0.0f) return false;
  uint32_t material = materialOf(t);
  return !(pointer<const Material>(frame.scene.materials)[material].flags & MATERIAL_DOUBLE_SIDED) &&
         !isVolume(material);
}

// --- Motion -----------------------------------------------------------------------------------------------------------

// movementOf leads from a hit to where that point of the surface was in the frame before [m].
DEVICE_CALL float3 movementOf(uint32_t id, float u, float v) {
  if (!frame.scene.movements || !twoLevels() || id < FIRST_INSTANCED) return vec3(0.0f);
  uint32_t which = instanceOf(id);
  const Instance& in = instanceAt(which);
  const Movement& was = pointer<const Movement>(frame.scene.movements)[which];
  Triangle t = fetch<Triangle>(in.triangles, id - in.first);
  float3 now = t.v0 + t.e1 * u + t.e2 * v, before = now;
  if (was.positions) {
    const Face f = fetch<Face>(frame.scene.faces, t.face);
    const float4* at = pointer<const float4>(was.positions);
    before = xyz(at[f.v0 - was.firstVertex]) * (1.0f - u - v) + xyz(at[f.v1 - was.firstVertex]) * u +
             xyz(at[f.v2 - was.firstVertex]) * v;
  }
  return transformPoint(was.toWorld, before) - transformPoint(in.toWorld, now);
}

// --- Points of triangles --------------------------------------------------------------------------------------------
// How far rounding may have moved a point, and the corners of a triangle in the world.

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

DEVICE void toWorldSpace(const Instance& in, Vertex* v) {
  v->normal = normalize(transformNormal(in.toMesh, v->normal));
  if (!needsTangents()) return;
  float3 tangent = transformVector(in.toWorld, xyz(v->tangent));
  if (dot(tangent, tangent) > 0.0f) tangent = normalize(tangent);
  v->tangent = make_float4(tangent.x, tangent.y, tangent.z, in.turned ? -v->tangent.w : v->tangent.w);
}

// toWorldSpace moves a triangle and its corners' normals and tangents into the world.
DEVICE void toWorldSpace(const Instance& in, Triangle* t, Corners* k) {
  toWorld(in, t);
  toWorldSpace(in, &k->a);
  toWorldSpace(in, &k->b);
  toWorldSpace(in, &k->c);
}
