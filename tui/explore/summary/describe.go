package summary

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/transform"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// describer formats a summary in w columns.
type describer struct {
	a     *diagnostics.Summary
	f     *diagnostics.Forecast // nil while it is computed
	state sessions.State
	style theme.Style
	w     int
}

// detail is how much is shown.
type detail int

const (
	everything        detail = iota // with the best inputs and the sensitivity
	values                          // without the best inputs
	withoutDependence               // for several objectives also without the sensitivity
	brief                           // one line each
	shortest                        // also one line of the forecast
)

// subject is the subject of some lines.
type subject int

const (
	observedBest subject = iota
	modelBest
	nextRun
	furtherRuns
	stoppingRule
	frontSizes
	outliers
	dependenceBars
	more
)

// block is some lines about a subject, and the index of their objective, or of a row of the forecast.
type block struct {
	about     subject
	objective int
	row       int
	lines     []string
}

// height is the number of lines of blocks.
func height(blocks []block) (n int) {
	for _, b := range blocks {
		n += len(b.lines)
	}
	return n
}

// column is a column of blocks, each with its description.
func (t describer) column(blocks []block) *layout.Box {
	all := layout.New(t.w+2, 0)
	for _, b := range blocks {
		name, term, says := t.describe(b)
		all.Below(layout.Row(layout.Space(1, 0), layout.Text(t.w+1, b.lines...)).Number(name, term, says))
	}
	return all
}

// fitted are the blocks with as much detail as fits into h lines. All lines of the forecast are more important than the
// outliers and the sensitivity, which come last.
func (t describer) fitted(h int) []block {
	blocks := t.blocks(everything)
	for d := values; d <= shortest && height(blocks) > h; d++ {
		if d == shortest && height(essential(blocks)) < h {
			break
		}
		blocks = t.blocks(d)
	}
	if height(blocks) > h && h > 1 {
		return append(cut(blocks, h-1), block{about: more,
			lines: []string{t.style.Paint(t.style.Faint, t.style.Plain("… more: v"))}})
	}
	return cut(blocks, h)
}

// essential are the blocks before the outliers and the sensitivity.
func essential(blocks []block) []block {
	for i, b := range blocks {
		if b.about == outliers || b.about == dependenceBars {
			return blocks[:i]
		}
	}
	return blocks
}

// cut are the first h lines of blocks.
func cut(blocks []block, h int) (visible []block) {
	for _, b := range blocks {
		b.lines = b.lines[:min(len(b.lines), max(h, 0))]
		if len(b.lines) > 0 {
			visible = append(visible, b)
		}
		h -= len(b.lines)
	}
	return visible
}

// blocks are all blocks with so much detail, the most important ones first.
func (t describer) blocks(d detail) []block {
	var blocks []block
	single := len(t.a.Objectives) == 1
	for k := range t.a.Objectives {
		blocks = append(blocks, t.objective(k, d)...)
	}
	if !single {
		blocks = append(blocks, block{about: frontSizes, lines: t.fronts()})
	}
	blocks = append(blocks, t.forecast(d)...)
	blocks = append(blocks, block{about: outliers, lines: t.outlierLines()})
	if single || d < withoutDependence {
		blocks = append(blocks, block{about: dependenceBars, lines: t.bars(d)})
	}
	return blocks
}

