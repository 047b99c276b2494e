package lesson

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
)

const lesson = `> lesson forrester gp-ei 3 initial=2 --noise=0.1
# What a posterior is
A belief before data,
and after.
> part foundations
> hide parameters regret
> begin
# Before

Nothing is known.
> claim points = 0
> ask it rises | it falls* | neither
> step 2
# After
Two points.
> view line theory
> claim points = 2
> ask
> page
# Then
By hand.
> query 0.4
> edit kernel se
> fork random other way
> query 0.5 = -1.2 sd 0.1 because it was told
> correct step 2 = 1 because of a typo
# The end
All of it.
`

// A script becomes a session with its pages and acts.
func TestPerform(t *testing.T) {
	s, err := ReadScript(strings.ReplaceAll(lesson, "\n", "\r\n"), nil)
	require.NoError(t, err)
	count := 0
	made, err := s.Perform(t.Context(), func(string, int, int) { count++ })
	require.NoError(t, err)
	l, st := made.Lesson(), made.State()
	if l.Title != "What a posterior is" || l.About != "A belief before data, and after." || l.Part != "foundations" ||
		!l.Hides("regret") || !l.Hides("parameters") || l.Hides("truth") {
		t.Errorf("%+v", l)
	}
	if count != len(s.items) || len(st.Iterations) != 4 || st.Spec.Name != "random" || st.Branch != "other way" ||
		st.Config.Noise != 0.1 || st.Iterations[1].Points[0].Y[0] != 1 ||
		st.Iterations[3].By != sessions.ByPerson || st.Iterations[3].Points[0].Y[0] != -1.2 {
		t.Errorf("%d told, %+v", count, st)
	}
	var pages []recorder.Note
	for i := range made.Timeline().Stops {
		made.GoTo(i)
		pages = append(pages, made.State().LastNote())
	}
	require.Equal(t, 4, len(pages), "%+v", pages)
	if p := pages[0]; p.Text != "# Before\n\nNothing is known." || p.Correct != 1 || len(p.Choices) != 3 || p.Ask ||
		len(p.Claims) != 1 || p.Claims[0] != "points = 0" {
		t.Errorf("the first page is %+v", p)
	}
	if p := pages[1]; p.View != "line theory" || !p.Ask || len(p.Choices) != 0 {
		t.Errorf("the second page is %+v", p)
	}
}

// What is wrong with a script is said, with its line, when it is read or when it is performed.
func TestWrongScripts(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"> lesson", "> lessons", "line 1: a script begins with"},
		{"# What", "What", "line 2: What a posterior is: begin with the title"},
		{"A belief before data,\nand after.\n", "", `line 5: a lesson needs a title`},
		{"> hide parameters", "> hide parameter", "did you mean parameters"},
		{"> begin\n", "", "has no line"},
		{"> claim points = 0", "> claim", "line 11: > claim: the line needs a text after claim"},
		{"it falls*", "it falls", "line 12: > ask it rises | it falls | neither: mark the one right choice"},
		{"> step 2\n", "> step\n", `line 13: > step: write it as "step N"`},
		{"> step 2\n", "> steps 2\n", `line 13: > steps 2: no act "steps"; did you mean step?`},
		{"> step 2\n", "> step two\n", `line 13: > step two: the number must be a whole number from 1`},
		{"> step 2\n", "> reason 2 It does.\n> step 2\n", "line 13: > reason 2 It does.: choice 2 is right"},
		{"> step 2\n", "More.\n", "line 13: More.: write the text of a page before"},
		{"> ask\n", "> ask\n> ask\n", "the page has two questions"},
		{"> view line theory", "> view line\n> view plane", "two views"},
		{"Nothing is known.\n> claim", "Nothing is known.\n> page\n> claim", "describes a page"},
		{"> query 0.4", "> query 0.4 0.5", "a point needs 1 value,"},
		{"> query 0.4", "> query 4", "line 22"},
		{"-1.2 sd", "low sd", `"low" is not a finite number`},
		{"= -1.2 sd 0.1 because it was told", "=", "the result has no value"},
		{"forrester", "forester", "did you mean forrester"},
		{"forrester", "oven.toml", "no files beside"},
		{"> query 0.4", "> tell 3", "no point is pending"},
		{"> query 0.4", "> prefer 1 9", "line 22"},
		{"> query 0.4", "> retract 1", "no answer 1"},
	} {
		written := strings.Replace(lesson, c.old, c.new, 1)
		require.NotEqual(t, lesson, written, "%q is not in the script", c.old)
		s, err := ReadScript(written, nil)
		if err == nil {
			_, err = s.Perform(t.Context(), nil)
		}
		assert.ErrorContains(t, err, c.want, "%q: %v, want %q", c.new, err, c.want)
	}
}

