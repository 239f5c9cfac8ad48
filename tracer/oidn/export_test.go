package oidn

// CountFilters counts the filters that this device makes from now on and has not released.
func (d *Device) CountFilters() *int {
	open := new(int)
	library := *d.lib
	made, released := library.call.NewFilter, library.call.ReleaseFilter
	library.call.NewFilter = func(device uintptr, kind string) uintptr {
		*open++
		return made(device, kind)
	}
	library.call.ReleaseFilter = func(filter uintptr) {
		*open--
		released(filter)
	}
	d.lib = &library
	return open
}
