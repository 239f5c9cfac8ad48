// Ray kernels: persistent threads that fetch the next ray when theirs is done, so that warps stay full however long each ray
// takes (Aila and Laine 2009). Included by device.h.
//
// RAY_KERNEL(name, threads, blocks, category) { … } is the body for one thread; it takes its indices from `fetch`. One launch of
// such a kernel may run at a time: its counter lives beside it, and the last block to finish resets it, so that the
// next launch, of a graph too, begins at 0.
#pragma once

DEVICE_TABLE uint32_t NO_INDEX = 0xffffffff;

// Fetch hands out indices to blocks of THREADS.
#ifdef __CUDACC__
template <uint32_t THREADS>
struct Fetch {
  uint32_t next;   // index to be handed out
  uint32_t done;   // blocks that found none left
};

// fetchIndex hands every thread that calls it the next index, by one atomic for all that call together.
template <uint32_t THREADS>
DEVICE uint32_t fetchIndex(Fetch<THREADS>& f) {
  uint32_t mask = __activemask(), lane, below;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  uint32_t leader = __ffs(mask) - 1, first = 0;
  if (lane == leader) first = atomicAdd(&f.next, __popc(mask));
  return __shfl_sync(mask, first, leader) + __popc(mask & below);
}

template <uint32_t THREADS>
DEVICE void finishFetch(Fetch<THREADS>& f) {
  __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(&f.done, 1) != gridDim.x - 1) return;
  f.next = 0;
  f.done = 0;
}

#ifdef GLINT_RAYS
#define RAY_KERNEL(name, threads, blocks, category) \
  LISTED(name, threads, blocks)                     \
  static __device__ __forceinline__ void name##_thread(Fetch<THREADS_##name>& fetch, uint32_t pass)
#else
#define RAY_KERNEL(name, threads, blocks, category)                                                 \
  LISTED(name, threads, blocks)                                                                     \
  static __device__ Fetch<THREADS_##name> name##_fetch;                                             \
  static __device__ __forceinline__ void name##_thread(Fetch<THREADS_##name>&, uint32_t);           \
  extern "C" __global__ void __launch_bounds__(THREADS_##name, BLOCKS_##name) name(uint32_t pass) { \
    name##_thread(name##_fetch, pass);                                                              \
    finishFetch(name##_fetch);                                                                      \
  }                                                                                                 \
  static __device__ __forceinline__ void name##_thread(Fetch<THREADS_##name>& fetch, uint32_t pass)
#endif
#else
template <uint32_t THREADS>
struct Fetch {
  uint32_t next, end;
};

template <uint32_t THREADS>
DEVICE uint32_t fetchIndex(Fetch<THREADS>& f) {
  return f.next < f.end ? f.next++ : NO_INDEX;
}

#define RAY_KERNEL(name, threads, blocks, category)                               \
  LISTED(name, threads, blocks)                                                   \
  static void name##_thread(Fetch<THREADS_##name>&, uint32_t);                    \
  static void name(const Frame* f, uint32_t begin, uint32_t end, uint32_t pass) { \
    currentFrame = f;                                                             \
    Fetch<THREADS_##name> fetch = {begin, end};                                   \
    name##_thread(fetch, pass);                                                   \
  }                                                                               \
  static void name##_thread(Fetch<THREADS_##name>& fetch, uint32_t pass)
#endif
