// Homogeneous media: how far light travels before it is scattered, and in which direction.
#pragma once

#include "core/device.h"

// --- The phase function ---------------------------------------------------------------------------------------------
// Henyey and Greenstein's (1941): light is turned by an angle whose cosine has the mean g, with density
//   p(cos θ) = (1 − g²) / (4π (1 + g² − 2 g cos θ)^(3/2)) [1/sr].

// sampleHenyeyGreenstein turns a direction of travel. The density is p itself, so the sample's weight is 1.
DEVICE float3 sampleHenyeyGreenstein(float3 direction, float g, float2 u) {
  float x = 2.0f * u.x - 1.0f;
  // The inverse of p's distribution function with its division by 2g carried out: it holds at g = 0, too.
  float cosT = (x + g * (1.5f + 0.5f * sqr(x) + g * (x + g * 0.5f * (sqr(x) - 1.0f)))) / sqr(1.0f + g * x);
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
  f.distance = sigma > 0.0f ? -logf(1.0f - u.y) / sigma : INFINITE;
  f.scattered = f.distance < reach;
  float s = minf(f.distance, reach);
  float3 transmittance = make_float3(expf(-sigmaT.x * s), expf(-sigmaT.y * s), expf(-sigmaT.z * s));
  float3 density = f.scattered ? sigmaT * transmittance : transmittance;
  f.weight = (f.scattered ? sigmaS * transmittance : transmittance) * (1.0f / dot(q, density));
  return f;
}
