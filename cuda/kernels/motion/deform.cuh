// Meshes that deform: vertices are morphed and skinned, and triangles and the lights among them follow (glTF 2.0 §3.7.2.2,
// §3.7.3.3). Everything is made of the file's own vertices, so a pose does not depend on those before.
#pragma once

#include "scene/instance.cuh"

DEVICE const Posing& posing() { return *pointer<const Posing>(frame.build.posed); }

DEVICE const DeformedMesh& posedMesh(uint32_t i) { return pointer<const DeformedMesh>(posing().meshes)[i]; }

// meshOf is the mesh that vertex or triangle `index` belongs to: the last that begins no later.
DEVICE uint32_t meshOf(uint32_t index, uint32_t DeformedMesh::*first) {
  uint32_t at = 0;
  for (uint32_t count = posing().meshCount; count > 1;) {
    uint32_t half = count / 2;
    bool later = posedMesh(at + half).*first <= index;
    at += later ? half : 0u;
    count = later ? count - half : half;
  }
  return at;
}

// --- Vertices -----------------------------------------------------------------------------------------------------------

DEVICE float3 unitOr(float3 v, float3 otherwise) {
  float scale = maxComponent(abs3(v));   // first, so that squares neither vanish nor overflow
  if (!(scale > 0.0f) || !finite(v.x + v.y + v.z)) return otherwise;
  if (scale < 1e-30f) {   // whose reciprocal may be infinite
    v = v * 1e30f;
    scale *= 1e30f;
  }
  return normalize(v * exactInverse(scale));
}

// addTargets is vertex v with what its morph targets add to it, by the weights of the pose (glTF 2.0 §3.7.2.2).
DEVICE Vertex addTargets(const DeformedMesh& m, uint32_t v) {
  Vertex out = load(pointer<const Vertex>(m.rest) + v);
  float3 tangent = xyz(out.tangent);
  for (uint32_t k = 0; k < m.targetCount; k++) {
    float w = pointer<const float>(posing().weights)[m.firstWeight + k];
    if (w == 0.0f) continue;
    const MorphDelta d = fetch<MorphDelta>(m.deltas, k * m.vertexCount + v);
    out.position = out.position + d.position * w;
    out.normal = out.normal + d.normal * w;
    tangent = tangent + d.tangent * w;
  }
  out.tangent = make_float4(tangent.x, tangent.y, tangent.z, out.tangent.w);
  return out;
}

// morphed is that vertex with a unit normal. A flat mesh's normals are those of its faces.
DEVICE Vertex morphed(const DeformedMesh& m, uint32_t v) {
  Vertex out = addTargets(m, v);
  if (m.targetCount == 0) return out;
  const float3 rest = pointer<const Vertex>(m.rest)[v].normal;
  if (m.flags & DEFORM_FLAT) {
    uint32_t corner = v - v % 3;
    float3 a = addTargets(m, corner).position;
    out.normal = cross(addTargets(m, corner + 1).position - a, addTargets(m, corner + 2).position - a);
  }
  out.normal = unitOr(out.normal, rest);
  return out;
}

// Rows of the matrix that takes a vertex into the world.
struct Blend {
  float4 rows[3];
};

// blend is the weighted sum of a vertex's joints.
DEVICE Blend blend(const DeformedMesh& m, uint32_t v) {
  const float4* matrices = pointer<const float4>(posing().matrices) + 3 * (uint64_t)m.firstMatrix;
  if (m.influenceCount == 0) return {{matrices[0], matrices[1], matrices[2]}};
  Blend sum = {{make_float4(0, 0, 0, 0), make_float4(0, 0, 0, 0), make_float4(0, 0, 0, 0)}};
  const Influence* of = pointer<const Influence>(m.influences) + (uint64_t)m.influenceCount * v;
  for (uint32_t i = 0; i < m.influenceCount; i++) {
    float w = of[i].weight;
    if (!(w > 0.0f)) continue;
    const float4* joint = matrices + 3 * (uint64_t)of[i].joint;
    for (uint32_t r = 0; r < 3; r++) {
      sum.rows[r].x += joint[r].x * w;
      sum.rows[r].y += joint[r].y * w;
      sum.rows[r].z += joint[r].z * w;
      sum.rows[r].w += joint[r].w * w;
    }
  }
  return sum;
}

