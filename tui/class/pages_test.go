package class

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions/classroom"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// A student answers by keys, changes the answer, and reads when it is too late.
func TestAnswerByKeys(t *testing.T) {
	s, belief := session(t, "forrester", "random", 3)
	c := newClass(t, 2)
	n, err := c.Ask(classroom.PointPrompt(s.State()))
	do(t, err)
	d := driver(t, NewAnswer(c, person(0), belief), 80, 24, dark)
	d.Shows("not answered yet; 0 of 2 have answered")
	ownValue := func() float64 {
		v, ok := c.State().Own(n, person(0))
		if !ok {
			t.Fatalf("there is no answer:\n%s", d.Text())
		}
		return v.Point[0]
	}
	d.Press("right", "right", "shift+left", "enter")
	if got := ownValue(); got != 0.42 {
		t.Errorf("the answer is %v, want 0.42", got)
	}
	d.Take(StateMsg{c.State()})
	d.Shows("answered; 1 of 2 have answered")
	d.Shows("■ your answer")
	d.Press("e")
	d.Write("0.875")
	d.Press("enter")
	assert.Equal(t, 0.875, ownValue(), "the changed answer")
	d.Press("e")
	d.Write("7")
	d.Shows("x must be in [0, 1], got 7")
	d.Press("esc")
	d.Press("1")
	d.Shows("move the cursor and press enter to answer")
	click(t, d, 0.25, func() float64 { return d.M.cursor.at[0] })
	do(t, c.Reveal(n))
	d.Press("enter") // the page does not know yet
	d.Shows("too late: question 1 is revealed")
	d.Take(StateMsg{c.State()})
	d.Shows("No question is open.")
	d.Press("enter")
	d.Shows("no question is open")
	d.Press("esc")
	for len(d.Actions) == 0 {
		d.Take(<-d.Msgs)
	}
	if !slices.Contains(d.Actions, widget.Action(widget.Close{})) {
		t.Errorf("esc asks for %v", d.Actions)
	}
}

// click presses the mouse where the first variable has a value, and compares with where the cursor is then.
func click[P widget.Page](t *testing.T, d *pagetest.Driver[P], want float64, got func() float64) {
	t.Helper()
	f := d.Arranged()
	for _, p := range f.Boxes {
		if p.Name != plotName || p.Value == nil {
			continue
		}
		for col := range p.W {
			v := p.Value(float64(col)+0.5, float64(p.H/2))
			next := p.Value(float64(col)+1.5, float64(p.H/2))
			if v == nil || next == nil || v[0] > want || next[0] < want {
				continue
			}
			d.Mouse(tea.MouseClickMsg{X: p.Area.Min.X + col, Y: p.Area.Min.Y + p.H/2, Button: tea.MouseLeft})
			if position := got(); position < v[0]-1e-3 || position > next[0] {
				t.Errorf("a click at %v puts the cursor to %v", v[0], position)
			}
			return
		}
	}
	t.Error("there is no plot to click on")
}

// What the optimizer would do is nowhere on the page of an open question, and is on that of the answers.
func TestAnswerIsNotGivenAway(t *testing.T) {
	for _, problem := range []string{"forrester", "branin"} {
		s, belief := session(t, problem, "gp-ei", 5)
		other := *belief
		next := []float64{0.123, 7.77}[:s.State().Problem.Dim()]
		p := *belief.Posterior
		p.Next = [][]float64{next}
		f := &p.Fields
		f[picture.AcquisitionField], f[picture.UsedField] = f[picture.SDField], f[picture.UpperField]
		f[picture.SampleField], f[picture.AllowedField] = f[picture.LowerField], f[picture.SDField]
		p.Samples = []picture.Field{f[picture.LowerField]}
		other.Posterior = &p
		c, n := asked(t, classroom.PointPrompt(s.State()), 6, points(s.State().Problem.Domain))
		show := func(b *Belief, revealed bool) string {
			var m widget.Page = NewAnswer(c, person(1), b)
			if revealed {
				m = NewReveal(c.State(), person(1), b)
			}
			m.Resize(120, 36)
			m.Restyle(dark)
			text := layout.Render(m.Frame(), 120, 36)
			for _, p := range layout.Arrange(m.Frame(), 120, 36).DescribedBoxes() {
				text += "\n" + p.Description()
			}
			return text
		}
		before := show(belief, false)
		if show(&other, false) != before {
			t.Errorf("%s: the page of the question depends on what the optimizer does next", problem)
		}
		for _, word := range []string{"next point", "acquisition", "suggest"} {
			if index := strings.Index(strings.ToLower(before), word); index >= 0 {
				t.Errorf("%s: the page says %q: %q", problem, word, before[max(index-60, 0):min(index+60, len(before))])
			}
		}
		do(t, c.Reveal(n))
		if show(&other, true) == show(belief, true) {
			t.Errorf("%s: the page of the answers does not show what the optimizer does", problem)
		}
	}
}

