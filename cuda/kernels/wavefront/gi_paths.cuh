// The wavefront engine's kernels for the paths of ReSTIR GI's initial samples.
#pragma once

#include "restir/gi_path.cuh"
#include "wavefront/pool.cuh"

DEVICE bool pixelOfPath(uint32_t path, uint32_t* pixel) {
  uint32_t x, y;
  bool inside = pixelOf(indexOf(path), frame.film.width, frame.film.height, &x, &y);
  *pixel = y * frame.film.width + x;
  return inside;
}

DEVICE void storeShared(uint32_t path, const SharedPath& q, bool alive) {
  storePath(path, q.p, marksOf(q.p, q.stage, q.transmitted, alive));
  if (q.stage == STAGE_EYE) pathPlane(4, path)->w = q.travelled;
}

DEVICE void loadShared(uint32_t path, SharedPath* q) {
  uint32_t marks = loadPath(path, &q->p);
  q->stage = marks >> 12 & 3u;
  q->transmitted = (marks >> 14 & 1u) != 0;
  q->travelled = q->stage == STAGE_EYE ? pathPlane(4, path)->w : 0.0f;
}

// Booked is the ledger of a path in the pool: planes 3 to 5, and its pixel's Shade.
struct Booked {
  uint32_t wave, at, path, pixel;
  bool asks;
  DEVICE_METHOD Division division() const { return {xyz(*pathPlane(4, path)), xyz(*pathPlane(5, path))}; }
  DEVICE_METHOD void divide(const Division& d) {
    *pathPlane(4, path) = with(d.toBase, 0.0f);
    *pathPlane(5, path) = with(d.toStraight, 0.0f);
  }
  DEVICE_METHOD void gather(float3 base, float3 straight) {
    gatherAt(path, base);
    if (!isBlack(straight)) pointer<Shade>(frame.restir.shade)[pixel].direct += straight;
  }
  DEVICE_METHOD void ask(const ShadowRay& ray, float3 straight) {
    *shadowPlane(3, askShadow(wave, at, path, ray)) = with(straight, 0.0f);
    asks = true;
  }
};

DEVICE void beginSharedIn(uint32_t path, uint32_t x, uint32_t y) {
  SharedPath q = beginShared(x, y);
  countRay(COUNTER_PATHS);
  beginPlanes(path, q.p);
  storeShared(path, q, true);
}

DEVICE void finishShared(uint32_t path) {
  uint32_t pixel;
  if (!pixelOfPath(path, &pixel)) return;
  Path p;
  loadPath(path, &p);
  endShared(p.sampler, pixel, xyz(*pathPlane(3, path)), pointer<const Shade>(frame.restir.shade)[pixel].direct);
}

KERNEL(begin_shared, 128, 1, generation) {
  uint32_t x, y;
  if (takeFirst(index, &x, &y)) beginSharedIn(index, x, y);
}

KERNEL(renew_shared, 128, 1, generation) {
  uint32_t path, next, x, y;
  if (!renewal(waveOf(pass), index, &path, &next)) return;
  finishShared(path);
  if (takePixel(path, next, &x, &y)) beginSharedIn(path, x, y);
}

QUEUE_KERNEL(shade_shared, 128, 4, shading, shadings(pass)) {
  uint32_t wave = waveOf(pass), at = shadedAt(pass, index), path = pathAt(wave, at), pixel;
  if (hasEnded(wave, at, path)) return;
  pixelOfPath(path, &pixel);
  SharedPath q;
  loadShared(path, &q);
  Booked booked = {wave, at, path, pixel, false};
  bool alive = advanceShared(q, pixel, fetch<Hit>(frame.wavefront.hits, at), booked);
  if (!booked.asks) askNothing(at);
  storeShared(path, q, alive);
  goOn(wave, at, path, alive);
  if (alive) countAlive(q.p.depth);
}

// What goes straight to the image arrives there beside what the path gathers.
struct SharedLight {
  static DEVICE_METHOD void arrives(uint32_t path, uint32_t index) {
    uint32_t pixel;
    pixelOfPath(path, &pixel);
    pointer<Shade>(frame.restir.shade)[pixel].direct += xyz(*shadowPlane(3, index));
  }
};

RAY_KERNEL(shadow_shared, 128, 7, shadow) { traceQueue<true>(Shadows<SharedLight>{waveOf(pass)}, fetch); }

KERNEL(end_shared, 128, 1, generation) {
  if (index < frame.wavefront.poolSize) finishShared(index);
}
