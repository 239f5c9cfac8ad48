package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"glint/tracer/builtin"
)

// sceneNames lists the built-in scenes.
func sceneNames() []string {
	var names []string
	for _, i := range builtin.List() {
		names = append(names, i.Name)
	}
	return names
}

// commandNames lists the commands that help shows.
func commandNames(app *kong.Application) []string {
	var names []string
	for _, command := range app.Leaves(true) {
		names = append(names, command.Name)
	}
	return names
}

// checkScene refuses a word that is no scene before anything is opened for it. Others are what else it may have been meant as.
func checkScene(name string, others ...string) error {
	if name == "" || isScene(name) {
		return nil
	}
	return fmt.Errorf("no such file or built-in scene: %q%s", name, suggestion(name, slices.Concat(sceneNames(), others)))
}

// isScene tells whether a word names a file or a built-in scene.
func isScene(word string) bool {
	_, err := os.Stat(word)
	return err == nil || slices.Contains(sceneNames(), word)
}

// unknownWord is the error for a word that is neither a command nor a scene, or nil.
func unknownWord(app *kong.Application, word string) error {
	commands := commandNames(app)
	if word == "" || strings.HasPrefix(word, "-") || slices.Contains(commands, word) || isScene(word) {
		return nil
	}
	return fmt.Errorf("%q is no command, file or built-in scene%s", word, suggestion(word, slices.Concat(commands, sceneNames())))
}

// suggestion asks whether the nearest of some names was meant, when one is near enough.
func suggestion(word string, names []string) string {
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

// inWords is "a, b and c".
func inWords(words []string, and string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}
