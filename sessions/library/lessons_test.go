package library

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/golden"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/lesson"
	"bandscope/sessions/training"
)

// performs is whether scripts are performed to see what comes of them, which takes as long as the lessons' trainings
// (-tags study).
var performs = false

//go:embed lessons gallery
var scripts embed.FS

// beside is where the declarations of experiments are that a script names.
func beside(t *testing.T, script string) fs.FS {
	t.Helper()
	files, err := fs.Sub(scripts, path.Dir(script))
	require.NoError(t, err)
	return files
}

// Every lesson, and every session of the gallery, is performed of its script as it is now. Performed again, where that
// is asked for, it has the same notes and the same acts in the same order. Floating point differs between processors,
// so the numbers are those of the machine that wrote the lesson; .ci/record writes them again.
func TestLessonsFollowTheirScripts(t *testing.T) {
	files, err := fs.Glob(scripts, "*/*.md")
	if err != nil || len(files) < 34 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		text, err := scripts.ReadFile(file)
		require.NoError(t, err)
		log := strings.TrimSuffix(file, ".md") + ".jsonl"
		if made, now := madeFor(t, log), lesson.Digest(string(text)); made != now {
			t.Errorf("%s is performed of another script (%s, its script is %s now): go run -tags record ./.ci/record -only %s",
				log, made, now, lessonName(filepath.Base(file)))
		}
		if !performs {
			continue
		}
		saved := filepath.Join(t.TempDir(), "made.jsonl")
		keep(t, file, string(text), saved)
		if got, want := outline(t, log), outline(t, saved); !slices.Equal(got, want) {
			t.Errorf("%s: the lesson is not what its script makes of it:\n%s", file,
				golden.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")))
		}
	}
}

// keep performs a script, and saves what comes of it.
func keep(t *testing.T, file, text, path string) {
	t.Helper()
	written, err := lesson.ReadScript(text, beside(t, file))
	require.NoError(t, err, file)
	var made interface {
		SaveAs(string) error
		Close() error
	}
	if written.IsTraining() {
		made, err = written.PerformTraining(t.Context(), training.Find, nil)
	} else {
		made, err = written.Perform(t.Context(), nil)
	}
	require.NoError(t, err, file)
	require.NoError(t, errors.Join(made.SaveAs(path), made.Close()))
}

// madeFor is the digest of the script that a lesson was performed of.
func madeFor(t *testing.T, path string) string {
	t.Helper()
	s, err := sessions.OpenReadOnly(t.Context(), path)
	if errors.Is(err, sessions.ErrTraining) {
		l, err := training.OpenReadOnly(t.Context(), path)
		require.NoError(t, err)
		return l.Lesson().Script
	}
	require.NoError(t, err)
	return s.Lesson().Script
}

// outline is the kinds of event of a file, and the text of notes.
func outline(t *testing.T, path string) (lines []string) {
	t.Helper()
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	found, err := eventlog.Read(t.Context(), in)
	if err != nil || len(found.Problems) > 0 {
		t.Fatal(err, found)
	}
	for _, e := range found.Tree.Events() {
		lines = append(lines, e.Kind)
		if e.Kind == "noted" {
			lines[len(lines)-1] += " " + string(e.Data)
		}
	}
	return lines
}

// A lesson is read from note to note, can be left at any place, and goes on as an ordinary session that is saved with
// its notes.
func TestLessonsPlayAndFork(t *testing.T) {
	asks := 0
	for _, l := range append(Lessons(), Gallery()...) {
		if l.Training != "" {
			asks += playLab(t, l)
			continue
		}
		s, err := OpenLesson(l.Name)
		require.NoError(t, err)
		if begins := s.State().Spec.Name; l.Optimizer != begins {
			t.Errorf("%s is listed with %s, it begins with %s", l.Name, l.Optimizer, begins)
		}
		line := s.Timeline()
		if line.At != 0 || len(line.Stops) < 4 || line.Stops[0].Note == "" || l.Title == "" || l.About == "" {
			t.Errorf("%s begins at place %d of %d with %q", l.Name, line.At, len(line.Stops), line.Stops[0].Note)
		}
		for i := range line.Stops {
			s.GoTo(i)
			assert.Equal(t, i, s.Timeline().At, "%s: place %d is place", l.Name, i)
			if line.Stops[i].Ask {
				asks++
			}
		}
		assert.False(t, s.Forward(), "%s goes on behind its end", l.Name)
		s.GoTo(len(line.Stops) / 2)
		require.NoError(t, s.Fork("mine", ""))
		require.NoError(t, Save(s, t.TempDir()))
		path := s.Path()
		require.NoError(t, s.Close())
		if again := peek(t, path); again.Lesson() == nil || again.State().Branch != "mine" {
			t.Errorf("%s: saved and read again it is %+v on %q", l.Name, again.Lesson(), again.State().Branch)
		}
	}
	if n := len(Gallery()); n != 10 {
		t.Errorf("the gallery has %d sessions", n)
	}
	if asks < 3 {
		t.Errorf("%d places ask where to query", asks)
	}
	if _, err := OpenLesson("posteriro"); err == nil || !strings.Contains(err.Error(), "posterior") {
		t.Errorf("a lesson that is not there: %v", err)
	}
}

func peek(t *testing.T, path string) *sessions.Session {
	t.Helper()
	s, err := sessions.OpenReadOnly(t.Context(), path)
	require.NoError(t, err)
	return s
}
