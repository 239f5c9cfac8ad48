// Lights by place: a tree over those that stand somewhere is descended at random, by what each branch may send to a point
// (Conty Estevez and Kulla 2018, Importance Sampling of Many Lights with Adaptive Tree Splitting; bounds as in pbrt-v4 §12.6.3).
// Some draws come from a table by power, so that no light is out of reach and those without a place have their share.
#pragma once

#include "core/random.cuh"
#include "light/environment.cuh"

DEVICE bool byPlace() { return frame.scene.lightTree.share > 0.0f; }

// Importance is about what a cluster's lights do at a point, but for what is in the way.
struct Importance {
  float sent;       // what they send there [cd/m²]
  float received;   // the part that arrives in front of the surface, by the cosine
};

// Lights that fill a box send a point in its middle about what they would from √NEARNESS of half its diagonal.
DEVICE_TABLE float NEARNESS = 0.05f;

// importance is that of a cluster; where `normal` is zero, no direction is behind the surface. Cosines are of the smallest angles
// that directions to the sphere around the cluster have, by cos(a − b) ≤ cos a + sin b, which has the same zeros: roots and
// quotients are what descending a tree costs.
DEVICE Importance importance(const LightCluster& c, float3 from, float3 normal) {
  float3 d = from - c.center;
  float inverse = 1.0f / sqrtf(maxf(dot(d, d) + NEARNESS * sqr(c.radius), 1e-30f));
  float sinSphere = c.radius * inverse, cosAxis = dot(c.axis, d) * inverse;
  if (c.twoSided != 0) cosAxis = absf(cosAxis);
  float cosine = cosAxis + sinSphere + c.spread;
  if (!(cosine > c.cosEmission)) return {0.0f, 0.0f};
  float sent = c.intensity * sqr(inverse) * minf(cosine, 1.0f);
  return {sent, isBlack(normal) ? sent : sent * saturate(sinSphere - dot(normal, d) * inverse)};
}

// DrawnLight is a light, and the probability of its choice. MIS weights use `withoutNormal`: a path that hits a light by chance no
// longer knows the surface that it left. Both techniques must use the same one.
struct DrawnLight {
  uint32_t light;        // index, or NO_LIGHT: none can contribute
  float selection;       // 0…1
  float withoutNormal;   // the same for a point whose surface is not known
};

// shareOf is the part that one of two importances has of both; 0 where both have none.
DEVICE float shareOf(float one, float other) {
  float sum = one + other;
  if (!(sum > 0.0f)) return 0.0f;
  return finite(sum) ? one / sum : 0.5f;
}

// descend goes on to one of two clusters. False where that cannot be.
DEVICE bool descend(DrawnLight* drawn, const Importance& chosen, const Importance& other) {
  float p = shareOf(chosen.received, other.received);
  drawn->selection *= p;
  drawn->withoutNormal *= shareOf(chosen.sent, other.sent);
  return p > 0.0f;
}

// descendTree draws a light from the tree by u, 0 ≤ u < 1; `bits` replace the digits that each choice takes of it.
DEVICE DrawnLight descendTree(float3 from, float3 normal, float u, uint32_t bits) {
  DrawnLight drawn = {NO_LIGHT, 1.0f, 1.0f};
  float grain = 1.0f / 16777216.0f;   // how coarse u is
  for (uint32_t node = 0;;) {
    LightCluster pair[2] = {fetch<LightCluster>(frame.scene.lightTree.clusters, node),
                            fetch<LightCluster>(frame.scene.lightTree.clusters, node + 1)};
    Importance a = importance(pair[0], from, normal), b = importance(pair[1], from, normal);
    float first = shareOf(a.received, b.received);
    bool second = u >= first;
    if (!descend(&drawn, second ? b : a, second ? a : b)) return {NO_LIGHT, 0.0f, 0.0f};
    float scale = 1.0f / (second ? 1.0f - first : first);
    grain = minf(grain * scale, 1.0f);
    bits = hash(bits);
    u = minf((second ? u - first : u) * scale + unit(bits) * grain, 0.99999994f);
    uint32_t child = second ? pair[1].child : pair[0].child;
    if (child & LIGHT_LEAF) {
      drawn.light = child & ~LIGHT_LEAF;
      return drawn;
    }
    node = child;
  }
}

// chanceInTree is the probability with which descendTree draws a light.
DEVICE DrawnLight chanceInTree(uint32_t trail, float3 from, float3 normal) {
  DrawnLight drawn = {NO_LIGHT, 1.0f, 1.0f};
  for (uint32_t node = 0;; trail >>= 1) {
    LightCluster pair[2] = {fetch<LightCluster>(frame.scene.lightTree.clusters, node),
                            fetch<LightCluster>(frame.scene.lightTree.clusters, node + 1)};
    Importance a = importance(pair[0], from, normal), b = importance(pair[1], from, normal);
    bool second = (trail & 1u) != 0;
    descend(&drawn, second ? b : a, second ? a : b);
    uint32_t child = second ? pair[1].child : pair[0].child;
    if (child & LIGHT_LEAF) return drawn;
    node = child;
  }
}

// asDrawn is a light with the probabilities of both ways to draw it, of which the tree's are given.
DEVICE DrawnLight asDrawn(uint32_t light, const DrawnLight& inTree) {
  const LightTree& tree = frame.scene.lightTree;
  float table = pointer<const AliasEntry>(tree.alias)[light].pdf;
  return {light, table + tree.share * inTree.selection, table + tree.share * inTree.withoutNormal};
}

// chanceByPlace is the probability with which drawByPlace draws a light.
DEVICE DrawnLight chanceByPlace(uint32_t light, float3 from, float3 normal) {
  uint32_t trail = pointer<const AliasEntry>(frame.scene.lightTree.alias)[light].trail;
  if (trail == NO_TRAIL) return asDrawn(light, {light, 0.0f, 0.0f});
  return asDrawn(light, chanceInTree(trail, from, normal));
}

// drawByPlace draws a light for a point.
DEVICE DrawnLight drawByPlace(float3 from, float3 normal, uint2 u) {
  const LightTree& tree = frame.scene.lightTree;
  float turn = unit(u.y);
  if (turn < tree.share) {
    DrawnLight drawn = descendTree(from, normal, unit(u.x), u.x ^ u.y);
    return drawn.light == NO_LIGHT ? drawn : asDrawn(drawn.light, drawn);
  }
  u.y = (uint32_t)(exactDiv(turn - tree.share, 1.0f - tree.share) * 4294967040.0f);
  return chanceByPlace(chooseAlias(pointer<const AliasEntry>(tree.alias), frame.scene.lightCount, u), from, normal);
}
