package classroom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/sessions"
)

// RaceConfig is what a race is about: a test function that nobody sees until the end.
type RaceConfig struct {
	Function string   `json:"function"` // as functions.Find takes it
	Seed     uint64   `json:"seed"`     // of the methods, and of functions that have one
	Budget   int      `json:"budget"`   // evaluations of each person and each method
	Methods  []string `json:"methods"`  // as registry.Find takes them
}

// Race is a race with its evaluations.
type Race struct {
	Number int // from 1
	RaceConfig
	Ended bool // the function and all evaluations are shown

	evaluations []evaluation // in the order in which they were made
	used        *int
}

// Evaluation is a point with its value, without noise, both in the problem's units.
type Evaluation struct {
	X []float64
	Y float64
}

// evaluation is an Evaluation of a person, by the place in the list of people, or of a method with person −1.
type evaluation struct {
	person int
	method string
	Evaluation
}

// Problem is the function of the race. The error says why it is not suitable.
func (r RaceConfig) Problem() (*functions.Problem, error) {
	p, err := functions.Find(r.Function, r.Seed)
	if err != nil {
		return nil, err
	}
	if p.Truth == nil || len(p.Objectives) != 1 || p.Optimum() == nil {
		return nil, fmt.Errorf("a race needs a test function of one objective with a known optimum; %s has none",
			p.Title)
	}
	if len(p.Limits) > 0 || p.Constraints != nil || p.Table != nil || p.Dim() > maxVariables {
		return nil, fmt.Errorf("a race needs a function without limits and constraints; %s has some", p.Title)
	}
	return p, nil
}

// Check reports the first fault of a race, as far as that can be said without making its function: files with functions
// that the program does not know can still be read.
func (r RaceConfig) Check() error {
	if err := checkText("the name of the function", r.Function, maxName); err != nil {
		return err
	}
	if r.Budget < 1 || r.Budget > maxBudget {
		return fmt.Errorf("the budget must be from 1 to %d evaluations, got %d", maxBudget, r.Budget)
	}
	if len(r.Methods) > maxMethods {
		return fmt.Errorf("a race has at most %d methods, got %d", maxMethods, len(r.Methods))
	}
	for i, m := range r.Methods {
		if err := checkText("the name of a method", m, maxName); err != nil {
			return err
		}
		if slices.Contains(r.Methods[:i], m) {
			return fmt.Errorf("the method %q is in the race twice", m)
		}
	}
	return nil
}

func (r Race) hasMethod(name string) bool { return name != "" && slices.Contains(r.Methods, name) }

// of are the evaluations of a person, or of a method with person −1.
func (r Race) of(person int, method string) (list []Evaluation) {
	for _, e := range r.evaluations {
		if e.person == person && e.method == method {
			list = append(list, e.Evaluation)
		}
	}
	return list
}

func (r Race) count(person int, method string) int { return len(r.of(person, method)) }

// Evaluations are those of a person in a race, in their order.
func (st State) Evaluations(race int, person string) []Evaluation {
	r, err := st.Race(race)
	position := st.index(person)
	if err != nil || position < 0 {
		return nil
	}
	return r.of(position, "")
}

// MethodEvaluations are those of a method in a race, in their order.
func (r Race) MethodEvaluations(method string) []Evaluation { return r.of(-1, method) }

// Standing is a line of the board: a person or a method.
type Standing struct {
	Name   string    // the pseudonym or the method
	Person string    // the ID; empty of a method
	Best   float64   // the best value, in the problem's unit; NaN before the first evaluation
	Regret []float64 // the simple regret |best value − optimum| after each evaluation
	Place  int       // by the regret, from 1; equal regrets share it; 0 before the first evaluation
}

