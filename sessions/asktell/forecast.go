package asktell

import (
	"bandscope/functions/encoding"
	"bandscope/optimizers/forecast"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
)

// Forecast is what further runs can gain. Intervals of values contain 80 % of the simulated values, those of
// probabilities 95 %.
type Forecast struct {
	Quantity   string                   `json:"quantity"` // the objective, or hypervolume
	Now        *report.Number           `json:"now,omitempty"`
	Next       *NextForecast            `json:"next,omitempty"`
	After      []RunsForecast           `json:"after,omitempty"`
	Worthwhile map[string]report.Number `json:"worthwhile,omitempty"`         // by the objective; on a log scale a factor
	Assumed    []string                 `json:"worthwhile_assumed,omitempty"` // objectives without a declared amount
	Method     string                   `json:"method,omitempty"`             // how the search is simulated
	Draws      int                      `json:"draws,omitempty"`
	Stop       bool                     `json:"stop"` // further runs are not worthwhile

	lines []string
}

// Lines are the forecast in sentences without periods.
func (f *Forecast) Lines() []string { return f.lines }

// NextForecast is what the best next point can gain; on a log scale improvements are decimal logarithms.
type NextForecast struct {
	X           map[string]encoding.Value `json:"x,omitempty"`
	Improvement report.Number             `json:"expected_improvement"`
	Low         report.Number             `json:"low"`
	High        report.Number             `json:"high"`
	Feasible    report.Number             `json:"feasible"` // probability to be within all limits
	Worthwhile  Probability               `json:"worthwhile"`
}

// RunsForecast is the value after some more runs.
type RunsForecast struct {
	Runs       int           `json:"runs"`
	Value      report.Number `json:"expected"`
	SE         report.Number `json:"standard_error"` // of the simulation
	Low        report.Number `json:"low"`
	High       report.Number `json:"high"`
	Worthwhile Probability   `json:"worthwhile"`
}

// Probability is the probability of a worthwhile improvement.
type Probability struct {
	Value report.Number `json:"probability"`
	Low   report.Number `json:"low"`
	High  report.Number `json:"high"`
}

func newProbability(p forecast.Probability) Probability {
	return Probability{report.Number(p.Value), report.Number(p.Low), report.Number(p.High)}
}

func newForecast(st sessions.State, f *diagnostics.Forecast) *Forecast {
	out := &Forecast{Quantity: f.Quantity, Stop: f.Stop, lines: f.Lines()}
	if f.Unavailable != "" {
		return out
	}
	now := report.Number(f.Now)
	out.Now = &now
	out.Assumed = f.Assumed
	out.Method = f.Method
	out.Draws = f.Draws
	out.Worthwhile = map[string]report.Number{}
	for k, v := range f.Worthwhile {
		out.Worthwhile[st.Problem.Objectives[k].Name] = report.Number(v)
	}
	n := f.Next
	out.Next = &NextForecast{Improvement: report.Number(n.Improvement), Low: report.Number(n.Low),
		High: report.Number(n.High), Feasible: report.Number(n.Feasible), Worthwhile: newProbability(n.Worthwhile)}
	if n.X != nil {
		out.Next.X = encoding.EncodeMap(st.Problem.Domain, n.X)
	}
	for _, a := range f.After {
		out.After = append(out.After, RunsForecast{a.Runs, report.Number(a.Value), report.Number(a.SE),
			report.Number(a.Low), report.Number(a.High), newProbability(a.Worthwhile)})
	}
	return out
}
