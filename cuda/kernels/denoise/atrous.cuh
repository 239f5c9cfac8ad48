// The built-in denoiser, of the family of SVGF (Schied et al. 2017, Spatiotemporal Variance-Guided Filtering): irradiance, averaged with
// history, is blurred by a sparse kernel that widens from pass to pass but stops at edges of surfaces, and at those of light as far as noise
// lets them be told. Light of lamps and sky that the camera sees, also through mirrors, bypasses it (AOV_EMISSIVE): it has hardly any noise,
// except behind glass (doubtsEmission). The albedo includes what mirrors leave, and the reflectance of metals. Diffuse and glossy lobes are
// one signal; how their light differs is fitted (Fit).
//
// A pixel is an Irradiance of 16 bytes: all that a tap of the filter needs.
#pragma once

#include "core/packing.cuh"
#include "film/film.cuh"
#include "scene/camera.cuh"

DEVICE_TABLE float LEAST_ALBEDO = 0.01f;   // of a channel; darker surfaces count as this dark

// Tap is an unpacked Irradiance.
struct Tap {
  float3 light;         // [nit, over albedo]
  float error;          // standard error of its luminance; negative when unknown, or that of all that the pixel shows
  float3 normal;        // mean over what the pixel shows: the shorter, the more that differs
  float gloss;          // the share of the albedo that glossy lobes have
  float depth;          // along the camera's axis [m]
  uint32_t curvature;   // bits (curvatureBits): how far the pixels beside it are off its plane
};

// tapNormal is such a mean, free of rounding that makes it longer than 1; zero where there is none.
DEVICE float3 tapNormal(float3 mean) {
  float l2 = dot(mean, mean);
  return l2 > 1e-4f ? mean * minf(1.0f / sqrtf(l2), 1.0f) : vec3(0.0f);
}

// --- Packing -------------------------------------------------------------------------------------------------------

// powerOfTwo is 2^e.
DEVICE float powerOfTwo(int32_t e) { return bitsFloat((uint32_t)(e + 127) << 23); }

// mantissa is x / scale, rounded to a signed number of 16 bits.
DEVICE uint32_t mantissa(float x, float scale) {
  return (uint32_t)(int32_t)floorf(clampf(x * scale, -32767.0f, 32767.0f) + 0.5f) & 0xffffu;
}
DEVICE float fromMantissa(uint32_t bits, float scale) { return (float)((int32_t)(bits << 16) >> 16) * scale; }

DEVICE uint32_t snorm8(float x) { return (uint32_t)(int32_t)floorf(clampf(x, -1.0f, 1.0f) * 127.0f + 0.5f) & 255u; }
DEVICE float fromSnorm8(uint32_t bits) { return (float)((int32_t)(bits << 24) >> 24) * (1.0f / 127.0f); }

// The last ten bits of the depth hold a curvature, as upper bits of a float that count from those of the least, and above it gloss.
DEVICE_TABLE uint32_t CURVE_BITS = 31u;
DEVICE_TABLE uint32_t CURVE_SHIFT = 21u;           // leaves two bits of the mantissa
DEVICE_TABLE uint32_t LEAST_CURVE = 0x3e800000u;   // a quarter; what is less is none
DEVICE_TABLE uint32_t GLOSS_STEPS = 31u;
DEVICE_TABLE uint32_t GLOSS_SHIFT = 5u;
DEVICE_TABLE uint32_t DEPTH_BITS = 0xfffffc00u;   // what is left for the depth
DEVICE_TABLE uint32_t HALF_DEPTH_BIT = 0x200u;    // added before the cut, so that the depth is rounded

DEVICE uint32_t curvatureBits(float curvature) {
  uint32_t bits = floatBits(maxf(curvature, 0.0f));
  return bits < LEAST_CURVE ? 0 : minu(((bits - LEAST_CURVE) >> CURVE_SHIFT) + 1, CURVE_BITS);
}
DEVICE float curvatureFrom(uint32_t bits) { return bits ? bitsFloat(LEAST_CURVE + ((bits - 1) << CURVE_SHIFT)) : 0.0f; }

