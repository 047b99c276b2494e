package acts_test

import (
	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// inputs are points as an act takes them.
func inputs(points ...map[string]float64) (list []acts.Input) {
	for _, p := range points {
		list = append(list, input(p))
	}
	return list
}

func input(values map[string]float64) acts.Input {
	in := acts.Input{}
	for name, v := range values {
		in[name] = encoding.Typed(numfmt.Exact(v))
	}
	return in
}

// addResult reports a result without a suggestion.
func addResult(s *sessions.Session, r functions.Result, force bool) (acts.TellAnswer, error) {
	at := acts.Input{}
	for _, v := range s.State().Problem.Domain {
		if x, ok := r.At[v.Name]; ok {
			at[v.Name] = encoding.Encode(v, x)
		}
	}
	r.At = nil
	return acts.AddPoint(s, at, r, force)
}
