package shelf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/sessions/lab/claims"
	"bandscope/sessions/page"
	"bandscope/sessions/script"
)

// performLab makes the lesson of a lab of its script, which is written as those of other lessons are.
//
//	> lab NAME [KEY=VALUE …]   the first line; title and sentence follow, then "> begin"
//	> part PART, > hide parameters
//	> step N, > edit KEY=VALUE …, > edit second KEY=VALUE …, > lay KEY=VALUE … (or contrast), > lift, > fork NAME, > page (nothing, between two notes)
//
// What stands between two acts is a note; behind it "> ask UP | DOWN* | NEITHER" gives it choices, of which the one with * is right, "> view NAME" says
// what of the picture is to be seen with it, and "> claim CLAIM" what the trace has to hold.
func performLab(t *testing.T, name, text string, find func(string) *lab.Lab) *lab.Session {
	t.Helper()
	lines := strings.Split(text, "\n")
	words := strings.Fields(lines[0])
	l := find(words[2])
	if l == nil {
		t.Fatalf("%s: there is no lab %q", name, words[2])
	}
	p := &performer{lab: l, lesson: &sessions.Lesson{Title: strings.TrimPrefix(lines[1], "# "), About: strings.TrimSpace(lines[2]), Script: script.Digest(text)}, now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	var err error
	if p.begin, err = p.values(words[3:]); err != nil {
		t.Fatal(name, err)
	}
	for _, line := range lines[3:] {
		act, ok := strings.CutPrefix(line, "> ")
		switch {
		case !ok:
			p.note = append(p.note, line)
		case !p.writes(act):
			if err = p.flush(); err == nil {
				err = p.does(strings.Fields(act))
			}
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", name, line, err)
		}
	}
	if err := p.flush(); err != nil {
		t.Fatal(name, err)
	}
	return p.session
}

// performer performs the script of a lab's lesson.
type performer struct {
	lab     *lab.Lab
	lesson  *sessions.Lesson
	begin   map[string]any
	now     time.Time
	session *lab.Session // nil before it is begun
	note    []string     // the lines of the page that is being read
	page    page.Page    // what stands behind it
}

// values are parameters with their values, as KEY=VALUE.
func (p *performer) values(words []string) (map[string]any, error) {
	if len(words) == 1 && words[0] == "contrast" {
		return p.lab.Contrast, nil
	}
	set := map[string]any{}
	for _, w := range words {
		key, text, _ := strings.Cut(w, "=")
		d, err := p.lab.Defaults().Decl(key)
		if err != nil {
			return nil, err
		}
		if set[key], err = d.Parse(text); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// writes takes what belongs to the page; false of an act.
func (p *performer) writes(act string) bool {
	words := strings.Fields(act)
	switch words[0] {
	case "ask":
		for i, choice := range strings.Split(strings.TrimPrefix(act, "ask "), "|") {
			text, right := strings.CutSuffix(strings.TrimSpace(choice), "*")
			if p.page.Choices = append(p.page.Choices, text); right {
				p.page.Right = i
			}
		}
	case "claim":
		p.page.Claims = append(p.page.Claims, strings.Join(words[1:], " "))
	case "view":
		p.page.View = words[1]
	default:
		return false
	}
	return true
}

// flush writes the page.
func (p *performer) flush() (err error) {
	if text := strings.TrimSpace(strings.Join(p.note, "\n")); text != "" && p.session != nil {
		err = p.session.WritePage(text, p.page)
	}
	p.note, p.page = nil, page.Page{}
	return err
}

// does does an act.
func (p *performer) does(words []string) (err error) {
	var set map[string]any
	switch words[0] {
	case "hide":
		p.lesson.Hide = words[1:]
	case "part":
		p.lesson.Part = strings.Join(words[1:], " ")
	case "begin":
		clock := func() time.Time { p.now = p.now.Add(time.Second); return p.now }
		p.session, err = lab.New(p.lab, p.begin, lab.WithLesson(p.lesson), lab.WithClock(clock))
	case "page":
	case "step":
		n := 0
		fmt.Sscan(words[1], &n)
		_, err = p.session.Step(context.Background(), n, nil)
	case "edit":
		run := 0
		if words[1] == "second" {
			run, words = 1, words[1:]
		}
		if set, err = p.values(words[1:]); err == nil {
			_, err = p.session.Edit(run, set)
		}
	case "lay":
		if set, err = p.values(words[1:]); err == nil {
			_, err = p.session.Lay(context.Background(), set, nil)
		}
	case "lift":
		err = p.session.Lift()
	case "fork":
		err = p.session.Fork(strings.Join(words[1:], " "))
	default:
		err = errors.New("there is no such act")
	}
	return err
}

// hollow is a lab whose training measures nothing: it takes the acts of a script in no time.
func hollow(name string) *lab.Lab {
	found, err := lab.Find(name)
	if err != nil {
		return nil
	}
	l := *found
	l.Begin = func(p param.Set) (lab.Model, error) {
		return &nothing{of: l.Of(p), row: slices.Repeat([]float64{math.NaN()}, len(l.Columns))}, nil
	}
	return &l
}

type nothing struct {
	at, of int
	row    []float64
}

func (n *nothing) Step() error            { n.at++; return nil }
func (n *nothing) At() int                { return n.at }
func (n *nothing) Of() int                { return n.of }
func (n *nothing) Row() []float64         { return n.row }
func (n *nothing) Change(param.Set) error { return nil }
func (n *nothing) Bytes() int             { return 100 }

func (n *nothing) Copy() lab.Model {
	c := *n
	return &c
}

// whole is a lab as it is.
func whole(name string) *lab.Lab {
	l, err := lab.Find(name)
	if err != nil {
		return nil
	}
	return l
}

// playLab reads the lesson of a lab page by page: what its pages claim is true of the record, and it is left, saved and gone on with as any session. It returns how
// many pages ask.
func playLab(t *testing.T, e LessonEntry) (asks int) {
	t.Helper()
	s, err := OpenLabLesson(e.Name)
	if err != nil {
		t.Fatal(err)
	}
	stops := s.Timeline().Stops
	for i, p := range stops {
		s.GoTo(i)
		if at := s.Timeline().At; at != i || p.Note == "" {
			t.Errorf("%s: page %d is page %d, %q", e.Name, i, at, p.Note)
		}
		if p.Ask {
			asks++
		}
	}
	if len(stops) < 4 || asks == 0 || s.Forward() || e.Title == "" || e.About == "" {
		t.Errorf("%s: %d pages, %d ask", e.Name, len(stops), asks)
	}
	if checked, broken := claims.Check(s); checked == 0 || len(broken) > 0 {
		t.Errorf("%s: %d claims, %v", e.Name, checked, broken)
	}
	return asks
}

// The script of a lab's lesson becomes pages that ask, with trainings between them, whether they are done or not.
func TestLabLessonsAreWritten(t *testing.T) {
	const text = `> lab flops dim=8 hidden=8 batch=8 steps=20
# a lesson
About embeddings.
> begin
# one

Before.
> ask it rises | it falls* | neither
> step 10
# two
> claim metric < 100 at step 10
> edit lambda=2
> lay contrast
> edit second lambda=1
> step 2
> page
# three
> claim second.metric > 0
> claim weight > 1e9
> lift
> fork mine
# four`
	var outlines [2][]string
	for i, find := range []func(string) *lab.Lab{whole, hollow} {
		s := performLab(t, "a script", text, find)
		path := filepath.Join(t.TempDir(), "made.jsonl")
		if err := errors.Join(s.SaveAs(path), s.Close()); err != nil {
			t.Fatal(err)
		}
		outlines[i] = outline(t, path)
		if i > 0 {
			continue
		}
		again, err := FindLabLesson(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := FindLesson(t.Context(), path); !errors.Is(err, sessions.ErrLab) {
			t.Errorf("as the lesson of a session: %v", err)
		}
		stops := again.Timeline().Stops
		again.First()
		first := again.State().LastNote()
		if len(stops) != 4 || !stops[0].Ask || stops[1].Ask || stops[2].Step != 12 || first.Right != 1 || len(first.Choices) != 3 || first.Choices[1] != "it falls" {
			t.Errorf("the pages are %+v, of the first %+v", stops, first)
		}
		if checked, broken := claims.Check(again); checked != 3 || len(broken) != 1 || broken[0].Page != 3 {
			t.Errorf("%d claims, broken are %v", checked, broken)
		}
	}
	if !slices.Equal(outlines[0], outlines[1]) {
		t.Errorf("trained it is\n%s\nand otherwise\n%s", strings.Join(outlines[0], "\n"), strings.Join(outlines[1], "\n"))
	}
	plain, err := lab.New(whole("flops"), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plain.jsonl")
	if err := errors.Join(plain.SaveAs(path), plain.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := FindLabLesson(t.Context(), path); err == nil || !strings.Contains(err.Error(), "no lesson") {
		t.Errorf("a session that is none: %v", err)
	}
}
