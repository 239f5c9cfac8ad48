// Command house keeps packages readable: it fails where a type has too many methods, or where files of a package refer to each other in
// circles more than the table allows.
//
//	go run -C .ci/checks ./house [-v] [-show PACKAGE]
//
// A reference is a use of a function, method, type, variable or constant that another file of the package declares; fields do not count,
// and each pair of files counts once. Files are put into the order in which the fewest pairs run backward (Eades, Lin and Smyth's rule of
// thumb, so a better order may exist).
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	mostMethods       = 25 // of a type
	mostDeviceMethods = 30 // of an interface of devices
)

// backward says how many pairs of files may run backward. A package without a row has none. Numbers only go down.
var backward = map[string]int{
	"viewer": 1, // a binding of a key acts on the window, whose input looks bindings up
}

func main() {
	verbose := flag.Bool("v", false, "print every package, with its lines")
	show := flag.String("show", "", "print the pairs of files of this package that are in circles")
	flag.Parse()
	packages, err := load("../..")
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(2)
	}
	bad := 0
	complain := func(format string, a ...any) {
		bad++
		fmt.Fprintf(os.Stderr, format+"\n", a...)
	}
	lines := 0
	for _, p := range packages {
		back := p.backward()
		if *show == p.dir {
			for _, e := range p.inCircles() {
				fmt.Println(e[0], "→", e[1], p.uses[e])
			}
		}
		if *verbose {
			fmt.Printf("%-26s %3d files %6d lines %4d references %3d in circles %3d backward\n", p.dir, len(p.files), p.lines, len(p.uses), len(p.inCircles()), back)
		}
		lines += p.lines
		if allowed := backward[p.dir]; back != allowed {
			complain("%s: %d references between files run backward, the table of .ci/checks/house says %d: turn them round, or lower the table", p.dir, back, allowed)
		}
		for _, t := range slices.Sorted(maps.Keys(p.methods)) {
			if n, allowed := p.methods[t], p.limit(t); n > allowed {
				complain("%s.%s has %d methods, at most %d are allowed: give each job a type", p.dir, t, n, allowed)
			}
		}
	}
	if *verbose {
		fmt.Printf("%d lines of Go\n", lines)
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// pkg is what the files of a package use of each other.
type pkg struct {
	dir     string
	files   []string
	lines   int
	uses    map[[2]string][]string // names, by the file that uses and the file that declares
	methods map[string]int         // by type
}

func (p *pkg) limit(typeName string) int {
	if p.dir == "tracer/device" && typeName == "Device" {
		return mostDeviceMethods
	}
	return mostMethods
}

// load reads all packages below root but generated, hidden and test files.
func load(root string) (all []*pkg, err error) {
	dirs := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case counts(d.Name()):
			dirs[filepath.Dir(path)] = true
		}
		return nil
	})
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		p, loadErr := loadPackage(root, dir)
		if loadErr != nil {
			return nil, loadErr
		}
		all = append(all, p)
	}
	return all, err
}

func counts(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_gen.go")
}

func loadPackage(root, dir string) (*pkg, error) {
	name, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, err
	}
	p := &pkg{dir: filepath.ToSlash(name), uses: map[[2]string][]string{}, methods: map[string]int{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		if !counts(e.Name()) {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			return nil, err
		}
		files, p.files = append(files, f), append(p.files, e.Name())
		p.lines += fset.File(f.Pos()).LineCount() - 1
		p.countMethods(f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	check := types.Config{Importer: strangers{}, Error: func(error) {}, FakeImportC: true} // what others declare stays unknown
	own, _ := check.Check(dir, fset, files, info)
	for id, o := range info.Uses {
		if o.Pkg() != own || !o.Pos().IsValid() || !shared(o, own) {
			continue
		}
		from, to := filepath.Base(fset.Position(id.Pos()).Filename), filepath.Base(fset.Position(o.Pos()).Filename)
		if from != to {
			p.uses[[2]string{from, to}] = append(p.uses[[2]string{from, to}], o.Name())
		}
	}
	return p, nil
}

// shared tells whether an object is declared for the whole package: no field and no local variable.
func shared(o types.Object, own *types.Package) bool {
	switch o := o.(type) {
	case *types.Func:
		return true
	case *types.Var:
		return !o.IsField() && o.Parent() == own.Scope()
	}
	return o.Parent() == own.Scope()
}

func (p *pkg) countMethods(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				p.methods[receiver(d.Recv.List[0].Type)]++
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					if i, ok := t.Type.(*ast.InterfaceType); ok {
						p.methods[t.Name.Name] = i.Methods.NumFields()
					}
				}
			}
		}
	}
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return fmt.Sprint(t)
}

// strangers stands for all packages that are imported.
type strangers struct{}

func (strangers) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// reach is what each file uses, directly or by way of others.
func (p *pkg) reach() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, f := range p.files {
		seen := map[string]bool{}
		for next := []string{f}; len(next) > 0; next = next[1:] {
			for e := range p.uses {
				if e[0] == next[0] && !seen[e[1]] {
					seen[e[1]] = true
					next = append(next, e[1])
				}
			}
		}
		all[f] = seen
	}
	return all
}

// inCircles are the pairs of files each of which leads back to the other.
func (p *pkg) inCircles() (pairs [][2]string) {
	reach := p.reach()
	for e := range p.uses {
		if reach[e[1]][e[0]] {
			pairs = append(pairs, e)
		}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) })
	return pairs
}

// backward is how many pairs run against the order of files.
func (p *pkg) backward() (n int) {
	place := map[string]int{}
	for i, f := range p.order() {
		place[f] = i
	}
	for e := range p.uses {
		if place[e[0]] > place[e[1]] {
			n++
		}
	}
	return n
}

// order takes files one by one: those that use no other that is left come last, those that no other uses first, and otherwise the one
// that uses the most and is used the least.
func (p *pkg) order() []string {
	var first, last []string
	left := slices.Clone(p.files)
	for len(left) > 0 {
		best, most, end := 0, -1<<30, false
		for i, f := range left {
			uses, used := 0, 0
			for e := range p.uses {
				if e[0] == f && slices.Contains(left, e[1]) {
					uses++
				}
				if e[1] == f && slices.Contains(left, e[0]) {
					used++
				}
			}
			switch {
			case uses == 0:
				best, most, end = i, 1<<30, true
			case used == 0 && !end:
				best, most = i, 1<<30
			case uses-used > most:
				best, most = i, uses-used
			}
		}
		if end {
			last = append([]string{left[best]}, last...)
		} else {
			first = append(first, left[best])
		}
		left = slices.Delete(left, best, best+1)
	}
	return append(first, last...)
}
