// Package open is the screen on which a function, an optimizer, a seed, noise and a budget are chosen for a new session,
// or a saved session is opened. Lists are filtered by typing.
package open

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// field is one row of the form.
type field int

const (
	fieldFunction field = iota
	fieldOptimizer
	fieldSeed
	fieldNoise
	fieldBudget
	fieldCost
	fieldCostBudget
	fieldStart
	fieldSessions
	fieldComparisons
	fieldLessons
	fieldCount
)

var fieldNames = [fieldCount]string{"function", "optimizer", "seed", "noise sd", "budget", "cost", "cost budget", "start", "saved sessions", "comparisons", "lessons"}

// item is one entry of a list.
type item struct {
	value string   // what is chosen
	about string   // one line beside it
	more  []string // the preview

	objectives int // of a function
}

// Model is the screen.
type Model struct {
	style         theme.Style
	width, height int

	config   sessions.Config
	field    field
	inputs   [fieldCount]textinput.Model
	lists    [fieldCount][]item
	selected [fieldCount]int
	reason   string
	prompt   screen.Prompt
	dir      string
	open     string // the file of the session that is explored
	peeked   peeked // the session that the preview shows
	peeking  string // the session that it is to show
	jobs     screen.Jobs
	shelf    shelf
	fitting  fitting
}

var keys = struct{ Up, Down, Next, Prev, Pick, Start, Close, Help, Susp key.Binding }{
	Up:    screen.Bind("up/down", "move in the list", "up"),
	Down:  screen.Bind("", "move in the list", "down"),
	Next:  screen.Bind("tab", "next field", "tab"),
	Prev:  screen.Bind("shift+tab", "previous field", "shift+tab"),
	Pick:  screen.Bind("enter", "take, and go on", "enter"),
	Start: screen.Bind("ctrl+s", "start at once", "ctrl+s"),
	Close: screen.Bind("esc", "leave", "esc", "ctrl+c"),
	Help:  screen.Bind("f1, ?", "help", "f1"),
	Susp:  screen.Bind("ctrl+z", "suspend", "ctrl+z"),
}

// commands are what the keys do on the form, beside typing; shelfCommands those on a saved session. What a command finds out only when it acts, it
// says itself.
var (
	commands = slices.Concat(screen.Commands((*Model).atTop, keys.Up), screen.Commands((*Model).atBottom, keys.Down),
		screen.Commands[*Model](nil, keys.Next, keys.Prev, keys.Pick, keys.Start, keys.Close, keys.Help, keys.Susp))
	shelfCommands = screen.Commands((*Model).noShelf, shelfKeys.Rename, shelfKeys.Copy, shelfKeys.Delete, shelfKeys.Restore)
)

func (m *Model) atTop() string {
	if isList(m.field) && m.selected[m.field] == 0 {
		return "this is the first of the list"
	}
	return ""
}

func (m *Model) atBottom() string {
	if isList(m.field) && m.selected[m.field] >= len(m.matches(m.field))-1 {
		return "this is the last of the list"
	}
	return ""
}

func (m *Model) noShelf() string {
	if m.field != fieldSessions {
		return "that is for saved sessions: tab goes to them"
	}
	return ""
}

// Here tells what the keys do now. Where text can be typed, they are text besides.
func (m *Model) Here() screen.Here {
	return screen.Here{Title: "this form", Keys: screen.Keys(m, slices.Concat(commands, shelfCommands)), Typing: m.prompt.Open(), Text: m.text}
}

// text reports whether a key press writes into the field that is typed into, rather than being a command. A question mark asks for help but where an
// expression may hold one.
func (m *Model) text(msg tea.KeyPressMsg) bool {
	k := textinput.DefaultKeyMap()
	switch {
	case m.field == fieldStart:
		return false
	case msg.Text == "?":
		return m.field == fieldCost
	}
	return msg.Text != "" || key.Matches(msg, k.CharacterForward, k.CharacterBackward, k.WordForward, k.WordBackward, k.DeleteWordBackward, k.DeleteWordForward,
		k.DeleteAfterCursor, k.DeleteBeforeCursor, k.DeleteCharacterBackward, k.DeleteCharacterForward, k.LineStart, k.LineEnd, k.Paste)
}

// Say puts a sentence under the form.
func (m *Model) Say(text string, _ bool) { m.reason = sessions.Sanitize(text) }

// Groups lists the bindings of this screen for the help.
func Groups() []screen.Group {
	groups := []screen.Group{{Title: "Open (o)", Bindings: []key.Binding{screen.Bind("type", "filter, or a number")}}, {Title: "On a saved session (o)"}}
	for i, list := range [][]screen.Command[*Model]{commands, shelfCommands} {
		for _, c := range list {
			groups[i].Bindings = append(groups[i].Bindings, c.Binding)
		}
	}
	return groups
}

