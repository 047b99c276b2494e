package studypage

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/study"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// command is a key of this screen as data.
type command = widget.Command[*Model]

// problemList has the problems, below the row of all problems together, and methodList the methods.
var (
	problemList = widget.List[*Model]{Shown: "up/down", Does: "choose problem", Up: "up k", Down: "down j", First: -1,
		Long: "choose a problem; the row above the first one is all problems together",
		Ends: [2]string{"this is the first row", "this is the last problem"}, Off: (*Model).unread, Then: (*Model).moved,
		Row: func(m *Model) (*int, int) { return &m.cursor.problem, len(m.problems()) }}
	methodList = widget.List[*Model]{Shown: "left/right", Does: "choose method", Up: "left", Down: "right",
		Long: "choose a method; it is drawn in front of the others",
		Ends: [2]string{"this is the first method", "this is the last method"}, Off: (*Model).unread, Then: (*Model).moved,
		Row: func(m *Model) (*int, int) { return &m.cursor.method, len(m.board.methods) }}
)

// commands are the keys of this screen.
func commands() []command {
	return slices.Concat(problemList.Commands(), methodList.Commands(), []command{
		widget.NewCommand(widget.Bind("[ ]", "change the seed", "["), (*Model).oneSeed, func(m *Model) tea.Cmd {
			return m.turn(-1)
		}),
		widget.NewCommand(widget.Bind("", "change the seed", "]"), (*Model).oneSeed, func(m *Model) tea.Cmd {
			return m.turn(+1)
		}),
		widget.NewCommand(widget.Bind("enter", "open the cell", "enter"), (*Model).noCell, (*Model).open).
			Long("open the chosen cell in the explorer: its session if it was saved or is running, otherwise the run is recomputed"),
		widget.NewCommand(widget.Bind("tab", "next view", "tab"), nil, func(m *Model) tea.Cmd {
			return m.look((m.shown.view + 1) % viewCount)
		}).
			Long("next view: curves, ranks, targets reached, performance profiles, pairs of methods, critical difference, final results"),
		widget.NewCommand(widget.Bind("", "next view", "shift+tab"), nil, func(m *Model) tea.Cmd {
			return m.look((m.shown.view + viewCount - 1) % viewCount)
		}),
		{Binding: widget.Bind("1-7", "choose a view", "1", "2", "3", "4", "5", "6", "7"), Do: (*Model).numbered},
		widget.NewCommand(widget.Bind("v", "medians or means", "v"), (*Model).oneWay, (*Model).otherWay).
			Long("switch between medians with quartiles and means with 95 % intervals, or between performance and data profiles"),
		widget.NewCommand(widget.Bind("r", "run, pause", "r"), (*Model).noWork, (*Model).toggle).
			Long("start workers in this program, or stop them; they save their progress first"),
		widget.NewCommand(widget.Bind("( )", "fewer, more workers", "("), (*Model).oneWorker,
			func(m *Model) tea.Cmd {
				return m.changeWorkers(-1)
			}).Long("fewer, more workers in this program; running ones save their progress and continue"),
		widget.NewCommand(widget.Bind("", "fewer, more workers", ")"), (*Model).mostWorkers, func(m *Model) tea.Cmd {
			return m.changeWorkers(+1)
		}),
		widget.NewCommand(widget.Bind("!", "next failed cell", "!"), (*Model).noFailure, (*Model).nextFailure).
			Long("go to the next cell that failed; the error is shown below the table"),
		command{Binding: widget.Bind("@", "rerun failed cells", "@"), DisabledReason: (*Model).noRetry,
			Do: (*Model).askAgain}.Long("rerun cells that failed, or that another version of the program started; their results so far are deleted"),
		widget.NewCommand(widget.Bind("/", "find a problem or a method", "/"), (*Model).unread, (*Model).askWords).
			Long("find a problem or a method by words from its name"),
		widget.NewCommand(widget.Bind("g", "first row", "g", "home"), (*Model).unread, func(m *Model) tea.Cmd {
			return problemList.Choose(m, -1)
		}),
		widget.NewCommand(widget.Bind("G", "last row", "G", "end"), (*Model).unread, func(m *Model) tea.Cmd {
			return problemList.Choose(m, len(m.problems())-1)
		}),
	}, problemList.Pages(func(*Model) int { return pageRows }), []command{
		widget.NewCommand(widget.Bind("ctrl+e", "export", "ctrl+e"), (*Model).unread, (*Model).askExport).
			Long("export: a page with curves, tables and tests (.html), every iteration (.csv), or everything (.json)"),
		widget.NewCommand(widget.Bind("o", "open", "o"), nil, func(*Model) tea.Cmd {
			return widget.Request(widget.Open{Studies: true})
		}).Long("open another study, a function, a saved session, a comparison, a lab, a lesson"),
		{Binding: widget.Bind("esc", "leave, or stop", "esc"), Do: (*Model).leave},
	}, widget.GlobalCommands[*Model]())
}

// pageRows is how far a page goes.
const pageRows = 10

// footer are the keys of the hint line, the most needed first.
const footer = "tab up/down left/right enter r esc i : ? q [ ] v ctrl+e / - + ! o"

// Groups lists every binding of this screen for the help.
func Groups() []widget.Group {
	return []widget.Group{widget.NewGroup("Studies (o)", commands()).In("a study")}
}

