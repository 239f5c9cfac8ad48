// The wavefront engine's kernels for the paths of ReSTIR's initial samples.
#pragma once

#include "restir/gi_path.cuh"
#include "wavefront/pool.cuh"

DEVICE bool pixelOfPath(uint32_t path, uint32_t* pixel) {
  uint32_t x, y;
  bool inside = pixelOf(indexOf(path), frame.film.width, frame.film.height, &x, &y);
  *pixel = y * frame.film.width + x;
  return inside;
}

// giPlane is one of the planes that only GI paths have: 0 reusable part, distance travelled; 1 direct part.
DEVICE float4* giPlane(uint32_t plane, uint32_t path) {
  return pathPlane(WAVE_PATH_PLANES + (keepsPassage() ? (uint32_t)WAVE_PASSAGE_PLANES : 0u) + plane, path);
}

DEVICE void storeGIPath(uint32_t path, const GIPath& q, bool alive) {
  storePath(path, q.p, packPathState(q.p, q.stage, q.transmitted, alive));
  if (q.stage == STAGE_EYE) giPlane(0, path)->w = q.travelled;
}

DEVICE void loadGIPath(uint32_t path, GIPath* q) {
  uint32_t state = loadPath(path, &q->p);
  q->stage = state >> 12 & 3u;
  q->transmitted = (state >> 14 & 1u) != 0;
  q->travelled = q->stage == STAGE_EYE ? giPlane(0, path)->w : 0.0f;
}

// PoolSink keeps what a path of the pool gathers: in its planes, and in its pixel's Shade.
struct PoolSink {
  uint32_t wave, slot, path, pixel;
  bool queued;   // a shadow ray
  DEVICE_METHOD Split split() const {
    float4 direct = *giPlane(1, path);
    return {xyz(*giPlane(0, path)), xyz(direct), direct.w};
  }
  DEVICE_METHOD void setSplit(const Split& d) {
    *giPlane(0, path) = with(d.reusable, 0.0f);
    *giPlane(1, path) = with(d.direct, d.throughput);
  }
  DEVICE_METHOD void gather(float3 reusable, float3 direct) {
    gatherAt(path, reusable);
    if (!isBlack(direct)) pointer<Shade>(frame.restir.shade)[pixel].direct += direct;
  }
  DEVICE_METHOD void shadowRay(const ShadowRay& ray, float3 direct) {
    *giShadowPlane(queueShadowRay(wave, slot, path, ray)) = with(direct, 0.0f);
    queued = true;
  }
};

DEVICE void startGIPath(uint32_t path, uint32_t x, uint32_t y) {
  GIPath q = beginGIPath(x, y);
  countRay(COUNTER_PATHS);
  beginPlanes(path, q.p);
  storeGIPath(path, q, true);
}

DEVICE void finishGIPath(uint32_t path) {
  uint32_t pixel;
  if (!pixelOfPath(path, &pixel)) return;
  Path p;
  loadPath(path, &p);
  endGIPath(p.sampler, pixel, xyz(*pathPlane(3, path)));
}

KERNEL(begin_gi_paths, 128, 1, generation) {
  uint32_t x, y;
  if (assignFirstPixel(index, &x, &y)) startGIPath(index, x, y);
}

KERNEL(renew_gi_paths, 128, 1, generation) {
  uint32_t path, next, x, y;
  if (!regenerate(waveOf(pass), index, &path, &next)) return;
  finishGIPath(path);
  if (assignPixel(path, next, &x, &y)) startGIPath(path, x, y);
}

QUEUE_KERNEL(shade_gi_paths, 128, 4, shading, shadeCount(pass)) {
  uint32_t wave = waveOf(pass), at = shadeSlot(pass, index), path = pathAt(wave, at), pixel;
  if (hasEnded(wave, at, path)) return;
  pixelOfPath(path, &pixel);
  GIPath q;
  loadGIPath(path, &q);
  PoolSink sink = {wave, at, path, pixel, false};
  bool alive = advanceGIPath(q, pixel, fetch<Hit>(frame.wavefront.hits, at), sink);
  if (!sink.queued) noShadowRay(at);
  storeGIPath(path, q, alive);
  enqueue(wave, at, path, alive);
  if (alive) countAlive(q.p.depth);
}

// The direct contribution of a shadow ray goes to the pixel's Shade, the rest to the path.
struct GIShadowResult {
  static DEVICE_METHOD void dim(uint32_t index, float3 T) {
    float4* direct = giShadowPlane(index);
    *direct = with(xyz(*direct) * T, 0.0f);
  }
  static DEVICE_METHOD void unoccluded(uint32_t path, uint32_t index) {
    uint32_t pixel;
    pixelOfPath(path, &pixel);
    pointer<Shade>(frame.restir.shade)[pixel].direct += xyz(*giShadowPlane(index));
  }
};

RAY_KERNEL(shadow_gi_paths, 128, 7, shadow) { traceShadows(ShadowRays<GIShadowResult>{waveOf(pass)}, fetch); }

KERNEL(end_gi_paths, 128, 1, generation) {
  if (index < frame.wavefront.poolSize) finishGIPath(index);
}
