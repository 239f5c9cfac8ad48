package guard

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// longestName is how much of a name a message shows: a file may hold a megabyte where a name should be.
const longestName = 80

// Name is a name or a text from a file as a message may show it: short, on one line, and without characters that a terminal
// would obey. One that holds such characters is quoted.
func Name(s string) string {
	s = Shorten(s)
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// Quoted is Name between quotes.
func Quoted(s string) string { return strconv.Quote(Shorten(s)) }

// Shorten cuts a text that is too long for a message.
func Shorten(s string) string {
	if len(s) <= longestName {
		return s
	}
	end := longestName
	for end > longestName-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
