package terminal

import (
	"fmt"
	"strings"
)

// Suggestion asks whether the nearest of some names was meant, when one is near enough.
func Suggestion(word string, names []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, name := range names {
		if d := editDistance(word, name); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(": did you mean %s?", best)
}

// editDistance counts the letters to insert, remove or replace, and the neighbours to swap, that make one word the other.
func editDistance(a, b string) int {
	from, to := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range to {
		rows[0][j+1] = j + 1
	}
	for i, x := range from {
		for j, y := range to {
			replace := rows[i][j]
			if x != y {
				replace++
			}
			rows[i+1][j+1] = min(rows[i][j+1]+1, rows[i+1][j]+1, replace)
			if i > 0 && j > 0 && x == to[j-1] && from[i-1] == y {
				rows[i+1][j+1] = min(rows[i+1][j+1], rows[i-1][j-1]+1)
			}
		}
	}
	return rows[len(from)][len(to)]
}

// InWords is "a, b and c".
func InWords(words []string, and string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}

// Names are those of some things, or what else is said of each.
func Names[T, N any](things []T, name func(T) N) []N {
	names := make([]N, len(things))
	for i, t := range things {
		names[i] = name(t)
	}
	return names
}
