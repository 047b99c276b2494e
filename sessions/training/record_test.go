package training

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/lesson/page"
)

// saved is a session of several branches in a file, with its path.
func saved(t testing.TB) (*Session, string) {
	t.Helper()
	s := start(t, drifting().Spec, nil)
	path := filepath.Join(t.TempDir(), "l.jsonl")
	do(t, s.SaveAs(path))
	step(t, s, 10)
	step(t, s, 10)
	do(t, s.Note("twenty"))
	_, err := s.Edit(0, map[string]any{"speed": 0.4})
	do(t, err)
	_, err = s.AddRun(t.Context(), map[string]any{"start": 2.0}, nil)
	do(t, err)
	step(t, s, 10)
	s.GoTo(1)
	do(t, s.Fork("other"))
	step(t, s, 5)
	return s, path
}

// A session of a lab goes on in a new file where another program took its file away, and nothing is missing there.
func TestFileTakenAway(t *testing.T) {
	for _, closed := range []bool{false, true} {
		s, path := saved(t)
		do(t, os.Remove(path))
		if !closed {
			step(t, s, 5)
		}
		before := told(s.State())
		if err := s.Close(); (err != nil) != closed || len(s.Notices()) != 1 ||
			!strings.HasPrefix(s.Notices()[0], path+" was removed by another program") {
			t.Errorf("closed: %v, noticed %q", err, s.Notices())
		}
		again, err := Open(t.Context(), strings.TrimSuffix(path, ".jsonl")+"-rescued.jsonl")
		do(t, err)
		assert.Equal(t, before, told(again.State()), "the new file")
		do(t, again.Close())
	}
}

// told is a state without what no two sessions share.
func told(st State) string {
	text := fmt.Sprint(st.Head, st.Step, st.Total, st.Branch, st.Ahead, len(st.Notes))
	for _, r := range st.Runs {
		text += fmt.Sprint(" | ", allValues(r.Params), r.Failed, r.Total, r.Trace)
	}
	return text
}

// Back, forward, the places of the timeline and the branches lead where they say, and a session that was left stands
// there again.
func TestMoves(t *testing.T) {
	s, path := saved(t)
	var steps, ways []string
	for _, p := range s.Timeline().Stops {
		steps = append(steps, fmt.Sprint(p.Step, p.Fork, p.Note))
	}
	if got, want := strings.Join(steps, " "), "0 false 10 true 10 false 15 false"; got != want {
		t.Errorf("the places are %q, want %q", got, want)
	}
	list, err := s.Branches()
	do(t, err)
	for _, b := range list {
		ways = append(ways, fmt.Sprint(b.Name, b.Parent, b.From, b.State.Step, len(b.State.Runs), b.Current))
	}
	if got, want := strings.Join(ways, " "), "main-1 0 30 2 false other0 10 15 1 true"; got != want {
		t.Errorf("the branches are %q, want %q", got, want)
	}
	do(t, s.Switch(list[0].ID))
	var back []int
	for n := len(s.Timeline().Stops); s.Back(); n-- {
		back = append(back, s.State().Step)
		if st := s.State(); st.Ahead != len(back) {
			t.Errorf("%d places are ahead, want %d", st.Ahead, len(back))
		}
	}
	if want := []int{20, 20, 20, 20, 10, 0}; !slices.Equal(back, want) {
		t.Errorf("back goes to updates %d, want %d", back, want)
	}
	var forward []string
	for s.Forward() {
		forward = append(forward, told(s.State()))
	}
	if len(forward) != len(back) || s.Forward() {
		t.Errorf("forward goes over %d places", len(forward))
	}
	s.First()
	for i := range forward { // a step goes on to what is on record, whatever it asks for
		if st := step(t, s, 1); told(st) != forward[i] {
			t.Errorf("place %d is another", i)
		}
	}
	if s.Seek(0); s.Switch("0123") == nil || s.State().Step != 0 {
		t.Error("it goes to where nothing is")
	}
	s.Forward()
	left := s.State()
	do(t, s.Close())
	again, err := Open(t.Context(), path)
	do(t, err)
	defer again.Close()
	if st := again.State(); st.Head != left.Head || st.Step != 10 {
		t.Errorf("it was left at update %d, and stands at %d", left.Step, st.Step)
	}
	do(t, again.Switch(list[0].ID))
	if again.Last(); again.State().Step != 30 || len(again.State().Notes) != 1 {
		t.Error("the branch does not go on where it did")
	}
}

