package cuda

// KeepsPassage tells whether light passes through anything in a scene that lacks these features, which paths then keep track of:
// keepsPassage in kernels/wavefront/pool.cuh.
func KeepsPassage(missing uint32) bool { return missing&through != through }

// CrossesVolumes tells whether shadow rays may enter and leave volumes in such a scene: crossesVolumes in kernels/path/path.cuh.
func CrossesVolumes(missing uint32) bool { return missing&through == 0 }

const through = FeaturePanes | FeatureVolumes
