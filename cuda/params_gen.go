// Code generated from kernels/params/*.h by cuda/tools/gen; DO NOT EDIT.

package cuda

// Values of enum Reference.
const (
	LeafBit        uint32 = 0x80000000 // BvhNode.child: names triangles
	EmptyChild     uint32 = 0xffffffff // BvhNode.child: nothing there
	AlphaBit       uint32 = 0x80000000 // Triangle.material: alpha must be tested
	TurnedBit      uint32 = 0x40000000 // Triangle.material: its front is on the side of e2 × e1
	TriangleMarks  uint32 = 0xc0000000 // Triangle.material: all of these
	NoLight        uint32 = 0xffffffff // Triangle.light, Environment.light
	NoHit          uint32 = 0xffffffff // Hit.triangle
	FirstInstanced uint32 = 0x08000000 // Hit.triangle: ids from here on are of instances
	StaticGeometry uint32 = 0xffffffff // Frame.scene.tlasOrder: the BVH of all geometry that is not instanced
)

// Values of enum BuildLimit.
const (
	BuildDigits uint32 = 16   // values of a digit of a key
	BuildTurns  uint32 = 12   // digits of a key
	BuildSorted uint32 = 2048 // keys that a block sorts
	BuildReach  uint32 = 8    // clusters on either side among which the nearest is searched
	BuildRounds uint32 = 64   // of merging at most; no path from the root to a leaf has more nodes
	BuildLevels uint32 = 24   // of the wide tree at most
)

// Values of enum BuildState.
const (
	StateClusters  uint32 = 0   // + round: clusters left
	StateMerged    uint32 = 72  // + round: merges before it
	StateTasks     uint32 = 144 // + level: wide nodes to be made
	StateWide      uint32 = 176 // wide nodes so far
	StateTriangles uint32 = 177 // triangles placed so far
	StateCount     uint32 = 180 //
)

// Values of enum DenoisePlane.
const (
	DenoiseColor   uint32 = 0 // mean radiance [nit]; of the built-in filter what bypasses it: AOV_EMISSIVE
	DenoiseAlbedo  uint32 = 1 // what light is divided by; w: luminance of what is shown
	DenoiseNormal  uint32 = 2 // for OIDN
	DenoiseSamples uint32 = 2 // of the built-in filter: its input and the error of that; balance.cuh reuses it
	DenoisePlanes  uint32 = 3 //
)

// Values of enum NoNormal.
const (
	NormalNone   uint32 = 0 // nothing is seen, or many that cancel out
	NormalBeyond uint32 = 1 // nothing is seen through glass or in a mirror
)

// Values of enum AtrousPass.
const (
	AtrousPasses     uint32 = 5 // each twice as wide as the one before
	AtrousWidePasses uint32 = 1 // the first has 5×5 taps, the others 3×3
)

// Values of enum AtrousTrust.
const (
	ConvergedSamples uint32 = 64 //
)

// Values of enum Balance.
const (
	BalanceSide uint32 = 4 // [pixels]
)

// Values of enum EdgeLimit.
const (
	EdgeRays uint32 = 2 // DenoiseParams.edgeRays at most: there is room for so many
)

// Values of enum HalfPlane.
const (
	HalfEven   uint32 = 0 // sum over samples with even numbers; w their number, by weight
	HalfOdd    uint32 = 1 // over the others
	HalfBefore uint32 = 2 // the accumulation one sample ago
	HalfPlanes uint32 = 3 //
)

// Values of enum RecordPlane.
const (
	RecordLight       uint32 = 0  // three planes: mean irradiance of the image [nit, over albedo]
	RecordError       uint32 = 3  // standard error of its luminance, as Tap.error
	RecordEmission    uint32 = 4  // three: what bypasses the filter [nit]
	RecordAlbedo      uint32 = 7  // three: what light was divided by
	RecordGloss       uint32 = 10 // share of the albedo that glossy lobes have
	RecordPolish      uint32 = 11 // the same, times 1 − roughness
	RecordNormal      uint32 = 12 // three: to the right, up and forward
	RecordDepth       uint32 = 15 // log2 of the depth along the camera's axis [m]
	RecordLit         uint32 = 16 // 1 where there is a surface that could be lit
	RecordSurface     uint32 = 17 // two: how far away the surface was [pixels]; then a bit for each of four pixels that show it
	RecordSecond      uint32 = 20 // the same three of the second part
	RecordSecondShare uint32 = 23 // its share of the albedo
	RecordPlanes      uint32 = 24 //
)

// Values of enum LearnedSize.
const (
	LearnedInputs   uint32 = 32 // numbers that the net is given of a pixel
	LearnedHidden   uint32 = 32 // numbers that it gives of a pixel, of which the heads are sums
	LearnedFeatures uint32 = 12 // by which pixels are compared
	LearnedPasses   uint32 = 5  // each twice as wide as the one before
	LearnedHeads    uint32 = 22 // features, a scale for each pass, and enum LearnedHead
)

// Values of enum LearnedHalf.
const (
	LearnedLight uint32 = 1 // what has been filtered
)

// Values of enum LearnedHead.
const (
	HeadScale    uint32 = 12 // one for each pass: log of how strict it is
	HeadTrust    uint32 = 17 // how much the pixel's light counts for others
	HeadLight    uint32 = 18 // share of the past in the light that is filtered
	HeadFiltered uint32 = 19 // share of the past in what has been filtered
	HeadSecond   uint32 = 20 // share of the second part in the past
	HeadPicture  uint32 = 21 // share of the past picture
)

// Values of enum LearnedNote.
const (
	NoteNew  uint32 = 5 // share of this image in the light that is filtered
	NoteLeft uint32 = 6 // of the variance of that, so much is left after the passes so far
)

// Values of enum LearnedPast.
const (
	PastLight    uint32 = 0 // light that was filtered, and of how many samples; −1: the surface was not seen
	PastFiltered uint32 = 1 // what came out; later the mixture of both parts, and the share that it has
	PastPicture  uint32 = 2 // what was shown; later the same
	PastPlanes   uint32 = 3 //
)

// Values of enum Shown.
const (
	ShownImage    uint32 = 0 //
	ShownDenoised uint32 = 1 //
	ShownPreview  uint32 = 2 // a smaller image, stretched
	ShownAovs     uint32 = 3 // from here on AOVs, in the order of their rows
)

// Values of enum ToneMap.
const (
	TonemapNone     uint32 = 0 //
	TonemapReinhard uint32 = 1 //
	TonemapAces     uint32 = 2 //
	TonemapAgx      uint32 = 3 //
	TonemapNeutral  uint32 = 4 //
)

// Values of enum Background.
const (
	BackgroundSeen    uint32 = 0 // what the scene has there
	BackgroundColor   uint32 = 1 // a colour in its place
	BackgroundAlpha   uint32 = 2 // nothing: pixels are transparent there
	BackgroundChecker uint32 = 3 // a checkerboard, which stands for what is transparent
)

// Values of enum DisplayFlag.
const (
	DisplayDither       uint32 = 1 // round to 8 bits by chance
	DisplayBalance      uint32 = 2 // white is balanced
	DisplayAutoExposure uint32 = 4 // exposure is automatic
)

// Values of enum MeterSize.
const (
	MeterBins   uint32 = 256  // one for each lane of set_exposure
	MeterShares uint32 = 16   // of a pixel, for the two bins that it lies between
	MeterStride uint32 = 2    // one pixel in so many is metered, along both axes
	MeterPixels uint32 = 4096 // that a block meters
)

// Values of enum Counter.
const (
	CounterNonfinite     uint32 = 0  // samples dropped
	CounterExtensionRays uint32 = 1  // closest-hit rays
	CounterShadowRays    uint32 = 2  // any-hit rays
	CounterPaths         uint32 = 3  // camera paths
	CounterGuidesWait    uint32 = 4  // not a count: 1 + the last sample's index of which a pixel waits for follow_guides
	CounterNonfiniteAt   uint32 = 5  // not a count: pixel of the last sample dropped; in the upper half its index
	CounterAlive         uint32 = 8  // + b: paths that scattered b times and continue, b < 56
	CounterClass         uint32 = 64 // + enum MaterialClass: hits shaded, with SORT_CLASS
	CounterCount         uint32 = 72 //
)

