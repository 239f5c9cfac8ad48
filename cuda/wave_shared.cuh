// The wavefront engine's kernels for the paths of ReSTIR GI's initial samples.
#pragma once

#include "wavefront.cuh"

DEVICE bool pixelOfPath(uint32_t path, uint32_t pass, uint32_t* pixel) {
  uint32_t x, y;
  bool inside = pixelOf(firstOf(pass) + path, frame.width, frame.height, &x, &y);
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

KERNEL(begin_shared) {
  uint32_t x, y;
  if (!takePixel(index, pass, &x, &y)) return;
  SharedPath q = beginShared(x, y);
  countRay(COUNTER_PATHS);
  storeShared(index, y * frame.width + x, q, true);
}

QUEUE_KERNEL(shade_shared, shadings(pass)) {
  uint32_t wave = waveOf(pass), at = shadedAt(pass, index), path = pathAt(wave, at), pixel;
  if (hasEnded(wave, at, path)) return;
  pixelOfPath(path, pass, &pixel);
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
  static DEVICE_METHOD void arrives(uint32_t path, uint32_t index, uint32_t pass) {
    uint32_t pixel;
    pixelOfPath(path, pass, &pixel);
    pointer<Shade>(frame.shade)[pixel].direct += xyz(*shadowPlane(3, index));
  }
};

RAY_KERNEL(shadow_shared) { traceQueue<true>(Shadows<SharedLight>{pass}, fetch); }

KERNEL(end_shared) {
  uint32_t pixel;
  if (index >= frame.poolSize || !pixelOfPath(index, pass, &pixel)) return;
  SharedPath q;
  loadShared(index, pixel, &q);
  endShared(q, pixel);
}
