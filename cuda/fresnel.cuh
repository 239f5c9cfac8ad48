// Fresnel reflectance of dielectrics and conductors.
#pragma once

#include "device.h"

// fresnelDielectric is the exact unpolarised reflectance for light that meets the interface at |cos θ| = cosI, where eta
// is the index beyond the interface over the index before it. 1 beyond the critical angle.
DEVICE float fresnelDielectric(float cosI, float eta) {
  float g2 = sqr(eta) - 1.0f + sqr(cosI);
  if (g2 <= 0.0f) return 1.0f;
  // ½ ((g − c) / (g + c))² (1 + ((c (g + c) − 1) / (c (g − c) + 1))²), g = η cos θt (Cook and Torrance 1982).
  float g = sqrtf(g2), less = g - cosI, more = g + cosI, p = cosI * more - 1.0f, q = cosI * less + 1.0f;
  return 0.5f * sqr(less) * (sqr(q) + sqr(p)) / sqr(more * q);
}

// normalAmplitude is √F₀ of an interface.
DEVICE float normalAmplitude(float eta) { return (eta - 1.0f) / (eta + 1.0f); }
DEVICE float normalReflectance(float eta) { return sqr(normalAmplitude(eta)); }

// grazingWeight is Schlick's (1 − cos θ)⁵.
DEVICE float grazingWeight(float cosTheta) {
  float m = saturate(1.0f - cosTheta);
  return sqr(sqr(m)) * m;
}

// fresnelSchlickDielectric approximates fresnelDielectric (Schlick 1994). The angle counts on the side of the lower index,
// so that both sides reflect alike and the critical angle stays where it is.
DEVICE float fresnelSchlickDielectric(float cosI, float eta) {
  float cosThin = cosI;
  if (eta < 1.0f) {
    float sin2T = (1.0f - sqr(cosI)) / sqr(eta);
    if (sin2T >= 1.0f) return 1.0f;
    cosThin = safeSqrt(1.0f - sin2T);
  }
  float f0 = normalReflectance(eta);
  return f0 + (1.0f - f0) * grazingWeight(cosThin);
}

// interfaceReflectance is what a dielectric interface reflects, as frame.flags ask: exact or by Schlick.
DEVICE float interfaceReflectance(float cosI, float eta) {
  return frame.flags & FRAME_SCHLICK ? fresnelSchlickDielectric(cosI, eta) : fresnelDielectric(cosI, eta);
}

// fresnelRise goes from 0 at normal incidence to 1 at grazing as the dielectric does, so that a coat with any colour f0
// reflects f0 (1 − rise) + f90 rise (KHR_materials_specular's mix, without Schlick's approximation unless it is asked for).
// plain is the interface's own reflectance F₀ at normal incidence, scale 1 / (1 − plain).
DEVICE float fresnelRise(float cosI, float ior, float plain, float scale) {
  // At index 1 the exact shape has a limit but rounding has none: Schlick's is close to it.
  if (ior <= 1.0f || (frame.flags & FRAME_SCHLICK)) return grazingWeight(cosI);
  return saturate((fresnelDielectric(cosI, ior) - plain) * scale);
}

// fresnelSchlick of a conductor (Schlick 1994).
DEVICE float3 fresnelSchlick(float3 f0, float cosI) { return f0 + (vec3(1.0f) - f0) * grazingWeight(cosI); }
