package sessions

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"bandscope/functions"
	"bandscope/functions/experiment"
)

// twins are two sessions on the same experiment: in the one a rate and a cost of which factors count are measured, in
// the other their decimal logarithms. Every method has to do the same in both.
func twins(t *testing.T, method string, params [2]map[string]any, objectives ...functions.Objective) (logs,
	plain *Session) {
	t.Helper()
	variables := functions.Domain{{Name: "x", High: 1}, {Name: "z", High: 2}}
	sides := [2]*Session{}
	for side := range sides {
		d := &experiment.Declaration{Name: "twin", Variables: variables, Objectives: slices.Clone(objectives),
			Budget: 20}
		for k, o := range d.Objectives {
			if o.Scale == functions.Log && side == 1 {
				o.Scale, o.Range = functions.Linear, &[2]float64{math.Log10(o.Range[0]), math.Log10(o.Range[1])}
				for _, limit := range []**float64{&o.AtMost, &o.AtLeast} {
					if *limit != nil {
						v := math.Log10(**limit)
						*limit = &v
					}
				}
				d.Objectives[k] = o
			}
		}
		sides[side] = start(t, Config{Problem: "twin", Experiment: d, Optimizer: method, Seed: 7, Params: params[side]})
		sides[side].SetEvaluator(fake(func(_ context.Context, x []float64) (functions.Outcome, error) {
			owner := twinValues(x)[:len(d.Objectives)]
			out := functions.Outcome{SE: make([]float64, len(owner))}
			for k, o := range objectives {
				v, se := owner[k], math.NaN()
				if x[0] > 0.5 { // for some an error is told
					se = 0.1 * math.Abs(v) * x[0]
				}
				switch {
				case o.Scale != functions.Log:
					v, se = math.Log10(v), math.NaN()
				case side == 1:
					v, se = math.Log10(max(v, o.Range[0])), se/(max(v, o.Range[0])*math.Ln10)
				}
				out.Values, out.SE[k] = append(out.Values, v), se
			}
			return out, nil
		}))
	}
	return sides[0], sides[1]
}

// twinValues are what is measured, above 0 and below: the first is less than nothing now and then, as a corrected
// measurement may be.
func twinValues(x []float64) []float64 {
	a := math.Pow(10, 1.5*math.Sin(4*x[0]+x[1])+0.3*x[1]) - 0.05
	return []float64{a, math.Pow(10, 2*(x[0]-0.3)*(x[0]-0.3)+math.Cos(3*x[1])-x[0])}
}

var (
	rate = functions.Objective{Name: "rate", Direction: functions.Minimize, Scale: functions.Log,
		Range: &[2]float64{0.03, 50}}
	strength = functions.Objective{Name: "strength", Direction: functions.Maximize, Scale: functions.Log,
		Range: &[2]float64{0.1, 20}}
	size = functions.Objective{Name: "size", Direction: functions.Minimize, Range: &[2]float64{-1, 2}}
)

func limitedTo(o functions.Objective, most float64) functions.Objective {
	o.AtMost = &most
	return o
}

// Who measures v on a logarithmic scale and who measures log v are suggested the same points, told the same by the
// model, and judged by the same hypervolume.
func TestLogarithmsOfObjectives(t *testing.T) {
	if testing.Short() {
		t.Skip("its fits run in the tests of optimizers too")
	}
	box := func(from, end float64) string { return fmt.Sprintf("0.7 box(any, %v..%v) + 0.3 flat", from, end) }
	for _, c := range []struct {
		name, method string
		params       [2]map[string]any
		objectives   []functions.Objective
	}{
		{"one, by a process", "gp-ei", [2]map[string]any{}, []functions.Objective{rate}},
		{"one, maximized, by a network", "neural-lin-ts", [2]map[string]any{}, []functions.Objective{strength}},
		{"one with a limit", "gp-ei", [2]map[string]any{}, []functions.Objective{limitedTo(rate, 12)}},
		{"two with a box", "mobo-rs-ts", [2]map[string]any{{"prior": box(0.5, 2)},
			{"prior": box(math.Log10(0.5), math.Log10(2))}}, []functions.Objective{rate, strength}},
		{"one of two", "ehvi", [2]map[string]any{{"reference": "60, 1.5"},
			{"reference": fmt.Sprint(math.Log10(60), ", 1.5")}}, []functions.Objective{rate, size}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for side := range c.params {
				if c.params[side] == nil {
					c.params[side] = map[string]any{}
				}
				c.params[side]["initial"] = 4
			}
			logs, plain := twins(t, c.method, c.params, c.objectives...)
			steps(t, logs, 6)
			steps(t, plain, 6)
			a, b := logs.State(), plain.State()
			for i := range a.Iterations {
				if x, want := a.Iterations[i].Inputs(), b.Iterations[i].Inputs(); !slices.EqualFunc(x, want,
					slices.Equal) {
					t.Fatalf("step %d is at %v, and of the logarithms at %v", i+1, x, want)
				}
				for n, pt := range a.Iterations[i].Points {
					g := a.Problem.Objectives[0].Transform()
					if want := math.Pow(10, b.Iterations[i].Points[n].Mean); g.IsLog() &&
						math.Abs(pt.Mean-want) > 1e-12*want {
						t.Errorf("step %d expects %g, want %g", i+1, pt.Mean, want)
					}
				}
			}
			ra, _ := a.OutcomeRange()
			rb, _ := b.OutcomeRange()
			for k := range ra.Best {
				if g := a.Problem.Objectives[k].Transform(); g.IsLog() &&
					math.Abs(ra.Best[k]-math.Pow(10, rb.Best[k])) > 1e-12*ra.Best[k] {
					t.Errorf("objective %d is best at %g, want 10 to the %g", k, ra.Best[k], rb.Best[k])
				}
			}
			repeats(t, logs, 6)
		})
	}
}