// packIrradiance keeps colours to 1/32768 of the brightest channel, their error to a percent, and gloss to 1/31.
DEVICE Irradiance packIrradiance(const Tap& t) {
  float3 size = abs3(t.light);
  float largest = clampf(maxComponent(size), 1e-20f, 1e20f);
  int32_t e = (int32_t)(floatBits(largest) >> 23) - 126;   // the largest is below 2^e
  float scale = powerOfTwo(15 - e);
  uint32_t normal = snorm8(t.normal.x) | snorm8(t.normal.y) << 8 | snorm8(t.normal.z) << 16;
  uint32_t gloss = (uint32_t)(saturate(t.gloss) * (float)GLOSS_STEPS + 0.5f) << GLOSS_SHIFT;
  return {mantissa(t.light.x, scale) | mantissa(t.light.y, scale) << 16,
          mantissa(t.light.z, scale) | (floatBits(t.error) & 0xffff0000u), normal | (uint32_t)(e + 128) << 24,
          bitsFloat(((floatBits(t.depth) + HALF_DEPTH_BIT) & DEPTH_BITS) | gloss | t.curvature)};
}

DEVICE Tap unpackIrradiance(const Irradiance& s) {
  float scale = powerOfTwo((int32_t)(s.normalScale >> 24) - 128 - 15);
  uint32_t depth = floatBits(s.depth);
  return {make_float3(fromMantissa(s.redGreen, scale), fromMantissa(s.redGreen >> 16, scale),
                      fromMantissa(s.blueError, scale)),
          bitsFloat(s.blueError & 0xffff0000u),
          make_float3(fromSnorm8(s.normalScale), fromSnorm8(s.normalScale >> 8), fromSnorm8(s.normalScale >> 16)),
          (float)(depth >> GLOSS_SHIFT & GLOSS_STEPS) * (1.0f / (float)GLOSS_STEPS),
          bitsFloat(depth & DEPTH_BITS),
          depth & CURVE_BITS};
}

// irradianceAt is where a pixel's irradiance is stored in one of the two buffers.
DEVICE Irradiance* irradianceAt(uint32_t buffer, uint32_t pixel) {
  return pointer<Irradiance>(frame.denoise.irradiance) + (uint64_t)buffer * frame.film.width * frame.film.height +
         pixel;
}
DEVICE Tap loadTap(uint32_t buffer, uint32_t pixel) {
  return unpackIrradiance(
      fetch<Irradiance>(frame.denoise.irradiance, buffer * frame.film.width * frame.film.height + pixel));
}

// isConverged tells whether the image has so many samples that the filter may do more harm than good.
DEVICE bool isConverged() { return frame.denoise.imageSamples >= (float)CONVERGED_SAMPLES; }

// DEPTH_BEYOND is the depth of SEEN_BEYOND, less than DEPTH_OF_NOTHING [m]: 2³², which a tap keeps exactly.
DEVICE_TABLE float DEPTH_BEYOND = 4294967296.0f;

// isBeyond tells whether a pixel shows nothing, or nothing that is known, in a mirror or through glass.
DEVICE bool isBeyond(uint32_t seen) { return seen == SEEN_BEYOND || seen == SEEN_LOST; }

// shareOfNothing is the share of a pixel that shows that, by its mean normal.
DEVICE float shareOfNothing(uint32_t seen, float3 meanNormal) {
  return isBeyond(seen) ? saturate(1.0f - length(meanNormal)) : 0.0f;
}

// seenNormal is the normal of what a pixel shows. An emitter that reflects nothing tells nothing about the light around it: without one
// it matches its like only. Where glass or a mirror shows nothing, there is more light than that, as of reflections within glass: it is
// filtered like that of a wall which is far away and faces the camera.
DEVICE float3 seenNormal(uint32_t seen, float3 mean) {
  if (seen == SEEN_EMITTER) return vec3(0.0f);
  return tapNormal(mean - frame.camera.forward * shareOfNothing(seen, mean));
}

