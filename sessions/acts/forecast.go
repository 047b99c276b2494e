package acts

import (
	"bandscope/functions/encoding"
	"bandscope/optimizers/forecast"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
)

// Forecast is what further runs can gain. Intervals of values contain 80 % of the simulated values, those of
// probabilities 95 %.
type Forecast struct {
	Quantity   string            `json:"quantity"` // the objective, or hypervolume
	Now        *Number           `json:"now,omitempty"`
	Next       *NextForecast     `json:"next,omitempty"`
	After      []RunsForecast    `json:"after,omitempty"`
	Worthwhile map[string]Number `json:"worthwhile,omitempty"`         // by the objective; on a log scale a factor
	Assumed    []string          `json:"worthwhile_assumed,omitempty"` // objectives without a declared amount
	Method     string            `json:"method,omitempty"`             // how the search is simulated
	Draws      int               `json:"draws,omitempty"`
	Stop       bool              `json:"stop"` // further runs are not worthwhile

	lines []string
}

// Lines are the forecast in sentences without periods.
func (f *Forecast) Lines() []string { return f.lines }

// NextForecast is what the best next point can gain; on a log scale improvements are decimal logarithms.
type NextForecast struct {
	X           Input       `json:"x,omitempty"`
	Improvement Number      `json:"expected_improvement"`
	Low         Number      `json:"low"`
	High        Number      `json:"high"`
	Feasible    Number      `json:"feasible"` // probability to be within all limits
	Worthwhile  Probability `json:"worthwhile"`
}

// RunsForecast is the value after some more runs.
type RunsForecast struct {
	Runs       int         `json:"runs"`
	Value      Number      `json:"expected"`
	SE         Number      `json:"standard_error"` // of the simulation
	Low        Number      `json:"low"`
	High       Number      `json:"high"`
	Worthwhile Probability `json:"worthwhile"`
}

// Probability is the probability of a worthwhile improvement.
type Probability struct {
	Value Number `json:"probability"`
	Low   Number `json:"low"`
	High  Number `json:"high"`
}

func newProbability(p forecast.Probability) Probability {
	return Probability{Number(p.Value), Number(p.Low), Number(p.High)}
}

func newForecast(st sessions.State, f *diagnostics.Forecast) *Forecast {
	out := &Forecast{Quantity: f.Quantity, Stop: f.Stop, lines: f.Lines()}
	if f.Unavailable != "" {
		return out
	}
	now := Number(f.Now)
	out.Now = &now
	out.Assumed = f.Assumed
	out.Method = f.Method
	out.Draws = f.Draws
	out.Worthwhile = map[string]Number{}
	for k, v := range f.Worthwhile {
		out.Worthwhile[st.Problem.Objectives[k].Name] = Number(v)
	}
	n := f.Next
	out.Next = &NextForecast{Improvement: Number(n.Improvement), Low: Number(n.Low),
		High: Number(n.High), Feasible: Number(n.Feasible), Worthwhile: newProbability(n.Worthwhile)}
	if n.X != nil {
		out.Next.X = encoding.EncodeMap(st.Problem.Domain, n.X)
	}
	for _, a := range f.After {
		out.After = append(out.After, RunsForecast{a.Runs, Number(a.Value), Number(a.SE),
			Number(a.Low), Number(a.High), newProbability(a.Worthwhile)})
	}
	return out
}
