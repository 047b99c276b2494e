package library

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// Pane is one method of a comparison.
type Pane struct {
	Title     string         `json:"title"`
	Optimizer string         `json:"optimizer"`
	Params    map[string]any `json:"params,omitempty"` // the others have their defaults
	Knobs     []string       `json:"knobs,omitempty"`  // parameters of its model, the most instructive first
}

// Comparison is beliefs of several methods about the same data, or a race between them from the same start.
type Comparison struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	About  string `json:"about"` // what to look for
	Source string `json:"source"`

	Config sessions.Config `json:"config"`
	Points [][]float64     `json:"points,omitempty"` // evaluated before anything else, in the problem's units
	Panes  []Pane          `json:"panes"`

	// of the points, if they are not evaluated again because an evaluation takes seconds; nil otherwise
	knownOutcomes []functions.Outcome

	Overlay     bool   `json:"overlay,omitempty"`     // bands or fronts are overlaid
	Widths      bool   `json:"widths,omitempty"`      // the standard deviations of two panes are compared
	Acquisition bool   `json:"acquisition,omitempty"` // the panes show the acquisitions first
	Samples     int    `json:"samples,omitempty"`     // surrogate samples that are drawn
	NoBand      bool   `json:"no_band,omitempty"`     // samples alone
	NoFronts    bool   `json:"no_fronts,omitempty"`   // the panes show no fronts drawn from the models
	Knob        string `json:"parameter,omitempty"`   // the parameter that the arrow keys change
	KnobAll     bool   `json:"all_panes,omitempty"`   // in every pane that has it, not only in the selected one
	Distance    bool   `json:"distance,omitempty"`    // the distance between the first two bands is shown
}

//go:embed comparisons.json
var comparisonFile []byte

// Comparisons lists the built-in comparisons, in the order in which they are shown.
func Comparisons() []Comparison { return slices.Clone(comparisons()) }

var comparisons = sync.OnceValue(func() []Comparison {
	var all []Comparison
	if err := json.Unmarshal(comparisonFile, &all); err != nil {
		panic("library: the built-in comparisons: " + err.Error())
	}
	return all
})

// FindComparison returns a built-in comparison.
func FindComparison(name string) (*Comparison, error) {
	all := Comparisons()
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
		if names[i] == name {
			return &all[i], nil
		}
	}
	return nil, didyoumean.NewUnknownError("comparison", name, names)
}

// Start makes the session that holds the comparison's data, in memory, with its points evaluated.
func (c *Comparison) Start() (*sessions.Session, error) { return c.begin(c.Config) }

// NewRacer makes a session of one pane's method with the same start, in memory.
func (c *Comparison) NewRacer(p Pane) (*sessions.Session, error) {
	cfg := c.Config
	cfg.Optimizer, cfg.Params = p.Optimizer, p.Params
	return c.begin(cfg)
}

func (c *Comparison) begin(cfg sessions.Config) (*sessions.Session, error) {
	ctx := context.Background() // a few values of a built-in function
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("comparison %s: %w", c.Name, err)
	}
	for i, x := range c.Points {
		if c.knownOutcomes != nil {
			_, err = s.Record(sessions.ByPerson, [][]float64{x}, c.knownOutcomes[i])
		} else {
			_, err = s.Query(ctx, x)
		}
		if err != nil {
			return nil, fmt.Errorf("comparison %s: %w", c.Name, err)
		}
	}
	return s, nil
}

// CompareWith is the comparison that starts from a session: its companions, with its own method in place of one of the
// same family, or else beside them. In a race its methods share the points of its initial design.
func CompareWith(s *sessions.Session) *Comparison {
	st := s.State()
	several := len(st.Problem.Objectives) > 1
	c := &Comparison{Name: "session", Title: "methods on the same data", Overlay: several, Widths: !several,
		About: "each pane shows the posterior of one method on the data of the session", Config: st.Config}
	for i, it := range st.Iterations {
		if i == search.InitialCount(st.Input()) {
			break
		}
		c.Points = append(c.Points, it.Inputs()...)
		if st.Problem.BuiltinEvaluator != nil {
			c.knownOutcomes = append(c.knownOutcomes, outcomes(it)...)
		}
	}
	own := Pane{Title: st.Spec.Title, Optimizer: st.Spec.Name, Params: st.Params.Changed()}
	if several {
		c.Panes = append(c.Panes, own)
	}
	placed := several
	for _, b := range registry.Companions(len(st.Problem.Objectives)) {
		spec, err := registry.Find(b.Method)
		switch {
		case b.Method == own.Optimizer && several:
		case !placed && err == nil && spec.Family == st.Spec.Family:
			own.Knobs = b.Knobs
			c.Panes = append(c.Panes, own)
			placed = true
		default:
			c.Panes = append(c.Panes, Pane{Title: b.Title, Optimizer: b.Method, Knobs: b.Knobs})
		}
	}
	if !placed {
		c.Panes = append(c.Panes, own)
	}
	return c
}

// outcomes are the results of an iteration.
func outcomes(it sessions.Iteration) []functions.Outcome {
	list := make([]functions.Outcome, len(it.Points))
	for i, pt := range it.Points {
		list[i] = functions.Outcome{Values: pt.Y, SE: pt.SE, Truth: pt.Truth, Cost: pt.Cost, Reason: pt.Reason,
			Note: pt.Note}
	}
	return list
}
