// From a hit to what shading needs: position with its error, normals, coordinates, material.
#pragma once

#include "alpha.cuh"
#include "bsdf.cuh"

// Surface is one point of a triangle as a ray coming from wo sees it.
struct Surface {
  float3 position;   // [m]
  float error;       // how far rounding may have moved it off the triangle's plane [m]
  float3 ng;         // geometric normal on wo's side
  float3 ns;         // shading normal on wo's side, before the normal map
  float4 tangent;    // xyz unit or zero, w handedness
  float2 uv0, uv1;
  float3 color;   // of the vertices; set with FEATURE_COLORS
  bool front;     // wo is on the side that the triangle faces
  uint32_t material;
  uint32_t light;
};

// What the material says at one point, textures applied.
struct Appearance {
  float3 baseColor, emission, specularColor;
  float metallic, roughness, transmission, specular;
  float3 bump;   // texel of the normal map
};

// offsetOrigin moves a ray's origin off the surface along n, by the error bound of the point and never by a fixed length,
// so that it holds at every scale of scene.
DEVICE float3 offsetOrigin(float3 p, float3 n, float error) { return p + n * error; }

// surfaceError bounds the rounding of v0 + u e1 + v e2 and of the triangle test of a ray that leaves it for a neighbour
// (Pharr, Jakob & Humphreys, Physically Based Rendering, §6.8): some ulps of every term's size.
DEVICE float surfaceError(float3 v0, float3 e1, float3 e2) {
  float3 size = abs3(v0) + abs3(e1) + abs3(e2);
  return maxComponent(size) * (32.0f * 5.9604645e-8f);
}

// cornersColor is linear.
DEVICE float3 cornersColor(const Corners& k) {
  return make_float3(unorm16(k.a.colorRG), unorm16(k.a.colorRG >> 16), unorm16(k.a.colorBA)) * k.wa +
         make_float3(unorm16(k.b.colorRG), unorm16(k.b.colorRG >> 16), unorm16(k.b.colorBA)) * k.wb +
         make_float3(unorm16(k.c.colorRG), unorm16(k.c.colorRG >> 16), unorm16(k.c.colorBA)) * k.wc;
}

DEVICE Surface makeSurface(const Hit& hit, float3 wo) {
  const Triangle t = fetch<Triangle>(frame.triangles, hit.triangle);
  Corners k = faceCorners(t.face, hit.u, hit.v);
  Surface s = {};
  s.position = t.v0 + t.e1 * hit.u + t.e2 * hit.v;
  s.error = surfaceError(t.v0, t.e1, t.e2);
  s.ng = normalize(cross(t.e1, t.e2));
  s.front = dot(s.ng, wo) > 0.0f;
  s.ns = normalize(k.a.normal * k.wa + k.b.normal * k.wb + k.c.normal * k.wc);
  if (!finite(s.ns)) s.ns = s.ng;
  if (!s.front) s.ng = -s.ng;
  if (dot(s.ns, s.ng) < 0.0f) s.ns = -s.ns;
  if (has(FEATURE_TEXTURES << TEXTURE_NORMAL)) s.tangent = k.a.tangent * k.wa + k.b.tangent * k.wb + k.c.tangent * k.wc;
  s.uv0 = cornersUv0(k);
  if (has(FEATURE_UV1)) s.uv1 = cornersUv1(k);
  if (has(FEATURE_COLORS)) s.color = cornersColor(k);
  s.material = t.material & ~ALPHA_BIT;
  s.light = t.light;
  return s;
}

// applyTexel multiplies what one texture of a material says into its appearance.
DEVICE void applyTexel(Appearance& a, uint32_t use, float4 texel) {
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
  }
}

DEVICE Appearance makeAppearance(const Material& m, const Surface& s) {
  bool emits = s.front || (m.flags & MATERIAL_DOUBLE_SIDED);
  Appearance a;
  a.baseColor = xyz(m.baseColor);
  if (has(FEATURE_COLORS)) a.baseColor = a.baseColor * s.color;
  a.emission = emits ? m.emission * frame.lightScale : vec3(0.0f);
  a.specularColor = m.specularColor;
  a.metallic = m.metallic;
  a.roughness = m.roughness;
  a.transmission = m.transmission;
  a.specular = m.specular;
  a.bump = make_float3(0.5f, 0.5f, 1.0f);
  // One look-up in a loop, not seven in a row: kernels that shade are limited by how much code they fetch.
  const TextureRef* textures = &m.baseColorTexture;
#pragma unroll 1
  for (uint32_t use = 0; use < TEXTURE_USES; use++) {
    if (!has(FEATURE_TEXTURES << use)) continue;
    if (textures[use].texture < 0 || (use == TEXTURE_EMISSIVE && isBlack(a.emission))) continue;
    applyTexel(a, use, materialTexture(textures[use], s.uv0, s.uv1));
  }
  a.metallic = saturate(a.metallic);
  a.roughness = saturate(a.roughness);
  a.transmission = saturate(a.transmission);
  a.specular = saturate(a.specular);
  return a;
}

