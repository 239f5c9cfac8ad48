// Transparency by coverage (glTF alphaMode), decided while a ray looks for its hit.
#pragma once

#include "packing.cuh"
#include "random.cuh"
#include "texture.cuh"

// Corners are a face's three vertices with the barycentric weight of each.
struct Corners {
  Vertex a, b, c;
  float wa, wb, wc;
};

DEVICE Corners faceCorners(uint32_t face, float u, float v) {
  const Face f = fetch<Face>(frame.faces, face);
  return {fetch<Vertex>(frame.vertices, f.v0),
          fetch<Vertex>(frame.vertices, f.v1),
          fetch<Vertex>(frame.vertices, f.v2),
          1.0f - u - v,
          u,
          v};
}

DEVICE float2 cornersUv0(const Corners& k) { return k.a.uv0 * k.wa + k.b.uv0 * k.wb + k.c.uv0 * k.wc; }
DEVICE float2 cornersUv1(const Corners& k) { return k.a.uv1 * k.wa + k.b.uv1 * k.wb + k.c.uv1 * k.wc; }

// alphaPasses is true when the triangle stops the ray at (u, v). BLEND stops it with probability alpha, by a hash of the
// ray and the face: the answer does not depend on the order in which triangles are met.
DEVICE_CALL bool alphaPasses(uint32_t material, uint32_t face, float u, float v, uint32_t alphaSeed) {
  const Material& m = pointer<const Material>(frame.materials)[material & ~ALPHA_BIT];
  Corners k = faceCorners(face, u, v);
  float texel =
      m.baseColorTexture.texture < 0 ? 1.0f : materialTexture(m.baseColorTexture, cornersUv0(k), cornersUv1(k)).w;
  float color =
      k.wa * unorm16(k.a.colorBA >> 16) + k.wb * unorm16(k.b.colorBA >> 16) + k.wc * unorm16(k.c.colorBA >> 16);
  float alpha = m.baseColor.w * texel * color;
  if (m.alphaMode == ALPHA_MASK) return alpha >= m.alphaCutoff;
  return unit(hash(alphaSeed, face)) < alpha;
}