// Notes stand where they were written, also behind what is recorded ahead, and can be changed.
func TestNotes(t *testing.T) {
	s, path := saved(t)
	s.GoTo(1)
	do(t, s.Note("ten"))
	do(t, s.Note("again"))
	do(t, s.Mark())
	list, err := s.Branches()
	do(t, err)
	assert.Equal(t, 2, len(list), "a note begins a branch: there")
	notes := s.State().NotesAt(10)
	if len(notes) != 1 || notes[0].Text != "ten\n\nagain" || !notes[0].Mark {
		t.Fatalf("%+v", notes)
	}
	do(t, s.Revise(notes[0].ID, "changed"))
	do(t, s.Switch(list[0].ID))
	if n := s.State().Notes; len(n) != 2 || n[0].Text != "changed" || n[1].Text != "twenty" || n[1].Step != 20 {
		t.Errorf("%+v", n)
	}
	do(t, s.Revise(s.State().Notes[1].ID, ""))
	if s.Note("  ") == nil || s.Revise("0123", "x") == nil {
		t.Error("a note that says nothing, or is nowhere, is written")
	}
	do(t, s.Close())
	again, err := OpenReadOnly(t.Context(), path)
	do(t, err)
	again.Last()
	if n := again.State().Notes; len(n) != 2 || n[0].Text != "changed" || n[1].Text != "" ||
		again.State().LastNote().Text != "changed" {
		t.Errorf("%+v", n)
	}
	if stops := again.Timeline().Stops; stops[1].Note != "changed" || !stops[1].Mark {
		t.Errorf("%+v", stops)
	}
}

