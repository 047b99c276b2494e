package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contextRoots are the files in which a context begins, with the reason; everywhere else it is the caller's, so that
// esc, a deadline or a signal ends what runs.
var contextRoots = map[string]string{
	"functions/external/program.go":       "the life of a program is longer than one evaluation, and Close waits until its processes have ended",
	"functions/external/host.go":          "the life of a program that suggests is longer than one request, and Close ends it",
	"optimizers/testbed/testbed.go":       "drives tests",
	"tui/internal/browsertest/browser.go": "drives tests, also when they end",
	"tui/cli/signals.go":                  "the context of the process, which ends with a signal",
	"sessions/library/comparisons.go":     "the few points of a built-in comparison are values of a function that is computed at once",
	"sessions/library/lessons.go":         "the built-in lessons are part of the program, and listed once for all callers",
	"tui/progress.go":                     "what was read is written also when the window closes; lesson.AddProgress has a deadline of its own",
	"tui/widget/jobs.go":                  "the life of a job, which the screen ends",
	"tui/sessions.go":                     "what was read is written also when the window closes; lesson.AddProgress has a deadline of its own",
	"tui/player/follow.go":                "the life of a session, whose end ends the wait for its file",
	"tui/playground/acts.go":              "an act is recorded also when the screen closes",
	"tui/rights/rights.go":                "the person at this machine, whose end is that of the process",
	"tui/studypage/study.go":              "what is handed over at the end has a deadline of its own",
	"tui/labs/training.go":                "the life of a training, which the screen ends",
}

// A context begins where a process, a job or a test does, and nowhere below.
func TestContextsAreTheCallers(t *testing.T) {
	found, err := contextsBegun(os.DirFS(root))
	require.NoError(t, err)
	for _, file := range slices.Sorted(maps.Keys(found)) {
		if contextRoots[file] == "" {
			t.Errorf("%s begins a context on line %d: pass the caller's", file, found[file])
		}
	}
	for file := range contextRoots {
		assert.NotEqual(t, 0, found[file], "%s begins no context any more: take it from the list", file)
	}
}

// contextsBegun are the files in which context.Background or context.TODO is called, with the last line of such a call.
// Tests and hidden folders are passed over.
func contextsBegun(tree fs.FS) (found map[string]int, err error) {
	found = map[string]int{}
	files := token.NewFileSet()
	return found, fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && len(d.Name()) > 1 && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
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
			if s, ok := n.(*ast.SelectorExpr); ok && (s.Sel.Name == "Background" || s.Sel.Name == "TODO") {
				if owner, ok := s.X.(*ast.Ident); ok && owner.Name == "context" {
					found[file] = files.Position(s.Pos()).Line
				}
			}
			return true
		})
		return nil
	})
}
