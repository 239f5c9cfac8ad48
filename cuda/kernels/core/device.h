// device.h: with boxes.h, triangles.h, warp.h, matrix.h and rays.h, which it includes, the only file that knows whether the kernels are
// CUDA or C++.
//
// Sums and products have the same bits on both sides: nothing is contracted, and a fused multiply-add is written madd(). Quotients and roots
// are approximate on a GPU, unless they are asked to be exact (exactDiv).
#pragma once

// A DEVICE_CALL takes and returns values, and addresses of memory that all threads see. NVRTC 12.1 hands the address of a caller's own
// variable over in a uniform register, which threads of a warp share that call from different places: they then read nowhere.
#ifdef __CUDACC__
#define PREFETCH(address)   // other warps hide the time
#define DEVICE __device__ __forceinline__
#define DEVICE_METHOD __device__ __forceinline__
#define DEVICE_CALL __device__ __noinline__
#define DEVICE_TABLE __constant__ const
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef int int32_t;
typedef unsigned long long uint64_t;
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <immintrin.h>
#define PREFETCH(address) __builtin_prefetch(address)
#define DEVICE static inline __attribute__((always_inline))
#define DEVICE_METHOD inline __attribute__((always_inline))
#define DEVICE_CALL static __attribute__((noinline))
#define DEVICE_TABLE static const
struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(8) uint2 {
  uint32_t x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
#endif

#include "core/kernel_list_gen.h"
#include "params/frame.h"

// --- The frame and the kernels -------------------------------------------------------------------------------------
// KERNEL(name, threads, blocks, category) { … } defines a kernel; the text is the body for one index. CUDA makes an entry of
// one thread an index of it; C++ a loop over a range. `threads` is the size of a block and `blocks` how many of them a
// multiprocessor is to hold at once, which bounds the registers of a thread. `category` is what the kernel's time is spent on,
// one of the categories of cuda/kernels.go. cuda/tools/gen finds these definitions, one a line, and writes kernel_list_gen.h,
// kernels_gen.cuh and their Go twin: `make kernels`.
//
// QUEUE_KERNEL(name, threads, blocks, category, length) { … } is the body for each index below a length that is read on the
// device, when the kernel runs; the launch is for as many as there may be.
//
// BLOCK_KERNEL(name, threads, blocks, category, Shared) { … } is the body for a block of threads that work together on
// `shared`; it means exactly so many threads, where they are a matter of speed for others. It is a sequence of
// PHASE(lane) { … }, each for all lanes at once; all see what the phases before have written. CUDA puts a barrier after
// a phase, C++ runs it as a loop, so what a lane remembers lives in `shared`. A lane leaves a phase only by `continue`,
// and the control flow around phases must be the same for all lanes. PHASE_BELOW(lane, end) { … } is a phase of the lanes
// below `end`, at most `threads`.
//
// RAY_KERNEL(name, threads, blocks, category) { … } is for threads that fetch their indices: rays.h.
//
// With GLINT_RAYS, which compiles the programs of hardware/rays.cuh, kernels are functions that nobody calls.

// THREADS_name is the size of a block, for what `shared` holds; BLOCKS_name is how many a multiprocessor is to hold.
enum BlockSize : uint32_t {
#define X(name, threads, blocks) THREADS_##name = threads, BLOCKS_##name = blocks,
  KERNELS(X)
#undef X
};

// LISTED checks a definition against the generated list.
#define LISTED(name, threads, blocks) \
  static_assert(THREADS_##name == threads && BLOCKS_##name == blocks, "run `make kernels`");

#ifdef __CUDACC__
extern "C" {
__constant__ Frame frame;
}
#ifdef GLINT_RAYS
#define KERNEL(name, threads, blocks, category) \
  LISTED(name, threads, blocks)                 \
  static __device__ __forceinline__ void name##_at(uint32_t index, uint32_t pass)
#define QUEUE_KERNEL(name, threads, blocks, category, length) KERNEL(name, threads, blocks, category)
#define BLOCK_KERNEL(name, size, blocks, category, Shared) \
  LISTED(name, size, blocks)                               \
  static __device__ __forceinline__ void name##_block(Shared& shared, uint32_t block, uint32_t threads, uint32_t pass)
#else
#define KERNEL(name, threads, blocks, category)                                                     \
  LISTED(name, threads, blocks)                                                                     \
  static __device__ __forceinline__ void name##_at(uint32_t, uint32_t);                             \
  extern "C" __global__ void __launch_bounds__(THREADS_##name, BLOCKS_##name) name(uint32_t pass) { \
    name##_at(blockIdx.x* blockDim.x + threadIdx.x, pass);                                          \
  }                                                                                                 \
  static __device__ __forceinline__ void name##_at(uint32_t index, uint32_t pass)
#define QUEUE_KERNEL(name, threads, blocks, category, length)                                       \
  LISTED(name, threads, blocks)                                                                     \
  static __device__ __forceinline__ void name##_at(uint32_t, uint32_t);                             \
  extern "C" __global__ void __launch_bounds__(THREADS_##name, BLOCKS_##name) name(uint32_t pass) { \
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
    if (i < length) name##_at(i, pass);                                                             \
  }                                                                                                 \
  static __device__ __forceinline__ void name##_at(uint32_t index, uint32_t pass)
#define BLOCK_KERNEL(name, size, blocks, category, Shared)                                          \
  LISTED(name, size, blocks)                                                                        \
  static __device__ __forceinline__ void name##_block(Shared&, uint32_t, uint32_t, uint32_t);       \
  extern "C" __global__ void __launch_bounds__(THREADS_##name, BLOCKS_##name) name(uint32_t pass) { \
    __shared__ Shared shared;                                                                       \
    name##_block(shared, blockIdx.x, THREADS_##name, pass);                                         \
  }                                                                                                 \
  static __device__ __forceinline__ void name##_block(Shared& shared, uint32_t block, uint32_t threads, uint32_t pass)
#endif
#define PHASE(lane) for (uint32_t lane = threadIdx.x, open = 1; open; open = 0, __syncthreads())
#define PHASE_BELOW(lane, end) PHASE(lane) if (lane < (end))
#else
// Each worker thread points this at the frame it works on, so that several renderers live in one process.
static thread_local const Frame* currentFrame __attribute__((tls_model("initial-exec")));
#define frame (*currentFrame)
typedef void KernelRange(const Frame*, uint32_t begin, uint32_t end, uint32_t pass);
#define KERNEL(name, threads, blocks, category)                                   \
  LISTED(name, threads, blocks)                                                   \
  static void name##_at(uint32_t, uint32_t);                                      \
  static void name(const Frame* f, uint32_t begin, uint32_t end, uint32_t pass) { \
    currentFrame = f;                                                             \
    for (uint32_t index = begin; index < end; index++) name##_at(index, pass);    \
  }                                                                               \
  static void name##_at(uint32_t index, uint32_t pass)
#define QUEUE_KERNEL(name, threads, blocks, category, length)                     \
  LISTED(name, threads, blocks)                                                   \
  static void name##_at(uint32_t, uint32_t);                                      \
  static void name(const Frame* f, uint32_t begin, uint32_t end, uint32_t pass) { \
    currentFrame = f;                                                             \
    uint32_t n = length;                                                          \
    for (uint32_t i = begin; i < end && i < n; i++) name##_at(i, pass);           \
  }                                                                               \
  static void name##_at(uint32_t index, uint32_t pass)
#define BLOCK_KERNEL(name, size, blocks, category, Shared)                               \
  LISTED(name, size, blocks)                                                             \
  static void name##_block(Shared&, uint32_t, uint32_t, uint32_t);                       \
  static void name(const Frame* f, uint32_t begin, uint32_t end, uint32_t pass) {        \
    currentFrame = f;                                                                    \
    Shared shared;                                                                       \
    for (uint32_t block = begin / THREADS_##name; block < end / THREADS_##name; block++) \
      name##_block(shared, block, THREADS_##name, pass);                                 \
  }                                                                                      \
  static void name##_block(Shared& shared, uint32_t block, uint32_t threads, uint32_t pass)
#define PHASE(lane) for (uint32_t lane = 0; lane < threads; lane++)
#define PHASE_BELOW(lane, end) for (uint32_t lane = 0; lane < (end); lane++)
#endif

// has tells whether the scene has a feature (enum Feature); false is always exact. Machine code is made before there is a
// scene, so it has every feature. In PTX the missing features are a number that Go writes into the text, so that the driver's
// compiler removes their code: kernels that shade then need half of the registers and instructions (cuda/images).
DEVICE bool has(uint32_t feature) {
#ifdef __CUDACC__
  uint32_t lacks;
  asm("mov.u32 %0, 1516263773;" : "=r"(lacks));
  return (lacks & feature) == 0;
#else
  return (frame.scene.missing & feature) == 0;
#endif
}

// pointer turns a device address of the frame into a pointer.
template <typename T>
DEVICE T* pointer(uint64_t address) {
  return reinterpret_cast<T*>(address);
}

// load fetches a whole struct at once, 16 bytes per instruction.
template <typename T>
DEVICE T load(const T* from) {
#ifdef __CUDACC__
  static_assert(sizeof(T) % 16 == 0, "in units of 16 bytes");
  alignas(16) T value;
#pragma unroll
  for (uint32_t i = 0; i < sizeof(T) / 16; i++)
    reinterpret_cast<float4*>(&value)[i] = __ldg(reinterpret_cast<const float4*>(from) + i);
  return value;
#else
  return *from;
#endif
}

// fetch loads element i of an array, by whole vectors.
template <typename T>
DEVICE T fetch(uint64_t address, uint32_t i) {
#ifdef __CUDACC__
  static_assert(sizeof(T) % 16 == 0 && alignof(T) == 16, "in units of 16 bytes");
  T value;
#pragma unroll
  for (uint32_t k = 0; k < sizeof(T) / 16; k++)
    reinterpret_cast<float4*>(&value)[k] = reinterpret_cast<const float4*>(pointer<const T>(address) + i)[k];
  return value;
#else
  return pointer<const T>(address)[i];
#endif
}

// loadNode is load on a GPU; a CPU reads only what it needs of a node.
#ifdef __CUDACC__
DEVICE BvhNode loadNode(const BvhNode* from) { return load(from); }
#else
DEVICE const BvhNode& loadNode(const BvhNode* from) { return *from; }
#endif

// --- Bits ----------------------------------------------------------------------------------------------------------

DEVICE uint32_t floatBits(float x) {
#ifdef __CUDACC__
  return __float_as_uint(x);
#else
  uint32_t u;
  memcpy(&u, &x, 4);
  return u;
#endif
}

DEVICE float bitsFloat(uint32_t u) {
#ifdef __CUDACC__
  return __uint_as_float(u);
#else
  float x;
  memcpy(&x, &u, 4);
  return x;
#endif
}

DEVICE uint32_t reverseBits(uint32_t x) {
#ifdef __CUDACC__
  return __brev(x);
#else
  x = __builtin_bswap32(x);
  x = ((x & 0x0f0f0f0fu) << 4) | ((x >> 4) & 0x0f0f0f0fu);
  x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
  return ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
#endif
}

// floorLog2 of x > 0.
DEVICE uint32_t floorLog2(uint32_t x) {
#ifdef __CUDACC__
  return 31 - __clz(x);
#else
  return 31 - __builtin_clz(x);
#endif
}

DEVICE uint32_t bitCount(uint32_t x) {
#ifdef __CUDACC__
  return __popc(x);
#else
  return __builtin_popcount(x);
#endif
}

// count adds to one of the frame's counters from any thread.
DEVICE void count(uint32_t counter, uint32_t n) {
#ifdef __CUDACC__
  atomicAdd(pointer<uint64_t>(frame.film.counters) + counter, (uint64_t)n);
#else
  __atomic_fetch_add(pointer<uint64_t>(frame.film.counters) + counter, (uint64_t)n, __ATOMIC_RELAXED);
#endif
}

// fetchAdd adds from any thread and returns what was there before.
DEVICE uint32_t fetchAdd(uint32_t* to, uint32_t n) {
#ifdef __CUDACC__
  return atomicAdd(to, n);
#else
  return __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

// append takes the next slot of a queue. CUDA does one atomic for all active threads of a warp.
DEVICE uint32_t append(uint32_t* length) {
#ifdef __CUDACC__
  uint32_t here = __activemask(), lane = threadIdx.x & 31u;
  uint32_t leader = __ffs(here) - 1, first = 0;
  if (lane == leader) first = atomicAdd(length, (uint32_t)__popc(here));
  return __shfl_sync(here, first, leader) + __popc(here & ((1u << lane) - 1u));
#else
  return __atomic_fetch_add(length, 1u, __ATOMIC_RELAXED);
#endif
}

// appendAt takes the next slot of one of several queues.
DEVICE uint32_t appendAt(uint32_t* lengths, uint32_t queue) {
#ifdef __CUDACC__
  uint32_t here = __match_any_sync(__activemask(), queue), lane = threadIdx.x & 31u;
  uint32_t leader = __ffs(here) - 1, first = 0;
  if (lane == leader) first = atomicAdd(lengths + queue, (uint32_t)__popc(here));
  return __shfl_sync(here, first, leader) + __popc(here & ((1u << lane) - 1u));
#else
  return append(lengths + queue);
#endif
}

// --- Scalars -------------------------------------------------------------------------------------------------------

// madd is a·b + c, fused where the machine has it: a baseline CPU would emulate fmaf in software.
DEVICE float madd(float a, float b, float c) {
#if defined(__CUDACC__) || defined(GLINT_FMA)
  return fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

// maddUnit is madd, clamped to [0, 1], which costs a GPU nothing.
DEVICE float maddUnit(float a, float b, float c) {
#ifdef __CUDACC__
  float sum;
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
  return sum;
#else
  float sum = madd(a, b, c);
  return sum < 0.0f ? 0.0f : sum < 1.0f ? sum : 1.0f;
#endif
}

// fminf and fmaxf are library calls in C++ and treat NaN specially: these are one instruction, and yield b when a is NaN.
DEVICE float minf(float a, float b) { return a < b ? a : b; }
DEVICE float maxf(float a, float b) { return a > b ? a : b; }
DEVICE float clampf(float x, float lo, float hi) { return minf(maxf(x, lo), hi); }
DEVICE float saturate(float x) { return clampf(x, 0.0f, 1.0f); }
DEVICE float absf(float x) { return bitsFloat(floatBits(x) & 0x7fffffffu); }
DEVICE float sqr(float x) { return x * x; }

// On a GPU `/` and sqrtf may be off by two units in the last place, and take what is smaller than 2⁻¹²⁶ for 0 and a divisor beyond 2¹²⁶
// for infinite (cuda/tools/nvrtc), which is good enough for light and for probabilities. So a divisor that may be that small must exceed
// LEAST_DIVISOR: that it is more than 0 is not enough. Where a ray begins, in which direction it goes, and in which cell a point lies must
// have the bits of the CPU: beside an edge, the last digit decides what is hit. So must what is compared with a number that it may equal.
// These are exact on both.
#ifdef __CUDACC__
DEVICE float exactDiv(float a, float b) { return __fdiv_rn(a, b); }
DEVICE float exactInverse(float x) { return __frcp_rn(x); }
DEVICE float exactSqrt(float x) { return __fsqrt_rn(x); }
#else
DEVICE float exactDiv(float a, float b) { return a / b; }
DEVICE float exactInverse(float x) { return 1.0f / x; }
DEVICE float exactSqrt(float x) { return sqrtf(x); }
#endif
DEVICE_TABLE float LEAST_DIVISOR = 1e-37f;
// The same for numbers that are neither tiny nor huge: the inverse from 2⁻¹²⁶ to 2¹²⁶, the root of 0 and from 2⁻¹⁰¹ on. An approximate
// answer and a step of Newton's round correctly there; what the compiler adds for other numbers makes shading kernels longer than what a
// GPU keeps of their code. Of infinity both give NaN, as does the inverse of 0.
#ifdef __CUDACC__
DEVICE float midrangeInverse(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;   // then Newton" : "=f"(r) : "f"(x));
  return __fmaf_rn(r, __fmaf_rn(-x, r, 1.0f), r);
}
DEVICE float midrangeSqrt(float x) {
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;   // then Newton" : "=f"(r) : "f"(maxf(x, 1e-37f)));
  float root = r * x;
  return __fmaf_rn(__fmaf_rn(-root, root, x), 0.5f * r, root);
}
#else
DEVICE float midrangeInverse(float x) { return exactInverse(x); }
DEVICE float midrangeSqrt(float x) { return exactSqrt(x); }
#endif
DEVICE float safeSqrt(float x) { return midrangeSqrt(maxf(x, 0.0f)); }
DEVICE float lerp(float a, float b, float t) { return a + (b - a) * t; }
DEVICE float copySign(float x, float sign) {
  return bitsFloat((floatBits(x) & 0x7fffffffu) | (floatBits(sign) & 0x80000000u));
}
DEVICE bool finite(float x) { return (floatBits(x) & 0x7f800000u) != 0x7f800000u; }
DEVICE uint32_t minu(uint32_t a, uint32_t b) { return a < b ? a : b; }

DEVICE_TABLE float PI = 3.14159265358979f;
DEVICE_TABLE float INV_PI = 0.318309886183791f;
DEVICE_TABLE float INFINITE = 3.402823466e38f;   // farther than any ray goes

// sinCosTurn gives sine and cosine of 2π·turn for turn in [0, 1), the same bits on both sides: Taylor on ±π/4.
DEVICE void sinCosTurn(float turn, float* s, float* c) {
  float q = floorf(turn * 4.0f + 0.5f);
  float x = (turn - q * 0.25f) * (2.0f * 3.14159265358979f);
  float x2 = x * x;
  float sn = x * (1.0f + x2 * (-1.66666667e-1f + x2 * (8.33333333e-3f + x2 * (-1.98412698e-4f + x2 * 2.75573192e-6f))));
  float cs = 1.0f + x2 * (-0.5f + x2 * (4.16666667e-2f + x2 * (-1.38888889e-3f + x2 * 2.48015873e-5f)));
  int32_t k = (int32_t)q & 3;
  *s = k == 0 ? sn : k == 1 ? cs : k == 2 ? -sn : -cs;
  *c = k == 0 ? cs : k == 1 ? -sn : k == 2 ? -cs : sn;
}

// --- Vectors -------------------------------------------------------------------------------------------------------

DEVICE float3 vec3(float s) { return make_float3(s, s, s); }
DEVICE float3 xyz(float4 v) { return make_float3(v.x, v.y, v.z); }
DEVICE float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
DEVICE float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
DEVICE float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }
DEVICE float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
DEVICE float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
DEVICE float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
DEVICE float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
DEVICE float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
DEVICE float3 operator*(float s, float3 a) { return a * s; }
DEVICE float3 operator/(float3 a, float s) { return a * (1.0f / s); }
DEVICE float3& operator+=(float3& a, float3 b) { return a = a + b; }
DEVICE float3& operator*=(float3& a, float3 b) { return a = a * b; }
DEVICE float3& operator*=(float3& a, float s) { return a = a * s; }
DEVICE float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
DEVICE float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
DEVICE float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }
DEVICE float dot(float3 a, float3 b) { return madd(a.x, b.x, madd(a.y, b.y, a.z * b.z)); }
DEVICE float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
DEVICE float length(float3 a) { return exactSqrt(dot(a, a)); }
// normalize is for vectors between 10⁻¹⁵ and 10¹⁸ long, normalizeAny for all.
DEVICE float3 normalize(float3 a) { return a * midrangeInverse(midrangeSqrt(dot(a, a))); }
DEVICE float3 normalizeAny(float3 a) { return a * exactInverse(exactSqrt(dot(a, a))); }
// fastNormalize is for half vectors, and for normals that only weigh light: no ray may begin, end or go by what it returns.
DEVICE float3 fastNormalize(float3 a) { return a * (1.0f / sqrtf(dot(a, a))); }
DEVICE float3 lerp(float3 a, float3 b, float t) { return a + (b - a) * t; }
DEVICE float4 lerp(float4 a, float4 b, float t) { return a + (b - a) * t; }
DEVICE float3 abs3(float3 a) { return make_float3(absf(a.x), absf(a.y), absf(a.z)); }
DEVICE float3 min3(float3 a, float3 b) { return make_float3(minf(a.x, b.x), minf(a.y, b.y), minf(a.z, b.z)); }
DEVICE float3 max3(float3 a, float3 b) { return make_float3(maxf(a.x, b.x), maxf(a.y, b.y), maxf(a.z, b.z)); }
DEVICE float3 safeSqrt3(float3 v) { return make_float3(safeSqrt(v.x), safeSqrt(v.y), safeSqrt(v.z)); }
DEVICE float maxComponent(float3 a) { return maxf(a.x, maxf(a.y, a.z)); }
DEVICE float average(float3 a) { return (a.x + a.y + a.z) * (1.0f / 3.0f); }
DEVICE bool same(float3 a, float3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
DEVICE bool isBlack(float3 a) { return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f; }
DEVICE bool finite(float3 a) { return finite(a.x) && finite(a.y) && finite(a.z); }
// luminance of linear Rec.709.
DEVICE float luminance(float3 a) { return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z; }

// Basis is an orthonormal frame; z is its normal.
struct Basis {
  float3 x, y, z;
};

// basisAround a unit normal (Duff et al. 2017, Building an Orthonormal Basis, Revisited).
DEVICE Basis basisAround(float3 n) {
  float sign = copySign(1.0f, n.z);
  float a = -exactInverse(sign + n.z);
  float b = n.x * n.y * a;
  return {make_float3(1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x), make_float3(b, sign + n.y * n.y * a, -n.y),
          n};
}
DEVICE float3 toLocal(const Basis& b, float3 v) { return make_float3(dot(v, b.x), dot(v, b.y), dot(v, b.z)); }
DEVICE float3 toWorld(const Basis& b, float3 v) { return b.x * v.x + b.y * v.y + b.z * v.z; }

#include "core/boxes.h"
#include "core/triangles.h"
#include "core/warp.h"
#include "core/matrix.h"
#include "core/rays.h"
