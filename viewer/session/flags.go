package session

import (
	"fmt"
	"strings"
	"unicode"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// CameraFlags are the flags of `glint render` that take the same view.
func CameraFlags(c scene.Camera) string {
	length := c.Target.Sub(c.Eye).Len()
	flags := fmt.Sprintf("--eye %s --target %s --up %s",
		CoordinatesNear(c.Eye, length, ","), CoordinatesNear(c.Target, length, ","), coordinates(scene.Wide(c.Up), ","))
	if c.Orthographic == 0 {
		flags += fmt.Sprintf(" --vfov %.4g", c.VFov)
	}
	return flags
}

// SettingFlags are the flags of all settings that are not at their defaults.
func SettingFlags(table []settings.Setting, s settings.Settings) string {
	usual := settings.Defaults()
	var flags []string
	for _, row := range table {
		if !row.Same(&s, &usual) {
			flags = append(flags, "--"+row.Name+" "+row.Text(&s))
		}
	}
	return strings.Join(flags, " ")
}

// Quoted is a word as a shell takes it.
func Quoted(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("./,_-+:@%", r)
	}) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
