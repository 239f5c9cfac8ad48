// Temporal reprojection of a live view: where the surface of a pixel was in the previous image, and which of the pixels
// there show the same surface. What is looked up with it is up to the caller.
#pragma once

#include "film/film.cuh"
#include "scene/camera.cuh"
#include "core/packing.cuh"

DEVICE_TABLE float SAME_PLANE = 0.01f;       // distance along the normal between points of one surface, of the depth
DEVICE_TABLE float SAME_NORMAL = 0.8f;       // least cosine between their normals
DEVICE_TABLE float SAME_DEPTH = 0.05f;       // how far a depth may be outside of the neighbourhood's range, relative
DEVICE_TABLE float SAME_BACKGROUND = 0.1f;   // distance between points of the background, of the depth

// Reprojection is where a pixel's surface was in the previous image: up to four pixels, with their bilinear weights.
struct Reprojection {
  uint32_t at[4];
  float share[4];       // 0: another surface is there, or none
  float sum;            // 0: nowhere
  uint32_t left, top;   // the first pixel; it may lie outside
  float x, y;           // how far to the right of and below its centre [pixels]
};

// packDirection is packNormal, or NORMAL_NONE.
DEVICE uint32_t packDirection(float3 n) {
  float l2 = dot(n, n);
  if (!(l2 > 1e-4f)) return NORMAL_NONE;
  uint32_t p = packNormal(n * (1.0f / sqrtf(l2)));
  return p > NORMAL_BEYOND ? p : 0xffffffffu;   // both corners mean −z
}

// virtualHit is a pixel's virtual hit, from the AOVs.
DEVICE VirtualHit virtualHit(uint32_t pixel) {
  float4 at = *aovAt(AOV_VIRTUAL_HIT, pixel);
  uint32_t seen = unpackSight(at.w).seen;
  if (seen == SEEN_NOTHING || seen == SEEN_LOST) return {xyz(at), NORMAL_NONE};
  return {xyz(at), seen == SEEN_BEYOND ? NORMAL_BEYOND : packDirection(meanGuide(AOV_NORMAL, pixel))};
}

// sameSurface tells whether two points are on one surface, seen from about `distance` away.
DEVICE bool sameSurface(const VirtualHit& a, const VirtualHit& b, float distance) {
  float3 offset = b.position - a.position;
  if (minu(a.normal, b.normal) <= NORMAL_BEYOND)
    return a.normal == b.normal && dot(offset, offset) < sqr(SAME_BACKGROUND * distance);
  float3 n = unpackNormal(a.normal);
  return absf(dot(offset, n)) < SAME_PLANE * distance && dot(n, unpackNormal(b.normal)) > SAME_NORMAL;
}

// reproject is where in the previous image the centre of a pixel was [pixels], for a point anywhere in the pixel, and where that was before:
// what counts is how far it has moved, so that a resting view stays exactly where it is.
DEVICE bool reproject(uint32_t x, uint32_t y, float3 at, float3 before, float* px, float* py) {
  float nowX, nowY;
  if (!project(frame.camera, at, &nowX, &nowY) || !project(frame.previous, before, px, py)) return false;
  *px += (float)x + 0.5f - nowX;
  *py += (float)y + 0.5f - nowY;
  return true;
}

// kindOf is the bit of what a virtual hit is: nothing, nothing in a mirror or behind glass, or a surface.
DEVICE uint32_t kindOf(const VirtualHit& v) { return 1u << minu(v.normal, NORMAL_BEYOND + 1); }

// SeenAround is what a pixel and its neighbours show: its kinds, and the range of its distances from the previous eye.
struct SeenAround {
  float nearest, farthest;   // squared [m²]
  uint32_t x, y;             // the pixel with the nearest
  uint32_t kinds;            // bits (kindOf)
};

DEVICE SeenAround seenAround(uint32_t x, uint32_t y) {
  SeenAround s = {INFINITE, 0.0f, x, y, 0};
  eachAround(x, y, [&](uint32_t pixel, int32_t dx, int32_t dy) {
    VirtualHit there = fetch<VirtualHit>(frame.denoise.virtualHits, pixel);
    float3 away = there.position + movementAt(pixel) - frame.previous.eye;
    float d = dot(away, away);
    s.kinds |= kindOf(there);
    s.farthest = maxf(s.farthest, d);
    if (d >= s.nearest) return;
    s.nearest = d;
    s.x = x + (uint32_t)dx;
    s.y = y + (uint32_t)dy;
  });
  s.nearest *= sqr(1.0f - SAME_DEPTH);
  s.farthest *= sqr(1.0f + SAME_DEPTH);
  return s;
}

