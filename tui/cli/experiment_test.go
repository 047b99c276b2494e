package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const espresso = `name = "espresso"
[[variable]]
name = "dose"
low = 14
high = 20
unit = "g"
[[variable]]
name = "time"
low = 2
high = 200
scale = "log"
[[objective]]
name = "extraction"
direction = "maximize"
range = [14, 24]
[[objective]]
name = "bitterness"
direction = "minimize"
range = [0, 10]
`

// A session on an experiment waits for its results; every command that looks at sessions looks at it, also when the
// experiment's file is gone.
func TestExperimentFromTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("p.toml", espresso)
	write("data.csv", "dose,time,extraction,bitterness\n16,20,18,3\n18,60,20,6\n15,5,15,1\n")
	type command struct {
		line       string
		status     int
		out, errs  string
		outIsEmpty bool
	}
	try := func(c command) {
		t.Helper()
		out, errs, status := run(t, dir, c.line)
		if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || c.outIsEmpty &&
			out != "" || strings.Contains(errs, "panic") {
			t.Errorf("%q: status %d\n%s%s", c.line, status, out, errs)
		}
	}
	for _, c := range []command{
		{line: "run --problem p.toml -n 2", status: 2,
			errs: "p.toml has no evaluator: --exec CMD sets one", outIsEmpty: true},
		{line: "run --problem p.toml -f branin --save s.jsonl", status: 2,
			errs: "--problem cannot be used with --function", outIsEmpty: true},
		{line: "run --problem p.toml --noise 1 --save s.jsonl", status: 2,
			errs: "noise is only added to test functions", outIsEmpty: true},
		{line: "run --problem p.toml -o gp-ei --save s.jsonl", status: 2,
			errs: "gp-ei optimizes one objective, but espresso has 2", outIsEmpty: true},
		{line: "run --problem nothing.toml --save s.jsonl", status: 2, errs: "nothing.toml: no such file",
			outIsEmpty: true},
		{line: "run --problem . --save s.jsonl", status: 2, errs: "it is a folder", outIsEmpty: true},
		{line: "study --problem p.toml", status: 2, errs: "p.toml has no evaluator: add --exec 'p.toml=COMMAND'",
			outIsEmpty: true},
		{line: "run --problem p.toml -o random --import data.csv --save s.jsonl -n 1", out: "espresso · random",
			errs: "; it is saved in s.jsonl"},
	} {
		try(c)
	}
	write("p.toml", strings.Replace(espresso, "high = 20\n", "high = 22\n", 1))
	try(command{line: "run --resume s.jsonl --problem p.toml -n 1",
		errs: "p.toml has changed since the session began: high of dose is now 22; it was 20; the session keeps "})
	write("p.toml", "name = espresso\n[[variable]]\nlo = 3\n")
	try(command{line: "run --problem p.toml --save t.jsonl", status: 2,
		errs: "bandscope: p.toml: line 1, column 8: name must be text in quotes, such as name = \"espresso\"; got espresso"})
	write("p.toml", "name = \"espresso\"\n[[variable]]\nlow = 3\n")
	try(command{line: "run --problem p.toml --save t.jsonl", status: 2,
		errs: "bandscope: p.toml: line 1: there are no objectives; begin each objective with [[objective]]\n" +
			"p.toml: line 2: this variable has no name"})
	require.NoError(t, os.Remove(filepath.Join(dir, "p.toml")))
	for _, c := range []command{
		{line: "replay s.jsonl", out: "extraction"},
		{line: "replay --verify s.jsonl", out: "verified: 1 suggestion recomputed"},
		{line: "predict s.jsonl --grid 3", out: `"inputs":[[14,2],[14,19.999`},
		{line: "export s.jsonl --format csv", out: "step,source,dose,time,extraction,"},
		{line: "export s.jsonl --format json", out: `"range": "declaration"`},
		{line: "export s.jsonl --format txt", out: "espresso"},
		{line: "export s.jsonl --format svg", out: "<svg"},
		{line: "export s.jsonl --format html", out: "espresso"},
		{line: "branch s.jsonl diff s.jsonl"},
		{line: "list sessions --dir .", out: "espresso · random"},
		{line: "list sessions --dir . --json", out: `"problem":"espresso"`},
		{line: "discard s.jsonl", out: "The suggestion is discarded"},
		{line: "ask s.jsonl", out: "random"},
		{line: "tell s.jsonl 5 extraction=18", out: "still missing: bitterness"},
		{line: "correct s.jsonl --point 5 extraction=19 --reason misread", out: "Point 5"},
		{line: "show s.jsonl --json", out: `"values":{"extraction":19},"missing":["bitterness"]`},
		{line: "correct s.jsonl --point 5 taste=19", status: 2, errs: "taste", outIsEmpty: true},
		{line: "correct s.jsonl --point 5 extraction=NaN", status: 2, errs: "is not a finite number", outIsEmpty: true},
		{line: "correct s.jsonl --point 5 extraction=1 extraction=2", status: 2, errs: "given twice", outIsEmpty: true},
		{line: "correct s.jsonl --point 5 --step 1 extraction=1", status: 2, outIsEmpty: true},
		{line: "correct s.jsonl --step 1 bitterness=4", out: "Step 1 is corrected"},
		{line: "correct s.jsonl step 1 = 4", status: 2, errs: "NAME=VALUE", outIsEmpty: true},
		{line: "show --all .", out: "s        1 pending"},
		{line: "show --all . --json", out: `"state":"pending"`},
		{line: "show", status: 2, errs: "which session?", outIsEmpty: true},
	} {
		try(c)
	}
}

