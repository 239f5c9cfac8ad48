// From a hit to what shading needs: position with its error, normals, coordinates, and appearance.
#pragma once

#include "scene/instance.cuh"

// Surface is one point of a triangle as a ray coming from wo sees it.
struct Surface {
  float3 position;   // [m]
  float error;       // how far rounding may have moved it off the triangle's plane [m]
  float3 ng;         // geometric normal on wo's side
  float3 ns;         // shading normal on wo's side, before the normal map
  float4 tangent;    // xyz unit or zero, w handedness; both turned where ns is
  float2 uv0, uv1;
  float2 footprint;   // of the ray's cone in the planes of uv0 and of uv1, an area; set with FEATURE_MIPMAPS
  float3 color;       // of the vertices; set with FEATURE_COLORS
  bool front;         // wo is on the side that the triangle faces
  uint32_t material;
  uint32_t light;
};

// The material at one point, with its textures applied.
struct Appearance {
  float3 baseColor, emission, specularColor;
  float metallic, roughness, transmission, specular;
  float3 bump;   // texel of the normal map
};

// offsetOrigin moves a ray's origin off the surface along n, by the error bound of the point and never by a fixed length,
// so that it holds at every scale of scene.
DEVICE float3 offsetOrigin(float3 p, float3 n, float error) { return p + n * error; }

// behind leads along a ray to behind the surface that it hits after t, so far as to leave the surface's plane [m].
DEVICE float behind(const Surface& s, float t, float3 wo) {
  return t + exactDiv(s.error, maxf(absf(dot(s.ng, wo)), 1e-3f));
}

// cornersColor is linear.
DEVICE float3 cornersColor(const Corners& k) {
  return make_float3(unorm16(k.a.colorRG), unorm16(k.a.colorRG >> 16), unorm16(k.a.colorBA)) * k.wa +
         make_float3(unorm16(k.b.colorRG), unorm16(k.b.colorRG >> 16), unorm16(k.b.colorBA)) * k.wb +
         make_float3(unorm16(k.c.colorRG), unorm16(k.c.colorRG >> 16), unorm16(k.c.colorBA)) * k.wc;
}

// uvArea is twice the area of a triangle of coordinates.
DEVICE float uvArea(float2 a, float2 b, float2 c) {
  float2 e = b - a, f = c - a;
  return absf(e.x * f.y - e.y * f.x);
}

// footprintOn is what a cone `width` metres wide covers of the planes of coordinates, on a triangle of twice that area [m²], seen
// at that cosine. At grazing angles that is a long ellipse, and its area lies between blur across it and aliasing along it.
DEVICE float2 footprintOn(const Corners& k, float area, float cosine, float width) {
  float scale = sqr(width) / (area * maxf(cosine, 1e-3f));
  float2 covered = make_float2(uvArea(k.a.uv0, k.b.uv0, k.c.uv0) * scale, 0.0f);
  if (has(FEATURE_UV1)) covered.y = uvArea(k.a.uv1, k.b.uv1, k.c.uv1) * scale;
  return covered;
}

// makeSurface is the point that a ray hits whose cone is `width` metres wide there. Where that is 0 textures are not averaged.
DEVICE Surface makeSurface(const Hit& hit, float3 wo, float width = 0.0f) {
  uint32_t triangle = hit.triangle;
  const Instance* in = toLeafIndex(&triangle);
  Triangle t = fetch<Triangle>(in ? in->triangles : frame.scene.triangles, triangle);
  Corners k = faceCorners(t.face, hit.u, hit.v);
  Surface s = {};
  s.error = in ? instanceError(*in, t) : surfaceError(t.v0, t.e1, t.e2);
  if (in) toWorldSpace(*in, &t, &k);
  s.position = t.v0 + t.e1 * hit.u + t.e2 * hit.v;
  s.ng = normalizeAny(frontOf(t));
  s.front = dot(s.ng, wo) > 0.0f;
  s.ns = normalize(k.a.normal * k.wa + k.b.normal * k.wb + k.c.normal * k.wc);
  if (!finite(s.ns)) s.ns = s.ng;
  if (!s.front) s.ng = -s.ng;
  if (needsTangents()) s.tangent = k.a.tangent * k.wa + k.b.tangent * k.wb + k.c.tangent * k.wc;
  // From behind the whole frame is turned, so that a normal map's normal is turned as a whole (glTF 2.0 §3.9.6).
  if (dot(s.ns, s.ng) < 0.0f) {
    s.ns = -s.ns;
    s.tangent = s.tangent * -1.0f;
  }
  s.uv0 = cornersUv0(k);
  if (has(FEATURE_UV1)) s.uv1 = cornersUv1(k);
  if (has(FEATURE_MIPMAPS)) {
    float3 doubled = cross(t.e1, t.e2);   // the face's area
    s.footprint = footprintOn(k, sqrtf(dot(doubled, doubled)), absf(dot(s.ng, wo)), width);
  }
  if (has(FEATURE_COLORS)) s.color = cornersColor(k);
  s.material = materialOf(t);
  s.light = t.light;
  return s;
}

static_assert((FEATURE_TEXTURES << TEXTURE_SHARED_USES) <= FEATURE_SHEEN, "a feature for each shared use of a texture");

