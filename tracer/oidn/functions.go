package oidn

// functions are those of the library, with handles as plain addresses.
type functions struct {
	newDevice         func(kind int32) uintptr
	newCUDADevice     func(ordinals *int32, streams *uintptr, count int32) uintptr
	setDeviceBool     func(device uintptr, name string, value bool)
	getDeviceInt      func(device uintptr, name string) int32
	commitDevice      func(device uintptr)
	syncDevice        func(device uintptr)
	releaseDevice     func(device uintptr)
	getDeviceError    func(device uintptr, message *uintptr) int32
	newFilter         func(device uintptr, kind string) uintptr
	setImage          func(filter uintptr, name string, address uintptr, format int32, width, height, offset, pixelStride, rowStride uintptr)
	setFilterBool     func(filter uintptr, name string, value bool)
	setFilterInt      func(filter uintptr, name string, value int32)
	commitFilter      func(filter uintptr)
	executeFilter     func(filter uintptr)
	executeAsync      func(filter uintptr)
	releaseFilter     func(filter uintptr)
	cudaDeviceSupport func(ordinal int32) bool
}

// row ties a function to its exported name.
type row struct {
	name     string
	function any // pointer to a field of functions
}

// table lists every function that is needed.
func (f *functions) table() []row {
	return []row{
		{"oidnNewDevice", &f.newDevice},
		{"oidnNewCUDADevice", &f.newCUDADevice},
		{"oidnSetDeviceBool", &f.setDeviceBool},
		{"oidnGetDeviceInt", &f.getDeviceInt},
		{"oidnCommitDevice", &f.commitDevice},
		{"oidnSyncDevice", &f.syncDevice},
		{"oidnReleaseDevice", &f.releaseDevice},
		{"oidnGetDeviceError", &f.getDeviceError},
		{"oidnNewFilter", &f.newFilter},
		{"oidnSetSharedFilterImage", &f.setImage},
		{"oidnSetFilterBool", &f.setFilterBool},
		{"oidnSetFilterInt", &f.setFilterInt},
		{"oidnCommitFilter", &f.commitFilter},
		{"oidnExecuteFilter", &f.executeFilter},
		{"oidnExecuteFilterAsync", &f.executeAsync},
		{"oidnReleaseFilter", &f.releaseFilter},
		{"oidnIsCUDADeviceSupported", &f.cudaDeviceSupport},
	}
}