// A belief of another session is not drawn.
func TestBeliefOfAnotherSession(t *testing.T) {
	_, belief := session(t, "branin", "random", 2)
	s, _ := session(t, "forrester", "random", 2)
	c, _ := asked(t, classroom.PointPrompt(s.State()), 3, points(s.State().Problem.Domain))
	d := driver(t, NewAnswer(c, person(0), belief), 80, 24, dark)
	if text := d.Text(); strings.Contains(text, "x2") || !strings.Contains(text, "cursor") {
		t.Errorf("the page shows the other session:\n%s", text)
	}
	d.Press("right", "enter")
	if v, ok := c.State().Own(1, person(0)); !ok || len(v.Point) != 1 {
		t.Errorf("the answer is %v", v)
	}
}

// Options are chosen by their numbers.
func TestChoiceByKeys(t *testing.T) {
	c := newClass(t, 2)
	n, err := c.Ask(classroom.BandPrompt())
	do(t, err)
	d := driver(t, NewAnswer(c, person(1), nil), 80, 24, dark)
	d.Press("2", "3", "5")
	d.Shows("press a number from 1 to 3 to answer")
	d.Take(StateMsg{c.State()})
	d.Shows("▸ 3  it gets wider")
	if v, _ := c.State().Own(n, person(1)); v.Choice != 3 {
		t.Errorf("the answer is %d", v.Choice)
	}
}

// Of several variables one is selected and moved; levels are steps.
func TestCursorOverSeveralVariables(t *testing.T) {
	d := functions.Domain{{Name: "a", Low: 0, High: 10}, functions.NewOrdered("b", 1, 2, 5), functions.NewChoice("c",
		"red", "blue")}
	c := newCursor(d)
	do(t, d.Check(c.at))
	for _, k := range strings.Fields("up left down right right right shift+right down shift+left") {
		c.press(widget.KeyPress(k))
	}
	if !slices.Equal(c.at, []float64{4.9, 5, 0}) || c.selected != 2 {
		t.Errorf("the cursor is at %v, variable %d", c.at, c.selected)
	}
	do(t, c.parse("blue"), c.parse("1, 2, red"))
	for _, text := range []string{"1,2", "", "11, 2, red", "1, 3, red", "green"} {
		assert.Error(t, c.parse(text), "%q is a point", text)
	}
	if !slices.Equal(c.at, []float64{1, 2, 0}) {
		t.Errorf("the cursor is at %v", c.at)
	}
}

// A student races: evaluations cost budget, the function is hidden, and the end shows it with both beliefs.
func TestRaceByKeys(t *testing.T) {
	c := newClass(t, 2)
	d := driver(t, NewRace(c, person(0)), 120, 36, dark)
	d.Shows("No race has begun.")
	n, err := c.StartRace(classroom.RaceConfig{Function: "forrester", Seed: 2, Budget: 2, Methods: []string{"random"}})
	do(t, err, c.RunMethod(t.Context(), n, "random"))
	d.Take(StateMsg{c.State()})
	d.Shows("2 of 2 evaluations left")
	d.Press("enter")
	d.Shows("the value is 0.9093; 1 evaluation left") // sin(2) · 1²
	d.Take(StateMsg{c.State()})
	d.Press("shift+right", "enter")
	d.Take(StateMsg{c.State()})
	if text := d.Text(); strings.Contains(strings.ToLower(text), "forrester") || strings.Contains(text, "truth") {
		t.Errorf("the function is not hidden:\n%s", text)
	}
	d.Press("enter")
	d.Shows("your budget is used")
	do(t, c.EndRace(n))
	d.Take(StateMsg{c.State()})
	d.Settle()
	for _, want := range []string{"Forrester: after your evaluations", "Forrester: after those of random", "truth"} {
		d.Shows(want)
	}
	if b := d.M.beliefs; b[0] == nil || b[1] == nil || len(b[0].State.Iterations) != 2 {
		t.Errorf("the beliefs are %v", b)
	}
	explained.Check(t, "the end", d.M.Frame(), 120, 36)
}

// The variables of a hidden function have names that tell nothing.
func TestHiddenVariables(t *testing.T) {
	p := &functions.Problem{Domain: functions.Domain{{Name: "temperature", High: 1, Unit: "°C"}, {Name: "pressure", High: 2}}}
	if d := hidden(p); d[0].Name != "x1" || d[1].Name != "x2" || d[0].Unit != "" || p.Domain[0].Name != "temperature" {
		t.Errorf("the variables are %v", d)
	}
	p.Domain = p.Domain[:1]
	if d := hidden(p); d[0].Name != "x" {
		t.Errorf("the variable is %v", d)
	}
}

