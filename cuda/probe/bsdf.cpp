// The material's BSDF and the sampler, as tests see them.
#include "cpu_variant.h"
#pragma GCC optimize("O3,fp-contract=off,no-math-errno,no-trapping-math")

#include "probe.h"

namespace {
#include "bsdf/make_bsdf.cuh"
#include "restir/reservoir.cuh"

Bsdf bsdfAt(const Material& m, const ProbePoint& at) {
  Surface s = {};
  s.ng = make_float3(0.0f, 0.0f, 1.0f);
  s.ns = make_float3(at.normal[0], at.normal[1], at.normal[2]);
  s.color = make_float3(1.0f, 1.0f, 1.0f);
  s.tangent = make_float4(1.0f, 0.0f, 0.0f, 1.0f);
  s.position = make_float3(at.position[0], at.position[1], at.position[2]);
  s.front = at.front != 0;
  return makeBsdf(m, s, makeAppearance(m, s), make_float3(at.wo[0], at.wo[1], at.wo[2]));
}
}   // namespace

void glint_probe_sample(const void* f, const void* material, const ProbePoint* at, int n, const float* u,
                        ProbeSample* out) {
  currentFrame = (const Frame*)f;
  Bsdf b = bsdfAt(*(const Material*)material, *at);
  for (int i = 0; i < n; i++) {
    BsdfSample s = sampleBsdf(b, u[3 * i], make_float2(u[3 * i + 1], u[3 * i + 2]));
    out[i] = {{s.wi.x, s.wi.y, s.wi.z}, {s.weight.x, s.weight.y, s.weight.z}, s.pdf, s.delta};
  }
}

void glint_probe_eval(const void* f, const void* material, const ProbePoint* at, int n, const float* wi,
                      ProbeValue* out) {
  currentFrame = (const Frame*)f;
  Bsdf b = bsdfAt(*(const Material*)material, *at);
  for (int i = 0; i < n; i++) {
    float3 toLight = make_float3(wi[3 * i], wi[3 * i + 1], wi[3 * i + 2]);
    BsdfValue v = evalBsdf(b, toLight);
    float3 shared = sharedPart(b, v, toLight);
    out[i] = {{v.f.x, v.f.y, v.f.z}, v.pdf, {shared.x, shared.y, shared.z}};
  }
}

void glint_probe_points(uint32_t x, uint32_t y, uint32_t seed, uint32_t dimension, uint32_t first, int n, float* out) {
  for (int i = 0; i < n; i++) {
    Sampler s = beginSampler(x, y, first + i, seed);
    s.dimension = dimension;
    float2 p = sample2(s);
    out[2 * i] = p.x;
    out[2 * i + 1] = p.y;
  }
}

void glint_probe_numbers(uint32_t x, uint32_t y, uint32_t seed, uint32_t dimension, uint32_t first, int n, float* out) {
  for (int i = 0; i < n; i++) {
    Sampler s = beginSampler(x, y, first + i, seed);
    s.dimension = dimension;
    out[i] = sample1(s);
  }
}
