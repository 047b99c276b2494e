package compare

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// command is a key of this screen as data.
type command = widget.Command[*Model]

var can, unless = widget.Can[*Model], widget.Unless[*Model]

// commands are the keys of this screen.
func commands() []command {
	return slices.Concat(stepCommands(), paneCommands(), lookCommands(), []command{
		can(widget.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return widget.Request(widget.Open{From: m.base.State().Config})
		}).Long("another comparison, problem, method or session"),
		can(widget.Named("experiment"), func(m *Model) tea.Cmd {
			return widget.Request(widget.Declare{From: m.base.State().Config})
		}).
			Long("declare your own experiment, or one like this experiment"),
		widget.NewRequestCommand[*Model](widget.Bind("c", "to the explorer", "c"), widget.Close{}),
	}, widget.GlobalCommands[*Model]())
}

func stepCommands() []command {
	return []command{
		can(widget.Bind("space", "step", "space"), (*Model).wantStep).
			Long("one step of the shared session or, in a race, of each method"),
		can(widget.Bind("b", "back", "b"), (*Model).back).Long("one step back"),
		can(widget.Bind("r", "run, pause", "r"), (*Model).toggleRun),
		can(widget.Bind("esc", "stop, or leave", "esc"), (*Model).escape),
	}
}

func paneCommands() []command {
	panes := widget.List[*Model]{Shown: "tab", Does: "next pane", Up: "shift+tab", Down: "tab", ShowsDown: true,
		Round: true, Only: onePane, Row: func(m *Model) (*int, int) { return &m.selected, len(m.panes) }}
	return append(panes.Commands(), []command{
		can(widget.Bind("left/right", "change the parameter", "left"), func(m *Model) tea.Cmd {
			return m.changeParam(-1)
		}).Long("change the parameter, in the pane or in all panes"),
		can(widget.Bind("", "change the parameter", "right"), func(m *Model) tea.Cmd { return m.changeParam(+1) }),
		can(widget.Bind("up/down", "choose a parameter", "up"), func(m *Model) tea.Cmd {
			return m.chooseParam(-1)
		}),
		can(widget.Bind("", "choose a parameter", "down"), func(m *Model) tea.Cmd { return m.chooseParam(+1) }),
		can(widget.Bind("e", "set key=value", "e"), (*Model).askValue).Long("set a parameter of the pane"),
		can(widget.Named("another method"), (*Model).askMethod).Long("another method for the pane"),
		can(widget.Bind("insert", "add a pane", "insert"), (*Model).addCopy).Long("add a pane: a copy of the selected one, which you can change"),
		unless((*Model).noOther, widget.Bind("delete", "remove the pane", "delete", "backspace"), (*Model).remove),
	}...)
}

func lookCommands() []command {
	return []command{
		can(widget.Bind("y", "overlay", "y"), func(m *Model) tea.Cmd {
			return m.arrange(m.nextArrangement())
		}).Long("show the panes side by side, overlaid, or the widths of two bands"),
		unless((*Model).noRace, widget.Bind("R", "race", "R"), (*Model).race).
			Long("begin or end a race, in which each method collects its own data from the same start"),
		unless((*Model).noQuantity, widget.Bind("v", "acquisitions", "v"), (*Model).nextQuantity).
			Long("show the acquisitions; with two variables the mean, standard deviation, acquisition and a sample in turn"),
		unless((*Model).onlyOne, widget.Bind("ctrl+t", "theory", "ctrl+t"), (*Model).theory).
			Long("theory: information gain, eigenvalues of the kernel matrix, the evidence of γ or of the lengthscale"),
		unless((*Model).noAgreement, widget.Bind("w", "where they agree", "w", "W"), (*Model).agree).
			Long("where the selected pane and the next one agree on the next point: how each ranks points, how far apart their next points are, and which result separates them"),
		widget.NewChange(widget.Bind("enter", "refit without each result", "enter"), (*Model).notAgain,
			func(m *Model) { m.decision.refit = true }).
			Long("find the result that separates them by refitting without each, for methods without an exact formula"),
		widget.NewChange(widget.Bind("t", "truth", "t"), (*Model).noTruth, func(m *Model) { m.shown.reveal = !m.shown.reveal }).
			Long("show or hide the true function"),
		unless((*Model).noSamples, widget.Bind("s", "other samples", "s"), func(m *Model) tea.Cmd {
			return m.resample(m.shown.view.Samples, m.shown.view.Draw+1)
		}),
		unless((*Model).noSamples, widget.Bind("( )", "fewer, more samples", "("), func(m *Model) tea.Cmd {
			return m.resample(m.shown.view.Samples-1, m.shown.view.Draw)
		}),
		unless((*Model).needsSideBySide, widget.Bind("", "fewer, more samples", ")"), func(m *Model) tea.Cmd {
			return m.resample(m.shown.view.Samples+1, m.shown.view.Draw)
		}),
		unless((*Model).noZoom, widget.Bind("+ -", "zoom in, out", "+", "="), func(m *Model) tea.Cmd { return m.zoomBy(+1) }).
			Long("zoom the vertical axes in, towards the bands and the data, or out"),
		unless((*Model).noZoom, widget.Bind("", "zoom in, out", "-", "_"), func(m *Model) tea.Cmd { return m.zoomBy(-1) }),
		widget.NewChange(widget.Bind("0", "fit the axes", "0"), (*Model).noZoom, (*Model).fitAxes).
			Long("fit the vertical axes to all that is drawn"),
		unless((*Model).oneVariable, widget.Bind("[ ]", "turn the slice", "]"), func(m *Model) tea.Cmd {
			return m.turn(+1)
		}),
		unless((*Model).oneVariable, widget.Bind("", "turn the slice", "["), func(m *Model) tea.Cmd {
			return m.turn(-1)
		}),
		unless((*Model).noFlat, widget.Bind("d", "two variables, or a slice", "d"), (*Model).flatten),
	}
}