const oven = `> lesson oven.toml gp-ei 3
# An oven
Results by hand.
> begin
# One
> pending
> tell 41.2 sd 0.5 because the lamp was cold
> pending 2
> fail no sample left
> tell 39
> query 150 = 40
> correct reject because it is too hot
# Two
> correct step 1 = 42 because of a typo
# Three
`

// The experiment of a lesson is declared beside the script; its points are given out, and told by hand.
func TestPerformExperiment(t *testing.T) {
	files := fstest.MapFS{"oven.toml": {Data: []byte(
		"name = \"oven\"\n[[variable]]\nname = \"temperature\"\nlow = 100\nhigh = 200\n[[objective]]\n" +
			"name = \"yield\"\ndirection = \"maximize\"\nnoise = 0.5\n")}}
	s, err := ReadScript(oven, files)
	require.NoError(t, err)
	made, err := s.Perform(t.Context(), nil)
	require.NoError(t, err)
	st := made.State()
	if len(st.Iterations) != 4 || len(st.Pending) != 0 || len(st.Rejections) != 1 ||
		st.Iterations[0].Points[0].Y[0] != 42 ||
		st.Iterations[0].Points[0].SE[0] != 0.5 || !st.Iterations[1].Points[0].Failed ||
		st.Iterations[2].Points[0].Y[0] != 39 {
		t.Errorf("%+v", st)
	}
}

// A value that is not known yet is reported as ?, and the point waits for it; its standard error may be unknown, its
// cost not.
func TestTellInPart(t *testing.T) {
	files := fstest.MapFS{"oven.toml": {Data: []byte(
		"name = \"oven\"\n[[variable]]\nname = \"temperature\"\nlow = 100\nhigh = 200\n[[objective]]\n" +
			"name = \"yield\"\ndirection = \"maximize\"\n[[objective]]\nname = \"waste\"\ndirection = \"minimize\"\n")}}
	for text, missing := range map[string]string{"1 ?": "waste", "? 2": "yield", "1 2 sd ? 0.5": ""} {
		s, err := ReadScript("> lesson oven.toml random 3\n# Oven\nAn oven.\n> begin\n# One\n> pending\n> tell "+text+
			"\n# Two\n", files)
		require.NoError(t, err)
		made, err := s.Perform(t.Context(), nil)
		require.NoError(t, err)
		st := made.State()
		if missing == "" {
			if len(st.Pending) != 0 || !math.IsNaN(st.Iterations[0].Points[0].SE[0]) ||
				st.Iterations[0].Points[0].SE[1] != 0.5 {
				t.Errorf("%q: %+v", text, st)
			}
		} else if len(st.Pending) != 1 || strings.Join(st.Pending[0].Points[0].Missing, " ") != missing {
			t.Errorf("%q: %+v", text, st.Pending)
		}
	}
	if _, err := parseOutcome([]string{"1", "2", "cost", "?"}); err == nil ||
		!strings.Contains(err.Error(), `"?" is not a finite number`) {
		t.Errorf("a cost that is not known: %v", err)
	}
	if o, err := parseOutcome([]string{"1", "2", "sd", "?", "0.5"}); err != nil || o.Partial {
		t.Errorf("a standard error that is not known leaves nothing to be told: %+v, %v", o, err)
	}
}

// Preferences are answered by steps.
func TestAnswers(t *testing.T) {
	s, err := ReadScript("> lesson schaffer parego 1 --budget=20\n# a\nb\n> begin\n# p\n> step 3\n> prefer 1 2\n"+
		"> tie 1.1 3\n> unsure 2 3\n> retract 2\n# q\n", nil)
	require.NoError(t, err)
	made, err := s.Perform(t.Context(), nil)
	require.NoError(t, err)
	if a := made.State().Answers; len(a) != 3 || a[0].Choice != "a" || a[0].B != [2]int{
		2, 0} || a[1].Choice != "tie" || !a[1].Retracted || a[2].Choice != "unsure" {
		t.Errorf("%+v", a)
	}
}

// Whatever a text is, it is read or refused.
func FuzzRead(f *testing.F) {
	f.Add(lesson)
	f.Add(oven)
	f.Add(lesson + exercise)
	f.Add("> lab flops dim=8\n# a\nb\n> begin\np\n> ask a | b*\n> add contrast")
	f.Add(strings.Replace(lesson, "> hide", "> axis y -3..3\n> axis simple 1e-3..10\n> hide", 1))
	f.Add("> lab flops\n# a\nb\n> axis errors 4..30\n> axis iterations 1..20\n> begin\np")
	f.Add("> lesson\n> begin\n> ")
	f.Add("> ")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadScript(text, nil)
		assert.NotEqual(t, err == nil, s == nil, "%v, %v", s, err)
		if err != nil {
			return
		}
		for name := range s.Lesson.Axes {
			if low, high, ok := s.Lesson.Axes.Range(name); !ok || low >= high {
				t.Errorf("the axis %s reaches from %g to %g, %v", name, low, high, ok)
			}
		}
	})
}
