// Fresnel reflectance of dielectrics and conductors.
#pragma once

#include "device.h"

// fresnelDielectric is the exact unpolarised reflectance for light that meets the interface at |cos θ| = cosI, where eta
// is the index beyond the interface over the index before it. 1 beyond the critical angle.
DEVICE float fresnelDielectric(float cosI, float eta) {
  float sin2T = (1.0f - sqr(cosI)) / sqr(eta);
  if (sin2T >= 1.0f) return 1.0f;
  float cosT = safeSqrt(1.0f - sin2T);
  float parallel = (eta * cosI - cosT) / (eta * cosI + cosT);
  float perpendicular = (cosI - eta * cosT) / (cosI + eta * cosT);
  return 0.5f * (sqr(parallel) + sqr(perpendicular));
}

// normalReflectance is F₀ of an interface.
DEVICE float normalReflectance(float eta) { return sqr((eta - 1.0f) / (eta + 1.0f)); }

// fresnelRise goes from 0 at normal incidence to 1 at grazing as the exact dielectric does, so that a coat with any
// colour f0 reflects f0 (1 − rise) + f90 rise (KHR_materials_specular's mix, without Schlick's approximation).
DEVICE float fresnelRise(float cosI, float ior) {
  float f0 = normalReflectance(ior);
  if (ior <= 1.0f) {   // the shape has a limit, rounding has none: Schlick's is close to it
    float m = saturate(1.0f - cosI);
    return sqr(sqr(m)) * m;
  }
  return saturate((fresnelDielectric(cosI, ior) - f0) / (1.0f - f0));
}

// fresnelSchlick of a conductor (Schlick 1994).
DEVICE float3 fresnelSchlick(float3 f0, float cosI) {
  float m = saturate(1.0f - cosI);
  float m5 = sqr(sqr(m)) * m;
  return f0 + (vec3(1.0f) - f0) * m5;
}
