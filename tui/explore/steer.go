package explore

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/explore/aim"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/question"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// steerState is what the explorer shows of several objectives.
type steerState struct {
	outcomes   *belief.Outcomes
	first      int // the objective along x; the next one is along y
	trace      steerTrace
	before     *belief.Outcomes // under the prior before the last change
	attainable [][]float64      // outcomes of inputs all over the domain
	held       *belief.Outcomes // under the prior that holds, while another is previewed; nil while none is
	previewed  bool             // the next prior was seen before it was taken
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

// outcomesImage is a picture of the space of objectives; one that is only reweighed comes before the whole.
type outcomesImage struct {
	*belief.Outcomes
	attainable [][]float64
	reweighed  bool
	answered   bool // by an answer
}

// lookOutcomes looks at the space of objectives. What a change of the prior does to the picture before is shown first; what must be fitted follows.
func (m *Model) lookOutcomes() picture.Looking {
	stood, before, attainable := m.state, m.steer.outcomes, m.steer.attainable
	return func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress, show func(picture.Image)) (picture.Image, error) {
		st := at.State()
		if attainable == nil {
			attainable = belief.Attainable(st)
		}
		if before != nil && len(st.Iterations) == len(stood.Iterations) && before.Head != st.Head && !sameWeights(st, stood) {
			show(outcomesImage{before.Reweigh(st), attainable, true, len(st.Compared) != len(stood.Compared)})
		}
		o, err := belief.LookOutcomes(ctx, at, progress)
		return outcomesImage{Outcomes: o, attainable: attainable}, err
	}
}

func (m *Model) tookOutcomes(i outcomesImage) *picture.Told {
	o, old := i.Outcomes, m.steer.outcomes
	m.steer.outcomes, m.steer.attainable = o, i.attainable
	if i.reweighed {
		if !m.steer.previewed && (o.Prior.String() != old.Prior.String() || i.answered) {
			m.steer.before = old
		}
		m.steer.previewed = false
		return nil
	}
	if old != nil && len(old.Traces.Hypervolume) != len(o.Traces.Hypervolume) {
		m.steer.before = nil // another iteration: what was before is old
	}
	if m.steer.held != nil {
		m.steer.held = o
	}
	return &picture.Told{Head: o.Head, Legend: o.Legend, Aim: o.Aim, Enough: true}
}

// preview shows outcomes under a prior that is not taken, beside those under the one that holds.
func (m *Model) preview(o *belief.Outcomes) {
	if m.steer.held == nil {
		m.steer.held, m.steer.before, m.steer.previewed = m.steer.outcomes, m.steer.outcomes, false
	}
	m.steer.outcomes = o
}

// takePreview makes what is previewed the picture; dropPreview shows again what holds.
func (m *Model) takePreview() {
	m.steer.previewed, m.steer.held = m.steer.held != nil, nil
}

func (m *Model) dropPreview() {
	if m.steer.held != nil {
		m.steer.outcomes, m.steer.before, m.steer.held = m.steer.held, nil, nil
	}
}

// steerCommands aim a search of several objectives.
func steerCommands() []command {
	return []command{
		can(screen.Bind("B", "aim: a box of wanted outcomes", "B"), begins(aim.New)),
		can(screen.Bind("a", "which of two outcomes do you prefer?", "a"), begins(question.New)),
	}
}

// several reports whether the problem has more than one objective.
func (m *Model) several() bool { return len(m.state.Problem.Objectives) > 1 }

// pair are the objectives along x and y.
func (m *Model) pair() (i, j int) {
	n := len(m.state.Problem.Objectives)
	return m.steer.first % n, (m.steer.first + 1) % n
}

// outcomeDrawing declares how the space of objectives is drawn.
func (m *Model) outcomeDrawing() belief.OutcomeDrawing {
	i, j := m.pair()
	d := belief.OutcomeDrawing{Style: m.style, State: m.state, Outcomes: m.steer.outcomes, I: i, J: j, Reveal: m.reveal, Before: m.steer.before}
	over := m.overlay()
	d.Asked, d.Boxes, d.Moving, d.Attainable = over.Asked, over.Boxes, over.Moving, m.steer.attainable
	if d.Boxes == nil {
		d.Moving = -1
		if m.state.Weighed() && d.Outcomes != nil {
			d.Boxes = aim.Sides(d.Outcomes.Prior, m.state, i, j)
		}
	}
	return d
}

// aiming reports whether boxes are moved.
func (m *Model) aiming() bool { return m.overlay().Boxes != nil }

