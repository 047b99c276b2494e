package studypage

import (
	"fmt"
	"math"

	"bandscope/sessions/study/stats"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/widget"
)

// pairs compares the chosen method with every other.
func (m *Model) pairs(f *figure, w, h int) *layout.Box {
	st, k := m.Style, m.cursor.method
	across := 0
	if f.problem < 0 && len(f.runs.Problems) > 1 && w >= 68 {
		across = 9
	}
	name := min(m.longest()+4, max(w-51-across, 10))
	body := newListing(st, w, h)
	body.line(" " + st.Paint(m.methodStyle().Color(k), st.Plain(m.methodName(k))) +
		st.Paint(st.Dim, " against each of the others"))
	body.line("")
	body.line(" " + st.Paint(st.Dim, layout.Fit("", name)+layout.Fit("better same worse", 19)+layout.Fit("effect", 8)+
		layout.Fit("p", 8)+layout.Fit("Holm", 9)+layout.Fit("across", across)+"beats"))
	for _, p := range f.pairs {
		if p.A != k && p.B != k {
			continue
		}
		other := p.B
		better := p.Better
		worse := p.Worse
		effect := p.Effect
		beats := p.A12
		if p.B == k {
			other = p.A
			better = p.Worse
			worse = p.Better
			effect = -p.Effect
			beats = 1 - p.A12
		}
		verdict, color := "  ", st.Dim
		switch {
		case p.Significant() && effect > 0:
			verdict, color = "+ ", st.Good
		case p.Significant():
			verdict, color = "- ", st.Warn
		}
		line := " " + layout.Fit(st.PaintBold(color, verdict)+
			st.Paint(m.methodStyle().Color(other), layout.ShortenIn(st, st.Plain(m.methodName(other)), name-3)), name)
		line += st.Paint(st.Text, layout.Fit(fmt.Sprintf("%6d %4d %5d", better, p.Same, worse), 19)+
			layout.Fit(signedText(effect), 8)+layout.Fit(m.chance(p.Test.P), 8))
		line += st.Paint(color, layout.Fit(m.chance(p.Holm), 9)) +
			st.Paint(st.Text, layout.Fit(m.chance(p.AcrossHolm), across)+share(beats))
		body.line(line).Describe(layout.Number, m.methodName(other), "signed-rank test", func() string {
			return layout.Excerpt(p.Describe(f.runs.Methods), 55) + "."
		})
	}
	body.line("")
	for _, p := range f.pairs {
		if p.Underpowered() && p.N > 0 {
			body.say(st.Warn, fmt.Sprintf("With %s each, none of the %d tests can reach p = 0.05 after correction.",
				widget.Count(p.Test.N, "pair"), p.Tests))
			break
		}
	}
	shows, rests := studyreport.About(studyreport.Pairwise)
	body.say(st.Dim, "+ and - mark differences at the 5 % level. "+shows)
	body.say(st.Dim, rests)
	return body.Number("numbers", "", firstWords(rests))
}

// chance writes a value of a test in the characters of the terminal.
func (m *Model) chance(p float64) string { return m.Style.Plain(stats.FormatP(p)) }

// signedText writes an effect with its sign.
func signedText(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%+.2f", v)
}

// share writes a chance in percent.
func share(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}
