// How the wavefront engine queues and sorts.
#pragma once

// How a path's next step is queued.
enum Compaction : uint32_t {
  COMPACTION_OFF = 0,      // every path has its slot in every queue, alive or not
  COMPACTION_ATOMIC = 1,   // living paths are appended, in no order
  COMPACTION_SCAN = 2,     // living paths move up in their order, by a work-efficient scan
};

// In which order hits are shaded.
enum Sorting : uint32_t {
  SORT_NONE = 0,    // in the order of the queue
  SORT_KEY = 1,     // by material
  SORT_CLASS = 2,   // a queue for each class of materials
};

// Classes of materials that take the same branches of the shading code.
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
  LENGTH_EXTENSION = 0,   // paths that continue from the previous wave
  LENGTH_SHADOW = 1,      // shadow rays
  LENGTH_FREE = 2,        // slots of paths that ended in the previous wave
  LENGTH_BEGUN = 3,       // launch indices of the image whose paths began in earlier waves
  LENGTH_COUNT = 4,
};

// The argument of a launch that shades: the wave, and above it one more than the class of materials if it shades that alone.
enum ShadeArgument : uint32_t {
  CLASS_SHIFT = 24,   // bits of the wave
};

enum WaveLimit : uint32_t {
  WAVE_PATH_PLANES = 4,        // float4 per path: see wavefront/pool.cuh
  WAVE_PASSAGE_PLANES = 1,     // more where the scene has panes or volumes
  WAVE_GI_PLANES = 2,          // and more for a GI path
  WAVE_SHADOW_PLANES = 3,      // float4 per shadow ray
  WAVE_MEDIA_PLANES = 1,       // more where the scene has panes and volumes
  WAVE_GI_SHADOW_PLANES = 1,   // and more for that of a GI path
  SORT_KEYS = 1024,            // materials beyond that share keys
};

// The pool of paths and its queues.
struct WavefrontParams {
  uint64_t paths;          // float4 per path of the pool and plane
  uint64_t hits;           // Hit per slot of the extension queue
  uint64_t queues;         // uint32_t per slot, double-buffered: living paths
  uint64_t shadowRays;     // float4 per slot of the shadow queue and plane
  uint64_t queueLengths;   // uint32_t × LENGTH_COUNT × waves
  uint64_t pathIndices;    // uint32_t per path: its launch index; 0 where that is the index of the path
  uint64_t freeSlots;      // uint32_t per slot: paths that ended in the previous wave; with pathIndices
  uint64_t survivors;      // uint32_t per slot of the extension queue: the path if it continues; COMPACTION_SCAN
  uint64_t scanSums;       // uint32_t per block of slots
  uint64_t shadingOrder;   // uint32_t per slot of the extension queue; unless SORT_NONE
  uint64_t sortTable;      // uint32_t × 3 × SORT_KEYS: hits of each key, where they begin, and where the next goes
  uint32_t poolSize;       // paths in flight
  uint32_t waves;          // of the frame, plus one
  uint32_t compaction;     // enum Compaction
  uint32_t sorting;        // enum Sorting
  uint32_t pad0;           //
  uint32_t pad1;           //
};
