package cli_test

import (
	"strings"
	"testing"
)

// A problem of which every evaluation is a training is evaluated, run, asked and told, benchmarked, verified and exported like any other.
func TestProblemsThatTrain(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		line, want string
		status     int
	}{
		{"eval -f hierarchy-forecast -x 0.0179883,5.01312861,7,0.00381186,3", `"note":"levels between 5.7`, 0},
		{"eval -f hierarchy-forecast -x 0.01,5,7.5,0.004,3", "basis", 2},
		{"run -f hierarchy-forecast -o random -n 3 --jobs 2 --noise 0.2 --save s.jsonl", "hypervolume", 0},
		{"replay s.jsonl --outcomes", "3 outcomes recomputed, the largest difference 0 of", 0},
		{"ask s.jsonl", "4 ", 0},
		{"tell s.jsonl 4 root_wape=5 leaf_wape=12 incoherence=1", "point 4 is step 4", 0},
		{"replay s.jsonl --verify", "verified: 4 suggestions", 0},
		{"replay s.jsonl --outcomes", "step 4: ", 1},
		{"inspect s.jsonl -x 0.01,5,7,0.004,3", `"name":"root_wape"`, 0},
		{"export s.jsonl", "levels between", 0},
		{"bench -f hierarchy-forecast -o random --seeds 2 --budget 2", "median hypervolume by the declared range over 2 seeds", 0},
		{"list functions hierarchy-forecast", "minimize, by factors", 0},
		{"list functions hierarchy-forecast --json", `"optimum":null`, 0},
		{"eval -f hierarchy-forecast -x 0.01,5,7,0.004", "5 values", 2},
	} {
		out, errs, status := run(t, dir, c.line)
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: status %d\n%s%s", c.line, status, out, errs)
		}
	}
}
