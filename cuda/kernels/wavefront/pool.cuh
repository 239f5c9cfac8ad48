// The wavefront engine: the steps of a path as kernels with queues between them (Laine, Karras and Aila 2013). The
// steps themselves are in path.cuh and gi_path.cuh; here are the queues.
//
// A pool of paths works on the image. In wave w, queue w holds the living paths: first those that continue, for which
// `extend_paths` finds the next hits, then those that begin, whose camera rays `extend_first` traces. `shade_…` makes
// the next rays and queue w + 1; `shadow_…` adds the light of unoccluded shadow rays. Where the image is larger than
// the pool, `renew_…` gives the slots of paths that ended in wave w − 1 to the next pixels (regeneration: Novák, Havran
// and Dachsbacher 2010), so that waves stay full until no pixel is left.
#pragma once

#include "film/film.cuh"
#include "path/hits.cuh"
#include "path/panes.cuh"

// The parts of a launch argument (enum ShadeArgument).
DEVICE uint32_t waveOf(uint32_t pass) { return pass & ((1u << CLASS_SHIFT) - 1u); }
DEVICE uint32_t classOf(uint32_t pass) { return (pass >> CLASS_SHIFT) - 1u; }

// --- Queues ----------------------------------------------------------------------------------------------------------

DEVICE uint32_t* queueLength(QueueLength what, uint32_t wave) {
  return pointer<uint32_t>(frame.wavefront.queueLengths) + what * frame.wavefront.waves + wave;
}
DEVICE uint32_t* slot(uint32_t wave, uint32_t i) {
  return pointer<uint32_t>(frame.wavefront.queues) + (wave & 1u) * frame.wavefront.poolSize + i;
}

DEVICE bool compacts() { return frame.wavefront.compaction != COMPACTION_OFF; }

// freshPaths is how many paths begin in a wave.
DEVICE uint32_t freshPaths(uint32_t wave) {
  return *queueLength(LENGTH_BEGUN, wave + 1) - *queueLength(LENGTH_BEGUN, wave);
}

// extensionCount is how many queue slots the continuing paths of a wave take, ended ones among them unless the queue is
// compacted.
DEVICE uint32_t extensionCount(uint32_t wave) {
  return compacts() ? *queueLength(LENGTH_EXTENSION, wave) : frame.wavefront.poolSize;
}

// slotCount is how many slots all paths of a wave take.
DEVICE uint32_t slotCount(uint32_t wave) {
  return compacts() ? extensionCount(wave) + freshPaths(wave) : frame.wavefront.poolSize;
}

// Only with atomics do shadow rays have a queue of their own; otherwise a shadow ray has the slot of its path.
DEVICE bool queuesShadowRays() { return frame.wavefront.compaction == COMPACTION_ATOMIC; }
DEVICE uint32_t shadowRayCount(uint32_t wave) {
  return queuesShadowRays() ? *queueLength(LENGTH_SHADOW, wave) : slotCount(wave);
}

// pathAt is the path in a slot of a wave's queue.
DEVICE uint32_t pathAt(uint32_t wave, uint32_t i) { return compacts() ? *slot(wave, i) : i; }

// --- Paths -------------------------------------------------------------------------------------------------------------
// Planes: 0 origin, pdf; 1 direction, state; 2 throughput, sampler index; 3 radiance gathered, sampler seed; where the scene has
// panes or volumes, the next is media, panes passed and wavelength, distance to the last of them; for a GI path, two more: reusable
// part, distance travelled; direct part. Direct light that was gathered is in the pixel's Shade.

DEVICE float4* pathPlane(uint32_t plane, uint32_t path) {
  return pointer<float4>(frame.wavefront.paths) + plane * opaque(frame.wavefront.poolSize) + path;
}

DEVICE float4 with(float3 v, float w) { return make_float4(v.x, v.y, v.z, w); }
DEVICE float4 with(float3 v, uint32_t w) { return with(v, bitsFloat(w)); }

// State bits: depth 9, finite 2, delta 1, stage 2, transmitted 1, alive 1, dimension 16. More than two finite events
// count as three.
DEVICE_TABLE uint32_t PATH_ALIVE = 1u << 15;

DEVICE uint32_t packPathState(const Path& p, uint32_t stage, bool transmitted, bool alive) {
  return p.depth | minu(p.finite, 3u) << 9 | (p.delta ? 1u << 11 : 0u) | stage << 12 | (transmitted ? 1u << 14 : 0u) |
         (alive ? PATH_ALIVE : 0u) | p.sampler.dimension << 16;
}