// objective has the best observed and the best predicted value of an objective.
func (t describer) objective(k int, d detail) []block {
	o, st := t.a.Objectives[k], t.style
	single := len(t.a.Objectives) == 1
	seen, model := block{about: observedBest, objective: k}, block{about: modelBest, objective: k}
	if o.Best == nil {
		seen.lines = []string{st.Paint(st.Dim, "no results yet")}
		return []block{seen}
	}
	unit := sanitize.Text(o.Unit)
	best, predicted := "best observed", "best mean"
	if d >= brief || t.w < 34 {
		best, predicted = "observed", "mean"
	}
	if !single {
		seen.lines = append(seen.lines, st.PaintBold(st.Text,
			layout.ShortenIn(st, o.Name+map[bool]string{true: " (" + unit + ")"}[unit != ""], t.w)))
		best = " observed"
		predicted = " mean"
		unit = ""
	}
	seen.lines = append(seen.lines, t.row(best, widget.Number(o.Best.Y[k]), unit, "no. "+o.Best.Label, st.Best))
	if p := diagnostics.ProbablyFeasible(o.BestFeasible); p != "" && d < brief {
		seen.lines = append(seen.lines, t.wrapped(st.Warn, "  "+p)...)
	}
	if d == everything {
		seen.lines = append(seen.lines, t.where(o.Best.X)...)
	}
	if o.ModelBest == nil {
		model.lines = []string{st.Paint(st.Dim, "the method has no model")}
		return []block{seen, model}
	}
	b, g := o.ModelBest.Normals[0], o.Transform()
	color := st.Mean
	if o.Extrapolation != "" {
		color = st.Warn
	}
	model.lines = append(model.lines, t.row(predicted, t.normalText(predicted, b, g), unit, "2 sd", color))
	if d == everything {
		model.lines = append(model.lines, t.where(o.ModelBest.X)...)
	}
	if single && d < brief {
		model.lines = append(model.lines, t.faint("  "+t.gain(k))...)
	}
	return []block{seen, model}
}

// describe describes a block.
func (t describer) describe(b block) (name, term, says string) {
	o := t.a.Objectives[b.objective]
	domain, unit := t.state.Problem.Domain, sanitize.Text(o.Unit)
	suffix := ""
	if len(t.a.Objectives) > 1 {
		suffix = " of " + o.Name
	}
	switch b.about {
	case observedBest:
		if o.Best == nil {
			return "best observed" + suffix, "incumbent", "There are no results yet, so there is no best one."
		}
		return "best observed" + suffix, "incumbent",
			fmt.Sprintf("The best observed result%s: %s, point no. %s at %s. With noise it may be better by luck.",
				suffix, join(" ", widget.Number(o.Best.Y[b.objective]), unit), o.Best.Label,
				sanitize.Text(widget.Point(domain, o.Best.X)))
	case modelBest:
		if o.ModelBest == nil {
			return "best mean" + suffix, "surrogate",
				t.state.Spec.Title + " has no model, so there is no predicted best point."
		}
		m := o.ModelBest.Normals[0]
		return "best mean" + suffix, "posterior",
			fmt.Sprintf("The best mean of the model%s: %s%s (2 sd) at %s, which is %s.", suffix, widget.Number(m.Mean),
				o.Transform().FormatSD(m.Mean, 2*m.SD, widget.Number),
				sanitize.Text(widget.Point(domain, o.ModelBest.X)),
				t.gain(b.objective))
	case nextRun, furtherRuns, stoppingRule:
		return t.describeForecast(b)
	case frontSizes:
		text := fmt.Sprintf("The Pareto front: %s that no other result dominates",
			widget.Count(len(t.a.Front), "result"))
		if t.a.MeanFront != nil {
			text += fmt.Sprintf("; the front of the model's mean has %s", widget.Count(len(t.a.MeanFront), "point"))
		}
		return "front", "Pareto front", text + "."
	case outliers:
		worst := t.a.Outliers[0]
		return "outlier", "outlier", fmt.Sprintf(
			"The model does not explain %s: no. %s is %.1f standard deviations %s its leave-one-out prediction. Press K to correct a wrong result, U for details.",
			widget.Count(len(t.a.Outliers), "result"), worst.Label, math.Abs(worst.Z),
			map[bool]string{true: "below", false: "above"}[worst.Z < 0])
	case dependenceBars:
		return "sensitivity", "Sobol' index", t.describeDependence()
	case more:
		return "more", "", "The panel is too small for the whole outlook. Press v to see each part in the whole panel."
	}
	return "", "", ""
}

