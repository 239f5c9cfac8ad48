package oidn

// functions are those of the library, by their names there without "oidn" before them, with handles as plain addresses.
type functions struct {
	NewDevice             func(kind int32) uintptr
	NewCUDADevice         func(ordinals *int32, streams *uintptr, count int32) uintptr
	SetDeviceBool         func(device uintptr, name string, value bool)
	GetDeviceInt          func(device uintptr, name string) int32
	CommitDevice          func(device uintptr)
	SyncDevice            func(device uintptr)
	ReleaseDevice         func(device uintptr)
	GetDeviceError        func(device uintptr, message *uintptr) int32
	NewFilter             func(device uintptr, kind string) uintptr
	SetSharedFilterImage  func(filter uintptr, name string, address uintptr, format int32, width, height, offset, pixelStride, rowStride uintptr)
	SetFilterBool         func(filter uintptr, name string, value bool)
	SetFilterInt          func(filter uintptr, name string, value int32)
	CommitFilter          func(filter uintptr)
	ExecuteFilter         func(filter uintptr)
	ExecuteFilterAsync    func(filter uintptr)
	ReleaseFilter         func(filter uintptr)
	IsCUDADeviceSupported func(ordinal int32) bool
}
