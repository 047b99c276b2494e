package classroom

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// The distribution of points has the quantiles of numpy.quantile (numpy 2.1, method "linear").
func TestPointResult(t *testing.T) {
	c := started(t, 7)
	n, err := c.Ask(where)
	do(t, err)
	for i, x := range []float64{0.1, 0.9, 0.4, 0.2, 0.7, 0.3} {
		do(t, c.Answer(n, person(i), Value{Point: []float64{x, 20 + 60*x}}))
	}
	assert.Error(t, c.Answer(n, person(6), Value{Point: []float64{1.1, 30}}), "a point outside is an answer")
	_, err = c.State().Result(n)
	assert.Error(t, err, "the result is there before it is revealed")
	do(t, c.Reveal(n))
	r, err := c.State().Result(n)
	do(t, err)
	near := func(q, want Quantiles) bool {
		return math.Abs(q.Min-want.Min)+math.Abs(q.Lower-want.Lower)+math.Abs(q.Median-want.Median)+
			math.Abs(q.Upper-want.Upper)+math.Abs(q.Max-want.Max) < 1e-9
	}
	if len(r.Quantiles) != 2 || !near(r.Quantiles[0], Quantiles{0.1, 0.225, 0.35, 0.625, 0.9}) ||
		!near(r.Quantiles[1], Quantiles{26, 33.5, 41, 57.5, 74}) {
		t.Errorf("the quantiles are %v", r.Quantiles)
	}
	if len(r.Answers) != 6 || r.Answers[1].Pseudonym != c.State().People[2].Pseudonym || r.Answers[1].Point[0] != 0.9 {
		t.Errorf("the answers are %v", r.Answers)
	}
	if text := r.Markdown(); !strings.Contains(text, "x: median 0.35, half of the answers from 0.225 to 0.625") ||
		!strings.Contains(text, r.Answers[1].Pseudonym+": x = 0.9, temperature = 74") {
		t.Errorf("the note is\n%s", text)
	}
}

// Shares and the entropy are those of the counts; a right option is known.
func TestChoiceResult(t *testing.T) {
	c := started(t, 8)
	n, err := c.Ask(prompt)
	do(t, err)
	for i, choice := range []int{1, 1, 2, 1, 3, 2, 1, 3} {
		do(t, c.Answer(n, person(i), Value{Choice: choice}))
	}
	do(t, c.Reveal(n))
	r, err := c.State().Result(n)
	do(t, err)
	if !reflect.DeepEqual(r.Counts, []int{4, 2, 2}) || r.Entropy != 1.5 || r.CorrectShare != 0.5 || r.Share(3) != 0.25 {
		t.Errorf("counts %v, entropy %v, right %v", r.Counts, r.Entropy, r.CorrectShare)
	}
	do(t, c.CloseQuestion(n))
	n, err = c.Ask(which)
	do(t, err, c.Reveal(n))
	if r, err = c.State().Result(n); err != nil || !math.IsNaN(r.Entropy) || r.Share(1) != 0 ||
		!strings.Contains(r.Markdown(), "Nobody answered.") {
		t.Errorf("without an answer: %v, %v", r.Entropy, err)
	}
	do(t, c.CloseQuestion(n))
	n, err = c.Ask(which)
	do(t, err)
	for i, choice := range []int{First, Second, CannotTell, CannotTell} {
		do(t, c.Answer(n, person(i), Value{Choice: choice}))
	}
	do(t, c.Reveal(n))
	if r, err = c.State().Result(n); err != nil || r.Entropy != 1 || !math.IsNaN(r.CorrectShare) {
		t.Errorf("of a pair: entropy %v, %v", r.Entropy, err)
	}
}

// meanWeight is the mean of the first weight in the learned posterior, among linear scalarizations: in those of
// Tchebyshev a smaller weight asks for more.
func meanWeight(s *sessions.Session) (mean float64) {
	sum := 0.0
	for _, p := range weights.LearnPosterior(s.State().Input()).Particles {
		if p.Kind != weights.Linear {
			continue
		}
		mean, sum = mean+p.Mass*p.Weights[0], sum+p.Mass
	}
	return mean / sum
}

