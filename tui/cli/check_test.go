package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whether a model can be believed is told in words and numbers: of a method with a closed form at once, of another on
// request, and what explains the results better can be set as it is told.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o gp-ei -n 10 --save g.jsonl")
	run(t, dir, "run -f forrester -o neural-greedy -n 4 --set width=32 --set ensemble=2 --save n.jsonl")
	out, errs, status := run(t, dir, "check g.jsonl --alternatives")
	for _, want := range []string{
		"leave-one-out predictions of 10 results (exact", "95 %", "truth inside",
		"probability integral transform", "log evidence", "lengthscale", "kernel=se", "standard error"} {
		assert.Contains(t, out, want, "status %d, %s: %q is not told in\n%s", status, errs, want, out)
	}
	var got struct {
		Residuals  string
		Objectives []struct {
			Data []struct {
				Value, Expected, SD, Z float64
			}
			Coverage []struct {
				Nominal, Low, High float64
				Inside, Total      int
			}
			Histogram []int `json:"pit_histogram"`
		}
	}
	out, _, _ = run(t, dir, "check g.jsonl --json --step 8")
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Residuals != "closed form" ||
		len(got.Objectives[0].Data) != 8 {
		t.Fatalf("%v: %s", err, out)
	}
	o, counted := got.Objectives[0], 0
	for _, d := range o.Data {
		assert.InDelta(t, (d.Value-d.Expected)/d.SD, d.Z, 1e-9, "%+v is no residual", d)
	}
	for _, n := range o.Histogram {
		counted += n
	}
	if c := o.Coverage[2]; counted != 8 || c.Total != 8 || c.Nominal != 0.95 || c.Low >= c.High {
		t.Errorf("%d in the histogram, coverage %+v", counted, c)
	}
	if out, _, _ := run(t, dir, "check n.jsonl"); !strings.Contains(out,
		"must be retrained without each result; retrain does this") {
		t.Errorf("of networks:\n%s", out)
	}
	if out, _, _ := run(t, dir, "check n.jsonl --retrain"); !strings.Contains(out,
		"leave-one-out predictions of 4 results (retrained without each)") {
		t.Errorf("of networks that were trained again:\n%s", out)
	}
	if _, errs, status := run(t, dir, "check g.jsonl --step 20"); status != 2 ||
		!strings.Contains(errs, "there is no step 20; the branch has 10 steps") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// Bands are held against functions over seeds, each value of a parameter in its turn; what cannot be is said.
func TestCheckMethod(t *testing.T) {
	dir := t.TempDir()
	out, errs, status := run(t, dir, "check method -o neural-greedy -f forrester,sine-trend --seeds 2 -n 4 --set width=16 --set ensemble=2 --set activation=erf --over band=posterior,ensemble")
	if status != 0 || strings.Count(out, "posterior") != 3 || strings.Count(out, "all ") != 2 {
		t.Errorf("status %d, %s:\n%s", status, errs, out)
	}
	out, _, _ = run(t, dir, "check method -f forrester -o gp-ei --over hyperprior --seeds 2 -n 4 --json")
	got := rows(t, out)
	if len(got) != 2 || got[1]["value"] != "on" || len(got[0]["bands"].([]any)) != 3 {
		t.Errorf("as JSON: %s", out)
	}
	out, errs, status = run(t, dir, "check method --search -f forrester -o gp-ei --seeds 2 --at 6,4 --set initial=3")
	if status != 0 || !strings.Contains(out, "forrester  4 ") || !strings.Contains(out, "forrester  6 ") ||
		strings.Count(out, "\nall ") != 1 {
		t.Errorf("status %d, %s:\n%s", status, errs, out)
	}
	out, _, _ = run(t, dir, "check method --search -f forrester -o gp-ei --seeds 2 --at 4 --set initial=3 --json")
	if got := rows(t, out); len(got) != 2 || got[0]["evaluations"] != 4.0 || len(got[0]["bands"].([]any)) != 3 ||
		got[1]["log_density"] == nil {
		t.Errorf("as JSON: %s", out)
	}
	for line, want := range map[string]string{
		"check method --search --at 1": "--at must name", "check method --search --over width": "leave out --over",
		"check method -o gp-ei": "name a parameter", "check method -o neural-greedy --over width": "needs values to compare",
		"check method -f zdt1":   "no single true function",
		"check method --seeds 1": "--seeds must be in", "check method --set width": "--set takes key=value",
		"check method -o nothing": "optimizer"} {
		if _, errs, status := run(t, dir, line); status != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s", line, status, errs)
		}
	}
}