// Coordinates beyond this are not taken, as in files [m].
DEVICE_TABLE float LARGEST = 1e15f;
DEVICE bool taken(float3 p) { return absf(p.x) <= LARGEST && absf(p.y) <= LARGEST && absf(p.z) <= LARGEST; }

// place moves a vertex into the world. Normals go by cofactors, which exist where inverses do not.
DEVICE void place(const Blend& b, Vertex* v) {
  float3 x = xyz(b.rows[0]), y = xyz(b.rows[1]), z = xyz(b.rows[2]);
  float scale = maxf(maxComponent(abs3(x)), maxf(maxComponent(abs3(y)), maxComponent(abs3(z))));
  scale = scale > 0.0f && finite(scale) ? exactInverse(scale) : 1.0f;
  x = x * scale;
  y = y * scale;
  z = z * scale;
  bool mirrors = dot(cross(x, y), z) < 0.0f;
  float3 normal = make_float3(dot(cross(y, z), v->normal), dot(cross(z, x), v->normal), dot(cross(x, y), v->normal));
  v->position = transformPoint(b.rows, v->position);
  if (!taken(v->position)) v->position = vec3(0.0f);
  v->normal = unitOr(mirrors ? -normal : normal, make_float3(0.0f, 1.0f, 0.0f));
  float3 tangent = unitOr(transformVector(b.rows, xyz(v->tangent)), vec3(0.0f));
  tangent = tangent - v->normal * dot(v->normal, tangent);
  tangent = dot(tangent, tangent) > 1e-8f ? normalize(tangent) : basisAround(v->normal).x;
  float w = v->tangent.w < 0.0f ? -1.0f : 1.0f;
  v->tangent = make_float4(tangent.x, tangent.y, tangent.z, mirrors ? -w : w);
}

KERNEL(deform_vertices, 128, 1, tool) {
  if (index >= posing().vertexCount) return;
  const DeformedMesh& m = posedMesh(meshOf(index, &DeformedMesh::first));
  uint32_t v = index - m.first;
  Vertex out = morphed(m, v);
  place(blend(m, v), &out);
  Vertex* to = pointer<Vertex>(posing().vertices) + m.firstVertex + v;
  float3 before = to->position;
  pointer<float4>(posing().previous)[index] = make_float4(before.x, before.y, before.z, 0.0f);
  *to = out;
}

// --- Triangles ----------------------------------------------------------------------------------------------------------

KERNEL(deform_triangles, 128, 1, tool) {
  if (index >= posing().triangleCount) return;
  const DeformedMesh& m = posedMesh(meshOf(index, &DeformedMesh::firstTriangle));
  Triangle* t = pointer<Triangle>(m.triangles) + (index - m.firstTriangle);
  const Face f = fetch<Face>(frame.scene.faces, t->face);
  const Vertex* vertices = pointer<const Vertex>(posing().vertices);
  t->v0 = vertices[f.v0].position;
  t->e1 = vertices[f.v1].position - t->v0;
  t->e2 = vertices[f.v2].position - t->v0;
  bool turned = (m.flags & DEFORM_TURNED) != 0;
  t->material = (t->material & ~TURNED_BIT) | (turned ? TURNED_BIT : 0u);
  if (t->light == NO_LIGHT) return;
  Light l = load(pointer<const Light>(posing().restLights) + t->light);
  l.position = t->v0;
  l.direction = t->e1;
  l.intensity = t->e2;
  l.area = 0.5f * length(cross(t->e1, t->e2));
  l.material |= turned ? AVERTED_BIT : 0u;
  if (m.flags & DEFORM_HIDDEN) l.emission = vec3(0.0f);
  pointer<Light>(posing().lights)[t->light] = l;
}