// inRange tells whether a point of the previous image is of a kind that the neighbourhood shows now, and about as far away. Where an
// edge crosses a pixel, or glass shows several surfaces, samples alternate between them.
DEVICE bool inRange(const SeenAround& s, const VirtualHit& past) {
  float3 away = past.position - frame.previous.eye;
  float d = dot(away, away);
  return (s.kinds & kindOf(past)) && d >= s.nearest && d <= s.farthest;
}

// reprojectTaps gathers the pixels around a position in the previous image for which accepts(virtual hit) is true.
template <typename Accepts>
DEVICE Reprojection reprojectTaps(float px, float py, Accepts accepts) {
  Reprojection t = {};
  px -= 0.5f;
  py -= 0.5f;
  float left = floorf(px), top = floorf(py);
  if (!(left >= -1.0f && top >= -1.0f && left < (float)frame.film.width && top < (float)frame.film.height)) return t;
  float ax = px - left, ay = py - top;
  t.left = (uint32_t)(int32_t)left;
  t.top = (uint32_t)(int32_t)top;
  t.x = ax;
  t.y = ay;
  for (uint32_t i = 0; i < 4; i++) {
    float share = (i & 1 ? ax : 1.0f - ax) * (i & 2 ? ay : 1.0f - ay);
    uint32_t tx = t.left + (i & 1), ty = t.top + (i >> 1);
    if (share < 1e-3f || tx >= frame.film.width || ty >= frame.film.height) continue;
    t.at[i] = ty * frame.film.width + tx;
    if (!accepts(fetch<VirtualHit>(frame.denoise.pastVirtualHits, t.at[i]))) continue;
    t.share[i] = share;
    t.sum += share;
  }
  return t;
}

// reprojectOn follows a point to where it was before, as far as the surface that the pixel hit, `there` in the past, shows it.
DEVICE Reprojection reprojectOn(const VirtualHit& there, uint32_t x, uint32_t y, float3 at, float3 before) {
  float px, py;
  if (!(frame.denoise.historyCap > 0.0f) || !reproject(x, y, at, before, &px, &py)) return {};
  float distance = length(there.position - frame.previous.eye);
  return reprojectTaps(px, py, [&](const VirtualHit& past) { return sameSurface(there, past, distance); });
}

// reprojectSurface follows the surface that a pixel's sample hit.
DEVICE Reprojection reprojectSurface(uint32_t x, uint32_t y) {
  uint32_t pixel = y * frame.film.width + x;
  VirtualHit there = fetch<VirtualHit>(frame.denoise.virtualHits, pixel);
  float3 at = there.position;
  there.position += movementAt(pixel);
  return reprojectOn(there, x, y, at, there.position);
}

// reprojectSecond follows the second part of what a pixel shows. Where its surface moves, nothing is known of that.
DEVICE Reprojection reprojectSecond(uint32_t x, uint32_t y, const Sight& sight) {
  uint32_t pixel = y * frame.film.width + x;
  float3 by = movementAt(pixel);
  if (!(sight.share > 0.0f) || dot(by, by) > 0.0f) return {};
  VirtualHit here = fetch<VirtualHit>(frame.denoise.virtualHits, pixel);
  float3 ray = here.position - frame.camera.eye;
  if (frame.camera.orthoHalfHeight > 0.0f) ray = frame.camera.forward * dot(ray, frame.camera.forward);
  float3 at = here.position + ray * (sight.distance / length(ray) - 1.0f);
  return reprojectOn(here, x, y, at, at);
}

// reprojectPixel follows what a pixel shows with several samples: at an edge it moves with the foreground.
DEVICE Reprojection reprojectPixel(uint32_t x, uint32_t y, const SeenAround& s) {
  if (!(frame.denoise.historyCap > 0.0f)) return {};
  float px, py;
  uint32_t nearest = s.y * frame.film.width + s.x;
  float3 at = fetch<VirtualHit>(frame.denoise.virtualHits, nearest).position;
  if (!reproject(s.x, s.y, at, at + movementAt(nearest), &px, &py)) return {};
  px += (float)x - (float)s.x;
  py += (float)y - (float)s.y;
  return reprojectTaps(px, py, [&](const VirtualHit& past) { return inRange(s, past); });
}

DEVICE_TABLE float SAME_ALBEDO = 0.05f;   // relative difference between colours up to which they are about the same
DEVICE_TABLE float SAME_TURN = 0.1f;      // difference of normals up to which they are about the same
DEVICE_TABLE float OUTSHINING = 32.0f;    // how many times as bright as the other, for its albedo, one part may be

// paintAt is the luminance of a pixel's albedo, whatever its light is divided by.
DEVICE float paintAt(uint32_t pixel) { return planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel)->w; }

