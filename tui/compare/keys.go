package compare

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"bandscope/functions/naming"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/screen"
)

type keyMap struct {
	Step, Back, Run, Stop, Next, Prev, Less, More, Knob, KnobDown, Set, Method, Add, Remove         key.Binding
	Arrange, Race, Acquisition, Theory, Truth, Redraw, Fewer, Samples, Turn, TurnBack, Choose, Flat key.Binding
	Close, Help, Quit, Susp                                                                         key.Binding
}

var keys = keyMap{
	Step:        screen.Bind("space", "step", "space"),
	Back:        screen.Bind("b", "back", "b"),
	Run:         screen.Bind("r", "run, pause", "r"),
	Stop:        screen.Bind("esc", "stop, or leave", "esc"),
	Next:        screen.Bind("tab", "next pane", "tab"),
	Prev:        screen.Bind("", "next pane", "shift+tab"),
	Less:        screen.Bind("left/right", "change the parameter", "left"),
	More:        screen.Bind("", "change the parameter", "right"),
	Knob:        screen.Bind("up/down", "which parameter", "up", "k"),
	KnobDown:    screen.Bind("", "which parameter", "down", "j"),
	Set:         screen.Bind("e", "set key=value", "e"),
	Method:      screen.Bind("m", "method", "m"),
	Add:         screen.Bind("C", "compare one more", "C"),
	Remove:      screen.Bind("delete", "remove the pane", "delete", "backspace"),
	Arrange:     screen.Bind("v", "side by side, overlay", "v"),
	Race:        screen.Bind("D", "race", "D"),
	Acquisition: screen.Bind("A", "acquisitions", "A"),
	Theory:      screen.Bind("i", "theory", "i"),
	Truth:       screen.Bind("t", "truth", "t"),
	Redraw:      screen.Bind("s", "other samples", "s"),
	Fewer:       screen.Bind("- +", "fewer, more samples", "-", "_"),
	Samples:     screen.Bind("", "fewer, more samples", "+", "="),
	Turn:        screen.Bind("[ ]", "turn the slice", "]"),
	TurnBack:    screen.Bind("", "turn the slice", "["),
	Flat:        screen.Bind("d", "two variables, or a slice", "d"),
	Choose:      screen.Bind("o", "open", "o"),
	Close:       screen.Bind("c", "to the explorer", "c"),
	Help:        screen.Bind("?", "help", "?", "f1"),
	Quit:        screen.Bind("q", "quit", "q", "ctrl+c"),
	Susp:        screen.Bind("ctrl+z", "suspend", "ctrl+z"),
}

// short lists the keys of the hint line, the most needed first.
func (k keyMap) short() []key.Binding {
	return []key.Binding{k.Step, k.Next, k.Less, k.Arrange, k.Race, k.Method, k.Acquisition, k.Theory, k.Knob, k.Set, k.Choose, k.Close, k.Help, k.Quit}
}

// commands are what the keys do here. What a command finds out only when it acts, it says itself.
var commands = slices.Concat(
	screen.Commands[*Model](nil, keys.Step, keys.Back, keys.Run, keys.Stop),
	screen.Commands((*Model).onePane, keys.Next, keys.Prev),
	screen.Commands[*Model](nil, keys.Less, keys.More, keys.Knob, keys.KnobDown, keys.Set, keys.Method, keys.Add),
	screen.Commands((*Model).onePane, keys.Remove),
	screen.Commands[*Model](nil, keys.Arrange, keys.Race), screen.Commands((*Model).onlyOne, keys.Acquisition, keys.Theory), screen.Commands[*Model](nil, keys.Truth),
	screen.Commands((*Model).noSamples, keys.Redraw, keys.Fewer), screen.Commands((*Model).overlaid, keys.Samples),
	screen.Commands((*Model).oneVariable, keys.Turn, keys.TurnBack), screen.Commands((*Model).noFlat, keys.Flat),
	screen.Commands[*Model](nil, keys.Choose, keys.Close, keys.Help, keys.Quit, keys.Susp),
)