// Values of enum AovPlane.
const (
	AovAlbedo         uint32 = 0   // sum over guides; w their number, by weight
	AovNormal         uint32 = 1   // the same sum
	AovDenoiserPlanes uint32 = 2   // what OIDN reads
	AovEmissive       uint32 = 2   // the same sum, of light that no finite lobe scattered [nit]; w: of hidden background
	AovGloss          uint32 = 3   // sums over guides: x glossy albedo, y that × (1 − roughness); z, w: luminance, squared
	AovVirtualHit     uint32 = 4   // of the first sample: virtual hit [m]; w: Sight, packed (film.cuh)
	AovFilterPlanes   uint32 = 5   // what the built-in filter and history read
	AovPosition       uint32 = 5   // of the first sample: position [m], depth along the camera's axis [m]
	AovIds            uint32 = 6   // of the first sample: material, object, or −1; then how far it moved in the image [pixels]
	AovDirect         uint32 = 7   // sum over samples of direct light [nit]; w their number, by weight
	AovPlanes         uint32 = 8   //
	AovNone           uint32 = 255 // no plane
)

// Values of enum Seen.
const (
	SeenNothing uint32 = 0 //
	SeenSurface uint32 = 1 //
	SeenEmitter uint32 = 2 // a surface that emits light and reflects none
	SeenBeyond  uint32 = 3 // nothing, through glass or in a mirror
	SeenLost    uint32 = 4 // what more mirrors and glass show than are followed
)

// Values of enum SampleBlock.
const (
	BlockSamples uint32 = 16 // that are added up before they are added to others
)

// Values of enum Sampling.
const (
	SamplingBsdf  uint32 = 0 // emitters are found by chance; only lights without area are sampled
	SamplingLight uint32 = 1 // emitters are sampled; chance hits count only behind delta lobes
	SamplingMis   uint32 = 2 // both, weighted by the power heuristic
	SamplingNaive uint32 = 3 // no shadow ray ever
)

// Values of enum FrameFlag.
const (
	FrameRoulette           uint32 = 1     // Russian roulette
	FrameAntialias          uint32 = 2     // jitter inside the pixel
	FrameEnergyCompensation uint32 = 4     // multiple scattering between microfacets
	FrameStatistics         uint32 = 8     // count rays and living paths
	FrameFlipY              uint32 = 16    // resolve writes row 0 at the bottom, as OpenGL reads it
	FrameReplace            uint32 = 32    // samples replace what was accumulated
	FrameNoDirect           uint32 = 64    // leave out emission and direct light
	FrameNoIndirect         uint32 = 128   // leave out light that finite lobes scattered twice or more
	FrameCull               uint32 = 256   // camera rays pass the backs of single-sided surfaces
	FrameFirstHits          uint32 = 512   // first hits are stored: camera rays are not traced
	FrameKeepSky            uint32 = 1024  // guides of pixels that show the sky are of one sample
	FrameSchlick            uint32 = 2048  // dielectrics by Schlick's approximation
	FrameKeepGuides         uint32 = 4096  // this sample adds nothing to guides that have many already
	FrameReflections        uint32 = 8192  // guides tell where rough surfaces' reflections seem to be
	FrameHideBackground     uint32 = 16384 // the environment lights the scene, but the camera does not see it
)

// Values of enum LightKind.
const (
	LightTriangle    uint32 = 0 //
	LightEnvironment uint32 = 1 //
	LightPoint       uint32 = 2 //
	LightSpot        uint32 = 3 //
	LightDirectional uint32 = 4 //
)

// Values of enum LightMark.
const (
	TwoSidedBit uint32 = 0x80000000 // it emits on both sides
	TexturedBit uint32 = 0x40000000 // with a texture
	TestedBit   uint32 = 0x20000000 // parts of it are transparent: its alpha is looked up
	AvertedBit  uint32 = 0x10000000 // LIGHT_TRIANGLE: its front is on the side of e2 × e1, as TURNED_BIT says of its triangle
	LightMarks  uint32 = 0xf0000000 // all of these
)

// Values of enum LightTrail.
const (
	LightLeaf      uint32 = 0x80000000 //
	NoTrail        uint32 = 0xffffffff // the tree does not have the light
	LightTreeDepth uint32 = 31         // levels, at most
)

// Values of enum DeformFlag.
const (
	DeformFlat   uint32 = 1 // three vertices for each face, which have its normal
	DeformHidden uint32 = 2 // it is not drawn in this pose, nor does it glow
	DeformTurned uint32 = 4 // it is mirrored in this pose and was not at rest, or the other way round
)

// Values of enum ConvFlag.
const (
	ConvRelu     uint32 = 1 // what is negative becomes 0
	ConvUpFirst  uint32 = 2 // the first source has half the size: each of its pixels stands for 2×2
	ConvUpSecond uint32 = 4 // the second has
)

// Values of enum ConvSize.
const (
	ConvChunk   uint32 = 16 // channels that are read at once; images have a multiple of so many
	ConvWide    uint32 = 32 // output channels that a block computes where they are a multiple of it, else CONV_CHUNK
	ConvColumns uint32 = 32 // that a block computes [pixels]
	ConvRows    uint32 = 2  // for each 32 of its threads; even [pixels]
	ConvTaps    uint32 = 9  // 3×3
)

// Values of enum ReplayEvent.
const (
	ReplayScattered uint32 = 0 // it goes on by a lobe of the surface
	ReplayPassed    uint32 = 1 // straight through a pane
	ReplayInMedium  uint32 = 2 // it is scattered in a medium
	ReplayLeft      uint32 = 3 // it leaves the scene
	ReplayEnded     uint32 = 4 // it ends: no more bounces, or nothing is reflected
	ReplayRoulette  uint32 = 5 // Russian roulette ends it
	ReplayAbsorbed  uint32 = 6 // it ends in a medium
)

// Values of enum GBufferFlag.
const (
	GbufferValid    uint32 = 1  // a surface with a finite lobe was found
	GbufferReusable uint32 = 2  // it has lobes that resampling may share
	GbufferNoMirror uint32 = 4  // seen without mirrors or glass in between
	GbufferMirror   uint32 = 8  // the upper five bits count mirrors
	MaxMirrors      uint32 = 31 // with more, nothing is shared
)

// Values of enum SampleKind.
const (
	SampleSurface  uint32 = 0 // a point of a surface that reflects or emits
	SampleDistant  uint32 = 1 // a direction: the environment, a directional light
	SamplePunctual uint32 = 2 // a point or spot light
)

// Values of enum ShadeDimension.
const (
	ShadeDimension uint32 = 0x7fff // of the sampler at x1, before light samples
	ShadeIndirect  uint32 = 0x8000 // x1 is seen by a lobe that is not a delta: what it reflects is indirect light
)

// Values of enum NeighborRef.
const (
	NeighborIndex    uint32 = 0x1fffffff // which pixel; all ones: none
	NeighborFinalVis uint32 = 0x20000000 // x1 sees the sample that was kept
	NeighborVisIn    uint32 = 0x40000000 // this pixel's x1 sees the neighbour's sample
	NeighborVisOut   uint32 = 0x80000000 // the neighbour's x1 sees this pixel's sample
)

// Values of enum MisMode.
const (
	MisNaive uint32 = 0 // 1/M: biased, for comparison
	MisBasic uint32 = 1 // generalized balance and pairwise, without visibility
	MisFull  uint32 = 2 // with visibility rays: unbiased
)

// Values of enum RestirFlag.
const (
	RestirTemporal    uint32 = 1  //
	RestirSpatial     uint32 = 2  //
	RestirHistory     uint32 = 4  // the previous frame's buffers hold something
	RestirInteractive uint32 = 8  // a moving view: history grows no older than MAX_AGE
	RestirDirect      uint32 = 16 // direct light is shared, too
	RestirGather      uint32 = 32 // more paths of this frame follow before samples are shared
)

// Values of enum ReuseView.
const (
	ReuseViewOff              uint32 = 0  //
	ReuseViewPosition         uint32 = 1  // x2 of the sample that is shaded
	ReuseViewNormal           uint32 = 2  // n2
	ReuseViewRadiance         uint32 = 3  // L2
	ReuseViewCoat             uint32 = 4  // roughness and reflectance of the coat over x2
	ReuseViewWeight           uint32 = 5  // W
	ReuseViewConfidence       uint32 = 6  // c
	ReuseViewAge              uint32 = 7  // frames that the sample has lived
	ReuseViewNeighbors        uint32 = 8  // how many were similar enough
	ReuseViewSpatialJacobian  uint32 = 9  // of the first neighbour's sample
	ReuseViewDuplicates       uint32 = 10 // pixels around that hold the same sample
	ReuseViewOfHistory        uint32 = 16 //
	ReuseViewVerdict          uint32 = 16 // whether history was found, or why not: enum Verdict
	ReuseViewTemporalJacobian uint32 = 17 // of its sample
)