// A file that was cut off goes on, one that is damaged is only read, one that another has is only read, and a disk
// without room loses nothing.
func TestFiles(t *testing.T) {
	s, path := saved(t)
	lock := eventlog.NewLock(path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		t.Fatal(err)
	}
	if other, err := Open(t.Context(), path); err != nil || len(other.Notices()) != 1 || other.State().Saved {
		t.Errorf("a second writer: %v", err)
	} else if _, err := other.Step(t.Context(), 1, nil); !errors.Is(err, eventlog.ErrReadOnly) {
		t.Errorf("it writes: %v", err)
	}
	do(t, errors.Join(lock.Unlock(), s.Close()))
	whole, err := os.ReadFile(path)
	do(t, err)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for name, c := range map[string]struct {
		text   []byte
		step   int
		writes bool
		notice string
	}{
		"whole":   {whole, 15, true, ""},
		"torn":    {whole[:len(whole)-30], 10, true, "is incomplete"},
		"damaged": {bytes.Replace(whole, []byte(`"twenty"`), []byte(`"eleven"`), 1), 15, false, "damaged"},
		"short":   {bytes.Join(lines[:3], nil), 20, true, ""},
	} {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		do(t, os.WriteFile(path, c.text, 0o600))
		s, err := Open(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if st := s.State(); st.Step != c.step || st.Saved != c.writes ||
			!strings.Contains(strings.Join(s.Notices(), " "), c.notice) || (c.notice == "") != (len(s.Notices()) == 0) {
			t.Errorf("%s: at update %d, saved %v, %q", name, st.Step, st.Saved, s.Notices())
		}
		if _, err := s.Step(t.Context(), 3, nil); (err == nil) != c.writes {
			t.Errorf("%s: a step: %v", name, err)
		}
		do(t, s.Close())
		if again, err := OpenReadOnly(t.Context(), path); err != nil || c.writes &&
			(again.State().Step != c.step+3 || len(again.Notices()) > 0) {
			t.Errorf("%s: read again: %v", name, err)
		}
	}
	optimizer, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random"})
	do(t, err)
	path = filepath.Join(t.TempDir(), "o.jsonl")
	do(t, errors.Join(optimizer.SaveAs(path), optimizer.Close()))
	_, err = Open(t.Context(), path)
	assert.ErrorContains(t, err, "not of a lab", "the session of an optimizer")
	f, err := os.Open(path)
	do(t, err)
	defer f.Close()
	_, err = ReadSummary(t.Context(), f)
	assert.Error(t, err, "it is glanced at")
}

// A list is told the lab, the seed and the updates of the longest branch.
func TestGlance(t *testing.T) {
	s, path := saved(t)
	do(t, s.Close())
	text, err := os.ReadFile(path)
	do(t, err)
	if g, err := ReadSummary(t.Context(), bytes.NewReader(text)); err != nil ||
		g != (Summary{Lab: "drift", Seed: 1, Steps: 30}) {
		t.Errorf("%+v, %v", g, err)
	}
	if again, err := Read(t.Context(), bytes.NewReader(text)); err != nil || again.State().Step != 15 {
		t.Errorf("%v", err)
	}
}

// What another version of the program measures besides, or does not any more, does not keep its record from being read.
func TestOtherColumns(t *testing.T) {
	l := drifting().Spec
	s := start(t, l, nil)
	step(t, s, 10)
	was := s.State().Runs[0].Trace
	var b bytes.Buffer
	for _, e := range s.rec.Tree.Events() {
		b.Write(append(e.Line, '\n'))
	}
	text := b.String()
	usual := find
	defer func() { find = usual }()
	find = func(string) (*Spec, error) {
		other := drifting().Spec
		other.Columns = []Column{{Key: "new"}, {Key: "w"}}
		other.Decls = other.Decls[1:] // speed is no parameter any more
		return other, nil
	}
	again, err := Read(t.Context(), strings.NewReader(text))
	do(t, err)
	for i, row := range again.State().Runs[0].Trace {
		if len(row) != 2 || row[0] == row[0] || row[1] != was[i][1] {
			t.Fatalf("row %d is %v", i, row)
		}
	}
}

// Verifying trains all of it again, and names the first number that is another.
func TestVerify(t *testing.T) {
	s, _ := saved(t)
	list, err := s.Branches()
	do(t, err)
	do(t, s.Switch(list[0].ID))
	v, err := s.Verify(t.Context(), nil)
	if err != nil || v.FirstDifference != nil || v.Updates != 60 || v.Largest != 0 ||
		!strings.Contains(v.String(), "verified: 60 updates") {
		t.Errorf("%v, %v", v, err)
	}
	failed := start(t, drifting().Spec, map[string]any{"speed": 3.0})
	step(t, failed, 50)
	if v, err := failed.Verify(t.Context(), nil); err != nil || v.FirstDifference != nil {
		t.Errorf("one that diverged: %v, %v", v, err)
	}
	for _, e := range s.rec.Tip.PathFromRoot() {
		var d trainedData
		if e.Kind != kindTrained || json.Unmarshal(e.Data, &d) != nil {
			continue
		}
		if len(d.Runs) == 2 && len(d.Runs[1].Rows) == 10 {
			d.Runs[1].Rows[4][0] *= 1 + 1e-5
			e.Data, err = json.Marshal(d)
			do(t, err)
		}
	}
	s.platform = "plan9/arm"
	v, err = s.Verify(t.Context(), nil)
	if d := v.FirstDifference; err != nil || d == nil || d.Run != 2 || d.Update != 25 || d.Column.Key != "loss" {
		t.Fatalf("%v, %v", v, err)
	}
	if text := v.String(); !strings.Contains(text, "update 25 of the second run, loss is") ||
		!strings.Contains(text, "recorded on plan9/arm") {
		t.Error(text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Verify(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled, "cancelled: %v", err)
}

// The example of a lab in FORMAT.md is a session that repeats itself.
func TestFormatExample(t *testing.T) {
	doc, err := os.ReadFile("../FORMAT.md")
	do(t, err)
	_, example, _ := strings.Cut(string(doc), "In a lab ")
	_, example, _ = strings.Cut(example, "```\n")
	example, _, _ = strings.Cut(example, "```")
	s, err := Read(t.Context(), strings.NewReader(example))
	do(t, err)
	if st := s.State(); st.Step != 2 || len(st.Runs) != 2 || st.Runs[0].Params.Number("lambda") != 2 ||
		!strings.Contains(example, `"version":"`+eventlog.Version()+`"`) {
		t.Errorf("%+v", st)
	}
	if v, err := s.Verify(t.Context(), nil); err != nil || v.FirstDifference != nil || v.Updates != 4 {
		t.Errorf("%v, %v", v, err)
	}
}

// A lesson's places are its pages; they ask, and claim what can be looked up in the trace.
func TestLesson(t *testing.T) {
	s, err := New(drifting().Spec, nil, WithLesson(&sessions.Lesson{Title: "on drift", About: "a lesson"}))
	do(t, err)
	do(t, s.WritePage("# one", page.Page{Question: page.Question{Choices: []string{"up", "down"}, Correct: 1},
		View: "at large"}))
	step(t, s, 10)
	step(t, s, 10)
	_, err = s.AddRun(t.Context(), map[string]any{"speed": 0.5}, nil)
	do(t, err)
	do(t, s.WritePage("# two", page.Page{Claims: []string{"loss < 1 at step 20"}}))
	path := filepath.Join(t.TempDir(), "l.jsonl")
	do(t, errors.Join(s.SaveAs(path), s.Close()))
	if s, err = OpenReadOnly(t.Context(), path); err != nil || s.Lesson().Title != "on drift" {
		t.Fatal(err)
	}
	for i, row := range s.State().Runs[0].Trace {
		assert.Equal(t, (i+1)%10 == 0, !math.IsNaN(row[0]), "of update %d on record is %v", i+1, row)
	}
	if v, err := s.Verify(t.Context(), nil); err != nil || v.FirstDifference != nil || v.Updates != 40 {
		t.Errorf("%v, %v", v, err)
	}
	stops := s.Timeline().Stops
	if len(stops) != 2 || stops[0].Note != "one" || !stops[0].Ask || stops[1].Step != 20 || stops[1].Ask {
		t.Errorf("the pages are %+v", stops)
	}
	s.First()
	if n := s.State().LastNote(); n.Text != "# one" || len(n.Choices) != 2 || n.Correct != 1 || n.View != "at large" ||
		s.State().Step != 0 {
		t.Errorf("page 1 is %+v", n)
	}
	if st := step(t, s, 1); st.Step != 20 || len(st.Runs) != 2 || len(st.LastNote().Claims) != 1 {
		t.Errorf("turned is the page to update %d", st.Step)
	}
	for _, q := range []page.Question{{Choices: []string{"one"}}, {Choices: []string{"a", "b"}, Correct: 2}, {Correct: 1}} {
		assert.Error(t, s.WritePage("x", page.Page{Question: q}), "%+v is asked", q)
	}
}

// Whoever steps, looks, moves and notes at once is not in each other's way.
func TestAtOnce(t *testing.T) {
	s := start(t, drifting().Spec, map[string]any{keySteps: 400})
	do(t, s.SaveAs(filepath.Join(t.TempDir(), "l.jsonl")))
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 20 {
				if _, err := s.Step(t.Context(), 3, nil); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 30 {
				st, err := s.StateWithModels(t.Context(), nil)
				if err != nil || st.Runs[0].Model.At() != st.Step || len(st.Runs[0].Model.Row()) > 3 {
					t.Errorf("%v", err)
				}
			}
		})
		all.Go(func() {
			for i := range 15 {
				s.Back()
				s.Timeline()
				if i%5 == 0 {
					assert.NoError(t, s.Note("x"))
				}
				s.Last()
			}
		})
	}
	all.Wait()
	s.Last()
	if v, err := s.Verify(t.Context(), nil); err != nil || v.FirstDifference != nil {
		t.Errorf("%v, %v", v, err)
	}
	do(t, s.Close())
}

func FuzzRead(f *testing.F) {
	s, path := saved(f)
	do(f, s.Close())
	text, err := os.ReadFile(path)
	do(f, err)
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte("{}\n"))
	f.Add(bytes.Replace(text, []byte("trained"), []byte("added"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "l.jsonl")
		do(t, os.WriteFile(path, data, 0o600))
		s, err := Open(t.Context(), path)
		if err != nil {
			return
		}
		s.State()
		s.First()
		s.Last()
		s.Close()
	})
}