// lobeTexture is materialTexture as a call: many lobes look up textures of their own, and few materials have them.
DEVICE_CALL float4 lobeTexture(const TextureRef* r, float2 uv0, float2 uv1) { return materialTexture(*r, uv0, uv1); }

// texelOf looks up a texture that belongs to one lobe; white where there is none.
DEVICE float4 texelOf(const Material& m, const Surface& s, TextureUse use) {
  const TextureRef& r = m.textures[use];
  return r.texture < 0 ? make_float4(1.0f, 1.0f, 1.0f, 1.0f) : lobeTexture(&r, s.uv0, s.uv1);
}

// applyTexel multiplies a texel of a material into its appearance.
DEVICE void applyTexel(Appearance& a, const Material& m, uint32_t use, float4 texel) {
  if (use == TEXTURE_BASE_COLOR) {
    a.baseColor = a.baseColor * xyz(texel);
  } else if (use == TEXTURE_METALLIC_ROUGHNESS) {
    a.roughness *= texel.y;
    a.metallic *= texel.z;
  } else if (use == TEXTURE_NORMAL) {
    a.bump = xyz(texel);
  } else if (use == TEXTURE_EMISSIVE) {
    a.emission = a.emission * xyz(texel);
  } else if (use == TEXTURE_TRANSMISSION) {
    a.transmission *= texel.x;
  } else if (use == TEXTURE_SPECULAR) {
    a.specular *= texel.w;
  } else {
    a.specularColor = a.specularColor * xyz(texel);
    if (m.flags & MATERIAL_GLOSSINESS) a.roughness = 1.0f - (1.0f - a.roughness) * texel.w;
  }
}

// averages tells whether mipmaps suit a use. Averages of normal maps flatten the surface, those of roughness turn a window in its
// wall into something between both, and emission must be what light samples take it for.
DEVICE bool averages(uint32_t use) {
  return use != TEXTURE_METALLIC_ROUGHNESS && use != TEXTURE_NORMAL && use != TEXTURE_EMISSIVE;
}

DEVICE Appearance makeAppearance(const Material& m, const Surface& s) {
  bool emits = s.front || (m.flags & MATERIAL_DOUBLE_SIDED);
  Appearance a;
  a.baseColor = xyz(m.baseColor);
  if (has(FEATURE_COLORS)) a.baseColor = a.baseColor * s.color;
  a.emission = emits ? m.emission * frame.scene.lightScale : vec3(0.0f);
  a.specularColor = m.specularColor;
  a.metallic = m.metallic;
  a.roughness = m.roughness;
  a.transmission = m.transmission;
  a.specular = m.specular;
  a.bump = make_float3(0.5f, 0.5f, 1.0f);
  // One look-up in a loop, not one after the other: kernels that shade are limited by how much code they fetch.
#pragma unroll 1
  for (uint32_t use = 0; use < TEXTURE_SHARED_USES; use++) {
    if (!has(FEATURE_TEXTURES << use)) continue;
    const TextureRef& r = m.textures[use];
    if (r.texture < 0 || (use == TEXTURE_EMISSIVE && isBlack(a.emission))) continue;
    float2 footprint = averages(use) ? s.footprint : make_float2(0.0f, 0.0f);
    applyTexel(a, m, use, filteredTexture(r, s.uv0, s.uv1, footprint));
  }
  a.metallic = saturate(a.metallic);
  a.roughness = saturate(a.roughness);
  a.transmission = saturate(a.transmission);
  a.specular = saturate(a.specular);
  return a;
}

// tangentsAround gives the directions along which the surface's tangents lie, at right angles to n. False where the surface has none.
DEVICE bool tangentsAround(const Surface& s, float3 n, float3* t, float3* b) {
  *t = xyz(s.tangent) - n * dot(n, xyz(s.tangent));
  if (dot(*t, *t) <= 1e-12f) return false;
  *t = normalize(*t);
  *b = cross(n, *t) * s.tangent.w;
  return true;
}

// bumped is the normal that a texel of a normal map stands for.
DEVICE float3 bumped(const Surface& s, float3 bump, float scale) {
  float3 n = s.ns, t, b;
  float3 local = make_float3((bump.x * 2.0f - 1.0f) * scale, (bump.y * 2.0f - 1.0f) * scale, bump.z * 2.0f - 1.0f);
  if (!tangentsAround(s, n, &t, &b)) return n;
  float3 mapped = t * local.x + b * local.y + n * local.z;
  return dot(mapped, mapped) > 1e-12f ? normalize(mapped) : n;
}

// lifted turns a normal just enough for wo and its mirror direction to lie above the geometric surface, so that reflections
// are not lost into it.
DEVICE float3 lifted(float3 n, const Surface& s, float3 wo) {
  const float above = 1e-3f;
  if (dot(n, wo) < above) n = normalize(n + wo * (above - dot(n, wo)));
  float3 r = n * (2.0f * dot(n, wo)) - wo;
  float below = above - dot(r, s.ng);
  if (below > 0.0f) n = normalize(wo + normalize(r + s.ng * below));
  return n;
}

// shadingNormal applies the normal map.
DEVICE float3 shadingNormal(const Material& m, const Surface& s, float3 bump, float3 wo) {
  bool mapped = has(FEATURE_TEXTURES << TEXTURE_NORMAL) && m.textures[TEXTURE_NORMAL].texture >= 0;
  return lifted(mapped ? bumped(s, bump, m.normalScale) : s.ns, s, wo);
}
