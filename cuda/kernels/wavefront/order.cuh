// Compaction of the queue by a scan, and the order in which hits are shaded.
#pragma once

#include "core/scan.cuh"
#include "wavefront/pool.cuh"

// --- The order of shading -------------------------------------------------------------------------------------------
// Hits are sorted by material or by material class, so that the threads of a warp take the same branches. A counting sort:
// count the hits of each key, scan the counts, and write each hit to its position.

// The sort table's rows.
DEVICE uint32_t* sortCounts() { return pointer<uint32_t>(frame.wavefront.sortTable); }
DEVICE uint32_t* sortStarts() { return pointer<uint32_t>(frame.wavefront.sortTable) + SORT_KEYS; }
DEVICE uint32_t* sortCursors() { return pointer<uint32_t>(frame.wavefront.sortTable) + 2 * SORT_KEYS; }

DEVICE MaterialClass materialClass(const Material& m) {
  if (m.flags & MATERIAL_PAINT) return CLASS_PAINT;
  if (m.transmission > 0.0f) return CLASS_GLASS;
  for (uint32_t use = 0; use < TEXTURE_USES; use++) {
    if (m.textures[use].texture >= 0) return CLASS_TEXTURED;
  }
  return CLASS_PLAIN;
}

// sortKey is 0 where nothing was hit, or the path has ended.
DEVICE uint32_t sortKey(uint32_t wave, uint32_t at) {
  if (!isAlive(pathAt(wave, at))) return 0;
  uint32_t triangle = pointer<const Hit>(frame.wavefront.hits)[at].triangle;
  if (triangle == NO_HIT) return 0;
  uint32_t material = materialOf(*triangleOf(triangle));
  if (frame.wavefront.sorting == SORT_CLASS)
    return materialClass(pointer<const Material>(frame.scene.materials)[material]);
  return 1 + material % (SORT_KEYS - 2);   // the last start is where all end
}

QUEUE_KERNEL(order_count, 128, 1, queueing, slotCount(waveOf(pass))) {
  appendAt(sortCounts(), sortKey(waveOf(pass), index));
}

// One block. It clears the counts for the next wave.
static_assert(CLASS_COUNT <= COUNTER_COUNT - COUNTER_CLASS, "a counter for each class");
BLOCK_KERNEL(order_starts, 256, 1, queueing, BlockSums<THREADS_order_starts>) {
  scanCounts(shared, sortCounts(), SORT_KEYS);
  PHASE(lane) {
    for (uint32_t key = lane; key < SORT_KEYS; key += threads) {
      sortStarts()[key] = sortCursors()[key] = sortCounts()[key];
      sortCounts()[key] = 0;
    }
  }
  if (frame.wavefront.sorting != SORT_CLASS || !(frame.sampling.flags & FRAME_STATISTICS)) return;
  PHASE(lane) {
    if (lane < CLASS_COUNT) count(COUNTER_CLASS + lane, sortStarts()[lane + 1] - sortStarts()[lane]);
  }
}

QUEUE_KERNEL(order_move, 128, 1, queueing, slotCount(waveOf(pass))) {
  uint32_t at = appendAt(sortCursors(), sortKey(waveOf(pass), index));
  pointer<uint32_t>(frame.wavefront.shadingOrder)[at] = index;
}

// --- Compaction -----------------------------------------------------------------------------------------------------
// The paths that continue move up in the next queue, in their order. Each block counts its own, one block scans the
// counts, and each block moves its own.

typedef BlockSums<THREADS_scan_count> ScanBlock;
static_assert(THREADS_scan_count == THREADS_scan_move && THREADS_scan_count == THREADS_scan_sums, "they share blocks");

DEVICE bool survives(uint32_t wave, uint32_t at) { return at < slotCount(wave) && *survivor(at) != NO_INDEX; }
DEVICE uint32_t* scanSum(uint32_t block) { return pointer<uint32_t>(frame.wavefront.scanSums) + block; }

BLOCK_KERNEL(scan_count, 256, 1, queueing, ScanBlock) {
  uint32_t wave = waveOf(pass);
  PHASE(lane) { shared.sums[lane] = survives(wave, block * threads + lane) ? 1u : 0u; }
  scanBlock(shared);
  PHASE(lane) {
    if (lane == 0) *scanSum(block) = shared.sums[threads];
  }
}

BLOCK_KERNEL(scan_sums, 256, 1, queueing, ScanBlock) {
  scanCounts(shared, scanSum(0), (frame.wavefront.poolSize + threads - 1) / threads);
  PHASE(lane) {
    if (lane == 0) *queueLength(LENGTH_EXTENSION, waveOf(pass) + 1) = shared.sums[threads];
  }
}

BLOCK_KERNEL(scan_move, 256, 1, queueing, ScanBlock) {
  uint32_t wave = waveOf(pass);
  PHASE(lane) { shared.sums[lane] = survives(wave, block * threads + lane) ? 1u : 0u; }
  scanBlock(shared);
  PHASE(lane) {
    uint32_t at = block * threads + lane;
    if (survives(wave, at)) *slot(wave + 1, *scanSum(block) + shared.sums[lane]) = *survivor(at);
  }
}
