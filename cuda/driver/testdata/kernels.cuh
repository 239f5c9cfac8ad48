// Kernels of the driver package's tests; `make kernels` compiles them.
#pragma once

struct Settings {
  float scale;
  unsigned count;
};

__constant__ Settings settings;

// sum = scale · a + b; the arguments are of 8, 8, 8 and 4 bytes.
extern "C" __global__ void scaledSum(float* sum, const float* a, const float* b, unsigned first) {
  unsigned i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < settings.count) sum[i] = settings.scale * a[i] + b[i];
}

// One argument of each kind, written out as the kernel received it.
extern "C" __global__ void echo(unsigned long long* out, unsigned u, int i, float f, unsigned long long wide) {
  out[0] = u;
  out[1] = (unsigned long long)(long long)i;
  out[2] = (unsigned long long)(f * 1024.0f);
  out[3] = wide;
}

// Takes long enough for a clock: one thread, n dependent steps.
extern "C" __global__ void spin(float* out, unsigned n) {
  float x = out[0];
  for (unsigned k = 0; k < n; k++) x = x * 0.999f + 0.001f;
  out[0] = x;
}
