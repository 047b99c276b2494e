package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// run --stop ends when nothing better is expected; without it the summary says so. ask says it of the pending point.
func TestRunStops(t *testing.T) {
	dir := t.TempDir()
	out, errs, status := run(t, dir, "run -f forrester -o gp-ei -n 35 --seed 4 --stop --save s.jsonl")
	if status != 0 || !strings.Contains(out, "stop, or widen the space (1 suggestion, the first at step ") {
		t.Fatalf("%d: %s%s", status, out, errs)
	}
	out, _, _ = run(t, dir, "ask s.jsonl --json")
	assert.Contains(t, out, `"nothing_better":true`, out)
	out, errs, status = run(t, dir, "run --resume s.jsonl -n 1 --json")
	var summary struct {
		Steps   int   `json:"steps"`
		Nothing []int `json:"nothing_better_steps"`
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &summary); err != nil || status != 0 {
		t.Fatalf("%v, %d: %s", err, status, errs)
	}
	if len(summary.Nothing) == 0 || summary.Nothing[0] != summary.Steps || summary.Steps >= 35 {
		t.Errorf("%+v", summary)
	}
}
