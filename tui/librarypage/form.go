package librarypage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	"github.com/sahilm/fuzzy"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui/widget"
)

// field is one row of the form.
type field int

// The rows: first the lists of what can be opened, then the settings of a new session.
const (
	fieldLessons field = iota
	fieldExperiment
	fieldFunction
	fieldSessions
	fieldGallery
	fieldPlayground
	fieldComparisons
	fieldTrainings
	fieldStudies
	fieldOptimizer
	fieldSeed
	fieldNoise
	fieldBudget
	fieldCost
	fieldCostBudget
	fieldStart
	fieldCount
)

// fields are the rows of the form.
var fields = [fieldCount]struct {
	name  string
	about string                                     // the values of a field without a list
	list  bool                                       // it is chosen from a list
	read  func(m *form, text string) error           // reads the typed or chosen value into the configuration
	leads func(m *form, chosen string) widget.Action // to another place than a new session
}{
	fieldFunction:  {name: "test functions", list: true, read: (*form).readFunction},
	fieldOptimizer: {name: "optimizer", list: true, read: (*form).readOptimizer},
	fieldSeed: {name: "seed", read: (*form).readSeed,
		about: "A whole number that determines everything random in a session: the same seed gives the same session. If the function is a random draw, each seed is a different function."},
	fieldNoise: {name: "noise sd", read: (*form).readNoise,
		about: "The standard deviation of the Gaussian noise added to every observation, in the units of the objective. Regret is still computed from noise-free values."},
	fieldBudget: {name: "budget", read: (*form).readBudget,
		about: "The planned number of iterations T. It sets the size of the initial design. A run stops there; you can step further. If empty, it is the papers' value for the dimension."},
	fieldCost: {name: "cost", read: (*form).readCost,
		about: "The cost of an evaluation: an expression of the variables, such as 1 + exp(x1). It must be positive everywhere. If empty, it is the function's own cost, if it has one."},
	fieldCostBudget: {name: "cost budget", read: (*form).readCostBudget,
		about: "The total cost of the evaluations at which a run stops. If empty, there is no limit."},
	fieldStart: {name: "start", about: "Starts a session with these settings. The previous session stays on disk."},

	fieldExperiment: {name: "your own experiment", list: true, leads: (*form).declares},
	fieldSessions: {name: "saved sessions", list: true,
		leads: func(_ *form, path string) widget.Action { return widget.Resume{Path: path} }},
	fieldComparisons: {name: "comparisons", list: true,
		leads: func(_ *form, name string) widget.Action { return widget.PublishedStudy{Name: name} }},
	fieldPlayground: {name: "playground", list: true,
		leads: func(_ *form, preset string) widget.Action { return widget.Playground{Preset: preset} }},
	fieldTrainings: {name: "labs", list: true,
		leads: func(_ *form, name string) widget.Action { return widget.Training{Name: name} }},
	fieldStudies: {name: "studies", list: true,
		leads: func(_ *form, name string) widget.Action { return widget.Study{Name: name} }},
	fieldGallery: {name: "gallery", list: true,
		leads: func(_ *form, name string) widget.Action { return widget.Lesson{Name: name} }},
	fieldLessons: {name: "course", list: true,
		leads: func(_ *form, name string) widget.Action { return widget.Lesson{Name: name} }},
}

// leadsElsewhere reports whether a field is not part of the form for a new session, but leads to another place.
func leadsElsewhere(f field) bool { return fields[f].leads != nil }

// form is the settings of a new session, each field typed or chosen from a list that typing filters.
type form struct {
	config   sessions.Config
	field    field
	inputs   [fieldCount]textinput.Model
	lists    [fieldCount][]item
	selected [fieldCount]int
	fitting  methodFilter
	lessons  []library.LessonEntry // the course
	gallery  []library.LessonEntry
	progress lesson.Progress // in both

	experiment sessions.Config // that the form began with, if it is about one
}

// newForm is the form as the choices of a session fill it in.
func newForm(current sessions.Config) form {
	m := form{config: current, field: fieldFunction}
	for f := range m.inputs {
		in := textinput.New()
		in.Prompt = ""
		in.CharLimit = 256
		in.SetVirtualCursor(false)
		m.inputs[f] = in
	}
	m.inputs[fieldSeed].SetValue(strconv.FormatUint(current.Seed, 10))
	m.inputs[fieldNoise].SetValue(numfmt.Exact(current.Noise))
	m.inputs[fieldBudget].Placeholder = "by dimension"
	m.inputs[fieldCost].SetValue(current.Cost)
	if current.CostBudget > 0 {
		m.inputs[fieldCostBudget].SetValue(numfmt.Exact(current.CostBudget))
	}
	m.inputs[fieldCost].Placeholder = "function's own"
	m.inputs[fieldCostBudget].Placeholder = "none"
	m.lists[fieldFunction] = functionItems()
	if x := current.Experiment; x != nil {
		m.lists[fieldFunction], m.experiment = slices.Insert(m.lists[fieldFunction], 0, experimentItem(x.Problem())),
			current
	}
	m.lists[fieldExperiment] = declareItems(current.Experiment)
	m.lists[fieldComparisons] = comparisonItems()
	m.lists[fieldPlayground] = playgroundItems()
	m.lists[fieldTrainings] = trainingItems()
	m.lessons, m.gallery = library.Lessons(), library.Gallery()
	m.lists[fieldLessons], m.lists[fieldGallery] = lessonItems("lesson", m.lessons, nil), lessonItems("gallery", m.gallery, nil)
	m.selectValue(fieldFunction, strings.SplitN(current.Problem, ":", 2)[0])
	m.fit()
	m.selectValue(fieldOptimizer, current.Optimizer)
	return m
}

