package studyreport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/tui/internal/screentest"
)

// made is a study of two problems, some methods and four seeds, whose regrets fall by factors: the further, the later
// the method stands. Texts in it are not to be trusted.
func made(methods ...string) *study.Table {
	half := 0.05
	t := &study.Table{Declaration: &study.Declaration{Name: "made", Title: "Does it <b>fall</b>?",
		Source: "A \x1b[31mpaper, ch. 5", Note: "One\nor two.", Problems: []string{"branin", "ackley:5"},
		Methods: methods, Seeds: 4, Budget: "20",
		Published: []study.PublishedNumber{{Problem: "branin", Method: methods[0], Value: 0.13, Interval: &half,
			Statistic: "mean", Source: "table 5.1", Note: "another <i>trainer</i>"},
			{Problem: "ackley:5", Method: methods[0], Evaluations: 10, Value: 3, Source: "fig. 2, read off"},
			{Problem: "ackley:5", Method: "theirs", Value: 1, Source: "fig. 2"}}}}
	began := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for p, problem := range t.Declaration.Problems {
		for m, method := range methods {
			for seed := range 4 {
				r := study.Row{Cell: study.Cell{Problem: problem, Method: method, Seed: uint64(seed + 1), Budget: 20},
					Dim: 2 + 3*p, Status: study.Done, Steps: 20, Program: "v1.2", Began: began,
					Ended: began.Add(90 * time.Minute), Seconds: 100}
				for k := range 20 {
					v := float64(1+p) * math.Exp(-float64(k)*(0.05+0.05*float64(m))) *
						(1 + 0.2*float64((seed*7+k*3+m)%5))
					if n := len(r.Trace.SimpleRegret); n > 0 {
						v = min(v, r.Trace.SimpleRegret[n-1])
					}
					r.Trace.Evaluations, r.Trace.SimpleRegret, r.Trace.Best = append(r.Trace.Evaluations, k+1),
						append(r.Trace.SimpleRegret, v), append(r.Trace.Best, v+0.4)
				}
				t.Rows = append(t.Rows, r)
			}
		}
	}
	return t
}

func pageFor(t *testing.T, table *study.Table) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, HTML(t.Context(), &b, table))
	return b.String()
}

var pictures = regexp.MustCompile(`(?s)<svg .*?</svg>|<style>.*?</style>`)

// The page's text is as it was read and found right; it is well-formed and loads nothing, and the same every time.
func TestHTML(t *testing.T) {
	table := made("gp-ei", "gp-ei kernel=se", "random")
	r := &table.Rows[len(table.Rows)-1]
	r.Status, r.Error, r.Attempts = study.Failed, "the matrix is <singular>\x1b[0m", 3
	r.Trace = study.Trace{}
	r = &table.Rows[len(table.Rows)-2]
	r.Status, r.Program = study.OtherVersion, "v9"
	table.Rows[2].Status, table.Rows[3].Status = study.Running, study.Waiting
	page := pageFor(t, table)
	screentest.Page(t, page)
	assert.NotContains(t, page, "\x1b", "a control character is written")
	assert.Equal(t, page, pageFor(t, table), "the page is another one the second time")
	text := strings.Replace(pictures.ReplaceAllString(page, ""), "bandscope "+sessions.ProgramVersion(),
		"bandscope devel", 1)
	screentest.Check(t, "report.html", strings.TrimSuffix(text, "\n"), false)
}

// A picture on a dark page has no colour that is not turned into one of it.
func TestDarkPictures(t *testing.T) {
	page := pageFor(t, made("gp-ei", "gp-ucb", "gp-ts", "random"))
	style, body, _ := strings.Cut(page, "</style>")
	colors := regexp.MustCompile(`(fill|stroke)="(#[0-9a-f]{6})"`).FindAllStringSubmatch(body, -1)
	if len(colors) < 100 {
		t.Fatalf("%d colours", len(colors))
	}
	for _, c := range colors {
		if !strings.Contains(style, fmt.Sprintf("svg [%s=\"%s\"]{%s:#", c[1], c[2], c[1])) {
			t.Fatalf("%s is not turned on a dark page", c[0])
		}
	}
}

// Every problem has a picture, and so has each way to compare methods; of many methods no bands but bars are drawn, and
// each has its own line.
func TestPictures(t *testing.T) {
	few, many := pageFor(t, made("gp-ei", "random")),
		pageFor(t, made("gp-ei", "gp-ucb", "gp-ts", "gp-pi", "random", "dngo"))
	for name, c := range map[string]struct {
		page    string
		methods int
	}{"few": {few, 2}, "many": {many, 6}} {
		if n := strings.Count(c.page, "<svg"); n != c.methods+2+5 {
			t.Errorf("%s: %d pictures", name, n)
		}
		if n := strings.Count(c.page, `role="img" aria-label="`); n != c.methods+2+5 ||
			!strings.Contains(c.page, `aria-label="ackley:5: simple regret over evaluations; d = 5, `) {
			t.Errorf("%s: %d pictures say what they show", name, n)
		}
		pictures := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(c.page, -1)
		for _, p := range pictures[c.methods : c.methods+2] {
			if bands := strings.Count(p, ` opacity="0.8"`) + strings.Count(p, ` opacity="0.5"`); bands != map[bool]int{
				true: c.methods, false: 0}[c.methods <= 4] {
				t.Errorf("%s: %d bands", name, bands)
			}
		}
		for k := range c.methods {
			if letter := string(rune('A' + k)); !strings.Contains(pictures[c.methods], ">"+letter+"</text>") {
				t.Errorf("%s: no curve is lettered %s", name, letter)
			}
		}
	}
	if !strings.Contains(many, "stroke-dasharray") || strings.Contains(few, "bars at some places") ||
		!strings.Contains(many, "bars at some places") {
		t.Error("methods of one colour are not told apart, or bars not told of")
	}
}

