// Meshes that are drawn several times. Each use, an instance, has ids of its own for the mesh's triangles: from `first` on, in
// the mesh's leaf order. Ids below FIRST_INSTANCED are of triangles that stand in the world as they are (baked).
#pragma once

#include "device.h"

// twoLevels tells whether rays go through a tree of instances first.
DEVICE bool twoLevels() { return has(FEATURE_INSTANCES) && frame.instanceCount != 0; }

DEVICE const Instance& instanceAt(uint32_t i) { return pointer<const Instance>(frame.instances)[i]; }

// instanceOf is the instance that an id belongs to: the last that begins no later.
DEVICE_CALL uint32_t instanceOf(uint32_t id) {
  uint32_t at = 0;
  for (uint32_t count = frame.instanceCount; count > 1;) {
    uint32_t half = count / 2;
    bool later = instanceAt(at + half).first <= id;
    at += later ? half : 0u;
    count = later ? count - half : half;
  }
  return at;
}

// placeOf turns the id of a triangle into its place in its tree's leaf order, and tells the instance; nullptr when baked.
DEVICE const Instance* placeOf(uint32_t* id) {
  if (!twoLevels() || *id < FIRST_INSTANCED) return nullptr;
  const Instance* in = &instanceAt(instanceOf(*id));
  *id -= in->first;
  return in;
}

// triangleOf is the triangle of an id, in its mesh's space.
DEVICE const Triangle* triangleOf(uint32_t id) {
  const Instance* in = placeOf(&id);
  return pointer<const Triangle>(in ? in->triangles : frame.triangles) + id;
}

DEVICE float3 transformVector(const float4* rows, float3 v) {
  return make_float3(dot(xyz(rows[0]), v), dot(xyz(rows[1]), v), dot(xyz(rows[2]), v));
}
DEVICE float3 offsetOf(const float4* rows) { return make_float3(rows[0].w, rows[1].w, rows[2].w); }
DEVICE float3 transformPoint(const float4* rows, float3 p) { return transformVector(rows, p) + offsetOf(rows); }

// transformNormal goes by the inverse transpose: `rows` lead the other way.
DEVICE float3 transformNormal(const float4* rows, float3 n) {
  return xyz(rows[0]) * n.x + xyz(rows[1]) * n.y + xyz(rows[2]) * n.z;
}

// toWorld moves a triangle out of its mesh's space. Meshes of instances that mirror have their corners in mirrored order, so
// that fronts stay fronts.
DEVICE void toWorld(const Instance& in, Triangle* t) {
  t->v0 = transformPoint(in.toWorld, t->v0);
  t->e1 = transformVector(in.toWorld, t->e1);
  t->e2 = transformVector(in.toWorld, t->e2);
}

// worldTriangle is the triangle of an id, in the world.
DEVICE Triangle worldTriangle(uint32_t id) {
  const Instance* in = placeOf(&id);
  Triangle t = fetch<Triangle>(in ? in->triangles : frame.triangles, id);
  if (in) toWorld(*in, &t);
  return t;
}
