// Package compare is the screen on which the beliefs of several methods about the same data stand side by side or are laid over each other,
// and on which methods race from the same start. Sessions and their alternatives fit and search, off the update loop.
package compare

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// arrangement is how the beliefs are laid out.
type arrangement int

const (
	sideBySide arrangement = iota
	overlaid
	racing
	arrangements
)

var arrangementNames = [arrangements]string{"side by side", "laid over each other", "race: own data"}

// maxPanes is how many beliefs are compared at most: as many as there are colours and lines to tell them apart.
const maxPanes = 4

// Model is the screen.
type Model struct {
	style         theme.Style
	width, height int

	comparison *sessions.Comparison
	base       *sessions.Session
	owned      bool   // the session was made for the comparison, and is closed with it
	dir        string // where the session is kept, if it is the explorer's

	panes    []*pane
	selected int
	arranged arrangement
	knob     string
	view     belief.View
	truth    belief.Truth
	reveal   bool
	acq      bool             // acquisitions are looked at
	planar   bool             // two variables are shown
	quantity belief.FieldKind // of two variables, what is shown of each method
	window   belief.PlaneView
	first    int // of several objectives, the one along x; the next one is along y

	jobs    screen.Jobs
	acting  bool // the job under way steps
	queued  int  // steps asked for while one was under way
	running bool
	results chan result // of the look under way
	waiting int         // how many of its panes have not come
	prompt  screen.Prompt
	notice  string
	bad     bool
}

// pane is one method with what it believes.
type pane struct {
	sessions.Pane
	alt      *sessions.Alternative // of the base session
	racer    *sessions.Session     // with data of its own; nil until the race
	picture  *belief.Picture
	plane    *belief.Plane    // of two variables
	outcomes *belief.Outcomes // of several objectives
	state    sessions.State   // that the picture belongs to
	reason   string           // why there is no picture
	seen     string           // names what the picture was made of
}

// source is where the pane's belief comes from in an arrangement.
func (p *pane) source(a arrangement) belief.Source {
	if a == racing {
		return p.racer
	}
	return p.alt
}

// Messages of this screen's own.
type (
	result struct {
		pane     *pane
		picture  *belief.Picture
		plane    *belief.Plane
		outcomes *belief.Outcomes
		state    sessions.State
		seen     string
		err      error
		last     bool // the pane has nothing more to bring
	}
	steppedMsg struct {
		said string
		err  error
	}
)

// runMsg is the time to step again while running.
type runMsg struct{}

// New makes the screen of a built-in comparison, with a session of its own.
func New(c *sessions.Comparison) (*Model, error) {
	s, err := c.Start()
	if err != nil {
		return nil, err
	}
	m, err := build(c, s)
	if err != nil {
		return nil, err
	}
	m.owned = true
	return m, nil
}

// Of makes the screen of a session's data; steps go into the session, which is kept in dir.
func Of(s *sessions.Session, dir string) (*Model, error) {
	m, err := build(s.CompareWith(), s)
	if err != nil {
		return nil, err
	}
	m.dir = dir
	return m, nil
}

// Beside makes the screen of a session's method and a Gaussian process on its data; steps go into the session, which is kept in dir.
func Beside(s *sessions.Session, dir string) (*Model, error) {
	c := s.CompareWith()
	c.Title, c.Panes = "a network and a Gaussian process", c.Panes[:2]
	c.About = "what a network and a Gaussian process believe of the same data: space evaluates the network's next point, c opens the explorer"
	m, err := build(c, s)
	if err != nil {
		return nil, err
	}
	m.dir = dir
	return m, nil
}

func build(c *sessions.Comparison, s *sessions.Session) (*Model, error) {
	m := &Model{comparison: c, base: s, knob: c.Knob, reveal: s.State().Problem.Truth != nil, acq: c.Acquisition, prompt: screen.NewPrompt(), view: belief.View{Samples: c.Samples}}
	if c.Overlay {
		m.arranged = overlaid
	}
	for _, p := range c.Panes {
		if err := m.add(p); err != nil {
			return nil, err
		}
	}
	st := s.State()
	m.truth = belief.TruthAlong(st, 0, belief.Anchor(st))
	if m.several() {
		m.acq, m.arranged = false, overlaid
		m.window = belief.WholePlane(0, 0)
		return m, nil
	}
	m.planar, m.quantity, m.window = st.Problem.Dim() > 1, belief.MeanField, belief.WholePlane(0, 1)
	return m, nil
}

