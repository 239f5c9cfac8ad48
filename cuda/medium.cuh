// Homogeneous media: how far light goes before it is scattered.
#pragma once

#include "phase.cuh"

// Flight is a path's stretch through a medium.
struct Flight {
  float3 weight;    // for the throughput
  float distance;   // to the scattering event [m]
  bool scattered;   // before the stretch's end
};

// sampleFlight draws a distance by the transmittance of one colour channel, chosen by throughput, and weighs it by the
// mixture of all three (balance heuristic, Veach 1995), so no channel's weight can grow large. sigmaT and sigmaS are the
// coefficients of attenuation and scattering [1/m], reach the length of the stretch [m].
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
