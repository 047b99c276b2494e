package acts

import (
	"bandscope/functions/encoding"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
)

type WhyAnswer struct {
	Answer               string         `json:"answer"` // why the point was chosen
	Reason               string         `json:"reason"` // its kind
	Problem              string         `json:"problem"`
	Optimizer            string         `json:"optimizer"`
	Seed                 uint64         `json:"seed"`
	Step                 int            `json:"step"`
	Origin               string         `json:"origin"`
	Note                 string         `json:"note,omitempty"`
	Stopping             string         `json:"stopping,omitempty"` // the advice on stopping, or why there is none
	Unavailable          string         `json:"lacking,omitempty"`  // why there is no acquisition
	Acquisition          string         `json:"acquisition,omitempty"`
	Integration          string         `json:"integration,omitempty"`
	Inference            string         `json:"inference,omitempty"` // how the model is approximated; empty if it is exact
	Chosen               WhyCandidate   `json:"chosen"`
	RunnersUp            []WhyCandidate `json:"others,omitempty"`
	DrawRank             *WhyDrawRank   `json:"drawn,omitempty"`
	Influence            []WhyInfluence `json:"influence,omitempty"`
	Refit                bool           `json:"refit,omitempty"`
	InfluenceUnavailable string         `json:"no_influence,omitempty"` // why no result could be left out
	Counterfactuals      []WhyChange    `json:"changes,omitempty"`
	// values of parameters among which no change was looked for
	SkippedValues string         `json:"untried,omitempty"`
	Comparison    *WhyComparison `json:"beside,omitempty"`
}

// WhyCandidate is an input with its acquisition value and what the model predicts there.
type WhyCandidate struct {
	X           map[string]encoding.Value `json:"x"`
	Acquisition *WhyTerm                  `json:"acquisition,omitempty"`
	Predictions map[string]WhyPrediction  `json:"believed,omitempty"`
	Deficit     string                    `json:"lacks,omitempty"`
}

// WhyTerm is a value of the acquisition function, with the terms that it consists of.
type WhyTerm struct {
	Name  string        `json:"name"`
	Value report.Number `json:"value"`
	Joins string        `json:"joins,omitempty"` // how the parts make it: "sum", "product" or "least"
	Parts []any         `json:"parts,omitempty" jsonschema:"terms in the same form"`
}

// WhyPrediction is what the model predicts for an objective.
type WhyPrediction struct {
	Mean report.Number `json:"mean"`
	SD   report.Number `json:"sd"`
}

// WhyDrawRank is the rank of the input in the functions that the model draws.
type WhyDrawRank struct {
	Below int           `json:"below"`
	Total int           `json:"of"`
	Least report.Number `json:"share_with_least_there"`
}

// WhyInfluence is how the choice changes if a result is left out.
type WhyInfluence struct {
	Point    string                    `json:"point"`
	X        map[string]encoding.Value `json:"x"`
	XWithout map[string]encoding.Value `json:"then"`
	Moved    report.Number             `json:"moved"`
	Same     bool                      `json:"same,omitempty"`
	Here     report.Number             `json:"acquisition_here"`
	There    report.Number             `json:"acquisition_then"`
}

// WhyChange is a change to a parameter that changes the choice.
type WhyChange struct {
	Parameter string                    `json:"parameter"`
	From      any                       `json:"from"`
	To        any                       `json:"to"`
	Part      *report.Number            `json:"part_of_range,omitempty"`
	NewX      map[string]encoding.Value `json:"then"`
	Moved     report.Number             `json:"moved"`
}

