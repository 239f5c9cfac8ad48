// The wavefront engine: the steps of a path as kernels with queues between them (Laine, Karras & Aila 2013). What a step
// does is written in path.cuh and gi_path.cuh; here is where paths wait.
//
// A pool of paths works at the image. In wave w queue w holds the living ones: first those that go on, for which
// `extend_paths` finds the next hits, then those that begin, whose rays from the eye `extend_first` traces. `shade_…` makes
// the next rays and queue w + 1, `shadow_…` adds light where nothing is in the way. Where the image is larger than the pool,
// `renew_…` gives the places of paths that ended in wave w − 1 to the next pixels (regeneration: Novák, Havran and Dachsbacher
// 2010), so that waves stay full until there is none left.
#pragma once

#include "film/film.cuh"
#include "path/hits.cuh"
#include "bvh/queue.cuh"

// A launch argument holds the wave in its lower 24 bits, and above them one more than a class of materials where it is for
// one alone.
DEVICE uint32_t waveOf(uint32_t pass) { return pass & 0xffffffu; }
DEVICE uint32_t classOf(uint32_t pass) { return (pass >> 24) - 1u; }

// --- Queues ----------------------------------------------------------------------------------------------------------

DEVICE uint32_t* queueLength(QueueLength what, uint32_t wave) {
  return pointer<uint32_t>(frame.wavefront.queueLengths) + what * frame.wavefront.waves + wave;
}
DEVICE uint32_t* place(uint32_t wave, uint32_t i) {
  return pointer<uint32_t>(frame.wavefront.queues) + (wave & 1u) * frame.wavefront.poolSize + i;
}

DEVICE bool compacts() { return frame.wavefront.compaction != COMPACTION_OFF; }

// beginnings is how many paths begin in a wave.
DEVICE uint32_t beginnings(uint32_t wave) {
  return *queueLength(LENGTH_BEGUN, wave + 1) - *queueLength(LENGTH_BEGUN, wave);
}

// extensions is how many places the paths of a wave take that go on, ended ones among them unless they are compacted.
DEVICE uint32_t extensions(uint32_t wave) {
  return compacts() ? *queueLength(LENGTH_EXTENSION, wave) : frame.wavefront.poolSize;
}

// places is how many all paths of a wave take.
DEVICE uint32_t places(uint32_t wave) {
  return compacts() ? extensions(wave) + beginnings(wave) : frame.wavefront.poolSize;
}

// Only atomics give shadow rays a queue of their own; else a ray has the place of its path.
DEVICE bool queuesShadows() { return frame.wavefront.compaction == COMPACTION_ATOMIC; }
DEVICE uint32_t shadows(uint32_t wave) { return queuesShadows() ? *queueLength(LENGTH_SHADOW, wave) : places(wave); }

// pathAt is the path at a place of a wave's queue.
DEVICE uint32_t pathAt(uint32_t wave, uint32_t i) { return compacts() ? *place(wave, i) : i; }

// --- Paths -------------------------------------------------------------------------------------------------------------
// Planes: 0 origin, pdf; 1 direction, marks; 2 throughput, sampler index; 3 radiance gathered, sampler seed; and for a
// shared path 4 toBase, travelled; 5 toStraight. What is gathered straight stands in the pixel's Shade.

DEVICE float4* pathPlane(uint32_t plane, uint32_t path) {
  return pointer<float4>(frame.wavefront.paths) + plane * late(frame.wavefront.poolSize) + path;
}

DEVICE float4 with(float3 v, float w) { return make_float4(v.x, v.y, v.z, w); }
DEVICE float4 with(float3 v, uint32_t w) { return with(v, bitsFloat(w)); }

// Marks: depth 9 bits, finite 2, delta 1, stage 2, transmitted 1, alive 1, dimension 16. More than two finite events are
// all alike.
DEVICE_TABLE uint32_t MARK_ALIVE = 1u << 15;

DEVICE uint32_t marksOf(const Path& p, uint32_t stage, bool transmitted, bool alive) {
  return p.depth | minu(p.finite, 3u) << 9 | (p.delta ? 1u << 11 : 0u) | stage << 12 | (transmitted ? 1u << 14 : 0u) |
         (alive ? MARK_ALIVE : 0u) | p.sampler.dimension << 16;
}

// beginPlanes sets what a path only adds to later.
DEVICE void beginPlanes(uint32_t path, const Path& p) { *pathPlane(3, path) = with(vec3(0.0f), p.sampler.seed); }

DEVICE void storePath(uint32_t path, const Path& p, uint32_t marks) {
  *pathPlane(0, path) = with(p.origin, p.pdf);
  *pathPlane(1, path) = with(p.direction, marks);
  *pathPlane(2, path) = with(p.throughput, p.sampler.index);
}

