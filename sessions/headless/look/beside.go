package look

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions/digits"
	"bandscope/functions/setting"
	"bandscope/optimizers/methods"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// besides is the method that the session's choice is held against; nil where none is named.
func (o WhyOptions) besides(s *sessions.Session) (*sessions.Alternative, error) {
	if o.Beside == "" {
		if len(o.Set) > 0 {
			return nil, command.Usagef("--set is of the method that --beside names")
		}
		return nil, nil
	}
	st := s.State()
	spec, err := methods.Find(o.Beside)
	if err != nil {
		return nil, command.Usage{Err: err}
	}
	params := param.Defaults(spec.DeclaredFor(len(st.Problem.Objectives), st.Problem.Dim()))
	if spec.Name == st.Spec.Name {
		params = st.Params
	}
	for _, pair := range o.Set {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, command.Usagef("--set takes key=value, got %q", pair)
		}
		if params, err = params.WithText(strings.TrimSpace(key), value); err != nil {
			return nil, command.Usage{Err: err}
		}
	}
	other, err := s.As(spec.Name, params.Changed())
	if err != nil {
		return nil, command.Usage{Err: err}
	}
	return other, nil
}

// agreed tells where another method would go, and what separates the two.
func agreed(st sessions.State, b *diagnostics.Comparison) string {
	if b == nil {
		return ""
	}
	var t strings.Builder
	fmt.Fprintf(&t, "\nbeside %s\n  it would go to %s, ", safe.Text(b.Title), placed(st, b.Other.Chosen.X))
	if b.Same {
		fmt.Fprintf(&t, "which is as good as the same point (%s apart)\n", digits.Of(b.Distance))
	} else {
		fmt.Fprintf(&t, "%s apart in the unit cube\n", digits.Of(b.Distance))
	}
	if !math.IsNaN(b.Correlation) {
		fmt.Fprintf(&t, "  over the domain the two acquisitions rank points with a correlation of %s, and of the best tenth of each %.0f %% are in both\n", digits.Of(b.Correlation), 100*b.Overlap)
	}
	switch of := b.Separating; {
	case b.NotLeftOut != "":
		fmt.Fprintf(&t, "  which result separates them is not known: %s\n", safe.Text(b.NotLeftOut))
	case of != nil:
		fmt.Fprintf(&t, "  no. %s at %s separates them most: without it they go to %s and %s, %s apart\n", of.Label, placed(st, of.X), placed(st, of.Then[0]), placed(st, of.Then[1]), digits.Of(of.Distance))
	case !b.Same:
		fmt.Fprintln(&t, "  no single result separates them: without any one they are at least as far apart")
	}
	return t.String()
}

// reasonBeside is the same for other programs.
type reasonBeside struct {
	Optimizer   string            `json:"optimizer"`
	Chosen      any               `json:"chosen"`
	Apart       report.Number     `json:"apart"`
	Same        bool              `json:"same,omitempty"`
	Correlation *report.Number    `json:"rank_correlation,omitempty"`
	Shared      *report.Number    `json:"shared_of_best_tenth,omitempty"`
	Untold      string            `json:"no_separation,omitempty"` // why it is not known which result separates them
	Separates   *reasonSeparating `json:"separated_by,omitempty"`
}

type reasonSeparating struct {
	Point string                     `json:"point"`
	X     map[string]setting.Value   `json:"x"`
	Apart report.Number              `json:"apart_without"`
	Then  []map[string]setting.Value `json:"chosen_without"`
}

func besideOf(st sessions.State, b *diagnostics.Comparison) *reasonBeside {
	if b == nil {
		return nil
	}
	told := &reasonBeside{Optimizer: b.Name, Chosen: setting.ByName(st.Problem.Domain, b.Other.Chosen.X), Apart: report.Number(b.Distance), Same: b.Same, Correlation: number(b.Correlation), Shared: number(b.Overlap), Untold: b.NotLeftOut}
	if of := b.Separating; of != nil {
		told.Separates = &reasonSeparating{Point: of.Label, X: setting.ByName(st.Problem.Domain, of.X), Apart: report.Number(of.Distance)}
		for _, x := range of.Then {
			told.Separates.Then = append(told.Separates.Then, setting.ByName(st.Problem.Domain, x))
		}
	}
	return told
}
