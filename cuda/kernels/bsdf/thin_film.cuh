// A thin film over a surface (KHR_materials_iridescence): what it reflects depends on wavelength, since light that crosses it
// interferes with light that does not. Belcour and Barla 2017, A Practical Extension to Microfacet Theory for the Modeling of
// Varying Iridescence; the fits are those of their paper, without polarisation.
#pragma once

#include "bsdf/microfacet.cuh"

// Film covers a point.
struct Film {
  float weight;      // share of the surface that has it, 0…1
  float ior;         //
  float thickness;   // [nm]
};

DEVICE bool isFilmed(const Film& film) { return has(FEATURE_IRIDESCENCE) && film.weight > 0.0f; }

// filmSensitivity is the Fourier transform of the eye's sensitivity in XYZ at an optical path difference [m], for each shift of
// phase of the channel that reflects it.
DEVICE float3 filmSensitivity(float difference, float3 shift) {
  const float3 height = make_float3(5.4856e-13f, 4.4201e-13f, 5.2481e-13f);
  const float3 middle = make_float3(1.6810e6f, 1.7953e6f, 2.2084e6f);
  const float3 spread = make_float3(4.3278e9f, 9.3046e9f, 6.6121e9f);
  float phase = 2.0f * PI * difference, phase2 = sqr(phase);
  float3 xyz;
  xyz.x = height.x * sqrtf(2.0f * PI * spread.x) * cosf(middle.x * phase + shift.x) * expf(-phase2 * spread.x);
  xyz.y = height.y * sqrtf(2.0f * PI * spread.y) * cosf(middle.y * phase + shift.y) * expf(-phase2 * spread.y);
  xyz.z = height.z * sqrtf(2.0f * PI * spread.z) * cosf(middle.z * phase + shift.z) * expf(-phase2 * spread.z);
  // X has a second peak.
  xyz.x += 9.7470e-14f * sqrtf(2.0f * PI * 4.5282e9f) * cosf(2.2399e6f * phase + shift.x) * expf(-4.5282e9f * phase2);
  return xyz * (1.0f / 1.0685e-7f);
}

// linearRgb of XYZ, Rec.709 primaries.
DEVICE float3 linearRgb(float3 c) {
  return make_float3(3.2404542f * c.x - 1.5371385f * c.y - 0.4985314f * c.z,
                     -0.9692660f * c.x + 1.8760108f * c.y + 0.0415560f * c.z,
                     0.0556434f * c.x - 0.2040259f * c.y + 1.0572252f * c.z);
}

// filmBase is one channel of the interface between the film and what is under it: its reflectance at normal incidence, and the
// phase that light turns by there.
DEVICE void filmBase(float f0, float filmIor, float* reflectance, float* phase) {
  float root = sqrtf(clampf(f0, 0.0f, 0.9999f)), ior = (1.0f + root) / (1.0f - root);
  *reflectance = sqr((ior - filmIor) / (ior + filmIor));
  *phase = ior < filmIor ? PI : 0.0f;
}

// filmReflectance is what a film between air and a base of reflectance f0 at normal incidence reflects at |cos θ| = cosI. A call, not
// inlined: only materials with a film should carry its code.
DEVICE_CALL float3 filmReflectance(Film film, float cosI, float3 f0) {
  // A vanishing film is air.
  float e = saturate(film.thickness * (1.0f / 30.0f));
  float ior = lerp(1.0f, film.ior, sqr(e) * (3.0f - 2.0f * e));
  float cos2 = 1.0f - (1.0f - sqr(cosI)) / sqr(ior);
  if (cos2 < 0.0f) return vec3(1.0f);
  float cosFilm = sqrtf(cos2);
  float top = interfaceReflectance(cosI, ior);
  float through = 1.0f - top, phaseTop = ior < 1.0f ? 0.0f : PI;
  float3 base, phase;
  filmBase(f0.x, ior, &base.x, &phase.x);
  filmBase(f0.y, ior, &base.y, &phase.y);
  filmBase(f0.z, ior, &base.z, &phase.z);
  base = fresnelSchlick(base, cosFilm);
  phase += vec3(phaseTop);
  float difference = 2.0f * ior * film.thickness * 1e-9f * cosFilm;
  // The series over how often light is reflected within the film: its mean, and two terms that interfere.
  float3 both = make_float3(clampf(top * base.x, 0.0f, 0.9999f), clampf(top * base.y, 0.0f, 0.9999f),
                            clampf(top * base.z, 0.0f, 0.9999f));
  float3 amplitude = make_float3(sqrtf(both.x), sqrtf(both.y), sqrtf(both.z));
  float3 leaving = base * sqr(through);
  leaving = make_float3(leaving.x / (1.0f - both.x), leaving.y / (1.0f - both.y), leaving.z / (1.0f - both.z));
  float3 sum = vec3(top) + leaving, term = leaving - vec3(through);
  float3 interference = vec3(0.0f);
  for (uint32_t m = 1; m <= 2; m++) {
    term = term * amplitude;
    interference += term * (linearRgb(filmSensitivity((float)m * difference, phase * (float)m)) * 2.0f);
  }
  sum += interference;
  return make_float3(saturate(sum.x), saturate(sum.y), saturate(sum.z));
}

// filmed is the reflectance of a surface whose own is `plain`, f0 at normal incidence.
DEVICE float3 filmed(const Film& film, float cosI, float3 f0, float3 plain) {
  return isFilmed(film) ? lerp(plain, filmReflectance(film, cosI, f0), film.weight) : plain;
}