// Values of enum Verdict.
const (
	VerdictAccepted uint32 = 0x009e73 // found where the surface was in the previous frame
	VerdictNear     uint32 = 0x8fd9be // not there, but nearby
	VerdictUnshared uint32 = 0x303030 // this pixel has nothing to share: no surface, or only sharp lobes
	VerdictNew      uint32 = 0x909090 // there is no previous frame
	VerdictOutside  uint32 = 0x0072b2 // outside of the previous frame
	VerdictKind     uint32 = 0x56b4e9 // the previous pixel has nothing to share, or one of both is seen in a mirror
	VerdictNormal   uint32 = 0xcc79a7 // normals differ
	VerdictDepth    uint32 = 0xd55e00 // distances differ
	VerdictMaterial uint32 = 0xe69f00 // roughness, reflectance or colour differ
	VerdictAge      uint32 = 0xf0e442 // the sample was too old
)

// Values of enum ShiftColor.
const (
	ShiftNone      uint32 = 0x303030 // no neighbour
	ShiftEmpty     uint32 = 0x000000 // a neighbour without a sample
	ShiftUndefined uint32 = 0xcc79a7 // a sample that cannot be shifted here
)

// Values of enum Feature.
const (
	FeatureAlpha       uint32 = 1          // some triangle must be tested for alpha
	FeatureMedia       uint32 = 2          // some volume scatters
	FeatureGlass       uint32 = 4          // solid glass
	FeatureThin        uint32 = 8          // thin-walled glass
	FeaturePaint       uint32 = 16         // car paint
	FeatureUnlit       uint32 = 32         // unlit surfaces
	FeatureSky         uint32 = 64         // an environment that is an image
	FeatureEmitters    uint32 = 128        // emissive triangles that are sampled
	FeaturePunctual    uint32 = 256        // lights without area
	FeatureColors      uint32 = 512        // colours at vertices
	FeatureUv1         uint32 = 1024       // a texture with the second set of coordinates
	FeatureSpecular    uint32 = 2048       // KHR_materials_specular
	FeatureInstances   uint32 = 4096       // meshes that are stored once and drawn several times
	FeaturePanes       uint32 = 8192       // smooth thin glass
	FeatureVolumes     uint32 = 16384      // volumes that absorb or scatter
	FeatureClearcoat   uint32 = 32768      // KHR_materials_clearcoat
	FeatureTextures    uint32 = 65536      // << enum TextureUse: a texture for this use, of those that lobes share
	FeatureSheen       uint32 = 8388608    // KHR_materials_sheen
	FeatureAnisotropy  uint32 = 16777216   // KHR_materials_anisotropy
	FeatureIridescence uint32 = 33554432   // KHR_materials_iridescence
	FeatureTranslucent uint32 = 67108864   // KHR_materials_diffuse_transmission
	FeatureDispersion  uint32 = 134217728  // KHR_materials_dispersion
	FeatureLightTree   uint32 = 268435456  // enough lights to choose them by place
	FeatureNested      uint32 = 536870912  // volumes that stand in each other, or may
	FeatureMipmaps     uint32 = 1073741824 // textures with smaller levels
	FeatureDeep        uint32 = 2147483648 // textures of 16 bits a channel
)

// Values of enum Wrap.
const (
	WrapRepeat uint32 = 0 //
	WrapMirror uint32 = 1 //
	WrapClamp  uint32 = 2 //
)

// Values of enum TextureFlag.
const (
	TextureSrgb    uint32 = 1 // colour channels are decoded before filtering
	TextureNearest uint32 = 2 // no bilinear filter
	TextureDeep    uint32 = 4 // 16 bits a channel
)

// Values of enum LobeKind.
const (
	LobeNonSpecular          uint32 = 0 // it keeps its width
	LobeSpecularReflection   uint32 = 1 // a mirror
	LobeSpecularTransmission uint32 = 2 // light passes unscattered
)

// Values of enum LobeReuse.
const (
	LobeShared uint32 = 0 // the same light goes to all who look, except for what a lobe over it takes: samples keep it
	LobeCoat   uint32 = 1 // it lies over those: coatTransmittance() in restir/reservoir.cuh knows what it takes of their light
	LobeCover  uint32 = 2 // it lies over those and takes what nobody knows for others who look: nothing is shared beneath it
	LobeOwn    uint32 = 3 // neither: its light is the path's own
)

// Values of enum TableSize.
const (
	SrgbSize        uint32 = 256  //
	AlbedoSize      uint32 = 32   // of a slice, both ways
	AlbedoIors      uint32 = 16   // slices over the index of refraction
	AlbedoSlice     uint32 = 1024 // values of a slice
	AlbedoStrengths uint32 = 4    // slices over the square of the strength of anisotropy: 1/4 … 1
	AlbedoAzimuths  uint32 = 5    // slices from the narrow to the wide direction
)

// Values of enum AlbedoSlice.
const (
	AlbedoMirror       uint32 = 0  // ∫ D G₂ / (4 cos cos) cos, F = 1
	AlbedoCoat         uint32 = 1  // the same times (F − F₀) / (1 − F₀), for each index
	AlbedoGlassOutside uint32 = 17 // reflection and refraction, from the thin side
	AlbedoGlassInside  uint32 = 33 // from the other
	AlbedoSheen        uint32 = 49 // of the sheen
	AlbedoBrushed      uint32 = 50 // as ALBEDO_MIRROR, of anisotropic widths: slices by strength, then azimuth
	AlbedoBrushedCoat  uint32 = 70 // as ALBEDO_COAT, of an index of 1.5
	AlbedoSlices       uint32 = 90 // how many there are
)

// Values of enum AlphaMode.
const (
	AlphaOpaque uint32 = 0 //
	AlphaMask   uint32 = 1 //
	AlphaBlend  uint32 = 2 //
)

// Values of enum MaterialFlag.
const (
	MaterialDoubleSided uint32 = 1   // emits on both sides
	MaterialUnlit       uint32 = 2   // KHR_materials_unlit
	MaterialThin        uint32 = 4   // transmission without volume: both interfaces at one place
	MaterialPaint       uint32 = 8   // GLINT_materials_car_paint: flakes over a base, in place of the Lambert base
	MaterialPane        uint32 = 16  // light may pass straight through: smooth thin glass, and the two below
	MaterialGlossiness  uint32 = 32  // TEXTURE_SPECULAR_COLOR has a factor of 1 − roughness in A
	MaterialStraight    uint32 = 64  // a volume of the index of air: its surface bends nothing
	MaterialHoles       uint32 = 128 // a volume with alpha: rays stop at it, and paths find out whether they go through a hole
)

// Values of enum TextureUse.
const (
	TextureBaseColor                uint32 = 0  // sRGB; A is coverage
	TextureMetallicRoughness        uint32 = 1  // G roughness, B metallic
	TextureNormal                   uint32 = 2  // tangent space
	TextureEmissive                 uint32 = 3  // sRGB
	TextureTransmission             uint32 = 4  // R
	TextureSpecular                 uint32 = 5  // A
	TextureSpecularColor            uint32 = 6  // sRGB
	TextureSharedUses               uint32 = 7  // makeAppearance looks up those before; a lobe looks up by itself what is its own
	TextureClearcoat                uint32 = 7  // R
	TextureClearcoatRoughness       uint32 = 8  // G
	TextureClearcoatNormal          uint32 = 9  // tangent space
	TextureSheenColor               uint32 = 10 // sRGB
	TextureSheenRoughness           uint32 = 11 // A
	TextureAnisotropy               uint32 = 12 // RG direction in tangent space, B strength
	TextureIridescence              uint32 = 13 // R
	TextureIridescenceThickness     uint32 = 14 // G
	TextureDiffuseTransmission      uint32 = 15 // A
	TextureDiffuseTransmissionColor uint32 = 16 // sRGB
	TextureUses                     uint32 = 17 // how many there are
)

// Values of enum UpscaleFlag.
const (
	UpscaleHistory uint32 = 1 // there is an image of the previous frame
	UpscaleStill   uint32 = 2 // of the same view
)

// Values of enum UpscaleLimit.
const (
	UpscaleFrames uint32 = 24 // limit of history: more is steadier, fewer adapt sooner
)