// New makes the screen with the current choices, the file of the session that is open, and the sessions of a folder.
func New(current sessions.Config, open, dir string) *Model {
	m := &Model{config: current, open: open, dir: dir, prompt: screen.NewPrompt()}
	for f := range m.inputs {
		in := textinput.New()
		in.Prompt = ""
		in.CharLimit = 256
		m.inputs[f] = in
	}
	m.inputs[fieldSeed].SetValue(strconv.FormatUint(current.Seed, 10))
	m.inputs[fieldNoise].SetValue(digits.Given(current.Noise))
	m.inputs[fieldBudget].Placeholder = "by dimension"
	m.inputs[fieldCost].SetValue(current.Cost)
	if current.CostBudget > 0 {
		m.inputs[fieldCostBudget].SetValue(digits.Given(current.CostBudget))
	}
	m.inputs[fieldCost].Placeholder = "of the function"
	m.inputs[fieldCostBudget].Placeholder = "none"
	m.lists[fieldFunction] = functionItems()
	m.lists[fieldComparisons] = comparisonItems()
	m.lists[fieldLessons] = lessonItems()
	m.selectValue(fieldFunction, strings.SplitN(current.Problem, ":", 2)[0])
	m.fit()
	m.selectValue(fieldOptimizer, current.Optimizer)
	return m
}

func functionItems() []item {
	var items []item
	for _, f := range functions.Families() {
		p, err := functions.Find(f.Name, 0)
		if err != nil {
			continue
		}
		it := item{value: f.Name, about: fmt.Sprintf("%d-D  %s", p.Dim(), f.Title), objectives: len(p.Objectives)}
		it.more = []string{f.Title, "", f.About + ".", "", "source: " + f.Source, domainLine(p.Domain)}
		if p.Optimum() != nil {
			it.more = append(it.more, fmt.Sprintf("optimum: %s (%s)", screen.Number(p.Optimum().Value), p.Objectives[0].Direction))
		}
		if p.Cost != nil {
			it.more = append(it.more, "cost of an evaluation: "+p.Cost.Text)
		}
		if p.Fidelity != nil {
			it.more = append(it.more, fmt.Sprintf("fidelity: %s, full at %s", p.Fidelity.Variable, digits.Given(p.Fidelity.Full)))
		}
		if f.MaxDim > f.MinDim {
			it.more = append(it.more, "", fmt.Sprintf("other dimensions: type %s:d, as in %s:%d", f.Name, f.Name, f.MinDim))
		}
		items = append(items, it)
	}
	return items
}

func domainLine(d functions.Domain) string {
	parts := make([]string, 0, 4)
	for i, v := range d {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("[%s, %s]", screen.Number(v.Low), screen.Number(v.High)))
	}
	return "domain: " + strings.Join(parts, " × ")
}

func optimizerItems(objectives int) []item {
	var items []item
	for _, s := range optimizers.Fitting(objectives) {
		it := item{value: s.Name, about: s.Summary}
		it.more = []string{s.Title, "", s.Summary + ".", "", "family: " + s.Family, "source: " + s.Source, "", "parameters:"}
		for _, d := range s.Declared(objectives) {
			it.more = append(it.more, fmt.Sprintf("  %s  %s", d.Label, d.Format(d.Default)))
		}
		items = append(items, it)
	}
	return items
}

func sessionItems(entries []sessions.Entry) []item {
	var items []item
	for _, e := range entries {
		it := item{value: e.Path}
		if e.Unreadable != "" {
			it.about = sessions.Sanitize(e.Name + "  cannot be read: " + e.Unreadable)
		} else {
			it.about = sessions.Sanitize(fmt.Sprintf("%s  %s · %s · %d steps", e.Name, e.Problem, e.Optimizer, e.Steps))
			if strings.Contains(e.Name, "-"+e.Optimizer+"-") { // a name that the program gave says all of it
				it.about = sessions.Sanitize(fmt.Sprintf("%s  %d steps", e.Name, e.Steps))
			}
		}
		it.more = []string{sessions.Sanitize(e.Name), "", it.about}
		items = append(items, it)
	}
	return items
}

func comparisonItems() []item {
	var items []item
	for _, c := range sessions.Comparisons() {
		it := item{value: c.Name, about: c.Title, more: []string{c.Title, "", c.About + ".", "", "source: " + c.Source, "on: " + c.Config.Problem, ""}}
		for _, p := range c.Panes {
			it.more = append(it.more, fmt.Sprintf("  %s (%s)", p.Title, p.Optimizer))
		}
		items = append(items, it)
	}
	return items
}

