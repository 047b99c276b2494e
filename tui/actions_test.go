package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// syntax is the file of a path, read as Go.
func syntax(t *testing.T, path string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// named are the names behind screen. or another package's name, in one function of a file.
func named(f *ast.File, function string) (names []string) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == function {
			ast.Inspect(fn, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if p, ok := s.X.(*ast.Ident); ok {
						names = append(names, p.Name+"."+s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	return names
}

// Every action that a screen can want is done by the window, and every screen's keys stand in the help and in the README.
func TestNothingIsForgotten(t *testing.T) {
	done, actions := named(syntax(t, "app.go"), "do"), 0
	ast.Inspect(syntax(t, "screen/action.go"), func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && s.Name.Name != "Action" && s.Name.Name != "ActionMsg" {
			if actions++; !slices.Contains(done, "screen."+s.Name.Name) {
				t.Errorf("nobody does screen.%s", s.Name.Name)
			}
		}
		return true
	})
	told, screens := named(syntax(t, "keys.go"), "groups"), 0
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		f := syntax(t, path)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "Groups" && fn.Recv == nil {
				if screens++; !slices.Contains(told, f.Name.Name+".Groups") {
					t.Errorf("the keys of %s are not told", f.Name.Name)
				}
			}
		}
	}
	if actions < 10 || screens < 4 {
		t.Errorf("%d actions and %d screens are found", actions, screens)
	}
}