// A study that has not begun, of one method, or whose cells have all failed, has a page that says so.
func TestNothingYet(t *testing.T) {
	table := made("gp-ei", "random")
	table.Declaration.Published = nil
	for i := range table.Rows {
		table.Rows[i] = study.Row{Cell: table.Rows[i].Cell, Dim: table.Rows[i].Dim, Status: study.Waiting}
	}
	waiting := pageFor(t, table)
	for i := range table.Rows {
		table.Rows[i].Status, table.Rows[i].Error = study.Failed, "no"
	}
	failed := pageFor(t, table)
	for name, c := range map[string]struct {
		page string
		want []string
	}{
		"waiting": {waiting, []string{"0 of 16 runs done", "16 waiting", "no run yet",
			"There is no comparison yet", "No run has a value yet.", "nothing to compare yet"}},
		"failed": {failed, []string{"16 failed", "branin by gp-ei, seed 1", "; and 11 more",
			"No run has a value yet."}},
		"one": {pageFor(t, made("random")),
			[]string{"8 of 8 runs done", "computing time 13 min 20 s", "2026-03-02 08:00 to 2026-03-02 09:30 UTC"}},
		"none": {pageFor(t, &study.Table{Declaration: &study.Declaration{Name: "none"}}),
			[]string{"0 of 0 runs done"}},
	} {
		screentest.Page(t, c.page)
		for _, want := range c.want {
			assert.Contains(t, c.page, want, "%s: the page lacks %q", name, want)
		}
		for _, wrong := range []string{"NaN", "Inf"} {
			assert.NotContains(t, c.page, wrong, "%s: the page has %s", name, wrong)
		}
	}
	if single := pageFor(t, made("random")); strings.Contains(single, "Pairs of methods") ||
		strings.Contains(single, "All problems together") {
		t.Error("one method is compared")
	}
}

// A large study has a page of bounded size, which says what it leaves out; whoever gives it up gets none.
func TestBounded(t *testing.T) {
	table := made("gp-ei", "random")
	rows := table.Rows
	table.Rows = nil
	for i := range maxPictures + 3 {
		for _, r := range rows[:8] {
			r.Problem = fmt.Sprintf("ackley:%d", i+2)
			table.Rows = append(table.Rows, r)
		}
	}
	page := pageFor(t, table)
	screentest.Page(t, page)
	assert.Contains(t, page, "… and 3 more problems", "it does not say what it leaves out")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := HTML(ctx, io.Discard, table); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Instances of a function are its runs.
func TestInstances(t *testing.T) {
	table := made("gp-ei", "random")
	table.Declaration.Published = nil
	for i := range table.Rows {
		table.Rows[i].Problem, table.Rows[i].Dim = map[string]string{"branin": "bbob-f8:5",
			"ackley:5": "bbob-f8:5:i2"}[table.Rows[i].Problem], 5
	}
	page := pageFor(t, table)
	for _, want := range []string{"problems (1)", "n = 8", "<dd>up to 2 per function", "<dd>4, from 1 to 4"} {
		assert.Contains(t, page, want, "the page lacks %q", want)
	}
}

// What is printed is judged in the measure's own direction.
func TestPrinted(t *testing.T) {
	p := &writer{table: made("gp-ei", "random")}
	p.printed()
	var verdicts []string
	for _, row := range p.Printed.Rows {
		verdicts = append(verdicts, row[6].Text)
	}
	if want := []string{"worse here", "better here", "not in the study"}; !slices.Equal(verdicts, want) {
		t.Errorf("%q", verdicts)
	}
}

// The study's file on the page is read as the study.
func TestDeclared(t *testing.T) {
	p := &writer{table: made("gp-ei", "random")}
	p.table.Declaration.Source = `"quoted" & 'more'`
	require.NoError(t, p.repeat())
	got, err := study.Parse(t.Context(), "made.toml", []byte(p.Declared))
	if err != nil || !reflect.DeepEqual(got, p.table.Declaration) ||
		!slices.Equal(p.Commands, []string{"bandscope study made.toml"}) {
		t.Errorf("%v: %+v\n%s", err, got, p.Declared)
	}
	local, ok := published.Find("dai-1d")
	p.table = &study.Table{Declaration: local}
	if err := p.repeat(); err != nil || !ok || !slices.Equal(p.Commands, []string{"bandscope study dai-1d"}) {
		t.Errorf("%v: %q", err, p.Commands)
	}
}

func TestEveryViewIsToldOf(t *testing.T) {
	for _, v := range []View{Curves, Ranked, Reached, Performance, Data, Pairwise, Differences, AverageTimes} {
		if shows, rests := About(v); shows == "" || rests == "" {
			t.Errorf("view %d says nothing of itself", v)
		}
	}
}
