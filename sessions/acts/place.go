package acts

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/didyoumean"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/sessions"
)

// PlaceAnswer is the place of a session after a move.
type PlaceAnswer struct{ Place }

// Text names the place.
func (a PlaceAnswer) Text() string {
	return textOf(fmt.Sprintf("The session is after step %d of %d on the branch %q.", a.Step, a.Last, a.Branch))
}

func standing(s *sessions.Session) (PlaceAnswer, error) {
	p, err := placeOf(s)
	return PlaceAnswer{p}, err
}

// ForkArgs are the arguments of fork.
type ForkArgs struct {
	Name   string `json:"name,omitempty" length:"200" arg:"[NAME]" jsonschema:"the name of the branch"`
	Method string `json:"method,omitempty" short:"o" length:"200" words:"methods" jsonschema:"the method that goes on in the new branch"`
}

// Fork is the act of beginning a branch.
var Fork = declare(Act{Name: "fork", Title: "Begin a branch at the current place", Changes: true, Stays: true,
	About: "Begin a branch at the current place; later events stay on the branch before."},
	func(_ context.Context, t Turn, a ForkArgs) (PlaceAnswer, error) {
		if err := t.Session.Fork(a.Name, a.Method); err != nil {
			return PlaceAnswer{}, asWrong(err)
		}
		return standing(t.Session)
	})

// GotoArgs are the arguments of goto.
type GotoArgs struct {
	Step   *int   `json:"step,omitempty" bounds:"0..10000000" jsonschema:"the step of the branch; without it the end"`
	Branch string `json:"branch,omitempty" length:"200" arg:"[BRANCH]" words:"branches" jsonschema:"the name of the branch; without it the present one"`
}

// Goto is the act of going to a step or a branch.
var Goto = declare(Act{Name: "goto", Title: "Go to a step or a branch", Changes: true, Stays: true, Idempotent: true,
	About: "Go to a step of the branch, or to another branch; a later change begins a branch there."},
	func(_ context.Context, t Turn, a GotoArgs) (PlaceAnswer, error) {
		s := t.Session
		branch, err := branchFor(s, a.Branch)
		if err != nil {
			return PlaceAnswer{}, err
		}
		if n := len(branch.State.Iterations); a.Step != nil && *a.Step > n {
			return PlaceAnswer{}, wrong("there is no step %d; the branch %q has %s", *a.Step, branch.Name,
				numfmt.Count(n, "step"))
		}
		if !branch.Current {
			if err := s.Switch(branch.ID); err != nil {
				return PlaceAnswer{}, err
			}
		}
		if a.Step == nil {
			s.Last()
		} else {
			s.Seek(*a.Step)
		}
		return standing(s)
	})

// branchFor is the branch with a name, of several the last one; without a name the present one.
func branchFor(s *sessions.Session, name string) (found sessions.Branch, err error) {
	list, err := s.Branches()
	if err != nil {
		return found, err
	}
	var names []string
	for _, b := range list {
		names = append(names, b.Name)
		if b.Name == name || name == "" && b.Current {
			found = b
		}
	}
	if found.ID == "" {
		return found, asWrong(didyoumean.NewUnknownError("branch", name, names))
	}
	return found, nil
}

// Back is the act of going one step back.
var Back = declare(Act{Name: "back", Title: "Go one step back", Changes: true, Stays: true,
	About: "Go one step back; nothing is lost, and goto returns to the end."},
	func(_ context.Context, t Turn, _ Nothing) (PlaceAnswer, error) {
		if !t.Session.Back() {
			return PlaceAnswer{}, wrong("the session is at its beginning")
		}
		return standing(t.Session)
	})

// inputsOf are the points of a suggestion.
func inputsOf(st sessions.State, sug optimizers.Suggestion) (list []Input) {
	n, _ := sug.X.Dims()
	for i := range n {
		x := st.Problem.Domain.FromUnit(mat.Row(nil, i, sug.X))
		list = append(list, encoding.EncodeMap(st.Problem.Domain, x))
	}
	return list
}

// apart is the distance between the first points of two suggestions.
func apart(a, b optimizers.Suggestion) *Number {
	return number(floats.Distance(mat.Row(nil, 0, a.X), mat.Row(nil, 0, b.X), 2))
}
