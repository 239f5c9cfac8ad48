// The first hits of camera rays, which a resting view may keep instead of tracing them for every sample.
//
// Frame.firstHits.hits is where the hits of this frame's camera rays are stored, or read from, one per launch index of
// the image; 0 keeps none. The point in pixel and lens then belongs to the stored hits, not to the sample (beginPath).
#pragma once

#include "film/film.cuh"
#include "path/path.cuh"
#include "bvh/traverse.cuh"

DEVICE Hit* firstHit(uint32_t index) { return pointer<Hit>(frame.firstHits.hits) + index; }

// nextHit is what a path's extension ray hits.
DEVICE Hit nextHit(uint32_t index, const Path& p) {
  bool first = p.depth == 0 && p.panes == 0 && frame.firstHits.hits;
  if (first && (frame.sampling.flags & FRAME_FIRST_HITS)) return *firstHit(index);
  countRay(COUNTER_EXTENSION_RAYS);
  Hit hit = traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p));
  if (first) *firstHit(index) = hit;
  return hit;
}