// seenDepth is its depth, for a point where it seems to be.
DEVICE float seenDepth(uint32_t seen, float3 at) {
  if (isBeyond(seen)) return DEPTH_BEYOND;
  return seen != SEEN_NOTHING && finite(at) ? dot(at - frame.camera.eye, frame.camera.forward) : DEPTH_OF_NOTHING;
}

// filterAlbedo is what a pixel's light is divided by before it is filtered: its albedo. But where a part of it shows nothing, light has
// to do with surfaces on the way there, which are not known, and not with how bright that nothing is: that part counts as white.
DEVICE float3 filterAlbedo(float3 albedo, uint32_t seen, float3 meanNormal) {
  float least = maxf(shareOfNothing(seen, meanNormal), LEAST_ALBEDO);
  return make_float3(maxf(albedo.x, least), maxf(albedo.y, least), maxf(albedo.z, least));
}

// showsSurface fills in what a tap shows: `gloss` is the luminance that glossy lobes have of the albedo.
DEVICE void showsSurface(Tap* t, uint32_t seen, float3 meanNormal, float gloss, float3 albedo, float3 at) {
  t->normal = seenNormal(seen, meanNormal);
  t->gloss = saturate(gloss / luminance(albedo));
  t->depth = seenDepth(seen, at);
}

// isBackground: there is no surface that could be lit.
DEVICE bool isBackground(const Tap& t) { return t.depth > DEPTH_BEYOND; }

// doubtsEmission tells whether a pixel's error may be that of emission. Beyond glass, samples choose between what passes and what is
// reflected, so that bright emission leaves noise which is not light around: the more a pixel has of it, the less it gives to others.
DEVICE bool doubtsEmission(const Tap& t) { return isConverged() && t.depth == DEPTH_BEYOND; }

// isLit tells whether a pixel's first sample shows something that has light to be filtered.
DEVICE bool isLit(const Tap& t) { return !isBackground(t) && dot(t.normal, t.normal) > 0.0f; }

// --- Edges ---------------------------------------------------------------------------------------------------------

// expMinus is e⁻ˣ for x ≥ 0, within 2 %: (1 − x/16)¹⁶, and 0 from 16 on.
DEVICE float expMinus(float x) {
  float y = sqr(maxf(madd(x, -1.0f / 16.0f, 1.0f), 0.0f));
  return sqr(sqr(sqr(y)));
}

// inverseRoot is 1/√x within 0.2 %, for x > 0: a guess of its bits and one step of Newton's method, with no division.
DEVICE float inverseRoot(float x) {
  float y = bitsFloat(0x5f3759dfu - (floatBits(x) >> 1));
  return y * madd(-0.5f * x * y, y, 1.5f);
}

// Edges is what decides how well other pixels match one. Distances are in units of what reduces a surface's weight to
// 1/e.
struct Edges {
  float plane;              // of the pixel's surface: distance along the normal
  float acrossX, acrossY;   // change of that distance at depth 1, for each pixel to the right and down
  float along, here;        // the same for the depth itself, and at the pixel
  float3 normal;
  float luminance, variance;
};

DEVICE_TABLE float PLANE_PIXELS = 2.0f;      // how far from its plane a surface extends, in pixels at its depth
DEVICE_TABLE float CURVE_SLACK = 2.0f;       // times a curvature, for each pixel of reach, by which more is allowed for
DEVICE_TABLE float MIXED_NORMALS = 0.85f;    // length of a mean of normals up to which it is that of no plane,
DEVICE_TABLE float ONE_NORMAL = 0.95f;       // and from which on it is
DEVICE_TABLE float NORMAL_FALLOFF = 16.0f;   // of the squared difference between normals, halved
DEVICE_TABLE float ENOUGH_SAMPLES = 3.99f;   // to tell a pixel's noise from its own samples: four, less the last digits
DEVICE_TABLE float LIGHT_ERRORS = 2.0f;      // difference of light that reduces the weight to 1/e [standard errors]
// The same in a moving view, where samples tell errors, by the relative error of the light before the filter. Where that is large, few
// samples find the light: errors are known least, and noise is worst.
DEVICE_TABLE float LEAST_ERRORS = 1.2f, MOST_ERRORS = 2.4f;
DEVICE_TABLE float SMALL_ERROR = 2.0f, LARGE_ERROR = 5.0f;
// What the passes before each one leave of errors where all taps count: the first, of 5×5 taps, 0.27, and those of 3×3 0.35.
DEVICE_TABLE float ERRORS_LEFT[ATROUS_PASSES] = {1.0f, 0.27f, 0.0945f, 0.033075f, 0.01157625f};
DEVICE_TABLE float NO_VARIANCE = 2.5e-17f;   // keeps its root from being 0
DEVICE_TABLE float MOST_VARIANCE = 1e30f;

