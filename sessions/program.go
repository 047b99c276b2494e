package sessions

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"

	"bandscope/optimizers"
	"bandscope/optimizers/program"
)

// Program is the program that the method is; nil if it is none.
func (st State) Program() *program.Declaration {
	if d := st.Config.Program; d != nil && d.MethodName() == st.Spec.Name {
		return d
	}
	if !program.IsName(st.Spec.Name) {
		return nil
	}
	d, err := program.FromName(st.Spec.Name)
	if err != nil {
		return nil
	}
	return d
}

// ProgramFlag is the flag that allows a program that was not started; false if the error is another one.
func ProgramFlag(err error) (string, bool) {
	var e *program.NotAllowedError
	if !errors.As(err, &e) {
		return "", false
	}
	return program.Flag(e.Command), true
}

// source is the problem as a program sees it.
func (st State) source() *optimizers.Source {
	recorded, reasons := sync.OnceValue(st.recordedPoints), sync.OnceValue(st.failureReasons)
	domain := st.Problem.Domain
	return &optimizers.Source{Problem: st.Problem, Bounds: st.Bounds, States: st.programStates(), Talker: st.programs,
		Point: func(u []float64) []float64 {
			if x, ok := recorded()[pointKey(u)]; ok {
				return x
			}
			return domain.FromUnit(u)
		}, Reason: func(u []float64) string { return reasons()[pointKey(u)] }}
}

// failureReasons are the latest reasons of failures, by pointKey of their places in the unit cube.
func (st State) failureReasons() map[string]string {
	reasons := map[string]string{}
	for _, it := range st.Iterations {
		for _, pt := range it.Points {
			if pt.Failed && pt.Reason != "" {
				reasons[pointKey(st.Problem.Domain.ToUnit(pt.X))] = pt.Reason
			}
		}
	}
	return reasons
}

// recordedPoints are the points on record and the discarded ones, by pointKey of their places in the unit cube.
func (st State) recordedPoints() map[string][]float64 {
	points := map[string][]float64{}
	add := func(x []float64) { points[pointKey(st.Problem.Domain.ToUnit(x))] = x }
	for _, r := range st.Rejections {
		for _, x := range r.X {
			add(x)
		}
	}
	for _, list := range [][]Iteration{st.Iterations, st.Pending} {
		for _, it := range list {
			for _, pt := range it.Points {
				add(pt.X)
			}
		}
	}
	return points
}

// pointKey is a point of the unit cube to the last bit.
func pointKey(u []float64) string {
	key := make([]byte, 0, 8*len(u))
	for _, v := range u {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	return string(key)
}

// programStates are the states that the program of the method recorded, the latest first.
func (st State) programStates() []optimizers.State {
	var from []Iteration
	for _, list := range [][]Iteration{st.Iterations, st.Pending} {
		for _, it := range list {
			if it.State != nil && it.By == st.Spec.Name {
				from = append(from, it)
			}
		}
	}
	slices.SortFunc(from, func(a, b Iteration) int { return b.Number - a.Number })
	states := make([]optimizers.State, len(from))
	for i, it := range from {
		states[i] = *it.State
	}
	return states
}

// stateData is the state of a program in a file.
type stateData struct {
	Data   json.RawMessage `json:"data"`
	Seen   int             `json:"seen"`   // how many results the program had got
	Digest string          `json:"digest"` // of the problem, the parameters and these results
}

// newStateData is a state in a file; nil for none.
func newStateData(s *optimizers.State) *stateData {
	if s == nil {
		return nil
	}
	return &stateData{s.Data, s.Seen, s.Digest}
}

// state is the state that a file has; nil for none.
func (d *stateData) state() *optimizers.State {
	if d == nil {
		return nil
	}
	return &optimizers.State{Data: d.Data, Seen: d.Seen, Digest: d.Digest}
}
