package hud

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// TestHUDDrawsFromTheModel: nothing that draws gets hold of what can be changed.
func TestHUDDrawsFromTheModel(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	kept := []string{"Session", "Side", "Camera", "Renderer", "Picture"}
	models := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			use, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := use.X.(*ast.Ident); !ok || pkg.Name != "session" {
				return true
			}
			if slices.Contains(kept, use.Sel.Name) {
				t.Errorf("%s uses session.%s: give it a part of the model", name, use.Sel.Name)
			}
			if use.Sel.Name == "Model" {
				models++
			}
			return true
		})
	}
	if models < 10 {
		t.Errorf("only %d functions draw the model", models)
	}
}