// planeDistance is the distance along the normal, from the eye, of a point that is seen so many pixels to the right and
// down.
DEVICE float planeDistance(const Edges& e, float dx, float dy, float depth) {
  float across = madd(dx, e.acrossX, madd(dy, e.acrossY, e.here));
  return madd(frame.camera.orthoHalfHeight > 0.0f ? 1.0f : depth, across, depth * e.along);
}

// edgesAround prepares what taps up to `reach` pixels around pixel (x, y) are compared with. The mean normal of a polished coat and of what
// it reflects is that of no plane. What curved mirrors and glass show seems bent.
DEVICE Edges edgesAround(const Tap& t, float x, float y, float reach) {
  const Camera& c = frame.camera;
  bool flat = c.orthoHalfHeight > 0.0f;
  float half = flat ? c.orthoHalfHeight : c.tanHalfFovY;
  float pixel = 2.0f * half / (float)frame.film.height;
  float size = length(t.normal), planar = saturate((size - MIXED_NORMALS) / (ONE_NORMAL - MIXED_NORMALS));
  float most =
      PLANE_PIXELS * pixel * (flat ? 1.0f : t.depth) * (1.0f + CURVE_SLACK * curvatureFrom(t.curvature) * reach);
  float toPlane = planar / maxf(most * size, 1e-20f);
  Edges e;
  float right = dot(t.normal, c.right) * toPlane, up = dot(t.normal, c.up) * toPlane;
  e.acrossX = right * pixel;
  e.acrossY = -up * pixel;
  e.here = right * ((x + 0.5f) * pixel - half * c.aspect) + up * (half - (y + 0.5f) * pixel);
  e.along = dot(t.normal, c.forward) * toPlane;
  e.plane = planeDistance(e, 0.0f, 0.0f, t.depth);
  e.normal = t.normal;
  e.luminance = luminance(t.light);
  e.variance = sqr(maxf(t.error, 0.0f)) + NO_VARIANCE;
  return e;
}

// normalDistance is how much the normal of a tap differs.
DEVICE float normalDistance(const Edges& e, const Tap& t) {
  float3 n = t.normal - e.normal;
  return dot(n, n) * (0.5f * NORMAL_FALLOFF);
}

// surfaceDistance is how much the surface of a tap, so many pixels to the right and down, differs: 1 reduces its weight
// to 1/e.
DEVICE float surfaceDistance(const Edges& e, const Tap& t, float dx, float dy) {
  return normalDistance(e, t) + absf(planeDistance(e, dx, dy, t.depth) - e.plane);
}

// toleratedErrors is the difference of light that reduces the weight of a tap to 1/e [standard errors]. `level` counts passes from 0.
DEVICE float toleratedErrors(const Tap& t, uint32_t pixel, uint32_t level) {
  const float* samples = pointer<const float>(frame.denoise.lightSamples);
  if (!samples || samples[pixel] < ENOUGH_SAMPLES) return LIGHT_ERRORS;
  float relative = absf(t.error) / (maxf(luminance(t.light), 1e-20f) * ERRORS_LEFT[level]);
  float moving = lerp(LEAST_ERRORS, MOST_ERRORS, saturate((relative - SMALL_ERROR) / (LARGE_ERROR - SMALL_ERROR)));
  return lerp(moving, LIGHT_ERRORS, saturate(frame.denoise.imageSamples / (float)CONVERGED_SAMPLES));
}

