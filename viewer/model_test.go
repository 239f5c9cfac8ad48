package viewer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestHUDDrawsFromTheModel: nothing that draws gets hold of the window's state.
func TestHUDDrawsFromTheModel(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	drawing := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || pointee(f.Recv.List[0].Type) != "hud" {
				continue
			}
			drawing++
			for _, field := range f.Type.Params.List {
				if pointee(field.Type) == "app" {
					t.Errorf("%s: %s gets the window's state: give it a part of the model", name, f.Name.Name)
				}
			}
		}
	}
	if drawing < 30 {
		t.Errorf("only %d methods of hud", drawing)
	}
}

// pointee is the name of the type that a type points at, or empty.
func pointee(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}
