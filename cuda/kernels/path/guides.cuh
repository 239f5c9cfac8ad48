// Guides: of each sample's own camera ray, what a denoiser is told of the surfaces that the pixel shows: albedo and shading
// normal, mean over samples. A mirror or smooth glass shows others, so a gaze goes on to the first vertex with a finite
// lobe, and comes back multiplied by what the mirrors leave of it. Where a surface both reflects and lets through, both are
// looked at once; later the stronger one stands for both. No random number beyond pixel and lens is used: guides are as
// noisy as the camera's rays alone.
#pragma once

#include "film/film.cuh"
#include "path/hits.cuh"

DEVICE_TABLE uint32_t MAX_SEGMENTS = 16;       // of a gaze; what lies beyond counts as white
DEVICE_TABLE float NEGLIGIBLE_SHARE = 0.02f;   // of a pixel: what shows so little is left out

// Guide is what one camera ray adds to the means.
struct Guide {
  float3 albedo;
  float3 normal;
  float3 glow;     // light that no finite lobe has scattered [nit]
  float reach;     // how far away what the largest part of the pixel shows seems to be, along all segments [m]
  float widest;    // that part
  uint32_t seen;   // enum Seen: what it shows
};

// Gaze is one way to look through a pixel. The path's throughput is what of its light arrives.
struct Gaze {
  Path p;
  float share;   // of the pixel that looks this way; 0: nobody
  float reach;   // so far [m]
};

// Gazes are the way that is followed, and one that waits for its turn.
struct Gazes {
  Gaze now, aside;
  bool split;   // there has been one
};

// glowing is the albedo that stands for light: its hue, where it is brighter than white.
DEVICE float3 glowing(float3 L) { return L * (1.0f / maxf(1.0f, maxComponent(L))); }

DEVICE float3 saturate3(float3 c) { return make_float3(saturate(c.x), saturate(c.y), saturate(c.z)); }

