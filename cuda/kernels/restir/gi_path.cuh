// The path that ReSTIR takes its initial sample from, as steps like those of path.cuh: camera ray and mirrors up to
// x1, the G-buffer, direct light at x1, one direction to x2, and from there the light that leaves x2 towards x1.
// (Ouyang et al. 2021, §4.1; passes P0 to P2 of docs/restir.md.)
#pragma once

#include "path/hits.cuh"
#include "path/panes.cuh"
#include "restir/direct.cuh"

// What a path's next hit is.
enum Stage : uint32_t {
  STAGE_EYE = 0,      // looking for x1
  STAGE_SECOND = 1,   // on the way from x1 to x2
  STAGE_TAIL = 2,     // beyond x2
};

// Split says how light that a path gathers beyond x2 is divided. What a sample may share, the light of x2's Lambert
// base, is reusable; the rest is added directly to the image. On the way from x1 to x2, `reusable` is the part of x1's
// BSDF that may be shared, by channel.
struct Split {
  float3 reusable;
  float3 direct;
  float throughput;   // from the camera to x2: by it roulette judges the tail, as it judges other paths
};

// GIPath is such a path. Beyond x2 its throughput starts again from 1, so that it belongs to the sample alone; both parts of
// the light are linear in it. What it gathers, and its Split, are kept by a Sink, which only some steps access:
//   Split split() const;  void setSplit(const Split&);
//   void gather(float3 reusable, float3 direct);           radiance [nit]: leaving x2, and arriving at the camera
//   void shadowRay(const ShadowRay&, float3 direct);       a shadow ray with its reusable contribution, and the direct one
struct GIPath {
  Path p;
  float travelled;    // EYE: so far [m]
  uint32_t stage;     // enum Stage
  bool transmitted;   // SECOND: x1 transmitted the path
};

// ratio is part / whole, 0 where there is nothing. Where the part is all, it is exactly 1: nothing is left for the rest.
DEVICE float ratio(float part, float whole) {
  if (!(whole > LEAST_DIVISOR)) return 0.0f;
  return part == whole ? 1.0f : part / whole;
}
DEVICE float3 ratio(float3 part, float3 whole) {
  return make_float3(ratio(part.x, whole.x), ratio(part.y, whole.y), ratio(part.z, whole.z));
}

// mirrorFlags says how many mirrors x1 is seen through.
DEVICE uint32_t mirrorFlags(uint32_t mirrors) {
  return (mirrors > 0 ? 0u : GBUFFER_NO_MIRROR) | minu(mirrors, MAX_MIRRORS) * GBUFFER_MIRROR;
}

// isX1 tells whether a path has come to the x1 that is stored.
DEVICE bool isX1(const GBuffer& g, const Hit& hit, uint32_t mirrors) {
  uint32_t flags = g.color >> 24;
  return (flags & GBUFFER_VALID) && (flags & ~(GBUFFER_VALID | GBUFFER_REUSABLE)) == mirrorFlags(mirrors) &&
         g.triangle == hit.triangle && g.u == hit.u && g.v == hit.v;
}

// packGBuffer packs x1, seen along `depth` metres and so many mirrors.
DEVICE GBuffer packGBuffer(const ShadedVertex& v, const Hit& hit, float depth, uint32_t mirrors) {
  const Bsdf& b = v.b;
  float3 c = v.a.baseColor;
  uint32_t flags = GBUFFER_VALID | mirrorFlags(mirrors);
  bool shares = b.select[LOBE_Diffuse] > 0.0f || sharesReflection(b);
  if (shares && mirrors < MAX_MIRRORS) flags |= GBUFFER_REUSABLE;
  GBuffer g;
  g.position = v.s.position;
  g.ns = packNormal(b.basis.z);
  g.ng = packNormal(v.s.ng);
  g.wo = packNormal(v.wo);
  // Exact roots: those of round values may lie halfway between two steps.
  g.color = pack4(midrangeSqrt(c.x), midrangeSqrt(c.y), midrangeSqrt(c.z), 0.0f) | flags << 24;
  g.lobes = pack4(midrangeSqrt(b.alpha), v.a.metallic, maxComponent(b.coatF0) * (1.0f - v.a.metallic), b.base);
  g.depth = depthWithError(depth, v.s.error);
  g.triangle = hit.triangle;
  g.u = hit.u;
  g.v = hit.v;
  return g;
}

// beginGIPath starts a pixel's path and clears what endGIPath does not write. Further paths of a frame add to the first one's.
DEVICE GIPath beginGIPath(uint32_t x, uint32_t y) {
  GIPath q = {};
  q.p = beginPath(x, y);
  uint32_t pixel = y * frame.film.width + x;
  Shade* shade = pointer<Shade>(frame.restir.shade) + pixel;
  if (frame.restir.path > 0) return q;
  pointer<GBuffer>(frame.restir.gbuffer)[pixel] = {};
  *shade = {};
  return q;
}

