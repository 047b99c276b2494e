package cli_test

import (
	"strings"
	"testing"
)

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
	const failing = "run -f forrester -o neural-greedy -n 6 --save s.jsonl --set trainer=gradient-descent --set rate=1 --set epochs=2000 --set gamma=20 --set width=100"
	if _, errs, status := run(t, dir, failing); status != 0 {
		t.Fatal(errs)
	}
	out, errs, status := run(t, dir, "replay s.jsonl --verify")
	if status != 0 || !strings.Contains(out, "6 suggestions recomputed (2 of them random points, as the method failed)") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// A benchmark takes from one seed to a thousand.
func TestSeedsOfABenchmark(t *testing.T) {
	dir := t.TempDir()
	for seeds, want := range map[string]int{"1": 0, "0": 2, "-1": 2, "1001": 2} {
		out, errs, status := run(t, dir, "bench -f forrester -o random --budget 2 --json --seeds "+seeds)
		if status != want || want == 2 && !strings.Contains(errs, "[1, 1000]") || want == 0 && len(rows(t, out)[0]["final"].([]any)) != 1 {
			t.Errorf("%s seeds: status %d, want %d: %s%s", seeds, status, want, out, errs)
		}
	}
}
