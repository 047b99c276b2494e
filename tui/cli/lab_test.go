package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/eventlog"
)

// small makes the training of embeddings one of milliseconds.
const small = " --set dim=8 --set hidden=8 --set batch=8 --set steps=25"

// A lab is trained, gone on with, told and verified; every number that is printed is one of the record.
func TestLab(t *testing.T) {
	dir := t.TempDir()
	out, errs, status := run(t, dir, "lab flops -n 12 --seed 3 --save l.jsonl"+small)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || errs != "" || len(lines) != 6 || !strings.Contains(lines[0], "lab flops · seed 3 · dim=8") ||
		!strings.HasPrefix(lines[2], "     10 ") || !strings.HasPrefix(lines[3], "     12 ") ||
		!strings.HasPrefix(lines[4], "update 12 of 25 · metric loss ") {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	out, errs, status = run(t, dir, "lab --resume l.jsonl --json")
	all := rows(t, out)
	if status != 0 || errs != "" || len(all) != 3 || all[0]["step"] != 20.0 || all[1]["step"] != 25.0 ||
		all[2]["summary"] != true || all[2]["recall"] == nil || all[2]["of"] != 25.0 {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	if straight, _, _ := run(t, dir, "lab flops --seed 3 --json"+small); !strings.HasSuffix(straight, out) {
		t.Errorf("trained in one go it comes to\n%s, and in two to\n%s", straight, out)
	}
	for line, want := range map[string]string{
		"replay l.jsonl":                           "     25 ",
		"replay l.jsonl --verify":                  "verified: 25 updates; the largest relative difference is 0 ",
		"show l.jsonl":                             "update 25 of 25 · ",
		"show l.jsonl --json":                      `"step":25`,
		"lab --resume l.jsonl":                     "update 25 of 25 · ",
		"list sessions --dir . l":                  "lab flops · seed 3 · 25 updates",
		"list sessions --dir . l --json":           `"lab":"flops"`,
		"list labs":                                "hierarchy  ",
		"list labs flops":                          "can edit during the training: regularizer, lambda",
		"list labs hierarchy --json":               `"key":"lambda_e"`,
		"lab hierarchy -n 1":                       "update 1 of 400 · MAE ",
		"lab flops -n 1 --second contrast" + small: "second run (regularizer=l1 lambda=1.4)",
		"lab flops -n 1 --second lambda=2 --second regularizer=l1" + small: "second run (regularizer=l1 lambda=2)",
	} {
		if out, errs, status := run(t, dir, line); status != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s%s; want %q", line, status, out, errs, want)
		}
	}
}

// The trace is written with every digit, as the record has it.
func TestLabExport(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "lab flops --second contrast --save l.jsonl"+small)
	out, _, status := run(t, dir, "export l.jsonl")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 51 || !strings.HasPrefix(lines[0], "run,update,metric,penalty,") ||
		!strings.HasPrefix(lines[50], "2,25,") || strings.Contains(lines[1], "NaN") ||
		!strings.HasSuffix(lines[1], ",,,,,,,") {
		t.Fatalf("status %d, %s", status, out)
	}
	if _, errs, status := run(t, dir, "export l.jsonl --format json -o l.json"); status != 0 {
		t.Fatal(errs)
	}
	text, err := os.ReadFile(filepath.Join(dir, "l.json"))
	require.NoError(t, err)
	var reported struct {
		Lab  string
		Runs []struct {
			Params map[string]any
			Trace  map[string][]*float64
		}
	}
	if err := json.Unmarshal(text, &reported); err != nil || reported.Lab != "flops" || len(reported.Runs) != 2 ||
		reported.Runs[1].Params["regularizer"] != "l1" {
		t.Fatalf("%v: %s", err, text)
	}
	want, err := strconv.ParseFloat(strings.Split(lines[50], ",")[2], 64)
	if got := reported.Runs[1].Trace["metric"]; err != nil || len(got) != 25 || *got[24] != want ||
		reported.Runs[0].Trace["recall"][0] != nil {
		t.Errorf("the last metric loss is %v, and %g in the table", got, want)
	}
}

