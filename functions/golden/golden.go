// Package golden compares texts that tests make with those that were read and kept: whole files, and parts of a
// document. Where they differ a test fails with the lines that do, as a unified diff. With -update it writes them as
// they are now.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what tests compare with as it is now")

// Updating reports whether the stored texts are to be updated.
func Updating() bool { return *update }

// contextLines is how many equal lines a diff has around those that differ.
const contextLines = 2

// Diff is a unified diff of two texts, empty where they are equal.
func Diff(want, got string) string {
	text, err := udiff.ToUnified("want", "got", want, udiff.Lines(want, got), contextLines)
	if err != nil {
		return err.Error()
	}
	return text
}

// File compares a text with that of a file, as a test reads it: shown is what of both is compared in the failure, such
// as a screen without its colours; nil is all.
func File(t testing.TB, path, got string, shown func(string) string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	if got == string(want) {
		return
	}
	diff := ""
	if shown != nil {
		diff = Diff(shown(string(want)), shown(got))
	}
	if diff == "" { // the rest differs
		diff = Diff(visible(string(want)), visible(got))
	}
	t.Errorf("%s differs (-update writes it):\n%s", path, diff)
}

// visible is a text with visible escape characters.
func visible(text string) string { return strings.ReplaceAll(text, "\x1b", "␛") }

// Section compares the part of a document between the lines <!-- name --> and <!-- end of name --> with what it is made
// from.
func Section(t testing.TB, path, name, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begun := strings.Cut(string(b), begin)
	got, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has no part between the lines %q and %q", path, begin, end)
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+want+end+after), 0o644))
		return
	}
	if got != want {
		t.Errorf("the part %q of %s differs from what it is made from (-update writes it):\n%s", name, path,
			Diff(want, got))
	}
}