// outcomesFrame is the geometry of the space of objectives, and the cell of the window where its canvas begins.
func (m *Model) outcomesFrame() (f plot.Frame, left, top int) {
	l := m.layout()
	p := m.steerLayout(l)
	return m.outcomeDrawing().Chart().Frame(p.outcomes, p.upper), 1, headRows + 1 + len(m.legend())
}

// legend names everything that the plots of outcomes draw.
func (m *Model) legend() []string {
	if m.steer.outcomes == nil {
		return []string{""}
	}
	s, d := m.stage(), m.outcomeDrawing()
	return m.cache.Lines("legend", s.Key(m.steer.outcomes, m.lower() != nil, m.steer.first, len(d.Attainable)), func() []string {
		return s.Legend(m.steerLayers(d, s.W-2))
	})
}

// steerLayout is where the parts of the steering panel are, in cells inside of its frame.
type steerLayout struct {
	outcomes int // width of the space of objectives
	inputs   int // width of the space of inputs, 0 where it is not shown
	upper    int // height of both
	density  int // width of the prior's density
	along    int // width of the probability along the front, 0 where it is not shown
	lower    int // height of both
}

func (m *Model) steerLayout(l layout) steerLayout {
	w := l.main - 2
	p := steerLayout{lower: min(max(l.height/4, 5), 14), outcomes: w, density: w}
	p.upper = l.height - 3 - len(m.legend()) - p.lower
	if m.inputsShown(w) {
		p.inputs = w * 2 / 5
		p.outcomes -= p.inputs
	}
	if m.aims() {
		p.along = w / 2
		p.density -= p.along
	}
	return p
}

// steerLayers are the layers of all plots that are shown of several objectives, for the legend.
func (m *Model) steerLayers(d belief.OutcomeDrawing, w int) []plot.Layer {
	var layers []plot.Layer
	if m.lower() == nil && d.Outcomes.Scalarizations != nil {
		layers = d.Density().Layers
		if m.aims() {
			layers = append(layers, d.Along().Layers...)
		}
	}
	if m.inputsShown(w) {
		layers = append(layers, d.Inputs().Layers...)
	}
	return append(layers, d.Chart().Layers...)
}

// inputsShown reports whether the inputs are drawn beside the outcomes in a panel of so many columns inside.
func (m *Model) inputsShown(w int) bool { return m.state.Problem.Dim() <= 2 && w >= 88 }

// aims reports whether the probability along the front is drawn.
func (m *Model) aims() bool {
	o := m.steer.outcomes
	return o != nil && o.Chance != nil && (m.reveal || !o.Known)
}

// steerPanel shows the space of objectives above and the prior over the weights below; beside them, where there is room, the inputs and the
// probability that the prior puts on each part of the front.
func (m *Model) steerPanel(l layout) []string {
	st := m.style
	i, j := m.pair()
	title := fmt.Sprintf("outcomes · %s and %s", m.state.Problem.Objectives[i].Name, m.state.Problem.Objectives[j].Name)
	if len(m.state.Problem.Objectives) > 2 {
		title += " ([ ] turn)"
	}
	o := m.steer.outcomes
	if o == nil || (o.Head != m.state.Head && m.jobs.Late()) {
		return screen.Panel(st, st.Plain(title), []string{"", " " + st.Paint(st.Dim, st.Plain("fitting…"))}, l.main, l.height, false)
	}
	d, p := m.outcomeDrawing(), m.steerLayout(l)
	key := fmt.Sprintf("%p %v %v %v %v %d %v %s %s", o, m.reveal, []any{m.aiming(), d.Asked}, d.Boxes, d.Moving, m.steer.first, p, st.Key(), m.state.Head)
	body := slices.Clone(m.legend())
	upper := m.cache.Lines("outcomes", key, func() []string {
		lines := d.Chart().Draw(p.outcomes, p.upper, st).Lines()
		if p.inputs > 0 {
			lines = screen.Beside(lines, d.Inputs().Draw(p.inputs, p.upper, st).Lines())
		}
		return lines
	})
	body = append(body, upper...)
	at := len(body)
	body = append(body, "")
	switch {
	case m.lower() != nil:
		body = append(body, m.lower().Below(m.scene(), l.main-2, p.lower)...)
	case o.Scalarizations == nil:
		body = append(body, " "+st.Paint(st.Dim, "this method has no prior over weights"))
	default:
		body = append(body, m.cache.Lines("density", key, func() []string {
			lines := d.Density().Draw(p.density, p.lower, st).Lines()
			if p.along > 0 {
				lines = screen.Beside(lines, d.Along().Draw(p.along, p.lower, st).Lines())
			}
			return lines
		})...)
	}
	lines := screen.Panel(st, st.Plain(title), body, l.main, l.height, m.aiming())
	lines[1+at] = screen.Divide(st, m.belowTitle(l.main-screen.TitleRoom), l.main)
	return lines
}

