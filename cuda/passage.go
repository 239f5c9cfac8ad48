package cuda

// KeepsPassage tells whether light passes through anything in a scene that lacks these features, which paths then keep track of:
// keepsPassage in kernels/wavefront/pool.cuh.
func KeepsPassage(missing uint32) bool {
	const through = FeaturePanes | FeatureVolumes
	return missing&through != through
}
