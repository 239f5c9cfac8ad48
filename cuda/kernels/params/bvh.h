// The structs of acceleration structures, of rays and hits, and of building a BVH on a device.
#pragma once

// Special values of references.
enum Reference : uint32_t {
  LEAF_BIT = 0x80000000,          // BvhNode.child: names triangles
  EMPTY_CHILD = 0xffffffff,       // BvhNode.child: nothing there
  ALPHA_BIT = 0x80000000,         // Triangle.material: alpha must be tested
  TURNED_BIT = 0x40000000,        // Triangle.material: its front is on the side of e2 × e1
  TRIANGLE_MARKS = 0xc0000000,    // Triangle.material: all of these
  NO_LIGHT = 0xffffffff,          // Triangle.light, Environment.light
  NO_HIT = 0xffffffff,            // Hit.triangle
  FIRST_INSTANCED = 0x08000000,   // Hit.triangle: ids from here on are of instances
  STATIC_GEOMETRY = 0xffffffff,   // Frame.scene.tlasOrder: the BVH of all geometry that is not instanced
};

// Inner node of the binary tree: the boxes of both children, per axis (lo0, lo1, hi0, hi1).
// child: LEAF_BIT set names triangles (bits 0…26 first, 27…30 count − 1); EMPTY_CHILD is none; else a node.
struct BvhNode {
  float4 x;            // [m]
  float4 y;            // [m]
  float4 z;            // [m]
  uint32_t child[2];   // references
  uint32_t pad[2];     //
};

// Inner node of the 8-wide tree, made from the binary one (Ylitie, Karras and Laine 2017, Efficient Incoherent Ray
// Traversal on GPUs Through Compressed Wide BVHs). The bounds of slot i are byte i of each row, in steps of a grid:
// lower = origin + step · lo, upper = origin + step · hi. Slots are ordered by octant: slot bits x, y, z (1, 2, 4) set mean
// that the child lies on the upper side of that axis, as far as there was room.
// A slot holds a node, namely childBase + the count of nodes in the slots below; or one to three triangles, a bit each from
// 3i on in `leaves`, whose places after triangleBase are in the order of these bits; or nothing.
struct alignas(16) WideNode {
  float3 origin;   // of the grid [m]
  uint32_t grid;   // bits 0…23: step along x, y, z, as biased exponents of two [m]; 24…31: which slots hold nodes
  uint32_t childBase;      // index into wideNodes
  uint32_t triangleBase;   // index into triangles
  uint32_t leaves;         // see above
  uint32_t pad;            //
  uint32_t loX[2];         // [steps]
  uint32_t hiX[2];         // [steps]
  uint32_t loY[2];         // [steps]
  uint32_t hiY[2];         // [steps]
  uint32_t loZ[2];         // [steps]
  uint32_t hiZ[2];         // [steps]
};

// A wide node unpacked for processors that test eight boxes at once; slot i is element i of each row.
struct SpreadNode {
  float loX[8];        // [m]
  float hiX[8];        // [m]
  float loY[8];        // [m]
  float hiY[8];        // [m]
  float loZ[8];        // [m]
  float hiZ[8];        // [m]
  uint32_t child[8];   // references as in BvhNode, but to nodes of this kind
};

// A triangle in leaf order, ready for Möller-Trumbore.
struct alignas(16) Triangle {
  float3 v0;           // first corner [m]
  uint32_t face;       // index into faces
  float3 e1;           // v1 − v0 [m]
  uint32_t material;   // index into materials; ALPHA_BIT, TURNED_BIT
  float3 e2;           // v2 − v0 [m]
  uint32_t light;      // index into lights when it emits, else NO_LIGHT
};

