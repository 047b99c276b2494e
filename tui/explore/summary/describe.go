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
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// describer tells an appraisal in w columns.
type describer struct {
	a     *diagnostics.Summary
	state sessions.State
	style theme.Style
	w     int
}

// detail is how much is told.
type detail int

const (
	everything        detail = iota // with where the best are, and what depends on what
	values                          // without where
	withoutDependence               // and of several objectives without what depends on what
	brief                           // one line each
)

// subject is what some lines are about.
type subject int

const (
	observedBest subject = iota
	modelBest
	expectedGain
	stoppingRule
	frontSizes
	outliers
	dependenceBars
	more
)

// block is some lines about a subject, of an objective where that is one's.
type block struct {
	about     subject
	objective int
	lines     []string
}

// height is how many lines blocks have.
func height(blocks []block) (n int) {
	for _, b := range blocks {
		n += len(b.lines)
	}
	return n
}

// column is a box of blocks, one below the other, each of which is described.
func (t describer) column(blocks []block) *layout.Box {
	all := layout.New(t.w+2, 0)
	for _, b := range blocks {
		name, term, says := t.describe(b)
		all.Below(layout.Row(layout.Space(1, 0), layout.Text(t.w+1, b.lines...)).Number(name, term, says))
	}
	return all
}

// fitted are as many lines as there is room for, with as much detail as that.
func (t describer) fitted(h int) []block {
	blocks := t.blocks(everything)
	for d := values; d <= brief && height(blocks) > h; d++ {
		blocks = t.blocks(d)
	}
	if height(blocks) > h && h > 1 {
		return append(cut(blocks, h-1), block{about: more,
			lines: []string{t.style.Paint(t.style.Faint, t.style.Plain("… more: v"))}})
	}
	return cut(blocks, h)
}

// cut are the first h lines of blocks.
func cut(blocks []block, h int) (kept []block) {
	for _, b := range blocks {
		if b.lines = b.lines[:min(len(b.lines), max(h, 0))]; len(b.lines) > 0 {
			kept = append(kept, b)
		}
		h -= len(b.lines)
	}
	return kept
}

// blocks are all lines with so much detail. What one does not want to miss stands first.
func (t describer) blocks(d detail) []block {
	var blocks []block
	one := len(t.a.Objectives) == 1
	for k := range t.a.Objectives {
		blocks = append(blocks, t.objective(k, d)...)
	}
	if !one {
		blocks = append(blocks, block{about: frontSizes, lines: t.fronts()})
	}
	if one || t.a.Caveat != "" {
		blocks = append(blocks, block{about: stoppingRule, lines: t.stopping()})
	}
	blocks = append(blocks, block{about: outliers, lines: t.outlierLines()})
	if one || d < withoutDependence {
		blocks = append(blocks, block{about: dependenceBars, lines: t.bars(d)})
	}
	return blocks
}

// objective tells the best of an objective, observed and by the model.
func (t describer) objective(k int, d detail) []block {
	o, st := t.a.Objectives[k], t.style
	one := len(t.a.Objectives) == 1
	seen, model := block{about: observedBest, objective: k}, block{about: modelBest, objective: k}
	if o.Best == nil {
		seen.lines = []string{st.Paint(st.Dim, "nothing has a result yet")}
		return []block{seen}
	}
	unit := sanitize.Text(o.Unit)
	best, believed := "best observed", "by the model"
	if d == brief || t.w < 34 {
		best, believed = "observed", "model"
	}
	if !one {
		seen.lines = append(seen.lines, st.PaintBold(st.Text,
			layout.ShortenIn(st, o.Name+map[bool]string{true: " (" + unit + ")"}[unit != ""], t.w)))
		best, believed, unit = " observed", " model", ""
	}
	seen.lines = append(seen.lines, t.row(best, widget.Number(o.Best.Y[k]), unit, "no. "+o.Best.Label, st.Best))
	if d == everything {
		seen.lines = append(seen.lines, t.where(o.Best.X)...)
	}
	if o.ModelBest == nil {
		model.lines = []string{st.Paint(st.Dim, "no model speaks of more")}
		return []block{seen, model}
	}
	b, g := o.ModelBest.Normals[0], o.Transform()
	model.lines = append(model.lines, t.row(believed, t.normalText(believed, b, g), unit, "2 sd", st.Mean))
	if d == everything {
		model.lines = append(model.lines, t.where(o.ModelBest.X)...)
	}
	if one && d != brief {
		model.lines = append(model.lines, t.faint("  "+t.gain(k))...)
	}
	blocks := []block{seen, model}
	if !one && d != brief && t.a.Caveat == "" && o.Improvement != nil {
		blocks = append(blocks, block{about: expectedGain, objective: k,
			lines: []string{t.row(" hoped for", "at most "+g.FormatDifference(o.Improvement.Value, widget.Number), "",
				share(o.Improvement), st.Text)}})
	}
	return blocks
}

