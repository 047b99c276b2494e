package explore

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// steerState is what the explorer shows of several objectives.
type steerState struct {
	outcomes *belief.Outcomes
	first    int        // the objective along x; the next one is along y
	box      [4]float64 // while it is moved: from and to along x, from and to along y, as outcomes
	trace    steerTrace
	pair     sessions.Pair              // that is asked about
	before   []optimizers.Scalarization // the prior before the last answer
}

// steerTrace is what the regret panel draws of several objectives.
type steerTrace int

const (
	traceVolume steerTrace = iota
	traceBayes
	traceShare
	steerTraces
)

var steerTitles = [steerTraces]string{"hypervolume", "Bayes regret", "share in the boxes"}

type boxKeyMap struct {
	Left, Right, Up, Down, Grow, Shrink, Take, Drop, Leave key.Binding
}

var boxKeys = boxKeyMap{
	Left:   screen.Bind("arrows", "move the box (shift: finer)", "left", "h", "shift+left", "H"),
	Right:  key.NewBinding(key.WithKeys("right", "l", "shift+right", "L")),
	Up:     key.NewBinding(key.WithKeys("up", "k", "shift+up", "K")),
	Down:   key.NewBinding(key.WithKeys("down", "j", "shift+down", "J")),
	Grow:   screen.Bind("+ -", "larger, smaller", "+", "="),
	Shrink: key.NewBinding(key.WithKeys("-", "_")),
	Take:   screen.Bind("enter", "aim there", "enter"),
	Drop:   screen.Bind("f", "flat prior again", "f"),
	Leave:  screen.Bind("esc", "leave", "esc", "q"),
}

func (k boxKeyMap) bindings() []key.Binding {
	return []key.Binding{k.Left, k.Grow, k.Take, k.Drop, k.Leave}
}

// outcomesMsg brings a picture of the space of objectives.
type outcomesMsg struct{ outcomes *belief.Outcomes }

// lookOutcomes starts a picture of the space of objectives.
func (m *Model) lookOutcomes() tea.Cmd {
	s := m.session
	return m.jobs.Start("fitting "+m.state.Spec.Name, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		o, err := belief.LookOutcomes(ctx, s, progress)
		if err != nil {
			return failedMsg{err}
		}
		return outcomesMsg{o}
	})
}

func (m *Model) tookOutcomes(o *belief.Outcomes) tea.Cmd {
	m.steer.outcomes = o
	m.known = &known{head: o.Head, note: o.Note, legend: o.Legend, next: o.Next, byStart: o.ByStart}
	return m.goOn(lookedMsg{})
}

// several reports whether the problem has more than one objective.
func (m *Model) several() bool { return len(m.state.Problem.Objectives) > 1 }

// pair are the objectives along x and y.
func (m *Model) pair() (i, j int) {
	n := len(m.state.Problem.Objectives)
	return m.steer.first % n, (m.steer.first + 1) % n
}

// cycleView goes from outcomes to fields to a slice, where there are such.
func (m *Model) cycleView() tea.Cmd {
	switch {
	case m.steering && m.state.Problem.Dim() > 1:
		m.steering, m.planar = false, true
	case m.steering:
		m.steering = false
	case m.planar:
		m.planar = false
	default:
		m.steering, m.planar = m.several(), !m.several() && m.state.Problem.Dim() > 1
	}
	return m.look()
}

// outcomeDrawing declares how the space of objectives is drawn.
func (m *Model) outcomeDrawing() belief.OutcomeDrawing {
	i, j := m.pair()
	d := belief.OutcomeDrawing{Style: m.style, State: m.state, Outcomes: m.steer.outcomes, I: i, J: j, Reveal: m.reveal, Before: m.steer.before}
	if m.mode == preferring {
		for _, at := range [][2]int{m.steer.pair.A, m.steer.pair.B} {
			if y, err := m.state.Observed(at); err == nil {
				d.Asked = append(d.Asked, y)
			}
		}
	}
	if m.state.Params.Has("prior") && m.state.Params.Choice("prior") == optimizers.BoxPrior {
		lo, hi := optimizers.Boxes(m.state.Params, len(m.state.Problem.Objectives))
		d.Box, d.Boxed = [4]float64{lo[i], hi[i], lo[j], hi[j]}, true
	}
	if m.mode == boxing {
		d.Box, d.Boxed = m.steer.box, true
	}
	return d
}

