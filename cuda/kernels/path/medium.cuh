// Homogeneous media: which one a path is in, how far light travels before it is scattered, and in which direction.
#pragma once

#include "scene/surface.cuh"

// --- Which medium ---------------------------------------------------------------------------------------------------
// Volumes may stand in each other, and things in them. A path keeps those that it has entered and not left. Where volumes overlap it
// goes through the one of the highest priority, among equals the one that it entered last (Schmidt and Budge 2002, Simple Nested
// Dielectrics in Ray Traced Images).

// MediumStack holds up to four materials, the one that counts first, as their index + 1 in 16 bits; of more, the last are forgotten.
struct MediumStack {
  uint32_t inner, outer;
};

DEVICE_TABLE uint32_t NO_MEDIUM = 0xffffffff;

// hasVolumes tells whether the scene has any. Kernels that suit every scene must ask the frame.
DEVICE bool hasVolumes() { return has(FEATURE_VOLUMES) && frame.sampling.cameraMedia != 0; }

// mayNest tells whether volumes may stand in each other. In other scenes every surface of a volume has air on its other side.
DEVICE bool mayNest() { return has(FEATURE_NESTED) && !(frame.scene.missing & FEATURE_NESTED) && hasVolumes(); }

// innermost is the material that a path is in, or NO_MEDIUM.
DEVICE uint32_t innermost(const MediumStack& s) { return hasVolumes() ? (s.inner & 0xffffu) - 1u : NO_MEDIUM; }

// enteredBelow leaves the first `above` volumes where they are.
DEVICE MediumStack enteredBelow(const MediumStack& s, uint32_t material, uint32_t above) {
  uint32_t id = material + 1u;
  if (above == 0) return {s.inner << 16 | id, s.outer << 16 | s.inner >> 16};
  if (above == 1) return {(s.inner & 0xffffu) | id << 16, s.outer << 16 | s.inner >> 16};
  if (above == 2) return {s.inner, s.outer << 16 | id};
  return above == 3 ? MediumStack{s.inner, (s.outer & 0xffffu) | id << 16} : s;
}

// outranking is how many volumes that a path is in have a higher priority than a material: the first ones.
DEVICE uint32_t outranking(const MediumStack& s, uint32_t material) {
  const Material* materials = pointer<const Material>(frame.scene.materials);
  uint32_t above = 0;
  for (; above < 4; above++) {
    uint32_t id = (above < 2 ? s.inner : s.outer) >> 16 * (above & 1u) & 0xffffu;
    if (id == 0 || materials[id - 1u].priority <= materials[material].priority) break;
  }
  return above;
}

// holds tells whether a volume is among those that a path is in.
DEVICE bool holds(const MediumStack& s, uint32_t material) {
  uint32_t id = material + 1u;
  return (s.inner & 0xffffu) == id || s.inner >> 16 == id || (s.outer & 0xffffu) == id || s.outer >> 16 == id;
}

DEVICE MediumStack entered(const MediumStack& s, uint32_t material) {
  return enteredBelow(s, material, mayNest() ? outranking(s, material) : 0u);
}

// left takes out the first volume of a material, which need not be the one that counts where volumes overlap. Where there is none, it
// takes out the one that counts: the sides of a volume may differ.
DEVICE MediumStack left(const MediumStack& s, uint32_t material) {
  uint32_t id = material + 1u, rest = s.outer >> 16;
  if ((s.inner & 0xffffu) == id) return {s.inner >> 16 | s.outer << 16, rest};
  if (s.inner >> 16 == id) return {(s.inner & 0xffffu) | s.outer << 16, rest};
  if ((s.outer & 0xffffu) == id) return {s.inner, rest};
  if (rest == id) return {s.inner, s.outer & 0xffffu};
  return {s.inner >> 16 | s.outer << 16, rest};
}

// mediaBehind is what a path is in once it has passed a surface.
DEVICE MediumStack mediaBehind(const MediumStack& media, const Surface& s) {
  if (!isVolume(s.material)) return media;
  return s.front ? entered(media, s.material) : left(media, s.material);
}

