// A path, as steps: begin; take a hit, add emission, sample a light and the next direction; resolve the shadow ray. The
// megakernel loops over them with traversal inline; other engines put queues between them.
#pragma once

#include "bsdf/make_bsdf.cuh"
#include "film/film.cuh"
#include "light/light.cuh"
#include "path/camera_hit.cuh"
#include "path/medium.cuh"
#include "scene/camera.cuh"

// Path is one light path on its way from the camera.
struct Path {
  float3 origin;      // of the extension ray [m]
  float3 direction;   // unit
  float3 throughput;
  float3 Lo;         // radiance gathered so far [nit]
  float pdf;         // of direction, by BSDF or phase function; 0 where no light was sampled [1/sr]
  bool delta;        // direction came from where no light is sampled: a delta lobe, most media, the camera
  uint32_t depth;    // scattering events so far
  uint32_t finite;   // of them by lobes that are not delta
  Sampler sampler;
  MediumStack media;     // that it is in
  uint32_t panes;        // that it has passed straight
  uint32_t wavelength;   // its wavelength, from 1, once light has been split by refraction; 0 before
  float passed;   // distance from its last scattering event to the last pane that it has passed; 0 without panes [m]
};

// ShadowRay tests whether a light is visible; `contribution` is added to the path if it is.
struct ShadowRay {
  float3 origin;
  float3 direction;
  float tMax;   // 0: none
  float3 contribution;
  uint32_t alphaSeed;
  uint32_t panes;      // that the path has passed straight
  MediumStack media;   // that it begins in, where it may leave them: crossesVolumes()
};

// powerHeuristic weighs technique a against b (Veach 1995, β = 2): a² / (a² + b²), without overflow.
DEVICE float powerHeuristic(float a, float b) {
  if (a <= 0.0f) return 0.0f;
  return 1.0f / (1.0f + sqr(b / a));
}

// isSpent tells whether a path may not scatter any more.
DEVICE bool isSpent(const Path& p) { return p.depth >= frame.sampling.bounces; }

DEVICE uint32_t alphaSeed(const Path& p) { return coverageSeed(p.sampler); }

// cameraPath begins a path at a place in the pixel and on the lens.
DEVICE Path cameraPath(uint32_t x, uint32_t y, const Sampler& sampler, float2 jitter, float2 lens) {
  Path p;
  p.sampler = sampler;
  if (!(frame.sampling.flags & FRAME_ANTIALIAS)) jitter = make_float2(0.5f, 0.5f);
  cameraRay((float)x + jitter.x, (float)y + jitter.y, lens, &p.origin, &p.direction);
  p.throughput = vec3(1.0f);
  p.Lo = vec3(0.0f);
  p.pdf = 0.0f;
  p.delta = true;
  p.depth = 0;
  p.finite = 0;
  p.media = hasVolumes() ? *pointer<const MediumStack>(frame.sampling.cameraMedia) : MediumStack{};
  p.panes = 0;
  p.wavelength = 0;
  p.passed = 0.0f;
  return p;
}

// beginSample begins the path of a sample.
DEVICE Path beginSample(uint32_t x, uint32_t y, uint32_t sample) {
  Sampler sampler = beginSampler(x, y, sample, frame.sampling.seed);
  float2 jitter = sample2(sampler), lens = sample2(sampler);
  return cameraPath(x, y, sampler, jitter, lens);
}

// beginPath begins that of the frame's sample.
DEVICE Path beginPath(uint32_t x, uint32_t y) {
  Sampler sampler = beginSampler(x, y, frame.sampling.sampleIndex, frame.sampling.seed);
  float2 jitter = sample2(sampler), lens = sample2(sampler);
  if (frame.firstHits.hits) {   // the ray of a stored hit
    Sampler kept = beginSampler(x, y, frame.firstHits.sample, frame.firstHits.seed);
    jitter = sample2(kept);
    lens = sample2(kept);
  }
  return cameraPath(x, y, sampler, jitter, lens);
}

