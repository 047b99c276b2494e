package experiment

import (
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/numfmt"
)

// MaxSteps bounds the number of values on the grid of a step.
const MaxSteps = 100_001

// checkStep checks the step of a real variable, whose bounds are right.
func (c *checker) checkStep(i int) {
	v := c.Variables[i]
	keyPlace := func(key string) Place { return Place{Table: Variables, Index: i, Key: key} }
	if v.Step == 0 || c.faulty[keyPlace("step")] {
		return
	}
	count := (v.High - v.Low) / v.Step
	last := math.Floor(count + 1e-9)
	value := func(n float64) string { return number(numfmt.Round(v.Low + n*v.Step)) }
	switch {
	case !(v.Step > 0) || !finite(v.Step):
		c.addFault(keyPlace("step"), "step must be above 0, got %g", v.Step)
	case count < 1-1e-6:
		c.addFault(keyPlace("step"), "the step %s is greater than the interval from %s to %s", number(v.Step), number(v.Low), number(v.High))
	case count > MaxSteps-1:
		c.addFault(keyPlace("step"), "the step %s makes %.0f values from %s to %s; the maximum is %d, so use a step of %s or more, or none", number(v.Step), count, number(v.Low), number(v.High), MaxSteps, numfmt.Format((v.High-v.Low)/(MaxSteps-1)))
	case math.Abs(count-math.Round(count)) > 1e-6:
		c.addFault(keyPlace("high"), "high must be low plus a multiple of the step %s: %s or %s, got %s", number(v.Step), value(last), value(last+1), number(v.High))
	}
}

// mixtures checks the mixtures; their sums only where all variables are right.
func (c *checker) mixtures() {
	if n := len(c.Mixtures); n > maxMixtures {
		c.addFault(Place{Table: Mixtures, Index: maxMixtures}, "there are %d mixtures; the maximum is %d", n, maxMixtures)
		return
	}
	right := len(c.faulty) == 0
	in := map[string]int{} // the mixture of a component
	for i, m := range c.Mixtures {
		keyPlace := func(key string) Place { return Place{Table: Mixtures, Index: i, Key: key} }
		if c.faulty[keyPlace("components")] {
			continue
		}
		switch {
		case c.Table != nil:
			c.addFault(keyPlace("components"), "a table of candidates has no mixtures: its rows are the only points")
			continue
		case len(m.Components) < 2:
			c.addFault(keyPlace("components"), `a mixture needs 2 or more components: components = ["water", "oil", "soap"]`)
			continue
		case m.Total != 0 && (!(m.Total > 0) || !finite(m.Total)):
			c.addFault(keyPlace("total"), "total must be above 0, got %g", m.Total)
			continue
		}
		for n, name := range m.Components {
			other, twice := in[name]
			switch names := variableNames(c.Variables); {
			case !slices.Contains(names, name):
				c.addFault(keyPlace("components"), "the component %+q is no variable; %s", name, suggest(name, names, "the variables are "+joinWords(names, "and")))
			case slices.Contains(m.Components[:n], name):
				c.addFault(keyPlace("components"), "components contains %s twice", name)
			case twice:
				c.addFault(keyPlace("components"), "%s is a component of mixture %d already; a variable can be in one mixture", name, other+1)
			}
			in[name] = i
		}
		if right && !c.faulty[keyPlace("components")] && !c.faulty[keyPlace("total")] {
			if err := m.Check(functions.Domain(c.Variables)); err != nil {
				c.addFault(keyPlace("components"), "%s", err.Error())
			}
		}
	}
}