// lightDistance is the same as surfaceDistance for light. Both errors count, so that a bright pixel gives as much as it takes.
DEVICE float lightDistance(const Edges& e, const Tap& t, float perError) {
  float variance = minf(madd(t.error, t.error, e.variance), MOST_VARIANCE);
  return absf(luminance(t.light) - e.luminance) * (inverseRoot(variance) * perError);
}

// How far a tap may move a pixel, in errors of its light: so much over the samples of the image, and this at least.
DEVICE_TABLE float MOVED_BY_SAMPLE = 4.0f, LEAST_MOVED = 0.15f;

// mostMoved bounds by how much light a tap may move a pixel. Bright pixels at edges err much, so that dark ones, which err little, take
// a little of them for their own; taps far apart make a grid of dots of it. A pixel of few samples may have missed light that others
// found, and takes more. The first pass smooths what it takes, and is free.
DEVICE float mostMoved(const Edges& e, uint32_t level) {
  if (level == 0) return INFINITE;
  return sqrtf(e.variance) * maxf(MOVED_BY_SAMPLE / maxf(frame.denoise.imageSamples, 1.0f), LEAST_MOVED);
}

// edgeCount is how many pixels further camera rays are sent through (edges.cuh): kept where a picture is yet to be stabilized.
DEVICE uint32_t* edgeCount() { return reinterpret_cast<uint32_t*>(&pointer<float4>(frame.denoise.stabilized)->w); }

// --- The filter -----------------------------------------------------------------------------------------------------

// splineWeight is the weight of the cubic B-spline at integers up to two.
DEVICE float splineWeight(int32_t d) { return d == 0 ? 0.375f : d * d == 1 ? 0.25f : 0.0625f; }

// Light over albedo is not the same all over a surface: a drawing on a polished dark ground shows diffuse light, the ground a reflection.
// And where normals turn, by curvature or a normal map, light changes with them. So it is taken for a linear function of three numbers that
// guides know, the share of glossy lobes and the normal's components to the right and up. Taps tell it by least squares, and its value at
// the pixel counts (Bitterli et al. 2016, Nonlinearly Weighted First-order Regression for Denoising Monte Carlo Renderings).
DEVICE_TABLE float GLOSS_FALLOFF = 3.0f;   // of the weight of a tap, by the squared difference of gloss
// Ridges of the least squares: variances of a feature that halve its slope. Light of few samples adds to them.
DEVICE_TABLE float LEAST_GLOSS = 4e-4f;    // of gloss
DEVICE_TABLE float LEAST_TURN = 2e-4f;     // of a component of the normal
DEVICE_TABLE float NOISY_SLOPE = 0.002f;   // of each, times the squared relative variance of light

// Symmetric is a symmetric 3×3 matrix.
struct Symmetric {
  float xx, yy, zz, xy, xz, yz;
};

// solve is the x of m x = b, for a positive definite matrix.
DEVICE float3 solve(const Symmetric& m, float3 b) {
  float xx = m.yy * m.zz - sqr(m.yz), xy = m.xz * m.yz - m.xy * m.zz, xz = m.xy * m.yz - m.xz * m.yy;
  float yy = m.xx * m.zz - sqr(m.xz), yz = m.xy * m.xz - m.xx * m.yz, zz = m.xx * m.yy - sqr(m.xy);
  float scale = 1.0f / (m.xx * xx + m.xy * xy + m.xz * xz);
  return make_float3(xx * b.x + xy * b.y + xz * b.z, xy * b.x + yy * b.y + yz * b.z, xz * b.x + yz * b.y + zz * b.z) *
         scale;
}

// Fit are the sums that least squares need: of weights, of features f and their products, and of light times both.
struct Fit {
  float sum, variance;
  float3 light, f, red, green, blue;
  Symmetric ff;
};

