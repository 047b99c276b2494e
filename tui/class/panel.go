package class

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions/classroom"
	"bandscope/tui/widget"
)

// Panel is the teacher's page: who is there, who has answered, and what the class is asked.
type Panel struct {
	page
	teacher  Teacher
	selected int // of the people
	scroll   int // people above the list
	named    bool
}

// NewPanel makes the teacher's page.
func NewPanel(t Teacher) *Panel { return &Panel{page: newPage(t.State()), teacher: t, named: true} }

// Update takes a message.
func (m *Panel) Update(msg tea.Msg) tea.Cmd {
	if cmd, taken := m.take(msg); taken {
		return cmd
	}
	if press, ok := msg.(tea.KeyPressMsg); ok {
		cmd, _ := widget.Take(m, &m.Status, panelCommands(), press)
		return cmd
	}
	if m.Status.Open() {
		return m.Status.Type(msg)
	}
	return nil
}

// panelCommands are the commands of the panel: most have names and no key.
func panelCommands() []widget.Command[*Panel] {
	named := func(name, about string, off func(*Panel) string, do func(*Panel) tea.Cmd) widget.Command[*Panel] {
		return widget.NewCommand(widget.Named(name), off, do).Long(about)
	}
	return append([]widget.Command[*Panel]{
		widget.NewCommand(widget.Bind("up/down", "select a person", "up"), nil,
			func(m *Panel) tea.Cmd { return m.choose(-1) }),
		widget.NewCommand(widget.Bind("", "select a person", "down"), nil,
			func(m *Panel) tea.Cmd { return m.choose(1) }),
		named("ask where to evaluate next", "ask the class for the next point of this session",
			(*Panel).noPointQuestion,
			(*Panel).askPoint),
		named("ask which of two outcomes", "ask the class about the pair of outcomes that tells most about its weights",
			(*Panel).noPairQuestion, (*Panel).askPair),
		named("ask what the band will do", "ask the class whether the band gets narrower", (*Panel).questionOpen,
			func(m *Panel) tea.Cmd { return m.ask(classroom.BandPrompt()) }),
		named("ask a question", "ask the class a question with two to six options", (*Panel).questionOpen,
			(*Panel).askOwn),
		named("reveal the answers", "show all answers to the class, and end the question", (*Panel).noOpenQuestion,
			(*Panel).reveal),
		named("close the question", "end the question", (*Panel).noQuestion, (*Panel).closeQuestion),
		named("pass the keyboard", "let the selected person act on your screen", (*Panel).cannotPass, (*Panel).pass),
		named("take the keyboard back", "act on your screen alone again", (*Panel).noHolder, (*Panel).takeBack),
		named("start a race", "race the class against methods on a hidden function", (*Panel).raceRuns,
			(*Panel).askRace),
		named("end the race", "end the race, and show the function", (*Panel).noRace, (*Panel).endRace),
		named("show the board", "show the board of the race", (*Panel).noRaces,
			func(*Panel) tea.Cmd { return widget.Request(ShowBoard{}) }),
		named("show the progress", "show who has read which lesson, and the hardest questions", nil,
			func(*Panel) tea.Cmd { return widget.Request(ShowProgress{}) }),
		named("export the progress", "write the progress as a table (CSV)", nil, (*Panel).export),
		named("show or hide the names", "show the names of people beside their pseudonyms, or hide them; nobody else sees this page", nil,
			(*Panel).toggleNames),
		named("clear unused names", "give back the names of people who are away and left nothing", nil, (*Panel).clearNames),
		named("disconnect the person", "end the terminals of the selected person", (*Panel).away, (*Panel).disconnect),
		widget.NewRequestCommand[*Panel](widget.Bind("esc", "back to the screen", "esc"), widget.Close{}),
	}, widget.GlobalCommands[*Panel]()...)
}

// KeyMap describes the current keys.
func (m *Panel) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "the class", Keys: widget.Keys(m, panelCommands()), Typing: m.Status.Open()}
}

// choose selects another person.
func (m *Panel) choose(delta int) tea.Cmd {
	m.selected = max(min(m.selected+delta, len(m.state.People)-1), 0)
	return nil
}