// FuzzHeader feeds headers with right ids and wrong contents.
func FuzzHeader(f *testing.F) {
	f.Add(`{"name":"drift","params":{"speed":0.5},"columns":["w","loss"]}`)
	f.Add(`{"name":"flops","params":{"steps":1e300}}`)
	f.Add(`{"name":"drift","params":{"speed":"fast","start":null},"columns":[1]}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, data string) {
		if !json.Valid([]byte(data)) {
			return
		}
		tree, err := eventlog.NewTree(struct {
			eventlog.Header
			Lab json.RawMessage `json:"lab"`
		}{eventlog.NewHeader("x", time.Time{}), json.RawMessage(data)})
		if err != nil {
			return
		}
		if s, err := Read(t.Context(), bytes.NewReader(append(tree.Root().Line, '\n'))); err == nil {
			s.State().Title()
			s.Timeline()
		}
	})
}

// FuzzApply feeds events with right ids and wrong contents: the fold may refuse them, never fail.
func FuzzApply(f *testing.F) {
	f.Add("trained", `{"runs":[{"rows":[[1,2,"NaN"]]}]}`, "trained", `{"runs":[{"rows":[],"failed":"x"}]}`)
	f.Add("trained", `{"runs":[{"rows":[[1,2]]},{}]}`, "removed", `{}`)
	f.Add("added", `{"params":{"speed":0.5}}`, "trained", `{"runs":[{"rows":[]},{"rows":[[1,2,3],[1,2,3]]}]}`)
	f.Add("edited", `{"run":1,"set":{"speed":2},"restart":true}`, "noted", `{"text":"x","choices":["a"],"correct":-1}`)
	f.Add("edited", `{"run":-1,"set":null}`, "forked", `{"name":"a"}`)
	f.Add("trained", `null`, "added", `null`)
	f.Fuzz(func(t *testing.T, kind1, data1, kind2, data2 string) {
		s := start(t, drifting().Spec, nil)
		for _, e := range [][2]string{{kind1, data1}, {kind2, data2}} {
			if !json.Valid([]byte(e[1])) {
				return
			}
			s.record("", e[0], json.RawMessage(e[1]))
		}
		s.State().Title()
		s.State().Ended()
		s.Timeline()
		if _, err := s.Branches(); err != nil {
			t.Error(err)
		}
		if _, err := s.Verify(t.Context(), nil); err != nil &&
			!strings.Contains(err.Error(), "cannot be trained again") && !strings.Contains(err.Error(), "live") {
			t.Error(err)
		}
		s.First()
	})
}
