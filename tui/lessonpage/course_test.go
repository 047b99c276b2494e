package lessonpage

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// What an exercise asks for is a number of the session, and none of the window: no goal of the course is measured in
// rows.
func TestGoalsAreNotInRows(t *testing.T) {
	for _, l := range library.Lessons() {
		if l.Exercise == nil {
			continue
		}
		goals, err := Goals(&l.Exercise.Task)
		require.NoError(t, err)
		for _, g := range goals {
			assert.NotContains(t, g.Words, "in rows", "%s: the goal %s is %s", l.Name, g.Claim, g.Words)
		}
	}
}

// Pages of a lesson that follow each other on the same data have one y axis, so that an answer can be seen beside its
// question; before any data all of the band is in it.
func TestPagesShareAnAxis(t *testing.T) {
	compared := 0
	for _, name := range []string{"prior", "trained"} {
		s, err := library.OpenLesson(name)
		require.NoError(t, err)
		var before *claimPage
		for i, stop := range s.Timeline().Stops {
			s.GoTo(i)
			p, err := turnTo(t.Context(), s, before)
			require.NoError(t, err)
			if before != nil && p.pictureKind() == onLine && len(p.state.Iterations) == len(before.state.Iterations) {
				compared++
				if a, b := before.chart.Y, p.chart.Y; a.Min != b.Min || a.Max != b.Max {
					t.Errorf("%s, page %d, %q: the axis is %g to %g, before that %g to %g", name, i+1, stop.Note,
						b.Min, b.Max, a.Min, a.Max)
				}
			}
			if b := p.posterior; len(p.state.Iterations) == 0 && p.pictureKind() == onLine &&
				(minOrZero(b.Fields[picture.LowerField].Z) < p.chart.Y.Min || maxOrZero(b.Fields[picture.UpperField].Z) > p.chart.Y.Max) {
				t.Errorf("%s, page %d, %q: the band, %g to %g, is higher than the plot, %g to %g", name, i+1,
					stop.Note, minOrZero(b.Fields[picture.LowerField].Z), maxOrZero(b.Fields[picture.UpperField].Z), p.chart.Y.Min, p.chart.Y.Max)
			}
			before = p
		}
	}
	if compared < 12 {
		t.Errorf("%d pages are compared", compared)
	}
}

// How far the band reaches at data, how far the mean misses them and how far it is from zero are those of the belief,
// as the optimizer predicts it.
func TestQuantitiesInUnits(t *testing.T) {
	s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"noise": "fixed", "noise_sd": 0.5, "lengthscale": "0.1"}}, 5)
	st := s.State()
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	var sd, miss float64
	for _, it := range st.Iterations {
		bands, err := b.Predict(t.Context(), mat.NewDense(1, 1, st.Problem.Domain.ToUnit(it.Points[0].X)))
		require.NoError(t, err)
		sd, miss = max(sd, bands[0].SD[0]), max(miss, math.Abs(bands[0].Mean[0]-it.Points[0].Y[0]))
	}
	p, err := draw(t.Context(), s.Snapshot(), taskLesson, nil)
	require.NoError(t, err)
	for name, want := range map[string]float64{
		"reach-at-data": 2 * sd, "residual": miss,
		"mean-size": max(maxOrZero(p.mean()), -minOrZero(p.mean()))} {
		if got, err := p.measure(name); err != nil || !(math.Abs(got-want) < 0.02*want) || want == 0 {
			t.Errorf("%s is %g, %v, want %g", name, got, err, want)
		}
	}
}

// Formulas and texts of the course have a form in ASCII: no character of them becomes a question mark.
func TestLessonsInASCII(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	scripts, err := filepath.Glob("../../sessions/library/*/*.md")
	if err != nil || len(scripts) < 34 {
		t.Fatal(scripts, err)
	}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, r := range string(text) {
			if r != '?' && st.Plain(string(r)) == "?" {
				t.Errorf("%s: %c has no form in ASCII", path, r)
			}
		}
	}
}

const axesLesson = `> lesson forrester gp-ei 3 initial=3
# Axes
They stay the same.
> axis y -20..30
> axis iterations 1..6
> axis simple 0.01..100
> begin
# Before
Nothing.
> step 3
# Three
Points.
> step 3
# Six
Points.
`

// An axis that a lesson sets is the same on all its pages, and a check finds values outside of it.
func TestLessonSetsAxes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"y -20..30", "y -1..1", "axis y -1..1"},
		{"1..6", "1..5", "axis iterations 1..5"},
		{"0.01..100", "0.01..0.1", "axis simple 0.01..0.1"},
	} {
		written, err := lesson.ReadScript(strings.Replace(axesLesson, c.old, c.new, 1), nil)
		require.NoError(t, err)
		s, err := written.Perform(t.Context(), nil)
		require.NoError(t, err)
		_, broken, err := Check(t.Context(), s, nil)
		if err != nil || (len(broken) == 0) != (c.want == "") || c.want != "" && broken[0].Claim != c.want {
			t.Errorf("%q: %v, %v", c.new, broken, err)
		}
		if c.want != "" {
			continue
		}
		for i := range s.Timeline().Stops {
			s.GoTo(i)
			p, err := turnTo(t.Context(), s, nil)
			require.NoError(t, err)
			if y := p.chart.Y; y.Min != -20 || y.Max != 30 {
				t.Errorf("on page %d the axis is %g to %g", i+1, y.Min, y.Max)
			}
		}
	}
}
