package view

import (
	"fmt"
	"strings"
)

// Size is a size of pictures that goes by a name, pixels.
type Size struct {
	Name          string
	Width, Height int
}

// Sizes are those that are asked for often.
func Sizes() []Size {
	return []Size{
		{"720p", 1280, 720}, {"1080p", 1920, 1080}, {"4k", 3840, 2160}, {"square", 1080, 1080}, {"portrait", 1080, 1350},
	}
}

// FindSize is the size of a name.
func FindSize(name string) (Size, bool) {
	for _, s := range Sizes() {
		if strings.EqualFold(s.Name, name) {
			return s, true
		}
	}
	return Size{}, false
}

// SizeNames lists the names for help.
func SizeNames() string {
	var names []string
	for _, s := range Sizes() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// String is the size in words.
func (s Size) String() string { return fmt.Sprintf("%d × %d", s.Width, s.Height) }