DEVICE void addTap(Fit* s, float w, float3 f, float3 light, float error) {
  float3 wf = f * w;
  s->sum += w;
  s->variance = madd(error * w, error * w, s->variance);
  s->light += light * w;
  s->f += wf;
  s->red += wf * light.x;
  s->green += wf * light.y;
  s->blue += wf * light.z;
  s->ff.xx = madd(wf.x, f.x, s->ff.xx);
  s->ff.yy = madd(wf.y, f.y, s->ff.yy);
  s->ff.zz = madd(wf.z, f.z, s->ff.zz);
  s->ff.xy = madd(wf.x, f.y, s->ff.xy);
  s->ff.xz = madd(wf.x, f.z, s->ff.xz);
  s->ff.yz = madd(wf.y, f.z, s->ff.yz);
}

// fitted is the light where all features are 0, and its error. The larger the relative variance of light, the less is a slope believed.
DEVICE float3 fitted(Fit s, float relative, float* error) {
  float noise = minf(sqr(relative) * NOISY_SLOPE, 1.0f);
  s.ff.xx = madd(LEAST_GLOSS + noise, s.sum, s.ff.xx);
  s.ff.yy = madd(LEAST_TURN + noise, s.sum, s.ff.yy);
  s.ff.zz = madd(LEAST_TURN + noise, s.sum, s.ff.zz);
  float3 g = solve(s.ff, s.f);
  float scale = 1.0f / (s.sum - dot(g, s.f));
  *error = sqrtf(s.variance * scale / s.sum);
  return (s.light - make_float3(dot(g, s.red), dot(g, s.green), dot(g, s.blue))) * scale;
}

// filtered blurs around a pixel. Errors shrink as those of means do. The reach is a template parameter, so that the
// loads of all taps are in flight at once.
template <int32_t REACH>
DEVICE Tap filtered(Tap t, uint32_t x, uint32_t y, uint32_t buffer, uint32_t level) {
  int32_t step = 1 << level;   // distance of the taps [pixels]
  Edges e = edgesAround(t, (float)x, (float)y, (float)(REACH * step));
  float center = sqr(splineWeight(0)), pixels = (float)step,
        perError = 1.0f / toleratedErrors(t, y * frame.film.width + x, level), most = mostMoved(e, level);
  bool emission = doubtsEmission(t);
  Fit fit = {};
  addTap(&fit, center, vec3(0.0f), t.light, t.error);
  auto take = [&](uint32_t pixel, int32_t dx, int32_t dy) {
    if (dx == 0 && dy == 0) return;
    Tap q = loadTap(buffer, pixel);
    if (isBackground(q)) return;   // which has no light
    float difference = surfaceDistance(e, q, (float)dx * pixels, (float)dy * pixels) + lightDistance(e, q, perError);
    difference = madd(GLOSS_FALLOFF, sqr(q.gloss - t.gloss), difference);
    float w = splineWeight(dx) * splineWeight(dy) * expMinus(difference);
    w = minf(w, most / (absf(luminance(q.light) - e.luminance) + 1e-20f));
    if (emission) w *= minf(e.variance / (sqr(q.error) + NO_VARIANCE), 1.0f);
    float3 turn = q.normal - t.normal,
           f = make_float3(q.gloss - t.gloss, dot(turn, frame.camera.right), dot(turn, frame.camera.up));
    addTap(&fit, w, f, q.light, q.error);
  };
  eachAround<REACH>(x, y, take, step);
  float3 own = t.light;
  t.light = fitted(fit, e.variance / maxf(sqr(e.luminance), NO_VARIANCE), &t.error);
  t.light = make_float3(maxf(t.light.x, minf(own.x, 0.0f)), maxf(t.light.y, minf(own.y, 0.0f)),
                        maxf(t.light.z, minf(own.z, 0.0f)));
  return t;
}

DEVICE_TABLE int32_t DOT_REACH = 2;        // how far around a pixel others are asked to confirm it [pixels]
DEVICE_TABLE float DOT_RATIO = 3.0f;       // what outshines the pixels around it by less is no dot
DEVICE_TABLE float DOT_CERTAIN = 0.083f;   // relative variance of a pixel's light below which none of it is doubted
DEVICE_TABLE float DOT_DOUBTED = 0.22f;    // and from which on all is

