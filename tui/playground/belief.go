package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// belief is one of the beliefs on the plot.
type belief struct {
	config  sessions.BeliefConfig  // as it is recorded
	preview *sessions.BeliefConfig // with a handle that is being moved; nil for none
	picture *beliefPicture         // the latest; nil while there is none
	reason  string                 // why there is no picture
}

// shown is what makes the belief as it is shown.
func (b *belief) shown() sessions.BeliefConfig {
	if b.preview != nil {
		return *b.preview
	}
	return b.config
}

// beliefPicture is the posterior of a belief, with its samples at the start of their circles. It never changes.
type beliefPicture struct {
	*picture.Posterior
	key      string // identifies what it was computed from
	belief   optimizers.Belief
	handles  []optimizers.Handle
	across   []picture.Field // samples at a quarter of their circles; nil if they do not move
	gaussian bool            // samples are draws of a Gaussian process, which can move
	held     bool            // hyperparameters are those of an earlier fit
	took     time.Duration
}

// slow is how long a belief takes that is not computed before a drag pauses, such as that of a trained network: the
// training would be stopped by the next motion of the mouse, and until then slow that down. pause is how long that is.
const slow, pause = 100 * time.Millisecond, 80 * time.Millisecond

// takeBeliefs takes the beliefs of the session.
func (m *Model) takeBeliefs() {
	configs := []sessions.BeliefConfig{m.state.Belief()}
	if m.state.Second != nil {
		configs = append(configs, *m.state.Second)
	}
	if m.chain.outstanding > 0 && len(m.beliefs) > 0 {
		return // the ones on the screen are newer
	}
	for i, c := range configs {
		if i == len(m.beliefs) {
			m.beliefs = append(m.beliefs, &belief{})
		}
		m.beliefs[i].config = c
	}
	m.beliefs = m.beliefs[:len(configs)]
	m.active = min(m.active, len(m.beliefs)-1)
	if m.chosen.kind == handle && m.chosen.handle >= len(m.handles()) {
		m.chosen = selection{}
	}
}

// handles are those of the active belief.
func (m *Model) handles() []optimizers.Handle {
	if len(m.beliefs) == 0 || m.beliefs[m.active].picture == nil {
		return nil
	}
	return m.beliefs[m.active].picture.handles
}

// task is a belief to compute.
type task struct {
	belief  *belief
	config  sessions.BeliefConfig
	held    *sessions.BeliefConfig // with the hyperparameters of the last fit, to be shown first; nil for none
	full    bool                   // the belief itself is computed too
	results []sessions.PlaygroundResult
	samples samples
	key     string
}

// pictureMsg is the picture of a task, or the reason why there is none.
type pictureMsg struct {
	belief  *belief
	picture *beliefPicture
	err     error
	last    bool // no more of this job follow
	more    chan pictureMsg
}

// upToDate reports whether the pictures are those of the current state.
func (m *Model) upToDate() bool { return len(m.tasks()) == 0 }

// UpdatePicture takes the state of the session, and computes the pictures of it.
func (m *Model) UpdatePicture() tea.Cmd {
	m.Refresh()
	return m.compute()
}

// tasks are the beliefs whose pictures are not up to date.
func (m *Model) tasks() (list []task) {
	for i, b := range m.beliefs {
		t := task{belief: b, config: b.shown(), results: m.results(), samples: m.samples, full: m.drag == nil}
		if i != m.active {
			t.samples.count = 0
		}
		key, err := json.Marshal([]any{t.config, t.results, t.samples.count, t.samples.draw, t.samples.circles})
		t.key = string(key)
		if err != nil { // a value that is not finite
			t.key = fmt.Sprint(t.config, t.results, t.samples)
		}
		now := b.picture
		t.held = m.heldConfig(b)
		if now != nil && now.key == t.key && (!now.held || !t.full) {
			continue
		}
		if now != nil && now.key == t.key {
			t.held = nil // it is on the screen
		}
		t.full = t.full || t.held == nil
		list = append(list, t)
	}
	return list
}

// heldConfig is a belief with the hyperparameters of its last fit in place of fitted ones, which takes a small part of
// the time of a fit; nil if none is fitted, or there is no fit.
func (m *Model) heldConfig(b *belief) *sessions.BeliefConfig {
	if b.picture == nil {
		return nil
	}
	config, fitted := b.shown(), false
	for i, h := range b.picture.handles {
		if !h.Fitted || m.moves(b, i) {
			continue
		}
		next, err := m.state.Adjust(config, func(p param.Set) []optimizers.Setting {
			return h.Set(p, min(max(h.Value, h.Min), h.Max))
		})
		if err != nil {
			return nil
		}
		config, fitted = next, true
	}
	if !fitted {
		return nil
	}
	return &config
}

