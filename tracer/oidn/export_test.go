package oidn

// CountFilters counts the filters that this device makes from now on and has not released.
func (d *Device) CountFilters() *int {
	open := new(int)
	library := *d.lib
	made, released := library.call.newFilter, library.call.releaseFilter
	library.call.newFilter = func(device uintptr, kind string) uintptr {
		*open++
		return made(device, kind)
	}
	library.call.releaseFilter = func(filter uintptr) {
		*open--
		released(filter)
	}
	d.lib = &library
	return open
}