// shadingNormal applies the normal map, then turns the normal just enough for wo and its mirror direction to lie above
// the geometric surface, so that reflections are not lost into it.
DEVICE float3 shadingNormal(const Material& m, const Surface& s, float3 bump, float3 wo) {
  float3 n = s.ns;
  if (has(FEATURE_TEXTURES << TEXTURE_NORMAL) && m.normalTexture.texture >= 0) {
    float3 local = make_float3((bump.x * 2.0f - 1.0f) * m.normalScale, (bump.y * 2.0f - 1.0f) * m.normalScale,
                               bump.z * 2.0f - 1.0f);
    // Seen from behind, the whole frame is mirrored (glTF 2.0 §3.9.3): x and y keep their world directions but z flips.
    float3 t = xyz(s.tangent) - n * dot(n, xyz(s.tangent));
    if (dot(t, t) > 1e-12f) {
      t = normalize(t);
      float3 b = cross(n, t) * (s.front ? s.tangent.w : -s.tangent.w);
      float3 mapped = t * local.x + b * local.y + n * local.z;
      if (dot(mapped, mapped) > 1e-12f) n = normalize(mapped);
    }
  }
  const float above = 1e-3f;
  if (dot(n, wo) < above) n = normalize(n + wo * (above - dot(n, wo)));
  float3 r = n * (2.0f * dot(n, wo)) - wo;
  float below = above - dot(r, s.ng);
  if (below > 0.0f) n = normalize(wo + normalize(r + s.ng * below));
  return n;
}

// makeBsdf weighs the lobes.
DEVICE Bsdf makeBsdf(const Material& m, const Surface& s, const Appearance& a, float3 wo) {
  Bsdf b;
  b.basis = basisAround(shadingNormal(m, s, a.bump, wo));
  b.ng = s.ng;
  b.wo = toLocal(b.basis, wo);
  b.wo.z = maxf(b.wo.z, 1e-4f);
  b.baseColor = a.baseColor;
  b.alpha = sqr(a.roughness);
  b.smooth = b.alpha < SMOOTH_ALPHA;
  b.stretchedWo = stretched(b.wo, sqr(b.alpha));
  float rough = b.smooth ? 0.0f : a.roughness;
  bool thin = (m.flags & MATERIAL_THIN) != 0;
  b.ior = maxf(m.ior, 1.001f);
  b.eta = has(FEATURE_GLASS) && !s.front ? 1.0f / b.ior : b.ior;
  float root = normalAmplitude(b.ior);
  b.f0 = sqr(root);
  b.riseScale = 1.0f / (1.0f - b.f0);
  float dielectric = 1.0f - a.metallic;
  float through = has(FEATURE_GLASS) || has(FEATURE_THIN) ? dielectric * a.transmission : 0.0f;
  bool compensate = (frame.flags & FRAME_ENERGY_COMPENSATION) != 0;
  float mirror = 1.0f, rise;
  if (b.smooth) {
    rise = fresnelRise(b.wo.z, b.ior, b.f0, b.riseScale);
  } else {
    mirror = maxf(albedoSlice(ALBEDO_MIRROR, b.wo.z, rough), 0.05f);
    rise = albedoIor(ALBEDO_COAT, root, b.wo.z, rough);
  }
  float lost = compensate ? 1.0f / mirror - 1.0f : 0.0f;   // over what is reflected

  b.metal = a.metallic;
  b.metalScale = lost;

  // The coat covers the Lambert base and thin glass; what it does not reflect reaches them.
  b.coatF90 = has(FEATURE_SPECULAR) ? a.specular : 1.0f;
  b.coatF0 = vec3(b.f0);
  if (has(FEATURE_SPECULAR)) {
    float3 f0 = a.specularColor * (b.f0 * a.specular);
    b.coatF0 = make_float3(minf(f0.x, a.specular), minf(f0.y, a.specular), minf(f0.z, a.specular));
  }
  float3 meanF = b.coatF0 + (vec3(b.coatF90) - b.coatF0) * (1.0f / 21.0f);
  float coatScale = 1.0f + average(meanF) * lost;
  float3 coatAlbedo = (b.coatF0 * (mirror - rise) + vec3(b.coatF90 * rise)) * coatScale;
  float under = saturate(1.0f - maxComponent(coatAlbedo));
  b.coat = (dielectric - (thin ? 0.0f : through)) * coatScale;
  b.base = (dielectric - through) * under;
  b.paint = nullptr;
  if (has(FEATURE_PAINT) && m.flags & MATERIAL_PAINT) layPaint(b, m, s.position, b.base);
  b.thin = a.baseColor * (has(FEATURE_THIN) && thin ? through * under : 0.0f);
  b.thinScale = 1.0f + lost;

  b.glass = thin || !has(FEATURE_GLASS) ? 0.0f : through;
  // The tables know nothing of glass that KHR_materials_specular dims: it loses what it loses.
  float kept = !has(FEATURE_GLASS) || b.smooth || !compensate || b.glass == 0.0f || !reflectsPlainly(b)
                   ? 1.0f
                   : albedoIor(s.front ? ALBEDO_GLASS_OUTSIDE : ALBEDO_GLASS_INSIDE, root, b.wo.z, rough);
  b.glassScale = 1.0f / maxf(kept, 0.05f);
  chooseLobes(b);
  return b;
}
