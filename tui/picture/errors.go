package picture

import (
	"math"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// maxErrors is up to how many observations their standard errors are drawn: with more the bars would overlap.
const maxErrors = 40

// minError is from which part of the axis on a bar is longer than its point.
const minError = 0.03

// ErrorBars are the bars of ± two standard errors of an objective's observations, as far as they are known and can be
// seen on its axis. place is where a point of an iteration, both counted from 0, is on the other one.
func ErrorBars(st sessions.State, objective int, axis chart.Axis,
	place func(iteration, point int) float64) chart.Errors {
	l, g := chart.Errors{Name: "±2 SE"}, st.Problem.Objectives[objective].Transform()
	long := math.Abs(g.ToScale(axis.Max) - g.ToScale(axis.Min))
	for k, it := range st.Iterations {
		for i, pt := range it.Points {
			if pt.SE == nil || pt.Failed {
				continue
			}
			y := g.ToScale(pt.Y[objective])
			if wide := 2 * g.ApplySE(pt.Y[objective], pt.SE[objective]); wide > minError*long/2 &&
				!math.IsInf(wide, 0) {
				l.At = append(l.At, place(k, i))
				l.Lo = append(l.Lo, g.FromScale(y-wide))
				l.Hi = append(l.Hi, g.FromScale(y+wide))
			}
		}
	}
	if len(l.At) > maxErrors {
		return chart.Errors{}
	}
	return l
}

// errorLayers are the standard errors of the data of one variable, and the means of replicates, weighted by their
// standard errors.
func (d Drawing) errorLayers(c chart.Chart) []chart.Layer {
	if d.State.Problem.Dim() > 1 {
		return nil // they are off the slice
	}
	places := d.places()
	bars := ErrorBars(d.State, 0, c.Y, func(iteration, point int) float64 { return places[iteration][point][0] })
	bars.Color = d.Style.Data
	means := chart.Points{Shape: theme.GlyphPlus, Color: d.Style.Data, Name: "mean of replicates"}
	for _, r := range report.ReplicatesFor(d.State) {
		means.X, means.Y = append(means.X, r.X[0]), append(means.Y, d.Objective().Transform().Clamp(r.Mean[0]))
	}
	return []chart.Layer{bars, means}
}