// beginPlanes sets what a path later only adds to.
DEVICE void beginPlanes(uint32_t path, const Path& p) { *pathPlane(3, path) = with(vec3(0.0f), p.sampler.seed); }

DEVICE bool keepsPassage() { return hasPanes() || hasVolumes(); }
DEVICE float4* passagePlane(uint32_t path) { return pathPlane(WAVE_PATH_PLANES, path); }

DEVICE void storePath(uint32_t path, const Path& p, uint32_t state) {
  if (keepsPassage())
    *passagePlane(path) = make_float4(bitsFloat(p.media.inner), bitsFloat(p.media.outer),
                                      bitsFloat(p.panes | p.wavelength << 16), p.passed);
  *pathPlane(0, path) = with(p.origin, p.pdf);
  *pathPlane(1, path) = with(p.direction, state);
  *pathPlane(2, path) = with(p.throughput, p.sampler.index);
}

// loadPath fills in a path except what it gathered; returns its state bits.
DEVICE uint32_t loadPath(uint32_t path, Path* p) {
  float4 a = *pathPlane(0, path), b = *pathPlane(1, path), c = *pathPlane(2, path);
  uint32_t state = floatBits(b.w);
  p->origin = xyz(a);
  p->pdf = a.w;
  p->direction = xyz(b);
  p->throughput = xyz(c);
  p->depth = state & 511u;
  p->finite = state >> 9 & 3u;
  p->delta = (state >> 11 & 1u) != 0;
  p->sampler = {floatBits(c.w), floatBits(pathPlane(3, path)->w), state >> 16};
  float4 d = keepsPassage() ? *passagePlane(path) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  p->media = {floatBits(d.x), floatBits(d.y)};
  p->panes = floatBits(d.z) & 0xffffu;
  p->wavelength = floatBits(d.z) >> 16;
  p->passed = d.w;
  return state;
}

// gatherAt adds radiance to a path [nit].
DEVICE void gatherAt(uint32_t path, float3 L) {
  if (isBlack(L)) return;
  float4* gathered = pathPlane(3, path);
  *gathered = with(xyz(*gathered) + L, gathered->w);
}

// isAlive reads one state bit only.
DEVICE bool isAlive(uint32_t path) { return (floatBits(pathPlane(1, path)->w) & PATH_ALIVE) != 0; }

// --- Shadow rays -------------------------------------------------------------------------------------------------------
// Planes: 0 origin, tMax; 1 direction, path and above it panes passed; 2 contribution, alpha seed; where it may enter and leave volumes,
// the next is the media that it is in; for a GI path, one more: direct contribution.
DEVICE_TABLE uint32_t SHADOW_PANE = 1u << 28;   // there are fewer paths
DEVICE uint32_t pathOfShadow(uint32_t word) { return word & (SHADOW_PANE - 1u); }

DEVICE float4* shadowPlane(uint32_t plane, uint32_t i) {
  return pointer<float4>(frame.wavefront.shadowRays) + plane * opaque(frame.wavefront.poolSize) + i;
}

DEVICE float4* giShadowPlane(uint32_t i) {
  return shadowPlane(WAVE_SHADOW_PLANES + (crossesVolumes() ? (uint32_t)WAVE_MEDIA_PLANES : 0u), i);
}

// mediaOfShadow are those that a shadow ray is in.
DEVICE MediumStack mediaOfShadow(uint32_t i) {
  if (!crossesVolumes()) return {};
  float4 a = *shadowPlane(WAVE_SHADOW_PLANES, i);
  return {floatBits(a.x), floatBits(a.y)};
}
DEVICE void setMediaOfShadow(uint32_t i, const MediumStack& media) {
  if (crossesVolumes())
    *shadowPlane(WAVE_SHADOW_PLANES, i) = make_float4(bitsFloat(media.inner), bitsFloat(media.outer), 0.0f, 0.0f);
}

// queueShadowRay queues the shadow ray of the path in a slot of the extension queue. Returns its own slot.
DEVICE uint32_t queueShadowRay(uint32_t wave, uint32_t at, uint32_t path, const ShadowRay& ray) {
  uint32_t i = queuesShadowRays() ? append(queueLength(LENGTH_SHADOW, wave)) : at;
  *shadowPlane(0, i) = with(ray.origin, ray.tMax);
  *shadowPlane(1, i) = with(ray.direction, path + ray.panes * SHADOW_PANE);
  *shadowPlane(2, i) = with(ray.contribution, ray.alphaSeed);
  setMediaOfShadow(i, ray.media);
  return i;
}

