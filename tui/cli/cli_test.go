package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/cli"
)

// program is a path to the program, which these tests are when they are started by that name: building and linking it
// anew takes longer than most of them. Under the race detector it is built, as commands would take ten times as long.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "bandscope")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "bandscope")
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race",
		Value: "true"}) {
		out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "bandscope").
			CombinedOutput()
		os.Stderr.Write(out)
		return path, err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return path, os.Symlink(self, path)
})

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "bandscope" {
		ctx := cli.Interruptible()
		os.Exit(cli.Status(ctx, os.Stderr, cli.Root().ExecuteContext(ctx)))
	}
	data, err := os.MkdirTemp("", "bandscope-*")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_DATA_HOME", data) // also of the programs that are run
	xdg.Reload()
	heedHangups()
	code := m.Run()
	os.RemoveAll(data)
	if path, err := program(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// heedHangups lets SIGHUP end the programs that the tests start, also where the tests are started to ignore it, as by
// nohup: what a process ignores, the programs that it starts ignore, and what it handles, ends them.
func heedHangups() {
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

// run runs a command line in a folder and returns what it writes, and its exit status.
func run(t *testing.T, dir, line string) (stdout, stderr string, status int) {
	t.Helper()
	return try(t, dir, strings.Fields(line)...)
}

// within runs a command line in this process, which starts no other, and returns what the framework of commands writes:
// errors, completions and help.
func within(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	root := cli.Root()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	status = cli.Status(t.Context(), &errs, root.ExecuteContext(t.Context()))
	return out.String(), errs.String(), status
}

// rows decodes one JSON object a line.
func rows(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(text) {
		var row map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &row), line)
		all = append(all, row)
	}
	return all
}

