package front

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture"
	"bandscope/tui/picture/internal/trial"
	"bandscope/tui/theme"
)

// Boxes, observations, questions and the axes of two objectives, whichever of them is along x, and whether less or more
// is better. An outcome of 0 is the worst end of the range, one of 1 the best.
func TestOutcomesStandWhereTheyBelong(t *testing.T) {
	for _, problem := range []string{"schaffer", "thesis-xy"} {
		for _, axes := range [][2]int{{0, 1}, {1, 0}} {
			s := trial.RunSteps(t, sessions.Config{Problem: problem, Optimizer: "random", Seed: 4}, 9)
			st := s.State()
			extra := problem == "thesis-xy"                              // is better
			o := &Outcomes{Lo: []float64{-3, -10}, Hi: []float64{5, 30}} // of what is minimized
			worst, best := []float64{5, 30}, []float64{-3, -10}
			if extra {
				worst, best = []float64{-5, -30}, []float64{3, 10}
			}
			d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: st, Outcomes: o, I: axes[0],
				J: axes[1], Moving: 1, Question: [][]float64{{1, 2}, {-1, 4}},
				Boxes: [][4]float64{{0.25, 0.5, 0, 1}, {0.5, 0.75, 0.1, 0.2}}}
			for k := range 2 {
				if d.Value(k, 0) != worst[k] || d.Value(k, 1) != best[k] || d.Outcome(k, worst[k]) != 0 ||
					d.Outcome(k, best[k]) != 1 {
					t.Errorf("%s: objective %d goes from %g to %g, want %g to %g", problem, k, d.Value(k, 0),
						d.Value(k, 1), worst[k], best[k])
				}
			}
			c := d.Chart()
			place := func(k int, u float64) float64 { return worst[k] + u*(best[k]-worst[k]) }
			for n, name := range []string{"other boxes", "target box"} {
				boxes := trial.LayersNamed(c, func(b chart.Box) string { return b.Name }, name)
				require.Equal(t, 1, len(boxes), "%d boxes are %q", len(boxes), name)
				x := []float64{place(d.I, d.Boxes[n][0]), place(d.I, d.Boxes[n][1])}
				y := []float64{place(d.J, d.Boxes[n][2]), place(d.J, d.Boxes[n][3])}
				slices.Sort(x)
				slices.Sort(y)
				if b := boxes[0]; math.Abs(b.X0-x[0])+math.Abs(b.X1-x[1])+math.Abs(b.Y0-y[0])+
					math.Abs(b.Y1-y[1]) > 1e-9 {
					t.Errorf("%s: box %d is %+v, want %v, %v", problem, n, b, x, y)
				}
				if c.X.Min > x[0] || c.X.Max < x[1] || c.Y.Min > y[0] || c.Y.Max < y[1] {
					t.Errorf("%s: box %d reaches beyond the axes", problem, n)
				}
			}
			d.Moving = -1
			if n := len(trial.LayersNamed(d.Chart(), func(b chart.Box) string { return b.Name }, "target box")); n != 2 {
				t.Errorf("%d boxes are wanted where none is moved", n)
			}
			// Every observation is drawn once, by what it is.
			newest, dominated, front := trial.PointsFor(t, c, "newest"), trial.PointsFor(t, c, "dominated"),
				trial.PointsFor(t, c, "nondominated")
			last := st.Iterations[8].Points[0].Y
			if len(newest.X) != 1 || newest.X[0] != last[d.I] || newest.Y[0] != last[d.J] ||
				len(newest.X)+len(dominated.X)+len(front.X) != 9 {
				t.Errorf("%s: %d newest, %d dominated, %d nondominated of 9", problem, len(newest.X), len(dominated.X),
					len(front.X))
			}
			better := func(a, b []float64) bool { // in both, or as good in one
				if extra {
					a, b = b, a
				}
				return a[0] <= b[0] && a[1] <= b[1] && (a[0] < b[0] || a[1] < b[1])
			}
			for label, layer := range map[bool]chart.Points{true: dominated, false: front} {
				for i := range layer.X {
					index := slices.IndexFunc(st.Iterations, func(it sessions.Iteration) bool {
						return it.Points[0].Y[d.I] == layer.X[i] && it.Points[0].Y[d.J] == layer.Y[i]
					})
					if index < 0 {
						t.Fatalf("%s: a point at %g, %g", problem, layer.X[i], layer.Y[i])
					}
					if got := slices.ContainsFunc(st.Iterations, func(it sessions.Iteration) bool {
						return better(it.Points[0].Y, st.Iterations[index].Points[0].Y)
					}); got != label {
						t.Errorf("%s: that another is better than observation %d is %v", problem, index+1, got)
					}
				}
			}
			for n, l := range trial.LayersNamed(c, func(l chart.Label) string { return l.Name }, "asked about") {
				if l.Text != []string{"A", "B"}[n] || l.X != d.Question[n][d.I] || l.Y != d.Question[n][d.J] {
					t.Errorf("%s: a question is %+v", problem, l)
				}
			}
		}
	}
}

