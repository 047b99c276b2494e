package diagnostics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// VerdictKind says whether a model can be believed, and if not why.
type VerdictKind string

// The kinds of verdicts.
const (
	VerdictNoModel      VerdictKind = "no model"
	VerdictUnchecked    VerdictKind = "not checked"     // leave-one-out needs new fits
	VerdictTooFew       VerdictKind = "too few results" // to check the model
	VerdictNarrow       VerdictKind = "band too narrow"
	VerdictOutliers     VerdictKind = "many outliers"
	VerdictMisfit       VerdictKind = "misfit"            // predictions are no better than the mean
	VerdictLocal        VerdictKind = "near results only" // the band misses the true function, which is known
	VerdictWide         VerdictKind = "band too wide"
	VerdictDrift        VerdictKind = "drift"       // the last results are all on one side
	VerdictAlternative  VerdictKind = "alternative" // another value of a parameter predicts better
	VerdictRecalibrated VerdictKind = "recalibrated"
	VerdictOutlier      VerdictKind = "outlier"       // one result
	VerdictExtrapolated VerdictKind = "extrapolation" // the best mean lies far beyond the results
	VerdictBelievable   VerdictKind = "believable"
)

// ranks are the kinds, the worst for an objective first.
var ranks = []VerdictKind{VerdictNoModel, VerdictNarrow, VerdictOutliers, VerdictMisfit, VerdictUnchecked, VerdictTooFew,
	VerdictLocal, VerdictWide, VerdictDrift, VerdictAlternative, VerdictExtrapolated, VerdictRecalibrated,
	VerdictOutlier, VerdictBelievable}

// Verdict answers whether the model of a session can be believed.
type Verdict struct {
	Kind      VerdictKind
	Objective int    // the one that decides
	Text      string // the answer, the reason and what to do, in one sentence
}

// minChecked is how many results a check of a band needs at least: those of an alarm.
const minChecked = inspection.MinAlarmData

// judge is the verdict of a check that has all that it depends on: the objective with the worst verdict decides.
func (e checker) judge(r *Check) Verdict {
	all := make([]Verdict, len(r.Objectives))
	for k := range r.Objectives {
		all[k] = judging{e.state, r, &r.Objectives[k]}.verdict()
		all[k].Objective = k
	}
	worst := slices.MinFunc(all, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(slices.Index(ranks, a.Kind), slices.Index(ranks, b.Kind)),
			cmp.Compare(r.Objectives[a.Objective].inside(), r.Objectives[b.Objective].inside()))
	})
	if len(all) > 1 && r.Objectives[0].Coverage != nil && worst.Kind != VerdictTooFew {
		answer, rest, _ := strings.Cut(worst.Text, ":")
		if name := r.Objectives[worst.Objective].Name; worst.Kind == VerdictBelievable {
			answer, rest = answer+" for all objectives", fmt.Sprintf(" of %s, the worst,%s", name, rest)
		} else {
			answer += " for " + name
		}
		worst.Text = answer + ":" + rest
	}
	return worst
}

// inside is the share of the results inside the widest band; 1 without leave-one-out.
func (o *ObjectiveCheck) inside() float64 {
	if o.Coverage == nil {
		return 1
	}
	return o.Coverage[len(o.Coverage)-1].Share()
}

// judging judges one objective of a check.
type judging struct {
	state sessions.State
	check *Check
	o     *ObjectiveCheck
}

// verdict is that of the objective.
func (j judging) verdict() Verdict {
	for _, judge := range []func() Verdict{j.missing, j.wrong, j.doubtful, j.extrapolated} {
		if v := judge(); v.Kind != "" {
			return v
		}
	}
	c := j.widest()
	return Verdict{Kind: VerdictBelievable, Text: fmt.Sprintf("Yes: %d of %s lie inside the %.0f %% band of the model without them; continue with its suggestions.", c.Inside, numfmt.Count(c.Total, "result"), 100*c.Nominal)}
}

