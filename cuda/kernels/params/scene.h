// The structs of materials, their textures and the geometry that wears them, and what a scene may have.
#pragma once

// What some scenes need and others do not; see has() in device.h.
enum Feature : uint32_t {
  FEATURE_ALPHA = 1,                // some triangle must be tested for alpha
  FEATURE_MEDIA = 2,                // some volume scatters
  FEATURE_GLASS = 4,                // solid glass
  FEATURE_THIN = 8,                 // thin-walled glass
  FEATURE_PAINT = 16,               // car paint
  FEATURE_UNLIT = 32,               // unlit surfaces
  FEATURE_SKY = 64,                 // an environment that is an image
  FEATURE_EMITTERS = 128,           // emissive triangles that are sampled
  FEATURE_PUNCTUAL = 256,           // lights without area
  FEATURE_COLORS = 512,             // colours at vertices
  FEATURE_UV1 = 1024,               // a texture with the second set of coordinates
  FEATURE_SPECULAR = 2048,          // KHR_materials_specular
  FEATURE_INSTANCES = 4096,         // meshes that are stored once and drawn several times
  FEATURE_PANES = 8192,             // smooth thin glass
  FEATURE_VOLUMES = 16384,          // volumes that absorb or scatter
  FEATURE_CLEARCOAT = 32768,        // KHR_materials_clearcoat
  FEATURE_TEXTURES = 65536,         // << enum TextureUse: a texture for this use, of those that lobes share
  FEATURE_SHEEN = 8388608,          // KHR_materials_sheen
  FEATURE_ANISOTROPY = 16777216,    // KHR_materials_anisotropy
  FEATURE_IRIDESCENCE = 33554432,   // KHR_materials_iridescence
  FEATURE_TRANSLUCENT = 67108864,   // KHR_materials_diffuse_transmission
  FEATURE_DISPERSION = 134217728,   // KHR_materials_dispersion
  FEATURE_LIGHT_TREE = 268435456,   // enough lights to choose them by place
  FEATURE_NESTED = 536870912,       // volumes that stand in each other, or may
  FEATURE_MIPMAPS = 1073741824,     // textures with smaller levels
  FEATURE_DEEP = 2147483648,        // textures of 16 bits a channel
};

// What shading needs of a triangle.
struct alignas(16) Face {
  uint32_t v0;         // index into vertices
  uint32_t v1;         // index into vertices
  uint32_t v2;         // index into vertices
  uint32_t triangle;   // its position in leaf order
};

// One corner, world space.
struct alignas(16) Vertex {
  float3 position;    // [m]
  uint32_t colorRG;   // unorm16 pair, linear
  float3 normal;      // unit
  uint32_t colorBA;   // unorm16 pair, linear
  float4 tangent;     // unit xyz, w handedness
  float2 uv0;         //
  float2 uv1;         //
};

enum Wrap : uint32_t {
  WRAP_REPEAT = 0,
  WRAP_MIRROR = 1,
  WRAP_CLAMP = 2,
};

enum TextureFlag : uint32_t {
  TEXTURE_SRGB = 1,      // colour channels are decoded before filtering
  TEXTURE_NEAREST = 2,   // no bilinear filter
  TEXTURE_DEEP = 4,      // 16 bits a channel
};

struct alignas(16) Texture {
  uint64_t texels;   // RGBA8, or RGBA16 with TEXTURE_DEEP; row 0 at v = 0
  uint32_t width;    // [texels]
  uint32_t height;   // [texels]
  uint32_t wrapS;    // enum Wrap
  uint32_t wrapT;    // enum Wrap
  uint32_t flags;    // enum TextureFlag
  uint32_t mips;     // index into textures of its level of half the size, with the others behind it; 0 for none
};

// The lobes of a material: X(Name, feature, kind, reuse). A lobe is a row, and bsdf/lobes/name.cuh, as bsdf/bsdf.cuh says.
// feature: what scenes must have to need it (enum Feature; 0: all do).
// kind: what becomes of it on smooth materials, enum LobeKind; rows stand in the order of that.
// reuse: what ReSTIR may do with its light at the second vertex of a path, enum LobeReuse.
#define LOBES(X)                                            \
  X(Diffuse, 0, NON_SPECULAR, SHARED)                       \
  X(Paint, FEATURE_PAINT, NON_SPECULAR, OWN)                \
  X(Clearcoat, FEATURE_CLEARCOAT, NON_SPECULAR, COVER)      \
  X(Sheen, FEATURE_SHEEN, NON_SPECULAR, COVER)              \
  X(Translucent, FEATURE_TRANSLUCENT, NON_SPECULAR, SHARED) \
  X(Reflection, 0, SPECULAR_REFLECTION, COAT)               \
  X(Glass, FEATURE_GLASS, SPECULAR_TRANSMISSION, OWN)       \
  X(Thin, FEATURE_THIN, SPECULAR_TRANSMISSION, OWN)

