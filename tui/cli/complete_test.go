package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/require"

	"bandscope/tui/cli"
)

// completed are the words that are offered behind a command line in a folder, and the directive to the shell.
func completed(t *testing.T, dir string, args ...string) (offered []string, directive string) {
	t.Helper()
	t.Chdir(dir)
	out, _, status := within(t, append([]string{"__complete"}, args...)...)
	return parseCompletion(t, args, out, status)
}

// completedAtHome is completed by a program of its own, which finds the sessions that are kept as it begins.
func completedAtHome(t *testing.T, dir string, args ...string) (offered []string, directive string) {
	t.Helper()
	out, _, status := try(t, dir, append([]string{"__complete"}, args...)...)
	return parseCompletion(t, args, out, status)
}

// parseCompletion reads what a shell reads.
func parseCompletion(t *testing.T, args []string, out string, status int) (offered []string, directive string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Equal(t, 0, status, "%q: status", args)
	for _, l := range lines[:len(lines)-1] {
		name, _, _ := strings.Cut(l, "\t")
		offered = append(offered, name)
	}
	return offered, lines[len(lines)-1]
}

// Names are offered where they can stand, and only those that begin as typed and fit what stands before.
func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "data")
	t.Cleanup(xdg.Reload) // after the variables are back
	t.Setenv("XDG_DATA_HOME", home)
	xdg.Reload()
	run(t, dir, "run -f forrester -o random -n 2 --save one.jsonl")
	run(t, dir, "run -f branin -o random -n 1 --save sub/two.jsonl")
	run(t, dir, "run -f branin -o random -n 1 --save data/bandscope/sessions/kept.jsonl")
	for name, text := range map[string]string{
		"notes.txt": "", "odd\u202e.jsonl": "", ".hidden.jsonl": "", "damaged.jsonl": "junk"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	remaining := filepath.Join(home, "bandscope", "sessions")
	const plain, noSpace = ":4", ":6"
	for _, c := range []struct {
		line      string
		want      []string // exactly, but for a last "…": among others
		directive string
	}{
		{"run -f forre", []string{"forrester", "forrester-cost", "forrester-hot"}, plain},
		{"eval --function gold", []string{"goldstein-price"}, plain},
		{"-o gp-", []string{"gp-ei", "gp-ucb", "gp-ts", "gp-pi"}, plain},
		{"run -f thesis-xy -o p", []string{"parego", "pesmo"}, plain},
		{"run -f thesis-xy -o gp-e", nil, plain},
		{"study -f forrester -o gp-ei,ran", []string{"gp-ei,random"}, plain},
		{"run -o gp-ei --set ker", []string{"kernel="}, noSpace},
		{"run -o gp-ei --set kernel=", []string{"kernel=linear", "kernel=matern12", "kernel=matern32", "kernel=matern52",
			"kernel=periodic", "kernel=rq", "kernel=se"}, plain},
		{"run -o gp-ei --set kernel=m", []string{"kernel=matern12", "kernel=matern32", "kernel=matern52"}, plain},
		{"run -o gp-ei --set hyperprior=", []string{"hyperprior=off", "hyperprior=on"}, plain},
		{"run -o gp-ei --set initial=", []string{"initial=0"}, plain},
		{"run -o random --set kernel=", nil, plain},
		{"study -o gp-ei,neural-greedy --set gam", []string{"gamma="}, noSpace},
		{"run -f branin4-currin4 --prior to", []string{"top", "top/mid"}, plain},
		{"run -f thesis-xy --prior to", nil, plain},
		{"run -f thesis-xy -o mobo-rs-ts --scalarization t", []string{"tchebyshev"}, plain},
		{"lab hier", []string{"hierarchy"}, plain},
		{"lab flops --set reg", []string{"regularizer="}, noSpace},
		{"lab flops --set regularizer=", []string{"regularizer=flops", "regularizer=l1"}, plain},
		{"lab flops --second lam", []string{"lambda="}, noSpace},
		{"lab flops --second con", []string{"contrast"}, plain},
		{"lab --set reg", nil, plain},
		{"list labs f", []string{"flops"}, plain},
		{"lesson post", []string{"posterior"}, plain},
		{"lesson export post", []string{"posterior"}, plain},
		{"compare acq", []string{"acquisitions"}, plain},
		{"list l", []string{"labs", "lessons"}, plain},
		{"list lessons gam", []string{"gamma"}, plain},
		{"list functions hart", []string{"hartmann", "…"}, plain},
		{"list optimizers ntk", []string{"ntk-ucb", "ntk-ts"}, plain},
		{"list sessions ", []string{"kept"}, plain},
		{"list sessions --dir sub ", []string{"two"}, plain},
		{"replay o", []string{"one.jsonl"}, plain},
		{"export ", []string{"damaged.jsonl", "data/", "one.jsonl", "sub/", "kept"}, noSpace},
		{"replay ke", []string{"kept"}, plain},
		{"k", []string{"kept"}, plain},
		{"run --resume k", []string{"kept"}, plain},
		{"replay --dir sub tw", []string{"two"}, plain},
		{"replay " + remaining + "/", []string{remaining + "/kept.jsonl"}, plain},
		{"branch kept#", []string{"kept#main"}, plain},
		{"correct kept --step ", []string{"1"}, plain},
		{"export .h", []string{".hidden.jsonl"}, plain},
		{"predict sub/", []string{"sub/two.jsonl"}, plain},
		{"run --resume su", []string{"sub/"}, noSpace},
		{"su", []string{"sub/"}, noSpace},
		{"branch one.jsonl#", []string{"one.jsonl#main"}, plain},
		{"branch one.jsonl diff sub/two.jsonl#m", []string{"sub/two.jsonl#main"}, plain},
		{"branch damaged.jsonl#", nil, plain},
		{"branch one.jsonl g", []string{"goto"}, plain},
		{"branch one.jsonl goto m", []string{"main"}, plain},
		{"branch one.jsonl back ", nil, plain},
		{"correct one.jsonl --step ", []string{"2", "1"}, plain},
		{"correct one.jsonl ", []string{"f="}, noSpace},
		{"correct damaged.jsonl ", nil, plain},
		{"set one.jsonl --change r", []string{"reverse"}, plain},
		{"set one.jsonl --objective ", []string{"f"}, plain},
		{"set one.jsonl --narrow ", []string{"x="}, noSpace},
		{"set one.jsonl --narrow x=f", []string{"x=free"}, plain},
		{"tell one.jsonl 2 --at x=3,", nil, plain},
		{"ask one.jsonl --shared ", []string{"x"}, plain},
		{"ask one.jsonl --shared x,", nil, plain},
		{"ask one.jsonl --fixed ", []string{"x="}, noSpace},
		{"export --format s", []string{"svg"}, plain},
		{"--theme d", []string{"dark"}, plain},
		{"--colors ", []string{"auto", "truecolor", "256", "16", "none"}, plain},
		{"run --import ", []string{"csv", "tsv", "xlsx"}, ":8"},
		{"run --seed ", nil, plain},
		{"run -f no-such-function --set ", nil, plain},
		{"run -f no-such-function -o no-such-method --prior ", nil, plain},
		{"replay one.jsonl ", nil, plain},
		{"replay none[", nil, plain},
	} {
		complete := completed
		if slices.ContainsFunc(c.want, func(word string) bool { return strings.HasPrefix(word, "kept") || word == "1" }) {
			complete = completedAtHome
		}
		got, directive := complete(t, dir, strings.Split(c.line, " ")...)
		if n := len(c.want); n > 0 && c.want[n-1] == "…" {
			c.want, got = c.want[:n-1], got[:min(n-1, len(got))]
		}
		if !slices.Equal(got, c.want) || directive != c.directive {
			t.Errorf("%s: %q %s, want %q %s", c.line, got, directive, c.want, c.directive)
		}
	}
}