// noShadowRay records for the slot of a path that it has no shadow ray.
DEVICE void noShadowRay(uint32_t at) {
  if (!queuesShadowRays()) shadowPlane(0, at)->w = 0.0f;
}

DEVICE uint32_t* survivor(uint32_t at) { return pointer<uint32_t>(frame.wavefront.survivors) + at; }

// --- Beginnings and ends -----------------------------------------------------------------------------------------------

// indexOf is the launch index of the image that a path belongs to.
DEVICE uint32_t indexOf(uint32_t path) {
  return frame.wavefront.pathIndices ? pointer<const uint32_t>(frame.wavefront.pathIndices)[path] : path;
}

DEVICE uint32_t* freeSlot(uint32_t i) { return pointer<uint32_t>(frame.wavefront.freeSlots) + i; }

// enqueue queues a path for the next wave if it is alive. If it is not, its slot in the pool may be reused from then
// on.
DEVICE void enqueue(uint32_t wave, uint32_t at, uint32_t path, bool alive) {
  if (frame.wavefront.compaction == COMPACTION_SCAN) *survivor(at) = alive ? path : NO_INDEX;
  if (frame.wavefront.compaction == COMPACTION_ATOMIC && alive)
    *slot(wave + 1, append(queueLength(LENGTH_EXTENSION, wave + 1))) = path;
  if (frame.wavefront.pathIndices && !alive) *freeSlot(append(queueLength(LENGTH_FREE, wave + 1))) = path;
}

// hasEnded tells whether there is nothing to shade in a slot: its path ended in an earlier wave, or has just begun
// outside of the image.
DEVICE bool hasEnded(uint32_t wave, uint32_t at, uint32_t path) {
  if (isAlive(path)) return false;
  noShadowRay(at);
  if (compacts() || indexOf(path) >= *queueLength(LENGTH_BEGUN, wave)) enqueue(wave, at, path, false);
  return true;
}

// resetQueues empties all queues. In wave 0 the whole pool begins; after the last renewal, the whole image has begun.
// Every begin_… kernel calls it for each index.
DEVICE void resetQueues(uint32_t index) {
  uint32_t first = LENGTH_BEGUN * frame.wavefront.waves;   // of LENGTH_BEGUN, the last row
  uint32_t begun = index <= first ? 0u : index == first + 1 ? frame.wavefront.poolSize : frame.film.tiledPixels;
  if (index < LENGTH_COUNT * frame.wavefront.waves) pointer<uint32_t>(frame.wavefront.queueLengths)[index] = begun;
  if (frame.wavefront.sorting != SORT_NONE && index < SORT_KEYS)
    pointer<uint32_t>(frame.wavefront.sortTable)[index] = 0u;
  if (index < frame.wavefront.poolSize) *slot(0, index) = index;
}

// assignPixel gives a path the pixel of a launch index. False outside of the image; the path then counts as ended.
DEVICE bool assignPixel(uint32_t path, uint32_t index, uint32_t* x, uint32_t* y) {
  if (frame.wavefront.pathIndices) pointer<uint32_t>(frame.wavefront.pathIndices)[path] = index;
  if (pixelOf(index, frame.film.width, frame.film.height, x, y)) return true;
  *pathPlane(1, path) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  return false;
}

// assignFirstPixel does so for the whole pool, in wave 0.
DEVICE bool assignFirstPixel(uint32_t path, uint32_t* x, uint32_t* y) {
  resetQueues(path);
  return path < frame.wavefront.poolSize && assignPixel(path, path, x, y);
}

// regenerate finds the i-th path that begins in a wave, and the launch index that it gets. False beyond the last.
DEVICE bool regenerate(uint32_t wave, uint32_t i, uint32_t* path, uint32_t* index) {
  uint32_t begun = *queueLength(LENGTH_BEGUN, wave);
  uint32_t count = minu(*queueLength(LENGTH_FREE, wave), frame.film.tiledPixels - begun);
  if (i == 0) *queueLength(LENGTH_BEGUN, wave + 1) = begun + count;
  if (i >= count) return false;
  *path = *freeSlot(i);
  *index = begun + i;
  *slot(wave, *queueLength(LENGTH_EXTENSION, wave) + i) = *path;
  return true;
}

// --- The order of shading ------------------------------------------------------------------------------------------------