// gain compares the best mean of the model with the best observed result.
func (t describer) gain(k int) string {
	o := t.a.Objectives[k]
	gain := o.Transform().FormatDifference(math.Abs(o.Gain), widget.Number)
	if !o.Transform().IsLog() {
		gain = join(" ", gain, sanitize.Text(o.Unit))
	}
	switch {
	case o.Extrapolation != "":
		return "an extrapolation: " + o.Extrapolation
	case o.Gain >= 0:
		return gain + " better than the best observed"
	case -o.Gain > 2*o.ModelBest.Normals[0].SD:
		return gain + " worse than the best observed, which may be luck"
	}
	return gain + " worse than the best observed"
}

// normalText is a mean with two standard deviations, after a label; on a logarithmic scale with a factor if the range
// does not fit.
func (t describer) normalText(label string, b diagnostics.Normal, g transform.Transform) string {
	mean := widget.Number(b.Mean)
	text := mean + g.FormatSD(b.Mean, 2*b.SD, widget.Number)
	if factor := g.FormatDifference(2*b.SD, widget.Number); g.IsLog() && ansi.StringWidth(text) > t.w-t.behind(label) {
		text = mean + " ×÷" + strings.TrimPrefix(factor, "×")
	}
	return text
}

// behind is the column of the value after a label.
func (t describer) behind(label string) int {
	switch {
	case strings.HasPrefix(label, " "):
		return 11
	case t.w < 34:
		return 9
	}
	return 14
}

// row is a label with a value, and as far as they fit its unit and, at the right, a remark.
func (t describer) row(label, value, unit, remark string, color theme.Color) string {
	st := t.style
	wide := t.behind(label)
	if with := join(" ", value, unit); wide+ansi.StringWidth(with) <= t.w {
		value = with
	}
	line := layout.Fit(st.Paint(st.Dim, label), wide) + st.Paint(color, st.Plain(value))
	if room := t.w - ansi.StringWidth(line); remark != "" && room > ansi.StringWidth(remark) {
		line += strings.Repeat(" ", room-ansi.StringWidth(remark)) + st.Paint(st.Faint, remark)
	}
	return layout.ShortenIn(st, line, t.w)
}

// where are the values of the variables, in at most two lines.
func (t describer) where(x []float64) []string {
	st := t.style
	var entries []string
	for j, v := range t.state.Problem.Domain {
		entries = append(entries, st.Paint(st.Dim, v.Name+" ")+
			st.Paint(st.Text, join(" ", st.Plain(sanitize.Text(v.Text(x[j]))), st.Plain(sanitize.Text(v.Unit)))))
	}
	rows := layout.Flow(entries, "  ", t.w-2)
	if len(rows) > 2 {
		rows = append(rows[:1:1], layout.Fit(rows[1], t.w-4)+st.Paint(st.Faint, st.Plain(" …")))
	}
	for i := range rows {
		rows[i] = "  " + rows[i]
	}
	return rows
}

func (t describer) faint(text string) []string { return t.wrapped(t.style.Dim, text) }

func (t describer) wrapped(color theme.Color, text string) []string {
	var lines []string
	for _, l := range layout.Wrap(text, t.w) {
		lines = append(lines, t.style.Paint(color, t.style.Plain(l)))
	}
	return lines
}

// fronts says how many points the Pareto fronts have.
func (t describer) fronts() []string {
	text := fmt.Sprintf("front: %d observed", len(t.a.Front))
	if t.a.MeanFront != nil {
		text += fmt.Sprintf(", %d by mean", len(t.a.MeanFront))
	}
	return t.faint(text)
}