// How many times more often than by its share of the light a polished coat is followed as a mirror, up to every second time:
// neighbours share what is under the coat, but nothing of what it mirrors.
DEVICE_TABLE float MIRROR_FAVOUR = 12.0f;

// chooseWideLobes decides at a surface that may be a link of a chain whether the path stops there, with its wide lobes alone, or goes on
// by the others. The number *u then chooses among those.
DEVICE bool chooseWideLobes(Path& p, Bsdf& b, float* u) {
  float wide = nonSpecularShare(b), sharp = 1.0f - wide;
  float on = maxf(sharp, minf(MIRROR_FAVOUR * sharp, 0.5f)), stop = 1.0f - on;
  if (*u < stop) {
    p.throughput *= 1.0f / stop;
    keepNonSpecularLobes(b);
    return true;
  }
  p.throughput *= 1.0f / on;
  keepSpecularLobes(b);
  *u = (*u - stop) / on;
  return false;
}

// storeGBuffer stores x1. Of the paths of a frame the first one decides: false for one that chose otherwise at a mirror or at
// glass, and so has come to another x1. All go through the same point in pixel and lens.
DEVICE bool storeGBuffer(const GIPath& q, uint32_t pixel, const ShadedVertex& v, const Hit& hit) {
  GBuffer* g = pointer<GBuffer>(frame.restir.gbuffer) + pixel;
  Shade* shade = pointer<Shade>(frame.restir.shade) + pixel;
  if (frame.restir.path == 0) {
    *g = packGBuffer(v, hit, q.travelled, q.p.depth);
    shade->prefix = q.p.throughput;
  } else if (!isX1(*g, hit, q.p.depth)) {
    return false;
  }
  shade->paths += 1;
  return true;
}

// storeSample stores the initial sample, except its radiance.
DEVICE void storeSample(uint32_t pixel, const ShadedVertex& v, float pdf) {
  Reservoir r = nullReservoir(1);
  r.x2 = v.s.position;
  r.n2 = packNormal(v.s.ng);
  r.W = 1.0f / pdf;
  setErrorOfX2(&r, v.s.error);
  setCoat(&r, {v.a.roughness, v.b.coat > 0.0f ? maxComponent(v.b.coatF0) : 0.0f});
  pointer<Reservoir>(frame.restir.reservoirs)[pixel] = r;
}

// crossedFog tells whether the segment up to a surface led through a scattering medium.
DEVICE bool crossedFog(const Path& p, const Surface& s) {
  if (!has(FEATURE_MEDIA)) return false;
  uint32_t material = crossedMedium(p.media, s);
  return material != NO_MEDIUM && !isBlack(pointer<const Material>(frame.scene.materials)[material].scattering);
}

// touchesVolume tells whether a vertex is in a volume or on its surface: light arrives there through the volume, in part.
DEVICE bool touchesVolume(const Path& p, const Surface& s) {
  return hasVolumes() && (innermost(p.media) != NO_MEDIUM || isVolume(s.material));
}

// TailStart is what the vertex x2 decides about the path's tail.
struct TailStart {
  float3 throughput;   // from the camera
  float3 reusable;     // of it, by channel; zero where the sample may not be shared at all
};

// beginTail stores x2 where it may be shared, and starts throughput again from 1. `share` is what x1 may share;
// `absorbed` says that a volume took some of the light on the way to x2, which no other pixel may reuse.
DEVICE TailStart beginTail(GIPath& q, uint32_t pixel, const ShadedVertex& v, float3 share, bool absorbed) {
  Path& p = q.p;
  TailStart start = {p.throughput, share};
  if (q.transmitted || absorbed || crossedFog(p, v.s) || isBlack(share) || isCovered(v.b) ||
      !farEnough(fetch<GBuffer>(frame.restir.gbuffer, pixel), v.s.position))
    start.reusable = vec3(0.0f);
  else
    storeSample(pixel, v, p.pdf);
  p.throughput = vec3(1.0f);
  return start;
}

// splitAt is the Split for light that arrives at x2 from a direction in which its BSDF has value v.
DEVICE Split splitAt(const TailStart& start, const BsdfValue& v) {
  float3 share = ratio(sharedBase(v), v.f);
  return {isBlack(start.reusable) ? vec3(0.0f) : share, start.throughput * (vec3(1.0f) - share * start.reusable),
          maxComponent(start.throughput)};
}

// gatherEmission adds the emission that the path met, p.Lo.
template <typename Sink>
DEVICE void gatherEmission(const GIPath& q, Sink& sink) {
  if (isBlack(q.p.Lo)) return;
  if (q.stage != STAGE_TAIL) return sink.gather(vec3(0.0f), q.p.Lo);
  Split d = sink.split();
  sink.gather(q.p.Lo * d.reusable, q.p.Lo * d.direct);
}

