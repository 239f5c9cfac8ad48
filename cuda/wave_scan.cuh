// Compaction by scan: the paths that go on move up in the next queue, in their order. Each block counts its own, one block
// adds up the counts, and each block moves its own.
#pragma once

#include "block_scan.cuh"
#include "wavefront.cuh"

struct ScanBlock {
  uint32_t sum[THREADS_scan_count + 1];
};
static_assert(THREADS_scan_count == THREADS_scan_move && THREADS_scan_count == THREADS_scan_sums, "they share blocks");

DEVICE bool survives(uint32_t wave, uint32_t at) { return at < extensions(wave) && *survivor(at) != NO_INDEX; }
DEVICE uint32_t* scanSum(uint32_t block) { return pointer<uint32_t>(frame.scanSums) + block; }

BLOCK_KERNEL(scan_count, ScanBlock) {
  uint32_t wave = waveOf(pass);
  PHASE(lane) { shared.sum[lane] = survives(wave, block * threads + lane) ? 1u : 0u; }
  scanBlock(shared.sum, threads);
  PHASE(lane) {
    if (lane == 0) *scanSum(block) = shared.sum[threads];
  }
}

// Each lane adds up a run of blocks.
BLOCK_KERNEL(scan_sums, ScanBlock) {
  uint32_t wave = waveOf(pass), blocks = (frame.poolSize + threads - 1) / threads,
           run = (blocks + threads - 1) / threads;
  PHASE(lane) {
    shared.sum[lane] = 0;
    for (uint32_t i = lane * run; i < (lane + 1) * run && i < blocks; i++) shared.sum[lane] += *scanSum(i);
  }
  scanBlock(shared.sum, threads);
  PHASE(lane) {
    uint32_t below = shared.sum[lane];
    for (uint32_t i = lane * run; i < (lane + 1) * run && i < blocks; i++) {
      uint32_t n = *scanSum(i);
      *scanSum(i) = below;
      below += n;
    }
    if (lane == 0) *extensionLength(wave + 1) = shared.sum[threads];
  }
}

BLOCK_KERNEL(scan_move, ScanBlock) {
  uint32_t wave = waveOf(pass);
  PHASE(lane) { shared.sum[lane] = survives(wave, block * threads + lane) ? 1u : 0u; }
  scanBlock(shared.sum, threads);
  PHASE(lane) {
    uint32_t at = block * threads + lane;
    if (survives(wave, at)) *place(wave + 1, *scanSum(block) + shared.sum[lane]) = *survivor(at);
  }
}
