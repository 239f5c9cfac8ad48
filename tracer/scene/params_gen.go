// Code generated from kernels/params/*.h by cuda/tools/gen; DO NOT EDIT.

package scene

// Feature is the enumeration of that name in the kernels.
// What some scenes need and others do not; see has() in device.h.
type Feature uint32

// Values of Feature.
const (
	FeatureAlpha       Feature = 1          // some triangle must be tested for alpha
	FeatureMedia       Feature = 2          // some volume scatters
	FeatureGlass       Feature = 4          // solid glass
	FeatureThin        Feature = 8          // thin-walled glass
	FeaturePaint       Feature = 16         // car paint
	FeatureUnlit       Feature = 32         // unlit surfaces
	FeatureSky         Feature = 64         // an environment that is an image
	FeatureEmitters    Feature = 128        // emissive triangles that are sampled
	FeaturePunctual    Feature = 256        // lights without area
	FeatureColors      Feature = 512        // colours at vertices
	FeatureUv1         Feature = 1024       // a texture with the second set of coordinates
	FeatureSpecular    Feature = 2048       // KHR_materials_specular
	FeatureInstances   Feature = 4096       // meshes that are stored once and drawn several times
	FeaturePanes       Feature = 8192       // smooth thin glass
	FeatureVolumes     Feature = 16384      // volumes that absorb or scatter
	FeatureClearcoat   Feature = 32768      // KHR_materials_clearcoat
	FeatureTextures    Feature = 65536      // << enum TextureUse: a texture for this use, of those that lobes share
	FeatureSheen       Feature = 8388608    // KHR_materials_sheen
	FeatureAnisotropy  Feature = 16777216   // KHR_materials_anisotropy
	FeatureIridescence Feature = 33554432   // KHR_materials_iridescence
	FeatureTranslucent Feature = 67108864   // KHR_materials_diffuse_transmission
	FeatureDispersion  Feature = 134217728  // KHR_materials_dispersion
	FeatureLightTree   Feature = 268435456  // enough lights to choose them by place
	FeatureNested      Feature = 536870912  // volumes that stand in each other, or may
	FeatureMipmaps     Feature = 1073741824 // textures with smaller levels
	FeatureDeep        Feature = 2147483648 // textures of 16 bits a channel
)

// TextureUse is the enumeration of that name in the kernels.
// What a material uses a texture for.
type TextureUse uint32

// Values of TextureUse.
const (
	TextureBaseColor                TextureUse = 0  // sRGB; A is coverage
	TextureMetallicRoughness        TextureUse = 1  // G roughness, B metallic
	TextureNormal                   TextureUse = 2  // tangent space
	TextureEmissive                 TextureUse = 3  // sRGB
	TextureTransmission             TextureUse = 4  // R
	TextureSpecular                 TextureUse = 5  // A
	TextureSpecularColor            TextureUse = 6  // sRGB
	TextureSharedUses               TextureUse = 7  // makeAppearance looks up those before; a lobe looks up by itself what is its own
	TextureClearcoat                TextureUse = 7  // R
	TextureClearcoatRoughness       TextureUse = 8  // G
	TextureClearcoatNormal          TextureUse = 9  // tangent space
	TextureSheenColor               TextureUse = 10 // sRGB
	TextureSheenRoughness           TextureUse = 11 // A
	TextureAnisotropy               TextureUse = 12 // RG direction in tangent space, B strength
	TextureIridescence              TextureUse = 13 // R
	TextureIridescenceThickness     TextureUse = 14 // G
	TextureDiffuseTransmission      TextureUse = 15 // A
	TextureDiffuseTransmissionColor TextureUse = 16 // sRGB
	TextureUses                     TextureUse = 17 // how many there are
)
