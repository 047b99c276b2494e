package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A script is recorded to standard output or to new files; errors name the file and the line.
func TestScript(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("good.script", "title A lesson\nlesson posterior\nsay A page\nkeys space\n")
	write("typo.script", "size 100 30\nkey space\n")
	write("name.script", "keys spaec\n")
	write("pictures.script", "plots pictures\npace 0\nkeys space\n")
	out, errs, status := try(t, dir, "script", "good.script")
	if status != 0 || !strings.HasPrefix(out, `{"env"`) || !strings.Contains(out, `"m","A page"`) {
		t.Errorf("status %d, %s, %.100s", status, errs, out)
	}
	if _, errs, status = try(t, dir, "script", "good.script", "--cast", "a.cast", "--svg", "a.svg"); status != 0 {
		t.Errorf("status %d, %s", status, errs)
	}
	if file, err := os.ReadFile(filepath.Join(dir, "a.cast")); err != nil || string(file) != out {
		t.Errorf("the file is not what standard output was: %v", err)
	}
	if file, err := os.ReadFile(filepath.Join(dir, "a.svg")); err != nil || !strings.HasPrefix(string(file), "<svg ") {
		t.Errorf("no picture: %v", err)
	}
	for args, want := range map[string]string{
		"good.script --cast a.cast": "a.cast exists already",
		"typo.script":               "typo.script: line 2: no word \"key\"",
		"name.script":               "name.script: line 1: no key and no command",
		"none.script":               "none.script",
		"pictures.script":           "pictures.script: an asciicast has no pictures",
		"pictures.script --cast b.cast --svg b.svg": "an asciicast has no pictures",
	} {
		_, errs, status := try(t, dir, append([]string{"script"}, strings.Fields(args)...)...)
		if status == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s, want %s", args, status, errs, want)
		}
	}
}

// The gallery is listed and described, and an unknown name is an error with the names that there are.
func TestGallery(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"gallery":                   "campaign",
		"list gallery stuck":        "bandscope gallery stuck",
		"list gallery stuck --json": `"name":"stuck"`,
		"gallery stcuk":             "did you mean stuck",
		"gallery posterior":         "no session of the gallery \"posterior\"",
		"lesson check stuck":        "claims on 5 pages are true",
	} {
		out, errs, _ := try(t, dir, strings.Fields(args)...)
		assert.Contains(t, out+errs, want, "%s: %s%s, want %s", args, out, errs, want)
	}
}
