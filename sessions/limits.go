package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions/recorder"
)

// limitsFor are the limits of a problem as methods see them, in the order of Problem.LimitedOutputs.
func limitsFor(p *functions.Problem) (list []optimizers.Limit) {
	measured := p.Outputs()
	for _, k := range p.LimitedOutputs() {
		o := measured[k]
		g := o.Transform()
		l := optimizers.Limit{Name: o.Name, Min: math.Inf(-1), Max: math.Inf(1), Noise: declaredNoise(o), Objective: -1,
			Log: g.IsLog()}
		if o.AtLeast != nil {
			l.Min = g.ToScale(*o.AtLeast)
		}
		if o.AtMost != nil {
			l.Max = g.ToScale(*o.AtMost)
		}
		if k < len(p.Objectives) {
			l.Objective = k
		}
		list = append(list, l)
	}
	return list
}

// limited are the objectives and limits that have a limit, as far as they are declared.
func (d declaredData) limited() []functions.Objective {
	all := slices.Clip(d.Objectives)
	if d.Limits != nil {
		all = append(all, *d.Limits...)
	}
	return slices.DeleteFunc(slices.Clone(all), func(o functions.Objective) bool { return !o.HasLimits() })
}

// Limit changes the limits of a measured quantity from here on: of an objective, or of a further quantity, whose name,
// unit and limits it takes. A new quantity is measured from here on, and earlier results miss it until it is reported;
// a quantity that is not an objective and has no limit any more is no longer measured. Recorded results stay. method
// names another method to continue with, as in AddObjective, because not every method supports limits.
func (s *Session) Limit(o functions.Objective, method string) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		st := *s.rec.State()
		if st.Config.Experiment == nil {
			return nil, fmt.Errorf("%s: %w", st.Problem.Name, ErrFixedObjectives)
		}
		d := *st.Config.Experiment
		d.Objectives, d.Limits = slices.Clone(d.Objectives), slices.Clone(d.Limits)
		same := func(other functions.Objective) bool { return other.Name == o.Name }
		k, l := slices.IndexFunc(d.Objectives, same), slices.IndexFunc(d.Limits, same)
		switch {
		case k >= 0:
			d.Objectives[k].AtMost, d.Objectives[k].AtLeast = o.AtMost, o.AtLeast
		case l >= 0 && !o.HasLimits():
			d.Limits = slices.Delete(d.Limits, l, l+1)
		case l >= 0:
			d.Limits[l].AtMost, d.Limits[l].AtLeast = o.AtMost, o.AtLeast
		default:
			d.Limits = append(d.Limits, o)
		}
		if reflect.DeepEqual(&d, st.Config.Experiment) {
			return nil, errors.New("these limits are already set")
		}
		if err := d.Check(); err != nil {
			return nil, err
		}
		st.Config.Experiment, st.Problem = &d, d.Problem()
		set, err := st.withOptimizer(cmp.Or(method, st.Spec.Name))
		if err != nil {
			return nil, err
		}
		return []recorder.Entry{{Kind: kindDeclared,
			Data: declaredData{Objectives: d.Objectives, Optimizer: set.spec.Name, Params: set.config.Params,
				Limits: &d.Limits}}}, nil
	})
	return err
}