// 20 people who prefer the outcome that is better in the first objective move the prior to that objective; each answer
// names its author, and the note says who said what.
func TestClassMovesThePrior(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ts", Seed: 2,
		Budget: 10})
	do(t, err)
	for range 6 {
		_, err := s.Step(t.Context(), nil)
		do(t, err)
	}
	st := s.State()
	best := func(k int) Outcome { // the best outcome of an objective
		o := Outcome{}
		for _, it := range st.Iterations {
			if y := it.Points[0].Y; o.Step == 0 || y[k] < o.Values[k] {
				o = Outcome{Step: it.Step, Values: y}
			}
		}
		return o
	}
	c := started(t, 20)
	n, err := c.Ask(Prompt{Kind: Pair, Text: "Which *one*?", Pair: &OutcomePair{Objectives: st.Problem.Objectives,
		First: best(0), Second: best(1)}})
	do(t, err)
	for i := range 20 {
		do(t, c.Answer(n, person(i), Value{Choice: First}))
	}
	do(t, c.Reveal(n))
	r, err := c.State().Result(n)
	do(t, err)
	before := meanWeight(s)
	do(t, RecordPreferences(s, r, sessions.ViaWeb), WriteNote(s, r))
	if after := meanWeight(s); after < before+0.15 || after < 0.65 {
		t.Errorf("the mean weight of the first objective goes from %.3f to %.3f", before, after)
	}
	entries := map[string]bool{}
	for _, con := range s.Contributions() {
		if con.Kind == sessions.AuthorClass && con.Via == sessions.ViaWeb {
			entries[con.Name] = true
		}
	}
	if len(entries) != 20 || len(s.State().Answers) != 20 || !entries[r.Answers[7].Pseudonym] {
		t.Errorf("%d authors of %d answers", len(entries), len(s.State().Answers))
	}
	if note := s.State().LastNote(); !strings.Contains(note.Text, `Which \*one\*?`) ||
		!strings.Contains(note.Text, "the first: 20 of 20") || !strings.Contains(note.Text, "disagreement: 0 bits") ||
		!strings.Contains(note.Text, r.Answers[3].Pseudonym+": the first") || note.Step != 6 {
		t.Errorf("the note on step %d is\n%s", note.Step, note.Text)
	}
	every := Result{Question: r.Question}
	for choice := First; choice <= CannotTell; choice++ {
		every.Answers = append(every.Answers, NamedAnswer{"heron", Value{Choice: choice}})
	}
	do(t, RecordPreferences(s, every, sessions.ViaSSH))
	text := ""
	for _, a := range s.State().Answers[20:] {
		text += a.Choice + " "
	}
	assert.Equal(t, "a b tie unsure ", text, "the four answers are recorded as")
	assert.Error(t, RecordPreferences(s, Result{Question: Question{Prompt: prompt}}, ""), "a choice is a preference")
}

