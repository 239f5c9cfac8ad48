// params.h: every struct that crosses between Go and the kernels, and nothing else.
//
// cuda/gen reads this file line by line and writes params_gen.go (the Go twins) and layout_gen.h (sizeof and offsetof of
// each field as the C++ compiler lays them out, which a test compares with Go). So: one field a line, `type name;  // what [unit]`;
// fixed-width types only; no bool; a float3 is followed by a scalar; a device pointer is a uint64_t. What kernels read one by
// one is alignas(16) and as long as a multiple of it, so that it is fetched by whole vectors.
// Enumerations are `enum Name : uint32_t`, one value a line.
#pragma once

#include "display.h"
#include "lights.h"
#include "material.h"
#include "tree.h"
#include "upscale.h"

// How a ray leaves its pixel: a thin lens, or parallel rays when orthoHalfHeight > 0.
struct Camera {
  float3 eye;              // centre of the lens [m]
  float apertureRadius;    // 0 is a pinhole [m]
  float3 right;            // unit
  float focusDistance;     // along forward, to the plane of sharp focus [m]
  float3 up;               // unit
  float tanHalfFovY;       // of the vertical field of view
  float3 forward;          // unit
  float aspect;            // width / height
  float orthoHalfHeight;   // half of the height seen, 0 for perspective [m]
  uint32_t pad2;           //
  uint32_t pad0;           //
  uint32_t pad1;           //
};

// Marks inside references.
enum Reference : uint32_t {
  LEAF_BIT = 0x80000000,          // BvhNode.child: names triangles
  EMPTY_CHILD = 0xffffffff,       // BvhNode.child: nothing there
  ALPHA_BIT = 0x80000000,         // Triangle.material: alpha must be tested
  NO_LIGHT = 0xffffffff,          // Triangle.light, Environment.light
  NO_HIT = 0xffffffff,            // Hit.triangle
  FIRST_INSTANCED = 0x08000000,   // Hit.triangle: ids from here on are of instances
  BAKED = 0xffffffff,             // Frame.upperOrder: all that stands in the world as it is
  TWO_SIDED_BIT = 0x80000000,     // Light.material: it emits on both sides
  TEXTURED_BIT = 0x40000000,      // Light.material: with a texture
};

// What some scenes need and others do not; see has() in device.h.
enum Feature : uint32_t {
  FEATURE_ALPHA = 1,          // some triangle must be tested for alpha
  FEATURE_MEDIA = 2,          // some volume scatters
  FEATURE_GLASS = 4,          // solid glass
  FEATURE_THIN = 8,           // thin-walled glass
  FEATURE_PAINT = 16,         // car paint
  FEATURE_UNLIT = 32,         // unlit surfaces
  FEATURE_SKY = 64,           // an environment that is an image
  FEATURE_EMITTERS = 128,     // emissive triangles that are sampled
  FEATURE_PUNCTUAL = 256,     // lights without area
  FEATURE_COLORS = 512,       // colours at vertices
  FEATURE_UV1 = 1024,         // a texture with the second set of coordinates
  FEATURE_SPECULAR = 2048,    // KHR_materials_specular
  FEATURE_INSTANCES = 4096,   // meshes that are kept once and drawn several times
  FEATURE_TEXTURES = 65536,   // << enum TextureUse: a texture for this
};

// What shading needs of a triangle.
struct alignas(16) Face {
  uint32_t v0;         // index into vertices
  uint32_t v1;         // index into vertices
  uint32_t v2;         // index into vertices
  uint32_t triangle;   // where it stands in leaf order
};

// One corner, world space.
struct alignas(16) Vertex {
  float3 position;    // [m]
  uint32_t colorRG;   // unorm16 pair, linear
  float3 normal;      // unit
  uint32_t colorBA;   // unorm16 pair, linear
  float4 tangent;     // unit xyz, w handedness
  float2 uv0;         //
  float2 uv1;         //
};

enum Sampling : uint32_t {
  SAMPLING_BSDF = 0,    // emitters are found by chance; only lights without area are sampled
  SAMPLING_LIGHT = 1,   // emitters are sampled; chance hits count only behind delta lobes
  SAMPLING_MIS = 2,     // both, weighted by the power heuristic
  SAMPLING_NAIVE = 3,   // no shadow ray ever
};

