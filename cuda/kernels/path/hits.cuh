// First hits that are kept: a resting view's camera rays need not be traced again and again.
//
// Frame.firstHits.hits is where the hits of this frame's camera rays go, or come from, one a launch index of the image; 0 keeps
// none. The ray's place in pixel and lens then belongs to the hits, not to the sample (beginPath).
#pragma once

#include "film/film.cuh"
#include "path/path.cuh"
#include "bvh/traverse.cuh"

DEVICE Hit* firstHit(uint32_t index) { return pointer<Hit>(frame.firstHits.hits) + index; }

// nextHit is what a path's extension ray finds.
DEVICE Hit nextHit(uint32_t index, const Path& p) {
  bool first = p.depth == 0 && frame.firstHits.hits;
  if (first && (frame.sampling.flags & FRAME_FIRST_HITS)) return *firstHit(index);
  countRay(COUNTER_EXTENSION_RAYS);
  Hit hit = traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p));
  if (first) *firstHit(index) = hit;
  return hit;
}
