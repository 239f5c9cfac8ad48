// Command tables writes docs/measurements.md from page.tmpl and the tables in this folder: `make docs` or
// `go run ./docs/tables`, in the repository's root. A table is a CSV file; the lines that begin with # are its caption, which says
// on what machine and with what command its figures were measured.
package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

func main() {
	text, err := page(os.DirFS(filepath.Join("docs", "tables")))
	if err == nil {
		err = os.WriteFile(filepath.Join("docs", "measurements.md"), text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// page fills page.tmpl in with the tables of dir.
func page(dir fs.FS) ([]byte, error) {
	unused, err := fs.Glob(dir, "*.csv")
	if err != nil {
		return nil, err
	}
	functions := template.FuncMap{
		"table": func(name string) (string, error) {
			name += ".csv"
			unused = slices.DeleteFunc(unused, func(file string) bool { return file == name })
			return table(dir, name)
		},
		"published": func() (string, error) { return published(dir, "h200", "cpu") },
	}
	parsed, err := template.New("page.tmpl").Funcs(functions).ParseFS(dir, "page.tmpl")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, nil); err != nil {
		return nil, err
	}
	if len(unused) > 0 {
		return nil, fmt.Errorf("page.tmpl shows no table of %s: add it there, or remove the file", strings.Join(unused, ", "))
	}
	return out.Bytes(), nil
}

// table is the CSV file name as Markdown, below its caption.
func table(dir fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return "", err
	}
	var caption []string
	for line := range strings.Lines(string(text)) {
		comment, found := strings.CutPrefix(line, "#")
		if !found {
			break
		}
		caption = append(caption, strings.TrimSpace(comment))
	}
	about := strings.Join(caption, " ")
	if !strings.Contains(about, "`") || !strings.Contains(about, "H200") && !strings.Contains(about, "wo cores") {
		return "", fmt.Errorf("%s: the caption must name the machine (H200 or two cores) and the command", name)
	}
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return about + "\n\n" + markdown(rows), nil
}

// markdown writes rows as a table, of which the first is the head.
func markdown(rows [][]string) string {
	rows = slices.Insert(rows, 1, slices.Repeat([]string{"---"}, len(rows[0])))
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = "| " + strings.Join(row, " | ") + " |"
	}
	return strings.Join(lines, "\n")
}

// figure is a line of figures.jsonl, as `glint bench -o` writes it.
type figure struct {
	Table, Row, Side string
	Speed            float64
	Reference        *span `json:"reference_speed"`
}

type span struct{ Low, High float64 }

// String has three digits, as in the reports.
func (s span) String() string {
	if s.High == 0 {
		return "–"
	}
	if number(s.Low) == number(s.High) {
		return number(s.Low)
	}
	return number(s.Low) + " to " + number(s.High)
}

func number(x float64) string {
	switch {
	case x >= 99.5:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// with is the smallest span that holds both.
func (s span) with(other span) span {
	if s.High == 0 {
		return other
	}
	return span{math.Min(s.Low, other.Low), math.Max(s.High, other.High)}
}

// published has a row for each table of `glint bench`: how many times as fast its sides are as the first, over all rows.
func published(dir fs.FS, machines ...string) (string, error) {
	type key struct{ table, side string }
	var keys []key
	speeds := make([]map[key]span, len(machines)+1) // the last are those that were published
	for i := range speeds {
		speeds[i] = map[key]span{}
	}
	for i, machine := range machines {
		figures, err := readFigures(dir, machine+"/figures.jsonl")
		if err != nil {
			return "", err
		}
		for _, f := range figures {
			if f.Speed == 0 { // the first side, or one that this build cannot measure
				continue
			}
			k := key{f.Table, f.Side}
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
			speeds[i][k] = speeds[i][k].with(span{f.Speed, f.Speed})
			if f.Reference != nil {
				speeds[len(machines)][k] = speeds[len(machines)][k].with(*f.Reference)
			}
		}
	}
	rows := [][]string{{"`--tables`", "sides", "H200", "two cores", "published"}}
	for _, k := range keys {
		cells := []string{k.table, k.side}
		for _, s := range speeds {
			cells = append(cells, s[k].String())
		}
		if last := rows[len(rows)-1]; last[0] == k.table {
			for i := range last[1:] {
				last[i+1] += "; " + cells[i+1]
			}
		} else {
			rows = append(rows, cells)
		}
	}
	return markdown(rows), nil
}

func readFigures(dir fs.FS, name string) ([]figure, error) {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	var figures []figure
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var f figure
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		figures = append(figures, f)
	}
	return figures, lines.Err()
}