enum FrameFlag : uint32_t {
  FRAME_ROULETTE = 1,              // Russian roulette
  FRAME_ANTIALIAS = 2,             // jitter inside the pixel
  FRAME_ENERGY_COMPENSATION = 4,   // multiple scattering between microfacets
  FRAME_STATISTICS = 8,            // count rays and living paths
  FRAME_FLIP_Y = 16,               // film writes row 0 at the bottom, as OpenGL reads it
  FRAME_REPLACE = 32,              // samples replace what was accumulated
  FRAME_NO_DIRECT = 64,            // leave out emission and direct light
  FRAME_FIRST_HITS = 512,          // firstHits are known: camera rays are not traced
  FRAME_NO_INDIRECT = 128,         // leave out what was scattered twice or more by finite lobes
  FRAME_SCHLICK = 2048,            // dielectrics by Schlick's approximation
};

enum Counter : uint32_t {
  COUNTER_NONFINITE = 0,        // samples dropped
  COUNTER_EXTENSION_RAYS = 1,   // closest-hit rays
  COUNTER_SHADOW_RAYS = 2,      // any-hit rays
  COUNTER_PATHS = 3,            // camera paths
  COUNTER_ALIVE = 8,            // + b: paths that scattered b times and go on, b < 56
  COUNTER_CLASS = 64,           // + enum MaterialClass: hits shaded, with SORT_CLASS
  COUNTER_COUNT = 72,
};

// One ray of the ray kernels' own benchmark and tests.
struct alignas(16) Ray {
  float3 origin;      // [m]
  float tMax;         // [m]
  float3 direction;   // unit
  uint32_t pad;       //
};

// What a closest-hit ray found.
struct alignas(16) Hit {
  float t;             // [m]; infinite on a miss
  float u;             // barycentric weight of v1
  float v;             // barycentric weight of v2
  uint32_t triangle;   // id: place in leaf order, or of an instance; NO_HIT on a miss
};

enum GBufferFlag : uint32_t {
  GBUFFER_VALID = 1,      // a surface with a finite lobe was found
  GBUFFER_REUSABLE = 2,   // it has lobes that resampling may share
  GBUFFER_DIRECT = 4,     // seen without mirrors or glass in between
  GBUFFER_MIRROR = 8,     // one of them; the upper five bits count them
  MAX_MIRRORS = 31,       // beyond, nothing is shared
};

// The first surface with a finite lobe that a pixel sees, packed so that neighbours can weigh samples there without
// touching textures. Ping-pong: the previous frame's is kept.
struct alignas(16) GBuffer {
  float3 position;     // x1 [m]
  uint32_t ns;         // shading normal, octahedral 2 × 16 bits
  uint32_t ng;         // geometric normal on wo's side, octahedral
  uint32_t wo;         // to the viewer, octahedral
  uint32_t color;      // base colour, square roots in 3 × 8 bits; flags in the upper 8 (enum GBufferFlag)
  uint32_t lobes;      // 4 × 8 bits: roughness, metallic, coat's reflectance at normal incidence, weight of the base
  float depth;         // distance along all segments from the lens [m]
  uint32_t triangle;   // id, as in Hit
  float u;             // barycentric weight of v1
  float v;             // barycentric weight of v2
};

// A resampled indirect sample: the path's second vertex, and what leaves it towards the owner's x1.
struct alignas(16) Reservoir {
  float3 x2;         // [m]
  uint32_t n2;       // geometric normal, octahedral 2 × 16 bits
  float L2;          // R + G + B of the radiance that the Lambert base of x2 sends to x1 [nit]
  uint32_t chroma;   // R and G as shares of L2, unorm16 each
  float W;           // unbiased contribution weight: estimate of 1 / pdf [sr]
  uint32_t meta;     // 4 × 8 bits: confidence, age, and roughness and reflectance of the coat over x2
};

// What a pixel adds up besides its reservoir.
struct alignas(16) Shade {
  float3 direct;   // emission, direct light, and indirect light of lobes that are not reused [nit]
  float pad0;      //
  float3 prefix;   // throughput from the eye to x1
  float pad1;      //
};

