// Texture lookup from plain memory, the same on both sides: wrap modes, sRGB decoding before a bilinear filter.
// And transparency by coverage (glTF alphaMode), decided while a ray looks for its hit.
#pragma once

#include "core/packing.cuh"
#include "core/random.cuh"
#include "core/tables.cuh"

// wrapUnit brings a coordinate into [0, 1]; not a number becomes 0.
DEVICE float wrapUnit(float u, uint32_t mode) {
  if (mode == WRAP_MIRROR) {
    float f = u * 0.5f - floorf(u * 0.5f);
    u = f < 0.5f ? 2.0f * f : 2.0f - 2.0f * f;
  } else if (mode != WRAP_CLAMP) {
    u -= floorf(u);
  }
  return saturate(u);
}

// wrapTexel brings the index of a texel, or of its neighbour beyond the border, into [0, size). What mirrors there shows
// the texel at the border once more, as what clamps does.
DEVICE uint32_t wrapTexel(int32_t i, uint32_t size, uint32_t mode) {
  int32_t n = (int32_t)size;
  if (mode == WRAP_CLAMP || mode == WRAP_MIRROR) return (uint32_t)(i < 0 ? 0 : i >= n ? n - 1 : i);
  return (uint32_t)(i < 0 ? i + n : i >= n ? i - n : i);
}

DEVICE float4 fetchDeepTexel(const Texture& t, uint32_t x, uint32_t y) {
  uint64_t p = pointer<const uint64_t>(t.texels)[y * t.width + x];
  uint32_t r = (uint32_t)p & 65535u, g = (uint32_t)(p >> 16) & 65535u, b = (uint32_t)(p >> 32) & 65535u;
  float a = exactUnorm16((float)(p >> 48));
  if (t.flags & TEXTURE_SRGB) return make_float4(srgbDecode16(r), srgbDecode16(g), srgbDecode16(b), a);
  return make_float4(unorm16(r), unorm16(g), unorm16(b), a);
}

DEVICE float4 fetchTexel(const Texture& t, uint32_t x, uint32_t y) {
  if (has(FEATURE_DEEP) && t.flags & TEXTURE_DEEP) return fetchDeepTexel(t, x, y);
  uint32_t p = pointer<const uint32_t>(t.texels)[y * t.width + x];
  uint32_t r = p & 255u, g = (p >> 8) & 255u, b = (p >> 16) & 255u;
  float a = exactUnorm8((float)(p >> 24));
  if (t.flags & TEXTURE_SRGB) return make_float4(srgbDecode(r), srgbDecode(g), srgbDecode(b), a);
  return make_float4((float)r * (1.0f / 255.0f), (float)g * (1.0f / 255.0f), (float)b * (1.0f / 255.0f), a);
}

// sampleTexture filters at (u, v); texel centres lie at halves. Between texels that are equal, the value is theirs.
DEVICE float4 sampleTexture(const Texture& t, float2 uv) {
  float x = wrapUnit(uv.x, t.wrapS) * (float)t.width, y = wrapUnit(uv.y, t.wrapT) * (float)t.height;
  if (t.flags & TEXTURE_NEAREST)
    return fetchTexel(t, wrapTexel((int32_t)floorf(x), t.width, t.wrapS),
                      wrapTexel((int32_t)floorf(y), t.height, t.wrapT));
  x -= 0.5f;
  y -= 0.5f;
  float fx = floorf(x), fy = floorf(y);
  int32_t ix = (int32_t)fx, iy = (int32_t)fy;
  uint32_t x0 = wrapTexel(ix, t.width, t.wrapS), x1 = wrapTexel(ix + 1, t.width, t.wrapS);
  uint32_t y0 = wrapTexel(iy, t.height, t.wrapT), y1 = wrapTexel(iy + 1, t.height, t.wrapT);
  float ax = x - fx, ay = y - fy;
  float4 top = lerp(fetchTexel(t, x0, y0), fetchTexel(t, x1, y0), ax);
  float4 bottom = lerp(fetchTexel(t, x0, y1), fetchTexel(t, x1, y1), ax);
  return lerp(top, bottom, ay);
}

// textureCoordinates are where a material's texture is looked up.
DEVICE float2 textureCoordinates(const TextureRef& r, float2 uv0, float2 uv1) {
  float2 uv = has(FEATURE_UV1) && r.uvSet != 0 ? uv1 : uv0;
  return make_float2(r.m00 * uv.x + r.m01 * uv.y + r.m02, r.m10 * uv.x + r.m11 * uv.y + r.m12);
}