// Values of enum Compaction.
const (
	CompactionOff    uint32 = 0 // every path has its slot in every queue, alive or not
	CompactionAtomic uint32 = 1 // living paths are appended, in no order
	CompactionScan   uint32 = 2 // living paths move up in their order, by a work-efficient scan
)

// Values of enum Sorting.
const (
	SortNone  uint32 = 0 // in the order of the queue
	SortKey   uint32 = 1 // by material
	SortClass uint32 = 2 // a queue for each class of materials
)

// Values of enum MaterialClass.
const (
	ClassNone     uint32 = 0 // nothing was hit
	ClassPlain    uint32 = 1 // opaque, without textures
	ClassTextured uint32 = 2 // opaque
	ClassGlass    uint32 = 3 // lets light through
	ClassPaint    uint32 = 4 // flakes under a coat
	ClassCount    uint32 = 5 //
)

// Values of enum QueueLength.
const (
	LengthExtension uint32 = 0 // paths that continue from the previous wave
	LengthShadow    uint32 = 1 // shadow rays
	LengthFree      uint32 = 2 // slots of paths that ended in the previous wave
	LengthBegun     uint32 = 3 // launch indices of the image whose paths began in earlier waves
	LengthCount     uint32 = 4 //
)

// Values of enum ShadeArgument.
const (
	ClassShift uint32 = 24 // bits of the wave
)

// Values of enum WaveLimit.
const (
	WavePathPlanes     uint32 = 4    // float4 per path: see wavefront/pool.cuh
	WavePassagePlanes  uint32 = 1    // more where the scene has panes or volumes
	WaveGiPlanes       uint32 = 2    // and more for a GI path
	WaveShadowPlanes   uint32 = 3    // float4 per shadow ray
	WaveMediaPlanes    uint32 = 1    // more where the scene has panes and volumes
	WaveGiShadowPlanes uint32 = 1    // and more for that of a GI path
	SortKeys           uint32 = 1024 // materials beyond that share keys
)

// BvhNode is the struct of that name in the kernels.
// Inner node of the binary tree: the boxes of both children, per axis (lo0, lo1, hi0, hi1).
// child: LEAF_BIT set names triangles (bits 0…26 first, 27…30 count − 1); EMPTY_CHILD is none; else a node.
type BvhNode struct {
	X     [4]float32 // [m]
	Y     [4]float32 // [m]
	Z     [4]float32 // [m]
	Child [2]uint32  // references
	Pad   [2]uint32  //
}

// WideNode is the struct of that name in the kernels.
// Inner node of the 8-wide tree, made from the binary one (Ylitie, Karras and Laine 2017, Efficient Incoherent Ray
// Traversal on GPUs Through Compressed Wide BVHs). The bounds of slot i are byte i of each row, in steps of a grid:
// lower = origin + step · lo, upper = origin + step · hi. Slots are ordered by octant: slot bits x, y, z (1, 2, 4) set mean
// that the child lies on the upper side of that axis, as far as there was room.
// A slot holds a node, namely childBase + the count of nodes in the slots below; or one to three triangles, a bit each from
// 3i on in `leaves`, whose places after triangleBase are in the order of these bits; or nothing.
type WideNode struct {
	Origin       [3]float32 // of the grid [m]
	Grid         uint32     // bits 0…23: step along x, y, z, as biased exponents of two [m]; 24…31: which slots hold nodes
	ChildBase    uint32     // index into wideNodes
	TriangleBase uint32     // index into triangles
	Leaves       uint32     // see above
	Pad          uint32     //
	LoX          [2]uint32  // [steps]
	HiX          [2]uint32  // [steps]
	LoY          [2]uint32  // [steps]
	HiY          [2]uint32  // [steps]
	LoZ          [2]uint32  // [steps]
	HiZ          [2]uint32  // [steps]
}

// SpreadNode is the struct of that name in the kernels.
// A wide node unpacked for processors that test eight boxes at once; slot i is element i of each row.
type SpreadNode struct {
	LoX   [8]float32 // [m]
	HiX   [8]float32 // [m]
	LoY   [8]float32 // [m]
	HiY   [8]float32 // [m]
	LoZ   [8]float32 // [m]
	HiZ   [8]float32 // [m]
	Child [8]uint32  // references as in BvhNode, but to nodes of this kind
}

// Triangle is the struct of that name in the kernels.
// A triangle in leaf order, ready for Möller-Trumbore.
type Triangle struct {
	V0       [3]float32 // first corner [m]
	Face     uint32     // index into faces
	E1       [3]float32 // v1 − v0 [m]
	Material uint32     // index into materials; ALPHA_BIT, TURNED_BIT
	E2       [3]float32 // v2 − v0 [m]
	Light    uint32     // index into lights when it emits, else NO_LIGHT
}

// Instance is the struct of that name in the kernels.
// An instance: a mesh with a transform. Rays are transformed into the mesh's space (scene/instance.cuh).
type Instance struct {
	ToMesh      [3][4]float32 // rows: from the world
	ToWorld     [3][4]float32 // rows: from the mesh's space
	Nodes       uint64        // BvhNode, of the mesh
	WideNodes   uint64        // WideNode, of the mesh
	SpreadNodes uint64        // SpreadNode, of the mesh; on the CPU only
	Triangles   uint64        // Triangle, of the mesh in leaf order
	First       uint32        // id of its first triangle
	Turned      uint32        // TURNED_BIT where it mirrors the mesh and did not at rest, or the other way round; else 0
	Pad         [2]uint32     //
}

// Ray is the struct of that name in the kernels.
// One ray of the ray kernels' own benchmark and tests.
type Ray struct {
	Origin    [3]float32 // [m]
	TMax      float32    // [m]
	Direction [3]float32 // unit
	Pad       uint32     //
}

// Hit is the struct of that name in the kernels.
// What a closest-hit ray found.
type Hit struct {
	T        float32 // [m]; infinite on a miss
	U        float32 // barycentric weight of v1
	V        float32 // barycentric weight of v2
	Triangle uint32  // id: place in leaf order, or of an instance; NO_HIT on a miss
}

// BuildNode is the struct of that name in the kernels.
// A node of the binary tree while it is being built. Inner nodes 0…faces − 2, the root first, then a leaf for each face.
type BuildNode struct {
	Lo    [3]float32 // of its box [m]
	Left  uint32     // a node; of a leaf its face
	Hi    [3]float32 // of its box [m]
	Right uint32     // a node
}

// BuildForest is the struct of that name in the kernels.
// The optimal representation of an inner node by slots of a wide node (collapse.go explains).
type BuildForest struct {
	Cost [7]float32 // by at most 1, 2, … 7 slots
	Left uint32     // 4 bits by slots less one: how many the left child takes; the lowest: enum in bvh/build_merge.cuh
}

// TreeBuild is the struct of that name in the kernels.
// What building a BVH on a device needs, besides what it makes: nodes, wideNodes, triangles and faces of the frame.
type TreeBuild struct {
	Lo       [3]float32 // of the scene's box [m]
	Faces    uint32     // at least two
	Scale    [3]float32 // cells of the keys' grid [1/m]
	WideRoom uint32     // wide nodes that there is room for
	Source   uint64     // Triangle, in the order of faces
	Keys     uint64     // uint64_t per face, double-buffered; then uint2 per wide node of a level, double-buffered
	Values   uint64     // uint32_t per face, double-buffered; then faces in leaf order
	Counts   uint64     // uint32_t per block and digit, or per block: twice
	Nodes    uint64     // BuildNode
	Forests  uint64     // BuildForest per inner node
	Clusters uint64     // uint32_t per face, double-buffered: nodes
	Links    uint64     // uint32_t per cluster: what becomes of it; then per leaf: its place in leaf order
	State    uint64     // uint32_t × STATE_COUNT
}

// RayParams is the struct of that name in the kernels.
// Rays for the ray kernels and for picking.
type RayParams struct {
	Rays  uint64 // Ray
	Hits  uint64 // Hit
	Count uint32 //
	Pad0  uint32 //
	Pad1  uint32 //
	Pad2  uint32 //
}

// BuildParams is the struct of that name in the kernels.
// A BVH that is being built, and those that follow what moves.
type BuildParams struct {
	Tree  uint64 // TreeBuild
	Posed uint64 // Posing
}

// VirtualHit is the struct of that name in the kernels.
// The point that a pixel shows, as far along the camera ray as the path through mirrors is long: what reprojection follows.
type VirtualHit struct {
	Position [3]float32 // as AOV_VIRTUAL_HIT [m]
	Normal   uint32     // octahedral 2 × 16 bits, or enum NoNormal
}