// expectedShare is the share of a pixel's light that is shown. It takes the pixel's luminance [nit], its squared relative error, and how many
// times a dot outshines others; at(pixel) is the luminance of any pixel. Where a few bright samples made a dot that most pixels around do not
// know of and the filter could not spread, it is what those allow; the more samples agree, the more is given back, so that the limit of many
// is right.
template <typename Luminance>
DEVICE float expectedShare(float own, float relative, float ratio, uint32_t x, uint32_t y, Luminance at) {
  float doubt = saturate((relative - DOT_CERTAIN) / (DOT_DOUBTED - DOT_CERTAIN)), sum = 0.0f, n = 0.0f, darker = 0.0f;
  if (!(own > 0.0f && doubt > 0.0f)) return 1.0f;
  eachAround<DOT_REACH>(x, y, [&](uint32_t pixel, int32_t, int32_t) {
    float l = at(pixel);
    n += 1.0f;
    if (!(l * ratio < own)) return;
    sum += l;
    darker += 1.0f;
  });
  return 2.0f * darker > n ? lerp(1.0f, ratio * sum / (darker * own), doubt) : 1.0f;
}

// show writes a pixel of the picture. What is not a number is black.
DEVICE void show(uint32_t pixel, float3 L) {
  if (!finite(L)) L = vec3(0.0f);
  pointer<float4>(frame.denoise.denoised)[pixel] = make_float4(maxf(L.x, 0.0f), maxf(L.y, 0.0f), maxf(L.z, 0.0f), 0.0f);
}

// remodulated is irradiance times albedo again, and what bypassed the filter.
DEVICE float3 remodulated(float3 light, uint32_t pixel) {
  return light * xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel)) +
         xyz(*planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel));
}

// How much of the noise of a pixel's samples is in its filtered light: the covariance of both, over the variance of the samples. A mean of
// equal weights would have what is left of the variance. A filter that follows edges of light takes to what is like the pixel, noise
// included, and keeps far more: about the fourth root, measured against pictures of 1,024 samples (docs/denoising.md).
DEVICE_TABLE float LITTLE_LEFT = 0.001f;   // of the variance; of less, less than that root is kept
DEVICE float noiseKept(float left) { return sqrtf(left / sqrtf(left + LITTLE_LEFT)); }

// One pass. The argument is the number of the pass, times two, plus the buffer that it reads. After the last one it writes the picture, and in
// a live view the light, too, whose edges are still to be smoothed (edges.cuh). tracer/denoise/atrous.go launches those kernels.
KERNEL(atrous_filter, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x, level = pass >> 1, buffer = pass & 1;
  Tap t = loadTap(buffer, pixel);
  if (!isBackground(t))
    t = level < ATROUS_WIDE_PASSES ? filtered<2>(t, x, y, buffer, level) : filtered<1>(t, x, y, buffer, level);
  if (level + 1 < ATROUS_PASSES) {
    *irradianceAt(1 - buffer, pixel) = packIrradiance(t);
    return;
  }
  float* note = &planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel)->w;   // the error before the filter
  float kept = noiseKept(minf(sqr(t.error) / (sqr(*note) + NO_VARIANCE), 1.0f));
  // What the samples do not agree on is no surer for being filtered.
  float own = luminance(t.light), shown = luminance(xyz(*planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel)));
  if (isConverged()) t.error = maxf(t.error, absf(*note) * own / maxf(own, shown));
  const float* samples = pointer<const float>(frame.denoise.lightSamples);
  // The past has a share of the light, and nothing of the noise of these samples.
  *note = samples ? kept * minf(frame.denoise.imageSamples / samples[pixel], 1.0f) : kept;
  float before = luminance(t.light * xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel)));
  t.light *= expectedShare(before, sqr(t.error / own), DOT_RATIO, x, y,
                           [&](uint32_t other) { return luminance(remodulated(loadTap(buffer, other).light, other)); });
  bool live = frame.denoise.stabilized != 0;
  if (live) *irradianceAt(1 - buffer, pixel) = packIrradiance(t);
  if (live && pixel == 0) *edgeCount() = 0;
  show(pixel, remodulated(t.light, pixel));
}
