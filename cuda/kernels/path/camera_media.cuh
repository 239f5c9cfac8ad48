// Which volumes the camera is in: those that a look ahead and a look back both leave. One look would take the back of a single
// sheet of glass, which encloses nothing, for a volume's.
#pragma once

#include "path/path.cuh"
#include "bvh/traverse.cuh"

DEVICE_TABLE uint32_t MOST_SURFACES = 256;   // of a look; what encloses the camera farther away is not found

// Enclosed are the volumes that a look leaves without having entered them.
struct Enclosed {
  uint32_t materials[4];   // the innermost first
  uint32_t count;
};

DEVICE Enclosed enclosed(float3 from, float3 direction, uint32_t most) {
  MediumStack ahead = {};
  Enclosed around = {{}, 0};
  for (uint32_t i = 0; i < MOST_SURFACES && around.count < most; i++) {
    Hit hit = traceClosest(from, direction, INFINITE, 0u);
    if (hit.triangle == NO_HIT) break;
    Surface s = makeSurface(hit, -direction);
    from = offsetOrigin(s.position, -s.ng, s.error);
    if (!isVolume(s.material)) continue;
    // Where volumes overlap, a look may leave one that it began in while it is in another.
    if (s.front || (mayNest() ? holds(ahead, s.material) : ahead.inner != 0))
      ahead = mediaBehind(ahead, s);
    else
      around.materials[around.count++] = s.material;
  }
  return around;
}

KERNEL(camera_media, 32, 1, generation) {
  if (index > 0) return;
  const Camera& c = frame.camera;
  uint32_t behind = enclosed(c.eye, -c.forward, 4).count;
  Enclosed ahead = enclosed(c.eye, c.forward, behind);
  MediumStack media = {};
  for (uint32_t i = ahead.count; i > 0; i--) media = entered(media, ahead.materials[i - 1]);
  *pointer<MediumStack>(frame.sampling.cameraMedia) = media;
}
