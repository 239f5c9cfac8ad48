// Code generated from kernels/params/film.h by cuda/tools/gen; DO NOT EDIT.

package cuda

// What of AOVs film shows.
const (
	ShownDirect   = ShownAovs + 0
	ShownIndirect = ShownAovs + 1
	ShownAlbedo   = ShownAovs + 2
	ShownNormal   = ShownAovs + 3
	ShownDepth    = ShownAovs + 4
	ShownPosition = ShownAovs + 5
	ShownMaterial = ShownAovs + 6
	ShownObject   = ShownAovs + 7
	ShownMotion   = ShownAovs + 8
	ShownSamples  = ShownAovs + 9
	ShownVariance = ShownAovs + 10
	ShownTrust    = ShownAovs + 11
	ShownLightEnd = ShownAovs + 2 // what is below is light
)

var aovs = []AOV{
	{Name: "direct", Help: "light that was scattered once at most, not counting mirrors and smooth glass [nit]", Channels: []string{"R", "G", "B"}, Shown: ShownDirect,
		source: aovMean, plane: AovDirect, first: 0,
	},
	{Name: "indirect", Help: "the rest of the light [nit]: with direct it is the image", Channels: []string{"R", "G", "B"}, Shown: ShownIndirect,
		source: aovRest, plane: AovDirect, first: 0,
	},
	{Name: "albedo", Help: "colour without light", Channels: []string{"R", "G", "B"}, Shown: ShownAlbedo,
		source: aovGuide, plane: AovAlbedo, first: 0,
	},
	{Name: "normal", Help: "shading normal: 0 at −1, full at 1", Channels: []string{"X", "Y", "Z"}, Shown: ShownNormal,
		source: aovGuide, plane: AovNormal, first: 0,
	},
	{Name: "depth", Help: "along the camera's axis, dark near and bright far [m]", Channels: []string{"Z"}, Shown: ShownDepth,
		source: aovFirst, plane: AovPosition, first: 3,
	},
	{Name: "position", Help: "a wave per axis, as long as the scene's radius [m]", Channels: []string{"X", "Y", "Z"}, Shown: ShownPosition,
		source: aovFirst, plane: AovPosition, first: 0,
	},
	{Name: "material", Help: "number in the file; −1 for none", Channels: []string{"I"}, Shown: ShownMaterial,
		source: aovFirst, plane: AovIds, first: 0,
	},
	{Name: "object", Help: "number of what was placed in the scene; −1 for none", Channels: []string{"I"}, Shown: ShownObject,
		source: aovFirst, plane: AovIds, first: 1,
	},
	{Name: "motion", Help: "in the image since the frame before [pixels]: red to the right, green down, 16 at full", Channels: []string{"X", "Y"}, Shown: ShownMotion,
		source: aovFirst, plane: AovIds, first: 2,
	},
	{Name: "samples", Help: "in the pixel, logarithmic up to 65536", Channels: []string{"N"}, Shown: ShownSamples,
		source: aovSamples, plane: AovNone, first: 0,
	},
	{Name: "variance", Help: "of the pixel's mean luminance [nit²]; shown as relative standard error, logarithmic from 1/1024 to 1", Channels: []string{"V"}, Shown: ShownVariance,
		Scale:  []string{"1/1024", "1/32", "1"},
		source: aovMoments, plane: AovGloss, first: 2,
	},
	{Name: "trust", Help: "how far two halves of the samples are apart once each is denoised, relative: about the error that is left; logarithmic from 1/256 to 1", Channels: []string{"T"}, Shown: ShownTrust,
		Scale: []string{"1/256: agreed", "1/16", "1: not to be trusted"},
	},
}