// What makes no sense for a lab says so, and what to do instead; what is asked for wrongly says what would be right.
// Nothing is changed by it.
func TestLabRefusals(t *testing.T) {
	if testing.Short() {
		t.Skip("its commands begin no goroutines")
	}
	dir := t.TempDir()
	run(t, dir, "lab flops -n 2 --save l.jsonl"+small)
	run(t, dir, "run -f forrester -o random -n 1 --save s.jsonl")
	before, err := os.ReadFile(filepath.Join(dir, "l.jsonl"))
	require.NoError(t, err)
	const lab = "this is a session of the lab flops: a training session does not optimize; open it with bandscope FILE, or continue it with bandscope lab --resume FILE"
	for line, c := range map[string]struct {
		status int
		want   string
	}{
		"ask l.jsonl":                                  {1, lab},
		"tell l.jsonl 1 x=2":                           {1, lab},
		"discard l.jsonl":                              {1, lab},
		"set l.jsonl --narrow x=1":                     {1, lab},
		"set l.jsonl":                                  {1, lab},
		"predict l.jsonl --grid 3":                     {1, lab},
		"pipe l.jsonl":                                 {1, lab},
		"run --resume l.jsonl":                         {1, lab},
		"branch l.jsonl":                               {1, lab},
		"lab --resume s.jsonl":                         {1, "of an optimizer, not of a lab"},
		"lab":                                          {2, "which lab? Name flops or hierarchy"},
		"lab flop":                                     {2, "did you mean flops"},
		"lab flops --set lamda=1":                      {2, "did you mean lambda"},
		"lab flops --set lambda":                       {2, "takes key=value"},
		"lab flops --set dim=1":                        {2, "dim must be an integer in [2, 512]"},
		"lab flops -n -1":                              {2, "-n must be at least 0"},
		"lab flops --second lambda=18":                 {2, "would be the same training"},
		"lab flops --set seed=2 --seed 3":              {2, "use one of them"},
		"lab flops --resume l.jsonl":                   {2, "replaces the name of the lab"},
		"lab --resume l.jsonl --seed 2":                {2, "--seed cannot be used with --resume"},
		"lab hierarchy --set tvar=off --set basis=off": {2, "a forecast needs at least one of its parts"},
		"lab flops -n 1 --save l.jsonl":                {1, "exists already"},
		"export l.jsonl --format svg":                  {2, "use csv or json"},
		"list labs flop":                               {2, "did you mean flops"},
	} {
		if out, errs, status := run(t, dir, line); status != c.status || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s%s; want %d, %q", line, status, out, errs, c.status, c.want)
		}
	}
	if after, err := os.ReadFile(filepath.Join(dir, "l.jsonl")); err != nil || string(after) != string(before) {
		t.Error("the session is another")
	}
	lock := eventlog.NewLock(filepath.Join(dir, "l.jsonl"))
	if ok, err := lock.TryLock(); !ok {
		t.Fatal(err)
	}
	defer lock.Unlock()
	for _, line := range []string{"show l.jsonl", "replay l.jsonl", "replay l.jsonl --verify", "export l.jsonl"} {
		if _, errs, status := run(t, dir, line); status != 0 || errs != "" {
			t.Errorf("while another writes %s: status %d, %s", line, status, errs)
		}
	}
	if _, errs, status := run(t, dir, "lab --resume l.jsonl"); status != 1 ||
		!strings.Contains(errs, "cannot be changed: --save FILE") {
		t.Errorf("while another writes: status %d, %s", status, errs)
	}
	if _, errs, status := run(t, dir, "lab --resume l.jsonl --save copy.jsonl -n 1"); status != 0 {
		t.Errorf("into a copy: status %d, %s", status, errs)
	}
}

// A signal ends a training soon, what was trained until then is kept, and it goes on from there.
func TestLabIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	path, err := program()
	require.NoError(t, err)
	c := exec.Command(path, strings.Fields("lab flops --json --save l.jsonl --set steps=5000")...)
	c.Dir = dir
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	var errs strings.Builder
	c.Stderr = &errs
	require.NoError(t, c.Start())
	first := make([]byte, 20)
	_, err = out.Read(first)
	require.NoError(t, err)
	c.Process.Signal(os.Interrupt)
	c.Wait()
	if status := c.ProcessState.ExitCode(); status != 130 ||
		!strings.Contains(errs.String(), "bandscope lab --resume l.jsonl continues") {
		t.Errorf("status %d, %s", status, errs.String())
	}
	reported, _, _ := run(t, dir, "show l.jsonl --json")
	step := rows(t, reported)[0]["step"].(float64)
	if step < 10 || step >= 5000 {
		t.Errorf("kept are %g updates", step)
	}
	if out, errs, status := run(t, dir, "lab --resume l.jsonl -n 1 --json"); status != 0 ||
		!strings.Contains(out, `"step":`+strconv.Itoa(int(step)+1)) {
		t.Errorf("going on: status %d, %s%s", status, out, errs)
	}
}
