package shelf

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/sessions/log"
	"bandscope/sessions/page"
	"bandscope/sessions/script"
)

var (
	update = flag.Bool("update", false, "write the lessons anew")
	only   = flag.String("lesson", "", "of those only the ones whose file has this in its name, as in -update -lesson 03")
)

// performs is whether scripts are performed to see what comes of them, which takes as long as the lessons' trainings (-tags study).
var performs = false

//go:embed lessons/*.md
var scripts embed.FS

// perform makes a lesson of its script: a Markdown text in which a line that begins with "> " is an act.
//
//	> lesson FUNCTION OPTIMIZER SEED [KEY=VALUE …]   the first line; title and sentence follow, then "> begin"
//	> part PART, > hide parameters regret
//	> step N, > query X, > edit KEY VALUE, > fork OPTIMIZER NAME, > page (nothing, between two notes)
//
// What stands between two acts is a note; "> claim CLAIM" and "> ask" behind it belong to it. An exercise stands last (script.CutExercise).
func perform(t *testing.T, name, text string) *sessions.Session {
	t.Helper()
	written, exercise, err := script.CutExercise(text)
	if err != nil {
		t.Fatal(name, err)
	}
	lines := strings.Split(written, "\n")
	words := strings.Fields(lines[0])
	cfg, err := script.Configuration(words[2:])
	if err != nil {
		t.Fatal(name, err)
	}
	lesson := &sessions.Lesson{Title: strings.TrimPrefix(lines[1], "# "), About: strings.TrimSpace(lines[2]), Script: script.Digest(text)}
	if exercise != nil {
		lesson.Exercise = &exercise.Exercise
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var s *sessions.Session
	var note []string
	var claims []string
	ask := false
	flush := func() {
		if text := strings.TrimSpace(strings.Join(note, "\n")); text != "" {
			if err := s.WritePage(text, page.Page{Ask: ask, Claims: claims}); err != nil {
				t.Fatal(name, err)
			}
		}
		note, ask, claims = nil, false, nil
	}
	for _, line := range lines[3:] {
		act, ok := strings.CutPrefix(line, "> ")
		if !ok {
			note = append(note, line)
			continue
		}
		words := strings.Fields(act)
		if words[0] == "ask" {
			ask = true
			continue
		}
		if words[0] == "claim" {
			claims = append(claims, strings.Join(words[1:], " "))
			continue
		}
		if s != nil {
			flush()
		}
		var err error
		switch words[0] {
		case "hide":
			lesson.Hide = words[1:]
		case "part":
			lesson.Part = strings.Join(words[1:], " ")
		case "begin":
			s, err = sessions.New(cfg, sessions.WithLesson(lesson), sessions.WithClock(func() time.Time { now = now.Add(time.Second); return now }))
			note = nil
		case "page":
		case "step":
			n := 0
			fmt.Sscan(words[1], &n)
			for range n {
				if _, err = s.Step(context.Background(), nil); err != nil {
					break
				}
			}
		case "query":
			var x []float64
			for _, w := range words[1:] {
				var v float64
				fmt.Sscan(w, &v)
				x = append(x, v)
			}
			_, err = s.Query(context.Background(), x)
		case "edit":
			err = s.Edit(words[1], strings.Join(words[2:], " "))
		case "fork":
			err = s.Fork(strings.Join(words[2:], " "), words[1])
		default:
			t.Fatalf("%s: no act %q", name, line)
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", name, line, err)
		}
	}
	flush()
	return s
}

// Every lesson is performed of its script as it is now. Performed again, where that is asked for, it has the same notes and the same acts in the same
// order. Floating point differs between processors, so the numbers are those of the machine that wrote the lesson; -update writes them anew.
func TestLessonsFollowTheirScripts(t *testing.T) {
	files, err := fs.Glob(scripts, "lessons/*.md")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		text, err := scripts.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimSuffix(file, ".md") + ".jsonl"
		if *update {
			if strings.Contains(file, *only) {
				os.Remove(path)
				keep(t, file, string(text), path)
			}
			continue
		}
		if made, now := madeOf(t, path), script.Digest(string(text)); made != now {
			t.Errorf("%s is performed of another script (%s, its script is %s now): go test ./sessions/shelf -run TestLessonsFollow -update -lesson %s", path, made, now, file[len("lessons/"):len("lessons/")+2])
		}
		if !performs {
			continue
		}
		saved := filepath.Join(t.TempDir(), "made.jsonl")
		keep(t, file, string(text), saved)
		if got, want := outline(t, path), outline(t, saved); !slices.Equal(got, want) {
			t.Errorf("%s: the lesson has\n%s\nits script\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// keep performs a script, and saves what comes of it.
func keep(t *testing.T, file, text, path string) {
	t.Helper()
	var made interface {
		SaveAs(string) error
		Close() error
	}
	if strings.HasPrefix(text, "> lab ") {
		made = performLab(t, file, text, whole)
	} else {
		made = perform(t, file, text)
	}
	if err := errors.Join(made.SaveAs(path), made.Close()); err != nil {
		t.Fatal(err)
	}
}

// madeOf is the digest of the script that a lesson was performed of.
func madeOf(t *testing.T, path string) string {
	t.Helper()
	s, err := sessions.Peek(t.Context(), path)
	if errors.Is(err, sessions.ErrLab) {
		l, err := lab.Peek(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return l.Lesson().Script
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Lesson().Script
}

// outline is the kinds of event of a file, and the text of notes.
func outline(t *testing.T, path string) (lines []string) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	found, err := log.Read(t.Context(), in)
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

// A lesson is read from note to note, can be left at any place, and goes on as an ordinary session that is saved with its notes.
func TestLessonsPlayAndFork(t *testing.T) {
	asks := 0
	for _, l := range Lessons() {
		if l.Lab != "" {
			asks += playLab(t, l)
			continue
		}
		s, err := OpenLesson(l.Name)
		if err != nil {
			t.Fatal(err)
		}
		if begins := s.State().Spec.Name; l.Optimizer != begins {
			t.Errorf("%s is listed with %s, it begins with %s", l.Name, l.Optimizer, begins)
		}
		line := s.Timeline()
		if line.At != 0 || len(line.Stops) < 4 || line.Stops[0].Note == "" || l.Title == "" || l.About == "" {
			t.Errorf("%s begins at place %d of %d with %q", l.Name, line.At, len(line.Stops), line.Stops[0].Note)
		}
		for i := range line.Stops {
			s.GoTo(i)
			if at := s.Timeline().At; at != i {
				t.Errorf("%s: place %d is place %d", l.Name, i, at)
			}
			if line.Stops[i].Ask {
				asks++
			}
		}
		if s.Forward() {
			t.Errorf("%s goes on behind its end", l.Name)
		}
		s.GoTo(len(line.Stops) / 2)
		if err := s.Fork("mine", ""); err != nil {
			t.Fatal(err)
		}
		if err := Keep(s, t.TempDir()); err != nil {
			t.Fatal(err)
		}
		path := s.Path()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if again := peek(t, path); again.Lesson() == nil || again.State().Branch != "mine" {
			t.Errorf("%s: saved and read again it is %+v on %q", l.Name, again.Lesson(), again.State().Branch)
		}
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
	s, err := sessions.Peek(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