// outlierLines are the results that the model does not explain, with their residuals.
func (t describer) outlierLines() []string {
	if len(t.a.Outliers) == 0 {
		return nil
	}
	var texts []string
	for _, s := range t.a.Outliers {
		z := strings.Replace(fmt.Sprintf("%+.1f", s.Z), "-", "−", 1)
		if len(t.a.Objectives) > 1 {
			z = t.a.Objectives[s.Objective].Name + " " + z
		}
		texts = append(texts, "no. "+s.Label+" ("+z+" sd)")
	}
	lines := t.wrapped(t.style.Warn, t.style.Glyph(theme.GlyphOutlier)+" outliers: "+strings.Join(texts, ", "))
	if len(lines) > 3 {
		lines = append(lines[:2:2], t.style.Paint(t.style.Warn, t.style.Plain(fmt.Sprintf("… %d in total", len(texts)))))
	}
	return lines
}

// dependence are the bars of the sensitivity, in at most h lines.
func (t describer) dependence(h int) []string {
	lines := t.bars(everything)
	if lines == nil {
		return t.faint(t.noBars())
	}
	if len(lines) > h && h > 1 {
		lines = append(lines[:h-1:h-1], t.style.Paint(t.style.Faint, t.style.Plain("… more variables")))
	}
	return lines
}

// noBars returns why there are no bars.
func (t describer) noBars() string {
	switch {
	case t.state.Problem.Dim() > diagnostics.MaxSensitivityDim:
		return fmt.Sprintf("the sensitivity is computed for at most %d variables", diagnostics.MaxSensitivityDim)
	case t.a.Objectives[0].ModelBest == nil:
		return t.state.Spec.Title + " has no model"
	case diagnostics.TooFewForImportances(t.state) != "":
		return diagnostics.TooFewForImportances(t.state)
	}
	return "the mean of the model is still constant"
}

// bars are the shares of the variance of each objective's mean that each variable explains alone (first-order Sobol'
// indices). Under constraints they include the variables that are tied to it, so that shares overlap and leave no rest.
func (t describer) bars(d detail) []string {
	st := t.style
	var lines []string
	tied := len(t.state.Problem.Constraints) > 0
	for _, o := range t.a.Objectives {
		if o.Sensitivity == nil {
			continue
		}
		head := "sensitivity (Sobol')"
		if tied {
			head = "sensitivity, constrained"
		}
		if len(t.a.Objectives) > 1 {
			head = o.Name + " depends on"
		}
		if d < brief {
			lines = append(lines, st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(head), t.w)))
		}
		name, sum := 4, 0.0
		for _, v := range t.state.Problem.Domain {
			name = min(max(name, ansi.StringWidth(v.Name)), t.w/3)
		}
		room := t.w - name - 8
		for j, share := range o.Sensitivity {
			sum += share
			label := layout.Fit(layout.ShortenIn(st, t.state.Problem.Domain[j].Name, name), name)
			lines = append(lines, " "+st.Paint(st.Text, label)+" "+
				chart.Share(share).Text(st, room, st.Acquisition)+
				st.Paint(st.Dim, fmt.Sprintf("%4.0f %%", 100*share)))
		}
		if rest := 1 - sum; rest > 0.05 && !tied && d < brief {
			lines = append(lines, st.Paint(st.Faint,
				layout.ShortenIn(st, st.Plain(fmt.Sprintf(" interactions %.0f %%", 100*rest)), t.w)))
		}
	}
	return lines
}

// describeDependence describes the bars.
func (t describer) describeDependence() string {
	var parts []string
	for _, o := range t.a.Objectives {
		most := -1
		for j, share := range o.Sensitivity {
			if most < 0 || share > o.Sensitivity[most] {
				most = j
			}
		}
		if most >= 0 && len(parts) < 4 {
			parts = append(parts, fmt.Sprintf("%s explains most, %s", t.state.Problem.Domain[most].Name,
				diagnostics.SharePercent(o.Sensitivity[most])))
			if len(t.a.Objectives) > 1 {
				parts[len(parts)-1] = "of " + o.Name + ", " + parts[len(parts)-1]
			}
		}
	}
	if parts == nil {
		return "There is no sensitivity: " + t.noBars() + "."
	}
	return "The share of the variance of the model's mean that each variable explains alone: " +
		strings.Join(parts, "; ") + ". Interactions explain the rest. A variable near 0 % has little effect."
}