// person is the selected person; false without people.
func (m *Panel) person() (classroom.Person, bool) {
	if m.selected >= len(m.state.People) {
		return classroom.Person{}, false
	}
	return m.state.People[m.selected], true
}

func (m *Panel) questionOpen() string {
	if q, open := m.state.OpenQuestion(); open {
		return fmt.Sprintf("question %d is open; reveal or close it first", q.Number)
	}
	return ""
}

func (m *Panel) noPointQuestion() string {
	if why := m.questionOpen(); why != "" {
		return why
	}
	if _, ok := m.teacher.Session(); !ok {
		return "no session is open"
	}
	return ""
}

func (m *Panel) noPairQuestion() string {
	if why := m.noPointQuestion(); why != "" {
		return why
	}
	if st, _ := m.teacher.Session(); len(st.Problem.Objectives) < 2 {
		return "this session has one objective"
	}
	return ""
}

func (m *Panel) noOpenQuestion() string {
	if _, open := m.state.OpenQuestion(); !open {
		return "no question is open"
	}
	return ""
}

func (m *Panel) noQuestion() string {
	if _, ok := m.state.CurrentQuestion(); !ok {
		return "no question is open or revealed"
	}
	return ""
}

func (m *Panel) cannotPass() string {
	p, ok := m.person()
	switch {
	case !ok:
		return "nobody has joined yet"
	case !m.teacher.Present()[p.ID].Connected:
		return p.Pseudonym + " is away"
	case m.teacher.Present()[p.ID].Keyboard:
		return p.Pseudonym + " has the keyboard already"
	}
	return ""
}

// holder is who has the keyboard; empty if nobody but the teacher has.
func (m *Panel) holder() string {
	for _, p := range m.state.People {
		if m.teacher.Present()[p.ID].Keyboard {
			return p.Pseudonym
		}
	}
	return ""
}

func (m *Panel) noHolder() string {
	if m.holder() == "" {
		return "you have the keyboard"
	}
	return ""
}

func (m *Panel) raceRuns() string {
	if r, running := m.state.RunningRace(); running {
		return fmt.Sprintf("race %d is running; end it first", r.Number)
	}
	return ""
}

func (m *Panel) noRace() string {
	if _, running := m.state.RunningRace(); !running {
		return "no race is running"
	}
	return ""
}

func (m *Panel) noRaces() string {
	if len(m.state.Races) == 0 {
		return "there was no race yet"
	}
	return ""
}

// ask asks the class.
func (m *Panel) ask(p classroom.Prompt) tea.Cmd {
	return m.act("asking the class", func() (string, error) {
		n, err := m.teacher.Ask(p)
		return fmt.Sprintf("question %d is open", n), err
	})
}

func (m *Panel) askPoint() tea.Cmd {
	st, _ := m.teacher.Session()
	return m.ask(classroom.PointPrompt(st))
}

func (m *Panel) askPair() tea.Cmd {
	st, _ := m.teacher.Session()
	return m.act("choosing the pair", func() (string, error) { // the pair is searched for
		p, err := classroom.PairPrompt(st)
		if err != nil {
			return "", err
		}
		n, err := m.teacher.Ask(p)
		return fmt.Sprintf("question %d is open", n), err
	})
}

func (m *Panel) askOwn() tea.Cmd {
	cmd := m.Status.Ask("question", "", func(text string) tea.Cmd {
		p, err := classroom.ParsePrompt(text)
		if err != nil {
			return m.Status.Again(err.Error())
		}
		return m.ask(p)
	})
	m.Status.Hint("the question and two to six options, separated by semicolons; * marks the right one")
	return cmd
}

func (m *Panel) reveal() tea.Cmd {
	q, _ := m.state.OpenQuestion()
	return m.actThen("revealing the answers", ShowAnswers{}, func() (string, error) {
		return "",
			m.teacher.Reveal(q.Number)
	})
}

func (m *Panel) closeQuestion() tea.Cmd {
	q, _ := m.state.CurrentQuestion()
	return m.act("closing the question", func() (string, error) {
		return fmt.Sprintf("question %d is closed", q.Number), m.teacher.CloseQuestion(q.Number)
	})
}

