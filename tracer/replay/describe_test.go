package replay

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLobesAreNamed: names stand in the order of the kernels' table of lobes, one for each row.
func TestLobesAreNamed(t *testing.T) {
	text, err := os.ReadFile("../../cuda/kernels/params/scene.h")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "#define LOBES(X)")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile(`X\((\w+), `).FindAllStringSubmatch(table, -1)
	if len(rows) != len(lobes) {
		t.Fatalf("%d lobes have %d names", len(rows), len(lobes))
	}
	for i, row := range rows {
		if name := strings.ReplaceAll(lobes[i], " ", ""); !strings.HasPrefix(name, strings.ToLower(row[1])) {
			t.Errorf("lobe %d, %s, is called %q", i, row[1], lobes[i])
		}
	}
}