// selectValue puts a list's selection on a value.
func (m *Model) selectValue(f field, value string) {
	for i, it := range m.lists[f] {
		if it.value == value {
			m.selected[f] = i
		}
	}
}

// matches are the entries of a field's list that fit what was typed, the best first.
func (m *Model) matches(f field) []item {
	all := m.lists[f]
	text := m.inputs[f].Value()
	if base, _, ok := strings.Cut(text, ":"); ok && f == fieldFunction {
		text = base
	}
	if text == "" {
		return all
	}
	names := make([]string, len(all))
	for i, it := range all {
		names[i] = it.value
		if f == fieldSessions {
			names[i] = it.about
		}
	}
	var found []item
	for _, match := range fuzzy.Find(text, names) {
		found = append(found, all[match.Index])
	}
	return found
}

// isList reports whether a field is chosen from a list.
func isList(f field) bool {
	return f == fieldFunction || f == fieldOptimizer || apart(f)
}

// apart reports whether a field is no part of the form for a new session, but leads elsewhere.
func apart(f field) bool { return f == fieldSessions || f == fieldComparisons || f == fieldLessons }

// Resize tells the screen its window.
func (m *Model) Resize(w, h int) { m.width, m.height = w, h }

// Restyle tells the screen its colours and glyphs.
func (m *Model) Restyle(s theme.Style) { m.style = s }

// Init puts the cursor into the first field, and has the folder read.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.focus(fieldFunction), m.list()) }

func (m *Model) focus(f field) tea.Cmd {
	m.inputs[m.field].Blur()
	m.field = (f + fieldCount) % fieldCount
	m.reason = ""
	return m.inputs[m.field].Focus()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if done, ok := msg.(screen.DoneMsg); ok {
		if inner, ok := m.jobs.Take(done); ok {
			m.jobs.Finish()
			m.took(inner)
		}
		if inner, ok := m.shelf.jobs.Take(done); ok {
			m.shelf.jobs.Finish()
			return tea.Batch(m.shelved(inner), m.peek())
		}
		return nil
	}
	if tick, ok := msg.(screen.TickMsg); ok {
		return tea.Batch(m.jobs.Tick(tick), m.shelf.jobs.Tick(tick))
	}
	return tea.Batch(m.update(msg), m.peek())
}

// took takes what a job brought.
func (m *Model) took(msg tea.Msg) {
	switch msg := msg.(type) {
	case peekedMsg:
		m.peeked = msg.peeked
	case screen.PanicMsg:
		m.peeked = peeked{path: m.peeking, lines: []string{"cannot be read: " + sessions.Sanitize(msg.Reason)}}
	}
}

// Stop gives up what is read for the screen, and what is being done to a session.
func (m *Model) Stop() {
	m.jobs.Stop()
	m.shelf.jobs.Stop()
}

// update takes a message that is no result.
func (m *Model) update(msg tea.Msg) tea.Cmd {
	defer m.fit()
	press, ok := msg.(tea.KeyPressMsg)
	if m.prompt.Open() {
		if !ok {
			return m.prompt.Type(msg)
		}
		return m.prompt.Key(press)
	}
	if !ok {
		return m.edit(msg)
	}
	if off, _ := screen.Off(m, commands, press); off != "" {
		m.reason = off
		return nil
	}
	if off, bound := screen.Off(m, shelfCommands, press); bound && off != "" && !m.text(press) {
		m.reason = off
		return nil
	}
	if cmd, taken := m.shelfKey(press); taken {
		return cmd
	}
	n, said := len(m.matches(m.field)), m.reason
	m.reason = ""
	switch {
	case key.Matches(press, keys.Susp):
		return tea.Suspend
	case press.String() == "esc" && m.shelf.acting():
		return m.stop()
	case key.Matches(press, keys.Close):
		return screen.Want(screen.Close{})
	case key.Matches(press, keys.Next):
		return m.focus(m.field + 1)
	case key.Matches(press, keys.Prev):
		return m.focus(m.field - 1)
	case key.Matches(press, keys.Up):
		if !isList(m.field) {
			return m.focus(m.field - 1)
		}
		m.selected[m.field] = max(m.selected[m.field]-1, 0)
	case key.Matches(press, keys.Down):
		if !isList(m.field) {
			return m.focus(m.field + 1)
		}
		m.selected[m.field] = max(min(m.selected[m.field]+1, n-1), 0)
	case key.Matches(press, keys.Start):
		return m.start()
	case key.Matches(press, keys.Pick):
		return m.pick()
	default:
		m.reason = said
		return m.edit(msg)
	}
	return nil
}