// widest is the coverage of the widest band.
func (j judging) widest() inspection.Coverage { return j.o.Coverage[len(j.o.Coverage)-1] }

// missing is the verdict where the model cannot be checked.
func (j judging) missing() Verdict {
	r := j.check
	title := j.state.Spec.Title
	n := len(Results(j.state))
	over := j.o.DomainCoverage
	switch {
	case j.state.Spec.NoBand || r.Unavailable != "" && !r.Refittable && n >= 2:
		return Verdict{Kind: VerdictNoModel, Text: fmt.Sprintf("There is no model to believe: %s predicts nothing; choose a method with a model, such as GP-EI, to get predictions.", title)}
	case n < minChecked && !j.misfits():
		return Verdict{Kind: VerdictTooFew, Text: fmt.Sprintf("Too early to tell: %s %s too few to check the band, which takes %d; evaluate %s.", numfmt.Count(n, "result"), isOrAre(n), minChecked,
			numfmt.Count(minChecked-n, "more point"))}
	case r.Unavailable == "":
		return Verdict{}
	case over == nil:
		return Verdict{Kind: VerdictUnchecked, Text: fmt.Sprintf("Not known yet: %s has no closed form for leave-one-out; refit without each result to check it.", title)}
	}
	c := over[len(over)-1]
	truth := fmt.Sprintf("the %.0f %% band contains %s of the true function, which is known here", 100*c.Nominal,
		Percent(c.Share()))
	switch {
	case c.Share() < narrowCoverage:
		return Verdict{Kind: VerdictNarrow, Text: "No: " + truth + "; " + j.widen() + "."}
	case c.Share() < fairCoverage:
		return Verdict{Kind: VerdictNarrow, Text: "Partly: " + truth + "; " + j.widen() + "."}
	}
	return Verdict{Kind: VerdictUnchecked, Text: "Yes: " + truth +
		"; refit without each result to check it by the results alone."}
}

// fairCoverage is the coverage of a 95 % band from which on it is about right.
const fairCoverage = 0.9

// misfits reports whether few results already show that the model does not fit.
func (j judging) misfits() bool {
	m := j.o.misfit
	return m.hasOutliers() || m.overconfident() || m.uninformed()
}

// wrong is the verdict where the predictions are wrong.
func (j judging) wrong() Verdict {
	m, c := j.o.misfit, j.widest()
	outside := fmt.Sprintf("%d of %s lie outside the %.0f %% band", c.Total-c.Inside, numfmt.Count(c.Total, "result"),
		100*c.Nominal)
	switch {
	case j.o.alarm.Count > 0 && !j.o.alarm.Wide && j.o.BandFactor > 1:
		return Verdict{Kind: VerdictRecalibrated, Text: fmt.Sprintf("Yes, as it is drawn: %s of the model, so the drawn band is %s times as wide; continue with its suggestions.", outside, numfmt.Format(round1(j.o.BandFactor)))}
	case j.o.alarm.Count > 0 && !j.o.alarm.Wide:
		return Verdict{Kind: VerdictNarrow, Text: fmt.Sprintf("No: the band is too narrow, because %s; %s.", outside,
			j.widen())}
	case m.hasOutliers():
		return Verdict{Kind: VerdictOutliers, Text: fmt.Sprintf("No: %d of %s are outliers, more than %d standard deviations from their predictions; check them, or %s.", m.outliers, numfmt.Count(m.n, "result"), OutlierSD,
			j.try())}
	case m.overconfident():
		return Verdict{Kind: VerdictNarrow, Text: fmt.Sprintf("No: the band is too narrow, because the errors of its predictions are %s as large as it says; %s.", times(m.rmsZ), j.widen())}
	case math.IsNaN(m.relative) && m.judged():
		return Verdict{Kind: VerdictMisfit, Text: fmt.Sprintf("No: all %s are equal, so that there is nothing to predict yet; evaluate points farther apart.", numfmt.Count(m.n, "result"))}
	case m.uninformed():
		return Verdict{Kind: VerdictMisfit, Text: fmt.Sprintf("No: its errors without each result are %s as large as those of the mean of the others; evaluate more points, or %s.", times(m.relative), j.try())}
	}
	return Verdict{}
}