// Steps and as many more after a resume are the steps of one run, point for point.
func TestTwiceTwelveIsTwentyFour(t *testing.T) {
	dir := t.TempDir()
	const half, what = 12, "-f gramacy-lee -o gp-ei --seed 7 --noise 0.05 --budget 50 --json"
	whole, _, status := run(t, dir, fmt.Sprintf("run -n %d %s", 2*half, what))
	require.Equal(t, 0, status, "status")
	first, _, _ := run(t, dir, fmt.Sprintf("run -n %d --save s.jsonl %s", half, what))
	second, errs, status := run(t, dir, fmt.Sprintf("run --resume s.jsonl -n %d --json", half))
	require.Equal(t, 0, status, "status %d: %s", status, errs)
	all, halves := rows(t, whole), append(rows(t, first)[:half], rows(t, second)...)
	for i := range 2 * half {
		for _, key := range []string{"step", "x", "y", "best", "simple_regret", "cumulative_regret"} {
			a, _ := json.Marshal(all[i][key])
			b, _ := json.Marshal(halves[i][key])
			require.Equal(t, b, a, "step %d: %s is %s at once, %s in halves", i+1, key, a, b)
		}
	}
	last := halves[2*half]
	if last["summary"] != true || last["steps"] != 2.0*half {
		t.Errorf("the last line is %v", last)
	}
	if out, errs, status := run(t, dir, "replay s.jsonl --verify"); status != 0 ||
		!strings.Contains(out, "24 suggestions recomputed") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

func TestPredictNumbers(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f currin -o gp-ts -n 6 --save s.jsonl")
	out, errs, status := run(t, dir, "predict s.jsonl --step 4 -x x1=0.3,x2=0.6 -x x1=1,x2=1 --samples 2 --format json")
	require.Equal(t, 0, status, errs)
	r := rows(t, out)[0]
	o := r["objectives"].([]any)[0].(map[string]any)
	assert.InDelta(t, 7.55537633422, o["truth"].([]any)[0].(float64), 1e-10, "the truth")
	data := r["data"].(map[string]any)
	if len(o["samples"].([]any)) != 2 || len(o["mean"].([]any)) != 2 || r["step"] != 4.0 ||
		len(data["x"].([]any)) != 4 {
		t.Errorf("got %s", out)
	}
	if out, _, _ := run(t, dir, "predict s.jsonl --grid 5 --format csv"); strings.Count(out, "\n") != 26 ||
		!strings.HasPrefix(out, "x1,x2,f_mean,f_sd,") {
		t.Errorf("got %s", out)
	}
	run(t, dir, "run -f forrester -o random -n 2 --save r.jsonl")
	out, _, _ = run(t, dir, "predict r.jsonl --grid 3")
	if strings.Contains(out, "acquisition") || strings.Contains(out, "mean") {
		t.Errorf("random search has a belief: %s", out)
	}
}

func TestListsAndEval(t *testing.T) {
	dir := t.TempDir()
	for line, want := range map[string]string{
		"list functions":                 "forrester",
		"list optimizers":                "Gaussian process\n  gp-ei",
		"list optimizers neural-greedy":  "Paria et al. 2022, App. F.2",
		"list optimizers --json":         `"key":"gamma"`,
		"list functions branin --json":   `"value":0.39788735772973816`,
		"list functions branin4-currin4": "region mid",
		"list functions branin-fidelity": "fidelity  l, full at 5",
		"list lessons":                   "Data and the posterior",
		"run -f forrester -o cost-ids --cost 1+x --cost-budget 9 --json":                    `"total_cost":`,
		"study -f forrester -o random,gp-ei --seeds 2 --budget 4":                           "gp-ei   ",
		"study -f forrester-cost -o cost-ids --seeds 2 --cost-budget 20 --json --set rho=3": `"optimizer":"cost-ids"`,
		"list sessions --dir . --json":                                                      "[]",
		"eval -f goldstein-price -x 0,-1":                                                   `"y":[3]`,
		"eval -f hartmann:3 -x .2,.5,.8":                                                    `"y":[-3.53538`,
		"run -f ackley:20 -o gp-ei -n 17":                                                   "17 steps · best",
	} {
		if out, errs, status := run(t, dir, line); status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s%s; want a mention of %s", line, status, out, errs, want)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save s.jsonl")
	for line, c := range map[string]struct {
		want   string
		status int
	}{
		"run -f forester":                             {"did you mean forrester", 2},
		"run -o gp-ie":                                {"did you mean gp-ei", 2},
		"run -o neural-greedy --set gama=1":           {"did you mean gamma", 2},
		"run -o neural-greedy --set gamma=-1":         {"gamma must be 0 or in [0.1, 20], got -1", 2},
		"run --set gamma":                             {"key=value", 2},
		"run --noise -1":                              {"standard deviation", 2},
		"run -n -3":                                   {"at least 0", 2},
		"run --cost x-1":                              {"must be positive and finite everywhere", 2},
		"run --cost 1+":                               {"at character", 2},
		"study -o random --seeds 0":                   {"--seeds must be in [1, 1000]", 2},
		"study -o random,gp-ie":                       {"did you mean gp-ei", 2},
		"study -o random --set rho=2":                 {"there is no parameter", 2},
		"study -o random --seed 3":                    {"cannot be used with a study of one problem", 2},
		"lesson posteriro":                            {"did you mean posterior", 2},
		"branch nothing.jsonl":                        {"no such file", 1},
		"run --import nothing.csv":                    {"no such file", 1},
		"run --frobnicate":                            {"unknown flag", 2},
		"run --resume s.jsonl --seed 3":               {"--seed cannot be used with --resume", 2},
		"run --resume none.jsonl":                     {"no such file", 1},
		"run -n 1 --save s.jsonl":                     {"exists already", 1},
		"replay":                                      {"got 0 arguments; usage: bandscope replay FILE", 2},
		"predict s.jsonl --step 9 -x x=0.5":           {"there is no step 9", 2},
		"predict s.jsonl --grid 2 --format xml":       {"json or csv", 2},
		"predict s.jsonl --grid 2000 --samples 10000": {"this would print about 20 million numbers", 2},
		"export s.jsonl --format pdf":                 {"csv, json, txt", 2},
		"list things": {
			"there are functions, optimizers, comparisons, gallery, labs, lessons, sessions", 2},
		"eval -f branin -x 1":    {"2 values", 2},
		"eval -f branin -x a,b":  {"x1 must be a number", 2},
		"rum":                    {"the commands are ", 2},
		"":                       {"needs a terminal", 2},
		"s.jsonl --seed 3":       {"--seed cannot be used with FILE", 2},
		"predict s.jsonl -x x=7": {"x must be in [0, 1]", 2},
		"--theme pink":           {"auto, dark or light", 2},
	} {
		if _, errs, status := run(t, dir, line); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %q; want %d and a mention of %q", line, status, errs, c.status, c.want)
		}
	}
}