// KeyMap lists the keys with what they do now.
func (m *Model) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "a study", Keys: widget.Keys(m, commands()), Typing: m.Status.Open()}
}

// problems are those of the study; none before it was read.
func (m *Model) problems() []string {
	if m.board == nil {
		return nil
	}
	return m.board.problems
}

func (m *Model) unread() string {
	switch {
	case m.board != nil:
		return ""
	case m.failed != "":
		return "the study cannot be read"
	}
	return "the study is being read"
}

func (m *Model) oneSeed() string {
	if why := m.noCell(); why != "" {
		return why
	}
	return widget.Why(len(m.seeds()) < 2, "this cell has only one seed")
}

func (m *Model) noCell() string {
	switch {
	case m.board == nil:
		return m.unread()
	case m.cursor.problem < 0:
		return "this row is all problems; choose a problem below it first"
	case len(m.seeds()) == 0:
		return "no run of this method on this problem was imported"
	}
	return ""
}

func (m *Model) oneWay() string {
	switch m.shown.view {
	case curvesView, profilesView, finalsView:
		return ""
	}
	return "v works in curves (1), profiles (4) and results (7)"
}

func (m *Model) noWork() string {
	switch {
	case m.opening.Work == nil && m.opening.Begin == nil:
		return "this study is read-only here"
	case m.Rights.Workers == 0:
		return rights.ErrWorkers.Error()
	case m.Working():
		return ""
	case m.work.doing.Busy():
		return "wait: " + m.work.doing.Doing()
	}
	return ""
}

func (m *Model) oneWorker() string {
	return cmp.Or(m.noWork(), widget.Why(m.work.ready == 1, "there is only one worker; r stops it"))
}

func (m *Model) mostWorkers() string {
	return cmp.Or(m.noWork(), widget.Why(m.work.ready >= m.Rights.Workers,
		"you can start "+widget.Count(m.Rights.Workers, "worker")+" at most"))
}

func (m *Model) noFailure() string {
	if m.board != nil && len(m.board.failed()) == 0 {
		return "no cell has failed"
	}
	return m.unread()
}

func (m *Model) noRetry() string {
	switch {
	case m.board == nil:
		return m.unread()
	case m.opening.Again == nil && m.opening.Begin != nil:
		return "these results are read-only; press r to run the study"
	case m.opening.Again == nil:
		return "this study is read-only here"
	case m.board.count[study.Failed]+m.board.count[study.OtherVersion] == 0:
		return "no cell failed or was started by another version"
	case m.work.doing.Busy():
		return "wait: " + m.work.doing.Doing()
	}
	return ""
}

// moved keeps the seed of the cursor within the cell.
func (m *Model) moved() tea.Cmd {
	m.cursor.seed = min(m.cursor.seed, max(len(m.seeds())-1, 0))
	return nil
}

// turn goes to another seed of the cell.
func (m *Model) turn(delta int) tea.Cmd {
	n := len(m.seeds())
	m.cursor.seed = (m.cursor.seed + delta + n) % n
	return nil
}

// seeds are the rows of the cells under the cursor, by seed; none on the row of all problems.
func (m *Model) seeds() []int {
	if m.board == nil || m.cursor.problem < 0 {
		return nil
	}
	return m.board.groups[m.cursor.problem][m.cursor.method].rows
}

// nextFailure goes to the next failed cell after the cursor, or to the first one.
func (m *Model) nextFailure() tea.Cmd {
	b, here := m.board, -1
	if rows := m.seeds(); len(rows) > 0 {
		here = rows[m.cursor.seed]
	}
	next, first := -1, -1
	for i := range b.rows {
		if b.rows[i].Error == "" {
			continue
		}
		if first < 0 {
			first = i
		}
		if next < 0 && i > here {
			next = i
		}
	}
	if next < 0 {
		next = first
	}
	for p := range b.groups {
		for k := range b.groups[p] {
			for s, i := range b.groups[p][k].rows {
				if i == next {
					m.cursor.problem = p
					m.cursor.method = k
					m.cursor.seed = s
				}
			}
		}
	}
	return nil
}

// numbered shows the view of a number.
func (m *Model) numbered(msg tea.KeyPressMsg) tea.Cmd {
	n, err := strconv.Atoi(msg.String())
	if err != nil {
		return nil
	}
	return m.look(view(n - 1))
}

func (m *Model) look(v view) tea.Cmd {
	m.shown.view = v
	return nil
}

func (m *Model) otherWay() tea.Cmd {
	m.shown.other = !m.shown.other
	return nil
}

// leave goes back to the screen below; esc first stops a running command. Workers go on.
func (m *Model) leave(tea.KeyPressMsg) tea.Cmd {
	if m.work.doing.Stop() {
		m.Say("stopped", false)
		return nil
	}
	return widget.Request(widget.Close{})
}

// Choices are those with which a session like the chosen cell begins; false where none is chosen.
func (m *Model) Choices() (sessions.Config, bool) {
	owner := m.seeds()
	if len(owner) == 0 {
		return sessions.Config{}, false
	}
	cfg, err := m.board.rows[owner[m.cursor.seed]].Config(m.board.declaration.Own...)
	return cfg, err == nil
}
