package tracer

import "glint/cuda"

// entry numbers what is timed by itself: the kernels, then for each that shades the classes of materials that it was launched
// for one by one.
type entry int

const (
	shadePathsEntries  = entry(cuda.KernelCount)
	shadeSharedEntries = shadePathsEntries + entry(cuda.ClassCount)
	entryCount         = shadeSharedEntries + entry(cuda.ClassCount)
)

// classShift is where an argument of a shading kernel holds one more than the class that the launch is for.
const classShift = 24

// className is THE table of what classes of materials are called.
var className = [cuda.ClassCount]string{cuda.ClassNone: "missed", cuda.ClassPlain: "plain", cuda.ClassTextured: "textured",
	cuda.ClassGlass: "glass", cuda.ClassPaint: "paint"}

// entryOf is the entry of a launch.
func entryOf(k cuda.Kernel, turn uint32) entry {
	class := turn >> classShift
	switch {
	case class > 0 && k == cuda.ShadePaths:
		return shadePathsEntries + entry(class-1)
	case class > 0 && k == cuda.ShadeGiPaths:
		return shadeSharedEntries + entry(class-1)
	}
	return entry(k)
}

// parts are the kernel of an entry and its class of materials, -1 where it is of all.
func (e entry) parts() (k cuda.Kernel, class int) {
	switch {
	case e >= shadeSharedEntries:
		return cuda.ShadeGiPaths, int(e - shadeSharedEntries)
	case e >= shadePathsEntries:
		return cuda.ShadePaths, int(e - shadePathsEntries)
	}
	return cuda.Kernel(e), -1
}

// String is the kernel's name, and of what class of materials.
func (e entry) String() string {
	k, class := e.parts()
	if class < 0 {
		return k.String()
	}
	return k.String() + " " + className[class]
}

func (e entry) kind() Kind {
	k, class := e.parts()
	if class < 0 {
		return Kind(k.Category())
	}
	return shadingOf(class)
}
