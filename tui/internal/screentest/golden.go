// Package screentest is for tests of screens: it makes the messages of key presses from their names, and compares
// screens with the golden files in testdata.
package screentest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/golden"
)

// Check compares a screen with its golden file; ascii says that it must consist of ASCII characters.
func Check(t *testing.T, name, screen string, ascii bool) {
	t.Helper()
	got, path := screen+"\n", filepath.Join("testdata", name+".golden")
	golden.File(t, path, got, ansi.Strip)
	if ascii && strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) {
		t.Errorf("the ASCII screen %s holds other characters", path)
	}
}