// An objective can be counted by factors midway: what was observed counts so from there on, and its range is the one
// that is declared.
func TestFactorsMidway(t *testing.T) {
	s, path := brewed(t, "", 3)
	if err := s.SetExpectation(functions.Objective{Name: "bitterness", Range: &[2]float64{0.1, 10}, Scale: functions.Log,
		Noise: 0.2}); err != nil {
		t.Fatal(err)
	}
	st := s.State()
	in := st.Input()
	for i, it := range st.Iterations {
		y := max(it.Points[0].Y[1], 0.1)
		if math.Abs(in.Data.Y.At(i, 1)-math.Log10(y)) > 1e-12 ||
			math.Abs(in.Data.SE.At(i, 1)-0.2/y/math.Ln10) > 1e-12 || in.Data.Y.At(i, 0) != -it.Points[0].Y[0] {
			t.Errorf("step %d, %v, counts as %v with errors of %v", i+1, it.Points[0].Y, in.Data.Y.RawRowView(i),
				in.Data.SE.RawRowView(i))
		}
	}
	if r := st.Range; r == nil || r.Best[1] != 0.1 || r.Worst[1] != 10 || math.Abs(in.Lo[1]+1) > 1e-12 ||
		math.Abs(in.Hi[1]-1) > 1e-12 {
		t.Errorf("the range is %+v, counted from %v to %v", r, in.Lo, in.Hi)
	}
	if u := st.Outcome([]float64{24, 1}, in.Lo, in.Hi); math.Abs(u[1]-0.5) > 1e-12 {
		t.Errorf("a bitterness of 1 is the outcome %g, want the middle", u[1])
	}
	if err := s.SetExpectation(functions.Objective{Name: "bitterness", Range: nil, Scale: functions.Log,
		Noise: 0}); err == nil {
		t.Error("factors count without a range")
	}
	sameOnDisk(t, s, path)
}

// What is told in the unit of an objective reaches a method as logarithms: values from the floor on, errors by the
// delta method, the noise that is declared where none is told.
func TestGaugesOfInput(t *testing.T) {
	o := rate
	o.Noise = 0.2
	s := start(t, Config{Problem: "twin", Optimizer: "gp-ei",
		Experiment: &experiment.Declaration{Name: "twin", Variables: functions.Domain{{Name: "x", High: 1}},
			Objectives: []functions.Objective{o}}})
	values := []struct{ v, se, counted, error float64 }{
		{10, 1, 1, 0.1 / math.Ln10},
		{0.1, math.NaN(), -1, 2 / math.Ln10}, // the noise
		{0.01, 0.03, math.Log10(0.03), 1 / math.Ln10},
		{-2, math.NaN(), math.Log10(0.03), 0.2 / 0.03 / math.Ln10},
	}
	next := 0
	s.SetEvaluator(fake(func(context.Context, []float64) (functions.Outcome, error) {
		next++
		return functions.Outcome{Values: []float64{values[next-1].v}, SE: []float64{values[next-1].se}}, nil
	}))
	steps(t, s, len(values))
	in := s.State().Input()
	for i, want := range values {
		if y, se := in.Data.Y.At(i, 0), in.Data.SE.At(i, 0); math.Abs(y-want.counted) > 1e-12 ||
			math.Abs(se-want.error) > 1e-12 {
			t.Errorf("%g with an error of %g counts as %g ± %g, want %g ± %g", want.v, want.se, y, se, want.counted,
				want.error)
		}
	}
	if middle := math.Sqrt(0.03 * 50); math.Abs(in.Noise[0]-0.2/middle/math.Ln10) > 1e-12 {
		t.Errorf("the noise is %g", in.Noise[0])
	}
	if e := in.Expected[0]; math.Abs(e[0]-math.Log10(0.03)) > 1e-12 || math.Abs(e[1]-math.Log10(50)) > 1e-12 {
		t.Errorf("expected are %v", e)
	}
	if x, y, _, ok := s.State().Best(); !ok || y != 0.01 {
		t.Errorf("the best is %g at %v", y, x)
	}
}