// compute starts to compute the pictures that are not up to date.
func (m *Model) compute() tea.Cmd {
	list := m.tasks()
	if len(list) == 0 {
		m.Jobs.Stop()
		return m.computeRow()
	}
	st, wait := m.state, time.Duration(0)
	if p := m.beliefs[m.active].picture; m.drag != nil && p != nil && p.took > slow {
		wait = pause
	}
	return m.Jobs.Start("computing the belief", func(ctx context.Context,
		progress func(stage string, done, total int)) tea.Msg {
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		results := make(chan pictureMsg, 2*len(list)+1)
		go computeAll(ctx, st, list, progress, results)
		return <-results
	})
}

// computeAll computes tasks: first those that are fast because nothing is fitted, then the others.
func computeAll(ctx context.Context, st sessions.State, list []task, progress sessions.Progress,
	results chan pictureMsg) {
	send := func(t task, config sessions.BeliefConfig, held bool) {
		msg, start := pictureMsg{belief: t.belief, more: results}, time.Now()
		if p := parallel.Catch(func() {
			msg.picture, msg.err = computeBelief(ctx, st, t, config, progress)
		}); p != nil {
			msg.picture, msg.err = nil, fmt.Errorf("computing the belief: %v", p.Value)
		}
		if msg.picture != nil {
			msg.picture.held, msg.picture.took = held, time.Since(start)
		}
		results <- msg
	}
	for _, t := range list {
		if t.held != nil {
			send(t, *t.held, true)
		}
	}
	for _, t := range list {
		if t.full && ctx.Err() == nil {
			send(t, t.config, false)
		}
	}
	results <- pictureMsg{last: true}
}

// computeBelief computes the picture of a belief.
func computeBelief(ctx context.Context, st sessions.State, t task, config sessions.BeliefConfig,
	progress sessions.Progress) (*beliefPicture, error) {
	preview, err := st.Preview(config, t.results)
	if err != nil {
		return nil, err
	}
	b, err := preview.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	p := &beliefPicture{key: t.key, belief: b, handles: optimizers.HandlesOf(b)}
	count := t.samples.count
	p.gaussian = count > 0 && hasCovariances(ctx, b, unitGrid(st, []float64{st.Problem.Domain[0].Low}))
	moving := t.samples.circles && p.gaussian
	if moving {
		count *= 2
	}
	p.Posterior, err = picture.ComputeBelief(ctx, st, b, picture.View{Samples: count, Draw: t.samples.draw})
	if err != nil {
		return nil, err
	}
	if moving && len(p.Samples) > 0 {
		p.Samples, p.across = p.Samples[:t.samples.count], p.Samples[t.samples.count:]
	}
	return p, nil
}

// hasCovariances reports whether the covariances of a belief are known, by those at the row of x.
func hasCovariances(ctx context.Context, b optimizers.Belief, x *mat.Dense) bool {
	covariant, ok := b.(optimizers.Covariant)
	if !ok {
		return false
	}
	_, _, err := covariant.Covariances(ctx, x.RawRowView(0), x)
	return err == nil
}

// unitGrid are values of the variable in the unit cube.
func unitGrid(st sessions.State, grid []float64) *mat.Dense {
	x := mat.NewDense(len(grid), 1, nil)
	for i, v := range grid {
		x.SetRow(i, st.Problem.Domain.ToUnit([]float64{v}))
	}
	return x
}

// pictureDone takes a picture, and waits for the next one.
func (m *Model) pictureDone(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.PanicMsg:
		m.panicked(msg)
	case pictureMsg:
		if msg.last {
			m.Jobs.Finish()
			return m.computeRow()
		}
		m.takePicture(msg)
		return m.Jobs.Continue(func() tea.Msg { return <-msg.more })
	}
	return nil
}

// takePicture puts a picture on the plot.
func (m *Model) takePicture(msg pictureMsg) {
	b := msg.belief
	switch {
	case errors.Is(msg.err, context.Canceled):
	case msg.err != nil:
		b.picture, b.reason = nil, sanitize.Text(msg.err.Error())
	default:
		if msg.picture.held { // the handles are those of the fit
			msg.picture.handles = m.fittedHandles(b, msg.picture.handles)
		}
		b.picture, b.reason = msg.picture, ""
		if m.chosen.kind == handle && m.chosen.handle >= len(m.handles()) {
			m.chosen = selection{}
		}
	}
}

// fittedHandles are the handles of a belief with held hyperparameters: those that were fitted before still are, except
// the one that is being moved.
func (m *Model) fittedHandles(b *belief, held []optimizers.Handle) []optimizers.Handle {
	list := slices.Clone(held)
	for i := range list {
		if b.picture == nil || i >= len(b.picture.handles) || b.picture.handles[i].Name != list[i].Name {
			return list
		}
		list[i].Fitted = b.picture.handles[i].Fitted && !m.moves(b, i)
	}
	return list
}

// moves reports whether a handle of a belief is being moved.
func (m *Model) moves(b *belief, i int) bool {
	return b.preview != nil && b == m.beliefs[m.active] && m.isChosen(i)
}