// add puts one more pane at the end.
func (m *Model) add(p sessions.Pane) error {
	if len(m.panes) == maxPanes {
		return fmt.Errorf("at most %d beliefs are compared at once", maxPanes)
	}
	made := &pane{}
	if err := m.set(made, p); err != nil {
		return err
	}
	m.panes = append(m.panes, made)
	return nil
}

// set gives a pane a method; it is left as it is if that cannot be.
func (m *Model) set(p *pane, to sessions.Pane) error {
	alt, err := m.base.As(to.Optimizer, to.Params)
	if err != nil {
		return err
	}
	*p = pane{Pane: to, alt: alt}
	if m.arranged != racing {
		return nil
	}
	return m.enter(p)
}

// enter gives a pane a session of its own, at the start of the race.
func (m *Model) enter(p *pane) error {
	s, err := m.comparison.Racer(p.Pane)
	if err != nil {
		return err
	}
	p.racer = s
	return nil
}

// Resize tells the screen its window.
func (m *Model) Resize(w, h int) { m.width, m.height = w, h }

// Restyle tells the screen its colours and glyphs.
func (m *Model) Restyle(s theme.Style) { m.style = s }

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.running, m.queued = false, 0
	m.jobs.Stop()
}

// Close closes the session that was made for the screen, which waits for a step under way.
func (m *Model) Close() error {
	if m.owned {
		return m.base.Close()
	}
	return nil
}

// Init starts the first pictures.
func (m *Model) Init() tea.Cmd { return m.look() }

func (m *Model) say(text string) { m.notice, m.bad = sessions.Sanitize(text), false }
func (m *Model) fail(err error)  { m.notice, m.bad = sessions.Sanitize(err.Error()), true }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			return m.done(inner)
		}
	case screen.TickMsg:
		return m.jobs.Tick(msg)
	case runMsg:
		if m.running && !m.jobs.Busy() {
			return m.step()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.prompt.Open() {
			return m.prompt.Type(msg)
		}
	}
	return nil
}

// done takes the result of a job.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case result:
		return m.take(msg)
	case steppedMsg:
		m.jobs.Finish()
		m.acting = false
		if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
			m.running, m.queued = false, 0
			m.fail(msg.err)
		} else if msg.said != "" {
			m.say(msg.said)
		}
		return m.look()
	case screen.PanicMsg:
		m.jobs.Finish()
		m.running, m.queued, m.acting = false, 0, false
		m.fail(fmt.Errorf("internal error: %s; nothing is lost", msg.Reason))
	}
	return nil
}

// take puts a picture into its pane and waits for the next.
func (m *Model) take(r result) tea.Cmd {
	p := r.pane
	switch {
	case errors.Is(r.err, context.Canceled):
	case r.err != nil:
		p.picture, p.plane, p.outcomes, p.reason, p.state = nil, nil, nil, sessions.Sanitize(r.err.Error()), r.state
	default:
		p.picture, p.plane, p.outcomes, p.reason, p.state = r.picture, r.plane, r.outcomes, "", r.state
		if r.last {
			p.seen = r.seen
		}
	}
	if r.last {
		m.waiting--
	}
	if m.waiting > 0 {
		results := m.results
		return m.jobs.Continue(func() tea.Msg { return <-results })
	}
	m.jobs.Finish()
	if m.queued > 0 {
		m.queued--
		return m.step()
	}
	return m.goOn()
}

// goOn steps again after a while, if it is running.
func (m *Model) goOn() tea.Cmd {
	if !m.running {
		return nil
	}
	return tea.Tick(pause, func(time.Time) tea.Msg { return runMsg{} })
}

// look computes the pictures that are not up to date, all at once.
func (m *Model) look() tea.Cmd {
	if st := m.base.State(); st.Problem.Dim() > 1 && !m.several() {
		m.truth = belief.TruthAlong(st, m.view.Variable, belief.Anchor(st))
	}
	var stale []*pane
	for _, p := range m.panes {
		if p.seen != m.wanted(p) {
			stale = append(stale, p)
		}
	}
	if len(stale) == 0 {
		m.jobs.Stop()
		return m.goOn()
	}
	results := make(chan result, 16*len(stale)) // more than the stages of a picture
	m.results, m.waiting = results, len(stale)
	look, arranged := m.looker(), m.arranged
	wanted := map[*pane]string{}
	for _, p := range stale {
		wanted[p] = m.wanted(p)
	}
	return m.jobs.Start("fitting the methods", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		for _, p := range stale {
			src := p.source(arranged)
			go draw(ctx, p, src, look, wanted[p], func(what string, done, total int) { progress(p.Title+": "+what, done, total) }, results)
		}
		return <-results
	})
}