// sortStart is where the hits of a key begin in the shading order.
DEVICE const uint32_t* sortStart(uint32_t key) {
  return pointer<const uint32_t>(frame.wavefront.sortTable) + SORT_KEYS + key;
}

// shadeCount is how many hits a shading kernel processes.
DEVICE uint32_t shadeCount(uint32_t pass) {
  if (frame.wavefront.sorting != SORT_CLASS) return slotCount(waveOf(pass));
  uint32_t key = classOf(pass);
  return *sortStart(key + 1) - *sortStart(key);
}

// shadeSlot is the slot in the extension queue that is shaded.
DEVICE uint32_t shadeSlot(uint32_t pass, uint32_t index) {
  if (frame.wavefront.sorting == SORT_NONE) return index;
  if (frame.wavefront.sorting == SORT_CLASS) index += *sortStart(classOf(pass));
  return pointer<const uint32_t>(frame.wavefront.shadingOrder)[index];
}

// seedForAlpha is needed only where the scene has alpha.
DEVICE uint32_t seedForAlpha(uint32_t path, uint32_t state) {
  if (!has(FEATURE_ALPHA)) return 0;
  return coverageSeed({floatBits(pathPlane(2, path)->w), floatBits(pathPlane(3, path)->w), state >> 16});
}

// --- Tracing -----------------------------------------------------------------------------------------------------------

// Extensions is the source of the rays of continuing paths.
struct Extensions {
  uint32_t wave;
  DEVICE_METHOD uint32_t count() const { return extensionCount(wave); }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    uint32_t path = pathAt(wave, index);
    float4 b = *pathPlane(1, path);
    if (!(floatBits(b.w) & PATH_ALIVE)) return false;
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

// Camera rays are coherent: one per thread, through the binary tree. Their hits may be stored, or known.
QUEUE_KERNEL(extend_first, 128, 10, extension, freshPaths(waveOf(pass))) {
  Extensions source = {waveOf(pass)};
  uint32_t i = *queueLength(LENGTH_EXTENSION, source.wave) + index, path = *slot(source.wave, i);
  uint32_t at = compacts() ? i : path;
  if (frame.sampling.flags & FRAME_FIRST_HITS) {
    if (isAlive(path)) source.end(at, *firstHit(indexOf(path)));
    return;
  }
  RayQuery ray;
  if (!source.begin(at, &ray)) return;
  uint32_t seed = source.alphaSeed(at);
  Hit hit = traceFirst(ray, seed, camerasCull());
  if (frame.firstHits.hits) *firstHit(indexOf(path)) = hit;
  source.end(at, hit);
}

// ShadowRays is the source of a wave's shadow rays. Result::unoccluded(path, ray) is called for those that reach their
// light, and before Result::dim(ray, T) for each pane on the way and what the last stretch absorbs.
template <typename Result>
struct ShadowRays {
  uint32_t wave;
  DEVICE_METHOD uint32_t count() const { return shadowRayCount(wave); }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    float4 a = *shadowPlane(0, index);
    if (a.w <= 0.0f) return false;
    *ray = {xyz(a), xyz(*shadowPlane(1, index)), a.w};
    countRay(COUNTER_SHADOW_RAYS);
    return true;
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const { return floatBits(shadowPlane(2, index)->w); }
  DEVICE_METHOD bool passes(uint32_t index, const Hit& hit, RayQuery* ray) const {
    float* tMax = &shadowPlane(0, index)->w;
    float4* to = shadowPlane(1, index);
    float3 T;
    ray->tMax = *tMax;
    if (floatBits(to->w) / SHADOW_PANE >= frame.sampling.panes) return false;
    MediumStack media = mediaOfShadow(index);
    if (!throughPane(hit, alphaSeed(index), ray, &media, &T)) return false;
    *tMax = ray->tMax;
    to->w = bitsFloat(floatBits(to->w) + SHADOW_PANE);
    setMediaOfShadow(index, media);
    dim(index, T);
    return true;
  }
  DEVICE_METHOD void dim(uint32_t index, float3 T) const {
    float4* contribution = shadowPlane(2, index);
    *contribution = with(xyz(*contribution) * T, contribution->w);
    Result::dim(index, T);
  }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    if (hit.triangle != NO_HIT) return;
    if (crossesVolumes()) dim(index, lastStretch(mediaOfShadow(index), hit.t));
    uint32_t path = pathOfShadow(floatBits(shadowPlane(1, index)->w));
    gatherAt(path, xyz(*shadowPlane(2, index)));
    Result::unoccluded(path, index);
  }
};
