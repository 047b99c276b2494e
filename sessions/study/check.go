package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/functions/tomlfile"
)

// checker checks a declaration.
type checker struct {
	*Declaration
	positions tomlfile.Positions // of a declaration that was read from a file
	faults    tomlfile.Faults
}

// addFault adds a fault.
func (c *checker) addFault(place tomlfile.Place, format string, args ...any) {
	c.faults.Add(c.positions, place, fmt.Sprintf(format, args...))
}

// Check checks everything that can be checked without running the study. The error has all faults, as
// *tomlfile.Faults.
func (d *Declaration) Check(ctx context.Context) error {
	c := &checker{Declaration: d}
	c.check(ctx)
	return c.faults.ErrorOrNil()
}

// namePattern matches the names of studies, which are file names on every system.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (c *checker) check(ctx context.Context) {
	c.names()
	c.checkOwn()
	if len(c.faults.List) > 0 {
		return
	}
	cells := c.cells()
	if len(c.faults.List) > 0 {
		return
	}
	for i, cell := range c.pairsOf(cells) {
		c.try(ctx, cell, i/len(c.Methods))
	}
	c.checkPublished(c.pairsOf(cells))
}

// names checks the name of the study, its Keep and its measure.
func (c *checker) names() {
	switch {
	case c.Name == "":
		c.addFault(tomlfile.Place{Key: "name"}, `the study has no name; add one, such as name = "small"`)
	case !namePattern.MatchString(c.Name):
		c.addFault(tomlfile.Place{Key: "name"}, "a name must have at most 64 letters (a to z), digits, dots, hyphens and underscores, and begin with a letter or a digit; got %q", c.Name)
	}
	if c.Keep != "" && !slices.Contains([]Keep{KeepTraces, KeepSessions}, c.Keep) {
		c.addFault(tomlfile.Place{Key: "keep"}, "keep must be %q or %q, got %q", KeepTraces, KeepSessions, c.Keep)
	}
	if c.Measure != DefaultMeasure && !slices.Contains(Measures(), c.Measure) {
		c.addFault(tomlfile.Place{Key: "measure"}, "%v",
			didyoumean.NewUnknownError("measure", string(c.Measure), measureNames()))
	}
}

// pairsOf are the first cell of every problem and method.
func (d *Declaration) pairsOf(cells []Cell) (pairs []Cell) {
	for i := 0; i < len(cells); i += d.Seeds {
		pairs = append(pairs, cells[i])
	}
	return pairs
}

// try starts a run of a problem by a method, to find out whether the method supports the problem.
func (c *checker) try(ctx context.Context, cell Cell, problem int) {
	s, err := cell.Session(ctx, c.Own...)
	if err == nil {
		if subject := MeasureFor(c.Declaration, cell.Problem); !subject.availableFor(s.State()) {
			err = fmt.Errorf("the %s is not known for this problem; use measure = \"\" for the default", subject)
		}
		err = errors.Join(err, s.Close())
	}
	if err != nil {
		c.addFault(tomlfile.Place{Table: "problems", Index: problem}, "%s, %s: %v", cell.Problem, cell.Method, err)
	}
}

// cells are the runs; nil if there are faults.
func (c *checker) cells() []Cell {
	c.counts()
	if len(c.faults.List) > 0 {
		return nil
	}
	return c.pairs()
}

// counts checks how many problems, methods, seeds and cells there are.
func (c *checker) counts() {
	switch {
	case c.Seeds == 0:
		c.addFault(tomlfile.Place{Key: "seeds"}, "the study has no seeds; add their number, such as seeds = 10")
	case c.Seeds < 1 || c.Seeds > MaxSeeds:
		c.addFault(tomlfile.Place{Key: "seeds"}, "seeds is their number and must be in [1, %d], got %d", MaxSeeds, c.Seeds)
	case c.First > maxSeed-uint64(c.Seeds):
		c.addFault(tomlfile.Place{Key: "first_seed"}, "the seeds must be in [1, 2^53], got %d as the first", c.First)
	}
	for _, list := range []struct {
		key     string
		items   []string
		example string
	}{{"problems", c.Problems, `problems = ["branin", "ackley:5"]`},
		{"methods", c.Methods, `methods = ["gp-ei", "random"]`}} {
		if len(list.items) == 0 {
			c.addFault(tomlfile.Place{Key: list.key}, "the study has no %s; add some, such as %s", list.key, list.example)
		}
	}
	if n := float64(len(c.Problems)) * float64(len(c.Methods)) * float64(c.Seeds); n > MaxCells {
		c.addFault(tomlfile.Place{Key: "seeds"}, "the study has %.0f cells, but the limit is %d; use fewer problems, methods or seeds", n, MaxCells)
	}
}