// isHidden tells whether a surface lies within a volume of a higher priority: on both sides of it the same one counts. Light passes
// such a surface as if it were not there.
DEVICE bool isHidden(const MediumStack& media, uint32_t material, bool front) {
  uint32_t counts = innermost(media);
  if (counts == NO_MEDIUM || !isVolume(material)) return false;
  return counts == innermost(front ? entered(media, material) : left(media, material));
}

// around is the material that counts on the outer side of a volume's surface, or NO_MEDIUM.
DEVICE uint32_t around(const MediumStack& media, const Surface& s) {
  return innermost(s.front ? media : left(media, s.material));
}

// crossedMedium is the material of the volume that a segment up to a surface led through, or NO_MEDIUM.
DEVICE uint32_t crossedMedium(const MediumStack& media, const Surface& s) {
  uint32_t material = innermost(media);
  return material == NO_MEDIUM && !s.front && isVolume(s.material) ? s.material : material;
}

// transmittanceOf is the share of light that passes t metres of a volume unscattered (Beer and Lambert). Light from infinitely far
// away meets a volume that is not closed, and is let through.
DEVICE float3 transmittanceOf(uint32_t material, float t) {
  if (material == NO_MEDIUM || t >= INFINITE) return vec3(1.0f);
  float3 sigma = pointer<const Material>(frame.scene.materials)[material].attenuation;
  return make_float3(expf(-sigma.x * t), expf(-sigma.y * t), expf(-sigma.z * t));
}

// --- The phase function ---------------------------------------------------------------------------------------------
// Henyey and Greenstein's (1941): light is turned by an angle whose cosine has the mean g, with density
//   p(cos θ) = (1 − g²) / (4π (1 + g² − 2 g cos θ)^(3/2)) [1/sr].

DEVICE float henyeyGreenstein(float cosTheta, float g) {
  float d = 1.0f + g * (g - 2.0f * cosTheta);
  return (1.0f - g * g) * 0.25f * INV_PI / (d * sqrtf(d));
}

// sampleHenyeyGreenstein turns a direction of travel. The density is p itself, so the sample's weight is 1.
DEVICE float3 sampleHenyeyGreenstein(float3 direction, float g, float2 u) {
  float x = 2.0f * u.x - 1.0f;
  // The inverse of p's distribution function with its division by 2g carried out: it holds at g = 0, too.
  float cosT = exactDiv(x + g * (1.5f + 0.5f * sqr(x) + g * (x + g * 0.5f * (sqr(x) - 1.0f))), sqr(1.0f + g * x));
  cosT = clampf(cosT, -1.0f, 1.0f);
  float s, c, sinT = safeSqrt(1.0f - sqr(cosT));
  sinCosTurn(u.y, &s, &c);
  return toWorld(basisAround(direction), make_float3(sinT * c, sinT * s, cosT));
}

// --- Free flight ----------------------------------------------------------------------------------------------------

// Flight is how far a path travels within one segment through a medium.
struct Flight {
  float3 weight;    // for the throughput
  float distance;   // to the scattering event [m]
  bool scattered;   // before the segment's end
};

// sampleFlight draws a distance by the transmittance of one colour channel, chosen by throughput, and weighs it by the
// mixture of all three (balance heuristic, Veach 1995), so that no channel's weight can grow large. sigmaT and sigmaS
// are the coefficients of attenuation and scattering [1/m], reach the length of the segment [m].
DEVICE Flight sampleFlight(float3 sigmaT, float3 sigmaS, float3 throughput, float reach, float2 u) {
  float3 q = throughput * (1.0f / (throughput.x + throughput.y + throughput.z));
  float sigma = u.x < q.x ? sigmaT.x : (u.x < q.x + q.y || q.z <= 0.0f ? sigmaT.y : sigmaT.z);
  Flight f;
  f.distance = sigma > 0.0f ? exactDiv(-logf(1.0f - u.y), sigma) : INFINITE;
  f.scattered = f.distance < reach;
  float s = minf(f.distance, reach);
  float3 transmittance = make_float3(expf(-sigmaT.x * s), expf(-sigmaT.y * s), expf(-sigmaT.z * s));
  float3 density = f.scattered ? sigmaT * transmittance : transmittance;
  f.weight = (f.scattered ? sigmaS * transmittance : transmittance) * (1.0f / dot(q, density));
  return f;
}
