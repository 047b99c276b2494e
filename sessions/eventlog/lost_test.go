package eventlog

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// disturbances are what other programs do to a file that is open here: what they call it, and what lies at its path
// then.
var disturbances = map[string]struct {
	how  string
	left string // empty for nothing
	do   func(path string) error
}{
	"rm":     {"removed", "", os.Remove},
	"mv":     {"removed", "", func(path string) error { return os.Rename(path, path+".moved") }},
	"sed -i": {"replaced", "other", func(path string) error { return Replace(path, []byte("other"), 0o644) }},
	"nano":   {"changed", "other", func(path string) error { return os.WriteFile(path, []byte("other"), 0o644) }},
	"rm -r":  {"removed", "", func(path string) error { return os.RemoveAll(filepath.Dir(path)) }},
	"rm, then": {"replaced", "", func(path string) error {
		return errors.Join(os.Remove(path), os.Mkdir(path, 0o755))
	}},
}

// skipOnWindows skips a test in which an open file loses its name.
func skipOnWindows(t *testing.T, loses bool) {
	if loses && runtime.GOOS == "windows" {
		t.Skip("Windows keeps the name of an open file")
	}
}

// A file that another program removes, replaces or changes is not appended to any more, and the error says so, before
// the lines are taken for written, and when the file is closed. The whole log goes to a new file beside it, which takes
// the place of none.
func TestLostFiles(t *testing.T) {
	for name, c := range disturbances {
		t.Run(name, func(t *testing.T) {
			skipOnWindows(t, name != "nano")
			tree := grown(t, "a", "b")
			path := filepath.Join(t.TempDir(), "folder", "s.jsonl")
			open := func() *File {
				os.RemoveAll(path)
				file, err := Create(path, tree.Events())
				require.NoError(t, err)
				require.NoError(t, c.do(path))
				return file
			}
			file := open()
			var lost *LostError
			if err := file.Close(); !errors.As(err, &lost) || lost.How != c.how {
				t.Errorf("closed: %v", err)
			}
			file = open()
			next := add(t, tree, tree.LastPosition(), "c", 1)
			failed := inTurn(file, tree, next)
			if !errors.As(failed, &lost) || lost.How != c.how || file.Writable() || file.Close() != nil {
				t.Fatalf("appended: %v, and it is writable: %v", failed, file.Writable())
			}
			if c.left != "" {
				if got, err := os.ReadFile(path); err != nil || string(got) != c.left {
					t.Errorf("the other program's file has %q, %v", got, err)
				}
			}
			taken := strings.TrimSuffix(path, ".jsonl") + "-rescued.jsonl"
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
				os.WriteFile(taken, []byte("taken"), 0o644)); err != nil {
				t.Fatal(err)
			}
			saved, notice, err := Rescue(failed, tree.Events())
			require.NoError(t, err)
			defer saved.Close()
			if want := strings.TrimSuffix(path, ".jsonl") + "-rescued-2.jsonl"; saved.Path() != want ||
				!strings.Contains(notice, path+" was "+c.how) || !strings.HasSuffix(notice, "is now in "+want) {
				t.Errorf("saved in %s: %s", saved.Path(), notice)
			}
			if got, _ := os.ReadFile(saved.Path()); string(got) != written(tree) {
				t.Errorf("saved is\n%s", got)
			}
			if got, _ := os.ReadFile(taken); string(got) != "taken" {
				t.Errorf("a file that was there has %q", got)
			}
			assert.NoError(t, inTurn(saved, tree, add(t, tree, tree.LastPosition(), "d", 1)))
		})
	}
	if _, _, err := Rescue(errFull, nil); !errors.Is(err, errFull) {
		t.Errorf("another error: %v", err)
	}
}

// A file that is lost between two lines of one act, after the first check, is noticed before the act is taken for done.
func TestLostWhileWriting(t *testing.T) {
	skipOnWindows(t, true)
	tree := grown(t, "a")
	file, err := Create(filepath.Join(t.TempDir(), "s.jsonl"), tree.Events())
	require.NoError(t, err)
	file.file = removing{file.file, file.path}
	if err := inTurn(file, tree, add(t, tree, tree.LastPosition(), "b", 1)); !errors.As(err, new(*LostError)) {
		t.Errorf("got %v", err)
	}
	file.Close()
}

// removing is a disk the file of which is removed while it is written to.
type removing struct {
	disk
	path string
}

func (r removing) Write(b []byte) (int, error) {
	n, err := r.disk.Write(b)
	return n, errors.Join(err, os.Remove(r.path))
}
