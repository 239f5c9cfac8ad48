//go:build !linux

package guard

// fetchLargePages does nothing: other systems choose the size of pages themselves.
func fetchLargePages([]byte) {}