func (m *Model) onePane() string {
	if len(m.panes) == 1 {
		return "there is one pane: C adds another"
	}
	return ""
}

func (m *Model) overlaid() string {
	if off := m.onlyOne(); off != "" {
		return off
	}
	if m.arranged == overlaid {
		return "samples are drawn side by side: v"
	}
	return ""
}

func (m *Model) noSamples() string {
	if off := m.overlaid(); off != "" {
		return off
	}
	if m.view.Samples == 0 {
		return "no samples are drawn: + draws some"
	}
	return ""
}

// noFlat says why there is no plane and no slice to choose from.
func (m *Model) noFlat() string {
	if off := m.onlyOne(); off != "" {
		return off
	}
	return m.oneVariable()
}

func (m *Model) oneVariable() string {
	if m.several() {
		if len(m.base.State().Problem.Objectives) == 2 {
			return "both of the two objectives are shown"
		}
		return ""
	}
	if m.base.State().Problem.Dim() == 1 {
		return "this problem has one variable"
	}
	return ""
}

// Groups lists every binding of this screen for the help.
func Groups() []screen.Group {
	g := screen.Group{Title: "Compare (c)"}
	for _, c := range commands {
		g.Bindings = append(g.Bindings, c.Binding)
	}
	return []screen.Group{g}
}

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	return screen.Here{Title: "a comparison", Keys: screen.Keys(m, commands), Typing: m.Typing()}
}

// Say puts a sentence into the status line.
func (m *Model) Say(text string, bad bool) { m.notice, m.bad = sessions.Sanitize(text), bad }

// Typing reports whether keys enter text.
func (m *Model) Typing() bool { return m.prompt.Open() }

// key takes a key press.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if key.Matches(msg, keys.Susp) {
		return tea.Suspend
	}
	if m.prompt.Open() {
		return m.prompt.Key(msg)
	}
	m.notice = ""
	if off, _ := screen.Off(m, commands, msg); off != "" {
		m.say(off)
		return nil
	}
	switch {
	case key.Matches(msg, keys.Step):
		return m.wantStep()
	case key.Matches(msg, keys.Back):
		return m.back()
	case key.Matches(msg, keys.Run):
		return m.toggleRun()
	case key.Matches(msg, keys.Stop):
		return m.escape()
	case key.Matches(msg, keys.Choose):
		return screen.Want(screen.Open{From: m.base.State().Config})
	case key.Matches(msg, keys.Close):
		return screen.Want(screen.Close{})
	case key.Matches(msg, keys.Quit):
		return screen.Want(screen.Quit{})
	case key.Matches(msg, keys.Method):
		return m.prompt.Ask("method of pane "+letter(m.selected), "", m.chooseMethod)
	case key.Matches(msg, keys.Knob):
		m.chooseKnob(-1)
	case key.Matches(msg, keys.KnobDown):
		m.chooseKnob(+1)
	case key.Matches(msg, keys.Set):
		return m.prompt.Ask("set in pane "+letter(m.selected), m.assignment(), m.assign)
	}
	return m.lookKey(msg)
}