// Marks inside a word that names a pixel to share with.
enum Partner : uint32_t {
  PARTNER_INDEX = 0x1fffffff,         // which pixel; all ones: none
  PARTNER_SAMPLE_SEEN = 0x20000000,   // x1 sees the sample that was kept
  PARTNER_IS_SEEN = 0x40000000,       // x1 sees the partner's sample
  PARTNER_SEES_OURS = 0x80000000,     // the partner's x1 sees this pixel's sample
};

enum MisMode : uint32_t {
  MIS_NAIVE = 0,   // 1/M: biased, to be shown
  MIS_BASIC = 1,   // generalized balance and pairwise, without visibility
  MIS_FULL = 2,    // with visibility rays: unbiased
};

enum RestirFlag : uint32_t {
  RESTIR_TEMPORAL = 1,
  RESTIR_SPATIAL = 2,
  RESTIR_HISTORY = 4,       // the previous frame's buffers hold something
  RESTIR_INTERACTIVE = 8,   // a moving view: history grows no older than MAX_AGE
  RESTIR_PERMUTE = 16,      // history is shuffled inside 4×4 blocks
  RESTIR_UNSEEN = 32,       // kept samples are shown without a look: biased, to be shown
};

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

// Planes of Frame.aovs, float4 per pixel each. The first few serve denoisers, all of them views and layers.
enum AovPlane : uint32_t {
  AOV_ALBEDO = 0,            // sum over samples; w their number, by weight
  AOV_NORMAL = 1,            // the same
  AOV_DENOISER_PLANES = 2,   // what OIDN reads
  AOV_GLOW = 2,              // sum of the light that no finite lobe has scattered [nit]; w as above
  AOV_SEEN = 3,              // of the first sample: where what it shows seems to be [m]; w: enum Seen
  AOV_MOMENTS = 4,           // sums of luminance [nit] and of its square; w as above
  AOV_FILTER_PLANES = 5,     // what the built-in filter and history read
  AOV_PLACE = 5,             // of the first sample: position [m], depth along the camera's axis [m]
  AOV_IDS = 6,      // of the first sample: material, object, or −1; then how far it moved in the image [pixels]
  AOV_DIRECT = 7,   // sum over samples of direct light [nit]; w their number, by weight
  AOV_PLANES = 8,   //
};

// What a pixel shows, for the most part.
enum Seen : uint32_t {
  SEEN_NOTHING = 0,
  SEEN_SURFACE = 1,
  SEEN_LAMP = 2,   // a surface that glows and reflects nothing
};

// Planes of Frame.denoiser, float4 per pixel each.
enum DenoisePlane : uint32_t {
  DENOISE_COLOR = 0,    // mean radiance [nit]; of the built-in filter what it leaves alone: AOV_GLOW
  DENOISE_ALBEDO = 1,   //
  DENOISE_NORMAL = 2,   // of the built-in filter, once it fades, the light before it, and its error
  DENOISE_PLANES = 3,   //
};

// Where what a pixel shows is, for the next image to find it again.
struct alignas(16) SeenPlace {
  float3 position;   // as AOV_SEEN [m]
  uint32_t normal;   // octahedral 2 × 16 bits; 0 where there is none
};

// What the built-in filter reads and writes of a pixel: see atrous.cuh.
struct alignas(16) Signal {
  uint32_t redGreen;      // mantissas, 16 bits each
  uint32_t blueError;     // mantissa; standard error of the luminance, the upper half of a float, negative when unknown
  uint32_t normalScale;   // 3 × 8 bits; the mantissas' exponent
  float depth;            // along the camera's axis [m]
};

// Passes of the built-in filter.
enum AtrousPass : uint32_t {
  ATROUS_PASSES = 5,        // each twice as wide as the one before
  ATROUS_WIDE_PASSES = 1,   // the first ones have 5×5 taps, the others 3×3
};

// The argument of steady_picture.
enum Steadying : uint32_t {
  STEADY_SHARP = 0,   // pictures have smooth edges
  STEADY_SOFT = 1,    // edges are as jagged as the samples are few
};

