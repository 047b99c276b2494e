package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/internal/screentest"
)

// solvent is a session on a mixture with two plates: one is reported, with a failure, the other in part. change alters
// the declaration.
func solvent(t *testing.T, change func(*sessions.Config)) *sessions.Session {
	t.Helper()
	cfg, err := sessions.Config{Seed: 4, Budget: 30}.WithExperiment("testdata/solvent.toml")
	require.NoError(t, err)
	cfg.Optimizer, cfg.Params = "gp-ei", map[string]any{"restarts": 1, "hyperparameters": "fitted"}
	if change != nil {
		change(&cfg)
	}
	s, err := sessions.New(t.Context(), cfg, sessions.WithClock(clock()))
	require.NoError(t, err)
	control := acts.Input{}
	for name, text := range map[string]string{"water": "0.4", "ethanol": "0.4", "acetone": "0.2", "temperature": "40"} {
		control[name] = encoding.Typed(text)
	}
	for plate, shift := range []float64{0, 9} {
		if _, err := acts.Ask.Do(t.Context(), acts.Turn{Session: s}, acts.AskArgs{Plate: &acts.PlateArgs{
			Size: acts.PlateSize{Rows: 2, Columns: 3}, Control: []acts.Input{control}}}); err != nil {
			t.Fatal(err)
		}
		p := acts.Plates(s)[plate]
		for i, point := range p.Points {
			x := point.Input()
			o := functions.Outcome{Values: []float64{50 + 20*x[1] - 30*x[2]*x[2] + shift + float64(i%3)/5, 2 + 8*x[2]}}
			switch {
			case plate == 0 && i == 3:
				o = functions.Outcome{Reason: "spilled"}
			case plate == 1 && i == 5:
				continue // pending
			}
			id := s.State().Plates[plate].Wells[i].Point
			_, err = s.Tell(id, o)
			require.NoError(t, err)
		}
	}
	return s
}

// A mixture is drawn as triangles, with the probability of limits, and its slices keep the ratio of the others.
func TestNotebookOfAMixture(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is made by one goroutine")
	}
	page := pageFor(t, solvent(t, nil))
	screentest.Page(t, page)
	first, _, _ := strings.Cut(page, "</svg>")
	if n := strings.Count(first, `<clipPath id="field0-`); n != 4 {
		t.Errorf("the picture has %d triangles", n)
	}
	for _, want := range []string{fmt.Sprintf(`height="%d"`, trianglesH), ">water</text>", ">ethanol</text>", ">acetone</text>",
		">probability that all limits are met</text>", ">beyond a limit</text>"} {
		assert.Contains(t, first, want, "the picture lacks %q", want)
	}
	for _, want := range []string{`id="slices-slice0`, "the other components keep their ratio (Cox)"} {
		assert.Contains(t, page, want, "the page lacks %q", want)
	}
	// an objective of its own has a line at its limit in the slices
	least := 55.0
	page = pageFor(t, solvent(t, func(c *sessions.Config) { c.Experiment.Objectives[0].AtLeast = &least }))
	_, slices, _ := strings.Cut(page, `id="slices-slice0`)
	before, _, _ := strings.Cut(slices, "</svg>")
	_, figure, _ := strings.Cut(page, "<figcaption>The current state")
	if legend, _, _ := strings.Cut(figure, "</svg>"); !strings.Contains(legend, ">limit</text>") || before == "" {
		t.Error("the slices have no line at the limit")
	}
}

// The mixture of several objectives is drawn for each of them, below the outcomes with the line at a limit.
func TestNotebookOfAMixtureWithSeveralObjectives(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is made by one goroutine")
	}
	page := pageFor(t, solvent(t, func(c *sessions.Config) {
		limited := c.Experiment.Limits[0]
		limited.Direction, limited.Range = functions.Minimize, &[2]float64{0, 10}
		c.Experiment.Objectives, c.Experiment.Limits = append(c.Experiment.Objectives, limited), nil
		c.Optimizer = "ehvi"
	}))
	screentest.Page(t, page)
	outcomes, _, _ := strings.Cut(page, "</svg>")
	for _, want := range []string{">limit</text>", ">not feasible</text>"} {
		assert.Contains(t, outcomes, want, "the outcomes lack %q", want)
	}
	for _, want := range []string{">mean of yield</text>", ">mean of impurity</text>", ">standard deviation of impurity</text>",
		"<clipPath id=\"mixture0-field1-", "The best point is the one with the best yield"} {
		assert.Contains(t, page, want, "the page lacks %q", want)
	}
}

// Every plate is drawn with its results, controls, failures and pending points, and the shifts of plates are listed.
func TestNotebookPlates(t *testing.T) {
	s := solvent(t, nil)
	page := pageFor(t, s)
	_, plates, _ := strings.Cut(page, "<h2>Plates</h2>")
	plates, _, _ = strings.Cut(plates, "<h2>")
	for _, want := range []string{"<h3>plate 1</h3>", "6 points on 2 × 3 wells, in random order · 5 results · 1 failed",
		"<h3>plate 2</h3>", "5 results · 1 pending", "<span>pending</span>", "<span>failed</span>", "thick frame: control",
		"▽: beyond a limit", "shift of yield", "relative to the mean of the blocks"} {
		assert.Contains(t, plates, want, "the plates lack %q", want)
	}
	st := s.State()
	for _, it := range st.Iterations {
		if pt := it.Points[0]; !pt.Failed {
			if _, well, _ := st.WellOf(it.ID); well.Name == "" || !strings.Contains(plates,
				fmt.Sprintf("<b>%d</b><span>yield %s", it.Number, value(it, 0, 0).Text)) {
				t.Errorf("point %d is not in its well with its result", it.Number)
			}
		}
	}
	if n := strings.Count(plates, `class="well control"`); n != 2 {
		t.Errorf("there are %d controls", n)
	}
	if !strings.Contains(plates, "shade: yield from ") || strings.Count(plates, "background:hsl(205") != 10 {
		t.Errorf("%d wells are shaded", strings.Count(plates, "background:hsl(205"))
	}
	if page := pageFor(t, notebook(t, "random")); strings.Contains(page, "<h2>Plates") {
		t.Error("a session without plates has some")
	}
}