// A session that is kept is taken by its name wherever its file is, unless a file of that name is there; a name that is
// none is said as it was given.
func TestKeptByName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	run(t, dir, "run -f branin -o random -n 2 --save data/bandscope/sessions/kept.jsonl")
	run(t, dir, "run -f forrester -o random -n 1 --save sub/kept.jsonl")
	for _, c := range []struct{ line, want string }{
		{"replay kept --plain", "branin"},
		{"replay kept.jsonl --verify", "verified: 2 suggestions"},
		{"replay kept --plain --dir sub", "forrester"},
		{"predict kept --grid 2", `"step":2`},
		{"export kept --format json", "branin"},
		{"branch kept", "main"},
		{"run --resume kept -n 1", "3"},
		{"replay none --plain", "none: no such file"},
		{"replay sub/none --plain", "sub/none: no such file"},
	} {
		out, errs, status := run(t, dir, c.line)
		if (status == 0) == strings.Contains(c.line, "none") || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: status %d, %s%s", c.line, status, out, errs)
		}
	}
	require.NoError(t, os.Rename(filepath.Join(dir, "sub", "kept.jsonl"), filepath.Join(dir, "kept")))
	if out, _, _ := run(t, dir, "replay kept --plain"); !strings.Contains(out, "forrester") {
		t.Errorf("a file is passed over for a name:\n%s", out)
	}
}

// Scripts for shells are made for each, and hold what they begin and end with.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, _, status := try(t, t.TempDir(), "completion", shell); status != 0 ||
			!strings.Contains(out, "bandscope") || !strings.Contains(out, "__complete") {
			t.Errorf("%s: status %d", shell, status)
		}
	}
}

// There is a page for every command with all of its flags, and nothing of the user who made it.
func TestMan(t *testing.T) {
	if testing.Short() {
		t.Skip("its commands begin no goroutines")
	}
	dir := t.TempDir()
	t.Setenv("HOME", "/home/somebody")
	t.Setenv("XDG_DATA_HOME", "")
	out, errs, status := try(t, dir, "man", "pages/man1")
	if status != 0 || !strings.Contains(out, "man pages/man1/bandscope.1 shows the first") {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	names := []string{"", "completion"}
	for _, c := range cli.Root().Commands() {
		names = append(names, c.Name())
	}
	for _, name := range names {
		page, err := os.ReadFile(filepath.Join(dir, "pages", "man1", strings.TrimSuffix("bandscope-"+name, "-")+".1"))
		if err != nil {
			t.Error(err)
			continue
		}
		text := strings.ReplaceAll(string(page), `\-`, "-")
		help, _, _ := within(t, strings.Fields(name+" --help")...)
		for _, flag := range regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[a-z-]+)`).FindAllStringSubmatch(help, -1) {
			if flag[1] != "--version" && !strings.Contains(text, flag[1]) {
				t.Errorf("the page of %q lacks %s", name, flag[1])
			}
		}
		if strings.Contains(text, "/home/somebody") || strings.Contains(text, "Auto generated") ||
			!strings.Contains(text, `.TH "BANDSCOPE`) {
			t.Errorf("the page of %q: %s", name, text)
		}
	}
	if out, _, status := try(t, dir, "man"); status != 0 || !strings.HasPrefix(out, ".nh\n.TH \"BANDSCOPE\" \"1\"") {
		t.Errorf("status %d, %.200s", status, out)
	}
}