// describe tells a block in a sentence.
func (t describer) describe(b block) (name, term, says string) {
	o := t.a.Objectives[b.objective]
	domain, unit := t.state.Problem.Domain, sanitize.Text(o.Unit)
	of := ""
	if len(t.a.Objectives) > 1 {
		of = " of " + o.Name
	}
	switch b.about {
	case observedBest:
		if o.Best == nil {
			return "best observed" + of, "incumbent", "Nothing has a result yet, so there is no best one."
		}
		return "best observed" + of, "incumbent",
			fmt.Sprintf("The best result that was observed%s: %s, of point no. %s at %s. Noise may have helped it.",
				of, join(" ", widget.Number(o.Best.Y[b.objective]), unit), o.Best.Label,
				sanitize.Text(widget.Point(domain, o.Best.X)))
	case modelBest:
		if o.ModelBest == nil {
			return "by the model" + of, "surrogate",
				t.state.Spec.Title + " has no model that could say where more is to be had."
		}
		m := o.ModelBest.Normals[0]
		return "best by the model" + of, "posterior",
			fmt.Sprintf("Where the model's mean is best%s: %s%s (2 sd) at %s, which is %s.", of, widget.Number(m.Mean),
				o.Transform().FormatSD(m.Mean, 2*m.SD, widget.Number),
				sanitize.Text(widget.Point(domain, o.ModelBest.X)),
				t.gain(b.objective))
	case expectedGain:
		return "hoped for" + of, "EI", fmt.Sprintf(
			"What another experiment may still bring of %s: wherever it is made, no more than %s better than the "+
				"best is to be expected.", o.Name, o.Transform().FormatDifference(o.Improvement.Value, widget.Number))
	case stoppingRule:
		if t.a.Caveat != "" {
			return "no word on stopping", "standardized residual",
				"Nothing is said of stopping here, and why: " + layout.Excerpt(t.a.Caveat, 45) + "."
		}
		return "the word on stopping", "EI", "What may still be hoped for: " +
			layout.Excerpt(t.a.StoppingAdvice(0), 36) +
			". Where that is worth less to you than an experiment costs, stop."
	case frontSizes:
		text := fmt.Sprintf("The front: %s that no other beats in all objectives",
			widget.Count(len(t.a.Front), "result"))
		if t.a.MeanFront != nil {
			text += fmt.Sprintf("; by the model's means it would have %s", widget.Count(len(t.a.MeanFront), "place"))
		}
		return "front", "Pareto front", text + "."
	case outliers:
		worst := t.a.Outliers[0]
		return "not understood", "stranger", fmt.Sprintf(
			"%s that the model does not understand: no. %s is %.1f standard deviations %s what the others predict, "+
				"beyond 3. K corrects a result that is wrong; U tells more.",
			widget.Count(len(t.a.Outliers), "result"), worst.Label, math.Abs(worst.Z),
			map[bool]string{true: "below", false: "above"}[worst.Z < 0])
	case dependenceBars:
		return "what it depends on", "Sobol' index", t.describeDependence()
	case more:
		return "more", "", "More than there is room for here: v goes through the parts of the outlook, each with the " +
			"whole panel."
	}
	return "", "", ""
}

// gain is how the best by the model stands to the best that was observed.
func (t describer) gain(k int) string {
	o := t.a.Objectives[k]
	gain := o.Transform().FormatDifference(math.Abs(o.Gain), widget.Number)
	if !o.Transform().IsLog() {
		gain = join(" ", gain, sanitize.Text(o.Unit))
	}
	switch {
	case o.Gain >= 0:
		return gain + " better than the best observed"
	case -o.Gain > 2*o.ModelBest.Normals[0].SD:
		return gain + " worse: the best may be luck"
	}
	return gain + " below the best observed"
}

// share is what part of what an improvement is, briefly.
func share(l *diagnostics.Improvement) string {
	if math.IsNaN(l.Share) {
		return ""
	}
	return diagnostics.SharePercent(l.Share)
}

// normalText is a mean with two standard deviations, behind a label; where logarithms count and there is no room for
// the range, with their factor.
func (t describer) normalText(label string, b diagnostics.Normal, g transform.Transform) string {
	mean := widget.Number(b.Mean)
	text := mean + g.FormatSD(b.Mean, 2*b.SD, widget.Number)
	if factor := g.FormatDifference(2*b.SD, widget.Number); g.IsLog() && ansi.StringWidth(text) > t.w-t.behind(label) {
		text = mean + " ×÷" + strings.TrimPrefix(factor, "×")
	}
	return text
}

// behind is in which column the value stands behind a label.
func (t describer) behind(label string) int {
	switch {
	case strings.HasPrefix(label, " "):
		return 11
	case t.w < 34:
		return 9
	}
	return 14
}

