package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a session holds survives renaming, copying, deleting and restoring, and no other file is ever overwritten.
func TestShelf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	read := func(path string) string {
		b, err := os.ReadFile(path)
		assert.NoError(t, err)
		return string(b)
	}
	a := write("a.jsonl", "one")
	write("taken.jsonl", "two")
	for _, name := range []string{
		"taken", "taken.jsonl", "", "../b", `..\b`, ".hidden", "x\x1b[2J", strings.Repeat("x", 300)} {
		if target, err := Rename(a, name); err == nil {
			t.Errorf("renamed to %q: %s", name, target)
		}
		if target, err := Copy(t.Context(), a, name); err == nil {
			t.Errorf("copied to %q: %s", name, target)
		}
	}
	b, err := Rename(a, "b")
	if err != nil || read(b) != "one" || filepath.Dir(b) != dir {
		t.Fatal(b, err)
	}
	_, err = os.Stat(a)
	assert.Error(t, err, "the old name is still there")
	c, err := Copy(t.Context(), b, "c")
	if err != nil || read(c) != "one" || read(b) != "one" {
		t.Fatal(c, err)
	}
	gone, err := MoveToTrash(b)
	if err != nil || read(gone) != "one" {
		t.Fatal(gone, err)
	}
	write("b.jsonl", "three")
	again, err := MoveToTrash(filepath.Join(dir, "b.jsonl"))
	if err != nil || again == gone || read(again) != "three" || read(gone) != "one" {
		t.Fatal(gone, again, err)
	}
	back, err := Restore(gone)
	if err != nil || back != b || read(b) != "one" {
		t.Fatal(back, err)
	}
	write("b-2.jsonl", "four")
	if _, err := Restore(again); err == nil || read(filepath.Join(dir, "b-2.jsonl")) != "four" {
		t.Error("restoring overwrites a file")
	}
	if list, err := List(t.Context(), dir); err != nil || len(list) != 4 {
		t.Errorf("%v, %v", list, err)
	}
}
