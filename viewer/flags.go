package viewer

import (
	"fmt"
	"strings"
	"unicode"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// cameraFlags are the flags of `glint render` that take the same view.
func cameraFlags(c scene.Camera) string {
	length := c.Target.Sub(c.Eye).Len()
	flags := fmt.Sprintf("--eye %s --target %s --up %s",
		coordinatesNear(c.Eye, length, ","), coordinatesNear(c.Target, length, ","), coordinates(scene.Wide(c.Up), ","))
	if c.Orthographic == 0 {
		flags += fmt.Sprintf(" --vfov %.4g", c.VFov)
	}
	return flags
}

// settingFlags are the flags of all settings that are not at their defaults.
func settingFlags(table []settings.Setting, s settings.Settings) string {
	usual := settings.Defaults()
	var flags []string
	for _, row := range table {
		if !row.Same(&s, &usual) {
			flags = append(flags, "--"+row.Name+" "+row.Text(&s))
		}
	}
	return strings.Join(flags, " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("./,_-+:@%", r)
	}) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
