// How the wavefront engine queues and sorts.
#pragma once

// How a path's next step is queued.
enum Compaction : uint32_t {
  COMPACTION_OFF = 0,      // every path has its place in every queue, alive or not
  COMPACTION_ATOMIC = 1,   // living paths are appended, in no order
  COMPACTION_SCAN = 2,     // living paths move up in their order, by a work-efficient scan
};

// In which order hits are shaded.
enum Sorting : uint32_t {
  SORT_NONE = 0,    // as they stand in the queue
  SORT_KEY = 1,     // by material
  SORT_CLASS = 2,   // a queue for each class of materials
};

// Classes of materials that take the same way through the shading code.
enum MaterialClass : uint32_t {
  CLASS_NONE = 0,       // nothing was hit
  CLASS_PLAIN = 1,      // opaque, without textures
  CLASS_TEXTURED = 2,   // opaque
  CLASS_GLASS = 3,      // lets light through
  CLASS_PAINT = 4,      // flakes under a coat
  CLASS_COUNT = 5,
};

// What the wavefront engine counts of each wave.
enum QueueLength : uint32_t {
  LENGTH_EXTENSION = 0,   // paths that go on from the wave before
  LENGTH_SHADOW = 1,      // shadow rays
  LENGTH_ENDED = 2,       // paths that ended in the wave before
  LENGTH_BEGUN = 3,       // launch indices of the image whose paths began in the waves before
  LENGTH_COUNT = 4,
};

enum WaveLimit : uint32_t {
  WAVE_PATH_PLANES = 6,     // float4 a path: see wavefront.cuh
  WAVE_SHADOW_PLANES = 4,   // float4 a shadow ray
  SORT_KEYS = 1024,         // materials beyond share a key with others
};

// The pool of paths and its queues.
struct WavefrontParams {
  uint64_t paths;          // float4 per path of the pool and plane
  uint64_t hits;           // Hit per place of the extension queue
  uint64_t queues;         // uint32_t per place, two by turns: paths that go on
  uint64_t shadowRays;     // float4 per place of the shadow queue and plane
  uint64_t queueLengths;   // uint32_t × LENGTH_COUNT × waves
  uint64_t pathIndices;    // uint32_t per path: its launch index; 0 where that is the number of the path
  uint64_t endedPaths;     // uint32_t per place: paths that ended in the wave before; with pathIndices
  uint64_t survivors;      // uint32_t per place of the extension queue: the path when it goes on; COMPACTION_SCAN
  uint64_t scanSums;       // uint32_t per block of places
  uint64_t shadingOrder;   // uint32_t per place of the extension queue: unless SORT_NONE
  uint64_t sortTable;      // uint32_t × 3 × SORT_KEYS: hits of each key, where they begin, and where the next goes
  uint32_t poolSize;       // paths under way at once
  uint32_t waves;          // of the frame, and one
  uint32_t compaction;     // enum Compaction
  uint32_t sorting;        // enum Sorting
  uint32_t pad0;           //
  uint32_t pad1;           //
};