// gatherMet adds light that the path's ray from x1 met where direct light is shared. p.Lo has no MIS weight.
template <typename Sink>
DEVICE void gatherMet(const GIPath& q, uint32_t pixel, const Hit& hit, const ShadedVertex& v, bool absorbed,
                      Sink& sink) {
  if (isBlack(q.p.Lo)) return;
  bool reaches = !q.transmitted && !absorbed;
  if (hit.triangle != NO_HIT) {
    const Material& m = pointer<const Material>(frame.scene.materials)[v.s.material];
    reaches = reaches && !(m.flags & MATERIAL_UNLIT) && !crossedFog(q.p, v.s);
  }
  sink.gather(vec3(0.0f), divideMet(q.p, pixel, hit, v, reaches ? sink.split().reusable : vec3(0.0f)));
}

// splitShadowRay hands over a shadow ray whose contribution is split as the path's light is. What x1 itself reflects of
// a light is direct.
template <typename Sink>
DEVICE void splitShadowRay(const GIPath& q, const TailStart& start, ShadowRay ray, const BsdfValue& v, Sink& sink) {
  float3 L = ray.contribution;
  Split d = {vec3(0.0f), vec3(1.0f), 1.0f};
  if (q.stage == STAGE_SECOND) d = splitAt(start, v);
  if (q.stage == STAGE_TAIL) d = sink.split();
  ray.contribution = L * d.reusable;
  sink.shadowRay(ray, L * d.direct);
}

// sampleGIMedium takes the path through a medium. False when it was scattered or ended: an event there, at or before
// x2, is not a vertex that others can reach, so everything that the path gathers later is direct.
template <typename Sink>
DEVICE bool sampleGIMedium(GIPath& q, Hit* hit, bool* alive, Sink& sink) {
  auto own = [&] {
    if (q.stage == STAGE_TAIL) return;
    q.stage = STAGE_TAIL;
    sink.setSplit({vec3(0.0f), vec3(1.0f), 1.0f});
  };
  uint32_t event = sampleMedium(q.p, hit, [&](const ShadowRay& ray) {
    own();
    splitShadowRay(q, {}, ray, {}, sink);
  });
  if (event == SEGMENT_CLEAR) return true;
  own();
  *alive = event == SEGMENT_SCATTERED;
  return false;
}

// stopAtX1 decides at a vertex seen from the camera whether it is x1. False: it is treated as a mirror, by *uLobe.
DEVICE bool stopAtX1(GIPath& q, const Hit& hit, ShadedVertex& v, float* uLobe) {
  q.travelled += hit.t;
  if (!isLink(v.b)) return true;
  *uLobe = sample1(q.p.sampler);
  return chooseWideLobes(q.p, v.b, uLobe);
}

// skipLights leaves out the numbers of the sampler that the light samples of x1 take later.
DEVICE void skipLights(Path& p, uint32_t pixel) {
  pointer<Shade>(frame.restir.shade)[pixel].dimension =
      p.sampler.dimension | (p.finite > 0 ? SHADE_INDIRECT : 0u) | p.panes << 16;
  p.sampler.dimension += LIGHT_DIMENSIONS;
}

