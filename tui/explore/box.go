package explore

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/weights"
	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// boxEdit is what is being done to the boxes of the prior. Nothing of it is recorded before it is taken.
type boxEdit struct {
	prior preference.Prior // as it would be
	part  int              // of the prior, that is moved
	shown int              // which of the boxes that is
	box   [4]float64       // from and to along x, from and to along y, as outcomes
	grip  grip             // what the mouse holds
	held  *belief.Outcomes // the picture under the prior that holds
}

// grip is what the mouse holds of a box: sides that follow it, or the whole.
type grip struct {
	held   bool
	sides  [4]bool
	lx, ly float64 // where it was, as outcomes
}

type boxKeyMap struct {
	Left, Right, Up, Down, Grow, Shrink, Wider, Narrower, Next, Another, Remove, Take, Drop, Leave key.Binding
}

var boxKeys = boxKeyMap{
	Left:     screen.Bind("arrows", "move the box (shift: finer)", "left", "shift+left"),
	Right:    screen.Bind("", "move the box (shift: finer)", "right", "shift+right"),
	Up:       screen.Bind("", "move the box (shift: finer)", "up", "shift+up"),
	Down:     screen.Bind("", "move the box (shift: finer)", "down", "shift+down"),
	Grow:     screen.Bind("+ -", "larger, smaller", "+", "="),
	Shrink:   screen.Bind("", "larger, smaller", "-", "_"),
	Wider:    screen.Bind(") (", "wider, narrower", ")"),
	Narrower: screen.Bind("", "wider, narrower", "("),
	Next:     screen.Bind("tab", "next box", "tab"),
	Another:  screen.Bind("B", "another box", "B"),
	Remove:   screen.Bind("delete", "remove it", "delete", "backspace"),
	Take:     screen.Bind("enter", "aim there", "enter"),
	Drop:     screen.Bind("F", "flat prior again", "F"),
	Leave:    screen.Bind("esc", "leave", "esc"),
}

func (k boxKeyMap) bindings() []key.Binding {
	return []key.Binding{k.Left, k.Grow, k.Wider, k.Take, k.Leave, k.Another, k.Next, k.Remove, k.Drop}
}

// The outcomes that a box can have, and the least size of one.
const leastBox, mostBox, leastSide = -0.5, 2.0, 0.015

// startBox begins to move a box: the prior's first, or a new one.
func (m *Model) startBox() tea.Cmd {
	switch {
	case !m.several() || !m.steering:
		m.say("boxes are for problems of several objectives, where outcomes are shown (d)")
		return nil
	case !m.state.Weighed():
		m.say(m.state.Spec.Title + " has no prior over weights to steer")
		return nil
	case m.steer.outcomes == nil || len(m.state.Iterations) < 2:
		m.say("the box needs the first points, which say what good and bad outcomes are: space")
		return nil
	}
	prior, err := weights.PriorOf(m.state.Input())
	if err != nil {
		m.fail(err)
		return nil
	}
	m.steer.moving, m.steer.before = boxEdit{prior: prior, held: m.steer.outcomes}, m.steer.outcomes
	m.running, m.mode, m.notice, m.steer.previewed = false, boxing, notice{}, false
	for i, part := range prior {
		if part.Law == preference.Boxed {
			m.hold(i)
			return nil
		}
	}
	return m.addBox(true)
}

// hold takes a box of the prior to be moved.
func (m *Model) hold(part int) {
	e := &m.steer.moving
	e.part, e.shown = part, 0
	for _, p := range e.prior[:part] {
		if p.Law == preference.Boxed {
			e.shown++
		}
	}
	i, j := m.pair()
	at := weights.OutcomesOf(m.state.Input())
	lo, hi := preference.Span(e.prior[part].Box, at)
	for n, k := range [2]int{i, j} {
		e.box[2*n], e.box[2*n+1] = tidy(math.Max(lo[k], 0)), tidy(math.Min(hi[k], 1))
		if !e.prior[part].Box[k].Any {
			e.box[2*n], e.box[2*n+1] = tidy(lo[k]), tidy(hi[k])
		}
	}
}

// addBox adds a box in the middle of what is good, in place of a prior that aims nowhere or beside the others.
func (m *Model) addBox(alone bool) tea.Cmd {
	e := &m.steer.moving
	box := make([]preference.Interval, len(m.state.Problem.Objectives))
	for k := range box {
		box[k].Any = true
	}
	part := preference.BoxPart(1, box)
	if alone && len(e.prior) == 1 {
		e.prior = preference.Prior{part}
	} else {
		e.prior = append(e.prior[:len(e.prior):len(e.prior)], part)
	}
	m.hold(len(e.prior) - 1)
	e.box = [4]float64{0.6, 0.8, 0.6, 0.8}
	return m.moved()
}