// loadPath fills in a path but for what it gathered; returns its marks.
DEVICE uint32_t loadPath(uint32_t path, Path* p) {
  float4 a = *pathPlane(0, path), b = *pathPlane(1, path), c = *pathPlane(2, path);
  uint32_t marks = floatBits(b.w);
  p->origin = xyz(a);
  p->pdf = a.w;
  p->direction = xyz(b);
  p->throughput = xyz(c);
  p->depth = marks & 511u;
  p->finite = marks >> 9 & 3u;
  p->delta = (marks >> 11 & 1u) != 0;
  p->sampler = {floatBits(c.w), floatBits(pathPlane(3, path)->w), marks >> 16};
  return marks;
}

// gatherAt adds radiance to a path [nit].
DEVICE void gatherAt(uint32_t path, float3 L) {
  if (isBlack(L)) return;
  float4* gathered = pathPlane(3, path);
  *gathered = with(xyz(*gathered) + L, gathered->w);
}

// isAlive reads one mark alone.
DEVICE bool isAlive(uint32_t path) { return (floatBits(pathPlane(1, path)->w) & MARK_ALIVE) != 0; }

// --- Shadow rays -------------------------------------------------------------------------------------------------------
// Planes: 0 origin, tMax; 1 direction, path; 2 contribution, seed for alpha; 3 contribution that goes straight.

DEVICE float4* shadowPlane(uint32_t plane, uint32_t i) {
  return pointer<float4>(frame.wavefront.shadowRays) + plane * late(frame.wavefront.poolSize) + i;
}

// askShadow queues the shadow ray of the path at a place of the extension queue. Returns its place.
DEVICE uint32_t askShadow(uint32_t wave, uint32_t at, uint32_t path, const ShadowRay& ray) {
  uint32_t i = queuesShadows() ? append(queueLength(LENGTH_SHADOW, wave)) : at;
  *shadowPlane(0, i) = with(ray.origin, ray.tMax);
  *shadowPlane(1, i) = with(ray.direction, path);
  *shadowPlane(2, i) = with(ray.contribution, ray.alphaSeed);
  return i;
}

// askNothing says at the place of a path that it has no shadow ray.
DEVICE void askNothing(uint32_t at) {
  if (!queuesShadows()) shadowPlane(0, at)->w = 0.0f;
}

DEVICE uint32_t* survivor(uint32_t at) { return pointer<uint32_t>(frame.wavefront.survivors) + at; }

// --- Beginnings and ends -----------------------------------------------------------------------------------------------

// indexOf is the launch index of the image that a path belongs to.
DEVICE uint32_t indexOf(uint32_t path) {
  return frame.wavefront.pathIndices ? pointer<const uint32_t>(frame.wavefront.pathIndices)[path] : path;
}

DEVICE uint32_t* endedPath(uint32_t i) { return pointer<uint32_t>(frame.wavefront.endedPaths) + i; }

// goOn queues the path at a place for the next wave, if it is alive. If not, another may have its memory from then on.
DEVICE void goOn(uint32_t wave, uint32_t at, uint32_t path, bool alive) {
  if (frame.wavefront.compaction == COMPACTION_SCAN) *survivor(at) = alive ? path : NO_INDEX;
  if (frame.wavefront.compaction == COMPACTION_ATOMIC && alive)
    *place(wave + 1, append(queueLength(LENGTH_EXTENSION, wave + 1))) = path;
  if (frame.wavefront.pathIndices && !alive) *endedPath(append(queueLength(LENGTH_ENDED, wave + 1))) = path;
}

// hasEnded tells whether there is nothing to shade at a place: its path ended in an earlier wave, or has just begun outside
// of the image.
DEVICE bool hasEnded(uint32_t wave, uint32_t at, uint32_t path) {
  if (isAlive(path)) return false;
  askNothing(at);
  if (compacts() || indexOf(path) >= *queueLength(LENGTH_BEGUN, wave)) goOn(wave, at, path, false);
  return true;
}

// resetQueues empties all queues; in wave 0 the whole pool begins, and after the last renewal the whole image has. Every
// beginning kernel calls it for each index.
DEVICE void resetQueues(uint32_t index) {
  uint32_t first = LENGTH_BEGUN * frame.wavefront.waves;   // of LENGTH_BEGUN, the last row
  uint32_t begun = index <= first ? 0u : index == first + 1 ? frame.wavefront.poolSize : frame.film.tiledPixels;
  if (index < LENGTH_COUNT * frame.wavefront.waves) pointer<uint32_t>(frame.wavefront.queueLengths)[index] = begun;
  if (frame.wavefront.sorting != SORT_NONE && index < SORT_KEYS)
    pointer<uint32_t>(frame.wavefront.sortTable)[index] = 0u;
  if (index < frame.wavefront.poolSize) *place(0, index) = index;
}

// takePixel gives a path the pixel of a launch index. False where there is none; the path stands for an ended one then.
DEVICE bool takePixel(uint32_t path, uint32_t index, uint32_t* x, uint32_t* y) {
  if (frame.wavefront.pathIndices) pointer<uint32_t>(frame.wavefront.pathIndices)[path] = index;
  if (pixelOf(index, frame.film.width, frame.film.height, x, y)) return true;
  *pathPlane(1, path) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  return false;
}