// edit passes a message to the field that is typed into.
func (m *Model) edit(msg tea.Msg) tea.Cmd {
	if m.field == fieldStart {
		return nil
	}
	before, at := m.inputs[m.field].Value(), m.inputs[m.field].Position()
	var cmd tea.Cmd
	m.inputs[m.field], cmd = m.inputs[m.field].Update(msg)
	if m.inputs[m.field].Value() != before {
		m.reason = ""
		if isList(m.field) {
			m.selected[m.field] = 0
		}
	} else if press, ok := msg.(tea.KeyPressMsg); ok && m.inputs[m.field].Position() == at {
		m.reason = sessions.Sanitize(press.String()) + " has nothing to move over or to delete in what is typed here"
	}
	return cmd
}

// pick takes what is selected in the current field and goes on to the next.
func (m *Model) pick() tea.Cmd {
	switch m.field {
	case fieldStart:
		return m.start()
	case fieldSessions, fieldComparisons, fieldLessons:
		found := m.matches(m.field)
		if len(found) == 0 {
			m.reason = "there is nothing of this name here"
			return nil
		}
		value := found[min(m.selected[m.field], len(found)-1)].value
		switch m.field {
		case fieldComparisons:
			return screen.Want(screen.Stored{Name: value})
		case fieldLessons:
			return screen.Want(screen.Lesson{Name: value})
		}
		return screen.Want(screen.Resume{Path: value})
	}
	if err := m.take(m.field); err != nil {
		m.reason = err.Error()
		return nil
	}
	return m.focus(m.field + 1)
}

// take reads one field into the configuration.
func (m *Model) take(f field) error {
	text := strings.TrimSpace(m.inputs[f].Value())
	switch f {
	case fieldFunction:
		name, err := m.chosen(f)
		if err != nil {
			return err
		}
		p, err := functions.Find(name, m.config.Seed)
		if err != nil {
			return err
		}
		m.config.Problem = p.Name
	case fieldOptimizer:
		name, err := m.chosen(f)
		if err != nil {
			return err
		}
		if name != m.config.Optimizer {
			m.config.Params = nil
		}
		m.config.Optimizer = name
	case fieldSeed:
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("the seed must be a whole number from 0 to 18446744073709551615, got %q", text)
		}
		m.config.Seed = seed
	case fieldNoise:
		noise, err := strconv.ParseFloat(text, 64)
		if err != nil || !(noise >= 0 && noise < 1e300) {
			return fmt.Errorf("the noise is a standard deviation of at least 0, got %q", text)
		}
		m.config.Noise = noise
	case fieldCost:
		m.config.Cost = text
		if p, err := functions.Find(m.config.Problem, m.config.Seed); text != "" && err == nil {
			_, err = functions.ParseCost(text, p)
			return err
		}
	case fieldCostBudget:
		m.config.CostBudget = 0
		if text != "" {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || !(v > 0 && v < 1e300) {
				return fmt.Errorf("the budget in cost is a positive number, got %q", text)
			}
			m.config.CostBudget = v
		}
	case fieldBudget:
		m.config.Budget = 0
		if text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > 1_000_000 {
				return fmt.Errorf("the budget is a number of iterations from 1 to 1000000, got %q", text)
			}
			m.config.Budget = n
		}
	}
	return nil
}

// chosen is the entry that a list field stands on. A function may be typed with its dimension.
func (m *Model) chosen(f field) (string, error) {
	found := m.matches(f)
	text := strings.TrimSpace(m.inputs[f].Value())
	if len(found) == 0 {
		if f == fieldFunction {
			_, err := functions.Find(text, 0)
			return text, err
		}
		_, err := optimizers.Find(text)
		return text, err
	}
	name := found[min(m.selected[f], len(found)-1)].value
	if _, dim, ok := strings.Cut(text, ":"); ok && f == fieldFunction {
		return name + ":" + dim, nil
	}
	if base, _, _ := strings.Cut(m.config.Problem, ":"); f == fieldFunction && text == "" && base == name {
		return m.config.Problem, nil // keeps the dimension that it has
	}
	return name, nil
}

// start reads every field and asks for the new session; the first field that is wrong is shown with its reason.
func (m *Model) start() tea.Cmd {
	for _, f := range []field{fieldFunction, fieldOptimizer, fieldSeed, fieldNoise, fieldBudget, fieldCost, fieldCostBudget} {
		if err := m.take(f); err != nil {
			cmd := m.focus(f)
			m.reason = err.Error()
			return cmd
		}
	}
	return screen.Want(screen.Start{Config: m.config})
}