// Board is the standings of a race, the smallest regret first. All students are on it.
func (st State) Board(race int) ([]Standing, error) {
	r, err := st.Race(race)
	if err != nil {
		return nil, err
	}
	p, err := r.Problem()
	if err != nil {
		return nil, err
	}
	var list []Standing
	for i, person := range st.People {
		if evals := r.of(i, ""); person.Role == Student || len(evals) > 0 {
			list = append(list, standing(p, Standing{Name: person.Pseudonym, Person: person.ID}, evals))
		}
	}
	for _, m := range r.Methods {
		list = append(list, standing(p, Standing{Name: m}, r.MethodEvaluations(m)))
	}
	slices.SortStableFunc(list, func(a, b Standing) int {
		switch x, y := a.last(), b.last(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for i := range list {
		if math.IsInf(list[i].last(), 1) {
			break
		}
		list[i].Place = i + 1
		if i > 0 && list[i].last() == list[i-1].last() {
			list[i].Place = list[i-1].Place
		}
	}
	return list, nil
}

// last is the regret now; +Inf before the first evaluation.
func (s Standing) last() float64 {
	if len(s.Regret) == 0 {
		return math.Inf(1)
	}
	return s.Regret[len(s.Regret)-1]
}

// standing adds the values of some evaluations.
func standing(p *functions.Problem, s Standing, evals []Evaluation) Standing {
	sign, optimum := p.Objectives[0].Direction.Sign(), p.Optimum().Value
	s.Best = math.NaN()
	for _, e := range evals {
		if math.IsNaN(s.Best) || sign*e.Y < sign*s.Best {
			s.Best = e.Y
		}
		s.Regret = append(s.Regret, max(sign*(s.Best-optimum), 0))
	}
	return s
}

// StartRace starts a race, and returns its number. The race before must have ended.
func (c *Class) StartRace(r RaceConfig) (number int, err error) {
	if _, err := r.Problem(); err != nil {
		return 0, err
	}
	for _, m := range r.Methods {
		if _, err := (sessions.Config{Problem: r.Function, Seed: r.Seed}).FindOptimizer(m); err != nil {
			return 0, err
		}
	}
	err = c.record(func(st State) (change, error) {
		number = len(st.Races) + 1
		return &racedData{r}, nil
	})
	return number, err
}

// Evaluate evaluates the function of a race at a point for a person, and returns the value and the remaining budget of
// the person. The error wraps ErrTooLate if the budget is used or the race has ended.
func (c *Class) Evaluate(race int, person string, x []float64) (y float64, left int, err error) {
	r, err := c.State().Race(race)
	if err != nil {
		return 0, 0, err
	}
	y, err = r.evaluate(x)
	if err != nil {
		return 0, 0, err
	}
	err = c.record(func(st State) (change, error) {
		if r, err := st.Race(race); err == nil {
			left = r.Budget - r.count(st.index(person), "") - 1
		}
		return &evaluatedData{Race: race, Person: person, X: slices.Clone(x), Y: y}, nil
	})
	return y, left, err
}

// evaluate is the value of the function at a point.
func (r RaceConfig) evaluate(x []float64) (float64, error) {
	p, err := r.Problem()
	if err != nil {
		return 0, err
	}
	if err := p.Domain.Check(x); err != nil {
		return 0, err
	}
	y, err := p.TrueValues(x)
	if err != nil {
		return 0, err
	}
	return y[0], nil
}

// EndRace ends a race.
func (c *Class) EndRace(race int) error {
	return c.record(func(State) (change, error) { return &endedData{race}, nil })
}

// RunMethod runs a method of a race and calls report with each evaluation, in their order, until its budget is used,
// the context ends or report returns an error.
func RunMethod(ctx context.Context, r RaceConfig, method string, report func(Evaluation) error) error {
	s, err := sessions.New(ctx, sessions.Config{Problem: r.Function, Optimizer: method, Seed: r.Seed, Budget: r.Budget})
	if err != nil {
		return err
	}
	defer s.Close()
	for n := 0; n < r.Budget; {
		it, err := s.Step(ctx, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		for _, pt := range it.Points {
			n++
			if n > r.Budget {
				break
			}
			y := pt.Y
			if pt.Truth != nil {
				y = pt.Truth
			}
			if err := report(Evaluation{X: pt.X, Y: y[0]}); err != nil {
				return err
			}
		}
	}
	return nil
}

// RunMethod runs a method of a race and records its evaluations. After a restart it continues: the evaluations are the
// same again, and those on record are not recorded twice. It ends without an error when the race ends.
func (c *Class) RunMethod(ctx context.Context, race int, method string) error {
	r, err := c.State().Race(race)
	if err != nil {
		return err
	}
	have, n := r.count(-1, method), 0
	err = RunMethod(ctx, r.RaceConfig, method, func(e Evaluation) error {
		n++
		if n <= have {
			return nil
		}
		return c.record(func(State) (change, error) {
			return &evaluatedData{Race: race, Method: method, X: e.X, Y: e.Y}, nil
		})
	})
	if errors.Is(err, ErrTooLate) {
		return nil
	}
	return err
}

// Replay is a session in memory on the function of a race with the evaluations of somebody as its data, to see what a
// method believes after them.
func Replay(ctx context.Context, r RaceConfig, method string, evals []Evaluation) (*sessions.Session, error) {
	s, err := sessions.New(ctx, sessions.Config{Problem: r.Function, Optimizer: method, Seed: r.Seed, Budget: r.Budget})
	if err != nil {
		return nil, err
	}
	for _, e := range evals {
		if _, err := s.Query(ctx, e.X); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}
