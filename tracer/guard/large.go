package guard

import "unsafe"

// largeBytes is from where on memory is asked for in large pages.
const largeBytes = 4 << 20

// MakeLarge is make for slices of up to hundreds of megabytes that are filled at once. Where there are large pages they come in
// such: to get small ones from the system takes several times as long as to fill them.
func MakeLarge[T any](n int) []T {
	made := make([]T, n)
	if bytes := uintptr(n) * unsafe.Sizeof(*new(T)); bytes >= largeBytes {
		fetchLargePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(made))), bytes))
	}
	return made
}