// The teacher does everything by name, and reads why something cannot be done now.
func TestPanelCommands(t *testing.T) {
	s, _ := session(t, "branin-currin", "mobo-rs-ts", 7)
	r := &room{Class: newClass(t, 4)}
	d := driver(t, NewPanel(r), 120, 36, dark)
	press := func(name, shows string) {
		t.Helper()
		d.Press(strings.ReplaceAll(name, " ", "_"))
		d.Take(StateMsg{r.Class.State()})
		d.Shows(shows)
	}
	press("ask where to evaluate next", "no session is open")
	press("reveal the answers", "no question is open")
	press("take the keyboard back", "you have the keyboard")
	r.session = s
	press("ask where to evaluate next", "question 1 is open")
	press("ask a question", "question 1 is open; reveal or close it first")
	press("close the question", "question 1 is closed")
	press("ask which of two outcomes", "question 2 is open")
	if q, _ := r.Class.State().Question(2); q.Kind != classroom.Pair {
		t.Errorf("question 2 is a %s", q.Kind)
	}
	d.Press("reveal_the_answers")
	for len(d.Actions) == 0 {
		d.Take(<-d.Msgs)
	}
	if q, _ := r.Class.State().Question(2); !q.Revealed || d.Actions[0] != (ShowAnswers{}) {
		t.Errorf("revealed %v, then %v", q.Revealed, d.Actions)
	}
	d.Take(StateMsg{r.Class.State()})
	press("close the question", "question 2 is closed")
	d.Press("ask_a_question")
	d.Write("Where?; here")
	d.Shows("a question has 2 to 6 options, got 1")
	d.Write("; *there")
	d.Take(StateMsg{r.Class.State()})
	if q, _ := r.Class.State().Question(3); q.Correct != 2 || !slices.Equal(q.Options, []string{"here", "there"}) {
		t.Errorf("question 3 is %+v", q.Prompt)
	}
	d.Press("down", "down")
	press("pass the keyboard", r.Class.State().People[2].Pseudonym+" is away")
	d.Press("down")
	press("pass the keyboard", r.Class.State().People[3].Pseudonym+" has the keyboard")
	assert.Equal(t, person(2), r.holder, "the keyboard is with")
	press("take the keyboard back", "you have the keyboard")
	d.Press("start_a_race")
	d.Write(" x")
	d.Shows(`no optimizer "x"`)
	d.Press("esc", "start_a_race")
	d.Shows("forrester 12")
	d.Press("enter")
	d.Take(StateMsg{r.Class.State()})
	if race, running := r.Class.State().RunningRace(); !running || race.Budget != 12 || len(race.Methods) != 0 {
		t.Errorf("the race is %+v", race)
	}
	press("start a race", "race 1 is running; end it first")
	d.Press("end_the_race")
	press("export the progress", "the progress is in class.csv")
	press("end the race", "no race is running")
	d.Shows("name of " + person(2))
	press("show or hide the names", r.Class.State().People[3].Pseudonym)
	press("show or hide the names", "name of "+person(2))
	press("disconnect the person", r.Class.State().People[3].Pseudonym+" is disconnected")
	assert.Equal(t, person(2), r.disconnected, "%q is disconnected", r.disconnected)
	d.Press("up")
	press("disconnect the person", r.Class.State().People[2].Pseudonym+" is away")
	if press("clear unused names", "3 names can be used again"); r.cleared != 1 {
		t.Errorf("names are cleared %d times", r.cleared)
	}
}

// A race is parsed as it is typed.
func TestParseRace(t *testing.T) {
	r, err := parseRace("branin 7 gp-ei random", 2)
	if err != nil || r.Function != "branin" || r.Budget != 7 || r.Seed != 3 || len(r.Methods) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, text := range []string{"", "branin", "branin x", "branin 0", "nothing 7", "branin 7 a a"} {
		_, err = parseRace(text, 0)
		assert.Error(t, err, "%q is a race", text)
	}
}

// A failed act is said, and the page goes on.
func TestFailedActIsSaid(t *testing.T) {
	c := newClass(t, 1)
	_, err := c.Ask(classroom.BandPrompt())
	do(t, err)
	d := driver(t, NewAnswer(failing{c}, person(0), nil), 80, 24, dark)
	d.Press("1")
	d.Shows("the disk is full")
	d.Press("2")
	d.Shows("the disk is full")
}

type failing struct{ *classroom.Class }

func (failing) Answer(int, string, classroom.Value) error { return errors.New("the disk is full") }