func newWhyAnswer(st sessions.State, r *diagnostics.Explanation) WhyAnswer {
	point := func(x []float64) map[string]encoding.Value { return encoding.EncodeMap(st.Problem.Domain, x) }
	place := func(p diagnostics.Candidate) WhyCandidate {
		candidate := WhyCandidate{X: point(p.X)}
		for k, n := range p.Predictions {
			if candidate.Predictions == nil {
				candidate.Predictions = map[string]WhyPrediction{}
			}
			candidate.Predictions[st.Problem.Objectives[k].Name] = WhyPrediction{report.Number(n.Mean), report.Number(n.SD)}
		}
		if r.Unavailable == "" {
			whole := newTerm(st, p.Acquisition)
			candidate.Acquisition = &whole
		}
		return candidate
	}
	answer := WhyAnswer{Answer: r.Reason.Text, Reason: string(r.Reason.Kind),
		Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Step: len(st.Iterations), Origin: r.Origin, Note: r.Note, Unavailable: r.Unavailable,
		Acquisition: r.Acquisition, Integration: r.Integration, Inference: r.Inference, Chosen: place(r.Chosen), Refit: r.Refit,
		InfluenceUnavailable: r.InfluenceUnavailable}
	for _, other := range r.RunnersUp {
		p := place(other.Candidate)
		p.Deficit = other.Deficit
		answer.RunnersUp = append(answer.RunnersUp, p)
	}
	if d := r.DrawRank; d != nil {
		answer.DrawRank = &WhyDrawRank{d.Below, d.Total, report.Number(d.Least)}
	}
	for _, influence := range r.Influence {
		answer.Influence = append(answer.Influence,
			WhyInfluence{influence.Label, point(influence.Result.X), point(influence.XWithout),
				report.Number(influence.Distance), influence.Same, report.Number(influence.AtChosen),
				report.Number(influence.AtRefit)})
	}
	if r.Searched {
		answer.SkippedValues = diagnostics.SkippedValues(st)
	}
	for _, c := range r.Counterfactuals {
		answer.Counterfactuals = append(answer.Counterfactuals,
			WhyChange{c.Decl.Key, c.From, c.To, optional(c.Fraction),
				point(c.NewX), report.Number(c.Distance)})
	}
	return answer
}

func newTerm(st sessions.State, p optimizers.Term) WhyTerm {
	term := WhyTerm{Name: diagnostics.TermName(st, p), Value: report.Number(p.Value), Joins: string(p.Operation)}
	for _, part := range p.Terms {
		term.Parts = append(term.Parts, newTerm(st, part))
	}
	return term
}

// WhyComparison is the choice of another method.
type WhyComparison struct {
	Optimizer   string         `json:"optimizer"`
	Chosen      any            `json:"chosen"`
	Distance    report.Number  `json:"apart"`
	Same        bool           `json:"same,omitempty"`
	Correlation *report.Number `json:"rank_correlation,omitempty"`
	Shared      *report.Number `json:"shared_of_best_tenth,omitempty"`
	// why it is not known which result separates them
	SeparationUnavailable string         `json:"no_separation,omitempty"`
	Separates             *WhySeparation `json:"separated_by,omitempty"`
}

// WhySeparation is the result without which the choices of two optimizers are nearest.
type WhySeparation struct {
	Point           string                      `json:"point"`
	X               map[string]encoding.Value   `json:"x"`
	DistanceWithout report.Number               `json:"apart_without"`
	XWithout        []map[string]encoding.Value `json:"chosen_without"`
}

func newComparison(st sessions.State, b *diagnostics.Comparison) *WhyComparison {
	if b == nil {
		return nil
	}
	comparison := &WhyComparison{Optimizer: b.Name, Chosen: encoding.EncodeMap(st.Problem.Domain, b.Other.Chosen.X),
		Distance: report.Number(b.Distance), Same: b.Same, Correlation: optional(b.Correlation),
		Shared: optional(b.Overlap), SeparationUnavailable: b.SeparationUnavailable}
	if datum := b.Separating; datum != nil {
		comparison.Separates = &WhySeparation{Point: datum.Label, X: encoding.EncodeMap(st.Problem.Domain, datum.X),
			DistanceWithout: report.Number(datum.Distance)}
		for _, x := range datum.XWithout {
			comparison.Separates.XWithout = append(comparison.Separates.XWithout, encoding.EncodeMap(st.Problem.Domain, x))
		}
	}
	return comparison
}