// An argument from a shell's variable that is not set is refused rather than taken for something else.
func TestEmptyArguments(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save s.jsonl")
	files, _ := os.ReadDir(dir)
	for _, c := range [][]string{
		{"run", "--resume", "", "-n", "1"}, {"run", "-n", "1", "--save", ""}, {"run", "-n", "1", "--prior", ""},
		{"run", "-n", "1", "--cost", ""}, {"run", "-n", "1", "--import", ""},
		{"run", "-n", "1", "-f", ""}, {"run", "-n", "1", "--set", ""}, {"export", "s.jsonl", "-o", ""},
		{"list", "sessions", "--dir", ""}, {"list", "sessions", ""}, {"predict", "s.jsonl", "-x", ""},
		{"correct", "s.jsonl", ""},
		{"replay", ""}, {""}, {"eval", "-x", ""}} {
		if out, errs, status := try(t, dir, c...); status != 2 || out != "" || errs == "" {
			t.Errorf("%q: status %d, %q, %q", c, status, out, errs)
		}
	}
	if after, _ := os.ReadDir(dir); len(after) != len(files) {
		t.Errorf("there are %d files", len(after))
	}
}

// Without a home nothing is written into the root folder, and what to do is said.
func TestNoHome(t *testing.T) {
	path, err := program()
	require.NoError(t, err)
	for _, env := range [][]string{{}, {"HOME="}, {"HOME=/"}, {"XDG_DATA_HOME=relative"}} {
		c := exec.Command(path, "list", "sessions")
		c.Env = env
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "choose one with --dir") {
			t.Errorf("%q: %s, %v", env, out, err)
		}
	}
	data := t.TempDir()
	c := exec.Command(path, "list", "sessions")
	c.Env = []string{"XDG_DATA_HOME=" + data}
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("with XDG_DATA_HOME: %s, %v", out, err)
	}
}

// A correction that is wrong is an error of usage; one that the disk does not take is none, and what stood stays.
func TestCorrectOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save s.jsonl")
	before, _ := os.ReadFile(filepath.Join(dir, "s.jsonl"))
	path, err := program()
	require.NoError(t, err)
	for change, want := range map[string]string{
		"--step 1 f=2": "status 1", "--step 9 f=2": "status 2", "--step 1": "status 2", "--step 1 --drop": "status 1"} {
		c := exec.Command("sh", "-c", `ulimit -f 0; "$0" correct s.jsonl $1; echo status $?`, path, change)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err)
		if !strings.HasSuffix(string(out), want+"\n") || want == "status 1" &&
			!strings.Contains(string(out), "file too large") {
			t.Errorf("%s: %s, want %s", change, out, want)
		}
	}
	if after, _ := os.ReadFile(filepath.Join(dir, "s.jsonl")); !bytes.Equal(before, after) {
		t.Error("the file has changed")
	}
}

// Ctrl+c ends a run; what was done so far is in the file, and the run can be taken up again.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	path, err := program()
	require.NoError(t, err)
	c := exec.Command(path, strings.Fields(
		"run -f forrester -o random -n 1000000 --budget 1000000 --save s.jsonl --json")...)
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	shown := 0
	for lines.Scan() {
		if shown++; shown == 3 {
			c.Process.Signal(os.Interrupt)
		}
	}
	c.Wait()
	if status := c.ProcessState.ExitCode(); status != 130 ||
		!strings.Contains(errs.String(), "--resume s.jsonl continues") {
		t.Fatalf("status %d, %q", status, errs.String())
	}
	text, _, status := run(t, dir, "run --resume s.jsonl -n 1 --json")
	if row := rows(t, text)[0]; status != 0 || row["step"].(float64) < float64(shown) {
		t.Errorf("status %d, goes on at step %v after %d were shown", status, row["step"], shown)
	}
}

func TestListOneSession(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save one.jsonl")
	run(t, dir, "run -f branin -o random -n 2 --save two.jsonl")
	if out, errs, status := run(t, dir, "list sessions one --dir ."); status != 0 || strings.Count(out, "\n") != 1 ||
		!strings.Contains(out, "forrester") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if _, errs, status := run(t, dir, "list sessions tow --dir ."); status != 2 ||
		!strings.Contains(errs, "did you mean two") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestExports(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f branin -o random -n 3 --save s.jsonl")
	if out, _, _ := run(t, dir, "export s.jsonl"); strings.Count(out, "\n") != 4 ||
		!strings.HasPrefix(out, "step,source,x1,x2,f,f_true,failed,seconds,notes\n1,random,") {
		t.Errorf("csv: %s", out)
	}
	var all struct{ Iterations []any }
	out, _, _ := run(t, dir, "export s.jsonl --format json")
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all.Iterations) != 3 {
		t.Errorf("json: %v, %s", err, out)
	}
	if _, _, status := run(t, dir, "export s.jsonl --format txt -o out.txt"); status != 0 {
		t.Errorf("status %d", status)
	}
	if _, _, status := run(t, dir, "export s.jsonl --format txt --output out.txt"); status != 1 {
		t.Error("a file is overwritten")
	}
}

