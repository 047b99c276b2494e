package studypage

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/widget"
)

// view is the kind of chart or table next to the cells.
type view int

// The views, in the order of their numbers.
const (
	curvesView view = iota
	ranksView
	reachedView
	profilesView
	pairsView
	criticalView
	finalsView
	viewCount
)

// viewNames are the names of the views.
var viewNames = [viewCount]string{"curves", "ranks", "targets reached", "profiles", "pairs", "critical difference",
	"results"}

// figureRequest identifies a figure.
type figureRequest struct {
	view     view
	problem  int // −1 is all
	revision int64
}

// figure is the statistics of a view, ready to be drawn in any size and style.
type figure struct {
	figureRequest
	runs     *stats.Runs
	bands    map[int][]stats.Band // by problem, of every method
	rankings []stats.Ranking
	steps    [2][]stats.StepFunction // targets reached; or performance and data profiles
	pairs    []stats.Pair
	friedman stats.Friedman
	finals   map[int][]stats.Sample // by problem, of every method
	blocks   int                    // that are complete
	all      int                    // and how many there are
}

// places is at how many places of an axis curves are drawn, and parts at how many parts of the budget ranks are.
const places, parts = 240, 60

// tolerance is to which part of the way from the start to the best a profile counts a block as solved.
const tolerance = 0.01

// figure computes the statistics of the view, off the update loop, unless they are there already.
func (m *Model) figure() tea.Cmd {
	if m.board == nil {
		return nil
	}
	want := figureRequest{m.shown.view, m.cursor.problem, m.shown.revision}
	if m.shown.figure != nil && m.shown.figure.figureRequest == want {
		return nil
	}
	if m.work.figures.Busy() && (m.shown.request == want || m.shown.request.view == want.view &&
		m.shown.request.problem == want.problem) {
		return nil // the next figure has what came meanwhile
	}
	m.shown.request = want
	var runs *stats.Runs
	if made := m.shown.figure; made != nil && made.revision == want.revision {
		runs = made.runs
	}
	table := m.board.table()
	return m.work.figures.Start("computing "+viewNames[want.view],
		func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			return figureFor(ctx, table, runs, want)
		})
}

// figureFor computes the statistics of a table; runs are those of the table, or nil.
func figureFor(ctx context.Context, t *study.Table, runs *stats.Runs, want figureRequest) *figure {
	if runs == nil {
		t, _ = stats.JoinInstances(t)
		runs = stats.CurvesFor(t, stats.DefaultAxis)
	}
	f := &figure{figureRequest: want, runs: runs}
	problem := want.problem
	if problem < 0 {
		problem = stats.All
	}
	blocks, all := runs.Blocks(problem, 1)
	f.blocks, f.all = len(blocks), all
	switch want.view {
	case curvesView:
		f.bands = map[int][]stats.Band{}
		f.each(ctx, func(p int) {
			for k := range runs.Methods {
				f.bands[p] = append(f.bands[p], runs.Band(p, k, places))
			}
		})
	case ranksView:
		f.rankings = runs.Rankings(problem, parts)
	case reachedView:
		f.steps[0] = runs.ECDF(problem)
	case profilesView:
		f.steps[0], f.steps[1] = runs.PerformanceProfiles(problem, tolerance), runs.DataProfiles(problem, tolerance)
	case pairsView:
		f.pairs = runs.Pairs(problem, 1)
	case criticalView:
		f.friedman = runs.Friedman(problem, 1)
	case finalsView:
		f.finals = map[int][]stats.Sample{}
		f.each(ctx, func(p int) {
			for k := range runs.Methods {
				f.finals[p] = append(f.finals[p], runs.Final(p, k))
			}
		})
	}
	return f
}

// maxSmall is how many problems are drawn beside each other at most.
const maxSmall = 60

// each calls do for the requested problem, or for the first maxSmall of all.
func (f *figure) each(ctx context.Context, do func(problem int)) {
	if f.problem >= 0 {
		do(f.problem)
		return
	}
	for p := range min(len(f.runs.Problems), maxSmall) {
		if ctx.Err() != nil {
			return
		}
		do(p)
	}
}

// figureDone takes computed statistics, and computes others if another view is shown by now.
func (m *Model) figureDone(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *figure:
		if msg.view == m.shown.view && msg.problem == m.cursor.problem {
			m.shown.figure = msg
		}
	case widget.PanicMsg:
		m.shown.figure = nil
		m.Status.Fail(fmt.Errorf("internal error: %s; nothing is lost", msg.Reason))
		return nil
	}
	return m.figure()
}

// ready is the figure of the view; nil until it is computed. One of an earlier revision is shown until the next is
// there.
func (m *Model) ready() *figure {
	f := m.shown.figure
	if f == nil || f.view != m.shown.view || f.problem != m.cursor.problem {
		return nil
	}
	return f
}