// Pairs that sampleDirect takes of the sampler.
DEVICE_TABLE uint32_t LIGHT_DIMENSIONS = 3;

// emissionWeight is the MIS weight of an emitter that a BSDF ray found by chance, where light sampling would have found
// it with lightPdf; 0 there means that it cannot.
DEVICE float emissionWeight(const Path& p, float lightPdf) {
  if (p.delta || lightPdf <= 0.0f) return 1.0f;
  if (frame.sampling.strategy == SAMPLING_MIS) return powerHeuristic(p.pdf, lightPdf);
  return frame.sampling.strategy == SAMPLING_LIGHT ? 0.0f : 1.0f;
}

// lightWeight is the MIS weight of a light sample.
DEVICE float lightWeight(const LightSample& l, float bsdfPdf) {
  if (l.delta || frame.sampling.strategy == SAMPLING_LIGHT) return 1.0f;
  return frame.sampling.strategy == SAMPLING_MIS ? powerHeuristic(l.pdfWithoutNormal, bsdfPdf) : 0.0f;
}

// passesFilter tells whether light that reaches the camera after so many finite scattering events belongs to the
// picture: up to one event is direct light, more is indirect.
DEVICE bool passesFilter(uint32_t finite) {
  return !(frame.sampling.flags & (finite <= 1 ? FRAME_NO_DIRECT : FRAME_NO_INDIRECT));
}

// hidesBackground tells whether a path that leaves the scene shows the camera what it is not to see.
DEVICE bool hidesBackground(const Path& p) {
  return p.depth == 0 && (frame.sampling.flags & FRAME_HIDE_BACKGROUND) != 0;
}

// addEnvironment ends a path that left the scene.
DEVICE void addEnvironment(Path& p) {
  if (!passesFilter(p.finite) || hidesBackground(p)) return;
  float3 Le = environmentRadiance(p.direction);
  if (isBlack(Le)) return;
  p.Lo += p.throughput * Le * emissionWeight(p, p.delta ? 0.0f : pdfOfMiss(p.origin, p.direction));
}

// addEmission adds what the surface emits towards the path.
DEVICE void addEmission(Path& p, const Surface& s, float3 Le, float t) {
  if (!passesFilter(p.finite)) return;
  float pdf = !p.delta && s.light != NO_LIGHT ? pdfOfEmission(s, p.direction, p.passed + t) : 0.0f;
  p.Lo += p.throughput * Le * emissionWeight(p, pdf);
}

// sampleDirect draws a light sample for a vertex. False when no light can contribute.
DEVICE bool sampleDirect(Path& p, const Surface& s, const Bsdf& b, LightSample* l) {
  uint2 uLight = sampleBits(p.sampler), uTexel = sampleBits(p.sampler);
  float2 u = sample2(p.sampler);
  return frame.sampling.strategy != SAMPLING_NAIVE && passesFilter(p.finite + 1) && hasFiniteLobe(b) &&
         sampleLight(s, facing(b), uLight, uTexel, u, l);
}

// hasPanes tells whether the scene has any. Kernels that suit every scene must ask the frame.
DEVICE bool hasPanes() { return has(FEATURE_PANES) && frame.sampling.panes > 0; }

// crossesVolumes tells whether shadow rays may enter and leave volumes.
DEVICE bool crossesVolumes() { return hasPanes() && hasVolumes(); }

// sendFrom completes a shadow ray of a path that begins in those media. What absorbs its light is found on the way where it may enter or
// leave volumes (path/panes.cuh), and is known here where it may not.
DEVICE void sendFrom(const Path& p, const MediumStack& media, ShadowRay* shadow) {
  shadow->alphaSeed = has(FEATURE_ALPHA) ? alphaSeed(p) : 0u;
  shadow->panes = p.panes;
  shadow->media = media;
  if (hasVolumes() && !crossesVolumes()) shadow->contribution *= transmittanceOf(innermost(media), shadow->tMax);
}

