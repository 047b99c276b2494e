package recorder

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/lesson/page"
)

// sum is a session whose state is the numbers that were recorded, one a step.
type sum struct {
	Recorder[[]int]
	rec *Record[[]int]
}

func newSum(pages bool) *sum {
	s := &sum{}
	s.rec, s.Recorder = New[[]int](time.Now)
	s.rec.Rules = Rules[[]int]{
		Root: func(string) []int { return nil },
		Fold: func(before []int, e *eventlog.Event) ([]int, error) {
			if e.Kind != "number" {
				return before, nil
			}
			var n int
			if err := json.Unmarshal(e.Data, &n); err != nil || n < 0 {
				return nil, fmt.Errorf("%s is no natural number", e.Data)
			}
			return append(slices.Clip(before), n), nil
		},
		FollowUps: func(after []int, kind string) []Entry {
			if kind == "number" && after[len(after)-1] == 100 {
				return []Entry{{Kind: "hundred"}}
			}
			return nil
		},
		Steps: func(st []int) int { return len(st) },
		Stops: func() []*eventlog.Event { return s.rec.Tip.PathFromRoot() },
		Pages: pages,
	}
	return s
}

func start(t *testing.T, numbers ...int) *sum {
	t.Helper()
	s := newSum(false)
	require.NoError(t, s.rec.Begin(func(moment time.Time) any { return eventlog.NewHeader("test", moment) }))
	s.add(t, numbers...)
	return s
}

func begun(*eventlog.Contents) (*sum, error) { return newSum(false), nil }

func (s *sum) add(t *testing.T, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		if _, err := s.rec.Act(func() ([]Entry, error) { return []Entry{{Kind: "number", Data: n}}, nil }); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *sum) at(t *testing.T, want ...int) {
	t.Helper()
	if got := *s.rec.State(); !slices.Equal(got, want) {
		t.Errorf("it stands at %d, want %d", got, want)
	}
}

// A branch that leaves another in the middle changes nothing of it, and a file keeps both, with the place and the
// notes.
func TestBranchesAreKept(t *testing.T) {
	s := start(t, 1, 2, 100)
	if n := len(s.rec.Tree.Events()); n != 5 {
		t.Errorf("%d events, want 5 with the one that goes with 100", n)
	}
	s.Seek(1)
	s.at(t, 1)
	require.NoError(t, s.rec.Fork("", func(name string) (any, error) { return map[string]string{"name": name}, nil }))
	s.add(t, 7)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, errors.Join(s.Note("seven"), s.SaveAs(path)))
	s.Back()
	s.Back()
	require.NoError(t, errors.Join(s.Note("one"), s.Mark(), s.Close()))
	again, err := Open(t.Context(), path, begun)
	if err != nil || len(again.Notices()) > 0 {
		t.Fatal(err, again.Notices())
	}
	defer again.Close()
	again.Last()
	again.at(t, 1, 7)
	var notes []string
	for _, n := range again.rec.Place(0).Notes {
		notes = append(notes, fmt.Sprint(n.Step, n.Text, n.Mark))
	}
	if got, want := strings.Join(notes, " "), "1true 1onefalse 2sevenfalse"; got != want {
		t.Errorf("the notes are %q, want %q", got, want)
	}
	list, err := again.Branches()
	if err != nil || len(list) != 2 || list[0].Name != "main" || !slices.Equal(list[0].State, []int{1, 2, 100}) ||
		list[1].Name != "fork 1" || list[1].From != 1 || !list[1].Current {
		t.Errorf("%+v, %v", list, err)
	}
	if line := again.Timeline(); !line.Stops[1].Fork || !line.Stops[1].Mark || line.Stops[0].Fork || line.At != 4 {
		t.Errorf("%+v", line)
	}
}

// An act that cannot be applied, or whose file cannot be written, leaves no event and no state.
func TestFailedActsLeaveNothing(t *testing.T) {
	s := start(t, 1)
	require.NoError(t, s.SaveAs(filepath.Join(t.TempDir(), "s.jsonl")))
	defer s.Close()
	decide := func(n int) func() ([]Entry, error) {
		return func() ([]Entry, error) { return []Entry{{Kind: "number", Data: 5}, {Kind: "number", Data: n}}, nil }
	}
	if _, err := s.rec.Act(decide(-1)); err == nil || !strings.Contains(err.Error(), "-1 is no natural number") {
		t.Errorf("%v", err)
	}
	full := errors.New("no space left on device")
	s.rec.File = fullDisk{s.rec.File, full}
	if _, err := s.rec.Act(decide(6)); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	s.at(t, 1)
	if events, points := len(s.rec.Tree.Events()), len(s.rec.points); events != 2 || points != 2 {
		t.Errorf("%d events and %d states, want 2", events, points)
	}
}

type fullDisk struct {
	Journal
	err error
}

func (d fullDisk) Append([]*eventlog.Event) error { return d.err }

// Lists that grow along a branch share an array; those beside it have their own.
func TestGrow(t *testing.T) {
	base, used := AppendShared([]int(nil), nil, 1, 2, 3)
	base, used = AppendShared(base, used, 4) // in an array with room
	a, _ := AppendShared(base, used, 5)
	b, _ := AppendShared(base, used, 6)
	if !slices.Equal(a, []int{1, 2, 3, 4, 5}) || !slices.Equal(b, []int{1, 2, 3, 4, 6}) || len(base) != 4 ||
		&a[0] != &base[0] {
		t.Error(base, a, b)
	}
	copied, _ := CopyShared(base)
	if copied[0] = 9; base[0] != 1 {
		t.Error("a copy of its own changes the list")
	}
}

// The notes of a lesson are its pages until they are withdrawn, and what they said before is known.
func TestPages(t *testing.T) {
	s := start(t, 1)
	s.rec.Rules.Pages = true
	require.NoError(t, s.WritePage("first", page.Page{Ask: true}))
	e := s.rec.Tip
	if !s.rec.IsPage(e) || s.rec.IsPage(e.Parent) {
		t.Error("a page is none, or a number is one")
	}
	require.NoError(t, errors.Join(s.Revise(e.ID, "other"), s.Revise(e.ID, "other words"), s.Revise(e.ID, "")))
	if got := s.rec.OldTexts()[e.ID]; s.rec.IsPage(e) || !slices.Equal(got, []string{"first", "other words"}) {
		t.Errorf("it said %q", got)
	}
}

// Folding ends with its context, and a file that another has open is not written to.
func TestOpenIsGivenUp(t *testing.T) {
	s := start(t, 1, 2)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	defer s.Close()
	if _, err := s.rec.File.Begin(s.rec.Tree); err != nil {
		t.Fatal(err)
	}
	defer s.rec.File.End()
	var locked *eventlog.LockedError
	if _, err := OpenForWriting(t.Context(), path, 0, begun); !errors.As(err, &locked) {
		t.Errorf("a locked file: %v", err)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	again, _, err := Read(t.Context(), bytes.NewReader(text), begun)
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = again.rec.lastApplicableEvent(ended, nil)
	assert.ErrorIs(t, err, context.Canceled, "folding: %v", err)
}
