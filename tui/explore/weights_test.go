package explore

import (
	"math"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/functions/sample"
	"bandscope/model/preference"
	"bandscope/sessions"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/summary"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// u takes back the last answer that stands, then the one before it, and nothing when none is left; the answers stay on
// record.
func TestAnswersAreTakenBackFromTheLast(t *testing.T) {
	d := driveAfter(t, 6, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.Press("a", "1", "2", "3", "4")
	standing := func() string {
		s := ""
		for _, c := range d.M.session.State().Answers {
			if c.Retracted {
				s += "-"
			} else {
				s += "x"
			}
		}
		return s
	}
	if c := d.M.session.State().Answers; len(c) != 4 || c[0].Choice != sessions.PreferA ||
		c[1].Choice != sessions.PreferB || c[2].Choice != sessions.Tie || c[3].Choice != sessions.Unsure {
		t.Fatalf("the answers are %+v", c)
	}
	for _, want := range []string{"xxx-", "xx--", "x---", "----"} {
		d.Press("ctrl+u")
		assert.Equal(t, want, standing(), "taken back")
	}
	d.Press("ctrl+u")
	d.Shows("there is no answer to withdraw")
	assert.NotNil(t, d.M.lower(), "a key that does nothing leaves the question")
}

// The views of a problem of several objectives follow each other and come round; pairs of objectives turn both ways.
func TestViewsOfSeveralObjectives(t *testing.T) {
	d := driveAfter(t, 3, sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	view := func() string {
		switch {
		case d.M.frontShown():
			return "outcomes"
		case d.M.planeShown():
			return "fields"
		}
		return "slice"
	}
	for _, want := range []string{"outcomes", "fields", "slice", "outcomes"} {
		if got := view(); got != want {
			t.Errorf("%s is shown, want %s", got, want)
		}
		d.Press("d")
	}
	d.Press("d", "d") // fields, a slice, outcomes
	var pairs [][2]int
	for _, key := range []string{"", "]", "]", "]", "[", "["} {
		if key != "" {
			d.Press(key)
		}
		i, j := d.M.outcomes().Pair(d.M.stage())
		pairs = append(pairs, [2]int{i, j})
	}
	if want := [][2]int{{0, 1}, {1, 2}, {2, 0}, {0, 1}, {2, 0}, {1, 2}}; !slices.Equal(pairs, want) {
		t.Errorf("the pairs of objectives are %v, want %v", pairs, want)
	}
	// one variable: there are no fields
	line := drive(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	line.Press("d")
	if line.M.frontShown() || line.M.planeShown() {
		t.Error("of one variable d does not go from the outcomes to the slice")
	}
	line.Press("d")
	assert.True(t, line.M.frontShown(), "of one variable d does not come back to the outcomes")
}

// What the prior was before is drawn from a change of the weights on until the next iteration, and for no other change.
func TestWeightsBeforeAreThoseOfTheLastChange(t *testing.T) {
	if testing.Short() {
		t.Skip("its steps run the jobs that other tests of weights run")
	}
	d := driveAfter(t, 6, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}, 120, 36, trueColor)
	assert.Nil(t, d.M.outcomes().Drawing(d.M.stage()).Previous, "before any change there is a prior before")
	edit := func(name, text string) {
		t.Helper()
		d.Run(d.M.alter(modes.SetParameter{Key: name, Text: text}))
		d.Settle()
		if message, bad := d.M.Status.Message(); bad {
			t.Fatal(message)
		}
	}
	flat := d.M.frontOutcomes().Scalarizations
	edit("prior", "dirichlet(3)")
	if !slices.EqualFunc(d.M.outcomes().Drawing(d.M.stage()).Previous.Scalarizations, flat,
		func(a, b preference.Scalarization) bool { return slices.Equal(a.Weights, b.Weights) }) {
		t.Error("the prior before is not the one that was changed")
	}
	remaining := d.M.outcomes().Drawing(d.M.stage()).Previous
	for _, p := range d.M.state.Params.Decls() {
		if p.Key == "initial" {
			edit("initial", "4")
		}
	}
	if d.M.outcomes().Drawing(d.M.stage()).Previous != remaining {
		t.Error("a change of something else forgets the prior before")
	}
	d.Press("space")
	if d.M.outcomes().Drawing(d.M.stage()).Previous != nil {
		t.Error("after another iteration the prior before is still drawn")
	}
	after := d.M.frontOutcomes().Scalarizations
	d.Press("a", "1")
	if !slices.EqualFunc(d.M.outcomes().Drawing(d.M.stage()).Previous.Scalarizations, after,
		func(a, b preference.Scalarization) bool { return slices.Equal(a.Weights, b.Weights) }) {
		t.Error("an answer does not keep the prior before it")
	}
}

// The titles of the traces name the last value of what they draw.
func TestTracesOfSeveralObjectives(t *testing.T) {
	d := driveAfter(t, 8, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3,
		Params: map[string]any{"prior": "box(0.2..0.9, 0.2..0.9)"}}, 200, 60, trueColor)
	tr := d.M.frontOutcomes().Traces
	last := func(v []float64) float64 { return v[len(v)-1] }
	for i, want := range []struct {
		title  string
		values []float64
	}{{"hypervolume", tr.Hypervolume}, {"Bayes regret", tr.BayesRegret}, {"share in the boxes", tr.BoxShare},
		{"hypervolume", tr.Hypervolume}} {
		if i > 0 {
			d.Press("v")
		}
		d.Shows(summary.TitleWithValue(want.title, last(want.values), d.M.layout().side))
	}
}

// Of several boxes, the one that is not reached is named by its number from 1.
func TestUnreachedBoxIsNumbered(t *testing.T) {
	d := driveAfter(t, 4, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3,
		Params: map[string]any{"prior": "0.5 box(0.2..0.9, 0.2..0.9) + 0.5 box(0.95..0.99, 0.95..0.99)"}}, 120, 36,
		trueColor)
	d.M.frontOutcomes().Unreached = []front.UnreachedBox{{Box: 1, Nearest: []float64{0.5, 0.625}}}
	name := d.M.state.Problem.Objectives
	if got, want := d.M.outcomes().Warning(d.M.stage(), 200),
		"reaches box 2; the nearest point is "+name[0].Name+" 0.5, "+name[1].Name+
			" 0.625"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want it to end in %q", got, want)
	}
}

