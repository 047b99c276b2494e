package acts

import (
	"context"
	"math"

	"bandscope/functions/encoding"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
)

// CheckArgs are the arguments of check.
type CheckArgs struct {
	Step         *int `json:"step,omitempty" bounds:"0..10000000" jsonschema:"check the model after this step; without it the present one"`
	Retrain      bool `json:"retrain,omitempty" jsonschema:"retrain the model without each result, instead of the exact formula, or if there is none"`
	Alternatives bool `json:"alternatives,omitempty" jsonschema:"compare the model with other values of the method's parameters"`
}

// Check is the act of checking the model.
var Check = declare(Act{Name: "check", Title: "Check a model: leave-one-out, calibration, alternatives",
	Idempotent: true, Fits: true,
	About: "Check whether the model can be trusted: leave-one-out predictions, coverage of the bands compared with their nominal level, outliers, alternatives, and a verdict in one sentence."},
	func(ctx context.Context, t Turn, a CheckArgs) (answer CheckAnswer, err error) {
		if a.Step != nil {
			back, err := seek(t.Session, *a.Step, *a.Step)
			if err != nil {
				return answer, err
			}
			defer back()
		}
		o := diagnostics.CheckOptions{Refit: a.Retrain, Alternatives: a.Alternatives}
		r, err := diagnostics.CheckModel(ctx, t.Session, o, t.Progress)
		if err != nil {
			return answer, err
		}
		answer = newCheckAnswer(t.Session.State(), r)
		answer.Stopping, err = diagnostics.StoppingAdvice(ctx, t.Session, t.Progress)
		return answer, err
	})

// CheckAnswer is the answer to check.
type CheckAnswer struct {
	Answer       string               `json:"answer" jsonschema:"whether the model can be trusted, why, and what to do"`
	Verdict      string               `json:"verdict" jsonschema:"its kind"`
	Stopping     string               `json:"stopping,omitempty" jsonschema:"the advice on stopping, or why there is none"`
	Problem      string               `json:"problem"`
	Method       string               `json:"method"`
	Seed         uint64               `json:"seed"`
	Step         int                  `json:"step"`
	Residuals    string               `json:"residuals,omitempty" jsonschema:"closed form or retrained"`
	Integration  string               `json:"integration,omitempty"`
	Inference    string               `json:"inference,omitempty" jsonschema:"how the model is approximated, unless it is exact"`
	Unavailable  string               `json:"unavailable,omitempty" jsonschema:"why there are no residuals"`
	Objectives   []CheckedObjective   `json:"objectives"`
	Alternatives []CheckedAlternative `json:"alternatives,omitempty"`
	Suggested    *map[string]any      `json:"suggested,omitempty" jsonschema:"the parameter that explains the results better by more than its uncertainty"`

	state sessions.State
	check *diagnostics.Check
}

// CheckedObjective is how well the model predicts an objective.
type CheckedObjective struct {
	Name        string                        `json:"name"`
	Data        []CheckedResult               `json:"data,omitempty"`
	Coverage    []CheckedCoverage             `json:"coverage,omitempty"`
	Domain      []CheckedCoverage             `json:"domain_coverage,omitempty"`
	BandFactor  Number                        `json:"band_factor,omitempty" jsonschema:"of the recalibration"`
	Histogram   []int                         `json:"pit_histogram,omitempty"`
	LogScore    *Number                       `json:"log_predictive_density,omitempty"`
	RMSZ        *Number                       `json:"rms_z,omitempty"`
	LogEvidence *Number                       `json:"log_evidence,omitempty"`
	Alarm       string                        `json:"alarm,omitempty"`
	Sensitivity map[string]CheckedSensitivity `json:"sensitivity,omitempty"`
	Blocks      *CheckedBlocks                `json:"blocks,omitempty"`
}

// CheckedBlocks are the shifts of plates and days.
type CheckedBlocks struct {
	SD         Number         `json:"sd" jsonschema:"standard deviation of the shifts; on a log scale of the decimal logarithm, as all of them"`
	RelativeTo string         `json:"relative_to"`
	Shifts     []CheckedShift `json:"shifts"`
}

// CheckedShift is the shift of a block.
type CheckedShift struct {
	Block   string `json:"block"`
	Results int    `json:"results"`
	Shift   Number `json:"shift"`
	SE      Number `json:"se"`
}

// CheckedResult is a result, and what the model predicts for it from the others.
type CheckedResult struct {
	Point    string `json:"point"`
	X        Input  `json:"x"`
	Value    Number `json:"value"`
	Expected Number `json:"expected"`
	SD       Number `json:"sd"`
	Z        Number `json:"z"`
	Outlier  bool   `json:"outlier,omitempty"`
}

