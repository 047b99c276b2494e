package lessonpage

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// asked is a session of five steps of one variable, and a record of which the stop behind the fourth asks; the reader
// stands there.
func asked(t *testing.T) (*sessions.Session, Page) {
	t.Helper()
	s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"initial": 3}}, 5)
	s.Back()
	stops := make([]recorder.Stop, 6)
	stops[4].Ask = true
	return s, Page{State: s.State(), Line: recorder.Timeline{Stops: stops, At: 4}}
}

// turned is the page behind it.
func turned(s *sessions.Session, p Page) Page {
	s.Forward()
	p.State, p.Line.At = s.State(), p.Line.At+1
	return p
}

// A question is open until a point is chosen or it is passed over, which needs to be asked for twice; on the end of a
// record nothing is asked.
func TestOpen(t *testing.T) {
	s, p := asked(t)
	var q Question
	elsewhere, end := p, p
	elsewhere.Line.At, end.Line.Stops = 3, p.Line.Stops[:5]
	if !q.Open(p) || q.Open(elsewhere) || q.Open(end) {
		t.Errorf("open: %v, elsewhere %v, at the end %v", q.Open(p), q.Open(elsewhere), q.Open(end))
	}
	if q.Pass(p) || !q.Open(p) {
		t.Error("a question is passed over at once")
	}
	if !q.Pass(p) || q.Open(p) {
		t.Error("a question is not passed over")
	}
	st := theme.New(true, theme.NoColor, false)
	if next := turned(s, p); q.Answered(next) || q.Verdict(next, st) != "" || q.Marks(next, 0, st) != nil {
		t.Error("a question that was passed over has a verdict")
	}
}

func TestAnswer(t *testing.T) {
	s, p := asked(t)
	b, err := picture.Compute(t.Context(), s.Snapshot(), picture.View{}, nil, nil, nil)
	require.NoError(t, err)
	var q Question
	require.NoError(t, q.Answer(p, NewRelativeEI(p.State, b), []float64{0.5}, b.Next[0]))
	if q.Open(p) || q.Answered(p) {
		t.Error("the question is open, or answered before the page is turned")
	}
	if a := q.answer; a.relativeEI < 0 || a.relativeEI > 1 || a.methodEI < 0.98 {
		t.Errorf("worth %g, that of the record, which has the most expected improvement, %g", a.relativeEI, a.methodEI)
	}
	p = turned(s, p)
	st := theme.New(true, theme.NoColor, false)
	verdict := q.Verdict(p, st)
	for _, want := range []string{"**Your point** x = 0.5 has", "gives f = 0.9093", "gp-ei chose x = "} {
		// (6·0.5 − 2)² sin(12·0.5 − 4) = sin 2
		assert.Contains(t, verdict, want, "not told is %q: %s", want, verdict)
	}
	assert.Equal(t, 1, len(q.Marks(p, 0, st)), "the point is not marked")
	assert.Error(t, q.Answer(p, NewRelativeEI(p.State, b), []float64{math.NaN()}, nil), "NaN is an answer")
}

// Without a band nothing can be expected, and nothing is told of it.
func TestWithoutABand(t *testing.T) {
	s, p := asked(t)
	var q Question
	require.NoError(t, q.Answer(p, NewRelativeEI(p.State, nil), []float64{0.5}, []float64{0.25}))
	if verdict := q.Verdict(turned(s, p), theme.New(true, theme.NoColor, false)); verdict == "" ||
		strings.Contains(verdict, "expected improvement") {
		t.Errorf("told is %q", verdict)
	}
}

// Over two variables a point is judged by the expected improvement there: that of the method, which
// maximizes it, promises nearly all of it, and a point that is known nothing.
func TestPromiseOver(t *testing.T) {
	s := modetest.Session(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 1,
		Params: map[string]any{"initial": 4}}, 6)
	st := s.State()
	plane, err := picture.Compute(t.Context(), s, picture.FirstPlane(st.Problem), nil, nil, nil)
	require.NoError(t, err)
	promised := NewRelativeEI(st, plane)
	if next := promised(plane.Next[0]); next < 0.95 {
		t.Errorf("the next point promises %.3f of the most", next)
	}
	if known := promised(st.Iterations[2].Points[0].X); known > 0.05 {
		t.Errorf("a point that is known promises %.3f of the most", known)
	}
	assert.True(t, math.IsNaN(NewRelativeEI(st, nil)(plane.Next[0])), "no belief promises something")
}
