package export

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/functions/pareto"
	"bandscope/optimizers"
	"bandscope/optimizers/insight"
	"bandscope/sessions"
)

// judge asks a belief what is recommended. What a method does not know is not told.
type judge struct {
	ctx    context.Context
	state  sessions.State
	input  optimizers.Input
	belief optimizers.Belief
}

// recommend tells the best that was observed and the best by the model with how sure it is of both, and of several objectives the front.
func (r *contents) recommend(ctx context.Context, s *sessions.Session, st sessions.State) error {
	if len(st.Iterations) == 0 {
		return nil
	}
	b, err := s.Belief(ctx, nil)
	if err != nil {
		return err
	}
	j := judge{ctx, st, st.Input(), b}
	if r.BestTitle = "Recommended"; len(st.Problem.Objectives) > 1 {
		r.BestTitle = "The front"
		if r.Front, err = j.front(); err != nil {
			return err
		}
	} else if err := j.observed(r); err != nil {
		return err
	}
	for k := range st.Problem.Objectives {
		if err := j.model(r, k); err != nil {
			return err
		}
	}
	if err := j.sensitivity(r); err != nil {
		return err
	}
	return j.strangers(r)
}

func (r *contents) recommended(format string, args ...any) {
	r.Best = append(r.Best, words(format, args...).Text)
}

// absent is an error of a belief, nil where it is that it does not have what was asked for.
func absent(err error) error {
	if errors.Is(err, optimizers.ErrAbsent) {
		return nil
	}
	return err
}

// at is what the model believes of every objective at an input, mean ± 2 sd in the objectives' own units and directions; nil where it has no band.
func (j judge) at(x []float64) ([]string, error) {
	bands, err := j.belief.Predict(j.ctx, mat.NewDense(1, len(x), j.state.Problem.Domain.ToUnit(x)))
	if err != nil {
		return nil, absent(err)
	}
	said := make([]string, len(bands))
	for k, b := range bands {
		said[k] = spread(j.state.Problem.Objectives[k], b.Mean[0], b.SD[0])
	}
	return said, nil
}

// spread tells a minimized mean with two standard deviations.
func spread(o functions.Objective, mean, sd float64) string {
	return strings.TrimSpace(fmt.Sprintf("%s ± %s %s", digits.Of(o.Direction.Sign()*mean), digits.Of(2*sd), o.Unit))
}

// observed tells the best observation of the single objective.
func (j judge) observed(r *contents) error {
	x, y, step, ok := j.state.Best()
	if !ok {
		r.recommended("nothing has a result yet")
		return nil
	}
	o, it := j.state.Problem.Objectives[0], j.state.Iterations[step-1]
	r.recommended("best observed: %s = %s, experiment %d, at %s", o.Name, quantity(o, y), it.Number, place(j.state.Problem, x))
	said, err := j.at(x)
	if err == nil && said != nil {
		r.recommended("there the model believes %s (two standard deviations)", said[0])
	}
	return err
}

// model tells where the model's mean of an objective is best, how that differs from the best observation, and what may be hoped for of one experiment more.
func (j judge) model(r *contents, k int) error {
	best, err := insight.Best(j.ctx, j.input, j.belief, k)
	if err != nil {
		return absent(err)
	}
	p := j.state.Problem
	o := p.Objectives[k]
	r.recommended("best by the model: %s = %s (two standard deviations), at %s", o.Name, spread(o, best.Mean, best.SD), place(p, p.Domain.FromUnit(best.X)))
	if len(p.Objectives) > 1 {
		return nil
	}
	if _, y, _, ok := j.state.Best(); ok {
		gain := o.Direction.Sign()*y - best.Mean
		how := "better"
		if gain < 0 {
			how = "worse: the best observation may be luck"
		}
		r.recommended("by the model's mean that is %s %s than the best observed", quantity(o, math.Abs(gain)), how)
	}
	left, err := insight.ImprovementLeft(j.ctx, j.input, j.belief, k)
	if err == nil {
		r.recommended("no improvement above %s is expected of another experiment", quantity(o, left.Value))
	}
	return absent(err)
}

// sensitivity tells how much of what the model's mean varies is owed to each variable alone.
func (j judge) sensitivity(r *contents) error {
	if j.state.Problem.Dim() < 2 || j.state.Problem.Dim() > 12 {
		return nil
	}
	all, err := insight.Sensitivity(j.ctx, j.input, j.belief)
	if err != nil {
		return absent(err)
	}
	for k, s := range all {
		var said []string
		for i, v := range s.First {
			if functions.Finite([]float64{v}) {
				said = append(said, fmt.Sprintf("%s %.0f %%", j.state.Problem.Domain[i].Name, 100*v))
			}
		}
		if said != nil && s.Variance > 0 {
			r.recommended("of how the model's %s varies, each variable alone makes: %s", j.state.Problem.Objectives[k].Name, strings.Join(said, ", "))
		}
	}
	return nil
}

// strange is from how many standard deviations on a result is not understood.
const strange = 3

// strangers tells which results the model would not have expected from all others.
func (j judge) strangers(r *contents) error {
	left, ok := j.belief.(optimizers.LeftOut)
	if !ok {
		return nil
	}
	residuals, err := left.LeaveOneOut(j.ctx)
	if err != nil {
		return absent(err)
	}
	var said []string
	n := 0
	for _, it := range j.state.Iterations {
		for i := range it.X {
			if it.Lacks(i) || it.Failed[i] {
				continue
			}
			for k, o := range residuals {
				if n < len(o.Z) && math.Abs(o.Z[n]) > strange {
					said = append(said, fmt.Sprintf("experiment %d (%s, by %s standard deviations)", it.Number, j.state.Problem.Objectives[k].Name, digits.Of(math.Abs(o.Z[n]))))
				}
			}
			n++
		}
	}
	if said != nil {
		r.recommended("not what the other results would say: %s", strings.Join(said, ", "))
	}
	return nil
}

// front lists the observations that no other dominates, with what the model believes there.
func (j judge) front() (*table, error) {
	p := j.state.Problem
	t := table{Head: []cell{{Text: "no.", Number: true}}}
	for _, v := range p.Domain {
		t.Head = append(t.Head, cell{Text: words("%s", withUnit(v.Name, v.Unit)).Text, Number: true})
	}
	for _, o := range p.Objectives {
		t.Head = append(t.Head, cell{Text: words("%s", withUnit(o.Name, o.Unit)).Text, Number: true})
	}
	var at [][2]int
	var ys [][]float64
	for s, it := range j.state.Iterations {
		for i := range it.X {
			if it.Lacks(i) || it.Failed[i] {
				continue
			}
			y := make([]float64, len(p.Objectives))
			for k, o := range p.Objectives {
				y[k] = o.Direction.Sign() * it.Y[i][k]
			}
			at, ys = append(at, [2]int{s, i}), append(ys, y)
		}
	}
	for _, f := range pareto.Front(ys) {
		it, i := j.state.Iterations[at[f][0]], at[f][1]
		believed, err := j.at(it.X[i])
		if err != nil {
			return nil, err
		}
		cells := []cell{{Text: fmt.Sprint(it.Number), Number: true}}
		for _, v := range it.X[i] {
			cells = append(cells, number(v))
		}
		for k := range p.Objectives {
			c := value(it, i, k)
			if believed != nil {
				c.More = []string{words("model %s", believed[k]).Text}
			}
			cells = append(cells, c)
		}
		if t.Rows = append(t.Rows, row{Cells: cells}); len(t.Rows) == tableRows {
			break
		}
	}
	return &t, nil
}
