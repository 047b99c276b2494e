package explore

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
)

// unknown is a session on a problem of which nothing is known but what an evaluator gives.
func unknown(t *testing.T, problem, method string) (*sessions.Session, functions.Evaluator) {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: method, Seed: 3})
	require.NoError(t, err)
	truth := *s.State().Problem
	s.State().Problem.Truth = nil
	return s, truth.Evaluator()
}

// observed is an evaluator whose outcomes say nothing of a truth.
type observed struct{ functions.Evaluator }

func (o observed) Evaluate(ctx context.Context, x []float64) (functions.Outcome, error) {
	got, err := o.Evaluator.Evaluate(ctx, x)
	got.Truth = nil
	return got, err
}

// Where there is no truth, nothing on the screen is drawn or judged by one, and the key that shows it says why it does
// nothing.
func TestWithoutTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("TestGoldenScreens runs the same jobs")
	}
	for problem, c := range map[string]struct{ method, tells, then string }{
		"forrester": {"gp-ei", "outlook", "best value"}, "branin": {"gp-ei", "outlook", "best value"},
		"branin-currin": {"mobo-rs-ucb", "outlook", "sensitivity"},
	} {
		if testing.Short() && problem != "forrester" {
			continue
		}
		s, amount := unknown(t, problem, c.method)
		s.SetEvaluator(observed{amount})
		for range 5 {
			if _, err := s.Step(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		d := driveSession(t, s, 120, 36, trueColor)
		d.Press("space")
		if n := len(s.State().Iterations); n != 6 {
			t.Errorf("%s: %d steps", problem, n)
		}
		for _, tells := range []string{c.tells, c.then} {
			above := d.Text()[:strings.LastIndex(d.Text(), "\n")] // without the keys
			for _, never := range []string{"truth", "optimum", "simple regret", "regret ", "front, computed"} {
				if strings.Contains(above, never) {
					t.Errorf("%s: the screen shows %q:\n%s", problem, never, d.Text())
				}
			}
			d.Shows(tells)
			d.Press("t")
			d.Shows("of this problem is unknown")
			d.Press("v")
		}
		for _, keys := range []string{"d", "all_variables", "b", "x"} { // other views, and a query
			d.Press(keys)
			d.Text()
		}
	}
}

// Where nobody is attached, a step gives out a further point and says that it waits; the picture shows it. Whoever is
// attached later evaluates the oldest.
func TestNobodyEvaluates(t *testing.T) {
	s, amount := unknown(t, "forrester", "random")
	d := driveSession(t, s, 120, 36, trueColor)
	d.Press("space")
	d.Shows("press enter to report its results")
	d.Shows("1 pending point")
	d.Shows("pending")
	d.Press("r")
	d.Shows("evaluation is manual")
	d.Press("space")
	d.Shows("2 pending points")
	if st := s.State(); len(st.Pending) != 2 || len(st.Iterations) != 0 {
		t.Fatalf("%d out, %d iterations", len(st.Pending), len(st.Iterations))
	}
	s.SetEvaluator(observed{amount})
	d.Press("space")
	if st := s.State(); len(st.Pending) != 1 || len(st.Iterations) != 1 {
		t.Errorf("%d out, %d iterations", len(st.Pending), len(st.Iterations))
	}
}

// A panic of an evaluator is said, and the explorer goes on.
func TestEvaluatorPanics(t *testing.T) {
	s, _ := unknown(t, "forrester", "random")
	s.SetEvaluator(broken{})
	d := driveSession(t, s, 120, 36, trueColor)
	d.Press("space")
	d.Shows("the evaluator panicked: out of beans")
}

type broken struct{}

func (broken) Evaluate(context.Context, []float64) (functions.Outcome, error) { panic("out of beans") }

// An evaluation that takes long is stopped like a fit: its point stays out, and is what the next step evaluates.
func TestLongEvaluationIsStopped(t *testing.T) {
	s, amount := unknown(t, "forrester", "random")
	begun := make(chan bool)
	s.SetEvaluator(slow{begun})
	d := driveSession(t, s, 120, 36, trueColor)
	d.Run(d.M.Update(screentest.Key("space")))
	for under := false; !under; {
		select {
		case msg := <-d.Msgs:
			d.Take(msg)
		case <-begun:
			under = true
		}
	}
	d.Run(d.M.Update(screentest.Key("esc")))
	d.Settle()
	d.Shows("stopped; press space to continue")
	out := s.State().Pending
	require.Equal(t, 1, len(out), "out are %v", out)
	s.SetEvaluator(observed{amount})
	d.Press("space")
	if its := s.State().Iterations; len(its) != 1 || its[0].ID != out[0].ID {
		t.Errorf("out was %v, evaluated is %v", out, its)
	}
}

type slow struct{ begun chan bool }

func (s slow) Evaluate(ctx context.Context, _ []float64) (functions.Outcome, error) {
	close(s.begun)
	<-ctx.Done()
	return functions.Outcome{}, ctx.Err()
}

// The views follow a domain that grows from one variable to two, forward and back.
func TestWidenedDomain(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random", Seed: 3,
		Experiment: &experiment.Declaration{Name: "oven", Variables: functions.Domain{{Name: "T", Low: 60, High: 100}},
			Objectives: []functions.Objective{{Name: "rise", Direction: functions.Maximize}}}})
	require.NoError(t, err)
	for _, x := range []float64{70, 80, 95} {
		_, err := s.Record(sessions.ByPerson, [][]float64{{x}}, functions.Outcome{Values: []float64{x}})
		require.NoError(t, err)
	}
	d := driveSession(t, s, 120, 36, trueColor)
	for _, c := range []struct{ text, keys, shows string }{
		{"widen T 60..140", "", "earlier bounds"},
		{"widen p 1..9 was 2", "", "slices"},
		{"", "d d left", "oven 1-D"},
		{"", "space", "oven 2-D"},
		{"", "home", "oven 1-D"},
	} {
		if c.text != "" {
			d.Press("delete", "ctrl+u")
			d.write(c.text)
			d.Press("enter")
		} else {
			d.Press(strings.Fields(c.keys)...)
		}
		d.Shows(c.shows)
	}
}