// Irradiance is the struct of that name in the kernels.
// Demodulated light of a pixel, which the built-in filter reads and writes: see denoise/atrous.cuh.
type Irradiance struct {
	RedGreen    uint32  // mantissas, 16 bits each
	BlueError   uint32  // mantissa; standard error of the luminance, the upper half of a float, negative when unknown
	NormalScale uint32  // 3 × 8 bits; the mantissas' exponent
	Depth       float32 // along the camera's axis [m]; in its last bits curvature and gloss
}

// DenoiseParams is the struct of that name in the kernels.
// What denoisers read and write, and what they carry over from image to image.
type DenoiseParams struct {
	Inputs           uint64  // float4 per pixel and plane: enum DenoisePlane
	Denoised         uint64  // float4 per pixel: radiance [nit]
	Irradiance       uint64  // Irradiance per pixel, twice
	VirtualHits      uint64  // VirtualHit per pixel, of this image; 0: there is no history
	PastVirtualHits  uint64  // VirtualHit per pixel, of the image that the previous camera saw
	Stabilized       uint64  // float4 per pixel: what is shown [nit], and of how many samples it is (withShare)
	PastStabilized   uint64  // the same of the previous image
	Light            uint64  // float4 per pixel: mean irradiance, and mean squared luminance
	PastLight        uint64  // the same of the previous image
	LightSamples     uint64  // float per pixel: the number of samples that `light` stands for
	PastLightSamples uint64  // the same of the previous image
	Record           uint64  // float per pixel and plane (enum RecordPlane): what filters learn from; 0: it is not kept
	Pad1             uint64  //
	ImageSamples     float32 // in the image that accumulates
	HistoryCap       float32 // history counts for at most so many samples; 0: there is none
	EdgeRays         uint32  // further camera rays of pixels around which others differ, so that edges are smooth
	SceneMoved       uint32  // 1: since the image before, so that its light may be gone
	MomentImages     float32 // independent samples that moments are of; a fraction where AOVs were asked for late
	Pad0             uint32  //
}

// LearnedTap is the struct of that name in the kernels.
// A pixel as the passes of that filter read it: 16 halves.
type LearnedTap struct {
	Halves [8]uint32 // features; light, and how much that counts for others
}

// LearnedParams is the struct of that name in the kernels.
type LearnedParams struct {
	Input        uint64  // halves, LEARNED_INPUTS per pixel, `pitch` pixels a row
	Output       uint64  // halves, LEARNED_HIDDEN per pixel, as many a row
	Heads        uint64  // float, LEARNED_HEADS times: as many as are hidden, and a bias
	Taps         uint64  // LearnedTap per pixel, twice
	Past         uint64  // 8 halves per pixel and plane: enum LearnedPast
	Scales       uint64  // 8 halves per pixel: how strict each pass is, then enum LearnedNote
	Filtered     uint64  // float4 per pixel: irradiance of the picture [nit]; 0: it is not kept
	PastFiltered uint64  // the same of the previous image
	Pitch        uint32  // [pixels]
	Shared       uint32  // 1: pixels share samples
	Exposure     float32 // of the picture
	Samples      float32 // of the image, also those that err alike
}

// ErrorMapParams is the struct of that name in the kernels.
// The two halves of the samples, and the error map that is made of them.
type ErrorMapParams struct {
	Halves     uint64 // float4 per pixel and plane: enum HalfPlane
	HalfImages uint64 // float4 per pixel, of one half and of the other: denoised radiance [nit]
	Errors     uint64 // float per pixel: relative difference of the two
	Pad0       uint64 //
}

// Meter is the struct of that name in the kernels.
// The state of auto exposure.
type Meter struct {
	Ev      float32 // exposure that is in force [stops]
	Target  float32 // what it adapts to [stops]
	Metered uint32  // 1 once there was light to measure
	Pad     uint32  //
}

// DisplayParams is the struct of that name in the kernels.
// From light to what a display shows.
type DisplayParams struct {
	Target        uint64     // RGBA8 per pixel
	Bloomed       uint64     // float4 per pixel of the pyramid, level after level, the finest first: radiance [nit]
	Meter         uint64     // Meter
	Histogram     uint64     // uint32_t × METER_BINS: shares of pixels by luminance
	BalanceRed    [3]float32 // rows of the matrix that balances white: DISPLAY_BALANCE
	Bloom         float32    // share of light that strays in eye and lens
	BalanceGreen  [3]float32 //
	BloomLevels   uint32     // of the pyramid; 0: no bloom
	BalanceBlue   [3]float32 //
	Flags         uint32     // enum DisplayFlag
	Shown         uint32     // enum Shown
	ToneMap       uint32     // enum ToneMap
	Exposure      float32    // multiplies radiance before the tone curve
	AdaptDarker   float32    // share of the way that exposure adapts in this frame where it is too high, 0…1
	AdaptBrighter float32    // where it is too low
	Background    uint32     // enum Background
	Backdrop      uint32     // the colour, 0xRRGGBB as it is displayed
	Pad0          uint32     //
}

// Blocks is the struct of that name in the kernels.
// Blocks are sums over successive samples. The samples of one sequence are spread evenly, so that their mean errs less than that of as many
// independent ones; samples that share history err alike, so that it errs more. How much the sums of blocks vary tells both. The block
// that is under way is what they lack of the moments.
type Blocks struct {
	Sum     float32 // of the luminance in blocks that are whole [nit]
	Squares float32 // of each such block the square of its sum over its weight [nit²]
}

// FilmParams is the struct of that name in the kernels.
// The image that accumulates, and what is kept of each pixel besides its light.
type FilmParams struct {
	Accumulation  uint64  // float4 per pixel: sum of radiance, number of samples
	Preview       uint64  // float4 per preview pixel: a smaller image, as sums or means
	PreviewAovs   uint64  // its planes, as aovs are; 0: none
	Aovs          uint64  // float4 per pixel and plane: enum AovPlane
	Counters      uint64  // uint64_t × COUNTER_COUNT
	MomentsImage  uint64  // the accumulation whose samples moments are of, also where a half of it is denoised
	Movement      uint64  // float4 per pixel: to where its virtual hit was before [m]; 0: nothing moves
	Blocks        uint64  // Blocks of the luminance per pixel (film.cuh); 0: they are not kept
	MomentsSince  float32 // samples of the image that moments of its light leave out
	Width         uint32  // [pixels]
	Height        uint32  // [pixels]
	PreviewWidth  uint32  // [pixels]
	PreviewHeight uint32  // [pixels]
	TiledPixels   uint32  // launch indices of one image, in whole 8×4 tiles
	AovPlanes     uint32  // that are stored; 0: none
	SampleWeight  float32 // of this frame in the accumulation
	PreviewMeans  uint32  // 1: preview holds means; 0: sums, with the number of samples
	Clamp         float32 // largest channel that a sample keeps, which biases the mean [nit]; 0: no bound
	Pad0          uint32  //
	Pad1          uint32  //
}

// FirstHitParams is the struct of that name in the kernels.
// The first hits of camera rays, which a resting view may keep.
type FirstHitParams struct {
	Hits   uint64 // Hit per launch index of the image, of camera rays; 0: they are not stored
	Sample uint32 // whose point in pixel and lens the stored camera rays go through
	Seed   uint32 // of that point
}

// GuideParams is the struct of that name in the kernels.
// The objects that guides number.
type GuideParams struct {
	Objects     uint64 // uint32_t per object: its first face
	ObjectCount uint32 //
	Pad0        uint32 //
}

// Camera is the struct of that name in the kernels.
// How a ray leaves its pixel: a thin lens, or parallel rays when orthoHalfHeight > 0.
type Camera struct {
	Eye             [3]float32 // centre of the lens [m]
	ApertureRadius  float32    // 0 is a pinhole [m]
	Right           [3]float32 // unit
	FocusDistance   float32    // along forward, to the plane of sharp focus [m]
	Up              [3]float32 // unit
	TanHalfFovY     float32    // of the vertical field of view
	Forward         [3]float32 // unit
	Aspect          float32    // width / height
	OrthoHalfHeight float32    // half of the height seen, 0 for perspective [m]
	Blades          uint32     // of the aperture, which is a polygon then; 0: it is round
	Pad0            uint32     //
	Pad1            uint32     //
}

