package export

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
)

// TestMain sets the time zone of pages.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("CET", 3600)
	os.Exit(m.Run())
}

// clock ticks an hour with every event, from a fixed day on.
func clock() func() time.Time {
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Hour); return now }
}

// notebook is a session on the espresso experiment in which everything happens that a notebook tells.
func notebook(t *testing.T, optimizer string) *sessions.Session {
	t.Helper()
	cfg := sessions.Config{Optimizer: optimizer, Seed: 4, Budget: 20}
	if optimizer != "random" {
		cfg.Params = map[string]any{"restarts": 1, "hyperparameters": "fitted"}
	}
	cfg, err := cfg.WithExperiment("testdata/espresso.toml")
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg, sessions.WithClock(clock()))
	require.NoError(t, err)
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	ask := func() sessions.Iteration {
		it, err := s.Ask(t.Context(), nil)
		must(err)
		return it
	}
	tell := func(it sessions.Iteration, o functions.Outcome) {
		_, err := s.Tell(it.ID, o)
		must(err)
	}
	taste := func(x []float64) []float64 {
		return []float64{math.Round(10*(22-math.Abs(x[0]-17)-math.Abs(x[1]-30)/5)) / 10,
			math.Round(10*math.Abs(x[1]-20)/3) / 10}
	}
	must(s.Note("first thoughts"))
	single, two, three := ask(), ask(), ask()
	tell(two, functions.Outcome{Values: taste(two.Points[0].X), SE: []float64{0.25, math.NaN()},
		Note: "a new grinder </td>"})
	must(s.Revise(s.State().LastNote().ID, "second <thoughts> & `more`"))
	tell(single, functions.Outcome{Values: taste([]float64{17.5, 31}), At: []float64{17.5, 31}})
	tell(three, functions.Outcome{Reason: "channelled <script>alert(1)</script>"})
	for range 4 {
		it := ask()
		tell(it, functions.Outcome{Values: taste(it.Points[0].X)})
	}
	must(s.Correct(1, 0, []float64{19.5, 4}, "read from the \"wrong\" line"))
	must(s.Note("# Halfway\n\nThe lever was <b>warm</b>; see [this](javascript:alert(1)) and ![that](http://example.org/x.png)."))
	must(s.Bound(t.Context(), "dose", 15, 19, "the basket holds no more"))
	_, err = s.Record(sessions.ByPerson, [][]float64{{16, 25}},
		functions.Outcome{Values: []float64{19, 2}, SE: []float64{0.5, 0.5}})
	must(err)
	five := ask()
	tell(five, functions.Outcome{Values: []float64{18.5, math.NaN()}, Partial: true})
	ask()
	return s
}

// page writes a session as a page.
func pageFor(t *testing.T, s *sessions.Session) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(t.Context(), &b, s, "html", nil))
	return b.String()
}

var pictures = regexp.MustCompile(`(?s)<svg .*?</svg>`)

// The notebook's text is as it was read and found right; its pictures are left out of the file.
func TestNotebook(t *testing.T) {
	page := pageFor(t, notebook(t, "random"))
	text := strings.Replace(pictures.ReplaceAllString(page, "<svg/>"), "Bandscope "+sessions.ProgramVersion(),
		"Bandscope devel", 1)
	screentest.Check(t, "notebook.html", strings.TrimSuffix(text, "\n"), false)
}

// A page is well-formed, the same every time, runs nothing and refers to nothing outside of itself; ids are there once,
// and what refers to one finds it.
func TestNotebookIsSafe(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is made by one goroutine; TestNotebook makes one too")
	}
	for _, optimizer := range []string{"random", "mobo-rs-ts", "parego"} {
		s := notebook(t, optimizer)
		page := pageFor(t, s)
		assert.Equal(t, page, pageFor(t, s), "%s: the page is another one the second time", optimizer)
		screentest.Page(t, page)
	}
}

// A long session has a page of bounded size, which says what it leaves out.
func TestNotebookIsBounded(t *testing.T) {
	cfg, err := sessions.Config{Optimizer: "random", Seed: 4}.WithExperiment("testdata/espresso.toml")
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg, sessions.WithClock(clock()))
	require.NoError(t, err)
	x := make([][]float64, tableRows+5)
	outcomes := make([]functions.Outcome, len(x))
	for i := range x {
		x[i], outcomes[i] = []float64{14 + 6*float64(i)/float64(len(x)), 30},
			functions.Outcome{Values: []float64{20, 5}}
	}
	_, err = s.Record(sessions.ByImport, x, outcomes...)
	require.NoError(t, err)
	for range stepPictures + 1 {
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		_, err = s.Tell(it.ID, functions.Outcome{Reason: "no water"})
		require.NoError(t, err)
	}
	page := pageFor(t, s)
	for _, want := range []string{
		"… and 30 more, which are only in the session file",
		"The newest 24 of 26 suggestions have pictures."} {
		assert.Contains(t, page, want, "the page lacks %q", want)
	}
	if n := strings.Count(page, "<svg"); n != stepPictures+1 {
		t.Errorf("%d pictures", n)
	}
}

