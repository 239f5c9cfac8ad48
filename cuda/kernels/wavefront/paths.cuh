// The wavefront engine's kernels for plain paths.
#pragma once

#include "wavefront/pool.cuh"

DEVICE void startPath(uint32_t path, uint32_t x, uint32_t y) {
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  beginPlanes(path, p);
  storePath(path, p, packPathState(p, 0, false, true));
}

DEVICE void finishPath(uint32_t path) {
  uint32_t x, y;
  if (!pixelOf(indexOf(path), frame.film.width, frame.film.height, &x, &y)) return;
  accumulate(y * frame.film.width + x, xyz(*pathPlane(3, path)));
}

KERNEL(begin_paths, 128, 1, generation) {
  uint32_t x, y;
  if (assignFirstPixel(index, &x, &y)) startPath(index, x, y);
}

KERNEL(renew_paths, 128, 1, generation) {
  uint32_t path, next, x, y;
  if (!regenerate(waveOf(pass), index, &path, &next)) return;
  finishPath(path);
  if (assignPixel(path, next, &x, &y)) startPath(path, x, y);
}

QUEUE_KERNEL(shade_paths, 128, 5, shading, shadeCount(pass)) {
  uint32_t wave = waveOf(pass), at = shadeSlot(pass, index), path = pathAt(wave, at);
  if (hasEnded(wave, at, path)) return;
  Path p;
  loadPath(path, &p);
  p.Lo = vec3(0.0f);
  bool queued = false;
  bool alive = advancePath(p, fetch<Hit>(frame.wavefront.hits, at), [&](const ShadowRay& ray) {
    queueShadowRay(wave, at, path, ray);
    queued = true;
  });
  if (!queued) noShadowRay(at);
  gatherAt(path, p.Lo);
  storePath(path, p, packPathState(p, 0, false, alive));
  enqueue(wave, at, path, alive);
  if (alive) countAlive(p.depth);
}

struct PathShadowResult {
  static DEVICE_METHOD void unoccluded(uint32_t, uint32_t) {}
  static DEVICE_METHOD void dim(uint32_t, float3) {}
};

RAY_KERNEL(shadow_paths, 128, 7, shadow) { traceShadows(ShadowRays<PathShadowResult>{waveOf(pass)}, fetch); }

KERNEL(end_paths, 128, 1, generation) {
  if (index < frame.wavefront.poolSize) finishPath(index);
}
