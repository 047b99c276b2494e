package studypage

import (
	"fmt"

	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/theme"
)

// figureKey is everything that the drawn statistics depend on.
type figureKey struct {
	made   *figure
	board  *board
	view   view
	other  bool
	cursor cursor
	style  string
	w, h   int
}

// figurePanel draws the statistics. It draws them again only when the key changes.
func (m *Model) figurePanel(w, h int) *layout.Box {
	key := figureKey{m.ready(), m.board, m.shown.view, m.shown.other, m.cursor, m.Style.Key(), w, h}
	if m.picture.box == nil || m.picture.figureKey != key {
		m.picture.figureKey, m.picture.box = key, m.drawFigure(key.made, w, h)
	}
	return m.picture.box
}

func (m *Model) drawFigure(f *figure, w, h int) *layout.Box {
	st := m.Style
	heading := fmt.Sprintf("%d %s", m.shown.view+1, m.figureTitle())
	says, _ := studyreport.About(m.aboutView())
	var body *layout.Box
	term := ""
	switch {
	case f == nil:
		body = layout.Text(w-2, "", " "+st.Paint(st.Dim, st.Plain("computing…"))).
			Prose("waiting", "", "The statistics are being computed.")
	case f.view == pairsView:
		body = m.pairs(f, w-2, h-2)
	case f.view == criticalView:
		body = m.critical(f, w-2, h-2)
	case f.view == finalsView && f.problem < 0:
		body = m.finalGrid(f, w-2, h-2)
	case f.view == finalsView:
		body = m.finals(f, w-2, h-2)
	case f.view == curvesView && f.problem < 0:
		body = m.smallCharts(f, w-2, h-2)
	default:
		body = m.charts(f, w-2, h-2)
	}
	if f != nil {
		term = m.term(f)
		if f.view == finalsView {
			says = fmt.Sprintf(
				"The results at the end of the budget: %s over the finished seeds. A star marks the best.",
				map[bool]string{true: "means with 95 % intervals", false: "medians with quartiles"}[m.shown.other])
		}
	}
	return layout.Panel(st, st.Plain(heading), body, w, h, false).Section(heading, term, says)
}

// listing is lines and sentences below each other. Those beyond h rows do not fit into the panel and are not drawn.
type listing struct {
	*layout.Box
	style theme.Style
	h     int
}

func newListing(st theme.Style, w, h int) listing { return listing{layout.New(w, 0), st, h} }

// line adds a drawn line.
func (l listing) line(text string) *layout.Box {
	b := layout.Text(l.W, text)
	l.Below(b)
	return b
}

// say adds a sentence, which may come from a file.
func (l listing) say(color theme.Color, text string) {
	l.Below(layout.Sentence(l.style, color, sanitize.Text(text), l.W, l.h-l.H))
}

// figureTitle names the view and the problem.
func (m *Model) figureTitle() string {
	subject := "all problems"
	if p := m.cursor.problem; p >= 0 {
		subject = sanitize.Text(m.board.problems[p])
	}
	label := viewNames[m.shown.view]
	switch m.shown.view {
	case curvesView, finalsView:
		if m.cursor.problem >= 0 {
			label = string(m.board.measures[m.cursor.problem])
			if m.shown.view == finalsView {
				label += " at the end"
			}
		}
	case profilesView:
		label = "performance profiles"
		if m.shown.other {
			label = "data profiles"
		}
	}
	return label + " · " + subject
}

// aboutView is the report's view of the one that is shown.
func (m *Model) aboutView() studyreport.View {
	switch m.shown.view {
	case ranksView:
		return studyreport.Ranked
	case reachedView:
		return studyreport.Reached
	case profilesView:
		if m.shown.other {
			return studyreport.Data
		}
		return studyreport.Performance
	case pairsView:
		return studyreport.Pairwise
	case criticalView:
		return studyreport.Differences
	}
	return studyreport.Curves
}

// term is the word of the glossary for the view.
func (m *Model) term(f *figure) string {
	switch f.view {
	case ranksView:
		return "mean rank"
	case reachedView:
		return "ECDF of targets"
	case profilesView:
		if m.shown.other {
			return "data profile"
		}
		return "performance profile"
	case pairsView:
		return "signed-rank test"
	case criticalView:
		return "critical difference"
	}
	if f.problem >= 0 {
		if measure := string(f.runs.Problems[f.problem].Measure); known(measure) {
			return measure
		}
	}
	return "study"
}

// known reports whether the glossary has a word.
func known(word string) bool {
	_, err := glossary.Find(word)
	return err == nil
}
