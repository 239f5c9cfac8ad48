// Building a BVH, third step: the merged nodes become the 8-wide tree, level by level from the root, and the binary
// one; triangles are reordered into the order of their leaves.
#pragma once

#include "bvh/build_merge.cuh"

// Slot is the content of a slot of a wide node.
struct Slot {
  uint32_t node, triangles;   // 0: not a leaf
};

// gatherSlots finds the slots that represent a node in a wide node; returns how many.
DEVICE uint32_t gatherSlots(uint32_t node, Slot* out) {
  uint2 open[8];   // node, slots
  uint32_t n = 0, top = 0;
  open[top++] = {node, 8u};
  while (top > 0) {
    uint2 at = open[--top];
    if (isLeafNode(at.x)) {
      out[n++] = {at.x, 1u};
      continue;
    }
    uint32_t left = pointer<const BuildForest>(build().forests)[at.x].left, slots = at.y;
    if (slots < 8) {
      while (slots > 1 && leftSlots(left, slots) == 0) slots--;
      if (slots == 1) {
        out[n++] = {at.x, left & FOREST_TRIANGLES};
        continue;
      }
    }
    uint32_t first = leftSlots(left, slots);
    const BuildNode& parent = *buildNode(at.x);
    open[top++] = {parent.right, slots - first};
    open[top++] = {parent.left, first};
  }
  return n;
}

// arrangeSlots gives each child the slot that lies best on its side of the parent, as arrange does on the host (wide.go).
// order[slot] is a child, or 8 for none.
DEVICE void arrangeSlots(const BuildBox* boxes, uint32_t n, float3 center2, uint32_t* order) {
  uint32_t placed = 0, used = 0;
  for (uint32_t slot = 0; slot < 8; slot++) order[slot] = 8;
  for (uint32_t round = 0; round < n; round++) {
    uint32_t bestChild = 8, bestSlot = 0;
    float best = 0.0f;
    for (uint32_t i = 0; i < n; i++) {
      if (placed >> i & 1u) continue;
      float3 off = boxes[i].lo + boxes[i].hi - center2;
      for (uint32_t slot = 0; slot < 8; slot++) {
        if (used >> slot & 1u) continue;
        float score = (slot & 1u ? off.x : -off.x) + (slot & 2u ? off.y : -off.y) + (slot & 4u ? off.z : -off.z);
        if (bestChild < 8 && !(score > best)) continue;
        bestChild = i;
        bestSlot = slot;
        best = score;
      }
    }
    placed |= 1u << bestChild;
    used |= 1u << bestSlot;
    order[bestSlot] = bestChild;
  }
}

// --- The grid of a wide node -----------------------------------------------------------------------------------------

// GRID_PAD widens quantised boxes, in steps (gridPad of wide.go).
DEVICE_TABLE float GRID_PAD = 0.0078125f;

DEVICE float nextBelow(float x) {
  uint32_t u = floatBits(x);
  return bitsFloat(x > 0.0f ? u - 1 : x < 0.0f ? u + 1 : 0x80000001u);
}

struct GridAxis {
  float origin, inverse;   // [m], [1/m]
  uint32_t exponent;       // biased, of the step
};

// fitGrid is the finest grid of 255 steps that holds [lo, hi] with its padding.
DEVICE GridAxis fitGrid(float lo, float hi) {
  uint32_t exponent = minu((floatBits((hi - lo) * (1.0f / 255.0f)) >> 23) + 1, 253u);
  for (;; exponent++) {
    float step = bitsFloat(exponent << 23), inverse = bitsFloat((254u - exponent) << 23);
    float origin = nextBelow(lo - 2.0f * GRID_PAD * step);
    if (exponent >= 253 || (hi - origin) * inverse + GRID_PAD <= 255.0f) return {origin, inverse, exponent};
  }
}