// advanceGIPath takes the hit of the extension ray, like advancePath. What all stages do is written here once: a
// shading kernel is large, and the smaller, the faster.
template <typename Sink>
DEVICE bool advanceGIPath(GIPath& q, uint32_t pixel, Hit hit, Sink& sink) {
  Path& p = q.p;
  bool alive;
  if (!sampleGIMedium(q, &hit, &alive, sink)) return alive;
  p.Lo = vec3(0.0f);
  float3 before = p.throughput;
  ShadedVertex v = {};
  bool meetsLight = sharesDirect() && q.stage == STAGE_SECOND, delta = p.delta;
  p.delta = delta || meetsLight;   // no MIS weight: divideMet gives another
  bool linked = q.stage == STAGE_EYE && p.depth > 0;
  alive = shadeHit(p, hit, linked ? 0.0f : footprintWidth(p, hit.t), &v);
  p.delta = delta;
  bool absorbed = has(FEATURE_GLASS) && !same(p.throughput, before);
  if (meetsLight)
    gatherMet(q, pixel, hit, v, absorbed, sink);
  else
    gatherEmission(q, sink);
  if (!alive) return false;

  bool mirror = false, last = isLast(p), direct = !last, shares = true, lacksLobe = last;
  float uLobe = 0.0f;
  TailStart start = {};
  if (q.stage == STAGE_EYE) {
    mirror = !stopAtX1(q, hit, v, &uLobe);
    if (last && !mirror) return false;
    shares = mirror || (!touchesVolume(p, v.s) && storeGBuffer(q, pixel, v, hit));
    direct = !last && (mirror ? !v.b.smooth : !(shares && sharesDirect()));
    lacksLobe = !mirror && !direct;
    if (lacksLobe) skipLights(p, pixel);
  }
  if (lacksLobe) uLobe = sample1(p.sampler);
  if (q.stage == STAGE_SECOND) start = beginTail(q, pixel, v, sink.split().reusable, absorbed);

  BsdfValue onward;
  BsdfSample next = sampleVertex(
      p, v.s, v.b, direct, uLobe, &onward,
      [&](const ShadowRay& ray, const BsdfValue& toLight) { splitShadowRay(q, start, ray, toLight, sink); });
  if (isBlack(next.weight)) return false;
  if (mayPass(p, v.s) && goesStraight(v.b, next)) {
    passPane(p, v.s, next, hit.t);
    if (q.stage == STAGE_SECOND) {   // what is behind is the pixel's own, but weighs as light that x1 may find
      p.throughput *= start.throughput;
      q.transmitted = true;
    }
    return true;
  }
  if (last) return false;
  spawnRay(p, v.s, next);
  if (next.transmitted) takeWavelength(p, v.wavelength);
  if (mirror) return true;
  if (!shares) {   // all that it gathers is the pixel's own
    q.stage = STAGE_TAIL;
    sink.setSplit({vec3(0.0f), vec3(1.0f), 1.0f});
    return true;
  }
  if (q.stage == STAGE_EYE) {
    q.stage = STAGE_SECOND;
    q.transmitted = next.transmitted;
    float3 share = ratio(sharedPart(v.b, onward, next.wi), onward.f);
    sink.setSplit({next.transmitted ? vec3(0.0f) : share, vec3(0.0f), 1.0f});
    return true;
  }
  if (!roulette(p, q.stage == STAGE_SECOND ? maxComponent(start.throughput) : sink.split().throughput)) return false;
  if (q.stage == STAGE_SECOND) {
    q.stage = STAGE_TAIL;
    // Light through a delta lobe is not that of the Lambert base, so its value is 0.
    sink.setSplit(splitAt(start, onward));
  }
  return true;
}

// endGIPath turns what a sample gathered beyond x2 into the pixel's initial sample.
DEVICE void endGIPath(Sampler sampler, uint32_t pixel, float3 reusable) {
  bool shares = finite(reusable) && !isBlack(reusable);
  Reservoir* r = pointer<Reservoir>(frame.restir.reservoirs) + pixel;
  float2 dither = sample2(sampler);
  if (shares)
    packRadiance(reusable, dither.x, dither.y, r);
  else
    *r = nullReservoir(1);
  // What is not a number is dropped and counted by the accumulator.
  if (!finite(reusable)) pointer<Shade>(frame.restir.shade)[pixel].direct = reusable;
}

// --- The megakernel -------------------------------------------------------------------------------------------------
// The whole path of each pixel's initial sample, traversal inline.

// RegisterSink keeps what a path gathers in the registers of the thread that traces it to its end.
struct RegisterSink {
  Split d;
  float3 reusable, direct;
  ShadowRay shadow;
  float3 shadowDirect;
  DEVICE_METHOD Split split() const { return d; }
  DEVICE_METHOD void setSplit(const Split& next) { d = next; }
  DEVICE_METHOD void gather(float3 moreReusable, float3 moreDirect) {
    reusable += moreReusable;
    direct += moreDirect;
  }
  DEVICE_METHOD void shadowRay(const ShadowRay& ray, float3 rayDirect) {
    shadow = ray;
    shadowDirect = rayDirect;
  }
};

KERNEL(initial_samples, 128, 5, megakernel) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  GIPath q = beginGIPath(x, y);
  RegisterSink sink = {};
  sink.direct = pointer<const Shade>(frame.restir.shade)[pixel].direct;   // of the frame's paths before
  countRay(COUNTER_PATHS);
  for (bool alive = true; alive;) {
    Hit hit = nextHit(index, q.p);
    sink.shadow.tMax = 0.0f;
    alive = advanceGIPath(q, pixel, hit, sink);
    if (alive) countAlive(q.p.depth);
    if (sink.shadow.tMax <= 0.0f) continue;
    countRay(COUNTER_SHADOW_RAYS);
    auto dim = [&](float3 T) {
      sink.shadow.contribution *= T;
      sink.shadowDirect *= T;
    };
    if (reachesLight(sink.shadow, dim)) sink.gather(sink.shadow.contribution, sink.shadowDirect);
  }
  pointer<Shade>(frame.restir.shade)[pixel].direct = sink.direct;
  endGIPath(q.p.sampler, pixel, sink.reusable);
}