// A warning is whole, or begins in sight, beside the reason for the next point, in every window.
func TestWarningHasRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("every size is drawn by one goroutine")
	}
	d := driveAfter(t, 4, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3,
		Params: map[string]any{"prior": "box(0.95..0.99, 0.95..0.99)"}}, 200, 60, trueColor)
	d.M.frontOutcomes().Unreached = []front.UnreachedBox{{Box: 0, Nearest: []float64{0.5, 0.625}}}
	for w := 80; w <= 200; w += sample.Stride(7) {
		d.Resize(w, 30)
		line := modetest.Text(d.M.statusLine())
		if ansi.StringWidth(line) > w || !strings.Contains(line, "◆ drawn at random") ||
			!strings.Contains(line, "  ! no sampled front reaches the box") || w >= 160 &&
			!strings.HasSuffix(line, "f2 0.625") {
			t.Errorf("in %d columns: %q", w, line)
		}
		if !slices.ContainsFunc(d.Arranged().DescribedBoxes(), func(p layout.PlacedBox) bool {
			return p.Name == "warning"
		}) {
			t.Fatalf("in %d columns there is no warning", w)
		}
	}
}

// One answer is counted in the singular.
func TestOneAnswer(t *testing.T) {
	d := driveAfter(t, 3, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}, 120, 36, trueColor)
	d.Press("a", "1", "esc")
	if text := d.Text(); !strings.Contains(text, "after 1 answer") || strings.Contains(text, "1 answers") {
		t.Errorf("one answer is counted otherwise:\n%s", text)
	}
}

// A prior that is drawn on its plot is previewed, then recorded as an edit, which a replay has.
func TestPriorIsDrawnByHand(t *testing.T) {
	d := driveAfter(t, 6, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	place := func(weight float64) (mouse tea.Mouse) {
		best, f := math.Inf(1), d.Arranged()
		for y := range 36 {
			for x := range 120 {
				name, v := (widget.Hit{MouseMsg: tea.MouseClickMsg{X: x, Y: y}, Path: f.PathAt(x, y)}).Value()
				if name == front.PriorName && v != nil && math.Abs(v[0]-weight)+math.Abs(v[1]-1) < best {
					best, mouse = math.Abs(v[0]-weight)+math.Abs(v[1]-1), tea.Mouse{X: x, Y: y, Button: tea.MouseLeft}
				}
			}
		}
		return mouse
	}
	assert.Zero(t, place(0.7), "the plot takes the mouse while it is not drawn on")
	d.Press("E")
	at := place(0.7)
	d.Mouse(tea.MouseClickMsg(at))
	at.Y -= 2
	d.Mouse(tea.MouseMotionMsg(at))
	d.Mouse(tea.MouseReleaseMsg(at))
	drawn := d.M.outcomes().Outcomes().Prior
	if len(drawn) != 1 || drawn[0].Distribution != preference.Dirichlet || drawn[0].Alpha[0] < 1.5*drawn[0].Alpha[1] {
		t.Errorf("previewed is %s", drawn)
	}
	d.Shows(drawn.String())
	d.Press("enter")
	if got := d.M.session.State().Params.Text("prior"); got != drawn.String() {
		t.Errorf("recorded is %s, drawn %s", got, drawn)
	}
}
