// Package terminal prints for people: text that no terminal obeys, log lines, progress, and what a misspelled word may have meant.
package terminal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// Whatever glint prints may hold text from outside: arguments, names of files and what stands in them. A terminal obeys control
// characters, so none gets there: not in errors and log lines, nor on standard output. The progress bar alone writes its own.

// escaped writes the characters that a terminal or a reader may obey, or that cannot be seen, as \u001b and the like: controls, marks
// of direction, odd spaces, and bytes that are no UTF-8. JSON reads the same from it, except from such bytes. What keep says stays.
func escaped(text string, keep func(rune) bool) string {
	visible := func(r rune) bool { return unicode.IsPrint(r) || keep(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !visible(r) }) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for rest := text; rest != ""; {
		r, width := utf8.DecodeRuneInString(rest)
		switch {
		case r == utf8.RuneError && width == 1:
			fmt.Fprintf(&b, `\x%02x`, rest[0])
		case !visible(r):
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		default:
			b.WriteString(rest[:width])
		}
		rest = rest[width:]
	}
	return b.String()
}

// Line is text that fits a line.
func Line(text string) string { return escaped(text, keepNone) }

func keepNone(rune) bool { return false }

func keepLayout(r rune) bool { return r == '\n' || r == '\t' }

// Sentence makes the text of an error fit to print. Lines after the first are indented, so that none can pass for one of glint's.
func Sentence(text string) string {
	return strings.ReplaceAll(escaped(shortened(text), keepLayout), "\n", "\n  ")
}

// logText makes text fit for a log line, which it does not break. What looks like an escaped ESC is written in another way, since
// the logger would take it for one.
func logText(text string) string {
	line := strings.ReplaceAll(shortened(text), "\n", "; ")
	return strings.ReplaceAll(escaped(line, keepNone), `\x1b`, `\u001b`)
}

// shortened leaves out the middle of words and texts that no person would read: a number may have millions of digits.
func shortened(text string) string {
	const (
		longestWord, longestText = 400, 3000 // bytes; paths are shorter than such words
		kept                     = 60        // bytes of such a word
	)
	if len(text) <= longestWord {
		return text
	}
	var b strings.Builder
	for rest := text; rest != "" && b.Len() < longestText; {
		end := strings.IndexAny(rest, " \t\r\n")
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		if len(word) > longestWord {
			word = strings.ToValidUTF8(word[:kept], "") + fmt.Sprintf("…(%d characters)", utf8.RuneCountInString(word))
		}
		b.WriteString(word)
		if end < len(rest) {
			b.WriteByte(rest[end])
			end++
		}
		rest = rest[end:]
	}
	if b.Len() < longestText {
		return b.String()
	}
	return strings.ToValidUTF8(b.String()[:longestText], "") + fmt.Sprintf("…(%d characters)", utf8.RuneCountInString(text))
}

// logAttribute is the logger's hook that makes names and values fit to print.
func logAttribute(_ []string, a slog.Attr) slog.Attr {
	a.Key = logText(a.Key)
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(logText(a.Value.String()))
	case slog.KindAny:
		if _, isLevel := a.Value.Any().(slog.Level); !isLevel {
			a.Value = slog.StringValue(logText(fmt.Sprint(a.Value.Any())))
		}
	}
	return a
}

// NewLogger logs to w what fits a terminal.
func NewLogger(w *os.File, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: "15:04:05", ReplaceAttr: logAttribute,
		NoColor: !term.IsTerminal(int(w.Fd()))}))
}

// Writer is standard output or standard error for text: see escaped. It keeps its first error, since not all who print look at theirs.
type Writer struct {
	To  io.Writer
	Err error
}

// ErrNoReader says that the reader of standard output, such as head, wants no more.
var ErrNoReader = errors.New("nobody reads standard output any more")

// Write prints whole characters.
func (p *Writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.To, escaped(string(text), keepLayout)); err != nil {
		if errors.Is(err, syscall.EPIPE) {
			err = ErrNoReader
		}
		p.Err = cmp.Or(p.Err, err)
		return 0, err
	}
	return len(text), nil
}