// What is recommended of a single objective is told with how sure it is, and beside what was observed.
func TestRecommended(t *testing.T) {
	page := pageFor(t, session(t, configs[2], 8))
	for _, want := range []string{
		"<dt>best observed</dt>", "<dt>prediction there</dt>", "<dt>best by the model</dt>", "than the best observed",
		"<dt>further runs</dt>", "next run: expected improvement ", "after 10 more runs: expected best ",
		"<dt>importance</dt>", "over functions that the model draws"} {
		assert.Contains(t, page, want, "the page lacks %q", want)
	}
}

// An experiment whose objectives changed midway has a page all the same, by those that it has now.
func TestNotebookOfChangedObjectives(t *testing.T) {
	s := notebook(t, "random")
	for _, act := range []func() error{
		func() error {
			return s.AddObjective(functions.Objective{Name: "body", Direction: functions.Maximize}, "")
		},
		func() error { return s.DropObjective("bitterness", "") },
		func() error { return s.ReverseObjective("body") },
	} {
		require.NoError(t, act())
		if page := pageFor(t, s); !strings.Contains(page, "body") || !strings.Contains(page, "still missing: body") {
			t.Error("the page says nothing of what is missing")
		}
	}
}

// How far the pictures are is told, and whoever gives it up gets no page.
func TestNotebookTellsHowFarItIs(t *testing.T) {
	s := notebook(t, "random")
	st := s.State()
	n := len(st.Iterations) + len(st.Pending)
	ctx, cancel := context.WithCancel(t.Context())
	var heard []int
	err := Write(ctx, io.Discard, s, "html", func(_ string, done, total int) {
		if heard = append(heard, done); total != n {
			t.Errorf("%d of %d pictures", done, total)
		}
		if done == 4 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !slices.Equal(heard, []int{0, 1, 2, 3, 4}) {
		t.Errorf("it heard %v, and ended with %v", heard, err)
	}
}

// The page says who did what, by which way, and which variables matter with an interval, from enough results only.
func TestNotebookNamesPeopleAndImportances(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is made by one goroutine")
	}
	cfg, err := sessions.Config{Optimizer: "parego", Seed: 4, Budget: 20,
		Params: map[string]any{"restarts": 1, "hyperparameters": "fitted"}}.WithExperiment("testdata/espresso.toml")
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg, sessions.WithClock(clock()))
	require.NoError(t, err)
	for n := 1; n <= 6; n++ {
		s.SetAuthor(sessions.Author{Kind: sessions.AuthorPerson, Name: "ann", Via: sessions.ViaCommand})
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		if n > 1 {
			s.SetAuthor(sessions.Author{Kind: sessions.AuthorPerson, Name: "ben", Via: sessions.ViaExplorer})
		}
		x := it.Points[0].X
		_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{x[0], x[1] / 4}})
		require.NoError(t, err)
		switch page := pageFor(t, s); n {
		case 4:
			if strings.Count(page, "<dt>importance</dt>") != 1 ||
				!strings.Contains(page, "which variables matter from 5 results on; there are 4") {
				t.Error("with four results the page does not say that they are too few")
			}
		case 6:
			if n := len(regexp.MustCompile(`<dt>importance</dt><dd>\w+: dose \d+\x{a0}% \(\d+ to \d+\x{a0}%\), time \d+\x{a0}% `).
				FindAllString(page, -1)); n != 2 {
				t.Errorf("the importances of %d objectives have intervals, want 2", n)
			}
			for _, want := range []string{"<h2>Who did what</h2>", "asked and reported by ann", "reported by ben",
				`<td data-head="author"><span>ben</span></td><td data-head="kind"><span>person</span></td>` +
					`<td data-head="way"><span>explorer</span></td><td class="n" data-head="suggestions"><span>0</span></td>` +
					`<td class="n" data-head="results"><span>5</span></td>`} {
				assert.Contains(t, page, want, "the page has no %q", want)
			}
		}
	}
}
