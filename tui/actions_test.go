package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/tui/widget"
)

// syntax is the file of a path, read as Go.
func syntax(t *testing.T, path string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	return f
}

// named are the names behind a package's name, in a function or variable of a file.
func named(f *ast.File, in string) (names []string) {
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return n.Name.Name == in
			case *ast.ValueSpec:
				return n.Names[0].Name == in
			case *ast.TypeSpec, *ast.ImportSpec:
				return false
			case *ast.SelectorExpr:
				if p, ok := n.X.(*ast.Ident); ok {
					names = append(names, p.Name+"."+n.Sel.Name)
				}
			}
			return true
		})
	}
	return names
}

// Every action that a screen can want is done by the window, and every screen's keys stand in the help and in the
// guide.
func TestNothingIsForgotten(t *testing.T) {
	reported, done := named(syntax(t, "keys.go"), "groups"), named(syntax(t, "pages.go"), "do")
	extensions, err := filepath.Glob("*/extension.go")
	require.NoError(t, err)
	for _, path := range extensions { // whose value has the keys, and says which actions it does
		f := syntax(t, path)
		reported, done = append(reported, f.Name.Name+".Groups"), append(done, named(f, "Extension")...)
	}
	actions, screens, pages := 0, 0, 0
	ast.Inspect(syntax(t, "widget/action.go"), func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && s.Name.Name != "Action" && s.Name.Name != "ActionMsg" {
			if actions++; !slices.Contains(done, "widget."+s.Name.Name) {
				t.Errorf("nobody does widget.%s", s.Name.Name)
			}
		}
		return true
	})
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	for _, path := range files {
		f := syntax(t, path)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			if fn.Name.Name == "Groups" {
				if screens++; !slices.Contains(reported, f.Name.Name+".Groups") {
					t.Errorf("the keys of %s are not told", f.Name.Name)
				}
			}
			if fn.Name.Name == "init" && slices.Contains(named(f, "init"), "widget.Register") {
				pages++
			}
		}
	}
	if actions < 10 || screens < 4 || pages < 3 {
		t.Errorf("%d actions, %d screens and %d pages of the session are found", actions, screens, pages)
	}
	if n := len(widget.SessionPages()); n != pages {
		t.Errorf("%d packages register a page of the session, and the window imports those of %d", pages, n)
	}
}