// steerPanel shows the space of objectives above and the prior over the weights below.
func (m *Model) steerPanel(l layout) []string {
	st := m.style
	i, j := m.pair()
	title := st.Plain(fmt.Sprintf("outcomes · %s and %s", m.state.Problem.Objectives[i].Name, m.state.Problem.Objectives[j].Name))
	o := m.steer.outcomes
	if o == nil || (o.Head != m.state.Head && m.jobs.Late()) {
		return screen.Panel(st, title, []string{"", " " + st.Paint(st.Dim, st.Plain("fitting…"))}, l.main, l.height, false)
	}
	d := m.outcomeDrawing()
	density := min(max(l.height/4, 5), 12)
	upper := l.height - 3 - density - 1
	key := fmt.Sprintf("%p %v %v %v %d %v %v %s %s", o, m.reveal, []any{m.mode, m.steer.pair}, m.steer.box, m.steer.first, l.main, l.height, st.Key(), m.state.Head)
	body := []string{" " + screen.FitEntries(d.Entries(), "  ", l.main-4)}
	body = append(body, m.cache.lines("outcomes", key, func() []string { return d.Chart().Draw(l.main-2, upper, st).Lines() })...)
	at := len(body)
	body = append(body, "")
	if o.Drawn == nil {
		body = append(body, " "+st.Paint(st.Dim, "this method has no prior over weights"))
	} else if m.mode == preferring {
		body = append(body, m.pairLines(l.main-2, density)...)
	} else {
		body = append(body, m.cache.lines("density", key, func() []string { return d.Density().Draw(l.main-2, density, st).Lines() })...)
	}
	lines := screen.Panel(st, title, body, l.main, l.height, m.mode == boxing)
	below := "prior over the weights"
	if n := len(m.state.Input().Answers); n > 0 {
		below = fmt.Sprintf("prior over the weights after %d answers", n)
	}
	if m.mode == preferring {
		below = "which do you prefer?"
	}
	if o.Weights != nil && m.mode != preferring {
		below += " · " + d.Table()
	}
	lines[1+at] = screen.Divide(st, st.Plain(below), l.main)
	return lines
}

// steerTracePanel draws a trace of several objectives in the regret panel.
func (m *Model) steerTracePanel(l layout) []string {
	title, values := steerTitles[m.steer.trace], []float64(nil)
	if o := m.steer.outcomes; o != nil {
		values = [steerTraces][]float64{o.Traces.Hypervolume, o.Traces.BayesRegret, o.Traces.Share}[m.steer.trace]
		if m.steer.trace == traceBayes && !o.Traces.Exact {
			title = "−E max s, of an unknown front"
		}
	}
	lines := []string{"", " " + m.style.Paint(m.style.Dim, "nothing to draw yet")}
	if n := len(values); n > 0 {
		title += " " + screen.Number(values[n-1])
		trace := plot.Trace{Series: []plot.Series{{Values: values, Color: m.style.Used}}, X: "iteration"}
		if first := m.steer.outcomes.Traces.Original; m.steer.trace == traceBayes && first[n-1] != values[n-1] {
			title += " (o: first prior " + screen.Number(first[n-1]) + ")"
			trace.Series[0].Mark = "*"
			trace.Series = append(trace.Series, plot.Series{Values: first, Color: m.style.Dim, Mark: "o"})
		}
		lines = trace.Draw(l.side-2, l.regret-2, m.style)
	}
	return screen.Panel(m.style, m.style.Plain(title), lines, l.side, l.regret, false)
}

// startBox begins to move the box, from where it is or around the middle.
func (m *Model) startBox() tea.Cmd {
	switch {
	case !m.several() || !m.steering:
		m.say("boxes are for problems of several objectives, where outcomes are shown (d)")
		return nil
	case !m.state.Params.Has("prior"):
		m.say(m.state.Spec.Title + " has no prior over weights to steer")
		return nil
	case m.steer.outcomes == nil || len(m.state.Iterations) < 2:
		m.say("the box needs the first points, which say what good and bad outcomes are: space")
		return nil
	}
	i, j := m.pair()
	lo, hi := optimizers.Boxes(m.state.Params, len(m.state.Problem.Objectives))
	m.steer.box = [4]float64{lo[i], hi[i], lo[j], hi[j]}
	if m.steer.box == [4]float64{0, 1, 0, 1} {
		m.steer.box = [4]float64{0.6, 0.8, 0.6, 0.8}
	}
	m.running, m.mode = false, boxing
	return nil
}

