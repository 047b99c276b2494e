package classroom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions/recorder"
)

func do(t testing.TB, errs ...error) {
	t.Helper()
	require.NoError(t, errors.Join(errs...))
}

// clock is a clock that advances by a second with every reading.
func clock() func() time.Time {
	date := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	return func() time.Time {
		date = date.Add(time.Second)
		return date
	}
}

var where = Prompt{Kind: Point, Text: "Where would you evaluate next?", Variables: functions.Domain{
	{Name: "x", High: 1}, {Name: "temperature", Low: 20, High: 80, Unit: "°C"}}}

var which = Prompt{Kind: Pair, Text: "Which of these two?", Pair: &OutcomePair{
	Objectives: []functions.Objective{{Name: "f1"}, {Name: "f2"}},
	First:      Outcome{Step: 1, Values: []float64{1, 2}}, Second: Outcome{Step: 2, Values: []float64{2, 1}}}}

var prompt = Prompt{Kind: Choice, Text: "What will the band do?", Options: []string{"narrower", "the same", "wider"},
	Correct: 1}

// person is the ID of student i.
func person(i int) string { return fmt.Sprintf("p%02d", i) }

// started is a class in memory with a teacher and some students.
func started(t testing.TB, students int) *Class {
	t.Helper()
	c, err := New("Bayes", WithClock(clock()))
	do(t, err)
	fill(t, c, students)
	return c
}

func fill(t testing.TB, c *Class, students int) {
	t.Helper()
	_, err := c.Join("boss", Teacher)
	do(t, err)
	for i := range students {
		_, err := c.Join(person(i), Student)
		do(t, err)
	}
}

// busy does something of every kind.
func busy(t testing.TB, c *Class) {
	t.Helper()
	fill(t, c, 3)
	n, err := c.Ask(where)
	do(t, err, c.Answer(n, person(0), Value{Point: []float64{0.25, 30}}), c.Answer(n, person(1),
		Value{Point: []float64{0.5, 40}}),
		c.Answer(n, person(0), Value{Point: []float64{0.75, 60}}), c.Reveal(n), c.CloseQuestion(n))
	n, err = c.Ask(which)
	do(t, err, c.Answer(n, person(2), Value{Choice: Second}), c.Reveal(n), c.CloseQuestion(n))
	n, err = c.Ask(prompt)
	do(t, err, c.Answer(n, person(1), Value{Choice: 1}), c.CloseQuestion(n))
	r, err := c.StartRace(RaceConfig{Function: "forrester", Seed: 3, Budget: 2, Methods: []string{"random"}})
	do(t, err)
	_, _, err = c.Evaluate(r, person(1), []float64{0.5})
	do(t, err, c.RunMethod(t.Context(), r, "random"), c.EndRace(r))
	do(t, c.Record(person(0), LessonStep{Lesson: "first", Page: 1, Pages: 3}),
		c.Record(person(0), LessonStep{Lesson: "first", Page: 1, Pages: 3, Answered: true}),
		c.Record(person(1), LessonStep{Lesson: "first", Page: 1, Pages: 3, Answered: true, Correct: true}),
		c.Record(person(1), LessonStep{Lesson: "first", Exercise: true}))
}

// summary is what a state says.
func summary(t testing.TB, st State) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, st.Title, st.People)
	for _, q := range st.Questions {
		fmt.Fprintln(&b, q.Number, q.Text, q.Revealed, q.Closed, q.latest())
	}
	for _, r := range st.Races {
		board, err := st.Board(r.Number)
		fmt.Fprintln(&b, r.RaceConfig, r.Ended, r.evaluations, board, err)
	}
	fmt.Fprintln(&b, st.Progress())
	require.NoError(t, st.CSV(&b, nil))
	return b.String()
}

