package tracer

import "glint/cuda/driver"

// copiesShare of a device's memory is for geometry with every copy by itself; the rest is for textures, images and history.
const copiesShare = 0.25

// RoomForCopies is what geometry may take on the device that Open would choose before meshes that repeat should become
// instances (scene.Options.BakedBytes). It is 0, the scene package's default, where nothing is known of a GPU.
func RoomForCopies(o Options) int64 {
	if o.Backend == "cpu" {
		return 0
	}
	devices, err := driver.Devices(driver.Options{})
	if err != nil || o.Device < 0 || o.Device >= len(devices) {
		return 0
	}
	return int64(copiesShare * float64(devices[o.Device].TotalMemory))
}
