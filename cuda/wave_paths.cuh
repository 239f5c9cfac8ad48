// The wavefront engine's kernels for plain paths.
#pragma once

#include "wavefront.cuh"

KERNEL(begin_paths) {
  uint32_t x, y;
  if (!takePixel(index, pass, &x, &y)) return;
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  storePath(index, p, p.Lo, marksOf(p, 0, false, true));
}

QUEUE_KERNEL(shade_paths, shadings(pass)) {
  uint32_t wave = waveOf(pass), at = shadedAt(pass, index), path = pathAt(wave, at);
  if (hasEnded(wave, at, path)) return;
  Path p;
  loadPath(path, &p, &p.Lo);
  ShadowRay shadow = {};
  bool alive = advancePath(p, fetch<Hit>(frame.pathHits, at), &shadow);
  storePath(path, p, p.Lo, marksOf(p, 0, false, alive));
  askShadow(wave, at, path, shadow, alphaSeed(p), nullptr);
  goOn(wave, at, path, alive);
  if (alive) countAlive(p.depth);
}

struct PathLight {
  static DEVICE_METHOD void arrives(uint32_t, uint32_t, uint32_t) {}
};

RAY_KERNEL(shadow_paths) { traceQueue<true>(Shadows<PathLight>{pass}, fetch); }

KERNEL(end_paths) {
  uint32_t x, y;
  if (index >= frame.poolSize || !pixelOf(firstOf(pass) + index, frame.width, frame.height, &x, &y)) return;
  accumulate(y * frame.width + x, xyz(*pathPlane(3, index)));
}
