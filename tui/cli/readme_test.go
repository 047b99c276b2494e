package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is the first block of a language in a text, without its fences.
func block(t *testing.T, text, language string) string {
	t.Helper()
	_, code, ok := strings.Cut(text, "```"+language+"\n")
	code, _, ended := strings.Cut(code, "```")
	if !ok || !ended {
		t.Fatalf("the README has no block of %q", language)
	}
	return code
}

// The walks through experiments in the README print what stands there, and its loops run, in a shell and in Python.
func TestLoopsOfTheREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, own, _ := strings.Cut(string(readme), "\n## An experiment of one's own\n")
	_, loops, _ := strings.Cut(own, "### A loop of one's own")
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "espresso.toml"), []byte(block(t, own, "toml")), 0o600); err != nil {
		t.Fatal(err)
	}
	runs := func(interpreter, text string) string {
		t.Helper()
		where, err := exec.LookPath(interpreter)
		if err != nil {
			t.Skipf("%s is not installed", interpreter)
		}
		c := exec.Command(where, "-c", text)
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", interpreter, err, out)
		}
		return string(out)
	}
	_, mixed, _ := strings.Cut(own, "### Layers, loadings and solvents")
	kinds := block(t, mixed, "toml")
	if err := os.WriteFile(filepath.Join(dir, "coupling.toml"), []byte(kinds), 0o600); err != nil {
		t.Fatal(err)
	}
	_, mixed, _ = strings.Cut(mixed, kinds+"```")
	_, morning, _ := strings.Cut(own, "### A morning at the machine")
	for _, session := range []string{block(t, mixed, ""), block(t, morning, "")} {
		said := ""
		for line := range strings.Lines(session) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				said += line + runs("sh", "{ "+strings.TrimSpace(command)+"; } 2>&1 || true")
			}
		}
		if said = alike(said); said != alike(session) {
			t.Errorf("the program says\n%s\nand the README has\n%s", said, alike(session))
		}
	}
	if out := runs("sh", "set -e\n"+block(t, loops, "sh")); strings.Count(out, "is step") != 5 {
		t.Errorf("the shell's loop:\n%s", out)
	}
	if out := runs("python3", block(t, loops, "python")); !strings.Contains(out, "10 results") {
		t.Errorf("the loop in Python:\n%s", out)
	}
}

var (
	long = regexp.MustCompile(`\d+\.\d{7,}`)
	ages = regexp.MustCompile(`out for \d+ s`)
)

// alike leaves out of a text what differs between processors and runs: the last digits of long numbers, and how long points are out.
func alike(text string) string {
	text = long.ReplaceAllStringFunc(text, func(s string) string { return s[:strings.Index(s, ".")+6] })
	return ages.ReplaceAllString(text, "out for 0 s")
}
