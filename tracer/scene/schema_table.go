package scene

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// schemaTable is the glTF 2.0 JSON schema as far as it matters here: one row per property of each kind of object.
var schemaTable = withMaterials(map[string][]rule{
	"root": {
		{name: "asset", form: object("asset")},
		{name: "extensionsUsed", form: list(text)},
		{name: "extensionsRequired", form: list(text)},
		{name: "accessors", form: listWith(object("accessor"), noAccessor)},
		{name: "animations", form: listWith(object("animation"), noClip)},
		{name: "buffers", form: listWith(object("buffer"), noObject)},
		{name: "bufferViews", form: listWith(object("bufferView"), noView)},
		{name: "cameras", form: listWith(object("camera"), noObject)},
		{name: "images", form: listWith(object("image"), noObject)},
		{name: "materials", form: listWith(object("material"), noObject)},
		{name: "meshes", form: listWith(object("mesh"), noMesh)},
		{name: "nodes", form: listWith(object("node"), noObject)},
		{name: "samplers", form: listWith(object("sampler"), noObject)},
		{name: "scenes", form: listWith(object("scene"), noObject)},
		{name: "scene", form: index("scenes")},
		{name: "skins", form: listWith(object("skin"), noSkin)},
		{name: "textures", form: listWith(object("texture"), noObject)},
	},
	"asset": {
		{name: "version", form: version},
		{name: "minVersion", form: version},
		{name: "generator", form: text},
		{name: "copyright", form: text},
	},
	"accessor": {
		name,
		{name: "componentType", form: componentTypes, need: true},
		{name: "type", form: oneOf("SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"), need: true},
		{name: "count", form: integer(1), need: true},
		{name: "bufferView", form: index("bufferViews"), vital: true},
		{name: "byteOffset", form: integer(0), vital: true},
		{name: "normalized", form: flag},
		{name: "max", form: every(any64)},
		{name: "min", form: every(any64)},
		{name: "sparse", form: object("sparse")},
	},
	"sparse": {
		{name: "count", form: integer(1), need: true},
		{name: "indices", form: object("sparseIndices"), need: true},
		{name: "values", form: object("sparseValues"), need: true},
	},
	"sparseIndices": {
		{name: "bufferView", form: index("bufferViews"), need: true},
		{name: "byteOffset", form: integer(0), vital: true},
		{name: "componentType", form: oneOf(5121, 5123, 5125), need: true},
	},
	"sparseValues": {
		{name: "bufferView", form: index("bufferViews"), need: true},
		{name: "byteOffset", form: integer(0), vital: true},
	},
	"buffer": {
		name,
		{name: "byteLength", form: integer(0)},
		{name: "uri", form: text},
	},
	"bufferView": {
		name,
		{name: "buffer", form: index("buffers"), need: true},
		{name: "byteLength", form: integer(1), need: true},
		{name: "byteOffset", form: integer(0), vital: true},
		{name: "byteStride", form: stride},
		{name: "target", form: oneOf(34962, 34963)},
	},
	"animation": {
		name,
		{name: "channels", form: listWith(object("channel"), noChannel), need: true},
		{name: "samplers", form: listWith(object("animationSampler"), noSampler), need: true},
	},
	"channel": {
		{name: "sampler", form: integer(0), need: true},
		{name: "target", form: object("target"), need: true},
	},
	"target": {
		{name: "node", form: index("nodes")},
		{name: "path", form: oneOf("translation", "rotation", "scale", "weights", "pointer"), need: true},
	},
	"animationSampler": {
		{name: "input", form: index("accessors"), need: true},
		{name: "output", form: index("accessors"), need: true},
		{name: "interpolation", form: oneOf("LINEAR", "STEP", "CUBICSPLINE")},
	},
	"camera": {
		name,
		{name: "type", form: oneOf("perspective", "orthographic")},
		{name: "perspective", form: object("perspective")},
		{name: "orthographic", form: object("orthographic")},
	},
	"perspective": {
		{name: "yfov", form: within(0, math.Pi), need: true},
		{name: "znear", form: unlimited},
		{name: "zfar", form: unlimited},
		{name: "aspectRatio", form: unlimited},
	},
	"orthographic": {
		{name: "xmag", form: magnification},
		{name: "ymag", form: magnification, need: true},
		{name: "znear", form: positive},
		{name: "zfar", form: unlimited},
	},
	"image": {
		name,
		{name: "uri", form: text},
		{name: "mimeType", form: oneOf("image/png", "image/jpeg", "image/webp", "image/ktx2")},
		{name: "bufferView", form: index("bufferViews")},
	},
	"texture": {
		name,
		{name: "sampler", form: index("samplers")},
		{name: "source", form: index("images")},
	},
	"sampler": {
		name,
		{name: "magFilter", form: oneOf(9728, 9729)},
		{name: "minFilter", form: oneOf(9728, 9729, 9984, 9985, 9986, 9987)},
		{name: "wrapS", form: oneOf(33071, 33648, 10497)},
		{name: "wrapT", form: oneOf(33071, 33648, 10497)},
	},
	"material": {
		name,
		{name: "pbrMetallicRoughness", form: object("pbr")},
		{name: "normalTexture", form: object("normalTexture")},
		{name: "occlusionTexture", form: object("occlusionTexture")},
		{name: "emissiveTexture", form: textureInfo},
		{name: "emissiveFactor", form: usuallyToOne(vector(0, math.MaxFloat64, 0, 0, 0))},
		{name: "alphaMode", form: oneOf("OPAQUE", "MASK", "BLEND")},
		{name: "alphaCutoff", form: positive},
		{name: "doubleSided", form: flag},
	},
	"pbr": {
		{name: "baseColorFactor", form: tint},
		{name: "baseColorTexture", form: textureInfo},
		{name: "metallicFactor", form: fraction},
		{name: "roughnessFactor", form: fraction},
		{name: "metallicRoughnessTexture", form: textureInfo},
	},
	"textureInfo": {
		{name: "index", form: index("textures"), need: true},
		{name: "texCoord", form: integer(0)},
	},
	"normalTexture": {
		{name: "index", form: index("textures"), need: true},
		{name: "texCoord", form: integer(0)},
		{name: "scale", form: any64},
	},
	"occlusionTexture": {
		{name: "index", form: index("textures"), need: true},
		{name: "texCoord", form: integer(0)},
		{name: "strength", form: fraction},
	},
	"mesh": {
		name,
		{name: "primitives", form: listWith(object("primitive"), noPart), need: true},
		{name: "weights", form: every(any64)},
	},
	"primitive": {
		{name: "attributes", form: dictionary(index("accessors")), need: true},
		{name: "indices", form: index("accessors"), vital: true},
		{name: "material", form: index("materials")},
		{name: "mode", form: oneOf(0, 1, 2, 3, 4, 5, 6), vital: true},
		{name: "targets", form: listWith(dictionary(index("accessors")), noObject)},
	},
	"node": {
		name,
		{name: "camera", form: index("cameras")},
		{name: "children", form: list(index("nodes"))},
		{name: "skin", form: index("skins")},
		{name: "matrix", form: exactly(16)},
		{name: "mesh", form: index("meshes")},
		{name: "rotation", form: rotation},
		{name: "scale", form: vector(-math.MaxFloat64, math.MaxFloat64, 1, 1, 1)},
		{name: "translation", form: vector(-math.MaxFloat64, math.MaxFloat64, 0, 0, 0)},
		{name: "weights", form: every(any64)},
	},
	"scene": {
		name,
		{name: "nodes", form: list(index("nodes"))},
	},
	"skin": {
		name,
		{name: "joints", form: every(index("nodes")), need: true},
		{name: "inverseBindMatrices", form: index("accessors")},
		{name: "skeleton", form: index("nodes")},
	},
	"KHR_lights_punctual": {
		{name: "lights", form: listWith(object("light"), noObject)},
		{name: "light", form: index("lights")},
	},
	"light": {
		name,
		{name: "type", form: oneOf("point", "spot", "directional"), need: true},
		{name: "color", form: usuallyToOne(white)},
		{name: "intensity", form: positive},
		{name: "range", form: unlimited},
		{name: "spot", form: object("spot")},
	},
	"spot": {
		{name: "innerConeAngle", form: number(0, widestCone)},
		{name: "outerConeAngle", form: number(0, widestCone)},
	},
	"EXT_lights_image_based": {
		{name: "lights", form: listWith(object("imageLight"), noObject)},
		{name: "light", form: integer(0)},
	},
	"imageLight": {
		name,
		{name: "rotation", form: rotation},
		{name: "intensity", form: number(0, largest)},
		{name: "specularImageSize", form: integer(1)},
		{name: "specularImages", form: list(every(index("images")))},
		{name: "irradianceCoefficients", form: every(every(number(-largest, largest)))},
	},
	"KHR_texture_transform": {
		{name: "offset", form: vector(-math.MaxFloat64, math.MaxFloat64, 0, 0)},
		{name: "rotation", form: any64},
		{name: "scale", form: vector(-math.MaxFloat64, math.MaxFloat64, 1, 1)},
		{name: "texCoord", form: integer(0)},
	},
	"EXT_texture_webp":    {{name: "source", form: index("images")}},
	"KHR_texture_basisu":  {{name: "source", form: index("images")}},
	"KHR_node_visibility": {{name: "visible", form: flag}},
	"EXT_mesh_gpu_instancing": {
		{name: "attributes", form: dictionary(index("accessors"))},
	},
	"KHR_animation_pointer": {{name: "pointer", form: text}},
	"KHR_draco_mesh_compression": {
		{name: "bufferView", form: index("bufferViews")},
		{name: "attributes", form: dictionary(anyInteger), need: true},
	},
	"EXT_meshopt_compression": meshoptRules,
	"KHR_meshopt_compression": meshoptRules,
	"KHR_materials_variants": {
		{name: "variants", form: listWith(object("variant"), noObject)},
		{name: "mappings", form: list(object("mapping"))},
	},
	"variant": {name},
	"mapping": {
		name,
		{name: "material", form: index("materials"), need: true},
		{name: "variants", form: list(integer(0)), need: true},
	},
	"flakes": {
		{name: "colorFactor", form: reflectance},
		{name: "otherColorFactor", form: reflectance},
		{name: "coverageFactor", form: fraction},
		{name: "size", form: number(1e-6, 1e6)},
		{name: "spread", form: fraction},
		{name: "exponent", form: number(1, 1e4)},
	},
})