// What film shows.
enum Shown : uint32_t {
  SHOWN_IMAGE = 0,
  SHOWN_DENOISED = 1,
  SHOWN_DIRECT = 2,
  SHOWN_INDIRECT = 3,   // up to here it is light, and developed like light
  SHOWN_ALBEDO = 4,
  SHOWN_NORMAL = 5,
  SHOWN_DEPTH = 6,
  SHOWN_POSITION = 7,
  SHOWN_MATERIAL = 8,
  SHOWN_OBJECT = 9,
  SHOWN_SAMPLES = 10,
  SHOWN_VARIANCE = 11,
  SHOWN_MOTION = 12,
  SHOWN_TRUST = 13,
};

// Everything a frame's kernels read, copied once before its launches.
struct Frame {
  Camera camera;              //
  Environment environment;    //
  uint64_t nodes;             // BvhNode
  uint64_t wideNodes;         // WideNode, over the same triangles
  uint64_t spreadNodes;       // SpreadNode for each WideNode; on the CPU alone
  uint64_t triangles;         // Triangle, leaf order
  uint64_t instances;         // Instance, by rising ids
  uint64_t upperNodes;        // BvhNode over instances
  uint64_t upperWideNodes;    // WideNode over instances
  uint64_t upperOrder;        // uint32_t per place in their leaves: an instance, or BAKED
  uint32_t instanceCount;     // 0: there is one level of trees alone
  uint32_t instancePad;       //
  uint64_t faces;             // Face
  uint64_t vertices;          // Vertex
  uint64_t materials;         // Material
  uint64_t textures;          // Texture
  uint64_t lights;            // Light
  uint64_t lightAlias;        // AliasEntry per light
  uint64_t tables;            // float, see tables.cuh
  uint64_t accumulation;      // float4 per pixel: sum of radiance, number of samples
  uint64_t preview;           // float4 per preview pixel: a smaller image, shown where accumulation has no sample yet
  uint64_t target;            // RGBA8 per pixel
  uint64_t counters;          // uint64_t × COUNTER_COUNT
  uint64_t rays;              // Ray, for the ray kernels
  uint64_t hits;              // Hit, for the ray kernels and for picking
  uint32_t width;             // of accumulation and target [pixels]
  uint32_t height;            // of accumulation and target [pixels]
  uint32_t previewWidth;      // [pixels]
  uint32_t previewHeight;     // [pixels]
  uint32_t rayCount;          // of the ray kernels
  uint32_t lightCount;        //
  uint32_t nodeCount;         // 0 when the scene has no triangles
  uint32_t sampleIndex;       // of this frame, from 0 after each restart
  uint32_t seed;              //
  uint32_t flags;             // enum FrameFlag
  uint32_t sampling;          // enum Sampling
  uint32_t bounces;           // scattering events at most; 1 is direct light only
  uint32_t rouletteDepth;     // first scattering event after which roulette may end a path
  uint32_t toneMap;           // enum ToneMap
  uint64_t gbuffer;           // GBuffer per pixel
  uint64_t previousGBuffer;   // GBuffer per pixel, of the frame before
  uint64_t reservoirs;        // Reservoir per pixel: initial samples, then with history
  uint64_t history;           // Reservoir per pixel: the spatial pass's output, read by the next frame
  uint64_t shade;             // Shade per pixel
  uint64_t partners;          // uint32_t per pixel and plane: enum Partner
  uint64_t paths;             // float4 per path of the pool and plane
  uint64_t pathHits;          // Hit per place of the extension queue
  uint64_t queues;            // uint32_t per place, two by turns: paths that go on
  uint64_t shadowRays;        // float4 per place of the shadow queue and plane
  uint64_t queueLengths;      // uint32_t × LENGTH_COUNT × waves
  uint32_t poolSize;          // paths under way at once
  uint32_t waves;             // of the frame, and one
  uint32_t compaction;        // enum Compaction
  uint32_t sorting;           // enum Sorting
  uint64_t pathIndices;       // uint32_t per path: its launch index; 0 where that is the number of the path
  uint64_t endedPaths;        // uint32_t per place: paths that ended in the wave before; with pathIndices
  uint64_t survivors;         // uint32_t per place of the extension queue: the path when it goes on; COMPACTION_SCAN
  uint64_t scanSums;          // uint32_t per block of places
  uint64_t shadingOrder;      // uint32_t per place of the extension queue: unless SORT_NONE
  uint64_t sortTable;         // uint32_t × 3 × SORT_KEYS: hits of each key, where they begin, and where the next goes
  uint32_t lacks;             // enum Feature: what the scene has none of
  float copyPower;            // by how much copies of a sample lower its confidence; see duplicates.cuh
  Camera previousCamera;      // of the frame before
  uint32_t frameIndex;        // counts frames, never restarts: seeds the resampling passes
  uint32_t restir;            // enum RestirFlag
  uint32_t misMode;           // enum MisMode
  uint32_t confidenceCap;     // history counts for at most so many fresh samples
  uint32_t neighbours;        // of the spatial pass
  uint32_t partnerPlanes;     // words a pixel in partners; at least neighbours
  uint32_t tiledPixels;       // launch indices of one image: whole 8×4 tiles
  float minNormalDot;         // of the normals of two pixels that may share
  float maxDepthChange;       // between them, relative
  float minDistance;          // from x1 to a sample that is shared, relative to x1's depth
  float maxMaterialChange;    // between them: reflectance, colour, half the relative roughness
  float boiling;              // samples brighter than so many times the mean of their block are dropped
  float radius;               // of the spatial pass [pixels]
  float sceneRadius;          // [m]
  uint64_t build;             // TreeBuild, while a tree is built
  uint64_t view;              // RGBA8 per pixel: what reuseView shows; 0 where there is nothing yet
  uint32_t reuseView;         // enum ReuseView of views.h
  float sampleWeight;         // of this frame in the accumulation
  float exposure;             // multiplies radiance before the tone curve
  float lightScale;           // multiplies every emitter
  float3 balanceRed;          // rows of the matrix that balances white: DISPLAY_BALANCE
  float bloom;                // share of light that strays in eye and lens
  float3 balanceGreen;        //
  uint32_t bloomLevels;       // of the pyramid; 0: no bloom
  float3 balanceBlue;         //
  uint32_t display;           // enum DisplayFlag
  uint64_t bloomed;           // float4 per pixel of the pyramid, level after level, the finest first: radiance [nit]
  uint64_t meter;             // Meter
  uint64_t histogram;         // uint32_t × METER_BINS: shares of pixels by luminance
  float adaptDarker;          // how much of its way exposure goes in this frame where it is too high, 0…1
  float adaptBrighter;        // where it is too low
  uint64_t halves;            // float4 per pixel and plane: enum HalfPlane
  uint64_t halfImages;        // float4 per pixel, of one half and of the other: denoised radiance [nit]
  uint64_t trust;             // float per pixel: how far these are apart, relative
  uint64_t firstHits;         // Hit per launch index of the image, of camera rays; 0: none are kept
  uint32_t eyeSample;         // which point of pixel and lens the kept camera rays go through
  uint32_t eyeSeed;           // of those points
  uint64_t aovs;              // float4 per pixel and plane: enum AovPlane
  uint64_t denoiser;          // float4 per pixel and plane: enum DenoisePlane
  uint64_t denoised;          // float4 per pixel: radiance [nit]
  uint64_t objects;           // uint32_t per object: its first face
  uint32_t objectCount;       //
  uint32_t aovPlanes;         // that are kept; 0: none
  uint32_t shown;             // enum Shown
  uint32_t aovPad;            //
  uint64_t places;            // SeenPlace per pixel, of this image; 0: there is no history
  uint64_t pastPlaces;        // SeenPlace per pixel, of the image that previousCamera saw
  uint64_t picture;           // float4 per pixel: what is shown [nit], and how many samples it stands for
  uint64_t pastPicture;       // the same of the image before
  uint64_t light;             // float4 per pixel: mean of the light to be filtered, and of its squared luminance
  uint64_t pastLight;         // the same of the image before
  uint64_t lightSamples;      // float per pixel: how many samples `light` stands for
  uint64_t pastLightSamples;   // the same of the image before
  uint64_t signals;            // Signal per pixel, twice
  float imageSamples;          // in the image that accumulates
  float historyCap;            // history counts for at most so many samples; 0: there is none
  Upscaling upscaling;         // of a small image
};
