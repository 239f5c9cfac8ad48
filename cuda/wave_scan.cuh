// Compaction by scan: the paths that go on move up in the next queue, in their order. Each block counts its own, one block
// adds up the counts, and each block moves its own.
#pragma once

#include "block_scan.cuh"
#include "wavefront.cuh"

typedef BlockSums<THREADS_scan_count> ScanBlock;
static_assert(THREADS_scan_count == THREADS_scan_move && THREADS_scan_count == THREADS_scan_sums, "they share blocks");

DEVICE bool survives(uint32_t wave, uint32_t at) { return at < places(wave) && *survivor(at) != NO_INDEX; }
DEVICE uint32_t* scanSum(uint32_t block) { return pointer<uint32_t>(frame.scanSums) + block; }

BLOCK_KERNEL(scan_count, ScanBlock) {
  uint32_t wave = waveOf(pass);
  PHASE(lane) { shared.sums[lane] = survives(wave, block * threads + lane) ? 1u : 0u; }
  scanBlock(shared);
  PHASE(lane) {
    if (lane == 0) *scanSum(block) = shared.sums[threads];
  }
}

BLOCK_KERNEL(scan_sums, ScanBlock) {
  scanCounts(shared, scanSum(0), (frame.poolSize + threads - 1) / threads);
  PHASE(lane) {
    if (lane == 0) *queueLength(LENGTH_EXTENSION, waveOf(pass) + 1) = shared.sums[threads];
  }
}

BLOCK_KERNEL(scan_move, ScanBlock) {
  uint32_t wave = waveOf(pass);
  PHASE(lane) { shared.sums[lane] = survives(wave, block * threads + lane) ? 1u : 0u; }
  scanBlock(shared);
  PHASE(lane) {
    uint32_t at = block * threads + lane;
    if (survives(wave, at)) *place(wave + 1, *scanSum(block) + shared.sums[lane]) = *survivor(at);
  }
}
