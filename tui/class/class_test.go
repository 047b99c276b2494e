package class

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/classroom"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

func do(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

var dark = theme.New(true, theme.TrueColor, false)

func person(i int) string { return fmt.Sprintf("p%02d", i) }

// newClass is a class with a teacher and some students.
func newClass(t testing.TB, students int) *classroom.Class {
	t.Helper()
	date := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	c, err := classroom.New("Bayes", classroom.WithClock(func() time.Time {
		date = date.Add(time.Second)
		return date
	}))
	do(t, err)
	_, err = c.Join("boss", classroom.Teacher)
	do(t, err)
	for i := range students {
		_, err := c.Join(person(i), classroom.Student)
		do(t, err)
	}
	return c
}

// session is a session of some steps with its belief.
func session(t testing.TB, problem, optimizer string, steps int) (*sessions.Session, *Belief) {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: optimizer, Seed: 3, Budget: 20})
	do(t, err)
	for range steps {
		_, err := s.Step(t.Context(), nil)
		do(t, err)
	}
	b, err := ComputeBelief(t.Context(), s, nil)
	do(t, err)
	return s, b
}

// asked is a class with an open question that students answer by a rule, the first of them not.
func asked(t testing.TB, p classroom.Prompt, students int, answer func(i int, rng *rand.Rand) classroom.Value) (*classroom.Class,
	int) {
	t.Helper()
	c := newClass(t, students)
	n, err := c.Ask(p)
	do(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 1; i < students; i++ {
		do(t, c.Answer(n, person(i), answer(i, rng)))
	}
	return c, n
}

func points(d functions.Domain) func(int, *rand.Rand) classroom.Value {
	return func(_ int, rng *rand.Rand) classroom.Value {
		v := classroom.Value{}
		for j := range d {
			u := min(max(0.72+0.12*rng.NormFloat64(), 0), 1)
			v.Point = append(v.Point, d[j].FromUnit(u))
		}
		return v
	}
}

func choices(n int) func(int, *rand.Rand) classroom.Value {
	return func(_ int, rng *rand.Rand) classroom.Value {
		return classroom.Value{Choice: 1 + min(rng.IntN(n), rng.IntN(n))}
	}
}

// driver runs a page in a window.
func driver[P interface {
	widget.Page
	Busy() bool
}](t testing.TB, m P, w, h int, st theme.Style) *pagetest.Driver[P] {
	t.Helper()
	return pagetest.New(t, m, w, h, st, m.Busy)
}

// pages are all pages by name, with what they show.
func pages(t *testing.T) map[string]widget.Page {
	line, belief := session(t, "forrester", "gp-ei", 6)
	_, plane := session(t, "branin", "gp-ei", 8)
	front, _ := session(t, "branin-currin", "mobo-rs-ts", 8)
	list := map[string]widget.Page{}
	point := classroom.PointPrompt(line.State())
	c, n := asked(t, point, 30, points(point.Variables))
	list["answer-line"] = NewAnswer(c, person(0), belief)
	do(t, c.Reveal(n))
	list["reveal-line"] = NewReveal(c.State(), person(3), belief)

	c, n = asked(t, classroom.PointPrompt(plane.State), 30, points(plane.State.Problem.Domain))
	list["answer-plane"] = NewAnswer(c, person(4), plane)
	do(t, c.Reveal(n))
	list["reveal-plane"] = NewReveal(c.State(), person(4), plane)

	many, err := functions.Find("hartmann", 1)
	do(t, err)
	c, n = asked(t, classroom.Prompt{Kind: classroom.Point, Text: "Where next?", Variables: many.Domain}, 12,
		points(many.Domain))
	list["answer-form"] = NewAnswer(c, person(4), nil)
	do(t, c.Reveal(n))
	list["reveal-form"] = NewReveal(c.State(), person(4), nil)

	pair, err := classroom.PairPrompt(front.State())
	do(t, err)
	c, n = asked(t, pair, 20, choices(4))
	list["answer-pair"] = NewAnswer(c, person(2), &Belief{State: front.State()})
	do(t, c.Reveal(n))
	list["reveal-pair"] = NewReveal(c.State(), person(2), &Belief{State: front.State()})

	band := classroom.BandPrompt()
	band.Correct = 1
	c, n = asked(t, band, 20, choices(3))
	list["answer-choice"] = NewAnswer(c, person(2), nil)
	list["panel"] = NewPanel(&room{Class: c, session: line})
	do(t, c.Reveal(n))
	list["reveal-choice"] = NewReveal(c.State(), person(2), nil)
	do(t, c.CloseQuestion(n))
	list["answer-none"] = NewAnswer(c, person(2), nil)

	list["race"], list["race-end"] = NewRace(raced(t, "forrester", false), person(1)), NewRace(raced(t, "forrester",
		true), person(1))
	list["race-plane"] = NewRace(raced(t, "branin", false), person(1))
	list["progress"] = NewProgress(studied(t).State())
	return list
}

// raced is a class in a race.
func raced(t testing.TB, function string, ended bool) *classroom.Class {
	t.Helper()
	c := newClass(t, 8)
	n, err := c.StartRace(classroom.RaceConfig{Function: function, Seed: 4, Budget: 8, Methods: []string{"gp-ei",
		"random"}})
	do(t, err)
	p, err := functions.Find(function, 4)
	do(t, err)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 7 {
		for range 3 + i%4 {
			x := make([]float64, p.Dim())
			for j := range x {
				x[j] = tidy(p.Domain[j], p.Domain[j].FromUnit(rng.Float64()))
			}
			_, _, err := c.Evaluate(n, person(i), x)
			do(t, err)
		}
	}
	for _, m := range []string{"gp-ei", "random"} {
		do(t, c.RunMethod(context.Background(), n, m))
	}
	if ended {
		do(t, c.EndRace(n))
	}
	return c
}

// studied is a class that has read lessons.
func studied(t testing.TB) *classroom.Class {
	t.Helper()
	c := newClass(t, 9)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 8 {
		for k, lesson := range []string{"posterior", "kernel", "acquisition", "noise", "batch"}[:1+i%5] {
			last := 3 + rng.IntN(6)
			for page := 1; page <= last; page++ {
				do(t, c.Record(person(i), classroom.LessonStep{Lesson: lesson, Page: page, Pages: 8}))
				if page%3 == 2 {
					do(t, c.Record(person(i), classroom.LessonStep{Lesson: lesson, Page: page, Pages: 8, Answered: true,
						Correct: rng.IntN(3) > k%2}))
				}
			}
			if last == 8 {
				do(t, c.Record(person(i), classroom.LessonStep{Lesson: lesson, Exercise: true}))
			}
		}
	}
	return c
}

// room is a room of a test.
type room struct {
	*classroom.Class
	session *sessions.Session
	holder  string

	cleared      int    // how often names were
	disconnected string // the person
}

func (r *room) Joining() (string, []string) { return "abcd-e2f3", []string{"ssh -p 2222 NAME@lab"} }
func (r *room) Present() map[string]Presence {
	here := map[string]Presence{}
	for i, p := range r.Class.State().People {
		here[p.ID] = Presence{Connected: i%5 != 2, Keyboard: p.ID == r.holder}
	}
	return here
}

func (r *room) Session() (sessions.State, bool) {
	if r.session == nil {
		return sessions.State{}, false
	}
	return r.session.State(), true
}

func (r *room) PassKeyboard(id string) error {
	r.holder = id
	return nil
}

func (r *room) Name(id string) string { return "name of " + id }

func (r *room) ClearNames() (int, error) {
	r.cleared++
	return 3, nil
}

func (r *room) Disconnect(id string) error {
	r.disconnected = id
	return nil
}

func (r *room) TakeKeyboard() error {
	r.holder = ""
	return nil
}

func (r *room) Export() (string, error) { return "class.csv", nil }

// pictures are the pages whose picture is compared in colours too.
var pictures = map[string]bool{"reveal-line": true, "race-plane": true}

// Every page at every size says what everything on it is.
func TestGoldenScreens(t *testing.T) {
	for name, m := range pages(t) {
		t.Run(name, func(t *testing.T) {
			m.Resize(80, 24)
			m.Restyle(dark)
			d := pagetest.New(t, m, 80, 24, dark, m.(interface{ Busy() bool }).Busy)
			for _, c := range []struct {
				w, h  int
				style theme.Style
			}{{80, 24, theme.New(true, theme.NoColor, false)}, {120, 36, dark}, {80, 24, theme.New(true, theme.NoColor, true)}} {
				d.Resize(c.w, c.h)
				m.Restyle(c.style)
				file := fmt.Sprintf("%s-%dx%d", name, c.w, c.h)
				explained.Check(t, file, m.Frame(), c.w, c.h)
				explained.CutWords(t, file, m.Frame(), c.w, c.h)
				switch {
				case c.style.ASCII:
					screentest.ASCII(t, file, d.Screen())
				case c.w == 80 || pictures[name]:
					screentest.Check(t, file, d.Screen(), false)
				}
			}
			for _, size := range [][2]int{{0, 0}, {1, 1}, {20, 5}, {40, 12}, {61, 13}, {200, 60}, {500, 20}} {
				d.Resize(size[0], size[1])
				for i, line := range strings.Split(d.Text(), "\n") {
					if len([]rune(line)) > size[0] || i > size[1] {
						t.Errorf("%v: %q", size, line)
					}
				}
			}
		})
	}
}
