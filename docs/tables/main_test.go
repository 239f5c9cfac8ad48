package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestMeasurementsAreOfTheseTables(t *testing.T) {
	want, err := page(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join("..", "measurements.md"))
	if err != nil || !bytes.Equal(have, want) {
		t.Errorf("docs/measurements.md is not of these tables: run `make docs` (%v)", err)
	}
	if lines := bytes.Count(want, []byte("\n")); lines > 300 {
		t.Errorf("docs/measurements.md has %d lines: leave out what nobody looks up", lines)
	}
}

func TestTablesAreRefused(t *testing.T) {
	const good = "# H200: `glint bench`\n,ms\nchess,2\n"
	for _, c := range []struct{ page, table, says string }{
		{`{{table "a"}}`, good, ""},
		{``, good, "shows no table"},
		{`{{table "a"}}`, ",ms\nchess,2\n", "caption"},
		{`{{table "a"}}`, "# H200, somehow\n,ms\nchess,2\n", "caption"},
		{`{{table "a"}}`, good + "city\n", "wrong number of fields"},
		{`{{table "b"}}`, good, "b.csv"},
	} {
		text, err := page(fstest.MapFS{"page.tmpl": {Data: []byte(c.page)}, "a.csv": {Data: []byte(c.table)}})
		if c.says == "" && (err != nil || !strings.HasSuffix(string(text), "\n\n|  | ms |\n| --- | --- |\n| chess | 2 |")) {
			t.Errorf("%q gives %q, %v", c.table, text, err)
		}
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%q, %q: %v does not say %q", c.page, c.table, err, c.says)
		}
	}
}