// makeShadowRay makes the shadow ray of a light sample, given the BSDF's value in its direction. False when nothing
// could arrive.
DEVICE bool makeShadowRay(const Path& p, const Surface& s, const LightSample& l, const BsdfValue& v,
                          ShadowRay* shadow) {
  float weight = lightWeight(l, v.pdf);
  if (isBlack(v.f) || isBlack(l.Li) || weight == 0.0f) return false;
  shadow->origin = offsetOrigin(s.position, dot(l.wi, s.ng) > 0.0f ? s.ng : -s.ng, s.error);
  shadow->direction = l.wi;
  shadow->tMax = l.distance;
  shadow->contribution = p.throughput * v.f * l.Li * (weight / l.pdf);
  sendFrom(p, hasVolumes() && dot(l.wi, s.ng) < 0.0f ? mediaBehind(p.media, s) : p.media, shadow);
  return true;
}

// sampleVertex samples a light at a vertex when `direct` is set, and then the next direction (with uLobe when it is
// not). shadow(ray, v) takes the shadow ray at once, so that it need not stay in registers. v is the BSDF's value
// towards the light, and *onward that of the next direction unless a delta lobe was drawn.
template <typename Shadow>
DEVICE BsdfSample sampleVertex(Path& p, const Surface& s, const Bsdf& b, bool direct, float uLobe, BsdfValue* onward,
                               Shadow shadow) {
  if (direct) {
    LightSample l;
    if (sampleDirect(p, s, b, &l)) {
      BsdfValue toLight = evalBsdf(b, l.wi);
      ShadowRay ray;
      if (makeShadowRay(p, s, l, toLight, &ray)) shadow(ray, toLight);
    }
    uLobe = sample1(p.sampler);
  }
  BsdfSample next = drawBsdf(b, uLobe, sample2(p.sampler));
  *onward = {};
  if (needsValue(next)) {
    *onward = evalBsdf(b, next.wi);
    weigh(&next, *onward);
  }
  return next;
}

// roulette ends dim paths at random and makes the others brighter by as much. False ends the path. `scale` is what the path's
// throughput is multiplied by on its way to the camera.
DEVICE bool roulette(Path& p, float scale = 1.0f) {
  float u = sample1(p.sampler);
  if (!(frame.sampling.flags & FRAME_ROULETTE) || p.depth < frame.sampling.rouletteDepth) return true;
  float survival = clampf(scale * maxComponent(p.throughput), 0.05f, 0.99f);
  if (u >= survival) return false;
  p.throughput *= 1.0f / survival;
  return true;
}

// spawnRay sets up the extension ray in a sampled direction.
DEVICE void spawnRay(Path& p, const Surface& s, const BsdfSample& bs) {
  p.throughput *= bs.weight;
  p.pdf = bs.pdf;
  p.delta = bs.delta;
  p.direction = bs.wi;
  p.origin = offsetOrigin(s.position, bs.transmitted ? -s.ng : s.ng, s.error);
  p.depth++;
  p.finite += bs.delta ? 0u : 1u;
  p.passed = 0.0f;
  if (hasVolumes() && bs.transmitted) p.media = mediaBehind(p.media, s);
}

// --- Dispersion -------------------------------------------------------------------------------------------------------
// Where refraction splits light, a path goes on with one wavelength. Of WAVELENGTHS places between red and blue each has a colour: red fades
// from the first to the middle, blue from the last, and green to both ends; over all of them the mean is white.

DEVICE_TABLE uint32_t WAVELENGTHS = 256;

// spectrumAt is where a wavelength lies, −1 … 1.
DEVICE float spectrumAt(uint32_t wavelength) {
  return wavelength == 0 ? 0.0f : ((float)wavelength - 0.5f) * (2.0f / WAVELENGTHS) - 1.0f;
}

DEVICE float3 colorOf(uint32_t wavelength) {
  float place = spectrumAt(wavelength);
  return make_float3(4.0f * maxf(-place, 0.0f), 2.0f * (1.0f - absf(place)), 4.0f * maxf(place, 0.0f));
}