// selectValue puts a list's selection on a value.
func (m *form) selectValue(f field, value string) {
	for i, it := range m.lists[f] {
		if it.value == value {
			m.selected[f] = i
		}
	}
}

// matches are the entries of a field's list that match the typed text, the best first.
func (m *form) matches(f field) []item {
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
		switch f {
		case fieldSessions:
			names[i] = it.about
		case fieldLessons, fieldGallery:
			names[i] += " " + it.about
		}
	}
	var found []item
	for _, match := range fuzzy.Find(text, names) {
		found = append(found, all[match.Index])
	}
	return found
}

// on is the selected entry of a field's list; false if no entry matches the typed text.
func (m *form) on(f field) (item, bool) {
	found := m.matches(f)
	if len(found) == 0 {
		return item{}, false
	}
	return found[min(m.selected[f], len(found)-1)], true
}

// relist gives a field another list, and keeps the selected entry.
func (m *form) relist(f field, items []item) {
	before := ""
	if it, ok := m.on(f); ok {
		before = it.value
	}
	m.lists[f] = items
	found := m.matches(f)
	if i := slices.IndexFunc(found, func(it item) bool { return it.value == before }); i >= 0 {
		m.selected[f] = i
	} else {
		m.selected[f] = min(m.selected[f], max(len(found)-1, 0))
	}
}

// take reads one field into the configuration.
func (m *form) take(f field) error {
	if read := fields[f].read; read != nil {
		return read(m, strings.TrimSpace(m.inputs[f].Value()))
	}
	return nil
}

// declares leads to the form for an experiment, an empty one or one that is filled with that of the session.
func (m *form) declares(chosen string) widget.Action {
	from := m.config
	from.Experiment, from.ExperimentFile = nil, nil
	if chosen == likeThis {
		from = m.experiment
	}
	return widget.Declare{From: from}
}

func (m *form) readFunction(string) error {
	name, err := m.chosen(fieldFunction)
	if err != nil {
		return err
	}
	if x := m.experiment; x.Experiment != nil && name == x.Problem {
		m.config.Problem = x.Problem
		m.config.Experiment = x.Experiment
		m.config.ExperimentFile = x.ExperimentFile
		return nil
	}
	p, err := functions.Find(name, m.config.Seed)
	if err != nil {
		return err
	}
	m.config.Problem = p.Name
	m.config.Experiment = nil
	m.config.ExperimentFile = nil
	return nil
}

func (m *form) readOptimizer(string) error {
	name, err := m.chosen(fieldOptimizer)
	if err != nil {
		return err
	}
	if name != m.config.Optimizer {
		m.config.Params = nil
	}
	m.config.Optimizer = name
	return nil
}

func (m *form) readSeed(text string) error {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("the seed must be a whole number from 0 to 18446744073709551615, got %q", text)
	}
	m.config.Seed = seed
	return nil
}

func (m *form) readNoise(text string) error {
	noise, err := strconv.ParseFloat(text, 64)
	if err != nil || !(noise >= 0 && noise < 1e300) {
		return fmt.Errorf("the noise must be a standard deviation of at least 0, got %q", text)
	}
	m.config.Noise = noise
	return nil
}

func (m *form) readBudget(text string) error {
	m.config.Budget = 0
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return fmt.Errorf("the budget must be a whole number of iterations from 1 to 1000000, got %q", text)
	}
	m.config.Budget = n
	return nil
}

func (m *form) readCost(text string) error {
	m.config.Cost = text
	p, err := m.config.FindProblem()
	if text == "" || err != nil {
		return nil
	}
	_, err = functions.ParseCost(text, p)
	return err
}

func (m *form) readCostBudget(text string) error {
	m.config.CostBudget = 0
	if text == "" {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v < 1e300) {
		return fmt.Errorf("the cost budget must be a positive number, got %q", text)
	}
	m.config.CostBudget = v
	return nil
}

// chosen is the selected entry of a list field. A function may be typed with its dimension.
func (m *form) chosen(f field) (string, error) {
	it, ok := m.on(f)
	text := strings.TrimSpace(m.inputs[f].Value())
	if !ok {
		if f == fieldFunction {
			_, err := functions.Find(text, 0)
			return text, err
		}
		_, err := registry.Find(text)
		return text, err
	}
	name := it.value
	if _, dim, ok := strings.Cut(text, ":"); ok && f == fieldFunction {
		return name + ":" + dim, nil
	}
	if base, _, _ := strings.Cut(m.config.Problem, ":"); f == fieldFunction && text == "" && base == name {
		return m.config.Problem, nil // keeps the dimension that it has
	}
	return name, nil
}
