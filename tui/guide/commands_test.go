//go:build unix

package guide_test

import (
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions/golden"
	"bandscope/tui/cli"
)

// block is a code block of a document. Its language says how the test treats it:
//
//	console    each line "$ COMMAND" runs in sh and must print the lines below it, where … matches anything;
//	           a command without such lines only has to succeed
//	sh         runs as a script; python runs in python3
//	text       cannot run, because it needs a person, a server or hours: only command names and options are checked
//	LANG FILE  is written to that file, for later blocks of the document
type block struct{ language, file, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w*) ?([\\w./-]*)\n(.*?)^```$")

// languages are those that a block may have; toml, json, sql and markdown without a file are parts of something.
var languages = strings.Fields("console sh python text toml json sql markdown")

func blocks(text string) (all []block) {
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		all = append(all, block{m[1], m[2], m[3]})
	}
	return all
}

// shell runs what a document says, in a folder of its own.
type shell struct{ dir, bin, root string }

func (s shell) run(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(s.dir, ".data"), "PYTHONDONTWRITEBYTECODE=1",
		"PYTHONPATH="+filepath.Join(s.root, "sessions", "pipe", "python", "src"),
		"PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	return string(out), err
}

// TestMain is the program where the tests are started by its name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "bandscope" {
		ctx := cli.Interruptible()
		os.Exit(cli.Status(ctx, os.Stderr, cli.Root().ExecuteContext(ctx)))
	}
	os.Exit(m.Run())
}

// Every command of the README and of the guides does what is said there. With -update the lines that commands print
// are written as they are now.
func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs some hundred commands")
	}
	bin := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "bandscope"))
	}
	root, wrong := filepath.Abs(filepath.Join("..", ".."))
	err = cmp.Or(err, wrong)
	require.NoError(t, err)
	for path, text := range documents(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if _, err := exec.LookPath("python3"); err != nil && strings.Contains(text, "```python") {
				t.Skip("python3 is not installed")
			}
			s := shell{t.TempDir(), bin, root}
			for _, b := range blocks(text) {
				s.does(t, path, b)
			}
		})
	}
}

// does is one block of a document.
func (s shell) does(t *testing.T, path string, b block) {
	t.Helper()
	if !slices.Contains(languages, b.language) {
		t.Errorf("a block has the language %q:\n%s", b.language, b.text)
		return
	}
	if b.file != "" {
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, b.file), []byte(b.text), 0o755))
		return
	}
	switch b.language {
	case "console":
		s.talks(t, path, b.text)
	case "text":
		s.parses(t, b.text)
	case "sh":
		if out, err := s.run("sh", "-ec", b.text); err != nil {
			t.Errorf("%v\n%s%s", err, b.text, out)
		}
	case "python":
		if out, err := s.run("python3", "-c", b.text); err != nil {
			t.Errorf("%v\n%s%s", err, b.text, out)
		}
	}
}

// talks runs a session of commands and compares what they print.
func (s shell) talks(t *testing.T, path, text string) {
	t.Helper()
	message := ""
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, want, _ := strings.Cut(strings.TrimSuffix(part, "\n")+"\n", "\n")
		out, err := s.run("sh", "-c", command)
		message += "$ " + command + "\n"
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v\n%s", command, err, out)
		case want == "":
		case matches(steady(out), steady(want)):
			message += want
		default:
			message += out
			if !golden.Updating() {
				t.Errorf("%s prints\n%s\nand %s has\n%s\n(-update writes it)", command, out, path, want)
			}
		}
	}
	if golden.Updating() && message != text {
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(whole), text, message, 1)), 0o644))
	}
}

// matches reports whether a text reads so, where … is anything.
func matches(got, want string) bool {
	if strings.HasPrefix(want, "…") && strings.TrimSpace(want) == "…" {
		return true
	}
	return regexp.MustCompile("^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*") + "\n*)$").
		MatchString(got)
}

var (
	long = regexp.MustCompile(`\d+\.\d{7,}`)
	ages = regexp.MustCompile(`for \d+ s`)
)

// steady leaves out of a text what differs between processors and runs: the last digits of long numbers, and how long
// points have been pending.
func steady(text string) string {
	text = long.ReplaceAllStringFunc(text, func(s string) string { return s[:strings.Index(s, ".")+6] })
	return ages.ReplaceAllString(text, "for 0 s")
}

// parses checks the names of commands and options in a block that is not run.
func (s shell) parses(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if arguments, ok := strings.CutPrefix(line, "bandscope "); ok {
			arguments, _, _ = strings.Cut(arguments, " #")
			arguments = strings.TrimSpace(arguments) + " --help"
			if strings.ContainsAny(arguments, "'\"`$|<>;&*~") { // which a shell reads
				if out, err := s.run("sh", "-c", "bandscope "+arguments); err != nil {
					t.Errorf("%s: %s", strings.TrimSpace(line), cmp.Or(out, err.Error()))
				}
				continue
			}
			root := cli.Root()
			root.SetOut(io.Discard)
			root.SetArgs(strings.Fields(arguments))
			if err := root.ExecuteContext(t.Context()); err != nil {
				t.Errorf("%s: %v", strings.TrimSpace(line), err)
			}
		}
	}
}
