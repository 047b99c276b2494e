package hierarchy

import (
	"fmt"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/training/panel"
	"bandscope/tui/widget"
)

// gapsPanel draws how far forecasts of each level are from the means of their leaves', as measured and as the
// embeddings say that it must be.
func (d drawing) gapsPanel(w, h int) *layout.Box {
	title := fmt.Sprintf("gap to the leaves' mean, %s by θ", d.style.Glyph(theme.GlyphDiamond))
	const says = "The gap of each level: forecasts that are made one by one need not add up. It comes from parents " +
		"whose embeddings are not the means of their leaves'."
	return d.framed(title+d.projected(), w, h, "coherence", says, func(w, h int) *layout.Box {
		measured := d.runs[0].gaps.Measured
		lines := d.gapLines(w, h)
		return layout.Text(w, lines[:min(len(lines), h)]...).
			Number("gaps", "coherence", "How far forecasts of a level are from the means of their leaves', in "+
				"percent of their size: "+
				d.levels(len(measured), func(l int) string { return percent(measured[l]) })+
				". A diamond stands where the embeddings alone put it.")
	})
}

// gapLines are a bar for each level and run, and what their marks mean where there is room.
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
		"by the embeddings alone: |⟨θ - m, b⟩|, m the mean of the leaves' θ", "by the embeddings: |⟨θ - m, b⟩|"} {
		// which are never cut
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

// minibatchPanel draws how many nodes of each level were in the last minibatch beside what α lets expect, and which
// part of the loss pulls the embeddings how hard; of a second run too where there is room.
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
		return d.missing(title, "No update was done yet: space steps the training.", w, h)
	}
	says := fmt.Sprintf("What the last minibatch was made of: a node of depth d is drawn with a probability that "+
		"goes as %s to the −d, so a greater α lets upper levels count more.", digitsShort(s.setting.Alpha))
	return d.framed(title, w, h, "", says, func(w, h int) *layout.Box {
		nodes, pulls := d.composition(shown, w), d.gradients(shown, w)
		nodes = nodes[:min(len(nodes), h)]
		shares := s.panel.Tree.LevelShares(s.setting.Alpha)
		all := layout.Column(layout.Text(w, nodes...).
			Number("nodes of each level", "", "How many nodes of each level the last minibatch had, beside what α "+
				"lets expect, at the diamond: "+d.levels(min(len(shares), h), func(l int) string {
				return fmt.Sprintf("%.0f of %s", s.drawn(l)*float64(s.setting.Nodes),
					digitsShort(shares[l]*float64(s.setting.Nodes)))
			})+"."))
		if pulls = pulls[:min(len(pulls), h-len(nodes))]; len(pulls) > 0 {
			all.Below(layout.Text(w, pulls...).Number("norms of gradients", "embedding regularizer",
				fmt.Sprintf("How hard the two parts of the loss pull at the embeddings: the error by %s, the "+
					"regularizer by %s. The longer bar has its way.",
					widget.Number(s.last.GradData), widget.Number(s.last.GradReg))))
		}
		return all
	})
}

// composition is how many nodes of each level the last minibatches of so many runs had.
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
			text := fmt.Sprintf("%.0f of %s", s.drawn(level)*float64(s.setting.Nodes),
				digitsShort(share*float64(s.setting.Nodes)))
			lines = append(lines, " "+layout.Fit(st.Paint(st.Text, label), name)+bar+" "+st.Paint(st.Text, text))
		}
	}
	return lines
}

// drawn is which part of the last minibatch was of a level.
func (s *runStats) drawn(level int) float64 {
	if level >= len(s.last.Draws) {
		return 0
	}
	return float64(s.last.Draws[level]) / float64(s.setting.Nodes)
}

// gradients are the norms of both parts of the loss' gradient on the embeddings.
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

// digitsShort writes a value without zeros behind it.
func digitsShort(v float64) string { return fmt.Sprintf("%.3g", v) }

// balanceView is the gaps and the minibatch, above how they were over the training where there is room.
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

// gapsOver draws the gaps of each level over the updates; of a second run with broken lines.
func (d drawing) gapsOver(w, h int) *layout.Box {
	o := updatesChart{title: "gap by level, in percent", term: "coherence",
		left: "The gap in percent of the forecasts' size, by factors.",
		says: fmt.Sprintf("The gap of each level over the training; the regularizer, of weight λ_E = %s, makes it "+
			"small.", widget.Number(d.runs[0].setting.LambdaE))}
	for run := range d.runs {
		for level := range d.runs[0].panel.Tree.Levels() - 1 {
			o.columns = append(o.columns, columnSeries{run, fmt.Sprintf("gap%d", level), d.levelName(level),
				fmt.Sprint(level),
				d.style.Series[level], "The gap at " + d.at(level) + ": %s %% now."})
		}
	}
	return d.updatesPanel(o, w, h)
}

// gradientsOver draws how hard both parts of the loss pulled at the embeddings.
func (d drawing) gradientsOver(w, h int) *layout.Box {
	return d.updatesPanel(updatesChart{title: "gradients on the embeddings" + d.of(w), term: "embedding regularizer",
		left: "Norms of gradients, by factors.",
		says: "How hard both parts of the loss pulled at the embeddings, update by update; where they are alike, the " +
			"embeddings rest.",
		columns: []columnSeries{{0, "grad_data", "‖∂MAE‖", "m", d.style.Series[0],
			"The pull of the error of forecasts: %s now."},
			{0, "grad_reg", "λ_E‖∂E_reg‖", "r", d.style.Series[1],
				"The pull of the regularizer with its weight, towards the means of leaves: %s now."}}}, w, h)
}