// belowTitle names what stands under the outcomes in so many columns: the longest of its names that fits.
func (m *Model) belowTitle(room int) string {
	var titles []string
	far := m.unreached()
	switch {
	case m.lower() != nil:
		titles = m.lower().BelowTitles(m.scene())
	case m.aiming() && far != "":
		return m.style.Plain(far)
	default:
		titles = m.priorTitles()
	}
	for _, title := range titles {
		if title = m.style.Plain(title); ansi.StringWidth(title) <= room {
			return title
		}
	}
	return m.style.Plain(titles[len(titles)-1])
}

// priorTitles name the prior over the weights, the longest first: what it is good for goes first, how much the answers left of it stays.
func (m *Model) priorTitles() []string {
	title, short := "prior over λ", "prior over λ"
	if n := len(m.state.Input().Answers); n > 0 {
		title, short = fmt.Sprintf("prior over λ after %d answers", n), fmt.Sprintf("λ after %d answers", n)
		if o := m.steer.outcomes; o != nil && o.Particles > 0 {
			effective := fmt.Sprintf(", N_eff %.0f", o.Effective) // of the particles
			title, short = title+effective, short+effective
		}
	}
	titles := []string{title, short}
	long := title
	if !m.state.Spec.Steered() {
		long += ", which judges and does not steer this method"
		titles = slices.Insert(titles, 0, long)
		long += ","
	}
	if m.aims() {
		titles = slices.Insert(titles, 0, long+" and where on the front it aims")
	}
	return titles
}

// sameWeights reports whether two states have the same prior, scalarization and answers.
func sameWeights(a, b sessions.State) bool {
	for _, role := range []param.Role{optimizers.RolePrior, optimizers.RoleScalarization} {
		if a.Params.ValueOf(role) != b.Params.ValueOf(role) {
			return false
		}
	}
	return slices.Equal(a.Compared, b.Compared)
}

// unreached says which box no front of the model's draws comes into, or of which more can be had, and where.
func (m *Model) unreached() string {
	o := m.steer.outcomes
	if !m.steering() || o == nil {
		return ""
	}
	which := func(box int) string {
		if len(o.Prior.Boxes()) > 1 {
			return fmt.Sprintf("box %d", box+1)
		}
		return "the box"
	}
	at := func(y []float64) string {
		parts := make([]string, len(y))
		for k, v := range y {
			parts[k] = m.state.Problem.Objectives[k].Name + " " + screen.Number(v)
		}
		return strings.Join(parts, ", ")
	}
	switch {
	case len(o.Unreached) > 0:
		far := o.Unreached[0]
		return fmt.Sprintf("no front that the model draws reaches %s; the nearest comes to %s", which(far.Box), at(far.Nearest))
	case len(o.Exceeded) > 0:
		low := o.Exceeded[0]
		return fmt.Sprintf("more can be had than %s asks for: %s, in %d of %d drawn fronts", which(low.Box), at(low.At), low.Fronts, len(o.Drawn))
	}
	return ""
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
	switch n := len(values); {
	case n > 0 && math.IsNaN(values[n-1]):
		lines[1] = " " + m.style.Paint(m.style.Dim, m.style.Plain("when the first points are all there"))
	case n > 0:
		title = titled(title, values[n-1], l.side)
		trace := plot.Trace{Series: []plot.Series{{Values: values, Color: m.style.Used}}, X: m.steer.outcomes.Traces.Range.Label()}
		if l.side >= 40 {
			trace.X = "iteration · " + trace.X
		}
		if first := m.steer.outcomes.Traces.Original; m.steer.trace == traceBayes && first[n-1] != values[n-1] {
			title += " (o: first prior " + screen.Number(first[n-1]) + ")"
			trace.Series[0].Mark = "*"
			trace.Series = append(trace.Series, plot.Series{Values: first, Color: m.style.Dim, Mark: "o"})
		}
		lines = trace.Draw(l.side-2, l.regret-2, m.style)
	}
	return screen.Panel(m.style, m.style.Plain(title), lines, l.side, l.regret, false)
}
