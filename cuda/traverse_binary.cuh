// One ray through the binary tree.
#pragma once

#include "traverse_triangle.cuh"

// A path from the root visits at most so many nodes (MaxDepth of the builder), and leaves one sibling at each.
DEVICE_TABLE uint32_t STACK_SIZE = 64;

// descend turns the reference into that of the child that the ray enters first, and pushes the other when the ray
// enters both; false when it enters neither.
DEVICE bool descend(const SlabRay& ray, const BvhNode& node, uint32_t* reference, uint32_t** top) {
  bool secondFirst;
  uint32_t met = boxes2(ray, node, &secondFirst);
  if (met == 0) return false;
  if (met == 3) {
    if (secondFirst) {
      KEEP_BRANCH();
      *(*top)++ = node.child[0];
      *reference = node.child[1];
    } else {
      KEEP_BRANCH();
      *(*top)++ = node.child[1];
      *reference = node.child[0];
    }
  } else if (met == 1) {
    KEEP_BRANCH();
    *reference = node.child[0];
  } else {
    KEEP_BRANCH();
    *reference = node.child[1];
  }
  return true;
}

// walkBinary walks a tree, the nearer child first, and keeps the best hit; true when it was the first of any.
template <bool anyHit, typename AlphaSeed>
DEVICE bool walkBinary(const BvhNode* nodes, const Leaves& leaves, float3 origin, float3 direction,
                       const AlphaSeed& alphaSeed, Closest* best) {
  SlabRay ray = slabRay(origin, direction, best->t);
  uint32_t stack[STACK_SIZE];
  uint32_t* top = stack;
  uint32_t reference = 0;
  for (;;) {
    if (reference & LEAF_BIT) {
      if (hitLeaf<anyHit>(leaves, reference, origin, direction, alphaSeed, best)) return true;
      limit(ray, best->t);
    } else if (descend(ray, loadNode(nodes + reference), &reference, &top)) {
      continue;
    }
    if (top == stack) return false;
    reference = *--top;
  }
}
