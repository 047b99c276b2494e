package lesson

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func read(t *testing.T, dir string) Progress {
	t.Helper()
	s, err := ReadProgress(dir)
	require.NoError(t, err)
	return s
}

// What two programs did is on disk: the farthest page of both, the page of the one that wrote last, all answers, and
// when the exercise was done first.
func TestProgramsAddUp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	a, b := NewProgressStore(dir), NewProgressStore(dir)
	for _, k := range []*ProgressStore{a, b} {
		require.NoError(t, k.Load())
	}
	a.Update("one", LessonProgress{CurrentPage: 7, Answers: map[int]bool{3: true, 5: false}})
	a.Update("two", LessonProgress{CurrentPage: 1, Read: noon})
	a.Update("two", LessonProgress{Read: noon.Add(-time.Hour)})
	b.Update("one", LessonProgress{CurrentPage: 4, Answers: map[int]bool{5: true}})
	b.Update("one", LessonProgress{Exercise: ExerciseProgress{File: "x.jsonl", Begun: noon}})
	b.Update("one", LessonProgress{Exercise: ExerciseProgress{Done: noon.Add(time.Hour)}})
	for _, k := range []*ProgressStore{a, b} {
		require.NoError(t, k.Save(t.Context()))
	}
	a.Update("one", LessonProgress{Exercise: ExerciseProgress{Done: noon.Add(2 * time.Hour)}})
	require.NoError(t, a.Save(t.Context()))
	lessonProgress := LessonProgress{CurrentPage: 4, FarthestPage: 7, Answers: map[int]bool{3: true, 5: true},
		Exercise: ExerciseProgress{"x.jsonl", noon, noon.Add(time.Hour)}}
	want := Progress{"one": lessonProgress, "two": {CurrentPage: 1, FarthestPage: 1, Read: noon}}
	assert.Equal(t, want, read(t, dir), "on disk")
	if a.Get("one").Correct() != 1 || lessonProgress.Correct() != 2 {
		t.Errorf("before it is read again %d are right, then %d", a.Get("one").Correct(), lessonProgress.Correct())
	}
	if err := a.Load(); err != nil || !reflect.DeepEqual(a.Progress(), want) {
		t.Errorf("read again: %v, %+v", err, a.Progress())
	}
	if n, err := ForgetProgress(t.Context(), dir, "two", "three"); n != 1 || err != nil || len(read(t, dir)) != 1 {
		t.Errorf("%d are forgotten, %v", n, err)
	}
	if n, err := ForgetProgress(t.Context(), dir); n != 1 || err != nil || len(read(t, dir)) != 0 {
		t.Errorf("%d are forgotten, %v", n, err)
	}
}

// Many keepers at once lose nothing.
func TestProgramsAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for page := range 20 {
		all.Go(func() {
			assert.NoError(t, AddProgress(t.Context(), dir, Progress{"one": {Answers: map[int]bool{page: true}}}))
		})
	}
	all.Wait()
	if n := read(t, dir)["one"].Correct(); n != 20 {
		t.Errorf("%d of 20 answers are kept", n)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".course-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind are %v, %v", left, err)
	}
}

// A damaged file is no state, which is said, and is laid aside by whoever writes next.
func TestDamaged(t *testing.T) {
	for name, text := range map[string]string{
		"cut off": `{"lessons":{"one":{"current_page":`, "of another kind": `{"lessons":7}`, "empty": "",
		"not text": "\x00\xff"} {
		dir := t.TempDir()
		path := filepath.Join(dir, fileName)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		k := NewProgressStore(dir)
		if err := k.Load(); err == nil || !strings.Contains(err.Error(), "damaged") || len(k.Progress()) != 0 {
			t.Errorf("%s: %v, %v", name, err, k.Progress())
		}
		k.Update("one", LessonProgress{CurrentPage: 2})
		if err := k.Save(t.Context()); err != nil || read(t, dir)["one"].FarthestPage != 2 {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(path + ".damaged"); err != nil || string(b) != text {
			t.Errorf("%s: laid aside is %q, %v", name, b, err)
		}
	}
}

// What cannot be written is said, and written the next time; without a folder it is kept in memory.
func TestNotWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a file")
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	k := NewProgressStore(dir)
	k.Update("one", LessonProgress{CurrentPage: 2})
	assert.ErrorContains(t, k.Save(t.Context()), "cannot save", "in a file")
	k.Update("one", LessonProgress{CurrentPage: 1})
	require.NoError(t, os.Remove(dir))
	if err := k.Save(t.Context()); err != nil || read(t, dir)["one"].FarthestPage != 2 ||
		read(t, dir)["one"].CurrentPage != 1 {
		t.Errorf("the next time: %v, %+v", err, read(t, dir))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none := NewProgressStore("")
	none.Update("one", LessonProgress{CurrentPage: 2})
	if err := none.Save(ctx); err != nil || none.Get("one").FarthestPage != 2 || none.Load() != nil ||
		none.Get("one").FarthestPage != 2 {
		t.Errorf("without a folder: %v, %+v", err, none.Get("one"))
	}
}

func TestSay(t *testing.T) {
	for _, c := range []struct {
		reading  LessonProgress
		finished bool
		want     string
	}{
		{LessonProgress{}, false, ""},
		{LessonProgress{CurrentPage: 2, FarthestPage: 7, Answers: map[int]bool{1: true, 3: false, 5: true}}, false,
			"7 of 12 pages · 2 of 3 right"},
		{LessonProgress{FarthestPage: 12, Exercise: ExerciseProgress{Begun: noon}}, false, "read · exercise started"},
		{LessonProgress{FarthestPage: 12, Exercise: ExerciseProgress{Begun: noon, Done: noon}}, true,
			"read · exercise done"},
		{LessonProgress{FarthestPage: 3, Exercise: ExerciseProgress{Done: noon}}, false,
			"3 of 12 pages · exercise done"},
	} {
		if got := c.reading.Describe(12); got != c.want || c.reading.Finished(12, true) != c.finished {
			t.Errorf("%+v: %q, want %q; finished is not %v", c.reading, got, c.want, c.finished)
		}
	}
	if got := (LessonProgress{FarthestPage: 12, Answers: map[int]bool{1: true},
		Exercise: ExerciseProgress{Begun: noon}}).
		DescribePages(12); got != "read · exercise started" {
		t.Errorf("in brief %q", got)
	}
	if !(LessonProgress{FarthestPage: 12}).Finished(12, false) {
		t.Error("a lesson without exercise is not finished when it is read")
	}
}