// What a session in a file has already is not said again, by any flag, whether it is gone on with or looked at.
func TestFlagsThatDoNotGoWithAFile(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save s.jsonl")
	for _, flag := range []string{
		"--function forrester", "--optimizer random", "--seed 1", "--noise 0.5", "--budget 9", "--prior flat",
		"--scalarization linear", "--set initial=2", "--import x.csv", "--cost 1+x", "--cost-budget 9"} {
		name, _, _ := strings.Cut(flag, " ")
		for line, with := range map[string]string{
			"run --resume s.jsonl -n 1 " + flag: "--resume", "s.jsonl " + flag: "FILE"} {
			if out, errs, status := run(t, dir, line); status != 2 || out != "" ||
				!strings.Contains(errs, name+" cannot be used with "+with) {
				t.Errorf("%s: status %d, %s%s", line, status, out, errs)
			}
		}
	}
	if out, errs, status := run(t, dir, "run --resume s.jsonl -n 1 --json"); status != 0 ||
		strings.Count(out, "\n") != 2 {
		t.Errorf("without them: status %d, %s%s", status, out, errs)
	}
}

// Commands that are used wrongly end with status 2 and say what would be right.
func TestWrongCommands(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o random -n 2 --save s.jsonl")
	for line, want := range map[string]string{
		"compare":                           "got 0 arguments; usage: bandscope compare NAME",
		"compare nothing":                   "nothing",
		"compare band-of-four-methods":      "", // whether there is one or not, here is no terminal
		"lesson posterior gamma":            "got 2 arguments",
		"lesson posterior":                  "needs a terminal",
		"lesson check nothing":              "nothing",
		"lesson check":                      "which lesson",
		"lesson check x --all":              "leave out the names",
		"lesson forget":                     "which lesson",
		"lesson forget nothing":             "nothing",
		"lesson forget x --all":             "leave out the names",
		"lesson posterior --theme red":      "auto, dark or light",
		"--colors 17":                       "auto, truecolor, 256, 16 or none",
		"replay s.jsonl --speed -1":         "at least 0",
		"replay s.jsonl s.jsonl":            "got 2 arguments",
		"study --import x.csv":              "cannot be used with a study of one problem",
		"study pair -f branin":              "leave out its name",
		"study -o random --export csv":      "--export cannot be used with a study of one problem",
		"study -f forester":                 "did you mean forrester",
		"branch":                            "got 0 arguments; usage: bandscope branch",
		"branch s.jsonl#nothing":            "has no branch",
		"branch s.jsonl diff":               "compare with which session",
		"branch s.jsonl leap 2":             `no word "leap"; there are fork, goto, back`,
		"branch s.jsonl back 2":             `back takes no word "2"`,
		"branch s.jsonl goto 1 -o tpe":      "--method does not belong to goto",
		"branch s.jsonl --json":             "the flags are those of fork, goto and back",
		"show s.jsonl regret":               `no word "regret"; there are status, best`,
		"show s.jsonl state":                "did you mean status",
		"show s.jsonl --by data":            "--by does not belong to status",
		"show s.jsonl best --from 2":        "--from does not belong to best",
		"show --all s.jsonl watch":          "leave out the view",
		"predict s.jsonl":                   "where? Give inputs with -x",
		"predict s.jsonl -x x=1 --grid 3":   "or a grid",
		"predict s.jsonl --grid 3 --seed 4": "leave out --quantiles, --seed and --json",
		"correct s.jsonl":                   "which result?",
		"correct s.jsonl nonsense":          "",
		"list":                              "usage: bandscope list functions",
		"run more":                          "",
		"eval":                              "-x",
		"export s.jsonl --format doc":       "--format must be one of",
		"version now":                       "",
		"a b":                               "",
	} {
		if out, errs, status := run(t, dir, line); status != 2 || out != "" || !strings.Contains(errs, want) ||
			errs == "" || strings.Contains(errs, "panic") {
			t.Errorf("%q: status %d, %s%s", line, status, out, errs)
		}
	}
	if out, errs, status := run(t, dir, "replay s.jsonl --speed 0"); status != 0 || strings.Count(out, "\n") != 3 {
		t.Errorf("a replay: status %d, %s%s", status, out, errs)
	}
	if out, errs, status := run(t, dir, "list functions branin"); status != 0 || strings.Count(out, "source:") != 1 {
		t.Errorf("a list of one: status %d, %s%s", status, out, errs)
	}
	if out, errs, status := run(t, dir, "study -f forrester -o random --seeds 2 --budget 4"); status != 0 ||
		!strings.Contains(out, "random  ") || len(strings.Split(out, "\n")) < 8 {
		t.Errorf("a benchmark with its plot: status %d, %s%s", status, out, errs)
	}
}

