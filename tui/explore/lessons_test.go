package explore

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/library"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/lessonpage"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// What the lessons say of their pictures is true of them, and every page says something that can be measured. Measured
// it is here where that is quick, with Gaussian processes over one variable; bandscope lesson check --all, which the
// checks of a change run, measures it of all.
func TestLessonsSayWhatTheirPicturesShow(t *testing.T) {
	lessons := append(library.Lessons(), library.Gallery()...)
	if len(lessons) < 34 {
		t.Fatalf("%d lessons", len(lessons))
	}
	for _, l := range lessons {
		if l.Training != "" {
			continue
		}
		s, err := library.OpenLesson(l.Name)
		require.NoError(t, err)
		places := s.Timeline().Stops
		var answered lessonpage.Choice // by a reader who skips the questions, so that the next page has the answer
		for i := range places {
			s.GoTo(i)
			if n := s.State().LastNote(); places[i].Note != "" && len(n.Claims) == 0 {
				t.Errorf("%s: page %d, %q, claims nothing", l.Name, i+1, places[i].Note)
			}
			m := New(s, "")
			m.Resize(lessonpage.Width, lessonpage.Height)
			m.Restyle(trueColor)
			m.Reader.Choice = answered
			for _, style := range []theme.Style{theme.New(true, theme.NoColor, true), trueColor} {
				m.Restyle(style)
				screen := layout.Render(m.Frame(), lessonpage.Width, lessonpage.Height)
				if strings.Contains(screen, "page down") {
					t.Errorf("%s: page %d, %q, is too long for its panel, ASCII %v", l.Name, i+1, places[i].Note,
						style.ASCII)
				}
			}
			if q := s.State().LastNote(); len(q.Choices) > 0 {
				for k := range q.Choices {
					m.Reader.Choice.Answer(m.Line, q.Question, k)
					if screen := layout.Render(m.Frame(), lessonpage.Width, lessonpage.Height); strings.Contains(screen,
						"page down") {
						t.Errorf("%s: page %d, %q, is too long with the reason of choice %d", l.Name, i+1,
							places[i].Note, k+1)
					}
				}
				answered.Pass(m.Line, q.Question)
				answered.Pass(m.Line, q.Question)
			}
			if asksForPoint(s) && !slices.Contains(s.State().LastNote().Claims, "next = 0") {
				t.Errorf("%s: page %d asks for a point, and does not claim that it is hidden", l.Name, i+1)
			}
		}
		if l.Part != lessons[0].Part || s.State().Problem.Dim() > 1 || testing.Short() && l.Name != lessons[0].Name {
			continue
		}
		checked, broken, err := lessonpage.Check(context.Background(), s, nil)
		if err != nil || checked < len(places) {
			t.Errorf("%s: %d claims checked, %v", l.Name, checked, err)
		}
		for _, b := range broken {
			t.Errorf("%s: %v", l.Name, b)
		}
	}
}

// asksForPoint reports whether the page on which a lesson stands asks where to query, and not for one of some choices.
func asksForPoint(s *sessions.Session) bool {
	n := s.State().LastNote()
	return n.Ask && len(n.Choices) == 0
}

// While a lesson asks where to query, no key shows where the record went: neither the mark, nor the acquisition, nor
// the true value at the cursor, nor another screen.
func TestQuestionsHideTheirAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("every key in every lesson runs the jobs that TestLessonsSayWhatTheirPicturesShow runs")
	}
	asked := 0
	for _, l := range library.Lessons() {
		if l.Training != "" {
			continue
		}
		s, err := library.OpenLesson(l.Name)
		require.NoError(t, err)
		for i := range s.Timeline().Stops {
			if s.GoTo(i); !asksForPoint(s) {
				continue
			}
			asked++
			d := driveSession(t, s, 120, 36, trueColor)
			next, err := s.Next(context.Background(), nil)
			require.NoError(t, err)
			answer := s.State().Problem.Domain.FromUnit(next.X.RawRowView(0))[0]
			best := s.State().Problem.Optimum()
			for _, p := range d.Arranged().DescribedBoxes() {
				if says := p.Description(); strings.Contains(says, "= "+widget.Number(answer)) || best != nil &&
					strings.Contains(says, widget.Number(best.Value)) || p.Name == "next" || p.Name == "truth" {
					t.Errorf("%s, page %d: of %q is told %q", l.Name, i+1, p.Name, says)
				}
			}
			for _, keys := range []string{
				"", "x", "x tab", "x right right", "x i 0 . 5 enter", "t", "t x", "c", "E", "v", "h", "+"} {
				d.Press(strings.Fields(keys)...)
				if cursor := d.M.overlay().Cursor; cursor != nil && cursor[0] == answer {
					t.Errorf("%s, page %d: %q puts the cursor on the answer", l.Name, i+1, keys)
				}
				lines := strings.Split(d.Text(), "\n")
				plot, status := strings.Join(lines[3:view.HeadRows+d.M.layout().height], "\n"), lines[len(lines)-2]
				if strings.Contains(plot, "◆") || strings.Contains(status, "truth ") ||
					strings.Contains(status, "acquisition ") {
					t.Errorf("%s, page %d: %q shows the answer:\n%s", l.Name, i+1, keys, d.Text())
				}
				d.Press("esc", "esc")
			}
		}
	}
	if asked < 3 {
		t.Errorf("%d questions", asked)
	}
}

// The traces of the pages of a lesson have the axes that the lesson sets, whatever was measured until then.
func TestPagesShareTheAxesOfTraces(t *testing.T) {
	s, err := library.OpenLesson("regret")
	require.NoError(t, err)
	var ends []string
	for i := range s.Timeline().Stops {
		if s.GoTo(i); !strings.Contains(s.State().LastNote().View, "traces simple") {
			continue
		}
		d := driveSession(t, s, 80, 24, trueColor)
		lines := strings.Split(d.Text(), "\n")
		index := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "simple regret (log)") })
		end := ""
		for _, l := range lines[index+1:] {
			if _, right, ok := strings.Cut(l, "││"); ok && strings.Contains(right, "┤") {
				right, _, _ = strings.Cut(right, "┤")
				end += strings.TrimSpace(right) + " "
			} else if strings.Contains(l, " step ") {
				end += strings.Join(strings.Fields(right), " ")
			}
		}
		ends = append(ends, end)
	}
	if len(ends) < 3 || len(slices.Compact(slices.Clone(ends))) != 1 || !strings.Contains(ends[0], "10") {
		t.Errorf("the axes are %q", ends)
	}
}

// A page that wants the outlook has it in the place of the regret, with the truth hidden, and the page behind it shows
// both again.
func TestPagesHaveTheOutlook(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3},
		sessions.WithLesson(&sessions.Lesson{Title: "stopping", Hide: []string{"parameters"}}))
	require.NoError(t, err)
	for _, view := range []string{"", "outlook", ""} {
		for range 3 {
			_, err = s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		require.NoError(t, s.WritePage("# a page\ntext", page.Page{View: view}))
	}
	s.First()
	d := driveSession(t, s, 80, 24, trueColor)
	d.Shows("simple regret")
	d.Shows("truth")
	d.Press("space")
	d.Shows("outlook")
	d.Shows("observed")
	if text := d.Text(); strings.Contains(text, "truth") || strings.Contains(text, "regret") {
		t.Errorf("the truth is told:\n%s", text)
	}
	d.Press("space")
	d.Shows("simple regret")
	d.Shows("truth")
}