// The board has the regrets by their definition, places with ties, and nobody beyond the budget.
func TestRace(t *testing.T) {
	c := started(t, 4)
	n, err := c.StartRace(RaceConfig{Function: "forrester", Seed: 1, Budget: 3, Methods: []string{"random"}})
	do(t, err)
	problem, err := functions.Find("forrester", 1)
	do(t, err)
	f := func(x float64) float64 { return math.Pow(6*x-2, 2) * math.Sin(12*x-4) } // Forrester et al. 2008, p. 83
	y, left, err := c.Evaluate(n, person(0), []float64{0.7})
	do(t, err)
	if math.Abs(y-f(0.7)) > 1e-12 || left != 2 {
		t.Errorf("f(0.7) = %v with %d left, want %v", y, left, f(0.7))
	}
	for _, x := range []float64{0.2, 0.757} {
		_, left, err = c.Evaluate(n, person(0), []float64{x})
		do(t, err)
	}
	if _, _, err := c.Evaluate(n, person(0), []float64{0.757}); left != 0 || !errors.Is(err, ErrTooLate) {
		t.Errorf("beyond the budget, %d left: %v", left, err)
	}
	for i := 1; i < 3; i++ {
		_, _, err = c.Evaluate(n, person(i), []float64{0.75})
		do(t, err)
	}
	_, _, err = c.Evaluate(n, person(1), []float64{2})
	assert.Error(t, err, "a point outside is evaluated")
	_, err = c.StartRace(RaceConfig{Function: "branin", Budget: 3})
	assert.Error(t, err, "two races run at once")
	board, err := c.State().Board(n)
	do(t, err)
	var places []string
	for _, s := range board {
		places = append(places, fmt.Sprint(s.Place, s.Name == c.State().People[1].Pseudonym, len(s.Regret)))
	}
	assert.Equal(t, "1 true 3 2 false 1 2 false 1 0 false 0 0 false 0", strings.Join(places, " "), "the board")
	optimum := problem.Optimum().Value
	for k, want := range []float64{f(0.7) - optimum, f(0.7) - optimum, f(0.757) - optimum} {
		assert.InDelta(t, want, board[0].Regret[k], 1e-9, "regret %d", k)
	}
	do(t, c.EndRace(n))
	_, _, err = c.Evaluate(n, person(3), []float64{0.3})
	assert.ErrorIs(t, err, ErrTooLate, "after the end: %v", err)
	do(t, c.RunMethod(t.Context(), n, "random")) // ends at once
}

