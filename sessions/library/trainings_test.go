package library

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/training"
)

// stubSpec is a lab whose training measures nothing: it takes the acts of a script in no time.
func stubSpec(name string) (*training.Spec, error) {
	found, err := training.Find(name)
	if err != nil {
		return nil, err
	}
	l := *found
	l.Begin = func(p param.Set) (training.Model, error) {
		return &stubModel{of: l.TotalUpdates(p), row: slices.Repeat([]float64{math.NaN()}, len(l.Columns))}, nil
	}
	return &l, nil
}

type stubModel struct {
	at, of int
	row    []float64
}

func (n *stubModel) Step() error            { n.at++; return nil }
func (n *stubModel) At() int                { return n.at }
func (n *stubModel) TotalUpdates() int      { return n.of }
func (n *stubModel) Row() []float64         { return n.row }
func (n *stubModel) Change(param.Set) error { return nil }
func (n *stubModel) Bytes() int             { return 100 }

func (n *stubModel) Copy() training.Model {
	c := *n
	return &c
}

// playLab reads the lesson of a lab page by page: what its pages claim is true of the record, and it is left, saved and
// gone on with as any session. It returns how many pages ask.
func playLab(t *testing.T, e LessonEntry) (asks int) {
	t.Helper()
	s, err := OpenTrainingLesson(e.Name)
	require.NoError(t, err)
	stops := s.Timeline().Stops
	for i, p := range stops {
		s.GoTo(i)
		if place := s.Timeline().At; place != i || p.Note == "" {
			t.Errorf("%s: page %d is page %d, %q", e.Name, i, place, p.Note)
		}
		if p.Ask {
			asks++
		}
	}
	if len(stops) < 4 || asks == 0 || s.Forward() || e.Title == "" || e.About == "" {
		t.Errorf("%s: %d pages, %d ask", e.Name, len(stops), asks)
	}
	if checked, broken := lesson.Check(s); checked == 0 || len(broken) > 0 {
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
> add contrast
> edit second lambda=1
> step 2
> page
# three
> claim second.metric > 0
> claim weight > 1e9
> remove
> fork mine
# four`
	var outlines [2][]string
	for i, find := range []func(string) (*training.Spec, error){training.Find, stubSpec} {
		written, err := lesson.ReadScript(text, nil)
		require.NoError(t, err)
		s, err := written.PerformTraining(t.Context(), find, nil)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "made.jsonl")
		require.NoError(t, errors.Join(s.SaveAs(path), s.Close()))
		outlines[i] = outline(t, path)
		if i > 0 {
			continue
		}
		again, err := FindTrainingLesson(t.Context(), path)
		require.NoError(t, err)
		_, err = FindLesson(t.Context(), path)
		assert.ErrorIs(t, err, sessions.ErrTraining, "as the lesson of a session: %v", err)
		stops := again.Timeline().Stops
		again.First()
		first := again.State().LastNote()
		if len(stops) != 4 || !stops[0].Ask || stops[1].Ask || stops[2].Step != 12 || first.Correct != 1 ||
			len(first.Choices) != 3 || first.Choices[1] != "it falls" {
			t.Errorf("the pages are %+v, of the first %+v", stops, first)
		}
		if checked, broken := lesson.Check(again); checked != 3 || len(broken) != 1 || broken[0].Page != 3 {
			t.Errorf("%d claims, broken are %v", checked, broken)
		}
	}
	if !slices.Equal(outlines[0], outlines[1]) {
		t.Errorf("trained it is\n%s\nand otherwise\n%s", strings.Join(outlines[0], "\n"),
			strings.Join(outlines[1], "\n"))
	}
	flops, err := training.Find("flops")
	require.NoError(t, err)
	plain, err := training.New(flops, nil)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "plain.jsonl")
	require.NoError(t, errors.Join(plain.SaveAs(path), plain.Close()))
	_, err = FindTrainingLesson(t.Context(), path)
	assert.ErrorContains(t, err, "not a lesson", "a session that is none")
}
