package hierarchyview

import (
	"fmt"

	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// gapsPanel draws the gaps between the forecasts of each level and the means of their leaves' forecasts, as measured
// and as predicted from the embeddings.
func (d drawing) gapsPanel(w, h int) *layout.Box {
	title := fmt.Sprintf("gap to mean of leaves, %s from θ", d.style.Glyph(theme.GlyphDiamond))
	const says = "The gap of each level: separate forecasts need not add up. There is a gap where the embedding of a parent is not the mean of its leaves' embeddings."
	return d.framed(title+d.projected(), w, h, "coherence", says, func(w, h int) *layout.Box {
		measured := d.runs[0].gaps.Measured
		lines := d.gapLines(w, h)
		return layout.Text(w, lines[:min(len(lines), h)]...).
			Number("gaps", "coherence", "The mean gap between the forecasts of a level and the means of their leaves' forecasts, in percent of their size: "+
				d.levels(len(measured), func(l int) string { return percent(measured[l]) })+
				". Diamonds mark the gaps that follow from the embeddings.")
	})
}

// gapLines are a bar for each level and run, and the meaning of their marks if it fits.
func (d drawing) gapLines(w, h int) (lines []string) {
	st, most := d.style, 1e-3
	for _, s := range d.runs {
		for _, v := range s.gaps.Measured {
			most = max(most, v)
		}
	}
	if _, high, ok := d.axes.Range("gaps", 100*most); ok {
		most = high / 100
	}
	tr := d.runs[0].panel.Tree
	const name, numbers = 9, 9
	for level := range tr.Levels() - 1 {
		for i, s := range d.runs {
			label := d.levelName(level)
			if i > 0 {
				label = ""
			}
			bar := d.bar(s.gaps.Measured[level]/most, s.gaps.Predicted[level]/most, max(w-name-numbers-3, 4),
				panel.Color(st, i), i)
			lines = append(lines, " "+layout.Fit(st.Paint(st.Text, label), name)+bar+" "+
				st.Paint(st.Text, percent(s.gaps.Measured[level])))
		}
	}
	for i := range d.runs {
		if text := d.runName(i); text != "" {
			lines = append(lines, " "+d.bar(1, -1, 3, panel.Color(st, i), i)+" "+st.Paint(st.Dim, st.Plain(text)))
		}
	}
	mark := st.PaintBold(st.Text, st.Glyph(theme.GlyphDiamond))
	for _, text := range []string{
		"from the embeddings: |⟨θ - m, b⟩|, m the mean of the leaves' θ", "from the embeddings: |⟨θ - m, b⟩|"} {
		// never shortened
		wrapped := layout.Wrap(st.Plain(text), w-4)
		if len(lines)+len(wrapped) > h {
			continue
		}
		for _, l := range wrapped {
			lines = append(lines, " "+mark+" "+st.Paint(st.Dim, l))
			mark = " "
		}
		break
	}
	return lines
}

// minibatchPanel draws the number of nodes of each level in the last minibatch beside the expected number for α, and
// the norms of the gradients of both parts of the loss; for a second run too if it fits.
func (d drawing) minibatchPanel(w, h int) *layout.Box {
	s, levels := d.runs[0], d.runs[0].panel.Tree.Levels()
	shown := 1
	if len(d.runs) > 1 && h-2 >= (levels+2)*len(d.runs) {
		shown = len(d.runs)
	}
	title := fmt.Sprintf("minibatch, %s expected", d.style.Glyph(theme.GlyphDiamond))
	if shown == 1 {
		title = fmt.Sprintf("minibatch, α %s, %s expected", digitsShort(s.setting.Alpha),
			d.style.Glyph(theme.GlyphDiamond)) + d.of(w)
	}
	if s.at == 0 {
		return d.missing(title, "No updates yet. Press space to train.", w, h)
	}
	says := fmt.Sprintf(
		"The nodes of the last minibatch. A node of depth d is drawn with a probability proportional to %s to the power −d, so upper levels count more with a larger α.",
		digitsShort(s.setting.Alpha))
	return d.framed(title, w, h, "", says, func(w, h int) *layout.Box {
		nodes, pulls := d.composition(shown, w), d.gradients(shown, w)
		nodes = nodes[:min(len(nodes), h)]
		shares := s.panel.Tree.LevelShares(s.setting.Alpha)
		all := layout.Column(layout.Text(w, nodes...).
			Number("nodes of each level", "",
				"The number of nodes of each level in the last minibatch, and the expected number, at the diamond: "+
					d.levels(min(len(shares), h), func(l int) string {
						return fmt.Sprintf("%.0f, expected %s", s.drawn(l)*float64(s.setting.Nodes),
							digitsShort(shares[l]*float64(s.setting.Nodes)))
					})+"."))
		pulls = pulls[:min(len(pulls), h-len(nodes))]
		if len(pulls) > 0 {
			all.Below(layout.Text(w, pulls...).Number("norms of gradients", "embedding regularizer",
				fmt.Sprintf("The norms of the gradients with respect to the embeddings: %s for the error, %s for the regularizer. The part with the longer bar moves them more.",
					widget.Number(s.last.GradData), widget.Number(s.last.GradReg))))
		}
		return all
	})
}

// composition is the number of nodes of each level in the last minibatches of so many runs.
func (d drawing) composition(runs, w int) (lines []string) {
	const name, numbers = 8, 12
	st, most := d.style, 0.0
	for _, s := range d.runs[:runs] {
		for level, share := range s.panel.Tree.LevelShares(s.setting.Alpha) {
			most = max(most, share, s.drawn(level))
		}
	}
	for level := range d.runs[0].panel.Tree.Levels() {
		for i, s := range d.runs[:runs] {
			share, label := s.panel.Tree.LevelShares(s.setting.Alpha)[level], d.levelName(level)
			if i > 0 {
				label = ""
			}
			bar := d.bar(s.drawn(level)/most, share/most, max(w-name-numbers-3, 4), st.Series[level], i)
			text := fmt.Sprintf("%.0f vs %s", s.drawn(level)*float64(s.setting.Nodes),
				digitsShort(share*float64(s.setting.Nodes)))
			lines = append(lines, " "+layout.Fit(st.Paint(st.Text, label), name)+bar+" "+st.Paint(st.Text, text))
		}
	}
	return lines
}

// drawn is the share of a level in the last minibatch.
func (s *runStats) drawn(level int) float64 {
	if level >= len(s.last.Draws) {
		return 0
	}
	return float64(s.last.Draws[level]) / float64(s.setting.Nodes)
}

// gradients are the norms of the gradients of both parts of the loss with respect to the embeddings.
func (d drawing) gradients(runs, w int) (lines []string) {
	const name, numbers = 18, 9
	st, top := d.style, 1e-12
	for _, s := range d.runs[:runs] {
		top = max(top, s.last.GradData, s.last.GradReg)
	}
	for part, label := range []string{"‖∂MAE‖", "λ_E‖∂E_reg‖"} {
		for i, s := range d.runs[:runs] {
			if !s.setting.BD {
				continue
			}
			value, text := [...]float64{s.last.GradData, s.last.GradReg}[part], st.Plain(label)
			if i > 0 {
				text = ""
			}
			lines = append(lines, " "+layout.Fit(st.Paint(st.Text, text), name)+
				d.bar(value/top, -1, max(w-name-numbers-1, 4), st.Acquisition, i)+" "+
				st.Paint(st.Text, widget.NumberIn(value, 7)))
		}
	}
	return lines
}

// digitsShort formats a value with 3 significant digits and no trailing zeros.
func digitsShort(v float64) string { return fmt.Sprintf("%.3g", v) }

// balanceView draws the gaps and the minibatch and, if they fit, the gaps and gradients over the training below them.
func (d drawing) balanceView(w, h int) *layout.Box {
	if w < 64 {
		lower := min(max(h/2, 8), 9)
		return layout.Column(d.gapsPanel(w, h-lower), d.minibatchPanel(w, lower))
	}
	left := w / 2
	upper := 8
	if len(d.runs) > 1 {
		upper = 12
		if h >= 24 {
			upper = 14
		}
	}
	if h-upper < 7 {
		return layout.Row(d.gapsPanel(left, h), d.minibatchPanel(w-left, h))
	}
	return layout.Column(layout.Row(d.gapsPanel(left, upper), d.minibatchPanel(w-left, upper)),
		layout.Row(d.gapsOver(left, h-upper), d.gradientsOver(w-left, h-upper)))
}

// gapsOver draws the gaps of each level over the updates, those of a second run with dashed lines.
func (d drawing) gapsOver(w, h int) *layout.Box {
	o := updatesChart{title: "gap by level (%)", term: "coherence",
		left: "The gap in percent of the size of the forecasts, on a log scale.",
		says: fmt.Sprintf("The gap of each level over the training. The regularizer, with weight λ_E = %s, reduces it.",
			widget.Number(d.runs[0].setting.LambdaE))}
	for run := range d.runs {
		for level := range d.runs[0].panel.Tree.Levels() - 1 {
			o.columns = append(o.columns, columnSeries{run, fmt.Sprintf("gap%d", level), d.levelName(level),
				fmt.Sprint(level),
				d.style.Series[level], "The gap at " + d.at(level) + ", %s %% now."})
		}
	}
	return d.updatesPanel(o, w, h)
}

// gradientsOver draws the norms of both gradients over the updates.
func (d drawing) gradientsOver(w, h int) *layout.Box {
	return d.updatesPanel(updatesChart{title: "gradients on the embeddings" + d.of(w), term: "embedding regularizer",
		left: "The norms of the gradients, on a log scale.",
		says: "The norms of the gradients of both parts of the loss with respect to the embeddings. Where they are equal, they can cancel.",
		columns: []columnSeries{{0, "grad_data", "‖∂MAE‖", "m", d.style.Series[0],
			"The gradient of the forecast error, %s now."},
			{0, "grad_reg", "λ_E‖∂E_reg‖", "r", d.style.Series[1],
				"The gradient of the weighted regularizer, %s now. It pulls parents to their leaves' mean."}}}, w, h)
}
