package acts

import (
	"context"
	"fmt"

	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// CreateArgs are the arguments of create: a problem of your own, or a test function.
type CreateArgs struct {
	Problem    string             `json:"problem,omitempty" length:"1000000" jsonschema:"the declaration of an experiment as TOML: name, [[variable]], [[objective]], [[limit]], constraints"`
	Function   string             `json:"function,omitempty" length:"200" jsonschema:"instead of a problem: a test function"`
	Method     string             `json:"method,omitempty" length:"200" jsonschema:"the method; without it the default for the problem"`
	Parameters map[string]Setting `json:"parameters,omitempty" items:"200" jsonschema:"parameters of the method"`
	Seed       *uint64            `json:"seed,omitempty" default:"1" jsonschema:"of all random numbers"`
	Noise      float64            `json:"noise,omitempty" bounds:"0.." jsonschema:"of a test function: the standard deviation of its observations"`
	Budget     int                `json:"budget,omitempty" bounds:"0..1000000" jsonschema:"the planned number of steps"`
}

// CreateAnswer is a new session.
type CreateAnswer struct {
	Session   string                    `json:"session" jsonschema:"its name"`
	Title     string                    `json:"title"`
	Method    string                    `json:"method"`
	Budget    int                       `json:"budget"`
	Initial   int                       `json:"initial_points,omitempty" jsonschema:"the number of points of the initial design, which cover the space before the model is used"`
	Variables map[string]VariableDomain `json:"variables"`
	Outputs   []Quantity                `json:"objectives" jsonschema:"the objectives and, without a direction, the limits"`

	objectives int
}

// Text says what the session is about.
func (a CreateAnswer) Text() string {
	text := fmt.Sprintf("The session %s is created: %s, with %s and %s.", a.Session, a.Title,
		numfmt.Count(len(a.Variables), "variable"), numfmt.Count(a.objectives, "objective"))
	if a.Initial > 0 {
		text += fmt.Sprintf(" The first %s are the initial design.", numfmt.Count(a.Initial, "point"))
	}
	return textOf(text + " Ask for the first point.")
}

// Create is the act of beginning a session.
var Create = declare(Act{Name: "create", Title: "Begin a session in a new file", Changes: true, Creates: true,
	About: "Begin a session in a new file: an experiment of your own, or a test function."},
	func(ctx context.Context, t Turn, a CreateArgs) (CreateAnswer, error) {
		cfg, err := a.config()
		if err != nil {
			return CreateAnswer{}, asWrong(err)
		}
		s, err := t.Folder.Create(ctx, t.Name, cfg)
		if err != nil {
			return CreateAnswer{}, err
		}
		st := s.State()
		answer := CreateAnswer{Session: t.Name, Title: st.Title(), Method: st.Spec.Name, Budget: st.Config.Budget,
			Variables: domainOf(st), Outputs: quantities(st), objectives: len(st.Problem.Objectives)}
		if d := st.NextDesignPlace(); d != nil {
			answer.Initial = d.Points
		}
		return answer, nil
	})

// config is the configuration of the session.
func (a CreateArgs) config() (sessions.Config, error) {
	cfg := sessions.Config{Problem: a.Function, Optimizer: a.Method, Seed: 1, Noise: a.Noise, Budget: a.Budget}
	if a.Seed != nil {
		cfg.Seed = *a.Seed
	}
	if (a.Problem == "") == (a.Function == "") {
		return cfg, wrong("what should be optimized? Give problem, or function, and not both")
	}
	if a.Problem != "" {
		d, err := experiment.Parse("problem", []byte(a.Problem))
		if err != nil {
			return cfg, err
		}
		cfg.Problem, cfg.Experiment = d.Name, d
	}
	params, err := cfg.Defaults()
	if err != nil {
		return cfg, err
	}
	for key, v := range a.Parameters {
		params, err = params.WithText(key, string(v))
		if err != nil {
			return cfg, err
		}
	}
	cfg.Params = params.Changed()
	return cfg, nil
}
