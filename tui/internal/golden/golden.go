// Package golden compares screens with those that were read and kept in testdata, and a part of a document with what it is made from. With -update a
// test writes them anew.
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

// Section compares the part of a document between the lines <!-- name --> and <!-- end of name --> with what it is made from.
func Section(t *testing.T, path, name, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begun := strings.Cut(string(b), begin)
	got, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has no part between the lines %q and %q", path, begin, end)
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the part %q of %s differs from what it is made from (-update writes it anew); now:\n%s", name, path, want)
	}
}