// disperses tells whether a material splits light.
DEVICE bool disperses(const Material& m) { return has(FEATURE_DISPERSION) && m.dispersion > 0.0f; }

// wavelengthAt is the wavelength by which a path sees a surface: its own, or one that it may take there.
DEVICE uint32_t wavelengthAt(const Path& p, const Material& m) {
  if (!disperses(m)) return 0;
  return p.wavelength ? p.wavelength : 1 + (hash(alphaSeed(p), p.depth) >> 24) % WAVELENGTHS;
}

// takeWavelength leaves a path with one wavelength.
DEVICE void takeWavelength(Path& p, uint32_t wavelength) {
  if (!has(FEATURE_DISPERSION) || wavelength == 0 || p.wavelength) return;
  p.wavelength = wavelength;
  p.throughput *= colorOf(wavelength);
}

// --- Panes ----------------------------------------------------------------------------------------------------------
// Smooth thin glass sends light straight through, and so do the surface of a volume that bends nothing and a hole in one. A path that goes
// straight on keeps the density of its last scattering event: it finds what light samples find, whose shadow rays pass panes
// (path/panes.cuh). After so many of them a pane is a mirror like others.

// canPass tells whether a path has not passed too many.
DEVICE bool canPass(const Path& p) { return hasPanes() && p.panes < frame.sampling.panes; }

// mayPass tells whether a path may go straight through a surface that it has come to.
DEVICE bool mayPass(const Path& p, const Surface& s) {
  return canPass(p) && (pointer<const Material>(frame.scene.materials)[s.material].flags & MATERIAL_PANE);
}

// isLast is true when the bounce budget is spent; only passing through panes is still allowed.
DEVICE bool isLast(const Path& p) { return hasPanes() && isSpent(p); }

// isHole tells whether alpha lets a ray through at a hit of a volume's surface.
DEVICE bool isHole(const Material& m, const Hit& hit, uint32_t alphaSeed) {
  if (!has(FEATURE_ALPHA) || !has(FEATURE_PANES) || !(m.flags & MATERIAL_HOLES)) return false;
  uint32_t id = hit.triangle;
  const Instance* in = toLeafIndex(&id);
  const Triangle t = fetch<Triangle>(in ? in->triangles : frame.scene.triangles, id);
  return !alphaPasses(t.material, t.face, hit.u, hit.v, seedOfCopy(alphaSeed, in ? in->first : 0u));
}

// goesStraight tells whether a sample of a surface's BSDF goes straight on.
DEVICE bool goesStraight(const Bsdf& b, const BsdfSample& bs) {
  return bs.delta && bs.transmitted && b.select[LOBE_Thin] > 0.0f;
}

// passPane sends a path straight through a pane, `t` metres from its origin.
DEVICE void passPane(Path& p, const Surface& s, const BsdfSample& bs, float t) {
  p.throughput *= bs.weight;
  p.origin = offsetOrigin(s.position, -s.ng, s.error);
  p.panes++;
  p.passed += t;
  if (hasVolumes()) p.media = mediaBehind(p.media, s);
}

// --- Media ----------------------------------------------------------------------------------------------------------

// How the segment up to a path's next hit ends.
enum SegmentEvent : uint32_t {
  SEGMENT_CLEAR = 0,       // at the hit
  SEGMENT_SCATTERED = 1,   // before it, in a medium: the path has a new direction
  SEGMENT_ABSORBED = 2,    // before it: the path ends
};

// Below this throughput the path is dropped: the ratios of its channels have lost their precision.
DEVICE_TABLE float MIN_THROUGHPUT = 1e-30f;

// samplesLights tells whether all lights are sampled for scattering events in a volume: its surface lets light straight in. Through others
// no straight ray comes in, so lights with an area are met by chance.
DEVICE bool samplesLights(const Material& m) { return has(FEATURE_PANES) && (m.flags & MATERIAL_STRAIGHT) != 0; }

