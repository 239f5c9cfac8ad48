// Several paths of a pixel make one frame: what they found is resampled to one sample before it is shared, so that the passes of
// reuse are paid once. All go through the same point in pixel and lens; those that come to the x1 of the first are candidates for
// its reservoir, the light of others is added to the pixel. (Talbot et al. 2005; the candidates of Bitterli et al. 2020.)
#pragma once

#include "restir/direct.cuh"

// candidateStream is another one for each path of a frame, beyond those of choose_lights and light_vis.
DEVICE Stream candidateStream(uint32_t pixel) { return initialStream(pixel, 4 + 2 * frame.restir.path); }

// joinCandidates resamples between what the paths before have found, of weight W = Σ w / p̂, and what this one has: its own sample
// and light that it met.
DEVICE Reservoir joinCandidates(const GBuffer& g, const Shade& shade, uint32_t pixel) {
  Domain here = unpackDomain(g);
  Stream stream = candidateStream(pixel);
  Resampling s = {nullReservoir(1), 0.0f, 0.0f};
  const Reservoir* found[] = {pointer<const Reservoir>(frame.restir.candidates) + pixel,
                              pointer<const Reservoir>(frame.restir.reservoirs) + pixel,
                              pointer<const Reservoir>(frame.restir.lights) + pixel};
  for (uint32_t i = frame.restir.path == 0 ? 1 : 0; i < (shade.metLight ? 3u : 2u); i++) {
    Reservoir r = *found[i];
    float p = r.W > 0.0f ? targetOf(here, r) : 0.0f;
    addSample(&s, r, p * r.W, p, uniform(stream));
  }
  return finalize(s, 1.0f, 0);
}

// endCandidates turns the sums of a frame's paths into means. Paths that came to another x1 have brought nothing to the sample:
// of the light that x1 sends, the pixel sees as much as paths have come there.
DEVICE void endCandidates(Reservoir* r, Shade* shade) {
  float paths = (float)(frame.restir.path + 1), here = (float)shade->paths;
  shade->direct *= 1.0f / paths;
  if (here == 0.0f) return;
  shade->prefix *= here / paths;
  r->W /= here;
}

// What a path of the frame found joins what those before have found; after the last it becomes the pixel's initial sample.
KERNEL(join_candidates, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  GBuffer g = fetch<GBuffer>(frame.restir.gbuffer, pixel);
  Shade* shade = pointer<Shade>(frame.restir.shade) + pixel;
  bool valid = (g.color >> 24 & GBUFFER_VALID) != 0;
  Reservoir r = valid ? joinCandidates(g, *shade, pixel) : nullReservoir(1);
  shade->metLight = 0;
  if (frame.restir.flags & RESTIR_GATHER) {
    pointer<Reservoir>(frame.restir.candidates)[pixel] = r;
    return;
  }
  endCandidates(&r, shade);
  pointer<Reservoir>(frame.restir.reservoirs)[pixel] = r;
}
