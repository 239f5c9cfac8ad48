// The first hits of camera rays, which a resting view may keep instead of tracing them for every sample.
//
// Frame.firstHits.hits is where the hits of this frame's camera rays are stored, or read from, one per launch index of
// the image; 0 keeps none. The point in pixel and lens then belongs to the stored hits, not to the sample (beginPath).
#pragma once

#include "film/film.cuh"
#include "path/camera_hit.cuh"
#include "path/path.cuh"

DEVICE Hit* firstHit(uint32_t index) { return pointer<Hit>(frame.firstHits.hits) + index; }

// nextHit is what a path's extension ray hits.
DEVICE Hit nextHit(uint32_t index, const Path& p) {
  bool first = p.depth == 0 && p.panes == 0, kept = first && frame.firstHits.hits;
  if (kept && (frame.sampling.flags & FRAME_FIRST_HITS)) return *firstHit(index);
  countRay(COUNTER_EXTENSION_RAYS);
  if (!first) return traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p));
  Hit hit = cameraHit(p.origin, p.direction, alphaSeed(p));
  if (kept) *firstHit(index) = hit;
  return hit;
}
