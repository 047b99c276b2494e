package change

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/functions/setting"
	"bandscope/sessions"
)

// The words that begin a part of what should have been observed: its values, their standard errors, where it was run, what it cost.
var clauses = []string{"=", "sd", "at", "cost"}

// clauses reads the parts of what should have been observed.
func (c *change) clauses(words []string) error {
	for len(words) > 0 {
		begins := words[0]
		if !slices.Contains(clauses, begins) {
			return fmt.Errorf("behind the step comes = and a value, or sd, at, or cost; got %q", begins)
		}
		n := 1
		for n < len(words) && (!slices.Contains(clauses, words[n]) || begins == "at" && (words[n] == "=" || n+1 < len(words) && words[n+1] == "=")) {
			n++ // a variable may have the name of a part
		}
		if err := c.clause(begins, strings.Split(strings.Join(words[1:n], " "), ",")); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

func (c *change) clause(begins string, texts []string) (err error) {
	switch begins {
	case "=":
		return c.numbers(texts)
	case "sd":
		c.se, err = numbers(texts, "?")
		return err
	case "cost":
		cost, err := numbers(texts, "")
		if err == nil && (len(cost) != 1 || cost[0] <= 0) {
			err = fmt.Errorf("a cost is one positive number, got %s", strings.Join(texts, ", "))
		}
		if err == nil {
			c.cost = cost[0]
		}
		return err
	}
	c.at = map[string]string{}
	for _, t := range texts {
		name, text, ok := strings.Cut(t, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return fmt.Errorf("where it was run is written at x1=0.4, x2=3; got %q", t)
		}
		c.at[name] = text
	}
	return nil
}

// outcome corrects what was observed.
func (c change) outcome(s *sessions.Session) (string, error) {
	said := fmt.Sprintf("step %d is corrected", c.step)
	if c.values != nil {
		said += " to " + digits.GivenList(c.values)
	}
	o := functions.Outcome{Values: c.values, SE: c.se, Cost: c.cost}
	if c.se != nil {
		said += fmt.Sprintf(", its standard error to %s", strings.ReplaceAll(digits.GivenList(c.se), "NaN", "not known"))
	}
	if c.at != nil {
		at, err := c.place(s.State())
		if err != nil {
			return "", err
		}
		if o.At = at; at != nil {
			said += ", where it was run to " + s.State().Problem.Domain.Text(at)
		}
	}
	if c.cost > 0 {
		said += ", its cost to " + digits.Given(c.cost)
	}
	return said, s.CorrectOutcome(c.step, c.point, o, c.reason)
}

// place is where the point was run, with the variables as they are named; nil if there is no such point, which the session says.
func (c change) place(st sessions.State) ([]float64, error) {
	if c.step > len(st.Iterations) || c.point >= len(st.Iterations[c.step-1].X) {
		return nil, nil
	}
	at := slices.Clone(st.Iterations[c.step-1].X[c.point])
	given, err := setting.ReadTexts(st.Problem.Domain, c.at)
	if err != nil {
		return nil, err
	}
	for j, v := range st.Problem.Domain {
		if x, ok := given[v.Name]; ok {
			at[j] = x
		}
	}
	return at, nil
}

// refuse rejects the suggestion of a number, of those that are out.
func refuse(s *sessions.Session, number int, reason string) (string, error) {
	it, out, err := s.State().Numbered(number)
	if err == nil && !out {
		err = fmt.Errorf("point %d is told already: drop step %d withdraws it", number, it.Step)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("point %d is rejected: the search stays away from it", number), s.Refuse(it.ID, reason)
}