DEVICE uint32_t lowerStep(const GridAxis& g, float x) {
  return (uint32_t)maxf(floorf((x - g.origin) * g.inverse - GRID_PAD), 0.0f);
}
DEVICE uint32_t upperStep(const GridAxis& g, float x) {
  return (uint32_t)minf(-floorf(-((x - g.origin) * g.inverse + GRID_PAD)), 255.0f);
}

DEVICE void setByte(uint32_t* row, uint32_t slot, uint32_t value) { row[slot >> 2] |= value << (8 * (slot & 3u)); }

// encodeAxis fills one axis of the boxes; an empty slot's is inverted.
DEVICE void encodeAxis(const GridAxis& g, const float* lo, const float* hi, const uint32_t* order, uint32_t* rowLo,
                       uint32_t* rowHi) {
  rowLo[0] = rowLo[1] = rowHi[0] = rowHi[1] = 0;
  for (uint32_t slot = 0; slot < 8; slot++) {
    uint32_t i = order[slot];
    setByte(rowLo, slot, i == 8 ? 255u : lowerStep(g, lo[6 * i]));
    if (i != 8) setByte(rowHi, slot, upperStep(g, hi[6 * i]));
  }
}

DEVICE WideNode encodeBoxes(const BuildBox& all, const BuildBox* boxes, const uint32_t* order) {
  GridAxis x = fitGrid(all.lo.x, all.hi.x), y = fitGrid(all.lo.y, all.hi.y), z = fitGrid(all.lo.z, all.hi.z);
  WideNode n;
  n.origin = make_float3(x.origin, y.origin, z.origin);
  n.grid = x.exponent | y.exponent << 8 | z.exponent << 16;
  n.leaves = n.pad = 0;
  static_assert(sizeof(BuildBox) == 6 * sizeof(float), "encodeAxis steps from box to box");
  encodeAxis(x, &boxes->lo.x, &boxes->hi.x, order, n.loX, n.hiX);
  encodeAxis(y, &boxes->lo.y, &boxes->hi.y, order, n.loY, n.hiY);
  encodeAxis(z, &boxes->lo.z, &boxes->hi.z, order, n.loZ, n.hiZ);
  return n;
}

// --- Nodes -----------------------------------------------------------------------------------------------------------

// placeLeaves writes the triangles of a leaf of the wide tree side by side, left ones first.
DEVICE void placeLeaves(uint32_t node, uint32_t place) {
  uint32_t open[MAX_LEAF], top = 0;
  open[top++] = node;
  while (top > 0) {
    uint32_t at = open[--top];
    const BuildNode& n = *buildNode(at);
    if (isLeafNode(at)) {
      pointer<uint32_t>(build().links)[at - (build().faces - 1)] = place;
      pointer<uint32_t>(build().values)[place++] = n.left;
      continue;
    }
    open[top++] = n.right;
    open[top++] = n.left;
  }
}

// A task of a level: which merged node becomes which wide node.
DEVICE uint2* wideTask(uint32_t level, uint32_t i) { return half<uint2>(build().keys, level) + i; }

DEVICE uint32_t wideTasks(uint32_t level) { return level == 0 ? 1u : *buildState(STATE_TASKS + level); }

// linkSlots fills in what the slots refer to, and leaves tasks for the next level.
DEVICE void linkSlots(WideNode& n, const Slot* slots, const uint32_t* order, uint32_t level) {
  uint32_t inner = 0, nodes = 0, triangles = 0;
  for (uint32_t s = 0; s < 8; s++) {
    if (order[s] == 8) continue;
    uint32_t count = slots[order[s]].triangles;
    triangles += count;
    if (count == 0) {
      inner |= 1u << s;
      nodes++;
    }
  }
  n.grid |= inner << 24;
  n.childBase = nodes > 0 ? 1 + fetchAdd(buildState(STATE_WIDE), nodes) : 0u;   // behind the root
  n.triangleBase = fetchAdd(buildState(STATE_TRIANGLES), triangles);
  uint32_t task = nodes > 0 ? fetchAdd(buildState(STATE_TASKS + level + 1), nodes) : 0u, child = 0, offset = 0;
  for (uint32_t s = 0; s < 8; s++) {
    if (order[s] == 8) continue;
    Slot slot = slots[order[s]];
    if (slot.triangles == 0) {
      *wideTask(level + 1, task + child) = {slot.node, n.childBase + child};
      child++;
      continue;
    }
    n.leaves |= ((1u << slot.triangles) - 1) << 3 * s;
    placeLeaves(slot.node, n.triangleBase + offset);
    offset += slot.triangles;
  }
}