// sampleLightWithoutArea draws one for a scattering event. False where another light was chosen.
DEVICE bool sampleLightWithoutArea(Path& p, LightSample* to) {
  DrawnLight drawn = drawLight(p.origin, vec3(0.0f), sampleBits(p.sampler));
  if (drawn.light == NO_LIGHT) return false;
  const Light l = fetch<Light>(frame.scene.lights, drawn.light);
  to->pdf = to->pdfWithoutNormal = drawn.selection;
  return l.kind != LIGHT_TRIANGLE && l.kind != LIGHT_ENVIRONMENT && samplePunctualLight(l, p.origin, to);
}

// sampleAnyLight draws one for a scattering event.
DEVICE bool sampleAnyLight(Path& p, LightSample* to) {
  uint2 uLight = sampleBits(p.sampler), uTexel = sampleBits(p.sampler);
  float2 u = sample2(p.sampler);
  Surface at = {};
  at.position = p.origin;
  return sampleLight(at, vec3(0.0f), uLight, uTexel, u, to);
}

// lightInMedium makes the shadow ray of a scattering event in a volume. False where no light was chosen.
DEVICE bool lightInMedium(Path& p, const Material& m, ShadowRay* shadow) {
  if (!samplesLights(m) && !has(FEATURE_PUNCTUAL)) return false;
  if (frame.sampling.strategy == SAMPLING_NAIVE || !passesFilter(p.finite + 1)) return false;
  LightSample to;
  if (!(samplesLights(m) ? sampleAnyLight(p, &to) : sampleLightWithoutArea(p, &to))) return false;
  float phase = henyeyGreenstein(dot(p.direction, to.wi), m.scatterAnisotropy), weight = lightWeight(to, phase);
  if (weight == 0.0f || isBlack(to.Li)) return false;
  shadow->origin = p.origin;
  shadow->direction = to.wi;
  shadow->tMax = to.distance;
  shadow->contribution = p.throughput * to.Li * (phase * weight / to.pdf);
  sendFrom(p, p.media, shadow);
  return true;
}

// scatterInMedium scatters the path at its origin.
template <typename Shadow>
DEVICE uint32_t scatterInMedium(Path& p, const Material& m, Shadow shadow) {
  if (isSpent(p)) return SEGMENT_ABSORBED;
  ShadowRay ray;
  if (lightInMedium(p, m, &ray)) shadow(ray);
  float3 before = p.direction;
  p.direction = sampleHenyeyGreenstein(before, m.scatterAnisotropy, sample2(p.sampler));
  p.delta = !samplesLights(m);
  p.pdf = p.delta ? 0.0f : henyeyGreenstein(dot(before, p.direction), m.scatterAnisotropy);
  p.depth++;
  p.finite++;
  p.passed = 0.0f;
  return roulette(p) ? SEGMENT_SCATTERED : SEGMENT_ABSORBED;
}

// scatterOnWay takes the path along a segment that begins `passed` metres from its origin and ends at a hit. Returns enum SegmentEvent.
template <typename Shadow>
DEVICE uint32_t scatterOnWay(Path& p, const Hit& hit, float passed, Shadow shadow) {
  if (!has(FEATURE_MEDIA) || hit.triangle == NO_HIT) return SEGMENT_CLEAR;
  uint32_t material = innermost(p.media);
  if (material == NO_MEDIUM) {
    const Triangle t = worldTriangle(hit.triangle);
    if (dot(frontOf(t), p.direction) < 0.0f) return SEGMENT_CLEAR;
    material = materialOf(t);
  }
  const Material& m = pointer<const Material>(frame.scene.materials)[material];
  if (isBlack(m.scattering)) return SEGMENT_CLEAR;
  if (maxComponent(p.throughput) < MIN_THROUGHPUT) return SEGMENT_ABSORBED;
  Flight f = sampleFlight(m.attenuation, m.scattering, p.throughput, hit.t - passed, sample2(p.sampler));
  p.throughput *= f.weight;
  if (!f.scattered) return SEGMENT_CLEAR;
  p.origin += p.direction * (passed + f.distance);
  return scatterInMedium(p, m, shadow);
}