// SamplingParams is the struct of that name in the kernels.
// How paths are sampled.
type SamplingParams struct {
	CameraMedia   uint64 // MediumStack: the volumes that the camera is in
	Pad0          uint64 //
	SampleIndex   uint32 // of this frame, from 0 after each restart
	Seed          uint32 //
	Flags         uint32 // enum FrameFlag
	Strategy      uint32 // enum Sampling
	Bounces       uint32 // scattering events at most; 1 is direct light only
	RouletteDepth uint32 // first scattering event after which roulette may end a path
	Panes         uint32 // that a path may pass straight, which counts as no scattering event
	Pad1          uint32 //
}

// Frame is the struct of that name in the kernels.
// Everything a frame's kernels read, copied once before its launches: a struct for each subject, which the code of that
// subject alone fills. Each is a multiple of 16 bytes long.
type Frame struct {
	Camera    Camera          //
	Previous  Camera          // of the previous frame
	Sampling  SamplingParams  //
	Scene     SceneParams     //
	Film      FilmParams      //
	FirstHits FirstHitParams  //
	Wavefront WavefrontParams //
	Restir    RestirParams    //
	Guides    GuideParams     //
	Denoise   DenoiseParams   //
	Learned   LearnedParams   //
	ErrorMap  ErrorMapParams  //
	Net       NetParams       //
	Upscale   UpscaleParams   //
	Display   DisplayParams   //
	Rays      RayParams       //
	Replay    ReplayParams    //
	Build     BuildParams     //
}

// Light is the struct of that name in the kernels.
// One light that next-event estimation may choose.
type Light struct {
	Position  [3]float32 // point, spot; LIGHT_TRIANGLE: its first corner [m]
	Kind      uint32     // enum LightKind
	Direction [3]float32 // the way light travels: spot, directional; LIGHT_TRIANGLE: v1 − v0 [m]
	Face      uint32     // LIGHT_TRIANGLE: index into faces
	Intensity [3]float32 // [cd] point and spot, [lux] directional; LIGHT_TRIANGLE: v2 − v0 [m]
	Selection float32    // probability that this light is chosen
	Emission  [3]float32 // LIGHT_TRIANGLE: without its texture [nit]
	Material  uint32     // LIGHT_TRIANGLE: index into materials; enum LightMark
	CosInner  float32    // spot
	CosOuter  float32    // spot
	Range     float32    // 0 for unlimited [m]
	Area      float32    // LIGHT_TRIANGLE [m²]
}

// AliasEntry is the struct of that name in the kernels.
// Walker's alias method: keep this index when u < threshold, else take alias.
type AliasEntry struct {
	Threshold float32 // 0…1
	Alias     uint32  // index
	Pdf       float32 // probability of this index
	Trail     uint32  // LightTree.alias: the way to the light in the tree, a bit a level, or NO_TRAIL
}

// LightCluster is the struct of that name in the kernels.
// What a light tree knows of the lights below a branch.
type LightCluster struct {
	Center      [3]float32 // of the box around them [m]
	Radius      float32    // half its diagonal [m]
	Axis        [3]float32 // of a cone around the directions in which they shine most, unit
	Intensity   float32    // luminance: Σ of their largest intensities [cd]
	Spread      float32    // sine of half the angle of that cone; 2 from a right angle on
	CosEmission float32    // of the angle beyond the cone up to which they shine
	Child       uint32     // index of the first of the two clusters below, or LIGHT_LEAF and the light's index
	TwoSided    uint32     // they shine to the other side as well
}

// LightTree is the struct of that name in the kernels.
// The lights by place: with a probability of `share` one is drawn from the tree, else by the table.
type LightTree struct {
	Clusters uint64  // LightCluster, in pairs; those of the root come first
	Alias    uint64  // AliasEntry per light; its pdf is the probability of being drawn by the table, not by the tree
	Share    float32 // 0: lights are chosen by power alone
	Pad0     uint32  //
	Pad1     uint32  //
	Pad2     uint32  //
}

// Environment is the struct of that name in the kernels.
// The world around the scene: constant when width is 0, else equirectangular.
// u = atan2(z, x) / 2π + ½, v = acos(y) / π from the top.
type Environment struct {
	Texels   uint64     // float4 RGB_, row 0 at the top [nit]
	Alias    uint64     // AliasEntry per texel
	Width    uint32     // [texels]
	Height   uint32     // [texels]
	Light    uint32     // index into lights, or NO_LIGHT
	Strength float32    // multiplies everything
	Constant [3]float32 // radiance when width is 0 [nit]
	Rotation float32    // about +Y [rad]
}

// Movement is the struct of that name in the kernels.
// Where an instance was in the frame before.
type Movement struct {
	ToWorld     [3][4]float32 // rows: from the mesh's space
	Positions   uint64        // float4 per vertex of the mesh, in its space [m]; 0: where they are now
	FirstVertex uint32        // of the mesh, index into vertices
	Pad         uint32        //
}

// DeformedMesh is the struct of that name in the kernels.
// A mesh that deforms: its tree, and what a pose makes its vertices of. Those of all such meshes are numbered through.
type DeformedMesh struct {
	Nodes          uint64 // BvhNode
	WideNodes      uint64 // WideNode
	SpreadNodes    uint64 // SpreadNode; on the CPU only
	Triangles      uint64 // Triangle, in leaf order
	Rest           uint64 // Vertex: as the file has it, without morphs, in the space of its mesh
	Influences     uint64 // Influence: so many for each vertex
	Deltas         uint64 // MorphDelta per vertex, target by target
	InfluenceCount uint32 // for each vertex; 0: all move by one matrix, the first
	TargetCount    uint32 // of morphs
	First          uint32 // of its vertices among all that are posed
	FirstVertex    uint32 // index into vertices
	VertexCount    uint32 //
	FirstTriangle  uint32 // of its triangles among all that are posed
	TriangleCount  uint32 // in leaf order
	FirstWide      uint32 // of its wide nodes among all that are posed
	FirstMatrix    uint32 // index into matrices
	FirstWeight    uint32 // index into weights
	Flags          uint32 // enum DeformFlag
	Pad0           uint32 //
	Pad1           uint32 //
	Pad2           uint32 //
}

// Influence is the struct of that name in the kernels.
// What a joint has in a vertex.
type Influence struct {
	Joint  uint32  // of its skin
	Weight float32 // those of a vertex add up to one
}

// MorphDelta is the struct of that name in the kernels.
// What a vertex moves by at weight 1 of a morph target.
type MorphDelta struct {
	Position [3]float32 // [m]
	Pad0     uint32     //
	Normal   [3]float32 //
	Pad1     uint32     //
	Tangent  [3]float32 //
	Pad2     uint32     //
}

// RefitNode is the struct of that name in the kernels.
// A node of a mesh's tree, to be refitted once its children are.
type RefitNode struct {
	Mesh uint32 // index into meshes
	Node uint32 // of its tree
}

// RefitBox is the struct of that name in the kernels.
// A box of a tree that is being refitted.
type RefitBox struct {
	Lo   [3]float32 // [m]
	Pad0 uint32     //
	Hi   [3]float32 // [m]
	Pad1 uint32     //
}

// RefitLevel is the struct of that name in the kernels.
// A level of the trees: nodes as far from their root, of all meshes together.
type RefitLevel struct {
	First uint32 // index into nodes or wideNodes
	Count uint32 //
}

// Posing is the struct of that name in the kernels.
// Posing: everything that the kernels of motion/deform.cuh and motion/refit.cuh read.
type Posing struct {
	Meshes        uint64 // DeformedMesh, by rising numbers
	Matrices      uint64 // float4 × 3 per joint of each skin, and per mesh without: rows, into the world
	Weights       uint64 // float per morph target of each mesh
	Previous      uint64 // float4 per vertex that is posed: where it was [m]
	Vertices      uint64 // Vertex, of the scene: written
	Lights        uint64 // Light, of the scene: written
	RestLights    uint64 // Light, as they were prepared
	Nodes         uint64 // RefitNode of binary trees
	Levels        uint64 // RefitLevel of them
	WideNodes     uint64 // RefitNode of wide trees
	WideLevels    uint64 // RefitLevel of them
	WideBoxes     uint64 // RefitBox per wide node
	Boxes         uint64 // RefitBox per mesh: of the whole
	Pad0          uint64 //
	MeshCount     uint32 //
	VertexCount   uint32 // of all that are posed
	TriangleCount uint32 //
	Pad1          uint32 //
}