// One level of the wide tree. The numbering of nodes differs from run to run.
QUEUE_KERNEL(widen_nodes, 128, 1, tool, wideTasks(pass)) {
  uint2 task = pass == 0 ? uint2{0u, 0u} : *wideTask(pass, index);
  if (task.y >= build().wideRoom) return;   // the host sees that there are too many
  Slot slots[8];
  BuildBox boxes[8];
  uint32_t n = gatherSlots(task.x, slots), order[8];
  BuildBox all = boxOf(*buildNode(task.x));
  for (uint32_t i = 0; i < n; i++) boxes[i] = boxOf(*buildNode(slots[i].node));
  arrangeSlots(boxes, n, all.lo + all.hi, order);
  WideNode wide = encodeBoxes(all, boxes, order);
  linkSlots(wide, slots, order, pass);
  pointer<WideNode>(frame.scene.wideNodes)[task.y] = wide;
}

// childReference refers to a merged node as the binary tree does.
DEVICE uint32_t childReference(uint32_t node) {
  uint32_t triangles = 1;
  if (!isLeafNode(node)) {
    uint32_t left = pointer<const BuildForest>(build().forests)[node].left;
    if (!(left & FOREST_BINARY_LEAF)) return node;
    triangles = left & FOREST_TRIANGLES;
    while (!isLeafNode(node)) node = buildNode(node)->left;
  }
  return LEAF_BIT | (triangles - 1) << 27 | pointer<const uint32_t>(build().links)[node - (build().faces - 1)];
}

// Every merged node has its binary node; those inside of leaves are never reached.
KERNEL(emit_nodes, 128, 1, tool) {
  if (index >= build().faces - 1) return;
  const BuildNode& n = *buildNode(index);
  BuildBox a = boxOf(*buildNode(n.left)), b = boxOf(*buildNode(n.right));
  BvhNode out;
  out.x = make_float4(a.lo.x, b.lo.x, a.hi.x, b.hi.x);
  out.y = make_float4(a.lo.y, b.lo.y, a.hi.y, b.hi.y);
  out.z = make_float4(a.lo.z, b.lo.z, a.hi.z, b.hi.z);
  out.child[0] = childReference(n.left);
  out.child[1] = childReference(n.right);
  out.pad[0] = out.pad[1] = 0;
  pointer<BvhNode>(frame.scene.nodes)[index] = out;
}

// Writes triangles to their positions and tells faces where they are.
KERNEL(place_triangles, 128, 1, tool) {
  if (index >= build().faces) return;
  uint32_t face = pointer<const uint32_t>(build().values)[index];
  const Triangle t = load(pointer<const Triangle>(build().source) + face);
  pointer<Triangle>(frame.scene.triangles)[index] = t;
  pointer<Face>(frame.scene.faces)[face].triangle = index;
}

// Writes the corners of triangles in leaf order, for the builder of the driver: it wants indices of vertices.
KERNEL(tree_indices, 128, 1, tool) {
  if (index >= build().faces) return;
  uint32_t face = pointer<const Triangle>(build().source)[index].face;
  const Face f = fetch<Face>(frame.scene.faces, face);
  uint32_t* corners = pointer<uint32_t>(build().values) + 3 * index;
  corners[0] = f.v0;
  corners[1] = f.v1;
  corners[2] = f.v2;
}
