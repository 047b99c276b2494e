// Package decisions tells where two methods agree, or one with two settings, about what to evaluate next from the same data: by the ranks that their acquisitions give to
// points, how far their next points are from each other, and which result separates them. Two places of one session come in, and a panel goes out. What is computed is sessions/why's,
// off the update loop; when it is, and of which two, is the screen's. Results are listed in lines of its own, not in a table of Lip Gloss, which cuts cells within words and numbers.
package decisions

import (
	"context"

	"bandscope/optimizers/insight/why"
	"bandscope/sessions"
	told "bandscope/sessions/why"
	"bandscope/tui/theme"
	"bandscope/tui/why/ground"
)

// Side is one of the two.
type Side struct {
	Letter, Title string
	Color         theme.Color
	Line          theme.Line
	told.Source
}

// Made is where two sides agree. Nothing in it is changed once it is there.
type Made struct {
	Sides  [2]Side
	State  sessions.State
	Report *told.Report // of the first
	Beside *told.Beside // how the second stands to it

	ground.Ground
	shares [2][]float64 // of the nodes, those that each is better at; nil where that side has no acquisition
}

// Of holds the second side against the first, drawn along variable i, or over i and j where that is not −1. Refit leaves results out by fitting to the others anew, where there is no closed form.
func Of(ctx context.Context, sides [2]Side, i, j int, refit bool, progress sessions.Progress) (*Made, error) {
	o := told.Options{Influence: true, Refit: refit}
	m := &Made{Sides: sides, State: sides[0].State()}
	var err error
	if m.Report, err = told.Of(ctx, sides[0], o, progress); err != nil {
		return nil, err
	}
	if m.Beside, err = told.Compare(ctx, sides[0], m.Report, sides[1], o, progress); err != nil {
		return nil, err
	}
	for k, lower := range []bool{m.Report.Lower, m.Beside.Other.Lower} {
		g, err := ground.Over(ctx, sides[k], m.Report.Chosen.X, i, j, progress)
		if err != nil {
			return nil, err
		}
		m.Ground = g
		if g.Values != nil {
			m.shares[k] = why.Shares(g.Values, lower)
		}
	}
	return m, nil
}

// Lacks is why results could not be left out, where fitting anew would do it; empty where they were, or nothing would.
func (m *Made) Lacks() string {
	if m.Report.Lacking != "" || m.Beside.Other.Lacking != "" || m.Report.Fixed != "" {
		return ""
	}
	return m.Beside.Untold
}
