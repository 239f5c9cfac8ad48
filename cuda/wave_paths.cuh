// The wavefront engine's kernels for plain paths.
#pragma once

#include "wavefront.cuh"

KERNEL(begin_paths) {
  uint32_t x, y;
  if (!takePixel(index, pass, &x, &y)) return;
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  beginPlanes(index, p);
  storePath(index, p, marksOf(p, 0, false, true));
}

QUEUE_KERNEL(shade_paths, shadings(pass)) {
  uint32_t wave = waveOf(pass), at = shadedAt(pass, index), path = pathAt(wave, at);
  if (hasEnded(wave, at, path)) return;
  Path p;
  loadPath(path, &p);
  p.Lo = vec3(0.0f);
  bool asks = false;
  bool alive = advancePath(p, fetch<Hit>(frame.pathHits, at), [&](const ShadowRay& ray) {
    askShadow(wave, at, path, ray);
    asks = true;
  });
  if (!asks) askNothing(at);
  gatherAt(path, p.Lo);
  storePath(path, p, marksOf(p, 0, false, alive));
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
