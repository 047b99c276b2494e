// Package screentest is for tests of screens: it makes the messages of key presses from their names, and compares
// screens with the golden files in testdata.
package screentest

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/golden"
)

// Check compares a screen with its golden file; ascii says that it must consist of ASCII characters.
func Check(t *testing.T, name, screen string, ascii bool) {
	t.Helper()
	got, path := screen+"\n", filepath.Join("testdata", name+".golden")
	golden.File(t, path, got, ansi.Strip)
	if ascii {
		ASCII(t, path, got)
	}
}

// ASCII checks that a screen consists of ASCII characters.
func ASCII(t testing.TB, name, screen string) {
	t.Helper()
	if i := strings.IndexFunc(screen, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
		r, _ := utf8.DecodeRuneInString(screen[i:])
		t.Errorf("the ASCII screen %s holds %q", name, r)
	}
}
