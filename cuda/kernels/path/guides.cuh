// Guides for the denoiser: means over samples of albedo and shading normal of what each sample's own camera ray shows. A mirror shows other
// surfaces, and so does glass that is smooth, or nearly so (clarityOf): a guide path goes on to the first vertex with a finite lobe (primary
// surface replacement), with the throughput that is left. Where a surface both reflects and transmits, both ways are followed once; after
// that the stronger one stands for both. No random number besides pixel and lens is used: guides are as noisy as the camera rays alone.
//
// Most camera rays end at what they hit (kernel `guides`). Few go on, some far, and need many more registers (`follow_guides`).
#pragma once

#include "film/film.cuh"
#include "path/hits.cuh"

// Smooth surfaces from which the guide paths of a camera ray go on, together; what lies beyond counts as white. Few go on that far, but
// those few keep a GPU waiting.
DEVICE_TABLE uint32_t MOST_VERTICES = 8;
DEVICE_TABLE float NEGLIGIBLE_SHARE = 0.02f;   // of a pixel: smaller parts are left out

// Guide is what one camera ray adds to the means.
struct Guide {
  float3 albedo;
  float gloss;    // the luminance of that which glossy lobes have
  float polish;   // the same, times 1 − roughness
  float3 normal;
  float3 emissive;      // light that no finite lobe has scattered [nit]
  float background;     // share of the background, where that is hidden
  float distance;       // of the virtual hit, as far as it seems to be: that of the largest part of the pixel [m]
  float largest;        // that part
  uint32_t seen;        // enum Seen: what it shows
  float nextDistance;   // of the second largest part, which seems to be elsewhere [m]
  float next;           // that part
};

// Bundle is how far two rays beside the camera ray have moved off it, and how fast: one that starts beside it, in parallel, and one
// that leaves the eye at an angle to it. Where curved mirrors and lenses bend them, what is seen seems to be elsewhere than where it
// is (paraxial optics: ray transfer matrices; Hecht, Optics, ch. 6).
struct Bundle {
  float2 height, slope;   // x: of the parallel ray, for each metre between them; y: of the other, for each radian [m]
};

DEVICE_TABLE float LEAST_COSINE = 0.2f;   // flatter rays bend as these do

// GuidePath is one way to look through a pixel. The path's throughput is the share of light that arrives.
struct GuidePath {
  Path p;
  float share;      // of the pixel; 0: unused
  float distance;   // so far [m]
  Bundle beside;
  bool mirrored;   // an odd number of times
};

// GuidePaths are the way that is being followed, and one that is waiting.
struct GuidePaths {
  GuidePath now, waiting;
  bool split;          // the one that waits has been used
  uint32_t vertices;   // that they went on from
};

// emissiveAlbedo is the albedo that stands for emitted light: its hue, where it is brighter than white.
DEVICE float3 emissiveAlbedo(float3 L) { return L * (1.0f / maxf(1.0f, maxComponent(L))); }

DEVICE float3 saturate3(float3 c) { return make_float3(saturate(c.x), saturate(c.y), saturate(c.z)); }

// blurPaint has lobes be chosen as for a mean of paint, and not for the flake that a ray has met.
DEVICE void blurPaint(Bsdf& b, float3 mean) {
  float flake = average(weightPaint(b, b));
  if (!(flake > 0.0f)) return;
  float change = average(mean) / flake, others = 1.0f - b.select[LOBE_Paint];
  scaleLobes(b, LOBE_COUNT, 1.0f / (others + b.select[LOBE_Paint] * change));
  b.select[LOBE_Paint] *= change;
}

// isGlossy tells which lobes reflect a blurred picture of what is around.
DEVICE bool isGlossy(uint32_t lobe) { return lobe >= NON_SPECULAR_LOBES || lobe == LOBE_Clearcoat; }