// nearestTap is the pixel of a reprojection with the largest share.
DEVICE uint32_t nearestTap(const Reprojection& t) {
  uint32_t nearest = 0;
  for (uint32_t i = 1; i < 4; i++)
    if (t.share[i] > t.share[nearest]) nearest = i;
  return t.at[nearest];
}

// Followed is where the past of a pixel is: by `share` where that of its second part was, else where its surface was.
struct Followed {
  Reprojection surface, second;
  float albedoShare;   // of the second part; 0: it is not followed
  float share;         // of its light, as far as that is known
};

// withShare packs a sample count and, in its low eight bits, the share of the light that came by reflection, to 1/254; a negative share
// is unknown.
DEVICE float withShare(float number, float share) {
  return bitsFloat((floatBits(number) & 0xffffff00u) | (share < 0.0f ? 0u : (uint32_t)(share * 254.0f + 0.5f) + 1u));
}
DEVICE float shareIn(float number) {
  uint32_t bits = floatBits(number) & 0xffu;
  return bits ? (float)(bits - 1u) * (1.0f / 254.0f) : -1.0f;
}

// expectedShareOfAlbedo limits a share of light to what its share of the albedo makes likely.
DEVICE float expectedShareOfAlbedo(float share, float albedoShare) {
  float rest = 1.0f - albedoShare;
  return clampf(share, albedoShare / (albedoShare + OUTSHINING * rest),
                OUTSHINING * albedoShare / (OUTSHINING * albedoShare + rest));
}

// turnBetween is the squared difference of the normals that two pixels show.
DEVICE float turnBetween(uint32_t a, uint32_t b) {
  uint32_t m = fetch<VirtualHit>(frame.denoise.virtualHits, a).normal,
           n = fetch<VirtualHit>(frame.denoise.virtualHits, b).normal;
  if (minu(m, n) <= NORMAL_BEYOND) return 0.0f;
  float3 turn = unpackNormal(m) - unpackNormal(n);
  return dot(turn, turn);
}

// followSecond completes where the past of a pixel is. The colour of the surface comes along with what it reflects, and so do the grooves
// of a normal map: both must be the same there as here. Curved surfaces pass: to see the same reflection, a camera that moves by an
// angle needs a normal that turns by half of it.
DEVICE Followed followSecond(uint32_t x, uint32_t y, const Reprojection& surface) {
  uint32_t pixel = y * frame.film.width + x;
  Sight sight = unpackSight(aovAt(AOV_VIRTUAL_HIT, pixel)->w);
  Followed f = {surface, reprojectSecond(x, y, sight), 0.0f, 0.0f};
  if (!(f.second.sum > 0.0f && surface.sum > 0.0f)) return f;
  uint32_t a = nearestTap(surface), b = nearestTap(f.second), width = frame.film.width;
  uint32_t ox = x + b % width - a % width, oy = y + b / width - a / width;   // what shows that surface now
  if (ox >= width || oy >= frame.film.height) return f;
  float own = paintAt(pixel), other = paintAt(oy * width + ox);
  float difference = (own - other) / maxf(SAME_ALBEDO * maxf(own, other), 1e-20f);
  float turned = turnBetween(pixel, oy * width + ox) / sqr(SAME_TURN);
  f.albedoShare = sight.share * saturate(1.0f - sqr(difference) - turned);
  float known = shareIn(pointer<const float4>(frame.denoise.pastStabilized)[a].w);
  f.share = known < 0.0f ? f.albedoShare : expectedShareOfAlbedo(known, f.albedoShare);
  return f;
}

// historyMean is the mean of a buffer of T over a reprojection that leads somewhere.
template <typename T>
DEVICE T historyMean(const Reprojection& t, uint64_t buffer) {
  T sum = {};
  for (uint32_t i = 0; i < 4; i++)
    if (t.share[i] > 0.0f) sum = sum + pointer<const T>(buffer)[t.at[i]] * t.share[i];
  return sum * (1.0f / t.sum);
}

// followedMean is the mean of a buffer over where the past of a pixel is; its surface is known.
template <typename T>
DEVICE T followedMean(const Followed& f, uint64_t buffer) {
  T mean = historyMean<T>(f.surface, buffer);
  return f.share > 0.0f ? mean * (1.0f - f.share) + historyMean<T>(f.second, buffer) * f.share : mean;
}

// keepVirtualHit stores a pixel's virtual hit for the next image.
DEVICE void keepVirtualHit(uint32_t pixel) {
  if (frame.denoise.virtualHits) pointer<VirtualHit>(frame.denoise.virtualHits)[pixel] = virtualHit(pixel);
}
