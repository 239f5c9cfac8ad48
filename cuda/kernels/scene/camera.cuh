// Camera rays: thin lens, or parallel. Pixels are numbered in 8×4 tiles, so that a warp or a CPU task works on
// neighbours.
#pragma once

#include "core/random.cuh"

enum TileSize : uint32_t {
  TILE_WIDTH = 8,
  TILE_HEIGHT = 4,
};

// pixelOf finds the pixel of a launch index; false beyond the edge of the image.
DEVICE bool pixelOf(uint32_t index, uint32_t width, uint32_t height, uint32_t* x, uint32_t* y) {
  uint32_t tilesX = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  uint32_t tile = index / (TILE_WIDTH * TILE_HEIGHT), lane = index % (TILE_WIDTH * TILE_HEIGHT);
  *x = tile % tilesX * TILE_WIDTH + lane % TILE_WIDTH;
  *y = tile / tilesX * TILE_HEIGHT + lane / TILE_WIDTH;
  return *x < width && *y < height;
}

// Polar is a point of the unit disk; r may be negative.
struct Polar {
  float r, turn;   // turn: 0…1
};

// polarDisk maps the square to the unit disk concentrically (Shirley & Chiu 1997).
DEVICE Polar polarDisk(float2 u) {
  float x = 2.0f * u.x - 1.0f, y = 2.0f * u.y - 1.0f;
  if (x == 0.0f && y == 0.0f) return {0.0f, 0.0f};
  bool wide = absf(x) > absf(y);
  // An angle of π/4 · (the smaller over the larger), in turns; negative ones wrap around.
  float turn = wide ? 0.125f * exactDiv(y, x) : 0.25f - 0.125f * exactDiv(x, y);
  return {wide ? x : y, turn < 0.0f ? turn + 1.0f : turn};
}

DEVICE float2 onCircle(float turn) {
  float s, c;
  sinCosTurn(turn, &s, &c);
  return make_float2(c, s);
}

DEVICE float2 sampleDisk(float2 u) {
  Polar p = polarDisk(u);
  return onCircle(p.turn) * p.r;
}

// samplePolygon maps the square to a regular polygon in the unit disk, one corner up: of each sector of the disk it makes a
// triangle. The turn goes evenly along its edge, so that equal areas stay equal.
DEVICE float2 samplePolygon(float2 u, uint32_t corners) {
  Polar p = polarDisk(u);
  if (p.r < 0.0f) p = {-p.r, p.turn < 0.5f ? p.turn + 0.5f : p.turn - 0.5f};
  float n = (float)corners, along = minf(p.turn * n, n - 0.5f), corner = floorf(along);
  auto at = [&](float i) { return onCircle(exactDiv(i, n)); };
  float2 from = at(corner), to = at(corner + 1.0f < n ? corner + 1.0f : 0.0f);
  float2 edge = from + (to - from) * (p.turn * n - corner);
  return make_float2(edge.y, edge.x) * p.r;
}

// cameraRay goes through image point (px, py) in pixels from the top left and lens point u.
DEVICE void cameraRay(float px, float py, float2 u, float3* origin, float3* direction) {
  const Camera& c = frame.camera;
  float x = exactDiv(2.0f * px, (float)frame.film.width) - 1.0f,
        y = 1.0f - exactDiv(2.0f * py, (float)frame.film.height);
  if (c.orthoHalfHeight > 0.0f) {
    *origin = c.eye + c.right * (x * c.aspect * c.orthoHalfHeight) + c.up * (y * c.orthoHalfHeight);
    *direction = c.forward;
    return;
  }
  float3 d = c.forward + c.right * (x * c.aspect * c.tanHalfFovY) + c.up * (y * c.tanHalfFovY);
  *origin = c.eye;
  if (c.apertureRadius > 0.0f) {
    float2 lens = c.blades ? samplePolygon(u, c.blades) : sampleDisk(u);
    float3 shift = c.right * (lens.x * c.apertureRadius) + c.up * (lens.y * c.apertureRadius);
    *origin = c.eye + shift;
    d = d * c.focusDistance - shift;
  }
  *direction = normalize(d);
}

// distanceFrom is how far a ray of the camera goes to a point [m].
DEVICE float distanceFrom(const Camera& c, float3 at) {
  return c.orthoHalfHeight > 0.0f ? dot(at - c.eye, c.forward) : length(at - c.eye);
}

// seenWidth is the width of half a pixel at so many metres along a camera ray [m]: what mipmaps average of a surface that a pixel
// sees. Half of it, because samples average over the pixel themselves: a resting view stays about as sharp as without mipmaps.
DEVICE float seenWidth(float distance) {
  const Camera& c = frame.camera;
  return (c.orthoHalfHeight > 0.0f ? c.orthoHalfHeight : distance * c.tanHalfFovY) / (float)frame.film.height;
}

// project is where a camera sees a point, in pixels from the top left; false behind it.
DEVICE bool project(const Camera& c, float3 at, float* px, float* py) {
  float3 v = at - c.eye;
  float x = dot(v, c.right), y = dot(v, c.up), z = dot(v, c.forward);
  if (z <= 0.0f) return false;
  float half = c.orthoHalfHeight > 0.0f ? c.orthoHalfHeight : z * c.tanHalfFovY;
  *px = (exactDiv(x, half * c.aspect) * 0.5f + 0.5f) * (float)frame.film.width;
  *py = (0.5f - exactDiv(y, half) * 0.5f) * (float)frame.film.height;
  return true;
}
