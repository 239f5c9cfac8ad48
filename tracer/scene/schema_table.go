package scene

import "math"

var (
	componentTypes = oneOf(5120, 5121, 5122, 5123, 5125, 5126)
	any64          = number(-math.MaxFloat64, math.MaxFloat64)
	positive       = number(0, math.MaxFloat64)
	fraction       = number(0, 1)
	name           = rule{name: "name", test: text, soft: true}
)

// schemaTable is the glTF 2.0 JSON schema as far as it matters here: one row per property of each kind of object.
var schemaTable = map[string][]rule{
	"root": {
		{name: "asset", test: object("asset"), need: true},
		{name: "extensionsUsed", test: list(0, text)},
		{name: "extensionsRequired", test: list(0, text)},
		{name: "accessors", test: list(0, object("accessor"))},
		{name: "animations", test: list(0, object("animation")), soft: true},
		{name: "buffers", test: list(0, object("buffer"))},
		{name: "bufferViews", test: list(0, object("bufferView"))},
		{name: "cameras", test: list(0, object("camera"))},
		{name: "images", test: list(0, object("image"))},
		{name: "materials", test: list(0, object("material"))},
		{name: "meshes", test: list(0, object("mesh"))},
		{name: "nodes", test: list(0, object("node"))},
		{name: "samplers", test: list(0, object("sampler"))},
		{name: "scenes", test: list(0, object("scene"))},
		{name: "scene", test: index("scenes")},
		{name: "skins", test: list(0, object("skin"))},
		{name: "textures", test: list(0, object("texture"))},
	},
	"asset": {
		{name: "version", test: text, need: true},
		{name: "minVersion", test: text},
		{name: "generator", test: text, soft: true},
		{name: "copyright", test: text, soft: true},
	},
	"accessor": {
		name,
		{name: "componentType", test: componentTypes, need: true},
		{name: "type", test: oneOf("SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"), need: true},
		{name: "count", test: integer(1), need: true},
		{name: "bufferView", test: index("bufferViews")},
		{name: "byteOffset", test: integer(0)},
		{name: "normalized", test: flag},
		{name: "max", test: list(0, any64), soft: true},
		{name: "min", test: list(0, any64), soft: true},
		{name: "sparse", test: object("sparse")},
	},
	"sparse": {
		{name: "count", test: integer(1), need: true},
		{name: "indices", test: object("sparseIndices"), need: true},
		{name: "values", test: object("sparseValues"), need: true},
	},
	"sparseIndices": {
		{name: "bufferView", test: index("bufferViews"), need: true},
		{name: "byteOffset", test: integer(0)},
		{name: "componentType", test: oneOf(5121, 5123, 5125), need: true},
	},
	"sparseValues": {
		{name: "bufferView", test: index("bufferViews"), need: true},
		{name: "byteOffset", test: integer(0)},
	},
	"buffer": {
		name,
		{name: "byteLength", test: integer(0), need: true},
		{name: "uri", test: text},
	},
	"bufferView": {
		name,
		{name: "buffer", test: index("buffers"), need: true},
		{name: "byteLength", test: integer(1), need: true},
		{name: "byteOffset", test: integer(0)},
		{name: "byteStride", test: integer(0)},
		{name: "target", test: oneOf(34962, 34963), soft: true},
	},
	"animation": {
		name,
		{name: "channels", test: list(1, object("channel")), need: true},
		{name: "samplers", test: list(1, object("animationSampler")), need: true},
	},
	"channel": {
		{name: "sampler", test: integer(0), need: true},
		{name: "target", test: object("target"), need: true},
	},
	"target": {
		{name: "node", test: index("nodes")},
		{name: "path", test: oneOf("translation", "rotation", "scale", "weights", "pointer"), need: true},
	},
	"animationSampler": {
		{name: "input", test: index("accessors"), need: true},
		{name: "output", test: index("accessors"), need: true},
		{name: "interpolation", test: oneOf("LINEAR", "STEP", "CUBICSPLINE")},
	},
	"camera": {
		name,
		{name: "type", test: oneOf("perspective", "orthographic"), need: true},
		{name: "perspective", test: object("perspective")},
		{name: "orthographic", test: object("orthographic")},
	},
	"perspective": {
		{name: "yfov", test: number(0, math.Pi), need: true},
		{name: "znear", test: positive, need: true, soft: true},
		{name: "zfar", test: positive, soft: true},
		{name: "aspectRatio", test: positive, soft: true},
	},
	"orthographic": {
		{name: "xmag", test: any64, need: true},
		{name: "ymag", test: any64, need: true},
		{name: "znear", test: positive, need: true, soft: true},
		{name: "zfar", test: positive, need: true, soft: true},
	},
	"image": {
		name,
		{name: "uri", test: text},
		{name: "mimeType", test: oneOf("image/png", "image/jpeg", "image/webp", "image/ktx2"), soft: true},
		{name: "bufferView", test: index("bufferViews")},
	},
	"texture": {
		name,
		{name: "sampler", test: index("samplers")},
		{name: "source", test: index("images")},
	},
	"sampler": {
		name,
		{name: "magFilter", test: oneOf(9728, 9729), soft: true},
		{name: "minFilter", test: oneOf(9728, 9729, 9984, 9985, 9986, 9987), soft: true},
		{name: "wrapS", test: oneOf(33071, 33648, 10497), soft: true},
		{name: "wrapT", test: oneOf(33071, 33648, 10497), soft: true},
	},
	"material": {
		name,
		{name: "pbrMetallicRoughness", test: object("pbr")},
		{name: "normalTexture", test: object("normalTexture")},
		{name: "occlusionTexture", test: object("occlusionTexture")},
		{name: "emissiveTexture", test: object("textureInfo")},
		{name: "emissiveFactor", test: vector(3, 0)},
		{name: "alphaMode", test: oneOf("OPAQUE", "MASK", "BLEND"), soft: true},
		{name: "alphaCutoff", test: positive},
		{name: "doubleSided", test: flag},
	},
	"pbr": {
		{name: "baseColorFactor", test: vector(4, 0)},
		{name: "baseColorTexture", test: object("textureInfo")},
		{name: "metallicFactor", test: fraction},
		{name: "roughnessFactor", test: fraction},
		{name: "metallicRoughnessTexture", test: object("textureInfo")},
	},
	"textureInfo": {
		{name: "index", test: index("textures"), need: true},
		{name: "texCoord", test: integer(0)},
	},
	"normalTexture": {
		{name: "index", test: index("textures"), need: true},
		{name: "texCoord", test: integer(0)},
		{name: "scale", test: any64},
	},
	"occlusionTexture": {
		{name: "index", test: index("textures"), need: true},
		{name: "texCoord", test: integer(0)},
		{name: "strength", test: fraction, soft: true},
	},
	"mesh": {
		name,
		{name: "primitives", test: list(1, object("primitive")), need: true},
		{name: "weights", test: list(0, any64)},
	},
	"primitive": {
		{name: "attributes", test: dictionary(index("accessors")), need: true},
		{name: "indices", test: index("accessors")},
		{name: "material", test: index("materials")},
		{name: "mode", test: oneOf(0, 1, 2, 3, 4, 5, 6)},
		{name: "targets", test: list(0, dictionary(index("accessors")))},
	},
	"node": {
		name,
		{name: "camera", test: index("cameras")},
		{name: "children", test: list(0, index("nodes"))},
		{name: "skin", test: index("skins")},
		{name: "matrix", test: vector(16, -math.MaxFloat64)},
		{name: "mesh", test: index("meshes")},
		{name: "rotation", test: vector(4, -math.MaxFloat64)},
		{name: "scale", test: vector(3, -math.MaxFloat64)},
		{name: "translation", test: vector(3, -math.MaxFloat64)},
		{name: "weights", test: list(0, any64)},
	},
	"scene": {
		name,
		{name: "nodes", test: list(0, index("nodes"))},
	},
	"skin": {
		name,
		{name: "joints", test: list(1, index("nodes")), need: true},
		{name: "inverseBindMatrices", test: index("accessors")},
		{name: "skeleton", test: index("nodes"), soft: true},
	},
}
