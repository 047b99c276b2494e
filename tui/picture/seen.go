package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/transform"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// Description is what a picture of the first objective draws, over whichever variables.
type Description struct {
	State    sessions.State
	Legend   optimizers.Legend
	Aim      NextPoints // none where it is hidden
	Reveal   bool       // the truth is shown
	Outliers []diagnostics.Outlier
	Cursor   []float64 // in the problem's units; nil if there is none
	Asking   bool      // a person is asked something: where a curve is best, or the band widest, is for them to see

	// what is drawn of the belief at an input, as "-6.1 to -5.8"; nil, or empty, where nothing is
	BandText func(x []float64) string
	// how far beside what is drawn a result lies, in the unit cube; nil where all lie in it
	SliceDistance func(x []float64) float64
}

// Describe tells what stands under a name in the legend, and the term of the glossary for it; empty for a name that no
// drawing of data has.
func (s Description) Describe(name string) (sentence, term string) {
	switch name {
	case "data", "data beside the slice":
		return s.data(), "observation"
	case "newest":
		return s.describeNewest()
	case "best":
		return s.best(), "incumbent"
	case "failed":
		return s.describeFailures(), "observation"
	case "beyond a limit":
		return s.describeLimitViolations(), "limit"
	case "corrected":
		return s.describeCorrections(), "observation"
	case "rejected":
		return s.describeRejections(), "point that is out"
	case "not understood":
		return s.describeOutliers(), "stranger"
	case "±2 SE":
		return s.errors(), "observation noise"
	case "mean of replicates", "replicates":
		return s.replicates(), "observation noise"
	case "optimum":
		return s.optimum(), "regret"
	case "bounds":
		return s.bounds(), "constraint"
	case "breaks a constraint":
		return s.describeInfeasible(), "constraint"
	case "cursor":
		return s.cursor(), "posterior"
	case "step":
		return fmt.Sprintf("The number beside each result: the step in which it was evaluated, 1 to %d. What the "+
			"model chose comes after the initial design.", len(s.State.Iterations)), "initial design"
	case s.Aim.Name():
		return s.describeNext()
	}
	return "", ""
}

// point is one result.
type point struct {
	it sessions.Iteration
	i  int
}

func (p point) x() []float64 { return p.it.Points[p.i].X }
func (p point) y() float64   { return p.it.Points[p.i].Y[0] }

// points are the results of which it is true, with whether they are of the last step.
func (s Description) points(which func(p point, last bool) bool) (list []point) {
	for k, it := range s.State.Iterations {
		for i := range it.Points {
			if p := (point{it, i}); which(p, k == len(s.State.Iterations)-1) {
				list = append(list, p)
			}
		}
	}
	return list
}

func (s Description) counts(p point) bool { return s.State.Feasible(p.it, p.i) }

func (s Description) gauge() transform.Transform { return s.State.Problem.Objectives[0].Transform() }

// name is the first objective's.
func (s Description) name() string { return s.State.Problem.Objectives[0].Name }

// NearestAxisValue is a value of the first objective in its unit.
func (s Description) Value(v float64) string {
	return strings.TrimSpace(widget.Number(v) + " " + sanitize.Text(s.State.Problem.Objectives[0].Unit))
}

// At is an input.
func (s Description) At(x []float64) string {
	return sanitize.Text(widget.Point(s.State.Problem.Domain, x))
}

// resultText is a result: "x = 0.3 gave f = 1.2".
func (s Description) resultText(p point) string {
	return fmt.Sprintf("%s gave %s = %s", s.At(p.x()), s.name(), s.Value(p.y()))
}

// span is from where to where values go.
func (s Description) span(list []point) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range list {
		lo, hi = min(lo, p.y()), max(hi, p.y())
	}
	if lo == hi {
		return s.Value(lo)
	}
	return widget.Number(lo) + " to " + s.Value(hi)
}

// better says which end of the objective is sought.
func (s Description) better() string {
	if s.gauge().Sign < 0 {
		return "greatest"
	}
	return "least"
}

