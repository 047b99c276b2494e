package sessions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// The kinds of event that make an iteration: between them the points are pending, for as long as it takes.
const (
	kindSuggested = "suggested" // a point, or a batch, is to be evaluated
	kindObserved  = "observed"  // what the evaluation gave
)

var (
	_ = register(kindSuggested, kind{fold: recorder.FoldData((*State).suggest), text: describeData(suggestedText),
		decision: extractData(suggestedPoints)})
	_ = register(kindObserved, kind{fold: recorder.FoldData((*State).observe), followUps: State.freezeRange,
		changesBelief: true})
)

type suggestedData struct {
	X           [][]eventlog.Float `json:"x"` // problem's units, one row a point of the batch
	By          string             `json:"source"`
	Mean        []eventlog.Float   `json:"mean,omitempty"` // the prediction there
	SD          []eventlog.Float   `json:"sd,omitempty"`
	Acquisition []eventlog.Float   `json:"acquisition,omitempty"`
	Weights     []eventlog.Float   `json:"weights,omitempty"` // λ, of several objectives
	Seconds     eventlog.Float     `json:"seconds"`           // to find the suggestion
	Note        string             `json:"note,omitempty"`
	Batch       *batchData         `json:"batch,omitempty"` // of several that were asked for at once
	State       *stateData         `json:"state,omitempty"` // what the program remembers that suggested it
}

type observedData struct {
	Y       [][]eventlog.Float `json:"y"`               // problem's units and directions, with noise
	SE      [][]eventlog.Float `json:"se,omitempty"`    // standard errors; absent where none is known
	Truth   [][]eventlog.Float `json:"truth,omitempty"` // without noise; absent if unknown
	Failed  []bool             `json:"failed,omitempty"`
	Cost    []eventlog.Float   `json:"cost,omitempty"`    // of each point; absent where all cost 1
	Reasons []string           `json:"reasons,omitempty"` // why each failed; absent where none is known
	// the remark on the result of each; absent if there is none
	Notes []string `json:"notes,omitempty"`
	// the plate, day or batch of the result of each; absent if there is none
	Blocks []string `json:"blocks,omitempty"`
	// where each was evaluated, null where it was suggested; absent where all were
	At [][]eventlog.Float `json:"x,omitempty"`
	// the id of the suggestion; absent for the latest pending one
	Of string `json:"suggestion,omitempty"`
}

// suggest folds a suggestion.
func (st *State) suggest(d suggestedData) error {
	x := eventlog.CastRows[float64](d.X)
	if len(x) == 0 {
		return errors.New("the event suggests no point")
	}
	for _, row := range x {
		if err := st.Problem.Domain.Check(row); err != nil {
			return fmt.Errorf("the event suggests %v, which is not an input of %s: %w", row, st.Problem.Name, err)
		}
	}
	batch, err := st.batch(d)
	if err != nil {
		return err
	}
	st.suggestionCount++
	st.Pending = append(slices.Clip(st.Pending), Iteration{ID: st.Head, Step: len(st.Iterations) + len(st.Pending) + 1,
		Number: st.suggestionCount, By: d.By, Seconds: float64(d.Seconds),
		Points: pointsAt(x, eventlog.Cast[float64](d.Mean), eventlog.Cast[float64](d.SD),
			eventlog.Cast[float64](d.Acquisition)),
		Weights: eventlog.Cast[float64](d.Weights), Prior: st.priorText(), Note: d.Note, Batch: batch, AskedBy: st.author, Foreign: st.foreign,
		State: d.State.state()})
	return nil
}

// suggestedText describes a suggestion.
func suggestedText(st State, _ suggestedData) string {
	it := st.Pending[len(st.Pending)-1]
	rows := make([]string, len(it.Points))
	for i, pt := range it.Points {
		rows[i] = pointText(st.Problem.Domain, pt.X)
	}
	return it.By + " evaluates " + strings.Join(rows, ", ")
}

// pointText formats an input for people, cut after four values.
func pointText(d functions.Domain, x []float64) string {
	end := ""
	if len(x) > 5 {
		x, end = x[:4], ", …"
	}
	texts := make([]string, len(x))
	for j, v := range x {
		texts[j] = d[j].Text(v)
	}
	return "(" + strings.Join(texts, ", ") + end + ")"
}

// suggestedPoints is the decision of a suggestion: its points, without their predictions and the time that they took.
func suggestedPoints(d suggestedData) [][]eventlog.Float { return d.X }

// observe folds its result.
func (st *State) observe(d observedData) error {
	it, err := st.removePending(d.Of)
	if err != nil {
		return fmt.Errorf("the event observes a point that was not suggested: %w", err)
	}
	n := len(it.Points)
	if len(d.Y) != n || d.Truth != nil && len(d.Truth) != n || d.SE != nil && len(d.SE) != n || d.At != nil &&
		len(d.At) != n {
		return fmt.Errorf("the event observes %s, but %d were suggested", numfmt.Count(len(d.Y), "point"), n)
	}
	it.Points = slices.Clone(it.Points)
	for i := range it.Points { // the observation repeats all partial results
		pt := &it.Points[i]
		pt.X = pt.Planned()
		pt.Suggested = nil
		pt.Missing = nil
		pt.Truth = nil
		pt.SE = nil
		pt.Reason = ""
		pt.Note = ""
		pt.Block = ""
	}
	for i, input := range d.At {
		if input == nil {
			continue
		}
		if err := it.Points[i].ranAt(st.Problem, eventlog.Cast[float64](input)); err != nil {
			return err
		}
	}
	if d.Cost != nil && len(d.Cost) != n {
		return fmt.Errorf("the event has the cost of %s, but %d were suggested", numfmt.Count(len(d.Cost), "point"), n)
	}
	k := len(st.Problem.Objectives) + len(st.Problem.Limits)
	for i, y := range d.Y {
		if len(y) != k || d.Truth != nil && len(d.Truth[i]) != k || d.SE != nil && d.SE[i] != nil && len(d.SE[i]) != k {
			return fmt.Errorf("the event observes %s, but %s has %s", numfmt.Count(len(y), "value"), st.Problem.Name,
				st.Problem.OutputSummary())
		}
		pt := &it.Points[i]
		pt.Y, pt.Cost = eventlog.Cast[float64](y), 1
		pt.Failed = !functions.Finite(pt.Y)
		if d.SE != nil {
			pt.SE = eventlog.Cast[float64](d.SE[i])
		}
		if d.Truth != nil {
			pt.Truth = eventlog.Cast[float64](d.Truth[i])
		}
		if d.Cost != nil {
			pt.Cost = float64(d.Cost[i])
		}
		if len(d.Reasons) == n {
			pt.Reason = d.Reasons[i]
		}
		if len(d.Notes) == n {
			pt.Note = d.Notes[i]
		}
		if len(d.Blocks) == n {
			pt.Block = d.Blocks[i]
		}
	}
	it.Step, it.ToldBy = len(st.Iterations)+1, st.author
	st.add(it)
	return nil
}

// ranAt notes that the point was evaluated elsewhere than it was suggested.
func (pt *Point) ranAt(p *functions.Problem, x []float64) error {
	if err := p.Domain.Check(x); err != nil {
		return fmt.Errorf("the point was evaluated at %v, which is not an input of %s: %w", x, p.Name, err)
	}
	pt.X, pt.Suggested = x, pt.Planned()
	if slices.Equal(x, pt.Suggested) {
		pt.Suggested = nil
	}
	return nil
}