// withMaterials adds what extensions of materials have.
func withMaterials(table map[string][]rule) map[string][]rule {
	for _, row := range materialExtensions {
		table[row.name] = []rule{}
		for _, p := range row.properties {
			if p.form != nil {
				table[row.name] = append(table[row.name], rule{name: p.name, form: p.form})
			}
		}
	}
	return table
}

var meshoptRules = []rule{
	{name: "buffer", form: anyInteger},
	{name: "byteOffset", form: anyInteger},
	{name: "byteLength", form: anyInteger},
	{name: "byteStride", form: anyInteger},
	{name: "count", form: anyInteger},
	{name: "mode", form: text},
	{name: "filter", form: text},
	{name: "fallback", form: flag},
}

// bySense are the checks of objects whose properties must agree.
var bySense = map[string]check{
	"camera": func(c *checker, fields map[string]any, path string) {
		other := map[any]string{"perspective": "orthographic", "orthographic": "perspective"}[fields["type"]]
		if _, both := fields[other]; both {
			c.ignore(fields, path, other, fmt.Sprintf("the camera is %v", fields["type"]))
		}
	},
	"perspective":  planesInOrder,
	"orthographic": planesInOrder,
	"root": func(c *checker, fields map[string]any, _ string) {
		required, _ := fields["extensionsRequired"].([]any)
		for _, name := range required {
			if !c.used[name] {
				c.say("extensionsRequired", fmt.Sprintf("%s is not listed in extensionsUsed", describe(name)))
			}
		}
	},
	"accessor": func(c *checker, fields map[string]any, path string) {
		kind, _ := fields["type"].(string)
		for _, bound := range []string{"min", "max"} {
			if values, there := fields[bound].([]any); there && len(values) != componentsOf[kind] {
				c.ignore(fields, path, bound, fmt.Sprintf("has %d numbers, a %s has %d", len(values), kind, componentsOf[kind]))
			}
		}
		component, _ := fields["componentType"].(int)
		if normalized, _ := fields["normalized"].(bool); normalized && bytesOf[component] == 4 {
			c.ignore(fields, path, "normalized", "only integers of 8 and 16 bits can be")
		}
		if offset, _ := fields["byteOffset"].(int); offset%max(bytesOf[component], 1) != 0 {
			c.say(join(path, "byteOffset"), fmt.Sprintf("%d is no multiple of the %d bytes of a component: used as it is", offset, bytesOf[component]))
		}
	},
	"image": func(c *checker, fields map[string]any, path string) {
		_, uri := fields["uri"]
		if _, view := fields["bufferView"]; uri && view {
			c.ignore(fields, path, "uri", "the image has a bufferView, too, which is used")
		}
	},
	"light": func(c *checker, fields map[string]any, path string) {
		if _, there := fields["spot"]; there && fields["type"] != "spot" {
			c.ignore(fields, path, "spot", fmt.Sprintf("the light is %v", fields["type"]))
		}
	},
	"mesh": func(c *checker, fields map[string]any, path string) { c.countWeights(fields, fields, path) },
	"node": func(c *checker, fields map[string]any, path string) {
		mesh, there := fields["mesh"].(int)
		if there {
			of, _ := c.list("meshes")[mesh].(map[string]any)
			c.countWeights(fields, of, path)
		}
		for _, ofMesh := range []string{"skin", "weights"} {
			if _, alone := fields[ofMesh]; alone && !there {
				c.ignore(fields, path, ofMesh, "the node has no mesh")
			}
		}
		if _, there := fields["matrix"]; !there {
			return
		}
		for _, part := range []string{"translation", "rotation", "scale"} {
			if _, both := fields[part]; both {
				c.ignore(fields, path, part, "the node has a matrix, too, which is used")
			}
		}
	},
	"spot": func(c *checker, fields map[string]any, path string) {
		outer, _, there := asNumber(fields["outerConeAngle"])
		if !there {
			outer = math.Pi / 4
		}
		inner, _, _ := asNumber(fields["innerConeAngle"])
		switch {
		case outer == 0:
			c.say(join(path, "outerConeAngle"), "is 0: the light shines nowhere")
		case inner >= outer:
			c.say(join(path, "innerConeAngle"), fmt.Sprintf("%.6g is not below the outer angle, %.6g: the edge of the cone is sharp", inner, outer))
		}
		fields["innerConeAngle"] = min(inner, outer)
	},
}

