// Boxes against rays: the two of a binary node, and the eight of a wide one. Included by device.h.
//
// A test is widened by the rounding of its products (Ize 2013, Robust BVH Ray Traversal): no ray slips past a box that it
// touches, and none is passed over for lying as far as the hit that is known already.
#pragma once

// slabInverse is 1/d, kept finite so that a ray along a face of a box yields no 0·∞.
DEVICE float slabInverse(float d) { return exactInverse(absf(d) < 1e-20f ? copySign(1e-20f, d) : d); }
DEVICE float3 slabInverse(float3 d) { return make_float3(slabInverse(d.x), slabInverse(d.y), slabInverse(d.z)); }

// Distances as integers: bits of floats are ordered like integers where at most one is negative, and what is negative here
// counts as 0 or as a miss. Then a step of one is a step of rounding, and Hopper compares three in one instruction.
DEVICE int32_t distanceBits(float t) { return (int32_t)floatBits(t); }

// How far the end of a box is put off: in steps of rounding, or by a factor.
DEVICE_TABLE int32_t SLAB_ULPS = 32;
DEVICE_TABLE float SLAB_WIDEN = 1.000004f;

// --- Two boxes ------------------------------------------------------------------------------------------------------
// SlabRay is a ray prepared for box tests; limit() lowers the distance beyond which boxes do not matter.
// boxes2 sets bit i where the ray meets the box of child i; `secondFirst` says that it enters that of child 1 first.

#ifdef __CUDACC__
#define KEEP_BRANCH()
// nearOf is the greatest of three and 0; farOf is the least of three, widened, and of `reach`.
DEVICE int32_t nearOf(float a, float b, float c) {
  return __vimax3_s32_relu(distanceBits(a), distanceBits(b), distanceBits(c));
}
DEVICE int32_t farOf(float a, float b, float c, int32_t reach) {
  return __viaddmin_s32(__vimin3_s32(distanceBits(a), distanceBits(b), distanceBits(c)), SLAB_ULPS, reach);
}

struct SlabRay {
  float3 origin, inverse;
  int32_t reach;   // bits of the distance, widened
};

DEVICE void limit(SlabRay& r, float tMax) { r.reach = distanceBits(tMax) + SLAB_ULPS; }
DEVICE SlabRay slabRay(float3 origin, float3 d, float tMax) {
  SlabRay r = {origin, slabInverse(d), 0};
  limit(r, tMax);
  return r;
}

// slab is the distances to the two near and the two far planes. Chosen by sign and not by minimum, so that no ray enters
// the inverted box of a missing child.
DEVICE float4 slab(float4 planes, float origin, float inverse) {
  bool flip = inverse < 0.0f;
  return make_float4(
      ((flip ? planes.z : planes.x) - origin) * inverse, ((flip ? planes.w : planes.y) - origin) * inverse,
      ((flip ? planes.x : planes.z) - origin) * inverse, ((flip ? planes.y : planes.w) - origin) * inverse);
}

DEVICE uint32_t boxes2(const SlabRay& r, const BvhNode& node, bool* secondFirst) {
  float4 x = slab(node.x, r.origin.x, r.inverse.x);
  float4 y = slab(node.y, r.origin.y, r.inverse.y);
  float4 z = slab(node.z, r.origin.z, r.inverse.z);
  int32_t near0 = nearOf(x.x, y.x, z.x), near1 = nearOf(x.y, y.y, z.y);
  *secondFirst = near1 < near0;
  // The children are never the same; asked here, all four loads of a node go out together.
  bool second = (near1 <= farOf(x.w, y.w, z.w, r.reach)) & (node.child[0] != node.child[1]);
  return (near0 <= farOf(x.z, y.z, z.z, r.reach) ? 1u : 0u) | (second ? 2u : 0u);
}
#else
// KEEP_BRANCH stops the compiler from making a branch a conditional move: the processor guesses a branch, and fetches
// the next node while the boxes of this one are still being tested (twice the rays per second).
#define KEEP_BRANCH() asm volatile("")

// The lanes are the two near and the two far planes. Far distances are negated: one maximum then serves all four.
struct SlabRay {
  __m128 origin[3], inverse[3];
  __m128 range;           // 0, 0, −tMax, −tMax
  uint32_t nearPair[3];   // which half of a row of bounds holds the near planes
};

DEVICE void limit(SlabRay& r, float tMax) {
  float end = -minf(tMax * SLAB_WIDEN, INFINITE);
  r.range = _mm_setr_ps(0.0f, 0.0f, end, end);
}
DEVICE SlabRay slabRay(float3 origin, float3 direction, float tMax) {
  SlabRay r;
  const float o[3] = {origin.x, origin.y, origin.z}, d[3] = {direction.x, direction.y, direction.z};
  for (int a = 0; a < 3; a++) {
    float inverse = slabInverse(d[a]), widened = -inverse * SLAB_WIDEN;
    r.origin[a] = _mm_set1_ps(o[a]);
    r.inverse[a] = _mm_setr_ps(inverse, inverse, widened, widened);
    r.nearPair[a] = inverse < 0.0f;
  }
  limit(r, tMax);
  return r;
}

DEVICE __m128 slab(const SlabRay& r, int axis, const float4& bounds) {
  const __m64* pairs = (const __m64*)&bounds;
  uint32_t near = r.nearPair[axis];
  __m128 planes = _mm_loadh_pi(_mm_loadl_pi(_mm_setzero_ps(), pairs + near), pairs + (near ^ 1));
  return _mm_mul_ps(_mm_sub_ps(planes, r.origin[axis]), r.inverse[axis]);
}