// takeFirst does so for all of the pool, in wave 0.
DEVICE bool takeFirst(uint32_t path, uint32_t* x, uint32_t* y) {
  resetQueues(path);
  return path < frame.wavefront.poolSize && takePixel(path, path, x, y);
}

// renewal finds the path that is i-th to begin in a wave, and which launch index it gets. False beyond the last.
DEVICE bool renewal(uint32_t wave, uint32_t i, uint32_t* path, uint32_t* index) {
  uint32_t begun = *queueLength(LENGTH_BEGUN, wave);
  uint32_t count = minu(*queueLength(LENGTH_ENDED, wave), frame.film.tiledPixels - begun);
  if (i == 0) *queueLength(LENGTH_BEGUN, wave + 1) = begun + count;
  if (i >= count) return false;
  *path = *endedPath(i);
  *index = begun + i;
  *place(wave, *queueLength(LENGTH_EXTENSION, wave) + i) = *path;
  return true;
}

// --- The order of shading ------------------------------------------------------------------------------------------------

// sortStart is where the hits of a key begin in the order of shading.
DEVICE const uint32_t* sortStart(uint32_t key) {
  return pointer<const uint32_t>(frame.wavefront.sortTable) + SORT_KEYS + key;
}

// shadings is how many hits a shading kernel has to do with.
DEVICE uint32_t shadings(uint32_t pass) {
  if (frame.wavefront.sorting != SORT_CLASS) return places(waveOf(pass));
  uint32_t key = classOf(pass);
  return *sortStart(key + 1) - *sortStart(key);
}

// shadedAt is the place in the extension queue of what is shaded.
DEVICE uint32_t shadedAt(uint32_t pass, uint32_t index) {
  if (frame.wavefront.sorting == SORT_NONE) return index;
  if (frame.wavefront.sorting == SORT_CLASS) index += *sortStart(classOf(pass));
  return pointer<const uint32_t>(frame.wavefront.shadingOrder)[index];
}

// seedForAlpha is needed only where something is cut out.
DEVICE uint32_t seedForAlpha(uint32_t path, uint32_t marks) {
  if (!has(FEATURE_ALPHA)) return 0;
  return hash(floatBits(pathPlane(3, path)->w) ^ floatBits(pathPlane(2, path)->w), marks >> 16);
}

// --- Tracing -----------------------------------------------------------------------------------------------------------

// Extensions is the source of the rays of the paths that go on.
struct Extensions {
  uint32_t wave;
  DEVICE_METHOD uint32_t count() const { return extensions(wave); }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    uint32_t path = pathAt(wave, index);
    float4 b = *pathPlane(1, path);
    if (!(floatBits(b.w) & MARK_ALIVE)) return false;
    *ray = {xyz(*pathPlane(0, path)), xyz(b), INFINITE};
    countRay(COUNTER_EXTENSION_RAYS);
    return true;
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const {
    uint32_t path = pathAt(wave, index);
    return seedForAlpha(path, floatBits(pathPlane(1, path)->w));
  }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const { pointer<Hit>(frame.wavefront.hits)[index] = hit; }
};

RAY_KERNEL(extend_paths, 128, 7, extension) { traceQueue<false>(Extensions{waveOf(pass)}, fetch); }

// Rays from the eye stay together: one a thread through the binary tree. Their hits may be kept, or known.
QUEUE_KERNEL(extend_first, 128, 10, extension, beginnings(waveOf(pass))) {
  Extensions source = {waveOf(pass)};
  uint32_t i = *queueLength(LENGTH_EXTENSION, source.wave) + index, path = *place(source.wave, i);
  uint32_t at = compacts() ? i : path;
  if (frame.sampling.flags & FRAME_FIRST_HITS) {
    if (isAlive(path)) source.end(at, *firstHit(indexOf(path)));
    return;
  }
  RayQuery ray;
  if (!source.begin(at, &ray)) return;
  uint32_t seed = source.alphaSeed(at);
  Hit hit = traceFirst(ray, seed);
  if (frame.firstHits.hits) *firstHit(indexOf(path)) = hit;
  source.end(at, hit);
}

// Shadows is the source of a wave's shadow rays. Light::arrives(path, ray) is told where nothing is in the way.
template <typename Light>
struct Shadows {
  uint32_t wave;
  DEVICE_METHOD uint32_t count() const { return shadows(wave); }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    float4 a = *shadowPlane(0, index);
    if (a.w <= 0.0f) return false;
    *ray = {xyz(a), xyz(*shadowPlane(1, index)), a.w};
    countRay(COUNTER_SHADOW_RAYS);
    return true;
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const { return floatBits(shadowPlane(2, index)->w); }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    if (hit.triangle != NO_HIT) return;
    uint32_t path = floatBits(shadowPlane(1, index)->w);
    gatherAt(path, xyz(*shadowPlane(2, index)));
    Light::arrives(path, index);
  }
};
