// Package results is the mode in which a person reports the results of pending points: the values of the objectives
// with their standard errors, the actual inputs, the cost, the reason of a failure, a note. Reported results change the
// session; unreported input stays in the form, point by point. The package also draws the list of pending points beside
// the picture. List and form do not use the table of Bubbles: their rows differ in height, and each is a box with its
// description.
package results

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// Form takes the results of pending points.
type Form struct {
	mode.WholeSide
	drafts  map[string]*draft // by the names of the points
	of      string            // the name of the current point
	at      int               // the current field, among its rows
	input   mode.Field
	open    bool
	confirm widget.Confirmation
	doubts  string     // warnings that need a confirmation
	saving  string     // the name of the point that is being reported, empty for none
	store   draftStore // keeps drafts after the end of the program
}

// Tell reports the result of one pending point, as an event of the session.
type Tell struct {
	ID      string // of the iteration
	Point   int    // of its batch, from 0
	Outcome functions.Outcome
}

// New makes an empty form.
func New() mode.Mode { return newForm() }

func newForm() *Form {
	return &Form{WholeSide: mode.WholeSide{Rest: 9, Flex: 11, Max: 72}, drafts: map[string]*draft{}, input: mode.NewField(4096)}
}

// turn is one call of the form.
type turn struct {
	*Form
	*mode.Turn
}

var commands = []widget.Command[turn]{
	{Binding: widget.Bind("enter", "next field, report after the last", "enter"), Do: turn.enter},
	widget.NewCommand(widget.Bind("tab", "next field", "tab"), nil, func(t turn) tea.Cmd { return t.move(+1) }),
	widget.NewCommand(widget.Bind("shift+tab", "previous field", "shift+tab"), nil, func(t turn) tea.Cmd {
		return t.move(-1)
	}),
	widget.NewCommand(widget.Bind("up/down", "another point", "up"), turn.onlyPoint, func(t turn) tea.Cmd {
		return t.another(-1)
	}),
	widget.NewCommand(widget.Bind("", "another point", "down"), turn.onlyPoint, func(t turn) tea.Cmd {
		return t.another(+1)
	}),
	{Binding: widget.Bind("left/right", "change the choice, move in the text", "left", "right"), Do: turn.sideways},
	{Binding: widget.Bind("ctrl+s", "report", "ctrl+s"), Do: turn.tell},
	widget.NewCommand(widget.Bind("ctrl+x", "correct a reported result", "ctrl+x"), turn.noneReported,
		turn.correct),
	{Binding: widget.Bind("ctrl+k", "discard the point", "ctrl+k"), DisabledReason: turn.notPending, Do: turn.reject},
	widget.NewCommand(widget.Bind("esc", "leave", "esc", "ctrl+c"), nil, turn.leave),
	{Binding: widget.Bind("f1", "help")},
}

// Bindings are the keys of the form.
func Bindings() []key.Binding { return widget.Bindings(commands) }

// Title names the mode.
func (f *Form) Title() string { return "the results form" }

// Typing reports that keys are text.
func (f *Form) Typing() bool { return true }

// Keys are the current keys.
func (f *Form) Keys(s mode.Scene) []widget.Key {
	return widget.Keys(turn{f, &mode.Turn{Scene: s}}, commands)
}

// Hints are the most useful keys.
func (f *Form) Hints(s mode.Scene) []key.Binding {
	keys := "enter ctrl+s esc tab f1"
	if len(Pending(s.State)) > 1 {
		keys = "enter ctrl+s up/down esc tab f1"
	}
	t := turn{f, &mode.Turn{Scene: s}}
	if p, ok := t.point(); ok {
		d := t.draft(p)
		if _, chosen := d.rows[t.at].nextChoice(s.State.Problem, d.texts[t.at], 0); chosen {
			keys = "left/right " + keys
		}
	}
	return widget.BindingsFor(commands, keys)
}

// Advice says which fields can stay empty.
func (f *Form) Advice() string {
	return "leave unknown fields empty; the point stays pending until they are reported"
}

