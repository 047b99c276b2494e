// Package golden compares screens with those that were read and kept in testdata. With -update a test writes them anew.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// Check compares a screen with the kept one of a name; ascii says that it must be of plain characters.
func Check(t *testing.T, name, screen string, ascii bool) {
	t.Helper()
	got := screen + "\n"
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the screen differs from %s (-update writes it anew); now:\n%s", path, ansi.Strip(got))
	}
	if ascii && strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) {
		t.Errorf("the ASCII screen %s holds other characters", path)
	}
}
