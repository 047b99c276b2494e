package cli_test

import (
	"strings"
	"testing"
)

// What a session in a file has already is not said again, by any flag, whether it is gone on with or looked at.
func TestFlagsThatDoNotGoWithAFile(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save s.jsonl")
	for _, flag := range []string{"--function forrester", "--optimizer random", "--seed 1", "--noise 0.5", "--budget 9", "--prior flat", "--scalarization linear", "--set initial=2", "--import x.csv", "--cost 1+x", "--cost-budget 9"} {
		name, _, _ := strings.Cut(flag, " ")
		for line, with := range map[string]string{"run --resume s.jsonl -n 1 " + flag: "--resume", "s.jsonl " + flag: "FILE"} {
			if out, errs, status := run(t, dir, line); status != 2 || out != "" || !strings.Contains(errs, name+" does not go with "+with) {
				t.Errorf("%s: status %d, %s%s", line, status, out, errs)
			}
		}
	}
	if out, errs, status := run(t, dir, "run --resume s.jsonl -n 1 --json"); status != 0 || strings.Count(out, "\n") != 2 {
		t.Errorf("without them: status %d, %s%s", status, out, errs)
	}
}

// Commands that are used wrongly end with status 2 and say what would be right.
func TestWrongCommands(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save s.jsonl")
	for line, want := range map[string]string{
		"compare":                      "accepts 1 arg",
		"compare nothing":              "nothing",
		"compare band-of-four-methods": "", // whether there is one or not, here is no terminal
		"lesson posterior gamma":       "accepts at most 1 arg",
		"lesson posterior":             "needs a terminal",
		"lesson check nothing":         "nothing",
		"lesson check":                 "which lesson",
		"lesson check x --all":         "does not go with a name",
		"lesson forget":                "which lesson",
		"lesson forget nothing":        "nothing",
		"lesson forget x --all":        "does not go with a name",
		"lesson posterior --theme red": "auto, dark or light",
		"--colors 17":                  "auto, truecolor, 256, 16 or none",
		"replay s.jsonl --speed -1":    "at least 0",
		"replay s.jsonl s.jsonl":       "accepts 1 arg",
		"bench --import x.csv":         "does not go with bench",
		"bench -f forester":            "did you mean forrester",
		"diff":                         "between 1 and 2",
		"diff s.jsonl#nothing":         "has no branch",
		"correct s.jsonl":              "accepts 2 arg",
		"correct s.jsonl nonsense":     "",
		"list":                         "between 1 and 2",
		"run more":                     "",
		"eval":                         "-x",
		"export s.jsonl --format doc":  "--format must be one of",
		"version now":                  "",
		"a b":                          "",
	} {
		if out, errs, status := run(t, dir, line); status != 2 || out != "" || !strings.Contains(errs, want) || errs == "" || strings.Contains(errs, "panic") {
			t.Errorf("%q: status %d, %s%s", line, status, out, errs)
		}
	}
	if out, errs, status := run(t, dir, "replay s.jsonl --speed 0"); status != 0 || strings.Count(out, "\n") != 3 {
		t.Errorf("a replay: status %d, %s%s", status, out, errs)
	}
	if out, errs, status := run(t, dir, "list functions branin"); status != 0 || strings.Count(out, "source:") != 1 {
		t.Errorf("a list of one: status %d, %s%s", status, out, errs)
	}
	if out, errs, status := run(t, dir, "bench -f forrester -o random --seeds 2 --budget 4"); status != 0 || !strings.Contains(out, "random  ") || len(strings.Split(out, "\n")) < 8 {
		t.Errorf("a benchmark with its plot: status %d, %s%s", status, out, errs)
	}
}
