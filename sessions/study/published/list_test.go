package published

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/library"
	"bandscope/sessions/study/store"
)

// folder is an empty folder of studies.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "studies")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	return dir
}

// begin makes a study's database, which changed last at an hour.
func begin(t *testing.T, dir, name string, hour int) string {
	t.Helper()
	path := filepath.Join(dir, name+Extension)
	s, err := store.Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	when := time.Date(2026, 11, 21, hour, 0, 0, 0, time.UTC)
	require.NoError(t, os.Chtimes(path, when, when))
	return path
}

// What was begun comes first, the last that changed first, also by what stands in the journal beside it; then what is
// built in and was not begun, by name. Each stands there once.
func TestList(t *testing.T) {
	dir := folder(t)
	begin(t, dir, "mine", 9)
	begin(t, dir, "bbob", 13)
	path := begin(t, dir, "yours", 8)
	begin(t, dir, "thesis-4.1", 11)
	journal := path + "-wal"
	require.NoError(t, os.WriteFile(journal, nil, 0o600))
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	require.NoError(t, os.Chtimes(journal, noon, noon))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"+Extension), 0o700))
	want := []string{"bbob begun built", "yours begun", "thesis-4.1 begun built", "mine begun"}
	for _, name := range Names() {
		if name != "bbob" && name != "thesis-4.1" {
			want = append(want, name+" built")
		}
	}
	entries, err := List(t.Context(), dir)
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		text := e.Name
		if e.Path != "" {
			text += " begun"
		}
		if e.BuiltIn != nil {
			text += " built"
			assert.Equal(t, e.Name, e.BuiltIn.Name, "%s has the declaration of", e.Name)
		}
		got = append(got, text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed are\n%s, not\n%s", strings.Join(got, ", "), strings.Join(want, ", "))
	}
	if e, err := FindOpen(t.Context(), dir, "yours"); err != nil || e.Path != path {
		t.Errorf("found %+v, %v", e, err)
	}
	if _, err := FindOpen(t.Context(), dir, "mines"); !errors.Is(err, didyoumean.ErrUnknown) ||
		!strings.Contains(fmt.Sprint(err), "did you mean mine") {
		t.Errorf("of a name that is not quite one: %v", err)
	}
}

// A study is moved to the trash whole and back; one that is looked at stays, and which one that is is said without its
// folder.
func TestTrash(t *testing.T) {
	dir := folder(t)
	path := begin(t, dir, "mine", 9)
	s, err := store.OpenExisting(t.Context(), path)
	require.NoError(t, err)
	if _, err := MoveToTrash(t.Context(), path); err == nil ||
		!strings.HasPrefix(err.Error(), "the study mine is in use; ") {
		t.Errorf("while it is looked at: %v", err)
	}
	require.NoError(t, s.Close())
	var lies []string
	for range 2 { // of one name
		target, err := MoveToTrash(t.Context(), path)
		require.NoError(t, err)
		lies = append(lies, target)
		begin(t, dir, "mine", 9)
	}
	if want := []string{
		filepath.Join(dir, "trash", "mine.db"), filepath.Join(dir, "trash", "mine-2.db")}; !slices.Equal(lies, want) {
		t.Errorf("they lie in %v", lies)
	}
	if target, err := library.Restore(lies[1]); err != nil || target != filepath.Join(dir, "mine-2.db") {
		t.Errorf("back in %s: %v", target, err)
	}
	_, err = library.Restore(lies[0])
	assert.ErrorContains(t, err, "exists already", "where another one is")
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 3 {
		t.Errorf("there are %v, %v", left, err)
	}
}
