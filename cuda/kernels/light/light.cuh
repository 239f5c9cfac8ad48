// Next-event estimation: choose a light, then a point on it.
#pragma once

#include "light/environment.cuh"
#include "light/light_tree.cuh"
#include "scene/surface.cuh"

// LightSample is where a shadow ray must go and what arrives when it gets there.
struct LightSample {
  float3 wi;                // unit, to the light
  float distance;           // up to the light's offset surface [m]
  float3 Li;                // radiance, or for lights without area intensity over squared distance
  float pdf;                // [1/sr], selection included; for lights without area only the selection
  float pdfWithoutNormal;   // for MIS weights: like pdf, but without the receiver's normal
  bool delta;               // no chance hit can find it
  uint32_t light;           // index
};

// drawLight chooses a light for a point. Normal is zero, or that of a surface which reflects alone, on the side that is seen.
DEVICE DrawnLight drawLight(float3 from, float3 normal, uint2 u) {
  if (has(FEATURE_LIGHT_TREE) && byPlace()) return drawByPlace(from, normal, u);
  uint32_t i = chooseAlias(pointer<const AliasEntry>(frame.scene.lightAlias), frame.scene.lightCount, u);
  float selection = pointer<const Light>(frame.scene.lights)[i].selection;
  return {i, selection, selection};
}

// selectionOf is how likely drawLight is to choose a light for a point, whatever surface is there.
DEVICE float selectionOf(uint32_t light, float3 from) {
  if (has(FEATURE_LIGHT_TREE) && byPlace()) return chanceByPlace(light, from, vec3(0.0f)).withoutNormal;
  return pointer<const Light>(frame.scene.lights)[light].selection;
}

// lightPdf is the density with which sampleLight finds the point of an emissive triangle that a ray hit from distance t at
// cosine |cos θ| [1/sr], where the light is chosen with that probability.
DEVICE float lightPdf(const Light& l, float selection, float t, float cosTheta) {
  return selection * sqr(t) / (l.area * maxf(absf(cosTheta), 1e-7f));
}

// pdfOfEmission is lightPdf of the surface that a ray hit, distance t from where it began.
DEVICE float pdfOfEmission(const Surface& s, float3 direction, float t) {
  const Light& l = pointer<const Light>(frame.scene.lights)[s.light];
  return lightPdf(l, selectionOf(s.light, s.position - direction * t), t, dot(s.ng, direction));
}

// pdfOfMiss is the density with which sampleLight finds the environment from a point in a direction [1/sr].
DEVICE float pdfOfMiss(float3 from, float3 direction) {
  if (frame.scene.environment.light == NO_LIGHT) return 0.0f;
  return selectionOf(frame.scene.environment.light, from) * environmentPdf(direction);
}

// lightEmission is the radiance that leaves a point of an emissive triangle, on average where it is transparent [nit].
DEVICE float3 lightEmission(const Light& l, float b1, float b2) {
  float3 Le = l.emission * frame.scene.lightScale;
  bool textured = has(FEATURE_TEXTURES << TEXTURE_EMISSIVE) && (l.material & TEXTURED_BIT);
  bool tested = has(FEATURE_ALPHA) && (l.material & TESTED_BIT);
  if (!textured && !tested) return Le;
  const Material& m = pointer<const Material>(frame.scene.materials)[l.material & ~LIGHT_MARKS];
  Corners k = faceCorners(l.face, b1, b2);
  if (textured) Le = Le * xyz(materialTexture(m.textures[TEXTURE_EMISSIVE], cornersUv0(k), cornersUv1(k)));
  return tested ? Le * coverage(m, k) : Le;
}

// pointOfTriangle maps two uniform numbers to barycentric weights of v1 and v2, uniformly by area.
DEVICE float2 pointOfTriangle(float2 u) {
  float r = midrangeSqrt(u.x);
  return make_float2(r * (1.0f - u.y), r * u.y);
}

