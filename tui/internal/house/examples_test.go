package house

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An example is a recipe for contributors that adds something to the program: a title that says how many files it
// touches, blocks of text that go into new files or below a line of files that there are, and commands with what they
// print.
type example struct {
	title    string
	files    int
	edits    []edit
	commands []command
}

// edit is a block of text and where it goes.
type edit struct{ file, below, text string }

// command is what is typed, and the lines that it prints; … stands for anything.
type command struct {
	line string
	want []string
}

var (
	heading  = regexp.MustCompile(`^### (An? .*): (\d+) files?(?: and a test)?$`)
	newFile  = regexp.MustCompile("[Aa] new file, `([^`]+)`")
	belowIt  = regexp.MustCompile("[Ii]n `([^`]+)`, below (?:``(.+?)``|`([^`]+)`)")
	anything = "…"
)

// parseExamples reads them; a block of code is placed by the paragraph before it.
func parseExamples(guide string) (all []example, err error) {
	var before []string // the paragraph above a block
	over := false       // that paragraph
	lines := strings.Split(guide, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := heading.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[2])
			all, before = append(all, example{title: m[1], files: n}), nil
			continue
		}
		if strings.HasPrefix(line, "#") && len(all) > 0 && !strings.HasPrefix(line, "####") {
			all = append(all, example{}) // the section is over
			continue
		}
		fence, isFence := strings.CutPrefix(line, "```")
		if !isFence {
			if over && line != "" {
				before = nil
			}
			if over = line == ""; !over {
				before = append(before, line)
			}
			continue
		}
		end := slices.Index(lines[i+1:], "```")
		if end < 0 {
			return nil, fmt.Errorf("line %d: a block that does not end", i+1)
		}
		block := lines[i+1 : i+1+end]
		i += end + 1
		if len(all) == 0 || all[len(all)-1].title == "" {
			continue
		}
		e := &all[len(all)-1]
		if fence == "console" {
			e.commands = append(e.commands, parseCommands(block)...)
			continue
		}
		above := strings.Join(before, " ")
		if m := newFile.FindStringSubmatch(above); m != nil {
			e.edits = append(e.edits, edit{file: m[1], text: strings.Join(block, "\n") + "\n"})
		} else if m := belowIt.FindStringSubmatch(above); m != nil {
			e.edits = append(e.edits, edit{file: m[1], below: m[2] + m[3], text: strings.Join(block, "\n") + "\n"})
		} else {
			return nil, fmt.Errorf("line %d: %s does not say where the block goes", i-end, e.title)
		}
	}
	return slices.DeleteFunc(all, func(e example) bool { return e.title == "" }), nil
}

func parseCommands(block []string) (all []command) {
	for _, line := range block {
		if typed, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, command{line: typed})
		} else if len(all) > 0 {
			last := &all[len(all)-1]
			last.want = append(last.want, line)
		}
	}
	return all
}

// lay puts the examples' blocks into files, of which it returns the texts: what they are in the module, with the
// blocks.
func lay(dir string, all []example) (map[string]string, error) {
	laid := map[string]string{}
	for _, e := range all {
		touched := map[string]bool{}
		for _, d := range e.edits {
			if !strings.HasSuffix(d.file, "_test.go") {
				touched[d.file] = true
			}
			text, known := laid[d.file]
			if b, err := os.ReadFile(filepath.Join(dir, d.file)); !known && err == nil {
				text, known = string(b), true
			}
			switch {
			case d.below == "" && known:
				return nil, fmt.Errorf("%s: %s is no new file", e.title, d.file)
			case d.below == "":
				laid[d.file] = d.text
			case !known:
				return nil, fmt.Errorf("%s: there is no %s", e.title, d.file)
			default:
				i, err := lineEnd(text, d.below)
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", e.title, d.file, err)
				}
				laid[d.file] = text[:i] + d.text + text[i:]
			}
		}
		if len(touched) != e.files {
			return nil, fmt.Errorf("%s touches %d files and says %d", e.title, len(touched), e.files)
		}
	}
	return laid, nil
}

// lineEnd is where the one line ends that reads so, whatever it is indented by; … stands for anything.
func lineEnd(text, line string) (int, error) {
	position, end, found := 0, 0, 0
	for l := range strings.Lines(text) {
		position += len(l)
		if pattern(strings.TrimSpace(line)).MatchString(strings.TrimSpace(l)) {
			end, found = position, found+1
		}
	}
	if found != 1 {
		return 0, fmt.Errorf("%d lines read %q", found, line)
	}
	return end, nil
}