func (m *Panel) pass() tea.Cmd {
	p, _ := m.person()
	return m.act("passing the keyboard", func() (string, error) {
		return p.Pseudonym + " has the keyboard", m.teacher.PassKeyboard(p.ID)
	})
}

func (m *Panel) takeBack() tea.Cmd {
	return m.act("taking the keyboard back", func() (string, error) {
		return "you have the keyboard", m.teacher.TakeKeyboard()
	})
}

// raceBudget is the number of evaluations that the prompt for a race begins with.
const raceBudget = 12

// raceFunctions are the functions that a race may be on, the easiest first.
var raceFunctions = []string{"forrester", "gramacy-lee", "levy:1", "ackley:1", "rastrigin:1", "griewank:1"}

// freshFunction is the first function that the class has seen neither in a race nor on the teacher's screen.
func (m *Panel) freshFunction() string {
	seen := map[string]bool{}
	if st, ok := m.teacher.Session(); ok {
		seen[st.Config.Problem] = true
	}
	for _, r := range m.state.Races {
		seen[r.Function] = true
	}
	for _, name := range raceFunctions {
		if _, err := functions.Find(name, 1); err == nil && !seen[name] {
			return name
		}
	}
	return raceFunctions[0]
}

func (m *Panel) askRace() tea.Cmd {
	text := fmt.Sprintf("%s %d", m.freshFunction(), raceBudget)
	if st, ok := m.teacher.Session(); ok && len(st.Problem.Objectives) == 1 && st.Program() == nil {
		text += " " + st.Config.Optimizer
	}
	cmd := m.Status.Ask("race", text, func(text string) tea.Cmd {
		r, err := parseRace(text, len(m.state.Races))
		if err != nil {
			return m.Status.Again(err.Error())
		}
		return m.actThen("starting the race", ShowBoard{}, func() (string, error) {
			_, err := m.teacher.StartRace(r)
			return "", err
		})
	})
	m.Status.Hint("a test function, the number of evaluations, and the methods, separated by blanks")
	return cmd
}

// parseRace reads a race; every race of a class has another seed.
func parseRace(text string, races int) (classroom.RaceConfig, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return classroom.RaceConfig{}, errors.New("type a test function and the number of evaluations")
	}
	budget, err := strconv.Atoi(fields[1])
	if err != nil {
		return classroom.RaceConfig{}, fmt.Errorf("the number of evaluations must be a whole number, got %q", fields[1])
	}
	if _, err := functions.Find(fields[0], 1); err != nil {
		return classroom.RaceConfig{}, err
	}
	r := classroom.RaceConfig{Function: fields[0], Seed: uint64(races + 1), Budget: budget, Methods: fields[2:]}
	return r, r.Check()
}

func (m *Panel) endRace() tea.Cmd {
	r, _ := m.state.RunningRace()
	return m.actThen("ending the race", ShowBoard{}, func() (string, error) { return "", m.teacher.EndRace(r.Number) })
}

// away is why the selected person cannot be disconnected.
func (m *Panel) away() string {
	p, ok := m.person()
	switch {
	case !ok:
		return "nobody has joined yet"
	case p.Role == classroom.Teacher:
		return p.Pseudonym + " teaches"
	case !m.teacher.Present()[p.ID].Connected:
		return p.Pseudonym + " is away"
	}
	return ""
}

func (m *Panel) toggleNames() tea.Cmd {
	m.named = !m.named
	return nil
}

func (m *Panel) clearNames() tea.Cmd {
	return m.act("clearing names", func() (string, error) {
		n, err := m.teacher.ClearNames()
		return numfmt.Count(n, "name") + " can be used again", err
	})
}

func (m *Panel) disconnect() tea.Cmd {
	p, _ := m.person()
	return m.act("disconnecting", func() (string, error) {
		return p.Pseudonym + " is disconnected", m.teacher.Disconnect(p.ID)
	})
}

func (m *Panel) export() tea.Cmd {
	return m.act("writing the progress", func() (string, error) {
		path, err := m.teacher.Export()
		return "the progress is in " + path, err
	})
}