enum LobeKind : uint32_t {
  LOBE_NON_SPECULAR = 0,            // it keeps its width
  LOBE_SPECULAR_REFLECTION = 1,     // a mirror
  LOBE_SPECULAR_TRANSMISSION = 2,   // light passes unscattered
};

enum LobeReuse : uint32_t {
  LOBE_SHARED = 0,   // the same light goes to all who look, except for what a lobe over it takes: samples keep it
  LOBE_COAT = 1,   // it lies over those: coatTransmittance() in restir/reservoir.cuh knows what it takes of their light
  LOBE_COVER = 2,   // it lies over those and takes what nobody knows for others who look: nothing is shared beneath it
  LOBE_OWN = 3,     // neither: its light is the path's own
};

// Sizes of the tables of frame.scene.tables: core/tables.cuh.
enum TableSize : uint32_t {
  SRGB_SIZE = 256,
  ALBEDO_SIZE = 32,       // of a slice, both ways
  ALBEDO_IORS = 16,       // slices over the index of refraction
  ALBEDO_SLICE = 1024,    // values of a slice
  ALBEDO_STRENGTHS = 4,   // slices over the square of the strength of anisotropy: 1/4 … 1
  ALBEDO_AZIMUTHS = 5,    // slices from the narrow to the wide direction
};

// Where tables of directional albedos begin, in slices.
enum AlbedoSlice : uint32_t {
  ALBEDO_MIRROR = 0,           // ∫ D G₂ / (4 cos cos) cos, F = 1
  ALBEDO_COAT = 1,             // the same times (F − F₀) / (1 − F₀), for each index
  ALBEDO_GLASS_OUTSIDE = 17,   // reflection and refraction, from the thin side
  ALBEDO_GLASS_INSIDE = 33,    // from the other
  ALBEDO_SHEEN = 49,           // of the sheen
  ALBEDO_BRUSHED = 50,         // as ALBEDO_MIRROR, of anisotropic widths: slices by strength, then azimuth
  ALBEDO_BRUSHED_COAT = 70,    // as ALBEDO_COAT, of an index of 1.5
  ALBEDO_SLICES = 90,          // how many there are
};

// A material's use of a texture, with KHR_texture_transform.
struct alignas(16) TextureRef {
  int32_t texture;   // index into textures, −1 for none
  uint32_t uvSet;    // 0 or 1
  float m00;         // u' = m00 u + m01 v + m02
  float m01;         //
  float m02;         //
  float m10;         // v' = m10 u + m11 v + m12
  float m11;         //
  float m12;         //
};

enum AlphaMode : uint32_t {
  ALPHA_OPAQUE = 0,
  ALPHA_MASK = 1,
  ALPHA_BLEND = 2,
};

enum MaterialFlag : uint32_t {
  MATERIAL_DOUBLE_SIDED = 1,   // emits on both sides
  MATERIAL_UNLIT = 2,          // KHR_materials_unlit
  MATERIAL_THIN = 4,           // transmission without volume: both interfaces at one place
  MATERIAL_PAINT = 8,          // GLINT_materials_car_paint: flakes over a base, in place of the Lambert base
  MATERIAL_PANE = 16,          // light may pass straight through: smooth thin glass, and the two below
  MATERIAL_GLOSSINESS = 32,    // TEXTURE_SPECULAR_COLOR has a factor of 1 − roughness in A
  MATERIAL_STRAIGHT = 64,      // a volume of the index of air: its surface bends nothing
  MATERIAL_HOLES = 128,   // a volume with alpha: rays stop at it, and paths find out whether they go through a hole
};

// What a material uses a texture for.
enum TextureUse : uint32_t {
  TEXTURE_BASE_COLOR = 0,            // sRGB; A is coverage
  TEXTURE_METALLIC_ROUGHNESS = 1,    // G roughness, B metallic
  TEXTURE_NORMAL = 2,                // tangent space
  TEXTURE_EMISSIVE = 3,              // sRGB
  TEXTURE_TRANSMISSION = 4,          // R
  TEXTURE_SPECULAR = 5,              // A
  TEXTURE_SPECULAR_COLOR = 6,        // sRGB
  TEXTURE_SHARED_USES = 7,           // makeAppearance looks up those before; a lobe looks up by itself what is its own
  TEXTURE_CLEARCOAT = 7,             // R
  TEXTURE_CLEARCOAT_ROUGHNESS = 8,   // G
  TEXTURE_CLEARCOAT_NORMAL = 9,      // tangent space
  TEXTURE_SHEEN_COLOR = 10,          // sRGB
  TEXTURE_SHEEN_ROUGHNESS = 11,      // A
  TEXTURE_ANISOTROPY = 12,           // RG direction in tangent space, B strength
  TEXTURE_IRIDESCENCE = 13,          // R
  TEXTURE_IRIDESCENCE_THICKNESS = 14,        // G
  TEXTURE_DIFFUSE_TRANSMISSION = 15,         // A
  TEXTURE_DIFFUSE_TRANSMISSION_COLOR = 16,   // sRGB
  TEXTURE_USES = 17,                         // how many there are
};