// componentsOf are the numbers of an element, by the type of an accessor, and bytesOf those of each, by its component type.
var (
	componentsOf = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
	bytesOf      = map[int]int{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
)

// planesInOrder: nothing is cut off by distance, but a file whose planes are not in order may have meant other numbers.
func planesInOrder(c *checker, fields map[string]any, path string) {
	near, _, _ := asNumber(fields["znear"])
	if far, _, there := asNumber(fields["zfar"]); there && far <= near {
		c.say(join(path, "zfar"), fmt.Sprintf("%.6g is not above znear, %.6g: ignored, as nothing is cut off by distance", far, near))
	}
}

// countWeights compares the weights of a mesh, or of a node that draws it, with its morph targets.
func (c *checker) countWeights(fields, mesh map[string]any, path string) {
	weights, there := fields["weights"].([]any)
	if !there {
		return
	}
	targets := 0
	primitives, _ := mesh["primitives"].([]any)
	for _, p := range primitives {
		primitive, _ := p.(map[string]any)
		own, _ := primitive["targets"].([]any)
		targets = max(targets, len(own))
	}
	if len(weights) != targets {
		c.say(join(path, "weights"), fmt.Sprintf("%d weights for %d morph targets: what has no partner does nothing", len(weights), targets))
	}
}

// repair makes of raw JSON what the typed document can be read from.
func repair(root map[string]any, warn *warnings) *checker {
	c := &checker{schema: schemaTable, sense: bySense, root: root, used: map[any]bool{}, warn: warn, alike: map[string]int{}, unusable: map[string]error{}}
	used, _ := root["extensionsUsed"].([]any)
	for _, v := range used {
		if name, ok := v.(string); ok {
			c.used[name] = true
		}
	}
	c.object("root", root, "")
	for _, key := range slices.Sorted(maps.Keys(c.alike)) {
		if more := c.alike[key] - mostAlike; more > 0 {
			warn.about(key, nil, "%d more warnings like these", more)
		}
	}
	return c
}