// A known front is part of the truth, and hidden with it; that of a model is not. So is the cloud of what can be
// attained.
func TestKnownFrontsAreRevealed(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 4}, 3)
	front := [][]float64{{0, 4}, {4, 0}, {1, 1}}
	for _, c := range []struct {
		reveal, known, computed bool
		want                    string
	}{
		{true, true, false, "front"}, {true, true, true, "front, computed"},
		{true, false, false, "front of the means"}, {false, false, false, "front of the means"},
		{false, true, false, ""},
	} {
		d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: s.State(), Reveal: c.reveal, Moving: -1,
			J: 1, Attainable: &AttainableSet{Outcomes: [][]float64{{1, 2}, {3, 4}}},
			Outcomes: &Outcomes{Lo: []float64{0, 0}, Hi: []float64{4, 4}, Front: front, Known: c.known,
				Computed: c.computed, Chance: []float64{0.6, 0.02, 0.15}}}
		plot := d.Chart()
		for _, name := range []string{"front", "front, computed", "front of the means"} {
			lines := trial.LayersNamed(plot, func(l chart.Curve) string { return l.Name }, name)
			assert.Equal(t, name == c.want, len(lines) == 1, "%+v: %d lines are %q", c, len(lines), name)
			for _, l := range lines {
				if !slices.Equal(l.X, []float64{0, 1, 4}) || !slices.Equal(l.Y, []float64{4, 1, 0}) {
					t.Errorf("the front is drawn through %v, %v", l.X, l.Y)
				}
			}
		}
		cloud := trial.LayersNamed(plot, func(l chart.Region) string { return l.Name }, "attainable")
		if (len(cloud) == 1) != c.reveal || c.reveal &&
			(!slices.Equal(cloud[0].X[:2], []float64{1, 3}) || !slices.Equal(cloud[0].Y[:2], []float64{2, 4})) {
			t.Errorf("%+v: the cloud is %v", c, cloud)
		}
		if c.want == "" {
			continue
		}
		// The mark is larger where the prior puts more: most on the first, a part on the last, next to nothing on the
		// second.
		aims := trial.LayersNamed(plot, func(p chart.Points) string { return p.Name }, "preferred")
		if len(aims) != 2 || !slices.Equal(aims[0].X, []float64{1}) || aims[0].Shape != theme.GlyphDot ||
			!slices.Equal(aims[1].X, []float64{0}) || aims[1].Shape != theme.GlyphSquare {
			t.Errorf("it aims at %+v", aims)
		}
	}
}

// A known front in pieces is drawn in pieces: no line crosses a gap.
func TestFrontsInPieces(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 4}, 3)
	var front [][]float64
	for i := range 100 {
		x := float64(i) / 100
		if i >= 50 {
			x += 2
		}
		front = append(front, []float64{x, 3 - x})
	}
	for _, known := range []bool{true, false} {
		d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: s.State(), Reveal: true, Moving: -1, J: 1,
			Outcomes: &Outcomes{Lo: []float64{0, 0}, Hi: []float64{4, 4}, Front: front, Known: known}}
		name := "front of the means"
		if known {
			name = "front"
		}
		line := trial.LayersNamed(d.Chart(), func(l chart.Curve) string { return l.Name }, name)[0]
		gaps := 0
		for i, y := range line.Y {
			if math.IsNaN(y) {
				if gaps++; line.X[i-1] != 0.49 || line.X[i+1] != 2.5 {
					t.Errorf("a gap between %g and %g", line.X[i-1], line.X[i+1])
				}
			}
		}
		if want := map[bool]int{true: 1, false: 0}[known]; gaps != want || len(line.X) != 100+want {
			t.Errorf("%d gaps in %d points, want %d", gaps, len(line.X), want)
		}
	}
}