// CheckedCoverage counts the results within a band.
type CheckedCoverage struct {
	Nominal float64 `json:"nominal"`
	Inside  int     `json:"inside"`
	Total   int     `json:"total"`
	Low     *Number `json:"low,omitempty"`
	High    *Number `json:"high,omitempty"`
}

// CheckedSensitivity is how much of the variance of an objective an input explains.
type CheckedSensitivity struct {
	First      *Number            `json:"first,omitempty"`
	Total      *Number            `json:"total,omitempty"`
	Importance *CheckedImportance `json:"importance,omitempty" jsonschema:"first for functions that the model draws"`
	Length     string             `json:"lengthscale,omitempty"`
}

// CheckedImportance is a distribution over the functions that the model draws.
type CheckedImportance struct {
	Median Number `json:"median"`
	Low    Number `json:"low" jsonschema:"end of the 90 % interval"`
	High   Number `json:"high" jsonschema:"end of the 90 % interval"`
}

// CheckedAlternative is a value of a parameter, and how much better the model predicts with it.
type CheckedAlternative struct {
	Parameter string  `json:"parameter"`
	Value     any     `json:"value"`
	Gain      Number  `json:"gain"`
	SE        Number  `json:"se"`
	Evidence  *Number `json:"log_evidence_gain,omitempty"`
	Better    bool    `json:"better,omitempty"`
}

// optional is a value for other programs; nil where there is none.
func optional(v float64) *Number {
	if math.IsNaN(v) {
		return nil
	}
	n := Number(v)
	return &n
}

func newCheckAnswer(st sessions.State, r *diagnostics.Check) CheckAnswer {
	c := CheckAnswer{Answer: r.Verdict.Text, Verdict: string(r.Verdict.Kind),
		Problem: st.Problem.Name, Method: st.Spec.Name, Seed: st.Config.Seed,
		Step:        len(st.Iterations),
		Integration: r.Integration, Inference: r.Inference, Unavailable: r.Unavailable, state: st, check: r}
	if r.Unavailable == "" {
		c.Residuals = map[bool]string{true: "retrained", false: "closed form"}[r.Refit]
	}
	for _, o := range r.Objectives {
		objective := CheckedObjective{Name: o.Name, Histogram: o.Histogram, Alarm: o.Alarm,
			LogScore: optional(o.LogScore), RMSZ: optional(o.RMSZ),
			LogEvidence: optional(o.LogEvidence),
			Coverage:    newCoverage(o.Coverage), Domain: newCoverage(o.DomainCoverage),
			BandFactor: Number(o.BandFactor)}
		for _, d := range o.Data {
			objective.Data = append(objective.Data, CheckedResult{d.Label, encoding.EncodeMap(st.Problem.Domain, d.X),
				Number(d.Value), Number(d.Prediction.Mean), Number(d.Prediction.SD),
				Number(d.Z), d.Outlier})
		}
		for j, v := range st.Problem.Domain {
			var sensitivity CheckedSensitivity
			if o.First != nil {
				sensitivity.First = optional(o.First[j])
			}
			if o.Total != nil {
				sensitivity.Total = optional(o.Total[j])
			}
			if o.Importances != nil {
				i := o.Importances[j]
				sensitivity.Importance = &CheckedImportance{Number(i.Median), Number(i.Low), Number(i.High)}
			}
			if o.Lengthscales != nil {
				sensitivity.Length = o.Lengthscales[j]
			}
			if sensitivity != (CheckedSensitivity{}) {
				if objective.Sensitivity == nil {
					objective.Sensitivity = map[string]CheckedSensitivity{}
				}
				objective.Sensitivity[v.Name] = sensitivity
			}
		}
		if b := o.Blocks; b != nil {
			objective.Blocks = &CheckedBlocks{SD: Number(b.SD), RelativeTo: b.Reference()}
			for _, s := range b.Shifts {
				objective.Blocks.Shifts = append(objective.Blocks.Shifts, CheckedShift{s.Name, s.Results, Number(s.Mean),
					Number(s.SE)})
			}
		}
		c.Objectives = append(c.Objectives, objective)
	}
	for _, a := range r.Alternatives {
		c.Alternatives = append(c.Alternatives,
			CheckedAlternative{a.Name, a.Alternative.Value, Number(a.Gain), Number(a.SE),
				optional(a.Evidence), a.Better})
	}
	if a := r.Recommendation(); a != nil {
		c.Suggested = &map[string]any{a.Name: a.Alternative.Value}
	}
	return c
}

func newCoverage(all []inspection.Coverage) (list []CheckedCoverage) {
	for _, c := range all {
		list = append(list, CheckedCoverage{c.Nominal, c.Inside, c.Total, optional(c.Low), optional(c.High)})
	}
	return list
}