DEVICE uint32_t boxes2(const SlabRay& r, const BvhNode& node, bool* secondFirst) {
  __m128 t = _mm_max_ps(slab(r, 0, node.x), r.range);
  t = _mm_max_ps(t, _mm_max_ps(slab(r, 1, node.y), slab(r, 2, node.z)));
  __m128 far = _mm_xor_ps(_mm_movehl_ps(t, t), _mm_set1_ps(-0.0f));
  *secondFirst = _mm_comilt_ss(_mm_shuffle_ps(t, t, 1), t);
  return _mm_movemask_ps(_mm_cmple_ps(t, far)) & 3;
}
#endif

// --- Eight boxes ----------------------------------------------------------------------------------------------------

// greatest and least of three distances, none of which is negative, as bits.
DEVICE int32_t greatest(float a, float b, float c) {
  int32_t x = distanceBits(a), y = distanceBits(b), z = distanceBits(c);
#ifdef __CUDACC__
  return __vimax3_s32(x, y, z);
#else
  int32_t m = x > y ? x : y;
  return m > z ? m : z;
#endif
}
DEVICE int32_t least(float a, float b, float c) {
  int32_t x = distanceBits(a), y = distanceBits(b), z = distanceBits(c);
#ifdef __CUDACC__
  return __vimin3_s32(x, y, z);
#else
  int32_t m = x < y ? x : y;
  return m < z ? m : z;
#endif
}

// withSign is the bits, one place up, and below them whether x is negative.
DEVICE uint32_t withSign(uint32_t bits, int32_t x) {
#ifdef __CUDACC__
  return __funnelshift_l((uint32_t)x, bits, 1);
#else
  return bits << 1 | (uint32_t)x >> 31;
#endif
}

// gridByte is byte i of the word + GRID_SHIFT, made by pasting the byte into a mantissa. The instruction has room for one constant:
// which byte. The bits of GRID_SHIFT are read from memory, lest the compiler makes that its constant, and the others registers.
DEVICE_TABLE float GRID_SHIFT = 32768.0f;
#ifdef __CUDACC__
extern "C" {
__constant__ uint32_t gridShiftBits = 0x47000000u;
}
DEVICE float gridByte(uint32_t word, uint32_t i) {
  return bitsFloat(__byte_perm(word, gridShiftBits, 0x7404u | i << 4));
}
#else
DEVICE float gridByte(uint32_t word, uint32_t i) { return bitsFloat(0x47000000u | (word >> 8 * i & 0xffu) << 8); }
#endif

// byteOf is byte i of the word.
DEVICE uint32_t byteOf(uint32_t word, uint32_t i) {
#ifdef __CUDACC__
  return __byte_perm(word, 0, 0x4440u | i);
#else
  return word >> 8 * i & 0xffu;
#endif
}

#ifdef GLINT_FMA
// EIGHT_BOXES says that this build tests all eight at once.
#define EIGHT_BOXES

// WideSlabs is a ray prepared for that: SlabRay with all lanes alike.
struct WideSlabs {
  __m256 origin[3], inverse[3];
  float reach;        // widened [m]
  uint32_t flip[3];   // floats from the row of lower bounds to the row of near planes
};

DEVICE void limit(WideSlabs& r, float tMax) { r.reach = tMax * SLAB_WIDEN; }
DEVICE WideSlabs wideSlabs(float3 origin, float3 direction, float tMax) {
  float3 i = slabInverse(direction);
  WideSlabs r = {{_mm256_set1_ps(origin.x), _mm256_set1_ps(origin.y), _mm256_set1_ps(origin.z)},
                 {_mm256_set1_ps(i.x), _mm256_set1_ps(i.y), _mm256_set1_ps(i.z)},
                 0.0f,
                 {i.x < 0.0f ? 8u : 0u, i.y < 0.0f ? 8u : 0u, i.z < 0.0f ? 8u : 0u}};
  limit(r, tMax);
  return r;
}

// planes8 is the distances to eight planes across one axis.
DEVICE __m256 planes8(const WideSlabs& r, int axis, const float* row) {
  return _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(row), r.origin[axis]), r.inverse[axis]);
}

// boxes8 sets bit i where the ray meets the box of slot i, and gives where it enters. `near` is aligned to 32 bytes.
DEVICE uint32_t boxes8(const WideSlabs& r, const SpreadNode& n, float* near) {
  const float *x = n.loX, *y = n.loY, *z = n.loZ;
  __m256 enter = _mm256_max_ps(planes8(r, 0, x + r.flip[0]), _mm256_setzero_ps());
  __m256 leave = _mm256_min_ps(planes8(r, 0, x + (r.flip[0] ^ 8)), _mm256_set1_ps(r.reach));
  enter = _mm256_max_ps(enter, _mm256_max_ps(planes8(r, 1, y + r.flip[1]), planes8(r, 2, z + r.flip[2])));
  leave = _mm256_min_ps(leave, _mm256_min_ps(planes8(r, 1, y + (r.flip[1] ^ 8)), planes8(r, 2, z + (r.flip[2] ^ 8))));
  _mm256_store_ps(near, enter);
  leave = _mm256_mul_ps(leave, _mm256_set1_ps(SLAB_WIDEN));
  return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(enter, leave, _CMP_LE_OQ));
}
#endif