// An instance: a mesh with a transform. Rays are transformed into the mesh's space (scene/instance.cuh).
struct alignas(16) Instance {
  float4 toMesh[3];       // rows: from the world
  float4 toWorld[3];      // rows: from the mesh's space
  uint64_t nodes;         // BvhNode, of the mesh
  uint64_t wideNodes;     // WideNode, of the mesh
  uint64_t spreadNodes;   // SpreadNode, of the mesh; on the CPU only
  uint64_t triangles;     // Triangle, of the mesh in leaf order
  uint32_t first;         // id of its first triangle
  uint32_t turned;        // TURNED_BIT where it mirrors the mesh and did not at rest, or the other way round; else 0
  uint32_t pad[2];        //
};

// One ray of the ray kernels' own benchmark and tests.
struct alignas(16) Ray {
  float3 origin;      // [m]
  float tMax;         // [m]
  float3 direction;   // unit
  uint32_t pad;       //
};

// What a closest-hit ray found.
struct alignas(16) Hit {
  float t;             // [m]; infinite on a miss
  float u;             // barycentric weight of v1
  float v;             // barycentric weight of v2
  uint32_t triangle;   // id: place in leaf order, or of an instance; NO_HIT on a miss
};

// Limits of building a BVH on a device (bvh/build_sort.cuh).
enum BuildLimit : uint32_t {
  BUILD_DIGITS = 16,     // values of a digit of a key
  BUILD_TURNS = 12,      // digits of a key
  BUILD_SORTED = 2048,   // keys that a block sorts
  BUILD_REACH = 8,       // clusters on either side among which the nearest is searched
  BUILD_ROUNDS = 64,     // of merging at most; no path from the root to a leaf has more nodes
  BUILD_LEVELS = 24,     // of the wide tree at most
};

// Counters in TreeBuild.state.
enum BuildState : uint32_t {
  STATE_CLUSTERS = 0,      // + round: clusters left
  STATE_MERGED = 72,       // + round: merges before it
  STATE_TASKS = 144,       // + level: wide nodes to be made
  STATE_WIDE = 176,        // wide nodes so far
  STATE_TRIANGLES = 177,   // triangles placed so far
  STATE_COUNT = 180,
};

// A node of the binary tree while it is being built. Inner nodes 0…faces − 2, the root first, then a leaf for each face.
struct BuildNode {
  float3 lo;        // of its box [m]
  uint32_t left;    // a node; of a leaf its face
  float3 hi;        // of its box [m]
  uint32_t right;   // a node
};

// The optimal representation of an inner node by slots of a wide node (collapse.go explains).
struct BuildForest {
  float cost[7];   // by at most 1, 2, … 7 slots
  uint32_t left;   // 4 bits by slots less one: how many the left child takes; the lowest: enum in bvh/build_merge.cuh
};

// What building a BVH on a device needs, besides what it makes: nodes, wideNodes, triangles and faces of the frame.
struct TreeBuild {
  float3 lo;           // of the scene's box [m]
  uint32_t faces;      // at least two
  float3 scale;        // cells of the keys' grid [1/m]
  uint32_t wideRoom;   // wide nodes that there is room for
  uint64_t source;     // Triangle, in the order of faces
  uint64_t keys;       // uint64_t per face, double-buffered; then uint2 per wide node of a level, double-buffered
  uint64_t values;     // uint32_t per face, double-buffered; then faces in leaf order
  uint64_t counts;     // uint32_t per block and digit, or per block: twice
  uint64_t nodes;      // BuildNode
  uint64_t forests;    // BuildForest per inner node
  uint64_t clusters;   // uint32_t per face, double-buffered: nodes
  uint64_t links;      // uint32_t per cluster: what becomes of it; then per leaf: its place in leaf order
  uint64_t state;      // uint32_t × STATE_COUNT
};

// Rays for the ray kernels and for picking.
struct RayParams {
  uint64_t rays;    // Ray
  uint64_t hits;    // Hit
  uint32_t count;   //
  uint32_t pad0;    //
  uint32_t pad1;    //
  uint32_t pad2;    //
};

// A BVH that is being built, and those that follow what moves.
struct BuildParams {
  uint64_t tree;    // TreeBuild
  uint64_t posed;   // Posing
};
