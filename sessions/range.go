package sessions

import (
	"fmt"
	"math"

	"bandscope/functions"
	"bandscope/optimizers/search"
	"bandscope/optimizers/weights"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Where a range is from.
const (
	FromFront    = "front"          // the nadir and the utopia point of a front that is known
	FromComputed = "computed front" // of one that was searched for
	FromDeclared = "declaration"    // the declared ranges of an experiment
	FromPoints   = "first points"   // the best and the worst of the initial design
)

// Range is what several objectives are measured by, in their own units: an outcome is 1 where an objective has its best
// value and 0 where it has its worst one. It is fixed for a session: from its beginning where the problem declares it,
// otherwise from the end of the initial design.
type Range struct {
	From   string
	Points int // of FromPoints: how many
	Best   []float64
	Worst  []float64
}

// rangedData is a range in a file: in the header, or in an event.
type rangedData struct {
	From   string           `json:"source"`
	Points int              `json:"points,omitempty"`
	Best   []eventlog.Float `json:"best"`
	Worst  []eventlog.Float `json:"worst"`
}

func (r *Range) data() *rangedData {
	if r == nil {
		return nil
	}
	return &rangedData{r.From, r.Points, eventlog.Cast[eventlog.Float](r.Best), eventlog.Cast[eventlog.Float](r.Worst)}
}

// read is a range from a file; the error reports a range that does not fit the problem.
func (d *rangedData) read(p *functions.Problem) (*Range, error) {
	if d == nil {
		return nil, nil
	}
	r := &Range{d.From, d.Points, eventlog.Cast[float64](d.Best), eventlog.Cast[float64](d.Worst)}
	if len(r.Best) != len(p.Objectives) || len(r.Worst) != len(p.Objectives) {
		return nil, fmt.Errorf("the range has %d and %d values, but %s has %d objectives", len(r.Best), len(r.Worst),
			p.Name, len(p.Objectives))
	}
	for k, o := range p.Objectives {
		if span := o.Transform().Apply(r.Worst[k]) - o.Transform().Apply(r.Best[k]); !(span > 0) ||
			math.IsInf(span, 1) {
			return nil, fmt.Errorf("the range of %s goes from %g (best) to %g (worst), but the direction is %s",
				o.Name, r.Best[k], r.Worst[k], o.Direction)
		}
	}
	return r, nil
}

// declaredRange is the range that a problem declares; nil where it has one objective or its front is not known.
func declaredRange(p *functions.Problem) *Range {
	if p.Range == nil || len(p.Objectives) < 2 {
		return nil
	}
	from := FromDeclared
	if front := p.Front(); p.Table != nil {
		// the declaration has the range, not the front
	} else if front != nil && front.Computed {
		from = FromComputed
	} else if front != nil {
		from = FromFront
	}
	return &Range{From: from, Best: p.Range.Ideal, Worst: p.Range.Nadir}
}

// kindRanged is the kind of event that says what several objectives are measured by from there on.
const kindRanged = "ranged"

var _ = register(kindRanged, kind{fold: recorder.FoldData((*State).setRange), changesBelief: true})

// setRange folds a range.
func (st *State) setRange(d rangedData) error {
	r, err := d.read(st.Problem)
	if err == nil {
		st.Range = r
	}
	return err
}

// minRangePoints is of how many outcomes at least a range is made.
const minRangePoints = 2

// freezeRange records the range of the initial design, when it is done and the problem declares none.
func (st State) freezeRange() []recorder.Entry {
	if st.Range != nil || len(st.Problem.Objectives) < 2 {
		return nil
	}
	if r, frozen := st.OutcomeRange(); frozen {
		return []recorder.Entry{{Kind: kindRanged, Data: r.data()}}
	}
	return nil
}

// OutcomeRange is the current range by which outcomes are measured. Until it is frozen it is the range of the points so
// far, and only used for drawing: no hypervolume and no regret is computed from it.
func (st State) OutcomeRange() (r Range, frozen bool) {
	if st.Range != nil {
		return *st.Range, true
	}
	in := st.Input()
	lo, hi := weights.ObjectiveRange(in)
	first := search.InitialCount(in)
	r = Range{From: FromPoints, Points: min(first, in.Data.Len()), Best: make([]float64, len(lo)),
		Worst: make([]float64, len(hi))}
	for k, o := range st.Problem.Objectives {
		r.Best[k], r.Worst[k] = o.Transform().Invert(lo[k]), o.Transform().Invert(hi[k])
	}
	return r, len(st.Iterations) >= first && r.Points >= minRangePoints
}

// Minimized are the ends of the range as they are counted: the outcome 1, and the outcome 0.
func (r Range) Minimized(p *functions.Problem) (lo, hi []float64) {
	for k, o := range p.Objectives {
		lo, hi = append(lo, o.Transform().Apply(r.Best[k])), append(hi, o.Transform().Apply(r.Worst[k]))
	}
	return lo, hi
}

// Label names the range in a few words, for a legend.
func (r Range) Label() string {
	switch r.From {
	case FromPoints:
		return fmt.Sprintf("range of the first %d points", r.Points)
	case FromDeclared:
		return "declared range"
	}
	return "range of the " + r.From
}
