// Threads that run in lockstep, for kernels whose warps cooperate (bvh/queue.cuh). Included by device.h.
//
// All threads of a warp call these together. In C++ a warp is one thread.
#pragma once

#ifdef __CUDACC__
DEVICE_TABLE uint32_t WARP_SIZE = 32;

// opaque is x hidden from the optimiser: what follows from it is neither folded into constants nor kept in registers
// meanwhile.
DEVICE uint32_t opaque(uint32_t x) {
  asm volatile("" : "+r"(x));
  return x;
}

DEVICE uint32_t laneIndex() {
  uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// lanesWhere is a bit for each thread of the warp.
DEVICE uint32_t lanesWhere(bool condition) { return __ballot_sync(0xffffffffu, condition); }

// fromLane is a value that another thread has.
DEVICE uint32_t fromLane(uint32_t value, uint32_t lane) { return __shfl_sync(0xffffffffu, value, lane); }
DEVICE float fromLane(float value, uint32_t lane) { return __shfl_sync(0xffffffffu, value, lane); }
DEVICE float3 fromLane(float3 v, uint32_t lane) {
  return make_float3(fromLane(v.x, lane), fromLane(v.y, lane), fromLane(v.z, lane));
}

// warpBarrier makes what threads of the warp wrote to shared memory visible to each other.
DEVICE void warpBarrier() { __syncwarp(); }

// sumBelow adds up n of the threads before this one, and of all.
DEVICE uint32_t sumBelow(uint32_t n, uint32_t* all) {
  uint32_t sum = n;   // of the threads up to this one
#pragma unroll
  for (uint32_t reach = 1; reach < WARP_SIZE; reach *= 2)
    asm volatile(
        "{\n"
        "  .reg .pred within;\n"
        "  .reg .u32 below;\n"
        "  shfl.sync.up.b32 below|within, %0, %1, 0, 0xffffffff;\n"
        "  @within add.u32 %0, %0, below;\n"
        "}"
        : "+r"(sum)
        : "r"(reach));
  *all = fromLane(sum, WARP_SIZE - 1);
  return sum - n;
}

// WARP_SHARED is a T for each warp of a block of so many threads.
#define WARP_SHARED(T, name, threads)             \
  __shared__ T name##_warps[threads / WARP_SIZE]; \
  T& name = name##_warps[threadIdx.x / WARP_SIZE];
#else
DEVICE_TABLE uint32_t WARP_SIZE = 1;
DEVICE uint32_t opaque(uint32_t x) { return x; }
DEVICE uint32_t laneIndex() { return 0; }
DEVICE uint32_t lanesWhere(bool condition) { return condition ? 1u : 0u; }
template <typename T>
DEVICE T fromLane(T value, uint32_t) {
  return value;
}
DEVICE void warpBarrier() {}
DEVICE uint32_t sumBelow(uint32_t n, uint32_t* all) {
  *all = n;
  return 0u;
}
#define WARP_SHARED(T, name, threads) static thread_local T name;   // a thread is a warp, and ends what it began
#endif
