package explore

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// espresso is a session on an experiment that a person does.
func espresso(t *testing.T) *sessions.Session { return espressoBy(t, "mobo-rs-ts") }

func espressoBy(t *testing.T, method string) *sessions.Session {
	t.Helper()
	cfg, err := sessions.Config{Seed: 3, Optimizer: method}.WithExperiment(
		"../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	return s
}

// byHand are two results, and two points more that are out.
const byHand = "space enter 1 8 . 2 tab tab 3 ctrl+s space enter 1 9 tab tab 4 ctrl+s space space "

func TestGoldenByHand(t *testing.T) {
	for i, c := range []struct {
		name  string
		w, h  int
		style theme.Style
		keys  string
	}{
		{"byhand-80x24", 80, 24, noColor, byHand},
		{"results-80x24", 80, 24, noColor, byHand + "enter 4 2 tab 0 tab 1 , 5"},
	} {
		if testing.Short() && i%4 > 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			d := driveSession(t, espresso(t), c.w, c.h, c.style)
			started := time.Now()
			d.M.now = func() time.Time { return started }
			d.Press(strings.Fields(c.keys)...)
			for id := range d.M.asked {
				d.M.asked[id] = started.Add(-2 * time.Hour)
			}
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}

// A person's experiment over two starts: what is out waits, and takes its results in any order; a point of one's own
// opens the form.
func TestByHandOverTwoStarts(t *testing.T) {
	if testing.Short() {
		t.Skip("its keys run the jobs that other tests by hand run")
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := espresso(t)
	d := driveSession(t, s, 120, 36, trueColor)
	d.Press("space", "space")
	d.Shows("2 pending points")
	require.NoError(t, s.SaveAs(path))
	out := s.State().Pending
	s.Close()

	again, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	defer again.Close()
	d = driveSession(t, again, 120, 36, trueColor)
	d.Shows("2 points are pending; press enter to report their results")
	d.Shows("just now")
	d.Press(strings.Fields("enter down 1 8 tab tab 3 ctrl+s esc")...)
	if st := again.State(); len(st.Iterations) != 1 || st.Iterations[0].ID != out[1].ID || len(st.Pending) != 1 ||
		st.Pending[0].ID != out[0].ID {
		t.Fatalf("told are %+v, out are %+v", st.Iterations, st.Pending)
	}
	d.Press(strings.Fields("d x tab 1 5 , 2 5 enter enter")...)
	d.Shows("results of point 3")
	d.Shows("your own point")
	d.Press(strings.Fields("1 7 tab tab 2 ctrl+s")...)
	if st := again.State(); len(st.Iterations) != 2 || st.Iterations[1].By != sessions.ByPerson ||
		st.Iterations[1].Points[0].X[0] != 15 || len(st.Pending) != 1 {
		t.Fatalf("told are %+v, out are %+v", st.Iterations, st.Pending)
	}
	d.Press("esc", "r")
	d.Shows("evaluation is manual")
	d.Press("b", "b", "b")
	d.Shows("step 0")
}