// boxKey takes a key press while the box is moved. A step along an axis goes where the axis goes, whichever way the objective is better.
func (m *Model) boxKey(msg tea.KeyPressMsg) tea.Cmd {
	step := 0.05
	if s := msg.String(); len(s) > 6 && s[:6] == "shift+" || s == "H" || s == "L" || s == "K" || s == "J" {
		step = 0.01
	}
	i, j := m.pair()
	sign := func(k int) float64 { return -m.state.Problem.Objectives[k].Direction.Sign() }
	switch {
	case msg.String() == "ctrl+c", key.Matches(msg, boxKeys.Leave):
		m.mode = stepping
	case key.Matches(msg, boxKeys.Left):
		m.shiftBox(0, -step*sign(i))
	case key.Matches(msg, boxKeys.Right):
		m.shiftBox(0, step*sign(i))
	case key.Matches(msg, boxKeys.Up):
		m.shiftBox(2, step*sign(j))
	case key.Matches(msg, boxKeys.Down):
		m.shiftBox(2, -step*sign(j))
	case key.Matches(msg, boxKeys.Grow):
		m.growBox(step / 2)
	case key.Matches(msg, boxKeys.Shrink):
		m.growBox(-step / 2)
	case key.Matches(msg, boxKeys.Take):
		m.mode = stepping
		return m.takeBox()
	case key.Matches(msg, boxKeys.Drop):
		m.mode = stepping
		return m.edit("prior", optimizers.FlatPrior)
	}
	return nil
}

// shiftBox moves one side pair of the box within [0, 1].
func (m *Model) shiftBox(at int, by float64) {
	lo, hi := m.steer.box[at], m.steer.box[at+1]
	by = min(max(by, -lo), 1-hi)
	m.steer.box[at], m.steer.box[at+1] = tidy(lo+by), tidy(hi+by)
}

func (m *Model) growBox(by float64) {
	for _, at := range [2]int{0, 2} {
		lo, hi := m.steer.box[at]-by, m.steer.box[at+1]+by
		if hi-lo > 0.015 {
			m.steer.box[at], m.steer.box[at+1] = tidy(max(lo, 0)), tidy(min(hi, 1))
		}
	}
}

func tidy(v float64) float64 { return math.Round(v*1000) / 1000 }

// takeBox makes the box the prior: events of the session, one a parameter that changes.
func (m *Model) takeBox() tea.Cmd {
	i, j := m.pair()
	s, dir, box := m.session, m.dir, m.steer.box
	return m.change("steering", func(context.Context, func(string, int, int)) (string, error) {
		edits := [][2]string{{"prior", optimizers.BoxPrior}}
		for n, name := range []string{fmt.Sprintf("low%d", i+1), fmt.Sprintf("high%d", i+1), fmt.Sprintf("low%d", j+1), fmt.Sprintf("high%d", j+1)} {
			edits = append(edits, [2]string{name, strconv.FormatFloat(box[n], 'g', -1, 64)})
		}
		params := s.State().Params
		for _, e := range edits {
			if d, err := params.Decl(e[0]); err != nil || d.Format(params.Value(e[0])) == e[1] {
				continue
			}
			if err := s.Edit(e[0], e[1]); err != nil {
				return "", err
			}
		}
		return "the prior now aims into the box", s.Keep(dir)
	})
}

// clickOutcomes moves the middle of the box to where the mouse was clicked in the space of objectives.
func (m *Model) clickOutcomes(mouse tea.Mouse) tea.Cmd {
	if m.steer.outcomes == nil {
		return nil
	}
	l := m.layout()
	density := min(max(l.height/4, 5), 12)
	d := m.outcomeDrawing()
	f := d.Chart().Frame(l.main-2, l.height-3-density-1)
	x, okX := f.X(float64(mouse.X-1) + 0.5)
	y, okY := f.Y(float64(mouse.Y-l.plotTop) + 0.5)
	if !okX || !okY {
		return nil
	}
	if m.mode != boxing {
		if m.startBox(); m.mode != boxing {
			return nil
		}
	}
	i, j := m.pair()
	for at, u := range map[int]float64{0: d.Outcome(i, x), 2: d.Outcome(j, y)} {
		m.shiftBox(at, u-(m.steer.box[at]+m.steer.box[at+1])/2)
	}
	return nil
}

// boxStatus tells the box in the objectives' own units.
func (m *Model) boxStatus() string {
	st, d := m.style, m.outcomeDrawing()
	i, j := m.pair()
	parts := []string{st.Paint(st.Accent, "wanted")}
	for n, k := range [2]int{i, j} {
		o := m.state.Problem.Objectives[k]
		a, b := m.valueOf(d, k, m.steer.box[2*n]), m.valueOf(d, k, m.steer.box[2*n+1])
		parts = append(parts, st.Paint(st.Dim, o.Name)+" "+st.Paint(st.Text, fmt.Sprintf("%s to %s %s", screen.Number(math.Min(a, b)), screen.Number(math.Max(a, b)), o.Unit)))
	}
	return screen.FitEntries(parts, "  ", m.width-2)
}

// valueOf is an outcome in the units of its objective.
func (m *Model) valueOf(d belief.OutcomeDrawing, k int, u float64) float64 {
	o := d.Outcomes
	return (o.Hi[k] - u*(o.Hi[k]-o.Lo[k])) * m.state.Problem.Objectives[k].Direction.Sign()
}