// Of specks at most so many are kept, spread over all; with three objectives the draws are specks and the front is
// points.
func TestThinnedSpecks(t *testing.T) {
	for _, n := range []int{0, 1, 5, 29, 30, 31, 59, 60, 61, 1000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		got := subsample(chart.Dots{X: x, Y: x, Name: "drawn"}, 30)
		if len(got.X) != len(got.Y) || len(got.X) > 30 || n <= 30 && len(got.X) != n || n > 30 && len(got.X) < 15 ||
			got.Name != "drawn" || n > 30 && n-int(got.X[len(got.X)-1]) > (n+29)/30 {
			t.Errorf("of %d specks %d are kept, up to %v", n, len(got.X), got.X[max(len(got.X)-1, 0):])
		}
	}
	s := trial.RunSteps(t, sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 4}, 3)
	front := [][]float64{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}
	d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: s.State(), Reveal: true, Moving: -1, I: 2, J: 0,
		Outcomes: &Outcomes{Lo: []float64{0, 0, 0}, Hi: []float64{2, 2, 2}, Front: front, Known: true,
			FrontSamples: [][][]float64{front, front}}}
	c := d.Chart()
	if p := trial.PointsFor(t, c, "front"); !p.Back || !slices.Equal(p.X, []float64{0, 0, 1}) || p.Y[2] != 0 {
		t.Errorf("the front is %+v", p)
	}
	if drawn := trial.LayersNamed(c, func(l chart.Dots) string { return l.Name }, "sampled fronts"); len(drawn) != 2 ||
		len(drawn[0].X) != 3 {
		t.Errorf("the draws are %+v", drawn)
	}
}

// The probability that the prior puts on a point of the front is how often it is the best: under a flat prior over
// linear scalarizations of two outcomes, of (1, 0), (0, 1) and (v, v) the last is best where v > max(λ, 1−λ), that is
// with probability 2v − 1.
func TestChances(t *testing.T) {
	for _, v := range []float64{0.4, 0.6, 0.9} {
		s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 4,
			Params: map[string]any{"scalarization": "linear", "prior": "flat"}}, 3)
		o := &Outcomes{Lo: []float64{0, 0}, Hi: []float64{1, 1}, Front: [][]float64{{0, 1}, {1, 0}, {1 - v, 1 - v}}}
		o.computeWeights(s.State())
		want := max(2*v-1, 0)
		if len(o.Chance) != 3 || math.Abs(o.Chance[2]-want) > 4*math.Sqrt(want*(1-want)/priorDraws)+1e-12 ||
			math.Abs(o.Chance[0]+o.Chance[1]+o.Chance[2]-1) > 1e-9 || math.Abs(o.Chance[0]-o.Chance[1]) > 0.07 {
			t.Errorf("v = %g: the chances are %v, want %g for the last", v, o.Chance, want)
		}
	}
}

// Along a single variable the line of every objective is the belief there, as outcomes.
func TestLineIsTheBelief(t *testing.T) {
	ctx := context.Background()
	s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ucb", Seed: 1}, 6)
	st := s.State()
	o, err := Compute(ctx, s, nil)
	require.NoError(t, err)
	b, _ := s.Belief(ctx, nil)
	require.Len(t, o.Objectives, 2)
	for k, p := range o.Objectives {
		mean := p.Fields[picture.MeanField]
		require.Equal(t, []float64{st.Problem.Domain[0].Low, st.Problem.Domain[0].High}, []float64{mean.X[0], mean.X[len(mean.X)-1]})
		for _, i := range []int{0, 17, 60, 120} {
			bands, err := b.Predict(ctx, mat.NewDense(1, 1, st.Problem.Domain.ToUnit([]float64{mean.X[i]})))
			require.NoError(t, err)
			y := bands[k].Mean[0] * st.Problem.Objectives[k].Direction.Sign()
			for kind, want := range map[picture.FieldKind]float64{picture.MeanField: y,
				picture.LowerField: y - 2*bands[k].SD[0], picture.UpperField: y + 2*bands[k].SD[0]} {
				if got := p.Fields[kind].Z[i]; math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					t.Errorf("objective %d at %g: %g, want %g", k, mean.X[i], got, want)
				}
			}
		}
	}
}