// A method's run is that of a session, is recorded once over restarts, and its belief can be seen again.
func TestRaceMethods(t *testing.T) {
	c := started(t, 1)
	n, err := c.StartRace(RaceConfig{Function: "forrester", Seed: 5, Budget: 4, Methods: []string{"random"}})
	do(t, err)
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 5, Budget: 4})
	do(t, err)
	for range 4 {
		_, err := s.Step(t.Context(), nil)
		do(t, err)
	}
	stop := errors.New("stop")
	k := 0
	r, _ := c.State().Race(n)
	if err := RunMethod(t.Context(), r.RaceConfig, "random", func(e Evaluation) error {
		do(t, c.record(func(State) (change, error) {
			return &evaluatedData{Race: n, Method: "random", X: e.X, Y: e.Y}, nil
		}))
		if k++; k == 2 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	do(t, c.RunMethod(t.Context(), n, "random"))
	r, _ = c.State().Race(n)
	evals := r.MethodEvaluations("random")
	for i, it := range s.State().Iterations {
		if len(evals) != 4 || evals[i].X[0] != it.Points[0].X[0] || evals[i].Y != it.Points[0].Y[0] {
			t.Fatalf("evaluation %d is %v, want %v", i, evals, it.Points[0])
		}
	}
	again, err := Replay(t.Context(), r.RaceConfig, "gp-ei", evals[:3])
	do(t, err)
	if st := again.State(); len(st.Iterations) != 3 || st.Iterations[2].Points[0].Y[0] != evals[2].Y ||
		st.Spec.Name != "gp-ei" {
		t.Errorf("%d results under %s", len(st.Iterations), st.Spec.Name)
	}
	for name, r := range map[string]RaceConfig{
		"two objectives": {Function: "schaffer", Budget: 3}, "no function": {Function: "nothing", Budget: 3},
		"no budget": {Function: "branin"}, "no method": {Function: "branin", Budget: 3, Methods: []string{"magic"}},
		"twice": {Function: "branin", Budget: 3, Methods: []string{"random", "random"}},
	} {
		do(t, func() error {
			_, running := c.State().RunningRace()
			if running {
				return c.EndRace(n)
			}
			return nil
		}())
		_, err = c.StartRace(r)
		assert.Error(t, err, "%s: the race starts", name)
	}
}

// First answers count, pages only grow, and the worst question is first.
func TestProgress(t *testing.T) {
	c := started(t, 3)
	read := func(i int, lesson string, page int) {
		do(t, c.Record(person(i), LessonStep{Lesson: lesson, Page: page, Pages: 4}))
	}
	answer := func(i int, lesson string, page int, right bool) {
		do(t, c.Record(person(i), LessonStep{Lesson: lesson, Page: page, Pages: 4, Answered: true, Correct: right}))
	}
	read(0, "gp", 4)
	_, lines := c.Lines(0)
	read(0, "gp", 2)
	if _, n := c.Lines(0); n != lines {
		t.Error("a page is recorded twice")
	}
	answer(0, "gp", 2, false)
	answer(0, "gp", 2, true)
	answer(1, "gp", 2, true)
	answer(1, "gp", 3, false)
	answer(2, "ei", 1, false)
	answer(2, "gp", 3, false)
	do(t, c.Record(person(1), LessonStep{Lesson: "ei", Exercise: true}))
	p := c.State().Progress()
	if got := fmt.Sprint(p.Lessons,
		p.Readings); got != "[ei gp] [{1 gp 4 4 0 1 false} {2 ei 0 0 0 0 true} {2 gp 3 4 1 1 false} {3 ei 1 4 0 1 false} {3 gp 3 4 0 1 false}]" || !p.Readings[0].Read() || p.Readings[2].Read() {
		t.Errorf("the readings are %s", got)
	}
	assert.Equal(t, "[{gp 3 2 2} {ei 1 1 1} {gp 2 2 1}]", fmt.Sprint(p.Questions), "the questions")
}

// The table is RFC 4180, and no cell is a formula.
func TestCSV(t *testing.T) {
	c := started(t, 2)
	do(t, c.Record(person(0), LessonStep{Lesson: "=1+1", Page: 2, Pages: 4}))
	n, err := c.Ask(prompt)
	do(t, err, c.Answer(n, person(0), Value{Choice: 1}), c.Answer(n, person(0), Value{Choice: 2}))
	var b bytes.Buffer
	do(t, c.State().CSV(&b, func(id string) string {
		return map[string]string{"boss": "@SUM(A1)", person(0): "O'Neil, \"Jo\"\nx", person(1): "-2+3"}[id]
	}))
	if !strings.HasPrefix(b.String(), "pseudonym,name,role,") || !strings.Contains(b.String(), "\r\n") {
		t.Errorf("the table is %q", b.String())
	}
	rows, err := csv.NewReader(&b).ReadAll()
	do(t, err)
	people := c.State().People
	want := [][]string{
		{people[0].Pseudonym, "'@SUM(A1)", "teacher", "", "", "", "", "", "", "0", "0"},
		{people[1].Pseudonym, "O'Neil, \"Jo\"\nx", "student", "'=1+1", "2", "4", "0", "0", "no", "1", "0"},
		{people[2].Pseudonym, "'-2+3", "student", "", "", "", "", "", "", "0", "0"},
	}
	assert.Equal(t, want, rows[1:], "the rows")
}

// Names are in their own file, which only the owner reads; IDs stay the same, and tell nothing without the secret.
func TestNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "names.json")
	n, err := OpenNames(path)
	do(t, err)
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the new file has mode %v, %v", info.Mode(), err)
	}
	id := n.ID("ssh-ed25519 AAAA")
	do(t, n.Set(id, "Ann Example"))
	if n.Set("a b", "x") == nil || n.Set(id, "") == nil {
		t.Error("an odd id or name is kept")
	}
	again, err := OpenNames(path)
	do(t, err)
	if again.Name(id) != "Ann Example" || again.ID("ssh-ed25519 AAAA") != id || again.ID("other") == id ||
		checkID(id) != nil {
		t.Errorf("%s is %q", id, again.Name(id))
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	other, err := OpenNames(filepath.Join(t.TempDir(), "names.json"))
	do(t, err)
	assert.NotEqual(t, id, other.ID("ssh-ed25519 AAAA"), "the ID does not depend on the secret")
	do(t, os.WriteFile(path, []byte(`{"names":{}}`), 0o600))
	_, err = OpenNames(path)
	assert.Error(t, err, "a file without a secret is read")
	c := started(t, 0)
	_, err = c.Join(id, Student)
	do(t, err)
	if text, _ := c.Lines(0); strings.Contains(string(text), "Ann") {
		t.Error("the record has the name")
	}
}