// lookKey takes the keys that change what is looked at.
func (m *Model) lookKey(msg tea.KeyPressMsg) tea.Cmd {
	n := len(m.panes)
	switch {
	case key.Matches(msg, keys.Next):
		m.selected = (m.selected + 1) % n
	case key.Matches(msg, keys.Prev):
		m.selected = (m.selected + n - 1) % n
	case key.Matches(msg, keys.Less):
		return m.turnKnob(-1)
	case key.Matches(msg, keys.More):
		return m.turnKnob(+1)
	case key.Matches(msg, keys.Add):
		return m.addCopy()
	case key.Matches(msg, keys.Remove):
		return m.remove()
	case key.Matches(msg, keys.Arrange):
		return m.arrange((m.arranged + 1) % racing)
	case key.Matches(msg, keys.Race):
		if m.arranged == racing {
			return m.arrange(sideBySide)
		}
		return m.arrange(racing)
	case key.Matches(msg, keys.Acquisition):
		m.acq = !m.acq
		m.quantity = m.quantity%belief.SampleField + 1 // mean, deviation, acquisition, sample
	case key.Matches(msg, keys.Flat):
		m.planar = !m.planar
		return m.look()
	case key.Matches(msg, keys.Theory):
		m.view.Theory = !m.view.Theory
		return m.look()
	case key.Matches(msg, keys.Truth):
		m.reveal = !m.reveal
	case key.Matches(msg, keys.Redraw):
		m.view.Draw++
		return m.look()
	case key.Matches(msg, keys.Fewer):
		m.view.Samples = max(m.view.Samples-1, 0)
		return m.look()
	case key.Matches(msg, keys.Samples):
		m.view.Samples = min(m.view.Samples+1, 200)
		return m.look()
	case key.Matches(msg, keys.Turn):
		return m.turn(+1)
	case key.Matches(msg, keys.TurnBack):
		return m.turn(-1)
	}
	return nil
}

// turn slices along another variable.
func (m *Model) turn(by int) tea.Cmd {
	st := m.base.State()
	if n := len(st.Problem.Objectives); n > 1 {
		m.first = (m.first + by + n) % n
		return nil
	}
	d := st.Problem.Dim()
	m.view.Variable = (m.view.Variable + by + d) % d
	m.window = belief.WholePlane(m.view.Variable, (m.view.Variable+1)%d)
	m.truth = belief.TruthAlong(st, m.view.Variable, belief.Anchor(st))
	return m.look()
}

func (m *Model) wantStep() tea.Cmd {
	m.running = false
	if m.jobs.Busy() && m.acting {
		m.queued = min(m.queued+1, 100)
		return nil
	}
	return m.step()
}

func (m *Model) toggleRun() tea.Cmd {
	if m.running = !m.running; !m.running {
		m.say("paused")
		return nil
	}
	m.say("running; r pauses")
	if m.jobs.Busy() {
		return nil
	}
	return m.step()
}

// back goes one step back: the session that all share, or every racer.
func (m *Model) back() tea.Cmd {
	m.Stop()
	moved := false
	if m.arranged == racing {
		for _, p := range m.panes {
			moved = p.racer.Back() || moved
		}
	} else {
		moved = m.base.Back()
	}
	if !moved {
		m.say("this is the start: there is nothing to go back to")
	}
	return m.look()
}

// escape stops what is computed; if nothing is, it leaves.
func (m *Model) escape() tea.Cmd {
	if m.jobs.Busy() || m.running {
		m.Stop()
		m.acting = false
		m.say("stopped; space goes on")
		return nil
	}
	return screen.Want(screen.Close{})
}

func (m *Model) arrange(a arrangement) tea.Cmd {
	m.Stop()
	m.arranged = a
	if a == racing {
		for _, p := range m.panes {
			if p.racer != nil {
				continue
			}
			if err := m.enter(p); err != nil {
				m.fail(err)
				m.arranged = sideBySide
				break
			}
		}
		m.say("each method has its own data from the same start: space steps all of them, D ends the race")
	}
	return m.look()
}

// addCopy adds a pane like the selected one, to be changed.
func (m *Model) addCopy() tea.Cmd {
	if err := m.add(m.panes[m.selected].Pane); err != nil {
		m.fail(err)
		return nil
	}
	m.selected = len(m.panes) - 1
	m.say("pane " + letter(m.selected) + " is a copy: m gives it another method, e another parameter")
	return m.look()
}

func (m *Model) remove() tea.Cmd {
	m.Stop()
	m.panes = append(m.panes[:m.selected:m.selected], m.panes[m.selected+1:]...)
	m.selected = min(m.selected, len(m.panes)-1)
	return m.look()
}

