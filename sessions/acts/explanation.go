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

// WhyCandidate is a part of the answer to why.
type WhyCandidate struct {
	X           map[string]encoding.Value `json:"x"`
	Acquisition *WhyTerm                  `json:"acquisition,omitempty"`
	Predictions map[string]WhyPrediction  `json:"believed,omitempty"`
	Deficit     string                    `json:"lacks,omitempty"`
}

// WhyTerm is a part of the answer to why.
type WhyTerm struct {
	Name  string        `json:"name"`
	Value report.Number `json:"value"`
	Joins string        `json:"joins,omitempty"` // how the parts make it: "sum", "product" or "least"
	Parts []any         `json:"parts,omitempty" jsonschema:"terms in the same form"`
}

// WhyPrediction is a part of the answer to why.
type WhyPrediction struct {
	Mean report.Number `json:"mean"`
	SD   report.Number `json:"sd"`
}

// WhyDrawRank is a part of the answer to why.
type WhyDrawRank struct {
	Below int           `json:"below"`
	Total int           `json:"of"`
	Least report.Number `json:"share_with_least_there"`
}

// WhyInfluence is a part of the answer to why.
type WhyInfluence struct {
	Point    string                    `json:"point"`
	X        map[string]encoding.Value `json:"x"`
	XWithout map[string]encoding.Value `json:"then"`
	Moved    report.Number             `json:"moved"`
	Same     bool                      `json:"same,omitempty"`
	Here     report.Number             `json:"acquisition_here"`
	There    report.Number             `json:"acquisition_then"`
}

// WhyChange is a part of the answer to why.
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
		whyCandidate := WhyCandidate{X: point(p.X)}
		for k, n := range p.Predictions {
			if whyCandidate.Predictions == nil {
				whyCandidate.Predictions = map[string]WhyPrediction{}
			}
			whyCandidate.Predictions[st.Problem.Objectives[k].Name] = WhyPrediction{report.Number(n.Mean), report.Number(n.SD)}
		}
		if r.Unavailable == "" {
			whole := newTerm(st, p.Acquisition)
			whyCandidate.Acquisition = &whole
		}
		return whyCandidate
	}
	whyAnswer := WhyAnswer{Answer: r.Reason.Text, Reason: string(r.Reason.Kind),
		Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Step: len(st.Iterations), Origin: r.Origin, Note: r.Note, Unavailable: r.Unavailable,
		Acquisition: r.Acquisition, Integration: r.Integration, Inference: r.Inference, Chosen: place(r.Chosen), Refit: r.Refit,
		InfluenceUnavailable: r.InfluenceUnavailable}
	for _, other := range r.RunnersUp {
		p := place(other.Candidate)
		p.Deficit = other.Deficit
		whyAnswer.RunnersUp = append(whyAnswer.RunnersUp, p)
	}
	if d := r.DrawRank; d != nil {
		whyAnswer.DrawRank = &WhyDrawRank{d.Below, d.Total, report.Number(d.Least)}
	}
	for _, whyCandidate := range r.Influence {
		whyAnswer.Influence = append(whyAnswer.Influence,
			WhyInfluence{whyCandidate.Label, point(whyCandidate.Result.X), point(whyCandidate.XWithout), report.Number(whyCandidate.Distance), whyCandidate.Same,
				report.Number(whyCandidate.AtChosen), report.Number(whyCandidate.AtRefit)})
	}
	if r.Searched {
		whyAnswer.SkippedValues = diagnostics.SkippedValues(st)
	}
	for _, c := range r.Counterfactuals {
		whyAnswer.Counterfactuals = append(whyAnswer.Counterfactuals,
			WhyChange{c.Decl.Key, c.From, c.To, optional(c.Fraction),
				point(c.NewX), report.Number(c.Distance)})
	}
	return whyAnswer
}

func newTerm(st sessions.State, p optimizers.Term) WhyTerm {
	whyTerm := WhyTerm{Name: diagnostics.TermName(st, p), Value: report.Number(p.Value), Joins: string(p.Operation)}
	for _, part := range p.Terms {
		whyTerm.Parts = append(whyTerm.Parts, newTerm(st, part))
	}
	return whyTerm
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

// WhySeparation is a part of the answer to why.
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
	whyComparison := &WhyComparison{Optimizer: b.Name, Chosen: encoding.EncodeMap(st.Problem.Domain, b.Other.Chosen.X),
		Distance: report.Number(b.Distance), Same: b.Same, Correlation: optional(b.Correlation),
		Shared: optional(b.Overlap), SeparationUnavailable: b.SeparationUnavailable}
	if owner := b.Separating; owner != nil {
		whyComparison.Separates = &WhySeparation{Point: owner.Label, X: encoding.EncodeMap(st.Problem.Domain, owner.X),
			DistanceWithout: report.Number(owner.Distance)}
		for _, x := range owner.XWithout {
			whyComparison.Separates.XWithout = append(whyComparison.Separates.XWithout, encoding.EncodeMap(st.Problem.Domain, x))
		}
	}
	return whyComparison
}
