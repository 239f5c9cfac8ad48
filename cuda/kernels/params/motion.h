// The structs of what moves: where things were, and what the vertices of meshes that deform are made of.
#pragma once

// Where an instance was in the frame before.
struct alignas(16) Movement {
  float4 toWorld[3];      // rows: from the mesh's space
  uint64_t positions;     // float4 per vertex of the mesh, in its space [m]; 0: where they are now
  uint32_t firstVertex;   // of the mesh, index into vertices
  uint32_t pad;           //
};

enum DeformFlag : uint32_t {
  DEFORM_FLAT = 1,     // three vertices for each face, which have its normal
  DEFORM_HIDDEN = 2,   // it is not drawn in this pose, nor does it glow
  DEFORM_TURNED = 4,   // it is mirrored in this pose and was not at rest, or the other way round
};

// A mesh that deforms: its tree, and what a pose makes its vertices of. Those of all such meshes are numbered through.
struct alignas(16) DeformedMesh {
  uint64_t nodes;            // BvhNode
  uint64_t wideNodes;        // WideNode
  uint64_t spreadNodes;      // SpreadNode; on the CPU only
  uint64_t triangles;        // Triangle, in leaf order
  uint64_t rest;             // Vertex: as the file has it, without morphs, in the space of its mesh
  uint64_t influences;       // Influence: so many for each vertex
  uint64_t deltas;           // MorphDelta per vertex, target by target
  uint32_t influenceCount;   // for each vertex; 0: all move by one matrix, the first
  uint32_t targetCount;      // of morphs
  uint32_t first;            // of its vertices among all that are posed
  uint32_t firstVertex;      // index into vertices
  uint32_t vertexCount;      //
  uint32_t firstTriangle;    // of its triangles among all that are posed
  uint32_t triangleCount;    // in leaf order
  uint32_t firstWide;        // of its wide nodes among all that are posed
  uint32_t firstMatrix;      // index into matrices
  uint32_t firstWeight;      // index into weights
  uint32_t flags;            // enum DeformFlag
  uint32_t pad0;             //
  uint32_t pad1;             //
  uint32_t pad2;             //
};

// What a joint has in a vertex.
struct Influence {
  uint32_t joint;   // of its skin
  float weight;     // those of a vertex add up to one
};

// What a vertex moves by at weight 1 of a morph target.
struct alignas(16) MorphDelta {
  float3 position;   // [m]
  uint32_t pad0;     //
  float3 normal;     //
  uint32_t pad1;     //
  float3 tangent;    //
  uint32_t pad2;     //
};

// A node of a mesh's tree, to be refitted once its children are.
struct RefitNode {
  uint32_t mesh;   // index into meshes
  uint32_t node;   // of its tree
};

// A box of a tree that is being refitted.
struct alignas(16) RefitBox {
  float3 lo;       // [m]
  uint32_t pad0;   //
  float3 hi;       // [m]
  uint32_t pad1;   //
};

// A level of the trees: nodes as far from their root, of all meshes together.
struct RefitLevel {
  uint32_t first;   // index into nodes or wideNodes
  uint32_t count;   //
};

// Posing: everything that the kernels of motion/deform.cuh and motion/refit.cuh read.
struct alignas(16) Posing {
  uint64_t meshes;          // DeformedMesh, by rising numbers
  uint64_t matrices;        // float4 × 3 per joint of each skin, and per mesh without: rows, into the world
  uint64_t weights;         // float per morph target of each mesh
  uint64_t previous;        // float4 per vertex that is posed: where it was [m]
  uint64_t vertices;        // Vertex, of the scene: written
  uint64_t lights;          // Light, of the scene: written
  uint64_t restLights;      // Light, as they were prepared
  uint64_t nodes;           // RefitNode of binary trees
  uint64_t levels;          // RefitLevel of them
  uint64_t wideNodes;       // RefitNode of wide trees
  uint64_t wideLevels;      // RefitLevel of them
  uint64_t wideBoxes;       // RefitBox per wide node
  uint64_t boxes;           // RefitBox per mesh: of the whole
  uint64_t pad0;            //
  uint32_t meshCount;       //
  uint32_t vertexCount;     // of all that are posed
  uint32_t triangleCount;   //
  uint32_t pad1;            //
};