// data tells the results that are neither the newest nor set apart.
func (s Description) data() string {
	list := s.points(func(p point, last bool) bool { return s.counts(p) && !last })
	if len(list) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s before the newest, %s %s. ", widget.Count(len(list), "result"), s.name(), s.span(list))
	if s.SliceDistance != nil {
		beside := slices.DeleteFunc(slices.Clone(list), func(p point) bool { return s.SliceDistance(p.x()) < 1e-9 })
		if len(beside) == 0 {
			return text + "They lie on this slice."
		}
		near := slices.MinFunc(beside, func(a, b point) int {
			return cmp.Compare(s.SliceDistance(a.x()), s.SliceDistance(b.x()))
		})
		return text + fmt.Sprintf("They lie beside this slice, the nearest, of step %d, by %.2g of the unit cube, "+
			"and stand at their own values: the curves here need not meet them.", near.it.Step,
			s.SliceDistance(near.x()))
	}
	if s.Legend.Band == "" && s.Legend.Used == "" {
		return text + "No model is held to them here."
	}
	if n := s.noise(); n != "" {
		return text + "The belief must explain them, but for noise with a standard deviation of " + n +
			": its curves need not meet them."
	}
	return text + "The belief must explain them: near them it is sure, away from them it may be anything its prior " +
		"allows."
}

// noise is the standard deviation of the noise that was added or declared; empty where there is none.
func (s Description) noise() string {
	switch {
	case s.State.Config.Noise > 0:
		return widget.Number(s.State.Config.Noise)
	case s.State.Problem.Objectives[0].Noise > 0:
		return s.Value(s.State.Problem.Objectives[0].Noise)
	}
	return ""
}

// describeNewest tells the last step, held against what was expected.
func (s Description) describeNewest() (sentence, term string) {
	list := s.points(func(p point, last bool) bool { return s.counts(p) && last })
	switch {
	case len(list) == 0:
		return "", ""
	case len(list) > 1:
		return fmt.Sprintf("The newest step, %d, was a batch of %d points: %s %s. They were chosen together, before "+
			"any of their results was known.", list[0].it.Step, len(list), s.name(), s.span(list)), "batch size"
	}
	return fmt.Sprintf("The newest result, of step %d: %s%s", list[0].it.Step, s.resultText(list[0]),
			s.surprise(list[0])),
		"observation"
}

// surprise holds a result against what was expected when it was chosen.
func (s Description) surprise(p point) string {
	if math.IsNaN(p.it.Points[p.i].Mean) {
		switch p.it.By {
		case sessions.ByPerson:
			return ", where a person chose it. All that is drawn takes it in already."
		case sessions.ByImport:
			return ", from a file. All that is drawn takes it in already."
		}
		return ". It was chosen without a guess of its value."
	}
	g, mean, sd := s.gauge(), p.it.Points[p.i].Mean, p.it.Points[p.i].SD
	if !(sd > 0) {
		return fmt.Sprintf(", where %s was expected.", widget.Number(mean))
	}
	z := math.Abs(g.ToScale(g.Clamp(p.y()))-g.ToScale(mean)) / sd
	text := fmt.Sprintf(", where %s%s (1 sd) was expected: ", widget.Number(mean), g.FormatSD(mean, sd, widget.Number))
	switch {
	case z < 1:
		return text + "no surprise."
	case z < 2:
		return text + fmt.Sprintf("it surprised by %.1f standard deviations, as one in three does.", z)
	case z < 3:
		return text + fmt.Sprintf("it surprised by %.1f standard deviations, as one in twenty does.", z)
	}
	return text + fmt.Sprintf("it surprised by %.1f standard deviations, of which a belief that is right sees more "+
		"than 3 once in 370 times.", z)
}

// best tells the best result, and how far it is from the optimum where that may be known.
func (s Description) best() string {
	x, y, step, ok := s.State.Best()
	if !ok {
		return ""
	}
	text := fmt.Sprintf("The best result so far, of step %d: %s = %s at %s. An evaluation is an improvement only if "+
		"it beats this.", step, s.name(), s.Value(y), s.At(x))
	if o := s.State.Problem.Optimum(); o != nil && s.Reveal && s.State.Config.Noise == 0 {
		g := s.gauge()
		text += fmt.Sprintf(" The truth's %s value is %s, better by %s.", s.better(), s.Value(o.Value),
			g.FormatDifference(math.Abs(g.ToScale(y)-g.ToScale(o.Value)), widget.Number))
	}
	return text
}

// optimum tells where the truth is best.
func (s Description) optimum() string {
	o := s.State.Problem.Optimum()
	if o == nil || len(o.X) == 0 || !s.Reveal {
		return ""
	}
	text := fmt.Sprintf("Where the truth is best: %s = %s at %s", s.name(), s.Value(o.Value), s.At(o.X[0]))
	if n := len(o.X); n > 1 {
		text += fmt.Sprintf(", one of %d such places", n)
	}
	return text + ". No method knows it; it is drawn since the truth is shown."
}
