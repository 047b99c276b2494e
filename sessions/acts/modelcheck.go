package acts

import (
	"math"

	"bandscope/functions/encoding"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
)

// CheckAnswer is the answer to check.
type CheckAnswer struct {
	Answer       string               `json:"answer"`             // whether the model can be believed, why, and what to do
	Verdict      string               `json:"verdict"`            // its kind
	Stopping     string               `json:"stopping,omitempty"` // the advice on stopping, or why there is none
	Problem      string               `json:"problem"`
	Optimizer    string               `json:"optimizer"`
	Seed         uint64               `json:"seed"`
	Step         int                  `json:"step"`
	Residuals    string               `json:"residuals,omitempty"` // "closed form" or "retrained"
	Integration  string               `json:"integration,omitempty"`
	Inference    string               `json:"inference,omitempty"` // how the model is approximated; empty if it is exact
	Unavailable  string               `json:"lacking,omitempty"`   // why there are none
	Objectives   []CheckedObjective   `json:"objectives"`
	Alternatives []CheckedAlternative `json:"alternatives,omitempty"`
	// the parameter that explains the results better by more than its uncertainty
	Suggested *map[string]any `json:"suggested,omitempty"`
}

// CheckedObjective is how well the model predicts an objective.
type CheckedObjective struct {
	Name        string                        `json:"name"`
	Data        []CheckedResult               `json:"data,omitempty"`
	Coverage    []CheckedCoverage             `json:"coverage,omitempty"`
	Domain      []CheckedCoverage             `json:"domain_coverage,omitempty"`
	BandFactor  report.Number                 `json:"band_factor,omitempty"` // of the recalibration
	Histogram   []int                         `json:"pit_histogram,omitempty"`
	LogScore    *report.Number                `json:"log_predictive_density,omitempty"`
	RMSZ        *report.Number                `json:"rms_z,omitempty"`
	LogEvidence *report.Number                `json:"log_evidence,omitempty"`
	Alarm       string                        `json:"alarm,omitempty"`
	Sensitivity map[string]CheckedSensitivity `json:"sensitivity,omitempty"`
	Blocks      *CheckedBlocks                `json:"blocks,omitempty"`
}

// CheckedBlocks are the shifts of plates and days.
type CheckedBlocks struct {
	SD         report.Number  `json:"sd" jsonschema:"standard deviation of the shifts; on a log scale of the decimal logarithm, as all of them"`
	RelativeTo string         `json:"relative_to"`
	Shifts     []CheckedShift `json:"shifts"`
}

// CheckedShift is the shift of a block.
type CheckedShift struct {
	Block   string        `json:"block"`
	Results int           `json:"results"`
	Shift   report.Number `json:"shift"`
	SE      report.Number `json:"se"`
}

// CheckedResult is a result, and what the model predicts for it from the others.
type CheckedResult struct {
	Point    string                    `json:"point"`
	X        map[string]encoding.Value `json:"x"`
	Value    report.Number             `json:"value"`
	Expected report.Number             `json:"expected"`
	SD       report.Number             `json:"sd"`
	Z        report.Number             `json:"z"`
	Outlier  bool                      `json:"strange,omitempty"`
}

// CheckedCoverage counts the results within a band.
type CheckedCoverage struct {
	Nominal float64        `json:"promised"`
	Inside  int            `json:"inside"`
	Total   int            `json:"of"`
	Low     *report.Number `json:"low,omitempty"`
	High    *report.Number `json:"high,omitempty"`
}

// CheckedSensitivity is how much of the variance of an objective an input explains.
type CheckedSensitivity struct {
	First      *report.Number     `json:"first,omitempty"`
	Total      *report.Number     `json:"total,omitempty"`
	Importance *CheckedImportance `json:"importance,omitempty" jsonschema:"first for functions that the model draws"`
	Length     string             `json:"lengthscale,omitempty"`
}

// CheckedImportance is a distribution over the functions that the model draws.
type CheckedImportance struct {
	Median report.Number `json:"median"`
	Low    report.Number `json:"low" jsonschema:"end of the 90 % interval"`
	High   report.Number `json:"high" jsonschema:"end of the 90 % interval"`
}

// CheckedAlternative is a value of a parameter, and how much better the model predicts with it.
type CheckedAlternative struct {
	Parameter string         `json:"parameter"`
	Value     any            `json:"value"`
	Gain      report.Number  `json:"gain"`
	SE        report.Number  `json:"se"`
	Evidence  *report.Number `json:"log_evidence_gain,omitempty"`
	Better    bool           `json:"better,omitempty"`
}

// optional is a value for other programs; nil where there is none.
func optional(v float64) *report.Number {
	if math.IsNaN(v) {
		return nil
	}
	n := report.Number(v)
	return &n
}

func NewCheckAnswer(st sessions.State, r *diagnostics.Check) CheckAnswer {
	c := CheckAnswer{Answer: r.Verdict.Text, Verdict: string(r.Verdict.Kind),
		Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Step:        len(st.Iterations),
		Integration: r.Integration, Inference: r.Inference, Unavailable: r.Unavailable}
	if r.Unavailable == "" {
		c.Residuals = map[bool]string{true: "retrained", false: "closed form"}[r.Refit]
	}
	for _, o := range r.Objectives {
		objective := CheckedObjective{Name: o.Name, Histogram: o.Histogram, Alarm: o.Alarm,
			LogScore: optional(o.LogScore), RMSZ: optional(o.RMSZ),
			LogEvidence: optional(o.LogEvidence),
			Coverage:    newCoverage(o.Coverage), Domain: newCoverage(o.DomainCoverage),
			BandFactor: report.Number(o.BandFactor)}
		for _, d := range o.Data {
			objective.Data = append(objective.Data, CheckedResult{d.Label, encoding.EncodeMap(st.Problem.Domain, d.X),
				report.Number(d.Value), report.Number(d.Prediction.Mean), report.Number(d.Prediction.SD),
				report.Number(d.Z), d.Outlier})
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
				sensitivity.Importance = &CheckedImportance{report.Number(i.Median), report.Number(i.Low), report.Number(i.High)}
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
			objective.Blocks = &CheckedBlocks{SD: report.Number(b.SD), RelativeTo: b.Reference()}
			for _, s := range b.Shifts {
				objective.Blocks.Shifts = append(objective.Blocks.Shifts, CheckedShift{s.Name, s.Results, report.Number(s.Mean),
					report.Number(s.SE)})
			}
		}
		c.Objectives = append(c.Objectives, objective)
	}
	for _, a := range r.Alternatives {
		c.Alternatives = append(c.Alternatives,
			CheckedAlternative{a.Name, a.Alternative.Value, report.Number(a.Gain), report.Number(a.SE),
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