// moved writes the box into the prior as it would be, and shows what that does to the weights.
func (m *Model) moved() tea.Cmd {
	e := &m.steer.moving
	d := m.outcomeDrawing()
	i, j := m.pair()
	old := e.prior[e.part]
	box := append([]preference.Interval(nil), old.Box...)
	for n, k := range [2]int{i, j} {
		a, b := d.Value(k, e.box[2*n]), d.Value(k, e.box[2*n+1])
		box[k] = preference.Interval{From: preference.Bound{Value: rounded(math.Min(a, b))}, To: preference.Bound{Value: rounded(math.Max(a, b))}}
	}
	e.prior = append(preference.Prior(nil), e.prior...)
	e.prior[e.part] = preference.BoxPart(old.Share, box)
	return m.preview(e.prior)
}

// weighedMsg brings the picture under a prior that is not taken yet.
type weighedMsg struct{ outcomes *belief.Outcomes }

// preview shows the weights under a prior that is not taken yet, beside those of the one that holds. It is computed off the update loop, one at a
// time: while a box is dragged, the newest prior that waits is the next.
func (m *Model) preview(prior preference.Prior) tea.Cmd {
	m.steer.wanted = prior
	if m.steer.jobs.Busy() {
		return nil
	}
	return m.weigh()
}

func (m *Model) weigh() tea.Cmd {
	o, prior := m.steer.moving.held, m.steer.wanted
	m.steer.wanted = nil
	st, err := m.state.Edited(m.priorKey(), prior.String())
	if err != nil || o == nil {
		return nil
	}
	return m.steer.jobs.Start("weighing", func(context.Context, func(string, int, int)) tea.Msg { return weighedMsg{o.Reweigh(st)} })
}

// tookWeighed takes what preview computed, and goes on with what was wanted meanwhile.
func (m *Model) tookWeighed(msg weighedMsg) tea.Cmd {
	m.steer.jobs.Finish()
	if m.mode != boxing {
		return nil
	}
	m.steer.outcomes = msg.outcomes
	if m.steer.wanted != nil {
		return m.weigh()
	}
	return nil
}

// rounded keeps five digits.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// priorKey is what the method calls its prior over weights.
func (m *Model) priorKey() string {
	d, _ := m.state.Params.Of(optimizers.RolePrior)
	return d.Key
}

// boxesShown are the prior's boxes along the two objectives that are shown, as outcomes.
func (m *Model) boxesShown() [][4]float64 {
	if !m.state.Weighed() || m.steer.outcomes == nil {
		return nil
	}
	prior := m.steer.outcomes.Prior
	if m.mode == boxing {
		prior = m.steer.moving.prior
	}
	at := weights.OutcomesOf(m.state.Input())
	i, j := m.pair()
	var boxes [][4]float64
	for n, box := range prior.Boxes() {
		if m.mode == boxing && n == m.steer.moving.shown {
			boxes = append(boxes, m.steer.moving.box)
			continue
		}
		lo, hi := preference.Span(box, at)
		boxes = append(boxes, [4]float64{ended(lo[i], leastBox), ended(hi[i], mostBox), ended(lo[j], leastBox), ended(hi[j], mostBox)})
	}
	return boxes
}

// ended is the end of a side, or of one that has none where the plot has one.
func ended(v, otherwise float64) float64 {
	if math.IsInf(v, 0) {
		return otherwise
	}
	return v
}