// ConvLayer is the struct of that name in the kernels.
// A layer: a 3×3 convolution of one or two images. Images are halves, all channels of a pixel side by side.
type ConvLayer struct {
	Sources  [2]uint64 // halves; 0: there is none
	Weights  uint64    // halves: packed as core/matrix.h says
	Bias     uint64    // float per output channel
	Output   uint64    // halves; 0: nobody reads it
	Pooled   uint64    // halves of half the size: the maximum of each 2×2 pixels; 0: nobody reads it
	Pad0     uint64    //
	Chunks   [2]uint32 // that each source has
	Width    uint32    // of the output [pixels]
	Height   uint32    // [pixels]
	Channels uint32    // of the output
	Flags    uint32    // enum ConvFlag
}

// NetParams is the struct of that name in the kernels.
// The net that runs.
type NetParams struct {
	Layers uint64 // ConvLayer each
	Pad0   uint64 //
}

// ReplayQuery is the struct of that name in the kernels.
// A sample of a pixel that is traced again.
type ReplayQuery struct {
	X            uint32 // from the left [pixels]
	Y            uint32 // from the top [pixels]
	Sample       uint32 // SamplingParams.sampleIndex
	Seed         uint32 // SamplingParams.seed
	CameraSample uint32 // whose point in pixel and lens the camera ray goes through (FirstHitParams)
	CameraSeed   uint32 //
	HitSample    uint32 // which traced that ray: alpha lets rays through by its chance
	Pad0         uint32 //
}

// ReplayAnswer is the struct of that name in the kernels.
// What a pixel's sample is.
type ReplayAnswer struct {
	Lo       [3]float32 // [nit]
	Vertices uint32     // of its path; of ReSTIR how many samples it is made of
	Sum      [3]float32 // of all samples that the pixel has now, by weight [nit]
	Samples  float32    // their number, by weight
}

// ReplayVertex is the struct of that name in the kernels.
// A vertex of a path: what it adds to the sample, emitted and then direct, and how the path goes on.
type ReplayVertex struct {
	Position       [3]float32 // [m]; of a path that leaves the scene, its direction
	Event          uint32     // enum ReplayEvent
	Normal         [3]float32 // shading normal
	Distance       float32    // from the vertex before [m]
	Throughput     [3]float32 // from the camera to here
	Material       uint32     //
	Emitted        [3]float32 // light that is emitted here, times throughput and weight [nit]
	EmissionWeight float32    // its MIS weight
	Direct         [3]float32 // light of a light sample, times all its factors; 0 where something is in the way [nit]
	LightWeight    float32    // its MIS weight
	ToLight        [3]float32 // unit
	LightDistance  float32    // [m]; 0: no light sample
	Next           [3]float32 // direction in which the path goes on
	Pdf            float32    // of that direction; 0 by a delta lobe [1/sr]
	Lobe           uint32     // that was drawn
	Light          uint32     // that was sampled
	Object         int32      // number of what was placed in the scene; −1: unknown
	LightPdf       float32    // of the light sample [1/sr]; without area only that of the choice
}

// ReplayShared is the struct of that name in the kernels.
// A sample that ReSTIR shades at a pixel.
type ReplayShared struct {
	X2         [3]float32 // where its light comes from [m]; from afar: the direction
	Kind       uint32     // enum SampleKind
	L          [3]float32 // what it adds to the pixel [nit]
	Weight     float32    // W of the sample, times its MIS weight and Jacobian
	Radiance   [3]float32 // that arrives at the pixel's x1 from there [nit]
	Pixel      uint32     // whose it was; of history: this one
	Confidence uint32     // samples that it stands for
	Age        uint32     // [frames]
	Pad0       uint32     //
	Pad1       uint32     //
}

// ReplayParams is the struct of that name in the kernels.
// Single samples that are traced again.
type ReplayParams struct {
	Queries  uint64 // ReplayQuery
	Answers  uint64 // ReplayAnswer for each
	Vertices uint64 // ReplayVertex, `most` for each query; 0: they are not wanted
	Shared   uint64 // ReplayShared, `most` for each query
	Count    uint32 // of queries
	Most     uint32 // vertices or samples that are kept for each
	Pad0     uint32 //
	Pad1     uint32 //
}

// GBuffer is the struct of that name in the kernels.
// The first surface with a finite lobe that a pixel sees, packed so that neighbours can evaluate samples there without
// texture lookups. Double-buffered: the previous frame's is kept.
type GBuffer struct {
	Position [3]float32 // x1 [m]
	Ns       uint32     // shading normal, octahedral 2 × 16 bits
	Ng       uint32     // geometric normal on wo's side, octahedral
	Wo       uint32     // to the viewer, octahedral
	Color    uint32     // base colour, square roots in 3 × 8 bits; flags in the upper 8 (enum GBufferFlag)
	Lobes    uint32     // 4 × 8 bits: roughness, metallic, coat's reflectance at normal incidence, weight of the base
	Depth    float32    // distance along all segments from the lens [m]; its lower 6 bits hold the error of x1
	Triangle uint32     // id, as in Hit
	U        float32    // barycentric weight of v1
	V        float32    // barycentric weight of v2
}

// Reservoir is the struct of that name in the kernels.
// A resampled sample: where light comes from, and what arrives from there at the owner's x1.
type Reservoir struct {
	X2     [3]float32 // the path's second vertex or the light's position [m]; of SAMPLE_DISTANT the unit direction
	N2     uint32     // geometric normal, octahedral 2 × 16 bits; of SAMPLE_PUNCTUAL the light's index
	L2     float32    // R + G + B of the radiance that emission or the Lambert base of x2 sends to x1 [nit]
	Chroma uint32     // R and G as shares of L2, unorm16 each
	W      float32    // unbiased contribution weight: estimate of 1 / pdf [sr]
	Meta   uint32     // confidence, age, enum SampleKind, the error of x2 and the coat over it: restir/reservoir.cuh
}

// Shade is the struct of that name in the kernels.
// The part of a pixel's light that is not in its reservoir.
type Shade struct {
	Direct    [3]float32 // emission, and light that is not shared [nit]
	Dimension uint32     // of the sampler at x1, before light samples; the upper half counts panes
	Prefix    [3]float32 // throughput from the camera to x1
	MetLight  uint32     // 1: the path's ray from x1 met light that is shared
	Own       [3]float32 // what the light sample of x1 adds without being shared, if it is visible [nit]
	Paths     uint32     // how many of the frame came to the x1 of the first
}

// RestirParams is the struct of that name in the kernels.
// The buffers and settings of ReSTIR.
type RestirParams struct {
	Gbuffer           uint64  // GBuffer per pixel
	PreviousGBuffer   uint64  // GBuffer per pixel, of the previous frame
	Reservoirs        uint64  // Reservoir per pixel: initial samples, then with history
	History           uint64  // Reservoir per pixel: the spatial pass's output, read by the next frame
	Shade             uint64  // Shade per pixel
	Lights            uint64  // Reservoir per pixel: the sample of direct light, until the path ends
	Candidates        uint64  // Reservoir per pixel: what the frame's paths so far have found, where it has several
	NeighborRefs      uint64  // uint32_t per pixel and plane: enum NeighborRef
	View              uint64  // RGBA8 per pixel: what reuseView shows; 0 where there is nothing yet
	LightMedia        uint64  // MediumStack per pixel, on the ray to its light sample; with panes and volumes
	FrameIndex        uint32  // counts frames, never restarts: seeds the resampling passes
	Path              uint32  // which one of the frame's paths, from 0
	Flags             uint32  // enum RestirFlag
	MisMode           uint32  // enum MisMode
	ConfidenceCap     uint32  // history counts for at most so many fresh samples
	Neighbors         uint32  // of the spatial pass
	NeighborPlanes    uint32  // of neighborRefs; at least neighbours
	ReuseView         uint32  // enum ReuseView
	LightSamples      uint32  // of which x1 chooses its sample of direct light
	BlockSide         uint32  // neighbours lie in the same block of so many pixels' side
	MinNormalDot      float32 // of the normals of two pixels that may share
	MaxDepthChange    float32 // between them, relative
	MinDistance       float32 // from x1 to a sample that is shared, relative to x1's depth
	MaxMaterialChange float32 // between them: reflectance, colour, half of the relative roughness
	Boiling           float32 // samples brighter than so many times the mean of their block are dropped
	CopyPower         float32 // by how much copies of a sample lower its confidence; see restir/filters.cuh
}

// Face is the struct of that name in the kernels.
// What shading needs of a triangle.
type Face struct {
	V0       uint32 // index into vertices
	V1       uint32 // index into vertices
	V2       uint32 // index into vertices
	Triangle uint32 // its position in leaf order
}

