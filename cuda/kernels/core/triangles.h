// Four triangles against a ray at once, for builds with AVX2. Included by device.h.
#pragma once

#ifdef EIGHT_BOXES
// Vectors are four points or directions.
struct Vectors {
  __m128 x, y, z;
};

DEVICE Vectors all4(float3 v) { return {_mm_set1_ps(v.x), _mm_set1_ps(v.y), _mm_set1_ps(v.z)}; }
DEVICE Vectors operator-(const Vectors& a, const Vectors& b) {
  return {_mm_sub_ps(a.x, b.x), _mm_sub_ps(a.y, b.y), _mm_sub_ps(a.z, b.z)};
}
DEVICE __m128 dot(const Vectors& a, const Vectors& b) {
  return _mm_fmadd_ps(a.x, b.x, _mm_fmadd_ps(a.y, b.y, _mm_mul_ps(a.z, b.z)));
}
DEVICE __m128 crossed(__m128 a, __m128 b, __m128 c, __m128 d) { return _mm_sub_ps(_mm_mul_ps(a, b), _mm_mul_ps(c, d)); }
DEVICE Vectors cross(const Vectors& a, const Vectors& b) {
  return {crossed(a.y, b.z, a.z, b.y), crossed(a.z, b.x, a.x, b.z), crossed(a.x, b.y, a.y, b.x)};
}
DEVICE __m128 abs4(__m128 x) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), x); }
DEVICE __m128 absSum(const Vectors& a) { return _mm_add_ps(_mm_add_ps(abs4(a.x), abs4(a.y)), abs4(a.z)); }

// rows4 is one row of four triangles; each row's last word is dropped.
DEVICE Vectors rows4(const float* const at[4], uint32_t offset) {
  __m128 a = _mm_loadu_ps(at[0] + offset), b = _mm_loadu_ps(at[1] + offset);
  __m128 c = _mm_loadu_ps(at[2] + offset), d = _mm_loadu_ps(at[3] + offset);
  __m128 xy0 = _mm_unpacklo_ps(a, b), xy1 = _mm_unpacklo_ps(c, d);
  __m128 z0 = _mm_unpackhi_ps(a, b), z1 = _mm_unpackhi_ps(c, d);
  return {_mm_movelh_ps(xy0, xy1), _mm_movehl_ps(xy1, xy0), _mm_movelh_ps(z0, z1)};
}

// Intersection4 is where a ray meets the planes of four triangles.
struct alignas(16) Intersection4 {
  float t[4], u[4], v[4];
};

// triangles4 does what intersect() does, by the same operations, for up to four triangles. It marks those that are hit
// no farther than tMax.
DEVICE uint32_t triangles4(const Triangle* first, uint32_t count, float3 origin, float3 direction, float tMax,
                           float tolerance, float limit, Intersection4* m) {
  const float* at[4];
  for (uint32_t i = 0; i < 4; i++) at[i] = &first[i < count ? i : count - 1].v0.x;
  Vectors v0 = rows4(at, 0), e1 = rows4(at, 4), e2 = rows4(at, 8), d = all4(direction);
  Vectors p = cross(d, e2), s = all4(origin) - v0, q = cross(s, e1);
  __m128 one = _mm_set1_ps(1.0f), inverse = _mm_div_ps(one, dot(e1, p));
  __m128 u = _mm_mul_ps(dot(s, p), inverse), v = _mm_mul_ps(dot(d, q), inverse);
  __m128 t = _mm_mul_ps(dot(e2, q), inverse);
  __m128 rounding = _mm_mul_ps(
      _mm_mul_ps(_mm_mul_ps(_mm_set1_ps(tolerance), absSum(s)), _mm_max_ps(absSum(e1), absSum(e2))), abs4(inverse));
  __m128 edge = _mm_min_ps(rounding, _mm_set1_ps(limit)), below = _mm_sub_ps(_mm_setzero_ps(), edge);
  __m128 inside = _mm_and_ps(_mm_cmpge_ps(u, below), _mm_cmpge_ps(v, below));
  inside = _mm_and_ps(inside, _mm_cmple_ps(_mm_add_ps(u, v), _mm_add_ps(one, edge)));
  inside = _mm_and_ps(inside, _mm_and_ps(_mm_cmpgt_ps(t, _mm_setzero_ps()), _mm_cmple_ps(t, _mm_set1_ps(tMax))));
  _mm_store_ps(m->t, t);
  _mm_store_ps(m->u, u);
  _mm_store_ps(m->v, v);
  return (uint32_t)_mm_movemask_ps(inside) & ((1u << count) - 1u);
}
#endif