// finiteAlbedo is roughly what the finite lobes send to the camera under uniform white light, from a spot `width` metres wide. For a
// metal it is the Fresnel reflectance, whatever its roughness. *glossy is what glossy lobes have of it.
DEVICE float3 finiteAlbedo(Bsdf b, float width, float3* glossy) {
  b.metalScale = 0.0f;
  float3 sum = vec3(0.0f);
  *glossy = vec3(0.0f);
#define X(name, feature, kind, reuse)                                             \
  if (has(feature) && b.select[LOBE_##name] > 0.0f && !isDelta(b, LOBE_##name)) { \
    float3 weight = weight##name(b, b);                                           \
    sum += weight;                                                                \
    if (isGlossy(LOBE_##name)) *glossy += weight;                                 \
  }
  LOBES(X)
#undef X
  if (has(FEATURE_PAINT) && b.paint) sum += blurredPaint(b, b, width) - weightPaint(b, b);
  if (has(FEATURE_GLASS) && b.glass > 0.0f && !isDelta(b, LOBE_Glass)) {
    float refracted = b.glass * (1.0f - maxComponent(glassReflectance(b, b.wo.z)));
    sum += (b.baseColor - vec3(1.0f)) * refracted;   // which is tinted; the weight of the lobe is that of clear glass
  }
  return saturate3(sum);
}

// transmittedShare is how much of what a smooth surface does not scatter it transmits; nonSpecular is the share that it
// scatters.
DEVICE float transmittedShare(const Bsdf& b, float nonSpecular) {
  if (!has(FEATURE_GLASS) && !has(FEATURE_THIN)) return 0.0f;
  float reflected = maxComponent(glassReflectance(b, b.wo.z));
  return (b.select[LOBE_Thin] + b.select[LOBE_Glass] * (1.0f - reflected)) / (1.0f - nonSpecular);
}

// specularSample is where a smooth surface sends a guide path. The specular lobes take the end of uLobe's interval:
// first reflection, then transmission.
DEVICE BsdfSample specularSample(const Bsdf& b, float nonSpecular, bool through) {
  float specular = 1.0f - nonSpecular;
  BsdfSample bs = drawBsdf(b, nonSpecular + specular * (through ? 0.9999f : 0.0001f), make_float2(0.5f, 0.5f));
  bs.weight *= specular;
  return bs;
}

// travel leads a guide path on.
DEVICE void travel(GuidePath& v, float t) {
  v.distance += t;
  v.beside.height = v.beside.height + v.beside.slope * t;
}

// apparentDistance is how far away the end of a guide path seems to be: where rays from there meet, or would meet behind a mirror.
// An image behind the eye is not a place that could be looked at, so what is seen counts as lying as far away as the path is long.
DEVICE float apparentDistance(const GuidePath& v) {
  // Exactly: what was divided by 1 must be the distance still, by which storeMovement knows it.
  float d = exactDiv(v.beside.height.y, v.beside.height.x);
  return d > 0.0f && d < DEPTH_OF_NOTHING ? d : v.distance;
}

// apparentNormal is a normal at the end of a guide path as mirrors show it to the camera, whose ray began in that direction. Several mirrors
// count as one that would turn the ray as far.
DEVICE float3 apparentNormal(const GuidePath& v, float3 camera, float3 n) {
  if (!v.mirrored) return n;
  float3 axis = v.p.direction - camera;
  return n - axis * (2.0f * dot(n, axis) / maxf(dot(axis, axis), 1e-12f));
}

// bend lets a surface of that curvature reflect or refract what lies around a guide path. Of the planes along and across the slope of the
// surface, which bend differently, it takes the mean.
DEVICE void bend(GuidePath& v, const Bsdf& b, float curvature, bool transmitted) {
  Bundle& r = v.beside;
  if (transmitted) {
    if (b.select[LOBE_Thin] > 0.0f) return;
    r.slope = (r.slope - r.height * (curvature * (b.eta - 1.0f))) * (1.0f / b.eta);
    return;
  }
  v.mirrored = !v.mirrored;
  float cosine = maxf(b.wo.z, LEAST_COSINE);
  r.slope = r.slope + r.height * (curvature * (cosine + 1.0f / cosine));
}

// curvatureOf is the mean curvature of a triangle by its corners' normals, positive where it bulges towards wo [1/m].
DEVICE float curvatureOf(const Hit& hit, float3 wo) {
  uint32_t id = hit.triangle;
  const Instance* in = toLeafIndex(&id);
  Triangle t = fetch<Triangle>(in ? in->triangles : frame.scene.triangles, id);
  Corners k = faceCorners(t.face, hit.u, hit.v);
  if (in) toWorldSpace(*in, &t, &k);
  float3 across = t.e2 - t.e1;
  float sum = dot(k.b.normal - k.a.normal, t.e1) / dot(t.e1, t.e1) +
              dot(k.c.normal - k.a.normal, t.e2) / dot(t.e2, t.e2) +
              dot(k.c.normal - k.b.normal, across) / dot(across, across);
  float3 n = k.a.normal * k.wa + k.b.normal * k.wb + k.c.normal * k.wc;
  return finite(sum) ? sum * (dot(n, wo) < 0.0f ? -1.0f : 1.0f) / 3.0f : 0.0f;
}

// continueSpecular continues a guide path from a smooth surface. False when no light would arrive.
DEVICE bool continueSpecular(GuidePaths& q, const Surface& s, const Bsdf& b, float nonSpecular, float curvature) {
  float through = transmittedShare(b, nonSpecular);
  bool passes = through > 0.5f;
  float part = passes ? 1.0f - through : through;   // of the weaker way
  if (!q.split && q.now.share * part > NEGLIGIBLE_SHARE) {
    q.split = true;
    q.waiting = q.now;
    q.waiting.share *= part;
    q.waiting.p.throughput *= part;
    spawnRay(q.waiting.p, s, specularSample(b, nonSpecular, !passes));
    bend(q.waiting, b, curvature, !passes);
    q.now.share *= 1.0f - part;
    q.now.p.throughput *= 1.0f - part;
  }
  spawnRay(q.now.p, s, specularSample(b, nonSpecular, passes));
  bend(q.now, b, curvature, passes);
  return !isBlack(q.now.p.throughput);
}

// showsMedium tells whether the surface shows a volume that scatters, and not what lies behind it.
DEVICE bool showsMedium(const Material& m, Guide* g, const GuidePath& v, float3 normal) {
  if (!has(FEATURE_MEDIA) || isBlack(m.scattering)) return false;
  float3 a = m.attenuation, k = m.scattering;
  g->albedo += v.p.throughput * make_float3(k.x / maxf(a.x, 1e-20f), k.y / maxf(a.y, 1e-20f), k.z / maxf(a.z, 1e-20f));
  g->normal += normal * v.share;
  return true;
}

// notePart records where a part of the pixel seems to be, if it is one of the two largest.
DEVICE void notePart(Guide* g, float share, float distance, uint32_t seen) {
  if (share > g->largest) {
    g->next = g->largest;
    g->nextDistance = g->distance;
    g->largest = share;
    g->distance = distance;
    g->seen = seen;
  } else if (share > g->next) {
    g->next = share;
    g->nextDistance = distance;
  }
}

// addGuideEmission adds light that reaches the camera without being scattered by a finite lobe.
DEVICE void addGuideEmission(Guide* g, const GuidePath& v, float3 L) {
  if (passesFilter(0)) g->emissive += v.p.throughput * L;
}

DEVICE GuidePath beginGuidePath(const Path& camera) {
  return {camera, 1.0f, 0.0f, {make_float2(1.0f, 0.0f), make_float2(0.0f, 1.0f)}, false};
}

// SmoothVertex is a surface from which a guide path goes on as from a smooth one.
struct SmoothVertex {
  Surface s;
  Bsdf b;
  float nonSpecular;   // share of the lobes that keep their width on smooth surfaces
  float clarity;       // share of the others that the guide path follows
};

DEVICE_TABLE float CLEAR_GLASS = 0.1f;     // roughness up to which glass shows what lies behind it,
DEVICE_TABLE float CLOUDY_GLASS = 0.25f;   // and from which on it shines itself

// clarityOf is the share of a surface's specular lobes that a guide path follows. Textures of smooth glass are seldom all 0: nearly
// smooth glass must not change from texel to texel between a surface and a way through.
DEVICE float clarityOf(const Bsdf& b) {
  if (b.smooth) return 1.0f;
  if (!(b.select[LOBE_Glass] + b.select[LOBE_Thin] > 0.0f)) return 0.0f;
  return saturate((CLOUDY_GLASS - sqrtf(b.alpha)) / (CLOUDY_GLASS - CLEAR_GLASS));
}

// seeVertex takes the hit of a guide path's ray and adds what is visible there. True where the guide path goes on. It fills in the
// vertex wherever there is a surface.
DEVICE bool seeVertex(GuidePath& v, float3 camera, Hit* hit, Guide* g, SmoothVertex* at) {
  passAllHidden(v.p, hit);
  if (hit->triangle == NO_HIT) {
    bool hidden = hidesBackground(v.p);
    float3 L = hidden ? vec3(0.0f) : environmentRadiance(v.p.direction);
    if (hidden) g->background += luminance(v.p.throughput);
    g->albedo += v.p.throughput * emissiveAlbedo(L);
    addGuideEmission(g, v, L);
    travel(v, DEPTH_OF_NOTHING);
    notePart(g, v.share, apparentDistance(v), v.p.depth == 0 ? SEEN_NOTHING : SEEN_BEYOND);
    return false;
  }
  travel(v, hit->t);
  float3 wo = -v.p.direction;
  float width = footprintWidth(v.p, hit->t);
  Surface s = makeSurface(*hit, wo, width);
  const Material& m = pointer<const Material>(frame.scene.materials)[s.material];
  absorb(v.p, s, hit->t);
  Appearance a = makeAppearance(m, s);
  Bsdf b = makeBsdf(m, s, a, wo, 0.0f, iorAround(v.p.media, s, 0));
  bool hole = isHole(m, *hit, alphaSeed(v.p));
  if (hole) {
    makeOpen(b);
    a.emission = vec3(0.0f);
  }
  if (has(FEATURE_PAINT) && b.paint) blurPaint(b, blurredPaint(b, b, width));
  bool unlit = has(FEATURE_UNLIT) && (m.flags & MATERIAL_UNLIT) && !hole;
  float clarity = unlit || !isBlack(a.emission) ? 0.0f : clarityOf(b), nonSpecular = nonSpecularShare(b);
  float ends = 1.0f - clarity * (1.0f - nonSpecular);
  float3 emissive = unlit ? a.baseColor : a.emission, glossy = vec3(0.0f);
  float3 reflected = unlit ? vec3(0.0f) : finiteAlbedo(b, width, &glossy);
  if (clarity > 0.0f && !b.smooth) {
    b.smooth = true;
    float3 clear;
    reflected = lerp(reflected, finiteAlbedo(b, width, &clear), clarity);
    glossy = lerp(glossy, clear, clarity);
  }
  *at = {s, b, nonSpecular, clarity};
  g->albedo += v.p.throughput * saturate3(reflected + emissiveAlbedo(emissive));
  float gloss = luminance(v.p.throughput * glossy);
  g->gloss += gloss;
  g->polish += gloss * (1.0f - sqrtf(b.alpha));
  addGuideEmission(g, v, emissive);
  notePart(g, v.share * ends, apparentDistance(v), isBlack(reflected) ? SEEN_EMITTER : SEEN_SURFACE);
  float3 normal = apparentNormal(v, camera, b.basis.z);
  g->normal += normal * (v.share * ends);
  return v.share * (1.0f - ends) > NEGLIGIBLE_SHARE && !showsMedium(m, g, v, normal);
}

// visitVertex also leads the guide path on. False when it ends.
DEVICE bool visitVertex(GuidePaths& q, float3 camera, Hit hit, Guide* g) {
  SmoothVertex at;
  if (!seeVertex(q.now, camera, &hit, g, &at)) return false;
  q.now.share *= at.clarity * (1.0f - at.nonSpecular);
  q.now.p.throughput *= at.clarity;
  if (q.vertices++ < MOST_VERTICES)
    return continueSpecular(q, at.s, at.b, at.nonSpecular, curvatureOf(hit, -q.now.p.direction));
  g->albedo += q.now.p.throughput;
  return false;
}

DEVICE_TABLE float SHARP_ROUGHNESS = 0.5f;   // up to which reflections move otherwise than their surface

// Gloss is what a rough surface reflects as a blurred mirror would.
struct Gloss {
  float share;       // of the surface's light
  float roughness;   // of the lobe
};

// sharpGloss is that of a lobe; one that is too rough has no share.
DEVICE Gloss sharpGloss(float share, float alpha) {
  float roughness = sqrtf(alpha);
  return {roughness > SHARP_ROUGHNESS ? 0.0f : share, roughness};
}

// glossOf is that of a surface: of two sharp lobes the one with the larger share.
DEVICE Gloss glossOf(const Bsdf& b) {
  Gloss g = sharpGloss(b.smooth ? 0.0f : b.select[LOBE_Reflection], b.alpha);
  if (!has(FEATURE_CLEARCOAT)) return g;
  Gloss coat = sharpGloss(b.select[LOBE_Clearcoat], b.clearcoatAlpha);
  return coat.share > g.share ? coat : g;
}

// noteReflection makes what a rough surface reflects the second part of a pixel, even where it is all of its light: history is compared
// by the surface. The rougher, the nearer to the surface its lobe seems to come from (Lagarde and de Rousiers 2014, Moving Frostbite to
// PBR, sec. 4.9.3, on the dominant direction of a lobe).
DEVICE void noteReflection(Guide* g, GuidePath& v, const Hit& hit, const SmoothVertex& at) {
  Gloss gloss = glossOf(at.b);
  if (!(gloss.share > NEGLIGIBLE_SHARE)) return;
  float curvature = curvatureOf(hit, -v.p.direction), smooth = 1.0f - gloss.roughness;
  BsdfSample mirrored = {};
  mirrored.wi = toWorld(at.b.basis, make_float3(-at.b.wo.x, -at.b.wo.y, at.b.wo.z));
  spawnRay(v.p, at.s, mirrored);
  Hit far = traceClosest(v.p.origin, v.p.direction, INFINITE, alphaSeed(v.p));
  bend(v, at.b, curvature, false);
  travel(v, (far.triangle == NO_HIT ? DEPTH_OF_NOTHING : far.t) * smooth * (sqrtf(smooth) + gloss.roughness));
  g->nextDistance = apparentDistance(v);
  g->next = gloss.share;
  g->largest = 1.0f - gloss.share;
}

// firstGuide is the guide of a camera ray that ends at what it hits. False where guide paths go on from there.
DEVICE bool firstGuide(const Path& camera, Hit hit, Guide* g, bool reflections) {
  GuidePath v = beginGuidePath(camera);
  SmoothVertex at;
  *g = {};
  if (seeVertex(v, camera.direction, &hit, g, &at)) return false;
  g->albedo = saturate3(g->albedo);
  if (reflections && g->seen == SEEN_SURFACE) noteReflection(g, v, hit, at);
  return true;
}

// GuideWalk is a camera ray while its guide paths are followed.
struct GuideWalk {
  Path camera;   // as it left the camera
  Hit seen;      // what it hit
  GuidePaths paths;
  Guide g;
};

DEVICE GuideWalk beginWalk(const Path& camera) {
  GuideWalk w = {};
  w.camera = camera;
  w.paths.now = beginGuidePath(camera);
  return w;
}

DEVICE bool isCameraRay(const GuideWalk& w) { return w.paths.now.p.depth == 0; }

// traceGuide is what the ray of a guide path hits.
DEVICE Hit traceGuide(const GuideWalk& w) {
  const Path& p = w.paths.now.p;
  return traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p), isCameraRay(w) && camerasCull());
}

// advance takes a hit and goes on with the next ray; false when no guide path is left.
DEVICE bool advance(GuideWalk& w, const Hit& hit) {
  if (visitVertex(w.paths, w.camera.direction, hit, &w.g)) return true;
  GuidePath& waiting = w.paths.waiting;
  if (waiting.share > 0.0f && !isBlack(waiting.p.throughput)) {
    w.paths.now = waiting;
    waiting.share = 0.0f;
    return true;
  }
  w.g.albedo = saturate3(w.g.albedo);
  if (!(w.g.largest > 0.0f)) w.g.seen = SEEN_LOST;
  return false;
}

// followGuides finds the guides of a source's camera rays. A thread that is done begins the next ray, so that none waits for those that
// glass and mirrors send on and on. A Source:
//   uint32_t count() const                           how many indices there are
//   bool begin(uint32_t index, Path*) const          the camera ray of an index; false where there is none
//   bool knows(uint32_t index, Hit*) const           whether what it hits is known
//   void end(uint32_t index, const GuideWalk&) const the answer
template <typename Source, uint32_t THREADS>
DEVICE void followGuides(const Source& source, Fetch<THREADS>& fetch) {
  const uint32_t count = source.count();
  uint32_t index = NO_INDEX;
  GuideWalk w;
  for (bool busy = false, more = true;;) {
    while (!busy && more) {
      index = fetchIndex(fetch);
      more = index < count;
      Path camera;
      busy = more && source.begin(index, &camera);
      if (busy) w = beginWalk(camera);
    }
    if (lanesWhere(busy) == 0) return;   // threads of a warp trace together, and end together
    if (!busy) continue;
    Hit hit;
    if (!isCameraRay(w) || !source.knows(index, &hit)) hit = traceGuide(w);
    if (isCameraRay(w)) w.seen = hit;
    busy = advance(w, hit);
    if (!busy) source.end(index, w);
  }
}

// objectOf is the number of the object that a triangle with that face belongs to; instances come after all others. −1
// when unknown.
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

// storePosition writes what cannot be averaged: the position of the first hit, and its material and object.
DEVICE void storePosition(uint32_t pixel, const Path& primary, const Hit& hit) {
  if (hit.triangle == NO_HIT) {
    float3 far = primary.origin + primary.direction * DEPTH_OF_NOTHING;
    *aovAt(AOV_POSITION, pixel) = make_float4(far.x, far.y, far.z, DEPTH_OF_NOTHING);
    *aovAt(AOV_IDS, pixel) = make_float4(-1.0f, -1.0f, 0.0f, 0.0f);
    return;
  }
  const Triangle t = worldTriangle(hit.triangle);
  float3 at = t.v0 + t.e1 * hit.u + t.e2 * hit.v;
  float depth = dot(at - frame.camera.eye, frame.camera.forward);
  *aovAt(AOV_POSITION, pixel) = make_float4(at.x, at.y, at.z, depth);
  *aovAt(AOV_IDS, pixel) = make_float4((float)materialOf(t), objectOf(hit.triangle, t.face), 0.0f, 0.0f);
}

// storeMovement writes where what the pixel shows was in the frame before. What it shows in a mirror or through glass counts as
// resting.
DEVICE void storeMovement(uint32_t pixel, const Hit& hit, const Guide& g) {
  bool direct = g.seen != SEEN_NOTHING && g.distance == hit.t;
  float3 by = direct ? movementOf(hit.triangle, hit.u, hit.v) : vec3(0.0f);
  pointer<float4>(frame.film.movement)[pixel] = make_float4(by.x, by.y, by.z, 0.0f);
}

// storeVirtualHit writes the virtual hit: the point on the camera ray where what is seen seems to be.
DEVICE void storeVirtualHit(uint32_t pixel, const Path& primary, const Guide& g) {
  float3 at = primary.origin + primary.direction * g.distance;
  float share = g.next > 0.0f ? g.next / (g.largest + g.next) : 0.0f;
  *aovAt(AOV_VIRTUAL_HIT, pixel) = make_float4(at.x, at.y, at.z, packSight({g.seen, g.nextDistance, share}));
}

// storeMotion writes how far the stored position has moved in the image since the previous frame.
DEVICE void storeMotion(uint32_t pixel) {
  float3 at = xyz(*aovAt(AOV_POSITION, pixel));
  float x = 0.0f, y = 0.0f, fromX = 0.0f, fromY = 0.0f;
  bool seen = project(frame.camera, at, &x, &y) && project(frame.previous, at + movementAt(pixel), &fromX, &fromY);
  float4* ids = aovAt(AOV_IDS, pixel);
  ids->z = seen ? x - fromX : 0.0f;
  ids->w = seen ? y - fromY : 0.0f;
}

DEVICE_TABLE float SETTLED_SAMPLES = 15.0f;   // after which guides are means that hardly change

// settled tells whether the guides of a pixel may do without a sample. Where they subtract emission from light, both must
// have the same samples, so that their noise cancels.
DEVICE bool settled(uint32_t pixel) {
  if (aovAt(AOV_ALBEDO, pixel)->w < SETTLED_SAMPLES) return false;
  return !hasAov(AOV_EMISSIVE) || isBlack(xyz(*aovAt(AOV_EMISSIVE, pixel)));
}

// isFirstGuide tells whether a pixel has no guide yet that is not about to be replaced.
DEVICE bool isFirstGuide(uint32_t pixel) {
  return (frame.sampling.flags & FRAME_REPLACE) || aovAt(AOV_ALBEDO, pixel)->w == 0.0f;
}

// showsSky tells whether a pixel's first sample saw nothing. The built-in filter leaves such a pixel as it is (isBackground): further
// samples would tell it nothing.
DEVICE bool showsSky(uint32_t pixel) {
  return !isFirstGuide(pixel) && unpackSight(aovAt(AOV_VIRTUAL_HIT, pixel)->w).seen == SEEN_NOTHING;
}

// putGuide adds to a pixel's means what a camera ray shows, which first hit `hit`.
DEVICE void putGuide(uint32_t pixel, const Path& camera, const Hit& hit, const Guide& g) {
  bool first = isFirstGuide(pixel);
  if (first && frame.film.movement) storeMovement(pixel, hit, g);
  if (first && hasAov(AOV_IDS)) storePosition(pixel, camera, hit);
  if (hasAov(AOV_IDS)) storeMotion(pixel);
  if (finite(g.albedo) && finite(g.gloss) && finite(g.normal) && finite(g.emissive)) {
    float* guides = &aovAt(AOV_ALBEDO, pixel)->w;
    *guides = addToSum(*guides, 1.0f);
    addGuide(AOV_ALBEDO, pixel, g.albedo);
    addGuide(AOV_NORMAL, pixel, g.normal);
    if (hasAov(AOV_EMISSIVE)) {
      addGuide(AOV_EMISSIVE, pixel, g.emissive);
      float* background = &aovAt(AOV_EMISSIVE, pixel)->w;
      *background = addToSum(*background, g.background);
    }
    if (hasAov(AOV_GLOSS)) {
      float4* gloss = aovAt(AOV_GLOSS, pixel);
      gloss->x = addToSum(gloss->x, g.gloss);
      gloss->y = addToSum(gloss->y, g.polish);
    }
  }
  if (first && hasAov(AOV_VIRTUAL_HIT)) storeVirtualHit(pixel, camera, g);
}

// lastToWait is 1 + the index of the last sample of which a pixel waits. Where that is an earlier one, nothing is left to follow.
DEVICE uint64_t* lastToWait() { return pointer<uint64_t>(frame.film.counters) + COUNTER_GUIDES_WAIT; }

// A pixel waits for its guide paths to be followed while the number of its samples has the sign bit set.
DEVICE bool waits(uint32_t pixel) { return floatBits(aovAt(AOV_ALBEDO, pixel)->w) >> 31 != 0; }
DEVICE void setWaiting(uint32_t pixel, bool waiting) {
  float* samples = &aovAt(AOV_ALBEDO, pixel)->w;
  *samples = bitsFloat((floatBits(*samples) & 0x7fffffffu) | (waiting ? 0x80000000u : 0u));
}

// Finds the guides of camera rays that end at what they hit. The argument is 1 where paths have kept what that is.
KERNEL(guides, 128, 5, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  if ((frame.sampling.flags & FRAME_KEEP_GUIDES) && settled(pixel)) return;
  if ((frame.sampling.flags & FRAME_KEEP_SKY) && showsSky(pixel)) return;
  Path camera = beginPath(x, y);
  bool known = pass || ((frame.sampling.flags & FRAME_FIRST_HITS) && frame.firstHits.hits);
  Hit hit = known ? *firstHit(index) : cameraHit(camera.origin, camera.direction, alphaSeed(camera));
  if (!known && frame.firstHits.hits) *firstHit(index) = hit;
  Guide g;
  bool reflections = (frame.sampling.flags & FRAME_REFLECTIONS) && isFirstGuide(pixel);
  bool ends = firstGuide(camera, hit, &g, reflections);
  setWaiting(pixel, !ends);   // of those that end, too: a sample that was given up half-way may have left them waiting
  if (ends)
    putGuide(pixel, camera, hit, g);
  else
    *lastToWait() = frame.sampling.sampleIndex + 1;   // whichever thread writes it
}

// WaitingPixels is the source of the camera rays of pixels that wait.
struct WaitingPixels {
  DEVICE_METHOD uint32_t count() const {
    return *lastToWait() == frame.sampling.sampleIndex + 1 ? frame.film.tiledPixels : 0;
  }
  DEVICE_METHOD bool begin(uint32_t index, Path* camera) const {
    uint32_t x, y;
    if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return false;
    uint32_t pixel = y * frame.film.width + x;
    if (!waits(pixel)) return false;
    setWaiting(pixel, false);
    *camera = beginPath(x, y);
    return true;
  }
  DEVICE_METHOD bool knows(uint32_t index, Hit* hit) const {
    if (!frame.firstHits.hits) return false;
    *hit = *firstHit(index);
    return true;
  }
  DEVICE_METHOD void end(uint32_t index, const GuideWalk& w) const {
    uint32_t x, y;
    pixelOf(index, frame.film.width, frame.film.height, &x, &y);
    putGuide(y * frame.film.width + x, w.camera, w.seen, w.g);
  }
};

RAY_KERNEL(follow_guides, 128, 4, denoising) { followGuides(WaitingPixels(), fetch); }