// boxKey takes a key press while the box is moved. A step along an axis goes where the axis goes, whichever way the objective is better.
func (m *Model) boxKey(msg tea.KeyPressMsg) tea.Cmd {
	step := 0.05
	if strings.HasPrefix(msg.String(), "shift+") {
		step = 0.01
	}
	i, j := m.pair()
	sign := func(k int) float64 { return -m.state.Problem.Objectives[k].Direction.Sign() }
	switch {
	case key.Matches(msg, boxKeys.Leave):
		m.leaveBox()
		return nil
	case key.Matches(msg, boxKeys.Left):
		m.shiftBox(0, -step*sign(i))
	case key.Matches(msg, boxKeys.Right):
		m.shiftBox(0, step*sign(i))
	case key.Matches(msg, boxKeys.Up):
		m.shiftBox(2, step*sign(j))
	case key.Matches(msg, boxKeys.Down):
		m.shiftBox(2, -step*sign(j))
	case key.Matches(msg, boxKeys.Grow):
		m.growBox(step/2, step/2)
	case key.Matches(msg, boxKeys.Shrink):
		m.growBox(-step/2, -step/2)
	case key.Matches(msg, boxKeys.Wider):
		m.growBox(step/2, 0)
	case key.Matches(msg, boxKeys.Narrower):
		m.growBox(-step/2, 0)
	case key.Matches(msg, boxKeys.Next):
		m.nextBox()
		return nil
	case key.Matches(msg, boxKeys.Another):
		return m.addBox(false)
	case key.Matches(msg, boxKeys.Remove):
		return m.removeBox()
	case key.Matches(msg, boxKeys.Take):
		m.mode, m.steer.previewed = stepping, true
		m.steer.jobs.Stop()
		return m.takePrior(m.steer.moving.prior.String(), "the prior now aims into the box")
	case key.Matches(msg, boxKeys.Drop):
		m.leaveBox()
		return m.takePrior(string(preference.Flat), "the prior is flat again")
	default:
		return nil
	}
	return m.moved()
}

// leaveBox leaves the prior as it was.
func (m *Model) leaveBox() {
	m.mode = stepping
	m.steer.jobs.Stop()
	m.steer.outcomes, m.steer.before = m.steer.moving.held, nil
}

// nextBox takes the next box of the prior to be moved.
func (m *Model) nextBox() {
	e := &m.steer.moving
	for n := 1; n <= len(e.prior); n++ {
		if at := (e.part + n) % len(e.prior); e.prior[at].Law == preference.Boxed {
			m.hold(at)
			return
		}
	}
}

// removeBox takes the box out of the prior; the last part becomes flat.
func (m *Model) removeBox() tea.Cmd {
	e := &m.steer.moving
	rest := append(append(preference.Prior(nil), e.prior[:e.part]...), e.prior[e.part+1:]...)
	if len(rest.Boxes()) == 0 {
		m.say("the only box: F makes the prior flat, esc leaves it as it was")
		return nil
	}
	e.prior, e.part = rest, 0
	m.nextBox()
	return m.preview(rest)
}

// shiftBox moves one pair of sides.
func (m *Model) shiftBox(at int, by float64) {
	box := &m.steer.moving.box
	by = min(max(by, leastBox-box[at]), mostBox-box[at+1])
	box[at], box[at+1] = tidy(box[at]+by), tidy(box[at+1]+by)
}

// growBox moves the sides apart by as much each, along x and along y.
func (m *Model) growBox(x, y float64) {
	box := &m.steer.moving.box
	for n, by := range [2]float64{x, y} {
		lo, hi := box[2*n]-by, box[2*n+1]+by
		if hi-lo > leastSide {
			box[2*n], box[2*n+1] = tidy(max(lo, leastBox)), tidy(min(hi, mostBox))
		}
	}
}

func tidy(v float64) float64 { return math.Round(v*1000) / 1000 }

// takePrior makes a text the prior, by an event of the session.
func (m *Model) takePrior(text, said string) tea.Cmd {
	s, dir, key := m.session, m.dir, m.priorKey()
	return m.change("steering", func(context.Context, func(string, int, int)) (string, error) {
		if s.State().Params.Text(key) == text {
			return said, nil
		}
		if err := s.Edit(key, text); err != nil {
			return "", err
		}
		return said, s.Keep(dir)
	})
}

// outcomesFrame is the geometry of the space of objectives.
func (m *Model) outcomesFrame() plot.Frame {
	p := m.steerLayout(m.layout())
	return m.outcomeDrawing().Chart().Frame(p.outcomes, p.upper)
}

// under is the pair of outcomes under a cell of the window; false outside of the plot.
func (m *Model) under(mouse tea.Mouse) (ux, uy float64, ok bool) {
	if m.steer.outcomes == nil {
		return 0, 0, false
	}
	f, d := m.outcomesFrame(), m.outcomeDrawing()
	x, okX := f.X(float64(mouse.X-1) + 0.5)
	y, okY := f.Y(float64(mouse.Y-m.layout().plotTop) + 0.5)
	i, j := m.pair()
	return d.Outcome(i, x), d.Outcome(j, y), okX && okY
}

