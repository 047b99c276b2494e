package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// doors are where rights are made of the user's own folders: all other code of the screens gets them as a value.
var doors = []string{"tui/cli/", "tui/rights/", "tui/record.go"}

// ownFolders are the ways to the user's own folders, by package and function.
var ownFolders = map[string]bool{"library.DefaultDir": true, "library.DefaultStudiesDir": true, "rights.Own": true,
	"os.UserHomeDir": true, "os.UserConfigDir": true, "os.UserCacheDir": true, "xdg.DataHome": true}

// No screen finds the user's own folders except through the rights that it was given.
func TestOwnFoldersAreOnlyReachedByRights(t *testing.T) {
	for file, name := range foldersReached(t, os.DirFS(root)) {
		t.Errorf("%s uses %s: take the folder from the rights of the person", file, name)
	}
	planted := fstest.MapFS{"tui/page/page.go": {Data: []byte("package page\nvar dir = library.DefaultDir()\n")},
		"tui/cli/a.go": {Data: []byte("package cli\nvar dir = library.DefaultDir()\n")}}
	if got := foldersReached(t, planted); len(got) != 1 || got["tui/page/page.go"] != "library.DefaultDir" {
		t.Errorf("of a planted use %v is seen", got)
	}
}

// foldersReached are the files of screens that find the user's own folders, with the function.
func foldersReached(t *testing.T, tree fs.FS) map[string]string {
	t.Helper()
	found, files := map[string]string{}, token.NewFileSet()
	err := fs.WalkDir(tree, "tui", func(file string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		for _, door := range doors {
			if strings.HasPrefix(file, door) {
				return nil
			}
		}
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if owner, ok := s.X.(*ast.Ident); ok && ownFolders[owner.Name+"."+s.Sel.Name] {
					found[file] = owner.Name + "." + s.Sel.Name
				}
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	return found
}