func (m *Model) noTruth() string {
	return widget.Why(m.base.State().Problem.Truth == nil, "there is no true function to show: only evaluations of the problem are known")
}

func (m *Model) noRace() string {
	return widget.Why(m.base.State().Problem.Evaluator() == nil, "an experiment cannot be raced: each method would need its own evaluations")
}

// footer are the keys of the hint line, the most needed first.
const footer = "space tab left/right R w i : ? q v y e up/down another_method o c b r"

// Groups lists every binding of this screen for the help.
func Groups() []widget.Group {
	return []widget.Group{widget.NewGroup("Compare (c)", commands()).Through("c")}
}

// KeyMap describes the current keys.
func (m *Model) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "a comparison", Keys: widget.Keys(m, commands()), Typing: m.Status.Open(),
		Choosing: m.Status.Choosing()}
}

const onePane = "there is only one pane; insert adds another"

func (m *Model) noOther() string {
	return widget.Why(len(m.panes) == 1, onePane)
}

func (m *Model) needsSideBySide() string {
	return cmp.Or(m.onlyOne(), widget.Why(m.arrangement == overlaid || m.arrangement == bandWidths, "samples are drawn only side by side: press y"))
}

func (m *Model) noSamples() string {
	return cmp.Or(m.needsSideBySide(), widget.Why(m.shown.view.Samples == 0, "no samples are drawn; ) draws some"))
}

func (m *Model) noZoom() string {
	switch {
	case m.several():
		return "the panes show all outcomes"
	case m.shown.acquisition:
		return "acquisitions have axes of their own; press v to show the posteriors"
	}
	return widget.Why(m.shown.planar && m.arrangement != overlaid, "two variables are shown; press d for a slice, which can be zoomed")
}

// fitAxes fits the vertical axes, without a zoom, and places the labels again.
func (m *Model) fitAxes() {
	m.shown.zoom = 0
	m.shown.fits++
	m.shown.axis.Forget()
	for _, p := range m.panes {
		p.labels.Forget()
	}
	m.Notify("the axes fit this step, and stay from here on")
}

// zoomBy zooms the vertical axes in or out.
func (m *Model) zoomBy(steps picture.Zoom) tea.Cmd {
	zoom, ok := m.shown.zoom.In(steps)
	if !ok {
		m.Notify("this is the end of the zoom; 0 fits the axes")
	}
	m.shown.zoom = zoom
	return nil
}

func (m *Model) noQuantity() string {
	return cmp.Or(m.onlyOne(), widget.Why(m.arrangement == bandWidths, "acquisitions are drawn side by side: press y"))
}

// nextArrangement follows the current one; widths are those of two bands of one objective.
func (m *Model) nextArrangement() arrangement {
	next := (m.arrangement + 1) % racing
	if next == bandWidths && (m.several() || len(m.panes) < 2) {
		return sideBySide
	}
	return next
}

// noFlat says why there is no plane and no slice to choose from.
func (m *Model) noFlat() string {
	return cmp.Or(m.onlyOne(), m.oneVariable())
}

func (m *Model) oneVariable() string {
	p := m.base.State().Problem
	if m.several() {
		return widget.Why(len(p.Objectives) == 2, "both objectives are shown")
	}
	return widget.Why(p.Dim() == 1, "this problem has only one variable")
}

// race begins a race, or ends it.
func (m *Model) race() tea.Cmd {
	if m.arrangement == racing {
		return m.arrange(sideBySide)
	}
	return m.arrange(racing)
}

// nextQuantity shows or hides the acquisitions; over two variables it shows the next of mean, standard deviation,
// acquisition and sample.
func (m *Model) nextQuantity() tea.Cmd {
	m.shown.acquisition = !m.shown.acquisition
	m.shown.quantity = m.shown.quantity%picture.SampleField + 1
	return nil
}

func (m *Model) theory() tea.Cmd {
	m.shown.view.Theory = !m.shown.view.Theory
	m.decision.shown = false
	return m.updatePictures()
}

// flatten shows two variables, or a slice along one.
func (m *Model) flatten() tea.Cmd {
	m.shown.planar = !m.shown.planar
	return m.updatePictures()
}

// maxSamples bounds how many surrogate samples are drawn at once.
const maxSamples = 200

func (m *Model) resample(count int, draw uint64) tea.Cmd {
	m.shown.view.Samples, m.shown.view.Draw = min(max(count, 0), maxSamples), draw
	return m.updatePictures()
}

// turn slices along another variable.
func (m *Model) turn(delta int) tea.Cmd {
	st := m.base.State()
	if n := len(st.Problem.Objectives); n > 1 {
		m.shown.first = (m.shown.first + delta + n) % n
		return nil
	}
	d := st.Problem.Dim()
	m.shown.view.X = (m.shown.view.X + delta + d) % d
	m.shown.window = picture.PlaneOver(st.Problem, m.shown.view.X, (m.shown.view.X+1)%d)
	m.shown.unfitted = picture.Unfitted(st, picture.View{X: m.shown.view.X}, nil)
	return m.updatePictures()
}

func (m *Model) arrange(a arrangement) tea.Cmd {
	m.Stop()
	m.arrangement = a
	m.shown.axis.Forget()
	if a == racing {
		for _, p := range m.panes {
			if p.racer != nil {
				continue
			}
			if err := m.enter(p); err != nil {
				m.Status.Fail(err)
				m.arrangement = sideBySide
				break
			}
		}
		m.Notify("each method has its own data from the same start; space steps all of them, R ends the race")
	}
	return m.updatePictures()
}