// finiteAlbedo is about what the lobes that are no delta send to the eye of white light from all around; of a metal its
// Fresnel reflectance, whatever its roughness.
DEVICE float3 finiteAlbedo(Bsdf b) {
  b.metalScale = 0.0f;
  float3 sum = vec3(0.0f);
#define X(name, feature, ...) \
  if (has(feature) && b.select[LOBE_##name] > 0.0f && !isDelta(b, LOBE_##name)) sum += weight##name(b, b);
  LOBES(X)
#undef X
  return saturate3(sum);
}

// passShare is how much of what a smooth surface does not scatter it lets through; wide is the share that it scatters.
DEVICE float passShare(const Bsdf& b, float wide) {
  if (!has(FEATURE_GLASS) && !has(FEATURE_THIN)) return 0.0f;
  float reflected = maxComponent(glassReflectance(b, b.wo.z));
  return (b.select[LOBE_Thin] + b.select[LOBE_Glass] * (1.0f - reflected)) / (1.0f - wide);
}

// wayOn is where a smooth surface sends a gaze. Of the interval of uLobe, the sharp lobes have the end: first reflection,
// then transmission.
DEVICE BsdfSample wayOn(const Bsdf& b, float wide, bool through) {
  float sharp = 1.0f - wide;
  BsdfSample bs = drawBsdf(b, wide + sharp * (through ? 0.9999f : 0.0001f), make_float2(0.5f, 0.5f));
  bs.weight *= sharp;
  return bs;
}

// follow takes a gaze on from a smooth surface. False when nothing is left to follow.
DEVICE bool follow(Gazes& q, const Surface& s, const Bsdf& b, float wide) {
  float through = passShare(b, wide);
  bool passes = through > 0.5f;
  float part = passes ? 1.0f - through : through;   // of the weaker way
  if (!q.split && q.now.share * part > NEGLIGIBLE_SHARE) {
    q.split = true;
    q.aside = q.now;
    q.aside.share *= part;
    q.aside.p.throughput *= part;
    leave(q.aside.p, s, wayOn(b, wide, !passes));
    q.now.share *= 1.0f - part;
    q.now.p.throughput *= 1.0f - part;
  }
  leave(q.now.p, s, wayOn(b, wide, passes));
  return !isBlack(q.now.p.throughput);
}

// showsMedium tells whether what is seen is a volume that scatters, and not what lies behind it.
DEVICE bool showsMedium(const Material& m, Guide* g, const Gaze& v, float3 normal) {
  if (!has(FEATURE_MEDIA) || isBlack(m.scattering)) return false;
  float3 a = m.attenuation, k = m.scattering;
  g->albedo += v.p.throughput * make_float3(k.x / maxf(a.x, 1e-20f), k.y / maxf(a.y, 1e-20f), k.z / maxf(a.z, 1e-20f));
  g->normal += normal * v.share;
  return true;
}

// noteSeen remembers what the largest part of the pixel shows, and how far away.
DEVICE void noteSeen(Guide* g, float share, float reach, uint32_t seen) {
  if (share <= g->widest) return;
  g->widest = share;
  g->reach = reach;
  g->seen = seen;
}

// addGlow adds light that arrives as it was sent, as the path has it.
DEVICE void addGlow(Guide* g, const Gaze& v, float3 L) {
  if (wanted(0)) g->glow += v.p.throughput * L;
}

// look takes the hit of a gaze's ray and adds what is seen there. False when the gaze ends.
DEVICE bool look(Gazes& q, const Hit& hit, Guide* g) {
  Gaze& v = q.now;
  if (hit.triangle == NO_HIT) {
    float3 L = environmentRadiance(v.p.direction);
    g->albedo += v.p.throughput * glowing(L);
    addGlow(g, v, L);
    noteSeen(g, v.share, DEPTH_OF_NOTHING, SEEN_NOTHING);
    return false;
  }
  v.reach += hit.t;
  float3 wo = -v.p.direction;
  Surface s = makeSurface(hit, wo);
  const Material& m = pointer<const Material>(frame.scene.materials)[s.material];
  if (!s.front && m.transmission > 0.0f && !(m.flags & MATERIAL_THIN) && isBlack(m.scattering)) absorb(v.p, m, hit.t);
  Appearance a = makeAppearance(m, s);
  Bsdf b = makeBsdf(m, s, a, wo);
  bool unlit = has(FEATURE_UNLIT) && (m.flags & MATERIAL_UNLIT);
  float ends = unlit || !b.smooth || !isBlack(a.emission) ? 1.0f : nonSpecularShare(b);
  float3 glow = unlit ? a.baseColor : a.emission, reflected = unlit ? vec3(0.0f) : finiteAlbedo(b);
  g->albedo += v.p.throughput * saturate3(reflected + glowing(glow));
  addGlow(g, v, glow);
  noteSeen(g, v.share * ends, v.reach, isBlack(reflected) ? SEEN_LAMP : SEEN_SURFACE);
  g->normal += b.basis.z * (v.share * ends);
  if (v.share * (1.0f - ends) <= NEGLIGIBLE_SHARE || showsMedium(m, g, v, b.basis.z)) return false;
  v.share *= 1.0f - ends;
  if (v.p.depth + 1 < MAX_SEGMENTS) return follow(q, s, b, ends);
  g->albedo += v.p.throughput;
  return false;
}

// guideOf follows all gazes of a camera ray.
DEVICE Guide guideOf(const Path& eye, Hit hit) {
  Guide g = {};
  Gazes q = {};
  q.now.p = eye;
  q.now.share = 1.0f;
  for (;;) {
    if (!look(q, hit, &g)) {
      if (q.aside.share == 0.0f || isBlack(q.aside.p.throughput)) break;
      q.now = q.aside;
      q.aside.share = 0.0f;
    }
    hit = traceClosest(q.now.p.origin, q.now.p.direction, INFINITE, alphaSeed(q.now.p));
  }
  g.albedo = saturate3(g.albedo);
  return g;
}

// objectOf numbers what a triangle, of that face, belongs to, instances after all else; −1 where that is not known.
DEVICE float objectOf(uint32_t triangle, uint32_t face) {
  if (twoLevels() && triangle >= FIRST_INSTANCED) return (float)(frame.guides.objectCount + instanceOf(triangle));
  const uint32_t* first = pointer<const uint32_t>(frame.guides.objects);
  uint32_t low = 0, high = frame.guides.objectCount;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (first[middle] <= face)
      low = middle + 1;
    else
      high = middle;
  }
  return (float)low - 1.0f;
}

// keepPlace writes what cannot be averaged: where the ray met its first surface, and which that is.
DEVICE void keepPlace(uint32_t pixel, const Path& eye, const Hit& hit) {
  if (hit.triangle == NO_HIT) {
    float3 far = eye.origin + eye.direction * DEPTH_OF_NOTHING;
    *aovAt(AOV_PLACE, pixel) = make_float4(far.x, far.y, far.z, DEPTH_OF_NOTHING);
    *aovAt(AOV_IDS, pixel) = make_float4(-1.0f, -1.0f, 0.0f, 0.0f);
    return;
  }
  const Triangle t = worldTriangle(hit.triangle);
  float3 at = t.v0 + t.e1 * hit.u + t.e2 * hit.v;
  float depth = dot(at - frame.camera.eye, frame.camera.forward);
  *aovAt(AOV_PLACE, pixel) = make_float4(at.x, at.y, at.z, depth);
  *aovAt(AOV_IDS, pixel) = make_float4((float)(t.material & ~ALPHA_BIT), objectOf(hit.triangle, t.face), 0.0f, 0.0f);
}

// keepSeen writes where what a mirror shows seems to be, or whatever else the ray ends at.
DEVICE void keepSeen(uint32_t pixel, const Path& eye, const Guide& g) {
  float3 at = eye.origin + eye.direction * (g.seen == SEEN_NOTHING ? DEPTH_OF_NOTHING : g.reach);
  *aovAt(AOV_SEEN, pixel) = make_float4(at.x, at.y, at.z, (float)g.seen);
}

// keepMotion writes how far the kept place has moved in the image since the frame before.
DEVICE void keepMotion(uint32_t pixel) {
  float3 at = xyz(*aovAt(AOV_PLACE, pixel));
  float x = 0.0f, y = 0.0f, fromX = 0.0f, fromY = 0.0f;
  bool seen = placeInImage(frame.camera, at, &x, &y) && placeInImage(frame.previous, at, &fromX, &fromY);
  float4* ids = aovAt(AOV_IDS, pixel);
  ids->z = seen ? x - fromX : 0.0f;
  ids->w = seen ? y - fromY : 0.0f;
}

KERNEL(guides, 128, 4, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Path eye = beginPath(x, y);
  Hit hit = (frame.sampling.flags & FRAME_FIRST_HITS) && frame.firstHits.hits
                ? *firstHit(index)
                : traceClosest(eye.origin, eye.direction, INFINITE, alphaSeed(eye));
  bool first = (frame.sampling.flags & FRAME_REPLACE) || aovAt(AOV_ALBEDO, pixel)->w == 0.0f;
  if (first && keepsAov(AOV_IDS)) keepPlace(pixel, eye, hit);
  if (keepsAov(AOV_IDS)) keepMotion(pixel);
  Guide g = guideOf(eye, hit);
  addAov(AOV_ALBEDO, pixel, g.albedo);
  addAov(AOV_NORMAL, pixel, g.normal);
  if (!keepsAov(AOV_SEEN)) return;
  addAov(AOV_GLOW, pixel, g.glow);
  if (first) keepSeen(pixel, eye, g);
}