// row is a label with a value behind it, its unit where there is room, and at the right what is said of that where
// there is room for it too.
func (t describer) row(label, value, unit, more string, color theme.Color) string {
	st := t.style
	wide := t.behind(label)
	if with := join(" ", value, unit); wide+ansi.StringWidth(with) <= t.w {
		value = with
	}
	line := layout.Fit(st.Paint(st.Dim, label), wide) + st.Paint(color, st.Plain(value))
	if room := t.w - ansi.StringWidth(line); more != "" && room > ansi.StringWidth(more) {
		line += strings.Repeat(" ", room-ansi.StringWidth(more)) + st.Paint(st.Faint, more)
	}
	return layout.ShortenIn(st, line, t.w)
}

// where are the values of the variables, in as few lines as they need, at most two.
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

// stoppingRule is the word on stoppingRule, or why there is none.
func (t describer) stopping() []string {
	word, color := sanitize.Text(t.a.StoppingAdvice(0)), t.style.Good
	if t.a.Caveat != "" {
		color = t.style.Warn
	}
	if word == "" {
		return nil
	}
	return t.wrapped(color, word)
}

// frontSizes says how many points the frontSizes have.
func (t describer) fronts() []string {
	text := fmt.Sprintf("front: %d observed", len(t.a.Front))
	if t.a.MeanFront != nil {
		text += fmt.Sprintf(", %d by the model", len(t.a.MeanFront))
	}
	return t.faint(text)
}

// outlierLines are the results that the model does not understand, with their residuals.
func (t describer) outlierLines() []string {
	if len(t.a.Outliers) == 0 {
		return nil
	}
	var said []string
	for _, s := range t.a.Outliers {
		z := strings.Replace(fmt.Sprintf("%+.1f", s.Z), "-", "−", 1)
		if len(t.a.Objectives) > 1 {
			z = t.a.Objectives[s.Objective].Name + " " + z
		}
		said = append(said, "no. "+s.Label+" ("+z+" sd)")
	}
	lines := t.wrapped(t.style.Warn, t.style.Glyph(theme.GlyphOutlier)+" not understood: "+strings.Join(said, ", "))
	if len(lines) > 3 {
		lines = append(lines[:2:2], t.style.Paint(t.style.Warn, t.style.Plain(fmt.Sprintf("… %d in all", len(said)))))
	}
	return lines
}

// inputDependence are the bars of every variable alone, in at most h lines.
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

// noBars is why there are no bars.
func (t describer) noBars() string {
	switch {
	case t.state.Problem.Dim() > diagnostics.MaxSensitivityDim:
		return fmt.Sprintf("what depends on what is asked for up to %d variables", diagnostics.MaxSensitivityDim)
	case t.a.Objectives[0].ModelBest == nil:
		return t.state.Spec.Title + " has no model to be asked"
	}
	return "to the model all values are alike yet"
}

// bars are how much of what the mean of each objective varies is owed to each variable alone, or under constraints to
// it with what they tie to it, where shares overlap and leave no rest.
func (t describer) bars(d detail) []string {
	st := t.style
	var lines []string
	tied := len(t.state.Problem.Constraints) > 0
	for _, o := range t.a.Objectives {
		if o.Sensitivity == nil {
			continue
		}
		head := "what it depends on, alone"
		if tied {
			head = "depends on, alone or by ties"
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
			long := int(math.Round(share * float64(max(room, 0))))
			bar := strings.Repeat(st.Plain("━"), long)
			label := layout.Fit(layout.ShortenIn(st, t.state.Problem.Domain[j].Name, name), name)
			lines = append(lines, " "+st.Paint(st.Text, label)+" "+
				layout.Fit(st.Paint(st.Acquisition, bar), max(room, 0))+
				st.Paint(st.Dim, fmt.Sprintf("%4.0f %%", 100*share)))
		}
		if rest := 1 - sum; rest > 0.05 && !tied && d < brief {
			lines = append(lines, st.Paint(st.Faint,
				layout.ShortenIn(st, st.Plain(fmt.Sprintf(" together %.0f %%", 100*rest)), t.w)))
		}
	}
	return lines
}

// describeDependence tells the bars.
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
			parts = append(parts, fmt.Sprintf("most on %s, %s", t.state.Problem.Domain[most].Name,
				diagnostics.SharePercent(o.Sensitivity[most])))
			if len(t.a.Objectives) > 1 {
				parts[len(parts)-1] = o.Name + " " + parts[len(parts)-1]
			}
		}
	}
	if parts == nil {
		return "No bars: " + t.noBars() + "."
	}
	return "On what the model's mean depends, by each variable alone: " + strings.Join(parts, "; ") +
		". What is missing to 100 % the variables make together; one with nothing may be left out."
}
