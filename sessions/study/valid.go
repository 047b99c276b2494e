package study

import (
	"fmt"
	"math"
	"slices"

	"bandscope/functions/tomlfile"
	"bandscope/sessions"
)

// Bounds of the values of a run; no program writes values beyond them.
const (
	maxDim             = 1_000_000
	maxEvaluations     = 1000 * sessions.MaxBudget
	maxAttempts        = 1_000_000
	maxText            = 16 << 10 // bytes of a text of a row: an entry, an error, a program, a worker
	maxImported        = 10_000
	maxDeclarationText = 1 << 20 // bytes of a text of a declaration, as of its file
)

// Statuses are all statuses of a cell.
func Statuses() []Status { return []Status{Waiting, Running, Done, Failed, OtherVersion} }

// Check reports values that no run can have, whatever the problems and methods that this program knows: a row that
// another program wrote or that was changed by hand could otherwise take endless work, or be shown wrongly. A trace may
// be thinned; then it has fewer numbers than the run had steps.
func (r *Row) Check() error {
	if err := r.Trace.check(); err != nil {
		return err
	}
	for _, t := range []struct{ name, text string }{
		{"problem", r.Problem}, {"method", r.Method}, {"error", r.Error}, {"program", r.Program},
		{"worker", r.Worker}} {
		if len(t.text) > maxText {
			return fmt.Errorf("%s must have at most %d bytes, got %d", t.name, maxText, len(t.text))
		}
	}
	if r.Seed < 1 || r.Seed > maxSeed {
		return fmt.Errorf("seed must be in [1, 2^53], got %d", r.Seed)
	}
	for _, n := range []struct {
		name           string
		got, low, high int
	}{{"budget", r.Budget, 1, sessions.MaxBudget}, {"dim", r.Dim, 0, maxDim},
		{"steps", r.Steps, 0, sessions.MaxBudget}, {"attempts", r.Attempts, 0, maxAttempts}} {
		if n.got < n.low || n.got > n.high {
			return fmt.Errorf("%s must be in [%d, %d], got %d", n.name, n.low, n.high, n.got)
		}
	}
	if !slices.Contains(Statuses(), r.Status) {
		return fmt.Errorf("status must be one of %v, got %q", Statuses(), truncate(string(r.Status)))
	}
	if !(r.Seconds >= 0) || math.IsInf(r.Seconds, 1) {
		return fmt.Errorf("seconds must be a number of at least 0, got %g", r.Seconds)
	}
	if n := len(r.Trace.Evaluations); n > r.Steps {
		return fmt.Errorf("a trace must have at most one row per step, got %d rows and %d steps", n, r.Steps)
	}
	return nil
}

// check reports contradictions: each slice of a trace must have as many numbers as there are evaluations, evaluations
// must rise, and the spent cost must be finite.
func (t *Trace) check() error {
	n := len(t.Evaluations)
	for _, s := range []struct {
		name   string
		values []float64
	}{{"seconds", t.Seconds}, {"spent", t.Spent}, {"repeats", t.Repeats}, {"best", t.Best},
		{"simple_regret", t.SimpleRegret}, {"cumulative_regret", t.CumulativeRegret}, {"weighted_regret", t.WeightedRegret},
		{"hypervolume", t.Hypervolume}, {"bayes_regret", t.BayesRegret}} {
		if s.values != nil && len(s.values) != n {
			return fmt.Errorf("the trace has different lengths: evaluations %d, %s %d", n, s.name, len(s.values))
		}
	}
	for _, v := range t.Spent {
		if math.IsInf(v, 0) {
			return fmt.Errorf("spent must be finite, got %g", v)
		}
	}
	before := 1
	for _, e := range t.Evaluations {
		switch {
		case e < 1 || e > maxEvaluations:
			return fmt.Errorf("evaluations must be in [1, %d], got %d", maxEvaluations, e)
		case e < before:
			return fmt.Errorf("the evaluations must not decrease, got %d and then %d", before, e)
		}
		before = e
	}
	return nil
}

// truncate is a text that is quoted in a message.
func truncate(text string) string {
	if most := 40; len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// NameOK reports whether a name is valid for a study.
func NameOK(name string) bool { return namePattern.MatchString(name) }

// CheckShape reports values that no declaration can have, whatever the problems and methods that this program knows, as
// *tomlfile.Faults. It takes no longer for a study of a million cells than for one of ten; Check also tries the
// problems with the methods.
func (d *Declaration) CheckShape() error {
	c := &checker{Declaration: d}
	c.shape()
	return c.faults.ErrorOrNil()
}

func (c *checker) shape() {
	c.names()
	c.counts()
	c.checkOwn()
	if n := len(c.Imported); n > maxImported {
		c.addFault(tomlfile.Place{Key: "imported"}, "there are %d imported runs; the maximum is %d", n, maxImported)
	}
	for i, p := range c.Published {
		c.checkPublishedNumber(i, p)
	}
	for _, list := range []struct {
		key   string
		items []string
	}{{"problems", c.Problems}, {"methods", c.Methods}} {
		for i, text := range list.items {
			if len(text) > maxEntry {
				c.addFault(tomlfile.Place{Table: list.key, Index: i}, "an entry must have at most %d bytes, this one has %d", maxEntry,
					len(text))
			}
		}
	}
	for _, t := range []struct{ key, text string }{
		{"title", c.Title}, {"source", c.Source}, {"note", c.Note}, {"budget", c.Budget}} {
		if len(t.text) > maxDeclarationText {
			c.addFault(tomlfile.Place{Key: t.key}, "%s must have at most %d bytes, got %d", t.key, maxDeclarationText,
				len(t.text))
		}
	}
}