// The table scrolls to other people and lessons.
func TestProgressScrolls(t *testing.T) {
	c := studied(t)
	d := driver(t, NewProgress(c.State()), 80, 24, dark)
	first := c.State().People[1].Pseudonym
	d.Shows(first)
	d.Shows("acquisition")
	d.Press("down", "down", "right")
	if text := d.Text(); strings.Contains(text, first) || strings.Contains(text, " acquisition") {
		t.Errorf("nothing has scrolled:\n%s", text)
	}
	d.Press("up", "up", "left")
	d.Shows(first)
}

// oddNumbers and oddTexts are what a file may hold.
var (
	oddNumbers = []float64{0, 1, -1, 1e-300, -1e-300, 1e300, -1e300, 1e-9, 3, 2, 100, 0.5, 1 << 40}
	oddTexts   = []string{"x", "a\x1b[31mb", "b\u202ec", "x\ny", "%d a=1", "é̀", "日本語の名前", strings.Repeat("long ", 15),
		"\a", "=1+1", "<b>", "1 2 3"}
)

// oddPrompt is a question of random parts, most of them odd.
func oddPrompt(rng *rand.Rand) classroom.Prompt {
	pick := func() float64 { return oddNumbers[rng.IntN(len(oddNumbers))] }
	text := func() string { return oddTexts[rng.IntN(len(oddTexts))] }
	switch p := (classroom.Prompt{Text: text(), Kind: classroom.Choice}); rng.IntN(4) {
	case 0:
		for range rng.IntN(7) {
			p.Options = append(p.Options, text())
		}
		p.Correct = rng.IntN(4)
		return p
	case 1:
		p.Kind, p.Pair = classroom.Pair, &classroom.OutcomePair{First: classroom.Outcome{Step: 1}, Second: classroom.Outcome{Step: 2}}
		for range 1 + rng.IntN(4) {
			p.Pair.Objectives = append(p.Pair.Objectives, functions.Objective{Name: text(), Unit: text()})
			p.Pair.First.Values = append(p.Pair.First.Values, pick())
			p.Pair.Second.Values = append(p.Pair.Second.Values, pick())
		}
		return p
	default:
		p.Kind = classroom.Point
		for range 1 + rng.IntN(4) {
			v := functions.Variable{Name: text(), Low: pick(), High: pick(), Step: max(pick(),
				0) * float64(rng.IntN(2))}
			switch rng.IntN(5) {
			case 0:
				v.Scale = functions.Log
			case 1:
				v = functions.NewChoice(text(), text(), text())
			case 2:
				v = functions.NewOrdered(text(), pick(), pick(), pick())
			case 3:
				v.Kind = functions.Integer
			}
			p.Variables = append(p.Variables, v)
		}
		return p
	}
}

// Whatever question the class accepts, its pages show it: every number explained, and no character that could control
// the terminal.
func TestOddQuestions(t *testing.T) {
	rng, accepted := rand.New(rand.NewPCG(7, 8)), map[classroom.Kind]int{}
	for range 3000 {
		p := oddPrompt(rng)
		c := newClass(t, 2)
		n, err := c.Ask(p)
		if err != nil {
			continue
		}
		accepted[p.Kind]++
		v := classroom.Value{Choice: 1}
		if p.Kind == classroom.Point {
			v = classroom.Value{Point: newCursor(p.Variables).at}
		}
		require.NoError(t, c.Answer(n, person(0), v), "%+v: the middle is no answer", p)
		open := NewAnswer(c, person(0), nil)
		open.Resize(100, 30)
		open.Restyle(dark)
		for _, k := range strings.Fields("left shift+right up down shift+up shift+left shift+left right") {
			open.Update(widget.KeyPress(k))
			if p.Kind == classroom.Point {
				require.NoError(t, p.Variables.Check(open.cursor.at), "%+v after %s", p.Variables, k)
			}
		}
		shown := []*layout.Box{open.Frame()}
		do(t, c.Reveal(n))
		reveal := NewReveal(c.State(), person(0), nil)
		reveal.Resize(100, 30)
		reveal.Restyle(dark)
		for _, frame := range append(shown, reveal.Frame()) {
			for _, lack := range explained.Undescribed(frame, 100, 30) {
				t.Errorf("%+v: %s", p, lack)
			}
			text := layout.Render(frame, 100, 30)
			for _, f := range layout.Arrange(frame, 100, 30).DescribedBoxes() {
				text += f.Description()
			}
			if strings.ContainsAny(text, "\a\u202e") || strings.Contains(text, "[31mb") && !strings.Contains(text,
				"␛[31mb") {
				t.Fatalf("%+v: the screen has what the question sent", p)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if accepted[classroom.Point] < 25 || accepted[classroom.Pair] < 25 || accepted[classroom.Choice] < 25 {
		t.Errorf("the class accepted %v", accepted)
	}
}