// materialTexture looks a material's texture up at the surface's coordinates.
DEVICE float4 materialTexture(const TextureRef& r, float2 uv0, float2 uv1) {
  return sampleTexture(pointer<const Texture>(frame.scene.textures)[r.texture], textureCoordinates(r, uv0, uv1));
}

// mipLevel is the level of a texture of which one texel covers what so many of level 0 do, between two levels mostly. The
// logarithm is a straight line between powers of two: 0.04 of a level off at most.
DEVICE float mipLevel(const Texture& t, float texels) {
  if (!(texels > 1.0f)) return 0.0f;
  float level = 0.5f * ((float)floatBits(texels) * (1.0f / 8388608.0f) - 127.0f);
  return minf(level, (float)floorLog2(t.width > t.height ? t.width : t.height));
}

// texelsOf is how many texels of level 0 a part of the plane of coordinates covers.
DEVICE float texelsOf(const TextureRef& r, const Texture& t, float area) {
  return area * absf(r.m00 * r.m11 - r.m01 * r.m10) * (float)t.width * (float)t.height;
}

// filteredTexture is materialTexture as the mean over a footprint that covers so much of the planes of both sets of coordinates.
// Two levels are blended, so that where a level ends is not seen, and rounding of the footprint moves a colour but little.
DEVICE float4 filteredTexture(const TextureRef& r, float2 uv0, float2 uv1, float2 footprint) {
  const Texture* textures = pointer<const Texture>(frame.scene.textures);
  const Texture& t = textures[r.texture];
  float2 uv = textureCoordinates(r, uv0, uv1);
  float level = 0.0f;
  if (has(FEATURE_MIPMAPS) && t.mips != 0)
    level = mipLevel(t, texelsOf(r, t, has(FEATURE_UV1) && r.uvSet != 0 ? footprint.y : footprint.x));
  uint32_t finer = (uint32_t)level;
  float share = level - (float)finer;   // of the coarser level
  float4 first = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
  for (uint32_t i = finer;; i++) {
    float4 texel = sampleTexture(i == 0 ? t : textures[t.mips + i - 1], uv);
    if (i > finer) return first * (1.0f - share) + texel * share;
    if (share == 0.0f) return texel;
    first = texel;
  }
}

// --- Coverage -------------------------------------------------------------------------------------------------------

// Corners are a face's three vertices with the barycentric weight of each.
struct Corners {
  Vertex a, b, c;
  float wa, wb, wc;
};

DEVICE Corners faceCorners(uint32_t face, float u, float v) {
  const Face f = fetch<Face>(frame.scene.faces, face);
  return {fetch<Vertex>(frame.scene.vertices, f.v0),
          fetch<Vertex>(frame.scene.vertices, f.v1),
          fetch<Vertex>(frame.scene.vertices, f.v2),
          1.0f - u - v,
          u,
          v};
}

DEVICE float2 cornersUv0(const Corners& k) { return k.a.uv0 * k.wa + k.b.uv0 * k.wb + k.c.uv0 * k.wc; }
DEVICE float2 cornersUv1(const Corners& k) { return k.a.uv1 * k.wa + k.b.uv1 * k.wb + k.c.uv1 * k.wc; }

// cornersAlpha is exactly that of the corners where all have the same, so that it may equal a cutoff.
DEVICE float cornersAlpha(const Corners& k) {
  float a = (float)(k.a.colorBA >> 16), b = (float)(k.b.colorBA >> 16), c = (float)(k.c.colorBA >> 16);
  return exactUnorm16(a + (b - a) * k.wb + (c - a) * k.wc);
}

// coverage is the share of rays that a point stops, 0…1.
DEVICE float coverage(const Material& m, const Corners& k) {
  const TextureRef& base = m.textures[TEXTURE_BASE_COLOR];
  float texel = base.texture < 0 ? 1.0f : materialTexture(base, cornersUv0(k), cornersUv1(k)).w;
  float alpha = m.baseColor.w * texel * cornersAlpha(k);
  if (m.alphaMode == ALPHA_MASK) return alpha >= m.alphaCutoff ? 1.0f : 0.0f;
  return saturate(alpha);
}

// alphaPasses is true when the triangle stops the ray at (u, v). BLEND stops it with probability alpha.
DEVICE_CALL bool alphaPasses(uint32_t material, uint32_t face, float u, float v, uint32_t alphaSeed) {
  const Material& m = pointer<const Material>(frame.scene.materials)[material & ~TRIANGLE_MARKS];
  return coverageNumber(alphaSeed, face) < coverage(m, faceCorners(face, u, v));
}
