// Two levels: a tree over instances and what is baked, and in each the tree of its mesh. A ray is not made unit when it
// crosses into a mesh's space, so that distances stay comparable.
#pragma once

#include "traverse_binary.cuh"

// Crossing is a ray in the space of what it enters.
struct Crossing {
  const Instance* in;   // nullptr: what is baked
  float3 origin, direction;
  Leaves leaves;
};

// crossInto takes a ray of the world into what a place in the leaves of the upper tree names.
DEVICE Crossing crossInto(uint32_t place, float3 origin, float3 direction) {
  uint32_t which = pointer<const uint32_t>(frame.upperOrder)[place];
  if (which == BAKED) return {nullptr, origin, direction, bakedLeaves()};
  const Instance& in = instanceAt(which);
  float3 inside = transformVector(in.toMesh, direction);
  return {&in, transformPoint(in.toMesh, origin), inside, instanceLeaves(in, inside)};
}

// walkUpper has `walk` go through all that the ray may meet before best->t, until that is true.
template <typename Walk>
DEVICE void walkUpper(float3 origin, float3 direction, const Closest* best, const Walk& walk) {
  const BvhNode* nodes = pointer<const BvhNode>(frame.upperNodes);
  SlabRay ray = slabRay(origin, direction, best->t);
  uint32_t stack[STACK_SIZE];
  uint32_t* top = stack;
  uint32_t reference = 0;
  for (;;) {
    if (reference & LEAF_BIT) {
      uint32_t first = reference & FIRST_MASK, last = first + leafRest(reference);
      for (uint32_t i = first; i <= last; i++) {
        if (walk(crossInto(i, origin, direction))) return;
      }
      limit(ray, best->t);
    } else if (descend(ray, loadNode(nodes + reference), &reference, &top)) {
      continue;
    }
    if (top == stack) return;
    reference = *--top;
  }
}
