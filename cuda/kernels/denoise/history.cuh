// History of a live view: where what a pixel shows was in the image before, and which of the pixels there show the same
// surface. Nothing here knows what is looked up with it.
#pragma once

#include "film/film.cuh"
#include "scene/camera.cuh"
#include "core/packing.cuh"

DEVICE_TABLE float SAME_PLANE = 0.01f;   // how far two places of one surface are apart across it, of their distance
DEVICE_TABLE float SAME_NORMAL = 0.8f;   // least cosine between their normals
DEVICE_TABLE float SAME_DEPTH = 0.05f;   // how much farther or nearer it is than what stands around
DEVICE_TABLE float SAME_VOID = 0.1f;     // how far apart two places are where nothing is, of their distance

// Trail is where a pixel's surface was in the image before: up to four pixels, with their shares of it.
struct Trail {
  uint32_t at[4];
  float share[4];   // 0: another surface stands there, or none does
  float sum;        // 0: it was nowhere
  float x, y;       // how far to the right of and below the middle of the first that was [pixels]
};

// packDirection is packNormal, but 0 where there is no normal: of a mean of many, when they cancel.
DEVICE uint32_t packDirection(float3 n) {
  float l2 = dot(n, n);
  if (!(l2 > 1e-4f)) return 0;
  uint32_t p = packNormal(n * (1.0f / sqrtf(l2)));
  return p ? p : 0xffffffffu;   // both corners mean −z
}

// seenPlace is where a pixel's surface is, from the AOVs.
DEVICE SeenPlace seenPlace(uint32_t pixel) {
  float4 at = *aovAt(AOV_SEEN, pixel);
  return {xyz(at), at.w > 0.0f ? packDirection(meanAov(AOV_NORMAL, pixel)) : 0u};
}

// samePlace tells whether two places lie on one surface, seen from about `distance` away.
DEVICE bool samePlace(const SeenPlace& a, const SeenPlace& b, float distance) {
  if ((a.normal == 0) != (b.normal == 0)) return false;
  float3 apart = b.position - a.position;
  if (a.normal == 0) return dot(apart, apart) < sqr(SAME_VOID * distance);
  float3 n = unpackNormal(a.normal);
  return absf(dot(apart, n)) < SAME_PLANE * distance && dot(n, unpackNormal(b.normal)) > SAME_NORMAL;
}

// placeBefore is where in the image before what the middle of a pixel shows was [pixels]. The place may be anywhere in the
// pixel: what counts is how far it has moved, so that a view that rests stays where it is.
DEVICE bool placeBefore(uint32_t x, uint32_t y, float3 at, float* px, float* py) {
  float nowX, nowY;
  if (!placeInImage(frame.camera, at, &nowX, &nowY) || !placeInImage(frame.previous, at, px, py)) return false;
  *px += (float)x + 0.5f - nowX;
  *py += (float)y + 0.5f - nowY;
  return true;
}

// Span is how far away from the eye before what a pixel and those beside it show is.
struct Span {
  float nearest, farthest;   // squared [m²]
  uint32_t x, y;             // the pixel that shows what is nearest
};

DEVICE Span spanAround(uint32_t x, uint32_t y) {
  Span s = {INFINITE, 0.0f, x, y};
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;   // beyond the first they wrap around to be too large
    if (nx >= frame.film.width || ny >= frame.film.height) continue;
    float3 away = fetch<SeenPlace>(frame.denoise.places, ny * frame.film.width + nx).position - frame.previous.eye;
    float d = dot(away, away);
    s.farthest = maxf(s.farthest, d);
    if (d >= s.nearest) continue;
    s.nearest = d;
    s.x = nx;
    s.y = ny;
  }
  s.nearest *= sqr(1.0f - SAME_DEPTH);
  s.farthest *= sqr(1.0f + SAME_DEPTH);
  return s;
}

// within tells whether a place of the image before is about as far away as what stands around here now: where an edge crosses a
// pixel, or glass shows many things, what its samples see changes by turns.
DEVICE bool within(const Span& s, const SeenPlace& past) {
  float3 away = past.position - frame.previous.eye;
  float d = dot(away, away);
  return d >= s.nearest && d <= s.farthest;
}

// trailFrom gathers the pixels around a place of the image before that go with a pixel now.
template <typename Goes>
DEVICE Trail trailFrom(float px, float py, Goes goes) {
  Trail t = {};
  px -= 0.5f;
  py -= 0.5f;
  float left = floorf(px), top = floorf(py);
  if (!(left >= -1.0f && top >= -1.0f && left < (float)frame.film.width && top < (float)frame.film.height)) return t;
  float ax = px - left, ay = py - top;
  t.x = ax;
  t.y = ay;
  for (uint32_t i = 0; i < 4; i++) {
    float share = (i & 1 ? ax : 1.0f - ax) * (i & 2 ? ay : 1.0f - ay);
    uint32_t tx = (uint32_t)((int32_t)left + (int32_t)(i & 1)), ty = (uint32_t)((int32_t)top + (int32_t)(i >> 1));
    if (share < 1e-3f || tx >= frame.film.width || ty >= frame.film.height) continue;
    t.at[i] = ty * frame.film.width + tx;
    if (!goes(fetch<SeenPlace>(frame.denoise.pastPlaces, t.at[i]))) continue;
    t.share[i] = share;
    t.sum += share;
  }
  return t;
}

// trailOfSurface follows what a pixel's sample met.
DEVICE Trail trailOfSurface(uint32_t x, uint32_t y) {
  float px, py;
  SeenPlace here = fetch<SeenPlace>(frame.denoise.places, y * frame.film.width + x);
  if (!(frame.denoise.historyCap > 0.0f) || !placeBefore(x, y, here.position, &px, &py)) return {};
  float distance = length(here.position - frame.previous.eye);
  return trailFrom(px, py, [&](const SeenPlace& past) { return samePlace(here, past, distance); });
}

// trailOfPixel follows what a pixel shows, of several samples: at an edge it moves along with what is in front.
DEVICE Trail trailOfPixel(uint32_t x, uint32_t y) {
  if (!(frame.denoise.historyCap > 0.0f)) return {};
  Span s = spanAround(x, y);
  float px, py;
  if (!placeBefore(s.x, s.y, fetch<SeenPlace>(frame.denoise.places, s.y * frame.film.width + s.x).position, &px, &py))
    return {};
  px += (float)x - (float)s.x;
  py += (float)y - (float)s.y;
  return trailFrom(px, py, [&](const SeenPlace& past) { return within(s, past); });
}

// followed is the mean of what a buffer holds along a trail that leads somewhere.
DEVICE float4 followed(const Trail& t, uint64_t buffer) {
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (uint32_t i = 0; i < 4; i++)
    if (t.share[i] > 0.0f) sum = sum + pointer<const float4>(buffer)[t.at[i]] * t.share[i];
  return sum * (1.0f / t.sum);
}

// followedNumber is the same of a buffer of single numbers.
DEVICE float followedNumber(const Trail& t, uint64_t buffer) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < 4; i++)
    if (t.share[i] > 0.0f) sum += pointer<const float>(buffer)[t.at[i]] * t.share[i];
  return sum / t.sum;
}

// keepPlaceSeen leaves a pixel's place to the next image.
DEVICE void keepPlaceSeen(uint32_t pixel) {
  if (frame.denoise.places) pointer<SeenPlace>(frame.denoise.places)[pixel] = seenPlace(pixel);
}