// stepBehind leads from a ray's origin to behind the surface that it hits [m].
DEVICE_CALL float stepBehind(Hit hit, float3 direction) {
  return behind(makeSurface(hit, -direction), hit.t, -direction);
}

DEVICE_TABLE uint32_t MOST_HIDDEN = 64;   // surfaces that a path passes between two vertices; the next one counts

// passHidden goes on behind a hit whose surface is hidden: *hit is the next one, as far from the path's origin as it is, and `*passed`
// the way up to the segment before it. It is a pane, if shadow rays pass any: else they stop at it, so what comes after it is met by
// chance alone. The volume that counts stays the same, so whoever absorbs light may do so over the whole way. False where the surface is not hidden.
DEVICE bool passHidden(Path& p, Hit* hit, float* passed) {
  if (!mayNest() || hit->triangle == NO_HIT) return false;
  const Triangle t = worldTriangle(hit->triangle);
  uint32_t material = materialOf(t);
  bool front = dot(frontOf(t), p.direction) < 0.0f;
  if (!isHidden(p.media, material, front)) return false;
  p.media = front ? entered(p.media, material) : left(p.media, material);
  if (canPass(p))
    p.panes++;
  else
    p.delta = true;
  *passed = stepBehind(*hit, p.direction);
  countRay(COUNTER_EXTENSION_RAYS);
  *hit = traceClosest(p.origin + p.direction * *passed, p.direction, INFINITE, alphaSeed(p));
  hit->t += *passed;
  return true;
}

// passAllHidden does so up to a surface that counts.
DEVICE void passAllHidden(Path& p, Hit* hit) {
  float passed = 0.0f;
  for (uint32_t i = 0; i < MOST_HIDDEN && passHidden(p, hit, &passed); i++) {
  }
}

// sampleMedium takes the path up to a hit, before that is shaded; *hit becomes the next one that is not hidden. It hands a shadow ray
// to shadow(ray) where the path is scattered. Returns enum SegmentEvent.
template <typename Shadow>
DEVICE uint32_t sampleMedium(Path& p, Hit* hit, Shadow shadow) {
  float passed = 0.0f;
  for (uint32_t i = 0;; i++) {
    uint32_t event = scatterOnWay(p, *hit, passed, shadow);
    if (event != SEGMENT_CLEAR || i == MOST_HIDDEN || !passHidden(p, hit, &passed)) return event;
  }
}

// absorb applies the Beer-Lambert law to the segment of t metres up to a surface. Where the volume scatters, sampleMedium has.
DEVICE void absorb(Path& p, const Surface& s, float t) {
  if (!hasVolumes()) return;
  uint32_t material = crossedMedium(p.media, s);
  if (material == NO_MEDIUM) return;
  const Material& m = pointer<const Material>(frame.scene.materials)[material];
  if (isBlack(m.scattering)) p.throughput *= transmittanceOf(material, t);
}

// iorAround is the index of refraction on the outer side of a surface: that of air, but for volumes in others.
DEVICE float iorAround(const MediumStack& media, const Surface& s, uint32_t wavelength) {
  if (!mayNest() || !isVolume(s.material)) return 1.0f;
  uint32_t material = around(media, s);
  if (material == NO_MEDIUM) return 1.0f;
  return iorOf(pointer<const Material>(frame.scene.materials)[material], spectrumAt(wavelength));
}

// ShadedVertex is where a path met a surface, with everything that shading needs.
struct ShadedVertex {
  Surface s;
  Appearance a;
  Bsdf b;
  float3 wo;
  uint32_t wavelength;   // by which it is seen; a path that refracts takes it
};