// A file gives the same class again, and it continues.
func TestFileIsTheClass(t *testing.T) {
	path := filepath.Join(t.TempDir(), "class.jsonl")
	c, err := Create(path, "Bayes", WithClock(clock()))
	do(t, err)
	busy(t, c)
	want := summary(t, c.State())
	do(t, c.Close())
	again, err := Open(t.Context(), path)
	do(t, err)
	defer again.Close()
	if got := summary(t, again.State()); got != want {
		t.Errorf("read again:\n%s\nwant\n%s", got, want)
	}
	n, err := again.Ask(prompt)
	do(t, err, again.Answer(n, person(0), Value{Choice: 3}))
	if n != 4 || !again.State().Answered(n)[person(0)] {
		t.Errorf("question %d does not continue", n)
	}
	assert.Error(t, again.Answer(n, "nobody", Value{Choice: 1}), "a stranger answers")
}

// Wherever the file is cut off, what is before the last complete line is read, and an act goes on from there.
func TestCutAtEveryByte(t *testing.T) {
	c, err := New("Bayes", WithClock(clock()))
	do(t, err)
	busy(t, c)
	text, _ := c.Lines(0)
	lines := bytes.SplitAfter(text, []byte("\n"))
	var wants []string
	for i := 1; i < len(lines); i++ {
		session, err := Read(t.Context(), bytes.NewReader(bytes.Join(lines[:i], nil)))
		do(t, err)
		wants = append(wants, summary(t, session.State()))
	}
	if len(wants) < 25 || wants[len(wants)-1] != summary(t, c.State()) {
		t.Fatalf("%d lines give another class", len(wants))
	}
	path := filepath.Join(t.TempDir(), "class.jsonl")
	for offset := len(lines[0]); offset <= len(text); offset++ {
		complete := bytes.Count(text[:offset], []byte("\n"))
		if offset < len(text) && text[offset] == '\n' {
			complete++ // the line lacks only its line feed
		}
		if got, err := Read(t.Context(), bytes.NewReader(text[:offset])); err != nil || summary(t,
			got.State()) != wants[complete-1] {
			t.Fatalf("cut at byte %d: %v", offset, err)
		}
		if offset%97 != 0 {
			continue
		}
		do(t, os.WriteFile(path, text[:offset], 0o600))
		c, err := Open(t.Context(), path)
		do(t, err)
		_, err = c.Join("late", Student)
		do(t, err, c.Close())
		c, err = OpenReadOnly(t.Context(), path)
		do(t, err)
		if _, ok := c.State().Person("late"); !ok || len(c.State().People) == 0 ||
			strings.Contains(fmt.Sprint(c.Notices()), "damaged") {
			t.Fatalf("cut at byte %d, the class does not go on: %q", offset, c.Notices())
		}
		do(t, c.Close())
	}
}

// Many answers at once are all on disk when they return, whoever else acts at the same time.
func TestAnswersOfOneMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "class.jsonl")
	c, err := Create(path, "Bayes")
	do(t, err)
	fill(t, c, 30)
	n, err := c.Ask(prompt)
	do(t, err)
	var calls int
	var last State
	cancel := c.Subscribe(func(st State) { calls, last = calls+1, st })
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			for k := range 4 {
				assert.NoError(t, c.Answer(n, person(i), Value{Choice: 1 + (i+k)%3}))
			}
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), fmt.Sprintf(`"person":"%s","choice":%d`, person(i),
				1+(i+3)%3)) {
				t.Errorf("the answer of %d is not in the file: %v", i, err)
			}
		})
	}
	all.Wait()
	if calls == 0 || calls > 120 || !reflect.DeepEqual(last.Answered(n), c.State().Answered(n)) ||
		len(last.Answered(n)) != 30 {
		t.Errorf("%d calls, the last with %d answers", calls, len(last.Answered(n)))
	}
	cancel()
	do(t, c.Reveal(n))
	if r, err := c.State().Result(n); err != nil || !reflect.DeepEqual(r.Counts, []int{10, 10, 10}) ||
		last.Questions[0].Revealed {
		t.Errorf("%v, %v", r.Counts, err)
	}
	do(t, c.Close())
	assert.Error(t, c.Answer(n, person(1), Value{Choice: 1}), "a closed class takes an answer")
}