// Start opens the newest point if a person chose it, otherwise the last one in the form, or the oldest one.
func (f *Form) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	list := Pending(s.State)
	if len(list) == 0 {
		return nil, []widget.Action{mode.Say{Text: NonePending}}
	}
	t := turn{f, &mode.Turn{Scene: s}}
	f.open = true
	f.saving = ""
	f.doubts = ""
	f.confirm = widget.Confirmation{}
	p := list[max(find(list, f.of), 0)]
	if last := list[len(list)-1]; last.By == sessions.ByPerson && f.drafts[last.name()] == nil {
		p = last
	}
	t.Request(mode.Enter{Mode: f})
	return tea.Batch(t.show(p, 0), f.store.load(s.State.Path)), t.Actions
}

// NonePending says that there are no pending points.
const NonePending = "there are no pending points; press space for the next point, or x to choose one"

// Update takes a key, pasted text, and the result of a report.
func (f *Form) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	t := turn{f, &mode.Turn{Scene: s}}
	if !f.open {
		return nil, nil
	}
	return t.take(msg), t.Actions
}

func (t turn) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case mode.Changed:
		return t.reportDone(msg.Err)
	case loadedMsg:
		return t.loaded(msg)
	case savedMsg:
		return t.Fail(msg.err)
	case tea.PasteMsg:
		return t.write(msg)
	case tea.KeyPressMsg:
		t.confirm.Pressed(msg)
		if cmd, taken := mode.Press(t.Turn, t, commands, msg); taken {
			return cmd
		}
		return t.write(msg)
	}
	return nil
}

// write passes a key or pasted text to the field.
func (t turn) write(msg tea.Msg) tea.Cmd {
	p, ok := t.point()
	if !ok {
		return nil
	}
	d := t.draft(p)
	if key, ok := msg.(tea.KeyPressMsg); ok && key.Text != "" && d.rows[t.at].field == actualInput &&
		d.texts[t.at] == d.reported[t.at] {
		t.input.Begin("") // the first digit starts a new value
	}
	cmd, _ := t.input.Take(msg, func(text string) error {
		_, err := d.rows[t.at].read(t.State.Problem, text)
		return err
	})
	if d.texts[t.at] == t.input.Text() {
		return cmd
	}
	d.texts[t.at] = t.input.Text()
	return tea.Batch(cmd, t.saveDrafts())
}

// point is the current point; false if it is no longer pending.
func (t turn) point() (Point, bool) {
	list := Pending(t.State)
	i := find(list, t.of)
	if i < 0 {
		return Point{}, false
	}
	return list[i], true
}

// draft is the draft of a point, made again when its missing values change.
func (t turn) draft(p Point) *draft {
	d := t.drafts[p.name()]
	instead := d != nil && d.correcting
	if rows := rowsFor(t.State, p, instead); d == nil || !slices.Equal(d.rows, rows) {
		d = newDraft(t.State, rows, p, d, instead)
		t.drafts[p.name()] = d
	}
	return d
}

// show goes to a field of a point.
func (t turn) show(p Point, index int) tea.Cmd {
	d := t.draft(p)
	t.of, t.at = p.name(), min(max(index, 0), len(d.rows)-1)
	return t.input.Begin(d.texts[t.at])
}

// move goes to another field.
func (t turn) move(delta int) tea.Cmd {
	p, ok := t.point()
	if !ok {
		return t.gone()
	}
	n := len(t.draft(p).rows)
	return t.show(p, (t.at+delta+n)%n)
}

// enter goes to the next field, and reports after the last one.
func (t turn) enter(msg tea.KeyPressMsg) tea.Cmd {
	p, ok := t.point()
	switch {
	case !ok:
		return t.gone()
	case t.at == len(t.draft(p).rows)-1:
		return t.tell(msg)
	}
	return t.move(+1)
}

// sideways sets the next choice, or moves the cursor in the text.
func (t turn) sideways(msg tea.KeyPressMsg) tea.Cmd {
	p, ok := t.point()
	if !ok {
		return t.gone()
	}
	d, step := t.draft(p), +1
	if msg.String() == "left" {
		step = -1
	}
	text, chosen := d.rows[t.at].nextChoice(t.State.Problem, d.texts[t.at], step)
	if !chosen {
		return t.write(msg)
	}
	d.texts[t.at] = text
	return tea.Batch(t.input.Begin(text), t.saveDrafts())
}