// Without -n a resumed session goes on to its budget, what was done already counted, and then no further.
func TestResumeGoesOnToTheBudget(t *testing.T) {
	dir := t.TempDir()
	if _, errs, status := run(t, dir, "run -f forrester -o random --budget 9 -n 4 --save s.jsonl"); status != 0 {
		t.Fatal(errs)
	}
	for _, want := range []int{5, 0, 0} {
		out, errs, status := run(t, dir, "run --resume s.jsonl --json")
		if all := rows(t, out); status != 0 || len(all) != want+1 || all[want]["steps"] != 9.0 {
			t.Fatalf("status %d, %s: %d rows, want %d and the summary: %s", status, errs, len(all), want, out)
		}
	}
	out, _, _ := run(t, dir, "run --resume s.jsonl -n 2 --json")
	if all := rows(t, out); len(all) != 3 || all[2]["steps"] != 11.0 || strings.Count(out, `"summary"`) != 1 {
		t.Errorf("two more steps, asked for: %s", out)
	}
}

// A session in which the method failed, and random points took the place of its suggestions, verifies.
func TestFailedMethodVerifies(t *testing.T) {
	dir := t.TempDir()
	const failing = "run -f forrester -o neural-greedy -n 6 --save s.jsonl --set trainer=gradient-descent --set rate=1 --set epochs=2000 --set gamma=20 --set width=100 --set initial=4"
	if _, errs, status := run(t, dir, failing); status != 0 {
		t.Fatal(errs)
	}
	out, errs, status := run(t, dir, "replay s.jsonl --verify")
	if status != 0 || !strings.Contains(out,
		"6 suggestions recomputed (2 of them random points, because the method failed)") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// A benchmark takes from one seed to a thousand.
func TestSeedsOfABenchmark(t *testing.T) {
	dir := t.TempDir()
	for seeds, want := range map[string]int{"1": 0, "0": 2, "-1": 2, "1001": 2} {
		out, errs, status := run(t, dir, "study -f forrester -o random --budget 2 --json --seeds "+seeds)
		if status != want || want == 2 && !strings.Contains(errs, "[1, 1000]") || want == 0 &&
			len(rows(t, out)[0]["final"].([]any)) != 1 {
			t.Errorf("%s seeds: status %d, want %d: %s%s", seeds, status, want, out, errs)
		}
	}
}

// A problem of which every evaluation is a training is evaluated, run, asked and told, benchmarked, verified and
// exported like any other.
func TestProblemsThatTrain(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		line, want string
		status     int
	}{
		{"eval -f hierarchy-forecast -x 0.0179883,5.01312861,7,0.00381186,3", `"note":"levels between 5.7`, 0},
		{"eval -f hierarchy-forecast -x 0.01,5,7.5,0.004,3", "basis", 2},
		{"run -f hierarchy-forecast -o random -n 3 --jobs 2 --noise 0.2 --save s.jsonl", "hypervolume", 0},
		{"replay s.jsonl --outcomes", "3 outcomes recomputed; the largest difference is 0 of", 0},
		{"ask s.jsonl", "4 ", 0},
		{"tell s.jsonl 4 root_wape=5 leaf_wape=12 incoherence=1", "point 4 is step 4", 0},
		{"replay s.jsonl --verify", "verified: 4 suggestions", 0},
		{"replay s.jsonl --outcomes", "step 4: ", 1},
		{"predict s.jsonl -x lambda_e=0.01,alpha=5,basis=7,rate=0.004,rank=3 --format json", `"name":"root_wape"`, 0},
		{"export s.jsonl", "levels between", 0},
		{"study -f hierarchy-forecast -o random --seeds 2 --budget 2",
			"median hypervolume (declared range) over 2 seeds", 0},
		{"list functions hierarchy-forecast", "minimize, log scale", 0},
		{"list functions hierarchy-forecast --json", `"optimum":null`, 0},
		{"eval -f hierarchy-forecast -x 0.01,5,7,0.004", "5 values", 2},
	} {
		out, errs, status := run(t, dir, c.line)
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: status %d\n%s%s", c.line, status, out, errs)
		}
	}
}
