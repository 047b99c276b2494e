package compare

import (
	"context"

	"bandscope/optimizers/inspection"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// decisionSide is one of two methods whose decisions are compared.
type decisionSide struct {
	Letter, Title string
	Color         theme.Color
	Line          theme.Line
	diagnostics.Suggester
}

// decisions compares the next points that two methods choose from the same data. It is immutable.
type decisions struct {
	Sides      [2]decisionSide
	State      sessions.State
	Report     *diagnostics.Explanation // of the first
	Comparison *diagnostics.Comparison  // of the second with the first

	grid   *picture.Posterior // of the acquisition of the second
	shares [2][]float64       // the rank of each node, from 0 to 1; nil for a side without an acquisition
}

// compareDecisions compares the second side with the first, drawn along variable i, or over i and j if j is not −1.
// With refit, methods without an exact formula are refitted without each result.
func compareDecisions(ctx context.Context, sides [2]decisionSide, i, j int, refit bool,
	progress sessions.Progress) (*decisions, error) {
	o := diagnostics.ExplainOptions{Influence: true, Refit: refit}
	m := &decisions{Sides: sides, State: sides[0].State()}
	var err error
	m.Report, err = diagnostics.ExplainNext(ctx, sides[0], o, progress)
	if err != nil {
		return nil, err
	}
	m.Comparison, err = diagnostics.CompareChoices(ctx, sides[0], m.Report, sides[1], o, progress)
	if err != nil {
		return nil, err
	}
	for k, lower := range []bool{m.Report.Lower, m.Comparison.Other.Lower} {
		g, err := picture.ComputeAcquisition(ctx, sides[k], m.Report.Chosen.X, i, j, progress)
		if err != nil {
			return nil, err
		}
		m.grid = g
		if f := g.Fields[picture.AcquisitionField]; !f.Empty() {
			m.shares[k] = inspection.RankShares(f.Z, lower)
		}
	}
	return m, nil
}

// MissingReason is why results could not be left out, if refitting would do it; else empty.
func (m *decisions) MissingReason() string {
	if m.Report.Unavailable != "" || m.Comparison.Other.Unavailable != "" || m.Report.NoInfluence != "" {
		return ""
	}
	return m.Comparison.SeparationUnavailable
}