// unflushed is a file whose lines do not reach the disk.
type unflushed struct{ recorder.Journal }

var errDisk = errors.New("the disk is gone")

func (u unflushed) Flush() error { return errors.Join(errDisk, u.Journal.Flush()) }

// An answer that is not on disk is not acknowledged.
func TestUnflushedIsAnError(t *testing.T) {
	c, err := Create(filepath.Join(t.TempDir(), "class.jsonl"), "Bayes")
	do(t, err)
	fill(t, c, 1)
	n, err := c.Ask(prompt)
	do(t, err)
	c.rec.File = unflushed{c.rec.File}
	err = c.Answer(n, person(0), Value{Choice: 1})
	assert.ErrorIs(t, err, errDisk, "the answer is acknowledged: %v", err)
	if err := c.Answer(n, person(0), Value{Choice: 7}); err == nil || errors.Is(err, errDisk) {
		t.Errorf("the error of the answer itself is lost: %v", err)
	}
	do(t, c.Close())
}

// A failed act leaves no trace in the state or the file.
func TestFailedActsLeaveNoTrace(t *testing.T) {
	c := started(t, 2)
	n, err := c.Ask(prompt)
	do(t, err)
	before, _ := c.Lines(0)
	for name, err := range map[string]error{
		"second question": func() error { _, err := c.Ask(where); return err }(),
		"option 4":        c.Answer(n, person(0), Value{Choice: 4}),
		"option 0":        c.Answer(n, person(0), Value{}),
		"a point":         c.Answer(n, person(0), Value{Choice: 1, Point: []float64{1}}),
		"a teacher":       c.Answer(n, "boss", Value{Choice: 1}),
		"question 2":      c.Answer(2, person(0), Value{Choice: 1}),
		"an odd id":       func() error { _, err := c.Join("a b", Student); return err }(),
		"an odd role":     func() error { _, err := c.Join("x", "king"); return err }(),
		"no race":         c.EndRace(1),
		"no lesson":       c.Record(person(0), LessonStep{Page: 1}),
	} {
		assert.Error(t, err, "%s is recorded", name)
	}
	if after, _ := c.Lines(0); !bytes.Equal(before, after) {
		t.Errorf("the record has grown:\n%s", after[len(before):])
	}
	do(t, c.Answer(n, person(0), Value{Choice: 3}), c.Reveal(n))
	err = c.Answer(n, person(0), Value{Choice: 1})
	assert.ErrorIs(t, err, ErrTooLate, "an answer after the reveal: %v", err)
}

// The order of the acts of different people does not matter, and the fold of a file is that of its beginning and the
// rest.
func TestFoldProperties(t *testing.T) {
	type step func(*Class) error
	byPerson := make([][]step, 5)
	for i := range byPerson {
		for k := range 6 {
			byPerson[i] = append(byPerson[i],
				func(c *Class) error { return c.Answer(1, person(i), Value{Choice: 1 + (i*k)%3}) },
				func(c *Class) error {
					return c.Record(person(i), LessonStep{Lesson: fmt.Sprint("l", k%2), Page: k + 1, Pages: 6,
						Answered: true, Correct: (i+k)%2 == 0})
				})
		}
	}
	want := ""
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := started(t, 5)
		_, err := c.Ask(prompt)
		do(t, err)
		next := make([]int, len(byPerson))
		for left := 5 * 12; left > 0; {
			if i := rng.IntN(5); next[i] < len(byPerson[i]) {
				do(t, byPerson[i][next[i]](c))
				next[i]++
				left--
			}
		}
		if got := summary(t, c.State()); want == "" {
			want = got
		} else if got != want {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, got, want)
		}
		text, n := c.Lines(0)
		cut := 1 + rng.IntN(n-1)
		lines := bytes.SplitAfter(text, []byte("\n"))
		path := filepath.Join(t.TempDir(), "c.jsonl")
		do(t, os.WriteFile(path, bytes.Join(lines[:cut], nil), 0o600))
		first, err := OpenReadOnly(t.Context(), path)
		do(t, err)
		tip := first.rec.Tip
		st := *first.rec.State()
		for _, e := range c.rec.Tip.PathFromRoot()[tip.Depth+1:] {
			st, err = fold(st, e)
			do(t, err)
		}
		require.Equal(t, want, summary(t, st), "cut after %d lines:\n", cut)
	}
}