// Along the front the bars hold all of the probability, each where its part of the front is; that before a change is
// drawn beside where the front is the same.
func TestProbabilityAlongTheFront(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 4}, 3)
	front := [][]float64{{0, 4}, {1, 1}, {4, 0}}
	o := &Outcomes{Lo: []float64{0, 0}, Hi: []float64{4, 4}, Front: front, Chance: []float64{0.5, 0.2, 0.3}}
	for _, before := range []*Outcomes{
		nil, {Front: front, Chance: []float64{0.1, 0.9, 0}}, {Front: front[:2], Chance: []float64{0.1, 0.9}}} {
		d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: s.State(), J: 1, Moving: -1, Outcomes: o,
			Previous: before}
		c := d.Along()
		now := c.Layers[0].(chart.Area)
		sum := 0.0
		for i, y := range now.Y {
			sum += y
			for k, f := range front {
				if half := (c.X.Max - c.X.Min) / chanceBins / 2; y > 0 && y == o.Chance[k] &&
					math.Abs(now.X[i]-f[0]) > half+1e-9 {
					t.Errorf("the probability %g stands at %g, its place is %g", y, now.X[i], f[0])
				}
			}
		}
		lines := trial.LayersNamed(c, func(l chart.Curve) string { return l.Name }, "previous prior")
		if want := before != nil && len(before.Front) == 3; math.Abs(sum-1) > 1e-12 || (len(lines) == 1) != want ||
			c.Y.Max < 0.5 || want && (slices.Max(lines[0].Y) != 0.9 || c.Y.Max < 0.9) {
			t.Errorf("the bars hold %g, %d lines are of before, the axis ends at %g", sum, len(lines), c.Y.Max)
		}
	}
}

// What is expected of an experiment's objectives is seen before there is any result.
func TestExpectedRangeIsSeen(t *testing.T) {
	cfg, err := sessions.Config{Seed: 1}.WithExperiment("../../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	c := Drawing{Style: theme.New(true, theme.NoColor, false), State: s.State(), Outcomes: &Outcomes{}, I: 0,
		J: 1}.Chart()
	if c.X.Min != 13.5 || c.X.Max != 24.5 || c.Y.Min != -0.5 || c.Y.Max != 10.5 {
		t.Errorf("the outcomes are drawn over %+v, %+v", c.X, c.Y)
	}
}

// A band that fails comes out of the picture of the outcomes; one that a method has not leaves its place empty.
func TestErrorsOfABandComeOut(t *testing.T) {
	ctx, errBroken := context.Background(), errors.New("broken")
	several := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ucb", Seed: 2}, 5)
	if _, err := Compute(ctx, trial.FailingSession{Session: several, Part: "band", Err: errBroken},
		nil); !errors.Is(err,
		errBroken) {
		t.Errorf("outcomes: of a broken band comes %v", err)
	}
	if o, err := Compute(ctx, trial.FailingSession{Session: several, Part: "band", Err: optimizers.ErrUnsupported},
		nil); err !=
		nil || o.Objectives != nil || o.Expected != nil {
		t.Errorf("outcomes: of an absent band comes %v", err)
	}
}

// What was before a change is told apart by its mark from everything else in the legend that it shares with the
// outcomes, in colours and without.
func TestBeforeHasItsOwnMark(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ts", Seed: 4}, 4)
	o, err := Compute(t.Context(), s.Snapshot(), nil)
	require.NoError(t, err)
	for _, computed := range []bool{false, true} {
		for _, st := range []theme.Style{
			theme.New(true, theme.TrueColor, false), theme.New(true, theme.NoColor, false),
			theme.New(true, theme.NoColor, true)} {
			shown := *o
			shown.Computed = computed
			d := Drawing{Style: st, State: s.State(), J: 1, Moving: -1, Outcomes: &shown, Previous: o, Reveal: true}
			layers := slices.Concat(d.Chart().Layers, d.Density().Layers, d.Along().Layers)
			marks := map[string]string{}
			for _, e := range chart.NewLegend(st, layers) {
				marks[e.Name] = ansi.Strip(e.Mark)
			}
			if marks["previous prior"] == "" || marks["front"]+marks["front, computed"] == "" {
				t.Fatalf("the legend has %q", marks)
			}
			for name, mark := range marks {
				if name != "previous prior" && strings.Contains(marks["previous prior"], mark) {
					t.Errorf("%q has the mark %q, and before has %q", name, mark, marks["previous prior"])
				}
			}
		}
	}
}