// pairs goes over all problems with all methods.
func (c *checker) pairs() (cells []Cell) {
	problems, reported := map[string]int{}, map[int]bool{}
	for i, text := range c.Problems {
		p, err := readProblem(text, c.FirstSeed(), c.Own)
		if err != nil {
			c.addFault(tomlfile.Place{Table: "problems", Index: i}, "%v", err)
			continue
		}
		budget, err := p.iterations(c.Budget)
		switch {
		case err != nil && p.budget != "":
			c.addFault(tomlfile.Place{Table: "problems", Index: i}, "%v", err)
			continue
		case err != nil:
			c.addFault(tomlfile.Place{Key: "budget"}, "%v", err)
			return nil
		}
		canonical := p.String()
		if first, twice := problems[canonical]; twice {
			c.addFault(tomlfile.Place{Table: "problems", Index: i}, "%q is the same problem as %q", text, c.Problems[first])
			continue
		}
		problems[canonical] = i
		seen := map[string]string{}
		for k, method := range c.Methods {
			e, _, err := p.method(method)
			if same, twice := seen[e.String()]; err == nil && twice {
				err = fmt.Errorf("%q is the same method as %q", method, same)
			}
			if err != nil {
				if !reported[k] { // other problems give the same fault
					c.addFault(tomlfile.Place{Table: "methods", Index: k}, "%v", err)
				}
				reported[k] = true
				continue
			}
			seen[e.String()] = method
			for s := range c.Seeds {
				cells = append(cells, Cell{canonical, e.String(), c.FirstSeed() + uint64(s), budget})
			}
		}
	}
	return cells
}

// checkPublished checks the numbers of papers.
func (c *checker) checkPublished(runs []Cell) {
	for i, p := range c.Published {
		if _, err := p.Resolve(runs, c.Own...); err != nil {
			c.addFault(tomlfile.Place{Table: "published", Index: i}, "%v", err)
		}
		c.checkPublishedNumber(i, p)
	}
}

// checkPublishedNumber checks a number of a paper, except its problem and method.
func (c *checker) checkPublishedNumber(i int, p PublishedNumber) {
	if p.Measure != DefaultMeasure && !slices.Contains(Measures(), p.Measure) {
		c.addFault(tomlfile.Place{Table: "published", Index: i, Key: "measure"}, "%v",
			didyoumean.NewUnknownError("measure", string(p.Measure), measureNames()))
	}
	if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
		c.addFault(tomlfile.Place{Table: "published", Index: i, Key: "value"}, "a printed value must be a finite number, got %g", p.Value)
	}
	if p.Interval != nil && !(*p.Interval >= 0 && *p.Interval < math.Inf(1)) {
		c.addFault(tomlfile.Place{Table: "published", Index: i, Key: "interval"}, "an interval must be a number of at least 0, got %g", *p.Interval)
	}
	if p.Evaluations < 0 {
		c.addFault(tomlfile.Place{Table: "published", Index: i, Key: "evaluations"}, "evaluations must be a number of at least 0, got %d", p.Evaluations)
	}
	if p.Statistic != "" && p.Statistic != "mean" && p.Statistic != "median" {
		c.addFault(tomlfile.Place{Table: "published", Index: i, Key: "statistic"}, `statistic must be "mean" or "median", got %q`, p.Statistic)
	}
	if p.Source == "" {
		c.addFault(tomlfile.Place{Table: "published", Index: i}, `a published number has no source; add one, such as source = "table 5.1"`)
	}
}

// Resolve is the printed number with the problem and the method as the cells of its study have them. An empty one is
// all of them; a method that this program does not know is the paper's, and stays as it is. The error says that a
// problem or a method is not in the study.
func (p PublishedNumber) Resolve(cells []Cell, ownFiles ...OwnFile) (PublishedNumber, error) {
	var err error
	if p.Problem != "" {
		p.Problem, err = p.problemIn(cells, ownFiles)
		if err != nil {
			return p, err
		}
	}
	if p.Method == "" {
		return p, nil
	}
	first := strings.Fields(p.Method + " -")[0]
	if _, unknown := FindMethod(first, ownFiles); unknown != nil {
		return p, nil
	}
	for _, c := range cells {
		if p.Problem != "" && c.Problem != p.Problem {
			continue
		}
		problem, err := readProblem(c.Problem, c.Seed, ownFiles)
		if err != nil {
			return p, err
		}
		e, _, err := problem.method(p.Method)
		if err != nil {
			return p, err
		}
		if e.String() == c.Method {
			p.Method = c.Method
			return p, nil
		}
	}
	return p, fmt.Errorf("the method %q is not in the study", p.Method)
}

// problemIn is the problem as the cells have it.
func (p PublishedNumber) problemIn(cells []Cell, ownFiles []OwnFile) (string, error) {
	problem, err := readProblem(p.Problem, 1, ownFiles)
	if err != nil {
		return "", err
	}
	for _, c := range cells {
		if c.Problem == problem.String() {
			return c.Problem, nil
		}
	}
	return "", fmt.Errorf("the problem %q is not in the study", p.Problem)
}