// --- Footprints -------------------------------------------------------------------------------------------------------
// How wide the cone is that a path's ray stands for where it hits: what mipmaps average. After ray cones (Akenine-Möller et al.
// 2021), but a path carries no cone: its width follows from the last scattering event alone.
//
// ReSTIR's x1 must look the same to the path that finds it and to those who rebuild it from the G-buffer (restir/vertex.cuh). Both
// know the distance from the camera, along panes too, where nothing else is in between. Of an x1 behind mirrors or glass the
// G-buffer knows the whole way and a path the last part; curved ones change the cone besides. So what is seen through a delta
// lobe keeps the whole texture, for every integrator; and what ReSTIR sees through other links of a chain, where `path` averages over
// the cone of the link's lobe: in the mean that is the same, but for a blur within the lobe's own.

// A direction drawn with a density stands for the solid angle 1 / pdf. Its neighbours overlap, so the cone takes a part of that:
// about 15 degrees for a matt surface, whose reflected light no finer texture changes visibly. Wide cones would average more than
// the surroundings of the hit.
DEVICE_TABLE float CONE_SHARE = 0.15f, WIDEST_CONE = 0.5f;   // widths at a distance of 1

// footprintWidth is the width of the cone at a hit t metres from the path's origin [m].
DEVICE float footprintWidth(const Path& p, float t) {
  float distance = p.passed + t;
  if (p.pdf > 0.0f) return distance * minf(CONE_SHARE / sqrtf(p.pdf), WIDEST_CONE);
  return p.depth == 0 ? seenWidth(distance) : 0.0f;
}

// shadeHit shades the hit of the extension ray, whose cone is `width` metres wide there: it adds emission, with its MIS weight, and
// prepares the vertex. False when the path ends there.
DEVICE bool shadeHit(Path& p, const Hit& hit, float width, ShadedVertex* v) {
  if (hit.triangle == NO_HIT) {
    addEnvironment(p);
    return false;
  }
  v->wo = -p.direction;
  v->s = makeSurface(hit, v->wo, width);
  const Material& m = pointer<const Material>(frame.scene.materials)[v->s.material];
  absorb(p, v->s, hit.t);
  bool hole = isHole(m, hit, alphaSeed(p));
  v->a = makeAppearance(m, v->s);
  if (has(FEATURE_UNLIT) && m.flags & MATERIAL_UNLIT && !hole) {
    if (passesFilter(p.finite)) p.Lo += p.throughput * v->a.baseColor;
    return false;
  }
  if (!isBlack(v->a.emission) && !hole) addEmission(p, v->s, v->a.emission, hit.t);
  if (isSpent(p) && !mayPass(p, v->s)) return false;
  v->wavelength = wavelengthAt(p, m);
  v->b = makeBsdf(m, v->s, v->a, v->wo, spectrumAt(v->wavelength),
                  iorAround(p.media, v->s, v->wavelength ? v->wavelength : p.wavelength));
  if (hole) makeOpen(v->b);
  if (!v->b.smooth) takeWavelength(p, v->wavelength);   // light samples may come through
  return true;
}

// advancePath takes the hit of the extension ray. It leaves the next ray in the path and hands at most one shadow ray
// to shadow(ray). False when the path has ended.
template <typename Shadow>
DEVICE bool advancePath(Path& p, Hit hit, Shadow shadow) {
  uint32_t event = sampleMedium(p, &hit, shadow);
  if (event != SEGMENT_CLEAR) return event == SEGMENT_SCATTERED;
  ShadedVertex v;
  if (!shadeHit(p, hit, footprintWidth(p, hit.t), &v)) return false;
  BsdfValue onward;
  bool direct = !isLast(p);
  BsdfSample next = sampleVertex(p, v.s, v.b, direct, direct ? 0.0f : sample1(p.sampler), &onward,
                                 [&](const ShadowRay& r, const BsdfValue&) { shadow(r); });
  if (isBlack(next.weight)) return false;
  if (mayPass(p, v.s) && goesStraight(v.b, next)) {
    passPane(p, v.s, next, hit.t);
    return true;
  }
  if (isLast(p)) return false;
  spawnRay(p, v.s, next);
  if (next.transmitted) takeWavelength(p, v.wavelength);
  return roulette(p);
}