// clickOutcomes takes hold of a side of the box, or of the box, or moves its middle to where the mouse was clicked.
func (m *Model) clickOutcomes(mouse tea.Mouse) tea.Cmd {
	ux, uy, ok := m.under(mouse)
	if !ok {
		return nil
	}
	var cmd tea.Cmd
	if m.mode != boxing {
		if cmd = m.startBox(); m.mode != boxing {
			return nil
		}
	}
	e := &m.steer.moving
	f, d := m.outcomesFrame(), m.outcomeDrawing()
	i, j := m.pair()
	col, row := float64(mouse.X-1)+0.5, float64(mouse.Y-m.layout().plotTop)+0.5
	near := func(side, middle, at float64) bool { // in a small box the cell of its middle holds all of it
		return math.Abs(side-at) <= 1 && math.Abs(side-at) < math.Abs(middle-at) && math.Abs(middle-at) > 0.5
	}
	e.grip = grip{held: true, lx: ux, ly: uy}
	inside := ux >= e.box[0] && ux <= e.box[1] && uy >= e.box[2] && uy <= e.box[3]
	colOf := func(u float64) float64 { return float64(f.Left) + f.Col(d.Value(i, u)) }
	rowOf := func(u float64) float64 { return float64(f.Top) + f.Row(d.Value(j, u)) }
	for n := range 2 {
		e.grip.sides[n] = near(colOf(e.box[n]), colOf((e.box[0]+e.box[1])/2), col) && within(uy, e.box[2], e.box[3])
		e.grip.sides[2+n] = near(rowOf(e.box[2+n]), rowOf((e.box[2]+e.box[3])/2), row) && within(ux, e.box[0], e.box[1])
	}
	if e.grip.sides == [4]bool{} && !inside {
		m.shiftBox(0, ux-(e.box[0]+e.box[1])/2)
		m.shiftBox(2, uy-(e.box[2]+e.box[3])/2)
		cmd = tea.Batch(cmd, m.moved())
	}
	return cmd
}

// within reports whether a value lies between two, or a little beside.
func within(v, lo, hi float64) bool { return v >= lo-0.05 && v <= hi+0.05 }

// dragBox lets what the mouse holds follow it.
func (m *Model) dragBox(mouse tea.Mouse) tea.Cmd {
	e := &m.steer.moving
	ux, uy, ok := m.under(mouse)
	if m.mode != boxing || !e.grip.held || !ok {
		return nil
	}
	at := [4]float64{ux, ux, uy, uy}
	if e.grip.sides == [4]bool{} {
		m.shiftBox(0, ux-e.grip.lx)
		m.shiftBox(2, uy-e.grip.ly)
	}
	for n, held := range e.grip.sides {
		if held {
			e.box[n] = tidy(min(max(at[n], leastBox), mostBox))
		}
	}
	for n := 0; n < 4; n += 2 { // a side that is dragged beyond the other takes its place
		if e.box[n] > e.box[n+1] {
			e.box[n], e.box[n+1] = e.box[n+1], e.box[n]
			e.grip.sides[n], e.grip.sides[n+1] = e.grip.sides[n+1], e.grip.sides[n]
		}
		if e.box[n+1]-e.box[n] < leastSide {
			e.box[n+1] = tidy(e.box[n] + leastSide)
		}
	}
	e.grip.lx, e.grip.ly = ux, uy
	return m.moved()
}

// dropBox lets go.
func (m *Model) dropBox() { m.steer.moving.grip = grip{} }

// boxStatus tells the box in the objectives' own units.
func (m *Model) boxStatus() string {
	st, d := m.style, m.outcomeDrawing()
	i, j := m.pair()
	if m.notice.text != "" {
		return st.Paint(st.Text, m.notice.text)
	}
	parts := []string{st.Paint(st.Accent, "wanted")}
	for n, k := range [2]int{i, j} {
		o := m.state.Problem.Objectives[k]
		a, b := d.Value(k, m.steer.moving.box[2*n]), d.Value(k, m.steer.moving.box[2*n+1])
		parts = append(parts, st.Paint(st.Dim, o.Name)+" "+st.Paint(st.Text, fmt.Sprintf("%s to %s %s", screen.Number(math.Min(a, b)), screen.Number(math.Max(a, b)), o.Unit)))
	}
	if free := m.free(); free != "" {
		parts = append(parts, st.Paint(st.Dim, free))
	}
	return screen.ShortenIn(st, strings.Join(parts, "  "), m.width-2)
}