// doubtful is the verdict where the predictions are right, but not all of them or not as well as possible.
func (j judging) doubtful() Verdict {
	m, c := j.o.misfit, j.widest()
	over := j.o.DomainCoverage
	switch a := j.check.Recommendation(); {
	case over != nil && over[len(over)-1].Share() < narrowCoverage:
		return Verdict{Kind: VerdictLocal, Text: fmt.Sprintf("Only near the results: %d of %d lie inside the %.0f %% band, but %s of the true function, which is known here; %s.", c.Inside, c.Total, 100*c.Nominal,
			Percent(over[len(over)-1].Share()), j.widen())}
	case j.o.alarm.Count > 0:
		return Verdict{Kind: VerdictWide, Text: fmt.Sprintf("Partly: the band is too wide, because %d of %s lie inside the %.0f %% band; %s to narrow it.", j.o.alarm.Count, numfmt.Count(j.o.alarm.Total, "result"),
			100*j.o.alarm.Nominal, j.try())}
	case m.drift != 0:
		return Verdict{Kind: VerdictDrift, Text: fmt.Sprintf("Partly: the last %d results all lie %s their predictions, as if something drifts; repeat an early point.", max(m.drift, -m.drift),
			map[bool]string{true: "above", false: "below"}[m.drift > 0])}
	case a != nil:
		return Verdict{Kind: VerdictAlternative, Text: fmt.Sprintf("Partly: with %s %s the model predicts the results better, by %s ± %s in log density; %s.", a.Label, a.Value, numfmt.Format(round1(a.Gain)),
			numfmt.Format(round1(a.SE)), j.try())}
	}
	return j.outlier()
}

// outlier is the verdict where a single result is an outlier.
func (j judging) outlier() Verdict {
	for _, d := range j.o.Data {
		if !d.Outlier {
			continue
		}
		remedy := "repeat it, or correct the record if it is wrong"
		if j.state.Problem.Truth != nil {
			remedy = "evaluate more points near it"
		}
		return Verdict{Kind: VerdictOutlier, Text: fmt.Sprintf("Yes, except near result %s: it lies %s standard deviations from its prediction; %s.", d.Label, numfmt.Format(round1(min(math.Abs(d.Z), maxTimes))), remedy)}
	}
	return Verdict{}
}

// extrapolated is the verdict where the model is right at the results, but its best mean is far beyond them.
func (j judging) extrapolated() Verdict {
	if j.o.extrapolation == "" {
		return Verdict{}
	}
	return Verdict{Kind: VerdictExtrapolated, Text: fmt.Sprintf("Only near the results: the best mean, %s, is an extrapolation (%s); evaluate that point before you rely on it.",
		numfmt.Format(j.o.bestMean), j.o.extrapolation)}
}

// widen is what to do about a band that is too narrow.
func (j judging) widen() string {
	if a := j.check.Recommendation(); a != nil {
		return fmt.Sprintf("set %s to %s", a.Label, a.Value)
	}
	if d, ok := j.state.Params.Widen(); ok {
		return fmt.Sprintf("set %s to %s", d.Label, d.Format(d.WiderBand))
	}
	return "evaluate more points"
}

// try is what to do about a model that does not fit: to take the best alternative, or to try them.
func (j judging) try() string {
	switch a := j.check.Recommendation(); {
	case a != nil:
		return fmt.Sprintf("set %s to %s", a.Label, a.Value)
	case j.check.Compared:
		return "evaluate more points"
	}
	return "try alternatives"
}

// maxTimes bounds the numbers of an answer, which can be infinite.
const maxTimes = 1000

// times writes a factor: "2.5 times".
func times(v float64) string {
	if !(v < maxTimes) {
		return fmt.Sprintf("more than %d times", maxTimes)
	}
	return numfmt.Format(round1(v)) + " times"
}

func round1(v float64) float64 { return math.Round(10*v) / 10 }

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