// Vertex is the struct of that name in the kernels.
// One corner, world space.
type Vertex struct {
	Position [3]float32 // [m]
	ColorRG  uint32     // unorm16 pair, linear
	Normal   [3]float32 // unit
	ColorBA  uint32     // unorm16 pair, linear
	Tangent  [4]float32 // unit xyz, w handedness
	Uv0      [2]float32 //
	Uv1      [2]float32 //
}

// Texture is the struct of that name in the kernels.
type Texture struct {
	Texels uint64 // RGBA8, or RGBA16 with TEXTURE_DEEP; row 0 at v = 0
	Width  uint32 // [texels]
	Height uint32 // [texels]
	WrapS  uint32 // enum Wrap
	WrapT  uint32 // enum Wrap
	Flags  uint32 // enum TextureFlag
	Mips   uint32 // index into textures of its level of half the size, with the others behind it; 0 for none
}

// TextureRef is the struct of that name in the kernels.
// A material's use of a texture, with KHR_texture_transform.
type TextureRef struct {
	Texture int32   // index into textures, −1 for none
	UvSet   uint32  // 0 or 1
	M00     float32 // u' = m00 u + m01 v + m02
	M01     float32 //
	M02     float32 //
	M10     float32 // v' = m10 u + m11 v + m12
	M11     float32 //
	M12     float32 //
}

// Flakes is the struct of that name in the kernels.
// One layer of flakes: little metal plates that lie about parallel to the surface, each with a tilt and a colour of its own.
type Flakes struct {
	Color      [3]float32 // reflectance of flakes at one end of the range
	Size       float32    // mean distance of neighbours [m]
	OtherColor [3]float32 // at the other
	Coverage   float32    // share of the surface that they cover, 0…1
	Exponent   float32    // Blinn-Phong's, of one flake
	Spread     float32    // greatest slope of a flake against the surface
	Pad0       uint32     //
	Pad1       uint32     //
}

// Material is the struct of that name in the kernels.
// glTF metallic-roughness with the KHR extensions of materials, and GLINT car_paint.
type Material struct {
	BaseColor                [4]float32              // linear factor
	Emission                 [3]float32              // [nit]
	Metallic                 float32                 //
	SpecularColor            [3]float32              // of the dielectric's reflection at normal incidence
	Specular                 float32                 // weight of the dielectric's reflection
	Attenuation              [3]float32              // Beer-Lambert coefficient inside [1/m]
	Roughness                float32                 // perceptual; alpha is its square
	Scattering               [3]float32              // part of attenuation that scatters; 0 unless there is a volume [1/m]
	ScatterAnisotropy        float32                 // mean cosine of the angle of scattering
	Ior                      float32                 //
	Transmission             float32                 //
	NormalScale              float32                 //
	AlphaCutoff              float32                 //
	AlphaMode                uint32                  // enum AlphaMode
	Flags                    uint32                  // enum MaterialFlag
	Priority                 float32                 // of the volume: where several overlap, that of the highest counts
	Pad1                     uint32                  //
	Textures                 [TextureUses]TextureRef // by enum TextureUse
	Flakes                   [2]Flakes               // MATERIAL_PAINT: the upper layer first
	EdgeColor                [3]float32              // MATERIAL_PAINT: of the base at grazing angles
	Clearcoat                float32                 // weight, 0…1
	SheenColor               [3]float32              // linear factor
	SheenRoughness           float32                 // perceptual
	DiffuseTransmissionColor [3]float32              // linear factor
	DiffuseTransmission      float32                 // share of the base that light passes through
	ClearcoatRoughness       float32                 // perceptual
	ClearcoatNormalScale     float32                 //
	Anisotropy               float32                 // strength, 0…1
	AnisotropyCos            float32                 // of the angle from the tangent to the direction of the strength
	AnisotropySin            float32                 //
	Iridescence              float32                 // weight of the thin film, 0…1
	IridescenceIor           float32                 // of the film
	IridescenceMin           float32                 // thickness of the film where its texture is 0 [nm]
	IridescenceMax           float32                 // where it is 1, or there is none [nm]
	Dispersion               float32                 // KHR_materials_dispersion: 20 over Abbe's number
	Pad3                     uint32                  //
	Pad4                     uint32                  //
}

// SceneParams is the struct of that name in the kernels.
// The scene: geometry, materials, lights and what is around them.
type SceneParams struct {
	Environment   Environment //
	LightTree     LightTree   //
	Nodes         uint64      // BvhNode
	WideNodes     uint64      // WideNode, over the same triangles
	SpreadNodes   uint64      // SpreadNode for each WideNode; on the CPU only
	Triangles     uint64      // Triangle, leaf order
	Instances     uint64      // Instance, by rising ids
	TlasNodes     uint64      // BvhNode over instances
	TlasWideNodes uint64      // WideNode over instances
	TlasOrder     uint64      // uint32_t per entry of their leaves: an instance, or STATIC_GEOMETRY
	Faces         uint64      // Face
	Vertices      uint64      // Vertex
	Materials     uint64      // Material
	Textures      uint64      // Texture
	Lights        uint64      // Light
	LightAlias    uint64      // AliasEntry per light
	Tables        uint64      // float, see core/tables.cuh
	Movements     uint64      // Movement per instance; 0: nothing has moved since the frame before
	Hardware      uint64      // the tree that hardware traces; 0: software does
	Pad1          uint64      //
	InstanceCount uint32      // 0: there is no TLAS
	NodeCount     uint32      // 0 when the scene has no triangles
	LightCount    uint32      //
	Missing       uint32      // enum Feature: what the scene has none of
	Radius        float32     // [m]
	Reach         float32     // at least radius; twice that bounds the terms that a point of an instance is the sum of [m]
	LightScale    float32     // multiplies every emitter
	Pad0          uint32      //
}

// LowResPixel is the struct of that name in the kernels.
// A sample of the low-resolution image, with what it shows.
type LowResPixel struct {
	Light    [3]float32 // except what no finite lobe has scattered [nit]
	Albedo   uint32     // square roots in 3 × 10 bits
	Position [3]float32 // of the virtual hit [m]
	Normal   uint32     // octahedral 2 × 16 bits, or enum NoNormal
	At       [2]float32 // where in the low-resolution image the sample was taken [its pixels]
	Emissive uint32     // whether it shows light that was not scattered
	Pad      uint32     //
}

// UpscaleParams is the struct of that name in the kernels.
// A low-resolution image, and the full-size history of those before it.
type UpscaleParams struct {
	Samples       uint64  // LowResPixel per pixel of the low-resolution image
	Image         uint64  // float4 per pixel: the upsample image [nit]; how much its samples tell about this pixel
	History       uint64  // float4 per pixel, of the previous frame: PixelHistory, packed
	Next          uint64  // the same of this frame
	Distances     uint64  // float per pixel, of the previous frame: distance of the virtual hit [m]
	NextDistances uint64  // the same of this frame
	Width         uint32  // of the low-resolution image [pixels]
	Height        uint32  // [pixels]
	Flags         uint32  // enum UpscaleFlag
	Share         float32 // of the native image, while it fades in
}

// WavefrontParams is the struct of that name in the kernels.
// The pool of paths and its queues.
type WavefrontParams struct {
	Paths        uint64 // float4 per path of the pool and plane
	Hits         uint64 // Hit per slot of the extension queue
	Queues       uint64 // uint32_t per slot, double-buffered: living paths
	ShadowRays   uint64 // float4 per slot of the shadow queue and plane
	QueueLengths uint64 // uint32_t × LENGTH_COUNT × waves
	PathIndices  uint64 // uint32_t per path: its launch index; 0 where that is the index of the path
	FreeSlots    uint64 // uint32_t per slot: paths that ended in the previous wave; with pathIndices
	Survivors    uint64 // uint32_t per slot of the extension queue: the path if it continues; COMPACTION_SCAN
	ScanSums     uint64 // uint32_t per block of slots
	ShadingOrder uint64 // uint32_t per slot of the extension queue; unless SORT_NONE
	SortTable    uint64 // uint32_t × 3 × SORT_KEYS: hits of each key, where they begin, and where the next goes
	PoolSize     uint32 // paths in flight
	Waves        uint32 // of the frame, plus one
	Compaction   uint32 // enum Compaction
	Sorting      uint32 // enum Sorting
	Pad0         uint32 //
	Pad1         uint32 //
}