// One layer of flakes: little metal plates that lie about parallel to the surface, each with a tilt and a colour of its own.
struct alignas(16) Flakes {
  float3 color;        // reflectance of flakes at one end of the range
  float size;          // mean distance of neighbours [m]
  float3 otherColor;   // at the other
  float coverage;      // share of the surface that they cover, 0…1
  float exponent;      // Blinn-Phong's, of one flake
  float spread;        // greatest slope of a flake against the surface
  uint32_t pad0;       //
  uint32_t pad1;       //
};

// glTF metallic-roughness with the KHR extensions of materials, and GLINT car_paint.
struct alignas(16) Material {
  float4 baseColor;                    // linear factor
  float3 emission;                     // [nit]
  float metallic;                      //
  float3 specularColor;                // of the dielectric's reflection at normal incidence
  float specular;                      // weight of the dielectric's reflection
  float3 attenuation;                  // Beer-Lambert coefficient inside [1/m]
  float roughness;                     // perceptual; alpha is its square
  float3 scattering;                   // part of attenuation that scatters; 0 unless there is a volume [1/m]
  float scatterAnisotropy;             // mean cosine of the angle of scattering
  float ior;                           //
  float transmission;                  //
  float normalScale;                   //
  float alphaCutoff;                   //
  uint32_t alphaMode;                  // enum AlphaMode
  uint32_t flags;                      // enum MaterialFlag
  float priority;                      // of the volume: where several overlap, that of the highest counts
  uint32_t pad1;                       //
  TextureRef textures[TEXTURE_USES];   // by enum TextureUse
  Flakes flakes[2];                    // MATERIAL_PAINT: the upper layer first
  float3 edgeColor;                    // MATERIAL_PAINT: of the base at grazing angles
  float clearcoat;                     // weight, 0…1
  float3 sheenColor;                   // linear factor
  float sheenRoughness;                // perceptual
  float3 diffuseTransmissionColor;     // linear factor
  float diffuseTransmission;           // share of the base that light passes through
  float clearcoatRoughness;            // perceptual
  float clearcoatNormalScale;          //
  float anisotropy;                    // strength, 0…1
  float anisotropyCos;                 // of the angle from the tangent to the direction of the strength
  float anisotropySin;                 //
  float iridescence;                   // weight of the thin film, 0…1
  float iridescenceIor;                // of the film
  float iridescenceMin;                // thickness of the film where its texture is 0 [nm]
  float iridescenceMax;                // where it is 1, or there is none [nm]
  float dispersion;                    // KHR_materials_dispersion: 20 over Abbe's number
  uint32_t pad3;                       //
  uint32_t pad4;                       //
};

// The scene: geometry, materials, lights and what is around them.
struct SceneParams {
  Environment environment;   //
  LightTree lightTree;       //
  uint64_t nodes;            // BvhNode
  uint64_t wideNodes;        // WideNode, over the same triangles
  uint64_t spreadNodes;      // SpreadNode for each WideNode; on the CPU only
  uint64_t triangles;        // Triangle, leaf order
  uint64_t instances;        // Instance, by rising ids
  uint64_t tlasNodes;        // BvhNode over instances
  uint64_t tlasWideNodes;    // WideNode over instances
  uint64_t tlasOrder;        // uint32_t per entry of their leaves: an instance, or STATIC_GEOMETRY
  uint64_t faces;            // Face
  uint64_t vertices;         // Vertex
  uint64_t materials;        // Material
  uint64_t textures;         // Texture
  uint64_t lights;           // Light
  uint64_t lightAlias;       // AliasEntry per light
  uint64_t tables;           // float, see core/tables.cuh
  uint64_t movements;        // Movement per instance; 0: nothing has moved since the frame before
  uint64_t hardware;         // the tree that hardware traces; 0: software does
  uint64_t pad1;             //
  uint32_t instanceCount;    // 0: there is no TLAS
  uint32_t nodeCount;        // 0 when the scene has no triangles
  uint32_t lightCount;       //
  uint32_t missing;          // enum Feature: what the scene has none of
  float radius;              // [m]
  float reach;        // at least radius; twice that bounds the terms that a point of an instance is the sum of [m]
  float lightScale;   // multiplies every emitter
  uint32_t pad0;      //
};
