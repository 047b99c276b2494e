package compare

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
)

// result is the picture of a pane, or a first part of it.
type result struct {
	pane       *pane
	posterior  *picture.Posterior
	outcomes   *front.Outcomes
	state      sessions.State
	pictureKey string
	err        error
	handles    []optimizers.Handle
	last       bool // no more results of the pane follow
}

// updatePictures computes the pictures that are not up to date, all at once.
func (m *Model) updatePictures() tea.Cmd {
	if st := m.base.State(); st.Problem.Dim() > 1 && !m.several() {
		m.shown.unfitted = picture.Unfitted(st, picture.View{X: m.shown.view.X}, nil)
	}
	axes := m.computedView().Axes
	var stale []*pane
	for _, p := range m.panes {
		if p.posterior != nil && p.posterior.View.Axes != axes {
			p.posterior = nil
		}
		if p.pictureKey != m.pictureKey(p) {
			stale = append(stale, p)
		}
	}
	if len(stale) == 0 {
		m.work.jobs.Stop()
		return m.goOn()
	}
	results := make(chan result, 16*len(stale)) // more than the stages of a picture
	m.work.results, m.work.waiting = results, len(stale)
	look, arranged := m.pictureFunc(), m.arrangement
	wanted := map[*pane]string{}
	for _, p := range stale {
		wanted[p] = m.pictureKey(p)
	}
	return m.work.jobs.Start("fitting the methods", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		for _, p := range stale {
			src := p.source(arranged)
			go draw(ctx, p, src, look, wanted[p], func(stage string, done, total int) {
				progress(p.Title+": "+stage, done, total)
			}, results)
		}
		return <-results
	})
}

// pictureKey identifies the inputs of a pane's picture.
func (m *Model) pictureKey(p *pane) string {
	if m.several() {
		return fmt.Sprintf("%p %s", p.source(m.arrangement), p.source(m.arrangement).State().Head)
	}
	return fmt.Sprintf("%p %s %v", p.source(m.arrangement), p.source(m.arrangement).State().Head, m.computedView())
}

// computeFunc computes the picture of a source: the whole is returned, first parts of it are passed to show.
type computeFunc func(ctx context.Context, src picture.Source, progress sessions.Progress, show func(result)) (result,
	error)

// pictureFunc returns the current way to compute pictures: along one variable, or over two.
func (m *Model) pictureFunc() computeFunc {
	if m.several() {
		return computeOutcomes
	}
	v := m.computedView()
	return func(ctx context.Context, src picture.Source, progress sessions.Progress, show func(result)) (result,
		error) {
		p, err := picture.Compute(ctx, src, v, nil, progress, func(p *picture.Posterior) { show(result{posterior: p}) })
		return result{posterior: p}, err
	}
}

// computedView is the view of the pictures of one objective.
func (m *Model) computedView() picture.View {
	v := m.shown.view
	if m.shown.planar && m.arrangement != overlaid {
		v = m.shown.window
		v.Theory = m.shown.view.Theory
	}
	return v
}

// stageDelay is how long a pane waits for its whole picture before the first parts are shown, so that a fast method
// never flickers.
const stageDelay = 60 * time.Millisecond

// parts sends the latest part of a picture after stageDelay, and each later one at once, until it is closed.
type parts struct {
	mu     sync.Mutex
	due    bool
	closed bool
	latest *result
	send   func(result)
}

func (p *parts) add(r result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = &r
	if p.due && !p.closed {
		p.send(r)
	}
}

func (p *parts) setDue() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.due = true
	if p.latest != nil && !p.closed {
		p.send(*p.latest)
	}
}

func (p *parts) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// draw computes the picture of one pane; it sends one result, or more where the whole takes longer.
func draw(ctx context.Context, p *pane, src picture.Source, look computeFunc, seen string, progress sessions.Progress,
	results chan<- result) {
	out := result{pane: p, state: src.State(), pictureKey: seen, last: true}
	waiting := parts{send: func(r result) { results <- r }}
	defer time.AfterFunc(stageDelay, waiting.setDue).Stop()
	if panicked := parallel.Catch(func() {
		whole, err := look(ctx, src, progress, func(part result) {
			part.pane = out.pane
			part.state = out.state
			part.pictureKey = out.pictureKey
			waiting.add(part)
		})
		out.posterior = whole.posterior
		out.outcomes = whole.outcomes
		out.err = err
		if b, err := src.Belief(ctx, progress); err == nil { // it is fitted already
			out.handles = optimizers.HandlesOf(b)
		}
	}); panicked != nil {
		out.err = fmt.Errorf("drawing the posterior: %v", panicked.Value)
	}
	waiting.close()
	results <- out
}

// take puts a picture into its pane and waits for the next.
func (m *Model) take(r result) tea.Cmd {
	p := r.pane
	switch {
	case errors.Is(r.err, context.Canceled):
	case r.err != nil:
		p.posterior = nil
		p.outcomes = nil
		p.reason = sanitize.Text(r.err.Error())
		p.state = r.state
	default:
		p.posterior = r.posterior
		p.outcomes = r.outcomes
		p.handles = r.handles
		p.reason = ""
		p.state = r.state
		if r.last {
			p.pictureKey = r.pictureKey
		}
	}
	if r.last {
		m.work.waiting--
	}
	if m.work.waiting > 0 {
		results := m.work.results
		return m.work.jobs.Continue(func() tea.Msg { return <-results })
	}
	m.work.jobs.Finish()
	if m.work.Next() {
		return m.step()
	}
	return m.goOn()
}
