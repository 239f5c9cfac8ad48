//go:build !linux

package guard

// wishLargePages does nothing: other systems choose the size of pages themselves.
func wishLargePages([]byte) {}