// A snapshot does not change with later acts, also not where another branch of the fold grows from it.
func TestSnapshotsDoNotChange(t *testing.T) {
	c := started(t, 4)
	n, err := c.Ask(prompt)
	do(t, err, c.Answer(n, person(0), Value{Choice: 1}))
	old := c.State()
	before := summary(t, old)
	do(t, c.Answer(n, person(1), Value{Choice: 2}))
	side := (&answeredData{n, person(2), Value{Choice: 3}}).apply(old)
	do(t, c.Answer(n, person(3), Value{Choice: 1}))
	if summary(t, old) != before || len(side.Answered(n)) != 2 || len(c.State().Answered(n)) != 3 {
		t.Errorf("%v and %v", side.Answered(n), c.State().Answered(n))
	}
}

// Pseudonyms are distinct, follow from the file, and tell nothing of the person.
func TestPseudonyms(t *testing.T) {
	c, err := New("a", WithClock(clock()))
	do(t, err)
	seen := map[string]bool{}
	for i := range 2*len(birds) + 3 {
		p, err := c.Join(fmt.Sprint("id", i), Student)
		do(t, err)
		if seen[p.Pseudonym] {
			t.Fatalf("%q is there twice", p.Pseudonym)
		}
		seen[p.Pseudonym] = true
		if round := i / len(birds); round > 0 != strings.HasSuffix(p.Pseudonym, fmt.Sprint(" ", round+1)) {
			t.Errorf("person %d is called %q", i, p.Pseudonym)
		}
	}
	p, err := c.Join("id3", Student)
	do(t, err)
	if again, err := c.Join("id3", Teacher); err != nil || again.Pseudonym != p.Pseudonym || again.Role != Teacher {
		t.Errorf("joining again: %v, %v", again, err)
	}
	other, err := New("a", WithClock(clock()))
	do(t, err)
	if q, _ := other.Join("x", Student); q.Pseudonym != c.State().People[0].Pseudonym {
		t.Errorf("the same file gives %q and %q", q.Pseudonym, c.State().People[0].Pseudonym)
	}
	if another, err := New("b", WithClock(clock())); err == nil {
		if q, _ := another.Join("id0", Student); q.Pseudonym == c.State().People[0].Pseudonym {
			t.Errorf("another class begins with %q too", q.Pseudonym)
		}
	}
}

// Only the record of a class is one; damage is said, and nothing is written to a damaged file.
func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	c := started(t, 2)
	text, _ := c.Lines(0)
	damaged := write("damaged", strings.Replace(string(text), "teacher", "teachor", 1))
	if _, err := Open(t.Context(), damaged); err == nil {
		t.Error("a damaged file is opened for writing")
	}
	if c, err := OpenReadOnly(t.Context(), damaged); err != nil || !strings.Contains(fmt.Sprint(c.Notices()),
		"damaged") {
		t.Errorf("a damaged file: %v", err)
	}
	if _, err := Open(t.Context(), write("empty", "")); err == nil {
		t.Error("an empty file is a class")
	}
	if _, err := Read(context.Background(), strings.NewReader("{}\n")); err == nil {
		t.Error("{} is a class")
	}
}
