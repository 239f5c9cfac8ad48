// Logarithms and powers for display: without branches or calls, so that compilers vectorise loops over pixels, and with
// the same bits on a GPU and on a CPU that has fused multiply-adds. Accurate to a thousandth of an 8-bit step, not to the
// last bit: what is measured uses log2f and powf. The polynomials are minimax (Remez).
#pragma once

#include "core/device.h"

// cap is x clamped to 0…most, and 0 where it is not a number. Positive floats are in the order of their bits. Of two comparisons
// of floats in a row GCC makes branches, and in loops masks, where this is a maximum and a minimum.
DEVICE float cap(float x, float most) { return bitsFloat(minu(floatBits(maxf(x, 0.0f)), floatBits(most))); }

// fastLog2 is log2(x) for normal x > 0, within 2e-7 besides the rounding of the result. For 0 it is about −127.
DEVICE float fastLog2(float x) {
  const uint32_t sqrtHalf = 0x3f3504f3u;   // the mantissa is brought into [√½, √2)
  int32_t exponent = (int32_t)(floatBits(x) - sqrtHalf) >> 23;
  float m = bitsFloat(floatBits(x) - ((uint32_t)exponent << 23)) - 1.0f;
  float p = madd(m, -0.149733262f, 0.235709636f);
  p = madd(m, p, -0.248322812f);
  p = madd(m, p, 0.286868876f);
  p = madd(m, p, -0.360263462f);
  p = madd(m, p, 0.480931162f);
  p = madd(m, p, -0.721352487f);
  p = madd(m, p, 1.44269492f);
  return madd(m, p, (float)exponent);
}

// fastExp2 is 2^x for −126 ≤ x < 128, with a relative error of at most 2e-7; fastExp2(0) is 1.
DEVICE float fastExp2(float x) {
  const float bias = 12582912.0f;   // 1.5 · 2²³: adding it rounds to an integer
  float rounded = x + bias;
  float f = x - (rounded - bias);
  float p = madd(f, 0.00132647272f, 0.00967151264f);
  p = madd(f, p, 0.0555073374f);
  p = madd(f, p, 0.240222421f);
  p = madd(f, p, 0.693146978f);
  p = madd(f, p, 1.0f);
  return bitsFloat(floatBits(p) + (floatBits(rounded) << 23));   // what the bias has above the integer is shifted out
}

// fastPow is x^y for x ≥ 0, as far as fastExp2 goes.
DEVICE float fastPow(float x, float y) { return fastExp2(y * fastLog2(x)); }