// Of a front of many points the preferred part is a line, heavier where the prior puts more, up to half of the way to
// points of another level; it goes over no gap.
func TestPreferredPartIsALine(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 4}, 3)
	o := &Outcomes{Lo: []float64{0, 0}, Hi: []float64{40, 40}, Known: true}
	for i := range 40 {
		x := float64(i)
		if i >= 20 {
			x += 20 // a gap
		}
		o.Front = append(o.Front, []float64{x, 60 - x})
		chance := 0.001
		switch {
		case i < 15:
			chance = 0.1
		case i >= 18 && i < 25:
			chance = 0.02
		}
		o.Chance = append(o.Chance, chance)
	}
	d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: s.State(), Reveal: true, Moving: -1, J: 1,
		Outcomes: o}
	parts := trial.LayersNamed(d.Chart(), func(c chart.Curve) string { return c.Name }, preferredName)
	if len(parts) != 2 || parts[0].Line != theme.Solid || parts[1].Line != theme.Heavy {
		t.Fatalf("the preferred part is drawn by %+v", parts)
	}
	for i, want := range [2][][2]float64{{{17.5, 19}, {40, 44.5}}, {{0, 14.5}}} {
		var pieces [][2]float64
		begins := true
		for k, x := range parts[i].X {
			switch {
			case math.IsNaN(parts[i].Y[k]):
				begins = true
			case begins:
				pieces, begins = append(pieces, [2]float64{x, x}), false
			default:
				pieces[len(pieces)-1][1] = x
			}
		}
		if !slices.Equal(pieces, want) {
			t.Errorf("line %d goes over %v, want %v", i, pieces, want)
		}
	}
	if marks := trial.PointsFor(t, d.Chart(), preferredName); len(marks.X) > 0 {
		t.Errorf("marks are at %v", marks.X)
	}
	o.Chance[30] = 0.2 // one point alone
	if marks := trial.PointsFor(t, d.Chart(), preferredName); !slices.Equal(marks.X, []float64{50}) {
		t.Errorf("marks are at %v", marks.X)
	}
	if says := Describe(d, nil).describeFrontProbability(); !strings.Contains(says, "heavy line") {
		t.Errorf("the part is described as %q", says)
	}
}

// Counts of draws from an even prior do not break the preferred part of a front into pieces.
func TestPreferenceLevelsAreSmooth(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	chance, order := make([]float64, 200), make([]int, 200)
	for i := range order {
		order[i] = i
	}
	for range 300 {
		chance[100+rng.IntN(100)] += 1. / 300
	}
	levels := preferenceLevels(chance, [][]int{order[:120], order[120:]}, 3)
	for i, l := range levels {
		if i < 95 && l != 0 || i >= 105 && l != 2 {
			t.Errorf("point %d, with %.4f, has the level %d", i, chance[i], l)
		}
	}
	if slices.Max(preferenceLevels(nil, [][]int{order}, 3)) > 0 {
		t.Error("without a prior a part is preferred")
	}
}

// Of three objectives the front is shaded, its preferred part within it; where shades could not be told apart, it has a
// mark at each outcome.
func TestShadedFront(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 3}, 3)
	front, chance := make([][]float64, 100), make([]float64, 100)
	for i := range front {
		front[i] = []float64{float64(i%10) / 10, float64(i/10) / 10, 0}
		chance[i] = float64(i) / 100
	}
	for _, style := range []theme.Style{theme.New(true, theme.TrueColor, false), theme.New(true, theme.NoColor, false)} {
		d := Drawing{Style: style, State: s.State(), Outcomes: &Outcomes{Front: front, Chance: chance}, J: 1}
		var shaded []int
		for _, l := range d.frontLayers() {
			if r, ok := l.(chart.Region); ok {
				shaded = append(shaded, len(r.X))
			}
		}
		want := []int{100, 95, 66}
		if style.Tier == theme.NoColor {
			want = nil
		}
		assert.Equal(t, want, shaded)
	}
}