// sampleTriangleLight draws a point of an emissive triangle; out->pdf is how likely that was chosen. The light holds all that is
// needed: v0 in position, e1 in direction, e2 in intensity.
DEVICE bool sampleTriangleLight(const Light& l, float3 from, float3 fromNg, float error, float2 u, LightSample* out) {
  float3 v0 = l.position, e1 = l.direction, e2 = l.intensity;
  float2 b = pointOfTriangle(u);
  float b1 = b.x, b2 = b.y;
  float3 n = normalizeAny(cross(e1, e2));
  if (l.material & AVERTED_BIT) n = -n;
  float3 p = v0 + e1 * b1 + e2 * b2;
  float3 toLight = p - from;
  bool front = dot(n, toLight) < 0.0f;
  if (!front && !(l.material & TWO_SIDED_BIT)) return false;
  // Both ends leave their surfaces by their error bounds, so no epsilon is needed on the way.
  float3 origin = offsetOrigin(from, dot(toLight, fromNg) > 0.0f ? fromNg : -fromNg, error);
  float3 end = offsetOrigin(p, front ? n : -n, surfaceError(v0, e1, e2));
  float3 d = end - origin;
  out->distance = length(d);
  if (!(out->distance > 0.0f)) return false;
  out->wi = d * midrangeInverse(out->distance);
  float distance = sqrtf(dot(toLight, toLight)), height = absf(dot(n, toLight));
  if (!(height > 1e-6f * distance)) return false;
  out->Li = lightEmission(l, b1, b2);
  out->pdf = out->pdf * sqr(distance) * distance / (l.area * height);   // lightPdf, where cos θ = height / distance
  out->delta = false;
  return true;
}

// spotFalloff is glTF's angular attenuation (KHR_lights_punctual).
DEVICE float spotFalloff(const Light& l, float3 wi) {
  float c = -dot(l.direction, wi);
  return sqr(saturate((c - l.cosOuter) / maxf(l.cosInner - l.cosOuter, 1e-4f)));
}

// samplePunctualLight is a light without area as seen from a point. The caller knows how likely it was to be chosen.
DEVICE bool samplePunctualLight(const Light& l, float3 from, LightSample* out) {
  out->delta = true;
  out->Li = l.intensity * frame.scene.lightScale;
  if (l.kind == LIGHT_DIRECTIONAL) {
    out->wi = -l.direction;
    out->distance = INFINITE;
    return true;
  }
  float3 d = l.position - from;
  float d2 = dot(d, d);
  if (!(d2 > 0.0f)) return false;
  out->distance = exactSqrt(d2);
  out->wi = d * midrangeInverse(out->distance);
  out->Li *= 1.0f / d2;
  if (l.range > 0.0f) out->Li *= saturate(1.0f - sqr(sqr(out->distance / l.range)));
  if (l.kind == LIGHT_SPOT) out->Li *= spotFalloff(l, out->wi);
  return true;
}

// sampleChosen draws a point on a light that was chosen with a probability of out->pdf.
DEVICE bool sampleChosen(const Light& l, const Surface& s, uint2 uTexel, float2 u, LightSample* out) {
  if (has(FEATURE_EMITTERS) && l.kind == LIGHT_TRIANGLE)
    return sampleTriangleLight(l, s.position, s.ng, s.error, u, out);
  if (has(FEATURE_PUNCTUAL) && l.kind != LIGHT_ENVIRONMENT) return samplePunctualLight(l, s.position, out);
  EnvironmentSample sky = sampleEnvironment(uTexel, u);
  out->wi = sky.wi;
  out->distance = INFINITE;
  out->Li = sky.Li;
  out->pdf *= sky.pdf;
  out->delta = false;
  return out->pdf > 0.0f;
}

// sampleLight draws a light by uLight and a point on it, as seen from a surface, by u (and uTexel in an environment
// image). Facing is as in drawLight. False when nothing can arrive.
DEVICE bool sampleLight(const Surface& s, float3 facing, uint2 uLight, uint2 uTexel, float2 u, LightSample* out) {
  if (frame.scene.lightCount == 0) return false;
  DrawnLight drawn = drawLight(s.position, facing, uLight);
  if (drawn.light == NO_LIGHT) return false;
  const Light l = fetch<Light>(frame.scene.lights, drawn.light);
  out->light = drawn.light;
  out->pdf = drawn.selection;
  if (!sampleChosen(l, s, uTexel, u, out)) return false;
  out->pdfWithoutNormal = out->pdf * (drawn.withoutNormal / drawn.selection);
  return true;
}