func (t turn) onlyPoint() string {
	return widget.Why(len(Pending(t.State)) < 2, "there is no other pending point")
}

// another goes to another point, and keeps the draft.
func (t turn) another(delta int) tea.Cmd {
	list := Pending(t.State)
	n := len(list)
	return t.show(list[(find(list, t.of)+delta+n)%n], t.at)
}

// gone says that the point is no longer pending, and goes to the next one.
func (t turn) gone() tea.Cmd {
	t.Say("this point is no longer pending")
	return t.next()
}

// next goes to the next pending point, or leaves if there is none.
func (t turn) next() tea.Cmd {
	list := Pending(t.State)
	if len(list) == 0 {
		t.close()
		return t.Request(mode.Leave{})
	}
	return t.show(list[(find(list, t.of)+1)%len(list)], 0)
}

func (f *Form) close() {
	f.open = false
	f.input.Close()
}

// leave leaves the mode. The drafts are kept.
func (t turn) leave() tea.Cmd {
	t.close()
	for _, p := range Pending(t.State) {
		if d := t.drafts[p.name()]; d != nil && d.typed() {
			stays := "until the program ends"
			if t.State.Path != "" && !t.State.ReadOnly {
				stays = "in a file beside the session"
			}
			t.Say("your input is kept " + stays + "; press enter to continue")
			break
		}
	}
	return t.Request(mode.Leave{})
}

// tell requests to report the entered result. An unlikely value needs a confirmation.
func (t turn) tell(msg tea.KeyPressMsg) tea.Cmd {
	p, ok := t.point()
	switch {
	case t.saving != "":
		return nil
	case !ok:
		return t.gone()
	}
	d := t.draft(p)
	result, wrong, err := d.result(t.State.Problem)
	if err != nil {
		t.Fail(err)
		return t.show(p, wrong)
	}
	outcome, list, err := acts.ReadOutcome(t.State, p.X(), result)
	if err != nil {
		return t.Fail(err)
	}
	if d.correcting && outcome.At == nil {
		outcome.At = p.X() // as reported before
	}
	if doubts := strings.Join(list, "; "); doubts != "" &&
		!(t.confirm.Confirmed(msg) && t.doubts == doubts) {
		t.doubts = doubts
		return t.Fail(fmt.Errorf("%s; press %s again to report it", doubts, msg))
	}
	t.saving = p.name()
	if d.correcting {
		return t.Request(Correction{Tell{p.ID, p.Index, outcome}, strings.TrimSpace(d.texts[len(d.texts)-1])})
	}
	return t.Request(Tell{p.ID, p.Index, outcome})
}

// reportDone goes to the next point after a report; after an error it keeps the draft.
func (t turn) reportDone(err error) tea.Cmd {
	was := t.saving
	t.saving, t.doubts = "", ""
	if was == "" || err != nil {
		return nil
	}
	delete(t.drafts, was)
	return tea.Batch(t.saveDrafts(), t.next())
}

// Doing names the change.
func (Tell) Doing() string { return "reporting" }

// Do reports the result.
func (r Tell) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	it := sessions.Iteration{ID: r.ID, Points: make([]sessions.Point, r.Point+1)}
	for _, p := range Pending(s.State()) {
		if p.ID == r.ID {
			it = p.Iteration
		}
	}
	it, err := acts.TellOutcome(s, it, r.Point, r.Outcome)
	if err != nil {
		return "", err
	}
	problem := s.State().Problem
	text := "reported; " + nextPending(it)
	if !it.Incomplete() {
		text = widget.DescribeIteration(problem, it)
	}
	if err := problem.CheckConstraints(it.Points[r.Point].X); err != nil {
		text += "; it violates " + err.Error()
	}
	return text, nil
}

// nextPending names the missing values of an iteration.
func nextPending(it sessions.Iteration) string {
	var parts []string
	for _, p := range pointsFor(it, true) {
		parts = append(parts, fmt.Sprintf("point %s still needs %s", p.Label(), strings.Join(it.Points[p.Index].Missing,
			", ")))
	}
	return strings.Join(parts, "; ")
}
