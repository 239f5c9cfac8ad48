// Refitting: the trees of meshes that deform keep their shape, and their boxes follow the triangles, level by level from the
// deepest. Nodes of all meshes at one depth are one launch.
#pragma once

#include "bvh/build_wide.cuh"
#include "motion/deform.cuh"

// refitTask is task i of a level, counted from the deepest.
DEVICE bool refitTask(uint64_t levels, uint64_t nodes, uint32_t level, uint32_t i, RefitNode* out) {
  const RefitLevel l = pointer<const RefitLevel>(levels)[level];
  if (i >= l.count) return false;
  *out = pointer<const RefitNode>(nodes)[l.first + i];
  return true;
}

DEVICE BuildBox emptyBuildBox() { return {vec3(INFINITE), vec3(-INFINITE)}; }

// boxAround is that of triangles first … first + count − 1 of a mesh.
DEVICE BuildBox boxAround(const DeformedMesh& m, uint32_t first, uint32_t count) {
  BuildBox all = emptyBuildBox();
  for (uint32_t i = first; i < first + count; i++)
    all = unite(all, triangleBox(load(pointer<const Triangle>(m.triangles) + i)));
  return all;
}

// --- The binary tree ----------------------------------------------------------------------------------------------------

DEVICE BuildBox childBox(const BvhNode& n, uint32_t child) {
  return child == 0 ? BuildBox{make_float3(n.x.x, n.y.x, n.z.x), make_float3(n.x.z, n.y.z, n.z.z)}
                    : BuildBox{make_float3(n.x.y, n.y.y, n.z.y), make_float3(n.x.w, n.y.w, n.z.w)};
}

DEVICE BuildBox refittedChild(const DeformedMesh& m, uint32_t child) {
  if (child == EMPTY_CHILD) return emptyBuildBox();
  if (child & LEAF_BIT) return boxAround(m, child & 0x07ffffffu, (child >> 27 & 15u) + 1);
  const BvhNode n = load(pointer<const BvhNode>(m.nodes) + child);
  BuildBox all = childBox(n, 0);
  return n.child[1] == EMPTY_CHILD ? all : unite(all, childBox(n, 1));
}

KERNEL(refit_nodes, 128, 1, tool) {
  RefitNode task;
  if (!refitTask(posing().levels, posing().nodes, pass, index, &task)) return;
  const DeformedMesh& m = posedMesh(task.mesh);
  BvhNode* n = pointer<BvhNode>(m.nodes) + task.node;
  BuildBox a = refittedChild(m, n->child[0]), b = refittedChild(m, n->child[1]);
  n->x = make_float4(a.lo.x, b.lo.x, a.hi.x, b.hi.x);
  n->y = make_float4(a.lo.y, b.lo.y, a.hi.y, b.hi.y);
  n->z = make_float4(a.lo.z, b.lo.z, a.hi.z, b.hi.z);
}

// --- The wide tree ------------------------------------------------------------------------------------------------------

DEVICE float nextAbove(float x) { return -nextBelow(-x); }

// spreadAxis unpacks the boxes along an axis.
DEVICE void spreadAxis(float origin, uint32_t exponent, const uint32_t* rowLo, const uint32_t* rowHi, float* lo,
                       float* hi) {
  float step = bitsFloat(exponent << 23);
  for (uint32_t slot = 0; slot < 8; slot++) {
    lo[slot] = nextBelow(origin + step * (float)byteOf(rowLo[slot >> 2], slot & 3u));
    hi[slot] = nextAbove(origin + step * (float)byteOf(rowHi[slot >> 2], slot & 3u));
  }
}

DEVICE void spreadBoxes(const WideNode& n, SpreadNode* s) {
  spreadAxis(n.origin.x, n.grid & 255u, n.loX, n.hiX, s->loX, s->hiX);
  spreadAxis(n.origin.y, n.grid >> 8 & 255u, n.loY, n.hiY, s->loY, s->hiY);
  spreadAxis(n.origin.z, n.grid >> 16 & 255u, n.loZ, n.hiZ, s->loZ, s->hiZ);
}

KERNEL(refit_wide, 128, 1, tool) {
  RefitNode task;
  if (!refitTask(posing().wideLevels, posing().wideNodes, pass, index, &task)) return;
  const DeformedMesh& m = posedMesh(task.mesh);
  WideNode* to = pointer<WideNode>(m.wideNodes) + task.node;
  const WideNode was = load(to);
  RefitBox* known = pointer<RefitBox>(posing().wideBoxes) + m.firstWide;
  BuildBox boxes[8], all = emptyBuildBox();
  uint32_t order[8], inner = was.grid >> 24, child = was.childBase, first = was.triangleBase;
  for (uint32_t slot = 0; slot < 8; slot++) {
    uint32_t triangles = bitCount(was.leaves >> 3 * slot & 7u);
    bool holdsNode = (inner >> slot & 1u) != 0, empty = !holdsNode && triangles == 0;
    order[slot] = empty ? 8u : slot;
    boxes[slot] = emptyBuildBox();
    if (empty) continue;
    if (holdsNode) {
      boxes[slot] = {known[child].lo, known[child].hi};
      child++;
    } else {
      boxes[slot] = boxAround(m, first, triangles);
      first += triangles;
    }
    all = unite(all, boxes[slot]);
  }
  WideNode now = encodeBoxes(all, boxes, order);
  now.grid |= inner << 24;
  now.childBase = was.childBase;
  now.triangleBase = was.triangleBase;
  now.leaves = was.leaves;
  *to = now;
  if (m.spreadNodes) spreadBoxes(now, pointer<SpreadNode>(m.spreadNodes) + task.node);
  known[task.node] = {all.lo, 0u, all.hi, 0u};
  if (task.node == 0) pointer<RefitBox>(posing().boxes)[task.mesh] = known[0];
}