// chooseMethod gives the selected pane the method whose name comes nearest to what was typed.
func (m *Model) chooseMethod(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	names := m.methods()
	if !slices.Contains(names, text) {
		found := fuzzy.Find(text, names)
		if text == "" || len(found) == 0 {
			return m.prompt.Again(naming.Unknown("optimizer", text, names).Error())
		}
		text = found[0].Str
	}
	spec, _ := optimizers.Find(text)
	return m.change(m.selected, sessions.Pane{Title: spec.Title, Optimizer: text})
}

// methods are the names of the methods that fit the problem.
func (m *Model) methods() []string {
	return optimizers.FittingNames(len(m.base.State().Problem.Objectives))
}

// change gives a pane another method or other parameters.
func (m *Model) change(i int, to sessions.Pane) tea.Cmd {
	m.Stop()
	before, outcomes := m.panes[i].picture, m.panes[i].outcomes
	if err := m.set(m.panes[i], to); err != nil {
		m.fail(err)
		return m.look()
	}
	m.panes[i].picture, m.panes[i].outcomes, m.panes[i].state = before, outcomes, m.base.State() // shown until the new one comes
	return m.look()
}

// chooseKnob goes to another parameter of the selected pane's method: the one that the arrow keys change.
func (m *Model) chooseKnob(by int) {
	decls := m.panes[m.selected].alt.Params().Decls()
	if len(decls) == 0 {
		m.say(m.panes[m.selected].alt.Spec().Title + " has no parameters")
		return
	}
	at := slices.IndexFunc(decls, func(d param.Decl) bool { return d.Key == m.knob })
	if at < 0 && by < 0 {
		at = 0
	}
	d := decls[(at+by+len(decls))%len(decls)]
	m.knob = d.Key
	m.say(fmt.Sprintf("left and right change %s, now %s", d.Label, d.Format(m.panes[m.selected].alt.Params().Value(d.Key))))
}

// turnKnob changes the knob's parameter by one step, in the selected pane or in all that have it.
func (m *Model) turnKnob(by int) tea.Cmd {
	if m.knob == "" {
		m.say("up and down choose the parameter that left and right change")
		return nil
	}
	var cmds []tea.Cmd
	for i, p := range m.panes {
		if i != m.selected && !m.comparison.KnobAll {
			continue
		}
		d, err := p.alt.Params().Decl(m.knob)
		if err != nil {
			if i == m.selected {
				m.fail(err)
			}
			continue
		}
		cmds = append(cmds, m.change(i, with(p.Pane, d.Key, d.Nudge(p.alt.Params().Value(d.Key), by))))
	}
	if len(cmds) == 0 {
		return nil
	}
	return cmds[len(cmds)-1] // each look replaces the one before
}

// with is a pane with one parameter changed.
func with(p sessions.Pane, name string, v any) sessions.Pane {
	params := map[string]any{name: v}
	for k, old := range p.Params {
		if k != name {
			params[k] = old
		}
	}
	p.Params = params
	return p
}

// assignment is the text that setting a parameter starts from.
func (m *Model) assignment() string {
	d, err := m.panes[m.selected].alt.Params().Decl(m.knob)
	if err != nil {
		return ""
	}
	return d.Key + "=" + d.Format(m.panes[m.selected].alt.Params().Value(d.Key))
}

// assign sets a parameter of the selected pane from "key=value".
func (m *Model) assign(text string) tea.Cmd {
	name, value, ok := strings.Cut(strings.TrimSpace(text), "=")
	if !ok {
		return m.prompt.Again(fmt.Sprintf("type key=value, as in gamma=5, got %q", text))
	}
	p := m.panes[m.selected]
	d, err := p.alt.Params().Decl(strings.TrimSpace(name))
	if err != nil {
		return m.prompt.Again(err.Error())
	}
	v, err := d.Parse(value)
	if err != nil {
		return m.prompt.Again(err.Error())
	}
	return m.change(m.selected, with(p.Pane, d.Key, v))
}