// Objectives are added, dropped, turned and expected otherwise from the command line, and variables narrowed: each says
// what was done, what is wrong says what would be right and records nothing, and the record repeats itself.
func TestMidway(t *testing.T) {
	dir := experiment(t)
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"add s.jsonl --inputs dose=16,time=30 extraction=18 bitterness=3", 0, "step 1"},
		{"ask s.jsonl", 0, "2 "},
		{"__complete tell s.jsonl 2 --sd extraction=1,", 0, "extraction=1,bitterness=\tminimize"},
		{"__complete tell s.jsonl 2 --at time=1,", 0, "time=1,dose="},
		{"__complete set s.jsonl --objective b", 0, "bitterness\tminimize bitterness"},
		{"set s.jsonl", 0, "maximize extraction, expected from 14 to 24\n" +
			"minimize bitterness, expected from 0 to 10\n"},
		{"add s.jsonl extraction=18", 2, "inputs is missing; add --inputs NAME=VALUE"},
		{"set s.jsonl --noise 1", 2, "objective.name is missing"},
		{"set s.jsonl --objective body --direction maximize --range 0,5 --noise 0.3 --unit points", 0,
			"report it for 1 earlier result"},
		{"tell s.jsonl 1 body=4", 0, "body = 4"},
		{"set s.jsonl --objective bitterness --change reverse", 0, "maximize bitterness, expected from 0 to 10"},
		{"set s.jsonl --objective body --range 1,4 --noise none", 0,
			"maximize body (points), expected from 1 to 4"},
		{"set s.jsonl --objective body --scale log", 0,
			"maximize body (points), expected from 1 to 4, log scale"},
		{"__complete set s.jsonl --objective body --scale l", 0, "log"},
		{"set s.jsonl --objective extraction --change drop", 0, "stay on record"},
		{"set s.jsonl --narrow dose=15..18,time=25 --reason grinder", 0,
			"Bounds: dose stays within [15, 18] from now on; time is pinned at 25"},
		{"set s.jsonl", 0, "dose from 15 to 18 g  (its domain: from 14 to 20)\n"},
		{"set s.jsonl --narrow dose=free --narrow time=9999", 2, "the bounds of time must lie in"},
		{"correct s.jsonl --step 1 bitterness=3 body=4 --sd bitterness=0.25 --at dose=16.5 --cost 2 --reason misread", 0,
			"Step 1 is corrected to 3, 4"},
		{"discard s.jsonl 2", 0, "Point 2 is discarded"},
		{"replay s.jsonl --verify", 0, "1 suggestion"},
		{"replay s.jsonl --plain", 0, "(was 3, 4 ± ?, ? at (16, 30) with cost 1, because misread)"},
	} {
		out, errs, status := run(t, dir, c.line)
		got := out
		if c.status != 0 {
			got = errs
		}
		if status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: status %d, %q %q; want %d, %q", c.line, status, out, errs, c.status, c.want)
		}
	}
}