// overlay writes the texts beside the module and says so in a file for go build -overlay.
func overlay(t *testing.T, dir string, laid map[string]string) string {
	t.Helper()
	position, replace := t.TempDir(), map[string]string{}
	for file, text := range laid {
		if !strings.HasSuffix(file, ".go") {
			continue
		}
		path := filepath.Join(position, strconv.Itoa(len(replace))+".go")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		replace[filepath.Join(dir, file)] = path
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	path := filepath.Join(position, "overlay.json")
	require.NoError(t, os.WriteFile(path, text, 0o644))
	return path
}

// goRun runs the go command in the module. What it builds runs once: it is linked without what debuggers read, and not
// optimized, which takes a third of the time to compile.
func goRun(dir string, args ...string) error {
	c := exec.Command("go", append([]string{args[0], "-ldflags=-s -w", "-gcflags=bandscope/...=-N -l"}, args[1:]...)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// buildTests builds the tests of all packages that the examples test, into a folder.
func buildTests(dir, tests, over string, all []example) error {
	args := []string{"test", "-c", "-vet=off", "-overlay", over, "-o", tests + string(filepath.Separator)}
	for _, e := range all {
		for _, c := range e.commands {
			if words := strings.Fields(c.line); words[0] == "go" {
				args = append(args, words[2])
			}
		}
	}
	return goRun(dir, args...)
}

// goTest runs tests of a package, which may be in the overlay alone: then there is no folder that they could be run in.
func goTest(dir, tests, room string, flags []string) error {
	for i, f := range flags {
		flags[i] = strings.Replace(f, "-run", "-test.run", 1)
	}
	run := exec.Command(filepath.Join(tests, path.Base(room)+".test"), flags...)
	run.Dir = tests
	if folder := filepath.Join(dir, room); isDir(folder) {
		run.Dir = folder
	}
	if out, err := run.CombinedOutput(); err != nil || strings.Contains(string(out), "no tests to run") {
		return fmt.Errorf("the tests of %s: %v\n%s", room, err, out)
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// What the recipes for contributors add to the program can be added so: in as many files as they say, and it builds,
// and does what they say.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	dir, err := filepath.Abs(root)
	require.NoError(t, err)
	guide, err := os.ReadFile(filepath.Join(dir, ".github", "CONTRIBUTING.md"))
	require.NoError(t, err)
	all, err := parseExamples(string(guide))
	require.NoError(t, err)
	laid, err := lay(dir, all)
	require.NoError(t, err)
	for file, text := range laid {
		if formatted, err := format.Source([]byte(text)); strings.HasSuffix(file, ".go") &&
			(err != nil || string(formatted) != text) {
			t.Errorf("%s is not formatted with what the recipes add: %v", file, err)
		}
	}
	bin, over, home := filepath.Join(t.TempDir(), "bandscope"), overlay(t, dir, laid), t.TempDir()
	require.NoError(t, goRun(dir, "build", "-overlay", over, "-o", bin, "."))
	tests := t.TempDir()
	require.NoError(t, buildTests(dir, tests, over, all))
	for _, e := range all {
		for _, c := range e.commands {
			args := strings.Fields(c.line)
			if args[0] == "go" {
				assert.NoError(t, goTest(dir, tests, args[2], args[3:]), e.title)
				continue
			}
			run := exec.Command(bin, args[1:]...)
			run.Dir, run.Env = home, append(os.Environ(), "XDG_DATA_HOME="+home)
			out, err := run.Output()
			if err != nil {
				t.Errorf("%s: %s: %v", e.title, c.line, err)
			} else if err := printed(string(out), c.want); err != nil {
				t.Errorf("%s: %s: %v\n%s", e.title, c.line, err, out)
			}
		}
	}
}

// pattern matches a whole text that reads so, where … is anything.
func pattern(text string) *regexp.Regexp {
	return regexp.MustCompile("^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(text), anything, ".*") + ")$")
}

// printed reports what is missing of an output: its lines as wanted, one after another, where … is anything, also any
// number of lines.
func printed(out string, want []string) error {
	if !pattern(strings.Join(want, "\n")).MatchString(strings.TrimSuffix(out, "\n")) {
		return fmt.Errorf("it does not print %q", strings.Join(want, "\n"))
	}
	return nil
}

// An example that is broken is seen, whatever is broken of it.
func TestBrokenExamplesAreSeen(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"go.mod": "module bowls\n\ngo 1.26\n",
		"main.go": "package main\n\nvar bowls = []int{\n\tround,\n}\n\nconst round = 1\n\nfunc main() {\n" +
			"\tprintln(len(bowls))\n}\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	whole := strings.Join([]string{"### A bowl: 2 files", "", "A new file, `flat.go`:", "", "```go", "package main",
		"", "const flat = 2", "```", "", "and in `main.go`, below `round,`:", "", "```go",
		"\tflat,", "```", "", "```console", "$ bowls list", "2 …", "```", "", "## Other", "", "```go", "nowhere",
		"```"}, "\n")
	try := func(guide string) error {
		all, err := parseExamples(guide)
		if err != nil {
			return err
		}
		if len(all) != 1 || len(all[0].commands) != 1 || len(all[0].commands[0].want) != 1 {
			return fmt.Errorf("read as %v", all)
		}
		laid, err := lay(dir, all)
		if err != nil {
			return err
		}
		return goRun(dir, "build", "-overlay", overlay(t, dir, laid), "-o", filepath.Join(dir, "out"), ".")
	}
	require.NoError(t, try(whole))
	for _, c := range [][3]string{
		{"2 files", "3 files", "touches 2 files and says 3"},
		{"A new file, `flat.go`", "A file", "where the block goes"},
		{"`flat.go`", "`main.go`", "no new file"},
		{"`main.go`", "`gone.go`", "there is no gone.go"},
		{"below `round,`", "below `square,`", "0 lines read"},
		{"const flat", "const flatt", "undefined: flat"},
		{"nowhere\n```", "nowhere", "does not end"},
	} {
		if err := try(strings.Replace(whole, c[0], c[1], 1)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("with %q in place of %q: %v, want %q", c[1], c[0], err, c[2])
		}
	}
	for out, want := range map[string]bool{"2 bowls\n": true, "2 bowls\nmore\n": true, "3 bowls\n": false, "": false} {
		if err := printed(out, []string{"2 …"}); (err == nil) != want {
			t.Errorf("%q: %v", out, err)
		}
	}
}