// wanted names what a pane's picture should be made of.
func (m *Model) wanted(p *pane) string {
	if m.several() {
		return fmt.Sprintf("%p %s", p.source(m.arranged), p.source(m.arranged).State().Head)
	}
	return fmt.Sprintf("%p %s %v %v %v", p.source(m.arranged), p.source(m.arranged).State().Head, m.view, m.planar, m.window)
}

// looker computes what is shown of a source: the last of the results is the whole, those before it are handed to show.
type looker func(ctx context.Context, src belief.Source, progress sessions.Progress, show func(result)) (result, error)

// looker is how pictures are computed now: along one variable, or over two.
func (m *Model) looker() looker {
	if m.several() {
		return lookOutcomes
	}
	view, window := m.view, m.window
	if m.planar && m.arranged != overlaid {
		return func(ctx context.Context, src belief.Source, progress sessions.Progress, show func(result)) (result, error) {
			p, err := belief.LookPlane(ctx, src, window, belief.Anchor(src.State()), progress, func(p *belief.Plane) { show(result{plane: p}) })
			if err != nil || !view.Theory {
				return result{plane: p}, err
			}
			theory, err := belief.LookAlong(ctx, src, belief.View{Theory: true}, belief.Anchor(src.State()), progress)
			return result{plane: p, picture: theory}, err
		}
	}
	return func(ctx context.Context, src belief.Source, progress sessions.Progress, show func(result)) (result, error) {
		picture, rest, err := belief.Look(ctx, src, view, progress)
		if err != nil || rest == nil {
			return result{picture: picture}, err
		}
		show(result{picture: picture})
		o := <-rest
		return result{picture: o.Picture}, o.Err
	}
}

// draw computes the picture of one pane; it sends one result, or more where the whole takes longer.
func draw(ctx context.Context, p *pane, src belief.Source, look looker, seen string, progress sessions.Progress, results chan<- result) {
	out := result{pane: p, state: src.State(), seen: seen}
	defer func() {
		if r := recover(); r != nil {
			out.err, out.last = fmt.Errorf("drawing the belief: %v", r), true
			results <- out
		}
	}()
	whole, err := look(ctx, src, progress, func(part result) {
		part.pane, part.state, part.seen = out.pane, out.state, out.seen
		results <- part
	})
	out.picture, out.plane, out.outcomes, out.err, out.last = whole.picture, whole.plane, whole.outcomes, err, true
	results <- out
}

// step does one iteration: of the session that all share, or in a race of each method that is behind the others.
func (m *Model) step() tea.Cmd {
	m.acting = true
	base, dir, arranged := m.base, m.dir, m.arranged
	var racers []*sessions.Session
	if arranged == racing {
		racers = m.behind()
		if st := racers[0].State(); m.running && len(st.Iterations) >= st.Config.Budget {
			m.running, m.acting = false, false
			m.say(fmt.Sprintf("the budget of %d iterations is spent; space goes on all the same", st.Config.Budget))
			return nil
		}
	}
	return m.jobs.Start("stepping", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		if arranged == racing {
			return steppedMsg{err: stepAll(ctx, racers, progress)}
		}
		it, err := base.Step(ctx, progress)
		if err != nil {
			return steppedMsg{err: err}
		}
		return steppedMsg{fmt.Sprintf("step %d: %s evaluated %s", it.Step, it.By, screen.Point(base.State().Problem.Domain, it.X[0])), base.Keep(dir)}
	})
}

// behind are the racers with the fewest iterations: one that was replaced catches up.
func (m *Model) behind() []*sessions.Session {
	least := -1
	var out []*sessions.Session
	for _, p := range m.panes {
		switch n := len(p.racer.State().Iterations); {
		case least < 0 || n < least:
			least, out = n, []*sessions.Session{p.racer}
		case n == least:
			out = append(out, p.racer)
		}
	}
	return out
}

// stepAll steps every racer, all at once; the first error is returned.
func stepAll(ctx context.Context, racers []*sessions.Session, progress sessions.Progress) error {
	errs := make(chan error, len(racers))
	for _, r := range racers {
		go func() {
			defer func() {
				if v := recover(); v != nil {
					errs <- fmt.Errorf("stepping: %v", v)
				}
			}()
			_, err := r.Step(ctx, progress)
			errs <- err
		}()
	}
	var first error
	for range racers {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}

// pause is how long a picture is shown while running.
const pause = 150 * time.Millisecond
