package terminal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lmittmann/tint"
)

// hostile is text that would clear a screen, forge a line, colour or turn around what follows.
var hostile = []string{
	"\x1b[2J\x1b[31mred", "a\nglint: all is well", "a\r12:00:00 INF written", "bell\a\b\b\b", "\u009b31m", "\x9b31m", "\x7f", "\u202etxt.exe",
	`a \x1b[31m b`, "tab\tand\x00zero", "line\u2028break", "\U000e0041 tag", "zero\u200bwidth\ufeff",
}

// terminal tells what of a text a terminal would obey.
func terminal(text string) string {
	for i, r := range text {
		if r == utf8.RuneError || r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return text[i:]
		}
	}
	return ""
}

func TestNothingPrintedIsObeyed(t *testing.T) {
	for _, text := range hostile {
		out := bytes.Buffer{}
		if n, err := (&Writer{To: &out}).Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
		for name, got := range map[string]string{"printed": out.String(), "error": Sentence(text), "log": logText(text)} {
			if bad := terminal(got); bad != "" {
				t.Errorf("%q %s: a terminal obeys %q", text, name, bad)
			}
		}
		if strings.Contains(logText(text), "\n") || strings.Contains(Sentence(text), "\nglint") {
			t.Errorf("%q forges a line", text)
		}
	}
}

// TestNoLogLineIsObeyed: with colours too, where only the logger's own are obeyed.
func TestNoLogLineIsObeyed(t *testing.T) {
	log := func(noColor bool, text string) string {
		out := bytes.Buffer{}
		handler := tint.NewTextHandler(&out, &tint.Options{ReplaceAttr: logAttribute, NoColor: noColor})
		slog.New(handler).Info(text, text, text, "error", errors.New(text), "list", []string{text})
		return out.String()
	}
	for _, text := range hostile {
		if bad := terminal(log(true, text)); bad != "" {
			t.Errorf("%q: a terminal obeys %q", text, bad)
		}
		colored := log(false, text)
		if strings.Count(colored, "\x1b") != strings.Count(log(false, "harmless text"), "\x1b") || strings.Count(colored, "\n") != 1 {
			t.Errorf("%q adds colours or lines: %q", text, colored)
		}
	}
}

func TestEscapedJSONReadsTheSame(t *testing.T) {
	for _, text := range hostile {
		text = strings.ToValidUTF8(text, "?")
		out := bytes.Buffer{}
		if err := json.NewEncoder(&Writer{To: &out}).Encode(text); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != text {
			t.Errorf("%q became %q, %v", text, back, err)
		}
	}
}

func TestShortened(t *testing.T) {
	digits := strings.Repeat("7", 20_000_000)
	for _, text := range []string{digits, `--spp "` + digits + `": want a number`, strings.Repeat(digits[:300]+" ", 70_000), strings.Repeat("é", 1000)} {
		got := Sentence(text)
		if len(got) > 3100 || !utf8.ValidString(got) || !strings.Contains(got, "characters)") {
			t.Errorf("%.50s… became %d bytes", text, len(got))
		}
	}
	for _, text := range []string{"", "glint: no such file", strings.Repeat("/folder", 40), strings.Repeat("word ", 500)} {
		if got := shortened(text); got != text {
			t.Errorf("%.50s… became %.50s…", text, got)
		}
	}
}

func TestPrinterKeepsItsError(t *testing.T) {
	reader, writer := io.Pipe()
	reader.CloseWithError(syscall.EPIPE)
	p := &Writer{To: writer}
	_, _ = p.Write([]byte("text"))
	if !errors.Is(p.Err, ErrNoReader) {
		t.Error(p.Err)
	}
}
