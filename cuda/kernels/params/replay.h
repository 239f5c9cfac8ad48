// What is asked about single samples of pixels, and what is answered.
#pragma once

// A sample of a pixel that is traced again.
struct alignas(16) ReplayQuery {
  uint32_t x;              // from the left [pixels]
  uint32_t y;              // from the top [pixels]
  uint32_t sample;         // SamplingParams.sampleIndex
  uint32_t seed;           // SamplingParams.seed
  uint32_t cameraSample;   // whose point in pixel and lens the camera ray goes through (FirstHitParams)
  uint32_t cameraSeed;     //
  uint32_t hitSample;      // which traced that ray: alpha lets rays through by its chance
  uint32_t pad0;           //
};

// What a pixel's sample is.
struct alignas(16) ReplayAnswer {
  float3 Lo;           // [nit]
  uint32_t vertices;   // of its path; of ReSTIR how many samples it is made of
  float3 sum;          // of all samples that the pixel has now, by weight [nit]
  float samples;       // their number, by weight
};

// What becomes of a path at a vertex.
enum ReplayEvent : uint32_t {
  REPLAY_SCATTERED = 0,   // it goes on by a lobe of the surface
  REPLAY_PASSED = 1,      // straight through a pane
  REPLAY_IN_MEDIUM = 2,   // it is scattered in a medium
  REPLAY_LEFT = 3,        // it leaves the scene
  REPLAY_ENDED = 4,       // it ends: no more bounces, or nothing is reflected
  REPLAY_ROULETTE = 5,    // Russian roulette ends it
  REPLAY_ABSORBED = 6,    // it ends in a medium
};

// A vertex of a path: what it adds to the sample, emitted and then direct, and how the path goes on.
struct alignas(16) ReplayVertex {
  float3 position;        // [m]; of a path that leaves the scene, its direction
  uint32_t event;         // enum ReplayEvent
  float3 normal;          // shading normal
  float distance;         // from the vertex before [m]
  float3 throughput;      // from the camera to here
  uint32_t material;      //
  float3 emitted;         // light that is emitted here, times throughput and weight [nit]
  float emissionWeight;   // its MIS weight
  float3 direct;          // light of a light sample, times all its factors; 0 where something is in the way [nit]
  float lightWeight;      // its MIS weight
  float3 toLight;         // unit
  float lightDistance;    // [m]; 0: no light sample
  float3 next;            // direction in which the path goes on
  float pdf;              // of that direction; 0 by a delta lobe [1/sr]
  uint32_t lobe;          // that was drawn
  uint32_t light;         // that was sampled
  int32_t object;         // number of what was placed in the scene; −1: unknown
  float lightPdf;         // of the light sample [1/sr]; without area only that of the choice
};

// A sample that ReSTIR shades at a pixel.
struct alignas(16) ReplayShared {
  float3 x2;             // where its light comes from [m]; from afar: the direction
  uint32_t kind;         // enum SampleKind
  float3 L;              // what it adds to the pixel [nit]
  float weight;          // W of the sample, times its MIS weight and Jacobian
  float3 radiance;       // that arrives at the pixel's x1 from there [nit]
  uint32_t pixel;        // whose it was; of history: this one
  uint32_t confidence;   // samples that it stands for
  uint32_t age;          // [frames]
  uint32_t pad0;         //
  uint32_t pad1;         //
};

// Single samples that are traced again.
struct ReplayParams {
  uint64_t queries;    // ReplayQuery
  uint64_t answers;    // ReplayAnswer for each
  uint64_t vertices;   // ReplayVertex, `most` for each query; 0: they are not wanted
  uint64_t shared;     // ReplayShared, `most` for each query
  uint32_t count;      // of queries
  uint32_t most;       // vertices or samples that are kept for each
  uint32_t pad0;       //
  uint32_t pad1;       //
};
