// Single device functions of the kernels, as maps from numbers to numbers.
#include "cpu_variant.h"
#pragma GCC optimize("O3,fp-contract=off,no-math-errno,no-trapping-math")

#include "probe.h"

namespace {
#include "denoise/atrous.cuh"
#include "display/bloom.cuh"
#include "scene/camera.cuh"
#include "denoise/history.cuh"
#include "light/light.cuh"
#include "reuse.cuh"
#include "display/tonemap.cuh"

float2 pair(const float* p) { return make_float2(p[0], p[1]); }
float3 vector(const float* p) { return make_float3(p[0], p[1], p[2]); }
void store(float3 v, float* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

void mapDisk(const float* in, float* out) {
  float2 p = sampleDisk(pair(in));
  out[0] = p.x;
  out[1] = p.y;
}

// u, and how many corners.
void mapPolygon(const float* in, float* out) {
  float2 p = samplePolygon(pair(in), (uint32_t)in[2]);
  out[0] = p.x;
  out[1] = p.y;
}

// whole is a number of [0, 1) in 32 bits.
uint32_t whole(float u) { return (uint32_t)((double)u * 4294967296.0); }
uint2 wholePair(const float* p) { return {whole(p[0]), whole(p[1])}; }

void mapAlias(const float* in, float* out) {
  *out = (float)chooseAlias(pointer<const AliasEntry>(frame.scene.lightAlias), frame.scene.lightCount, wholePair(in));
}

// The upper and the lower half of 32 bits, and n; gives the number below n by 4096, and the rest.
void mapScaled(const float* in, float* out) {
  uint32_t i = scaled((uint32_t)in[0] << 16 | (uint32_t)in[1], (uint32_t)in[2]);
  out[0] = (float)(i >> 12);
  out[1] = (float)(i & 4095u);
}

void mapTexture(const float* in, float* out) {
  float4 c = sampleTexture(*pointer<const Texture>(frame.scene.textures), pair(in));
  store(xyz(c), out);
  out[3] = c.w;
}

const TextureRef wholeOfTexture0 = {0, 0, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};

// The point (u, v), and the area around it.
void mapFilteredTexture(const float* in, float* out) {
  float4 c = filteredTexture(wholeOfTexture0, pair(in), pair(in), make_float2(in[2], in[2]));
  store(xyz(c), out);
  out[3] = c.w;
}

// Triangle 0 from so many metres of the camera away, towards in[1…3].
void mapMipLevel(const float* in, float* out) {
  Surface s = makeSurface({in[0], 0.25f, 0.25f, 0}, vector(in + 1), seenWidth(in[0]));
  const Texture& t = *pointer<const Texture>(frame.scene.textures);
  *out = mipLevel(t, texelsOf(wholeOfTexture0, t, s.footprint.x));
}

// Light 0 from point in[0…2] of a surface that faces in[3…5]. Gives its direction, distance and pdf; pdf 0 when there is none.
void mapTriangleLight(const float* in, float* out) {
  LightSample l = {};
  const Light& light = *pointer<const Light>(frame.scene.lights);
  l.pdf = light.selection;
  if (!sampleTriangleLight(light, vector(in), vector(in + 3), in[6], pair(in + 7), &l)) l.pdf = 0.0f;
  store(l.wi, out);
  out[3] = l.distance;
  out[4] = l.pdf;
}

void drawEnvironment(const float* in, float* out) {
  EnvironmentSample sky = sampleEnvironment(wholePair(in), pair(in + 2));
  store(sky.wi, out);
  store(sky.Li, out + 3);
  out[6] = sky.pdf;
}

void mapDrawnLight(const float* in, float* out) {
  DrawnLight drawn = drawLight(vector(in), vector(in + 3), wholePair(in + 6));
  out[0] = drawn.light == NO_LIGHT ? -1.0f : (float)drawn.light;
  out[1] = drawn.selection;
  out[2] = drawn.withoutNormal;
}

void mapChanceOfLight(const float* in, float* out) {
  DrawnLight drawn = chanceByPlace((uint32_t)in[6], vector(in), vector(in + 3));
  out[0] = drawn.selection;
  out[1] = drawn.withoutNormal;
}

float riseOf(float cosI, float ior) {
  float f0 = normalReflectance(ior);
  return fresnelRise(cosI, ior, f0, 1.0f / (1.0f - f0));
}

// A stretch through a medium: attenuation, scattering, throughput, its length, u. Gives weight, distance, 1 if scattered.
void mapFlight(const float* in, float* out) {
  Flight f = sampleFlight(vector(in), vector(in + 3), vector(in + 6), in[9], pair(in + 10));
  store(f.weight, out);
  out[3] = f.distance;
  out[4] = f.scattered ? 1.0f : 0.0f;
}

// Pixel in[0…1], place in[2…4].
void mapReproject(const float* in, float* out) {
  out[2] = reproject((uint32_t)in[0], (uint32_t)in[1], vector(in + 2), vector(in + 2), out, out + 1) ? 1.0f : 0.0f;
}

// Light, error, normal.
void mapIrradiance(const float* in, float* out) {
  Tap t = unpackIrradiance(packIrradiance({vector(in), in[3], vector(in + 4), 0.5f, 1.0f, 0}));
  store(t.light, out);
  out[3] = t.error;
  store(t.normal, out + 4);
}

struct Function {
  int inputs, outputs;
  void (*apply)(const float* in, float* out);
};

// THE table of functions, in the order in which Go numbers them (functions.go).
const Function functions[] = {
    {2, 1, [](const float* in, float* out) { *out = fresnelDielectric(in[0], in[1]); }},
    {2, 1, [](const float* in, float* out) { *out = interfaceReflectance(in[0], in[1]); }},
    {2, 1, [](const float* in, float* out) { *out = riseOf(in[0], in[1]); }},
    {2, 1, [](const float* in, float* out) { *out = fresnelSchlick(vec3(in[0]), in[1]).x; }},
    {6, 3,
     [](const float* in, float* out) { store(sampleGgxVisible(vector(in), alikeWidth(in[3]), pair(in + 4)), out); }},
    {7, 1, [](const float* in, float* out) { *out = ggxVisiblePdf(vector(in), vector(in + 3), alikeWidth(in[6])); }},
    {3, 1, [](const float* in, float* out) { *out = albedoSlice((uint32_t)in[0], in[1], in[2]); }},
    {2, 2, mapDisk},
    {3, 2, mapPolygon},
    {2, 1, mapAlias},
    {4, 7, drawEnvironment},
    {3, 1, [](const float* in, float* out) { *out = environmentPdf(vector(in)); }},
    {3, 3, [](const float* in, float* out) { store(environmentRadiance(vector(in)), out); }},
    {9, 5, mapTriangleLight},
    {4, 3, [](const float* in, float* out) { store(tonemap(vector(in), (uint32_t)in[3]), out); }},
    {2, 4, mapTexture},
    {7, 3, [](const float* in, float* out) { store(offsetOrigin(vector(in), vector(in + 3), in[6]), out); }},
    {1, 2, [](const float* in, float* out) { sinCosTurn(*in, out, out + 1); }},
    {3, 3, [](const float* in, float* out) { store(unpackNormal(packNormal(vector(in))), out); }},
    {5, 3, [](const float* in, float* out) { store(radianceThere(in), out); }},
    {12, 1, mapJacobian},
    {26, 4, mapPairwise},
    {26, 2, mapBalance},
    {6, 3, [](const float* in, float* out) { store(sampleHenyeyGreenstein(vector(in), in[3], pair(in + 4)), out); }},
    {5, 3, mapReproject},
    {7, 7, mapIrradiance},
    {12, 5, mapFlight},
    {2, 3, [](const float* in, float* out) { store(strayLight((uint32_t)in[0], (uint32_t)in[1]), out); }},
    {1, 1, [](const float* in, float* out) { *out = fastLog2(*in); }},
    {1, 1, [](const float* in, float* out) { *out = fastExp2(*in); }},
    {2, 1, [](const float* in, float* out) { *out = fastPow(in[0], in[1]); }},
    {3, 2, mapScaled},
    {8, 3, mapDrawnLight},
    {7, 2, mapChanceOfLight},
    {15, 4, mapShift},
    {2, 2, mapMetWeights},
    {3, 4, mapFilteredTexture},
    {4, 1, mapMipLevel},
};
}   // namespace

void glint_probe_map(const void* f, int function, int n, const float* in, float* out) {
  currentFrame = (const Frame*)f;
  const Function& row = functions[function];
  for (int i = 0; i < n; i++) row.apply(in + i * row.inputs, out + i * row.outputs);
}

int glint_probe_arity(int function, int* inputs, int* outputs) {
  if (function < 0 || function >= (int)(sizeof functions / sizeof functions[0])) return 0;
  *inputs = functions[function].inputs;
  *outputs = functions[function].outputs;
  return 1;
}
