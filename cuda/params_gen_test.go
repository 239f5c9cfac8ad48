// Code generated from kernels/params/*.h by cuda/tools/gen; DO NOT EDIT.

package cuda_test

import "glint/cuda"

// shared has one of each shared struct.
var shared = []any{
	cuda.BvhNode{},
	cuda.WideNode{},
	cuda.SpreadNode{},
	cuda.Triangle{},
	cuda.Instance{},
	cuda.Ray{},
	cuda.Hit{},
	cuda.BuildNode{},
	cuda.BuildForest{},
	cuda.TreeBuild{},
	cuda.SeenPlace{},
	cuda.Signal{},
	cuda.Meter{},
	cuda.Camera{},
	cuda.Frame{},
	cuda.Light{},
	cuda.AliasEntry{},
	cuda.Environment{},
	cuda.GBuffer{},
	cuda.Reservoir{},
	cuda.Shade{},
	cuda.Face{},
	cuda.Vertex{},
	cuda.Texture{},
	cuda.TextureRef{},
	cuda.Flakes{},
	cuda.Material{},
	cuda.SmallPixel{},
	cuda.Upscaling{},
}
