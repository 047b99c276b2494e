package summary

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/lessonpage"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// scene is what the panel sees of a session of some steps.
func scene(t *testing.T, cfg sessions.Config, steps int) Scene {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	for range steps {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	require.NoError(t, err)
	return Scene{Scene: view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false), W: 40, H: 14,
		Reveal: true}}
}

// title is the first line of the panel without its frame.
func title(p *Traces, s Scene) string {
	return strings.Trim(strings.SplitN(modetest.Text(p.Box(s)), "\n", 2)[0], "╭─ ╮")
}

// The traces follow each other and come round: those by cost only where evaluations have one, of several objectives
// theirs, and the theory's.
func TestTracesFollowEachOther(t *testing.T) {
	line := scene(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 4)
	costly := scene(t, sessions.Config{Problem: "forrester-cost", Optimizer: "random", Seed: 3}, 4)
	two := scene(t, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 4)
	theory := line
	theory.View = picture.View{Theory: true}
	for _, c := range []struct {
		name   string
		scene  Scene
		titles []string // their beginnings
	}{
		{"one objective", line, []string{"simple regret", "cumulative regret", "best value", "simple regret"}},
		{"costs", costly, []string{"simple regret (log)", "cumulative regret", "best value", "simple regret by cost",
			"simple regret (log)"}},
		{"several objectives", two, []string{"hypervolume", "Bayes regret", "share in the boxes", "hypervolume"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p Traces
			for i, want := range c.titles {
				for _, h := range []int{c.scene.H, 30} {
					c.scene.H = h
					explained.Check(t, c.name, p.Box(c.scene), c.scene.W, h)
				}
				c.scene.H = 14
				if got := title(&p, c.scene); !strings.HasPrefix(got, want) {
					t.Errorf("trace %d is %q, want %q", i, got, want)
				}
				p.Next(c.scene)
			}
		})
	}
	var p Traces
	if p.Next(theory); p.kind != simpleRegret || p.theory == 0 {
		t.Error("where the theory is shown, another trace is chosen")
	}
}

// Where the truth is hidden the panel tells of no regret; all values of the data take its place where they are wanted.
func TestWhatIsShown(t *testing.T) {
	s := scene(t, sessions.Config{Problem: "branin", Optimizer: "random", Seed: 3}, 4)
	var p Traces
	if s.Reveal = false; !strings.HasPrefix(title(&p, s), "best value") {
		t.Errorf("where the truth is hidden %q is shown", title(&p, s))
	}
	s.H = 30 // room for two
	if text := modetest.Text(p.Box(s)); strings.Contains(text, "regret") {
		t.Errorf("where the truth is hidden the regret is told:\n%s", text)
	}
	if p.Coordinates = true; title(&p, s) != "all variables" {
		t.Errorf("in place of all variables %q is shown", title(&p, s))
	}
	s.Reveal, p.Coordinates = true, false
	if text := modetest.Text(p.Box(s)); !strings.Contains(text, "simple regret") ||
		!strings.Contains(text, "cumulative regret") {
		t.Errorf("there is room for two traces:\n%s", text)
	}
	two := scene(t, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 4)
	two.Objectives, p.Coordinates = true, true
	if got := title(&p, two); got != "all outcomes (1 is best)" {
		t.Errorf("in place of all outcomes %q is shown", got)
	}
}

// The x axis of a trace of several objectives has steps; over which range they are counted is said in the title
// where there is room.
func TestAxisOfSeveralObjectives(t *testing.T) {
	s := scene(t, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 4)
	traces := report.ObjectiveTracesFor(s.State)
	s.Traces = &traces
	for w, want := range map[int]string{34: "", 60: " (" + traces.Range.Label() + ")"} {
		var p Traces
		s.W = w
		lines := strings.Split(modetest.Text(p.Box(s)), "\n")
		foot := strings.Join(strings.Fields(strings.Trim(lines[len(lines)-2], "│")), " ")
		if got := title(&p, s); foot != "1 step 4" || !strings.HasPrefix(got, "hypervolume ") ||
			!strings.HasSuffix(got, want) || want == "" && strings.Contains(got, "(") {
			t.Errorf("in %d columns the title is %q, want %q at its end, and the foot is %q", w, got, want, foot)
		}
	}
}

// A page of a lesson names the part of the theory, or the trace, that it is about.
func TestShow(t *testing.T) {
	line := scene(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 4)
	two := scene(t, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 4)
	theory := line
	theory.View, theory.Report = picture.View{Theory: true},
		&view.Report{Theory: &optimizers.Theory{Gain: []float64{1, 2}, Eigenvalues: []float64{2, 1},
			Evidence: &optimizers.Evidence{Name: "ℓ", At: []float64{1, 2}, Log: []float64{3, 2}, Current: 1, Best: 1}}}
	titles := map[string]string{"gain": "information gain", "eigenvalues": "eigenvalues", "evidence": "log evidence",
		"simple": "simple regret", "cumulative": "cumulative regret",
		"best": "best value", "hypervolume": "hypervolume", "bayes": "Bayes regret", "share": "share in the boxes"}
	for i, word := range slices.Concat(lessonpage.TheoryParts, lessonpage.TraceNames) {
		var p Traces
		p.Show(word)
		p.Show("")
		if got := title(&p, []Scene{theory, line, two}[i/3]); !strings.HasPrefix(got, titles[word]) {
			t.Errorf("%s is %q, want %q", word, got, titles[word])
		}
		shown := []Scene{theory, line, two}[i/3]
		explained.Check(t, word, p.Box(shown), shown.W, shown.H)
	}
}
