// A small set of kernels laid out like the real ones: nested headers, a lobe, a constant symbol.
#pragma once
#include "device.h"
#include "lobes/scale.cuh"

__constant__ Settings settings;

extern "C" __global__ void scale(float* values) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < settings.count) values[i] = scaled(values[i], settings);
}
