// The wavefront engine's kernels for the paths of ReSTIR GI's initial samples.
#pragma once

#include "wavefront.cuh"

DEVICE bool pixelOfPath(uint32_t path, uint32_t* pixel) {
  uint32_t x, y;
  bool inside = pixelOf(indexOf(path), frame.width, frame.height, &x, &y);
  *pixel = y * frame.width + x;
  return inside;
}

DEVICE void storeShared(uint32_t path, uint32_t pixel, const SharedPath& q, bool alive) {
  storePath(path, q.p, q.base, marksOf(q.p, q.stage, q.transmitted, alive));
  *pathPlane(4, path) = with(q.toBase, q.travelled);
  *pathPlane(5, path) = with(q.toStraight, 0.0f);
  pointer<Shade>(frame.shade)[pixel].direct = q.straight;
}

DEVICE void loadShared(uint32_t path, uint32_t pixel, SharedPath* q) {
  uint32_t marks = loadPath(path, &q->p, &q->base);
  q->stage = marks >> 12 & 3u;
  q->transmitted = (marks >> 14 & 1u) != 0;
  float4 e = *pathPlane(4, path);
  q->toBase = xyz(e);
  q->travelled = e.w;
  q->toStraight = xyz(*pathPlane(5, path));
  q->straight = pointer<const Shade>(frame.shade)[pixel].direct;
}

DEVICE void beginSharedIn(uint32_t path, uint32_t x, uint32_t y) {
  SharedPath q = beginShared(x, y);
  countRay(COUNTER_PATHS);
  storeShared(path, y * frame.width + x, q, true);
}

DEVICE void finishShared(uint32_t path) {
  uint32_t pixel;
  if (!pixelOfPath(path, &pixel)) return;
  SharedPath q;
  loadShared(path, pixel, &q);
  endShared(q, pixel);
}

KERNEL(begin_shared) {
  uint32_t x, y;
  if (takeFirst(index, &x, &y)) beginSharedIn(index, x, y);
}

KERNEL(renew_shared) {
  uint32_t path, next, x, y;
  if (!renewal(waveOf(pass), index, &path, &next)) return;
  finishShared(path);
  if (takePixel(path, next, &x, &y)) beginSharedIn(path, x, y);
}

QUEUE_KERNEL(shade_shared, shadings(pass)) {
  uint32_t wave = waveOf(pass), at = shadedAt(pass, index), path = pathAt(wave, at), pixel;
  if (hasEnded(wave, at, path)) return;
  pixelOfPath(path, &pixel);
  SharedPath q;
  loadShared(path, pixel, &q);
  SharedShadow shadow;
  bool alive = advanceShared(q, pixel, fetch<Hit>(frame.pathHits, at), &shadow);
  storeShared(path, pixel, q, alive);
  askShadow(wave, at, path, shadow.ray, alphaSeed(q.p), &shadow.straight);
  goOn(wave, at, path, alive);
  if (alive) countAlive(q.p.depth);
}

// What goes straight to the image arrives there beside what the path gathers.
struct SharedLight {
  static DEVICE_METHOD void arrives(uint32_t path, uint32_t index) {
    uint32_t pixel;
    pixelOfPath(path, &pixel);
    pointer<Shade>(frame.shade)[pixel].direct += xyz(*shadowPlane(3, index));
  }
};

RAY_KERNEL(shadow_shared) { traceQueue<true>(Shadows<SharedLight>{waveOf(pass)}, fetch); }

KERNEL(end_shared) {
  if (index < frame.poolSize) finishShared(index);
}
