package tree

import (
	"fmt"

	"bandscope/tui/screen"
	"bandscope/tui/theme"
	"bandscope/tui/watch/picture"
)

// gapsPanel draws how far forecasts of each level are from the means of their leaves', as measured and as the embeddings say that it must be.
func (d drawing) gapsPanel(w, h int) []string {
	return d.framed("gap to the mean of the leaves", w, h, func(w, h int) []string {
		st := d.style
		most := 1e-3
		for _, s := range d.runs {
			for _, v := range s.gaps.Measured {
				most = max(most, v)
			}
		}
		var lines []string
		tr := d.runs[0].panel.Tree
		const name, numbers = 9, 9
		for level := range tr.Levels() - 1 {
			for i, s := range d.runs {
				label := d.levelName(level)
				if i > 0 {
					label = ""
				}
				bar := d.bar(s.gaps.Measured[level]/most, s.gaps.Predicted[level]/most, max(w-name-numbers-3, 4), picture.Color(st, i), i)
				lines = append(lines, " "+screen.Fit(st.Paint(st.Text, label), name)+bar+" "+st.Paint(st.Text, percent(s.gaps.Measured[level])))
			}
		}
		for i := range d.runs {
			if text := d.runName(i); text != "" {
				lines = append(lines, " "+d.bar(1, -1, 3, picture.Color(st, i), i)+" "+st.Paint(st.Dim, st.Plain(text)))
			}
		}
		mark := st.PaintBold(st.Text, st.Glyph(theme.GlyphDiamond))
		for i, l := range screen.Wrap(st.Plain("by the embeddings alone: |⟨θ - m, b⟩|, m the mean of the leaves' θ"), w-4) {
			if i > 0 {
				mark = " "
			}
			lines = append(lines, " "+mark+" "+st.Paint(st.Dim, l))
		}
		return lines[:min(len(lines), h)]
	})
}

// minibatchPanel draws how many nodes of each level were in the last minibatch beside what α lets expect, and which part of the loss pulls the embeddings how hard.
func (d drawing) minibatchPanel(w, h int) []string {
	s := d.runs[0]
	return d.framed(fmt.Sprintf("minibatch, α %s, %s expected", digitsShort(s.setting.Alpha), d.style.Glyph(theme.GlyphDiamond))+d.of(w), w, h, func(w, h int) []string {
		if s.at == 0 {
			return d.saying("No update was done yet: space steps the training.", w)
		}
		st := d.style
		shares := s.panel.Tree.Shares(s.setting.Alpha)
		most := 0.0
		for level, n := range s.last.Draws {
			most = max(most, float64(n)/float64(s.setting.Nodes), shares[level])
		}
		const name, numbers = 8, 12
		var lines []string
		for level, n := range s.last.Draws {
			bar := d.bar(float64(n)/float64(s.setting.Nodes)/most, shares[level]/most, max(w-name-numbers-3, 4), st.Series[level], 0)
			lines = append(lines, " "+screen.Fit(st.Paint(st.Text, d.levelName(level)), name)+bar+" "+st.Paint(st.Text, st.Plain(fmt.Sprintf("%d of %s", n, digitsShort(shares[level]*float64(s.setting.Nodes))))))
		}
		if !s.setting.BD {
			return lines[:min(len(lines), h)]
		}
		top := max(s.last.GradData, s.last.GradReg, 1e-12)
		for _, g := range []struct {
			name  string
			value float64
		}{{"‖∂MAE‖", s.last.GradData}, {"λ_E‖∂E_reg‖", s.last.GradReg}} {
			bar := d.bar(g.value/top, -1, max(w-19-9, 4), st.Acquisition, 0)
			lines = append(lines, " "+screen.Fit(st.Paint(st.Text, st.Plain(g.name)), 18)+bar+" "+st.Paint(st.Text, screen.NumberIn(g.value, 7)))
		}
		return lines[:min(len(lines), h)]
	})
}

// digitsShort writes a value without zeros behind it.
func digitsShort(v float64) string { return fmt.Sprintf("%.3g", v) }

// balanceView is the gaps and the minibatch, above how they were over the training where there is room.
func (d drawing) balanceView(w, h int) []string {
	left := w / 2
	upper := 8
	if len(d.runs) > 1 {
		upper = 12
	}
	if h-upper < 7 {
		return screen.Beside(d.gapsPanel(left, h), d.minibatchPanel(w-left, h))
	}
	return rows(screen.Beside(d.gapsPanel(left, upper), d.minibatchPanel(w-left, upper)), screen.Beside(d.gapsOver(left, h-upper), d.gradientsOver(w-left, h-upper)))
}

// gapsOver draws the gaps of each level over the updates; of a second run with broken lines.
func (d drawing) gapsOver(w, h int) []string {
	var curves []over
	for run := range d.runs {
		for level := range d.runs[0].panel.Tree.Levels() - 1 {
			curves = append(curves, over{run, fmt.Sprintf("gap%d", level), d.levelName(level), fmt.Sprint(level), d.style.Series[level]})
		}
	}
	return d.overUpdates("gap by level, in percent", curves, w, h)
}

// gradientsOver draws how hard both parts of the loss pulled at the embeddings.
func (d drawing) gradientsOver(w, h int) []string {
	return d.overUpdates("gradients on the embeddings"+d.of(w), []over{{0, "grad_data", "‖∂MAE‖", "m", d.style.Series[0]}, {0, "grad_reg", "λ_E‖∂E_reg‖", "r", d.style.Series[1]}}, w, h)
}
