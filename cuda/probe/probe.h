// The C face of package probe: what Go calls.
#pragma once
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

// ProbePoint is a place where a material is seen. The geometric normal on wo's side is +z.
typedef struct {
  float wo[3];         // unit, z > 0
  float normal[3];     // shading normal, unit
  float position[3];   // where procedural noise is looked up [m]
  int32_t front;       // wo is on the side that the surface faces
} ProbePoint;

// ProbeSample is what sampleBsdf drew.
typedef struct {
  float wi[3];
  float weight[3];
  float pdf;
  int32_t delta;
} ProbeSample;

// ProbeValue is what evalBsdf says.
typedef struct {
  float f[3];   // times |cos|
  float pdf;
  float shared[3];   // what of f neighbouring pixels may share
} ProbeValue;

// glint_probe_sample draws n samples from triples of numbers (lobe, u.x, u.y).
void glint_probe_sample(const void* frame, const void* material, const ProbePoint* at, int n, const float* u,
                        ProbeSample* out);

// glint_probe_eval evaluates n directions.
void glint_probe_eval(const void* frame, const void* material, const ProbePoint* at, int n, const float* wi,
                      ProbeValue* out);

// glint_probe_points writes the pair `dimension` of samples first, first + 1, … of a pixel.
void glint_probe_points(uint32_t x, uint32_t y, uint32_t seed, uint32_t dimension, uint32_t first, int n, float* out);

// glint_probe_numbers does the same for a single number.
void glint_probe_numbers(uint32_t x, uint32_t y, uint32_t seed, uint32_t dimension, uint32_t first, int n, float* out);

// glint_probe_map applies row `function` of the table of functions n times.
void glint_probe_map(const void* frame, int function, int n, const float* in, float* out);

// glint_probe_arity is how many numbers row `function` takes and gives; 0 past the end.
int glint_probe_arity(int function, int* inputs, int* outputs);

// glint_probe_walk traces rays [begin, end) of the frame by the GPU's ray loop through the wide tree.
void glint_probe_walk(const void* frame, uint32_t begin, uint32_t end, int any);

#ifdef __cplusplus
}
#endif
