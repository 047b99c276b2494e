package handout

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/training"
)

const exampleLesson = `> lesson forrester gp-ei 3 initial=3
# A <b>lesson</b>
About *it* & more.
> part mine
> begin
# Before
Nothing <script>alert(1)</script> is **known**. ![x](http://example.org/x.png)
> ask it rises | it <i>falls</i>* | neither
> step 3
# Where?
Three points.
> view line theory
> ask
> step 1
# The end
Four.
> exercise forrester gp-ei 5 initial=3
Find <it>.
> goal best < -6
> solve step 9
`

// made is the lesson of a script.
func made(t *testing.T, text string) *sessions.Session {
	t.Helper()
	s, err := lesson.ReadScript(text, nil)
	require.NoError(t, err)
	m, err := s.Perform(t.Context(), nil)
	require.NoError(t, err)
	return m
}

// whole checks that the pictures of a handout are well formed, that it refers to nothing outside of it, and that
// nothing in it runs; it returns how many there are.
func whole(t *testing.T, html string) int {
	t.Helper()
	pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(html, -1)
	for i, p := range pictures {
		d := xml.NewDecoder(strings.NewReader(p))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, "picture %d", i)
		}
		p = regexp.MustCompile("base64,[^\"]*").ReplaceAllString(p, "") // of an image
		if strings.Contains(p, "NaN") || strings.Contains(p, "Inf") {
			t.Errorf("picture %d has no finite numbers", i)
		}
	}
	for _, wrong := range []string{"<script", "javascript:", "example.org", "<img", "<b>", "<i>", "<it>"} {
		assert.NotContains(t, html, wrong, "it has %q", wrong)
	}
	return len(pictures)
}

// A handout has every page with its picture and what it asks; the answers stand at the end alone, and texts are data.
func TestSession(t *testing.T) {
	s := made(t, exampleLesson)
	s.GoTo(1)
	var b bytes.Buffer
	require.NoError(t, Session(t.Context(), &b, s, "mine.jsonl", nil))
	html := b.String()
	if n := whole(t, html); n != 3 || s.Timeline().At != 1 {
		t.Errorf("%d pictures, and the session stands at page %d", n, s.Timeline().At)
	}
	pages, answers, ok := strings.Cut(html, `class="answers"`)
	require.True(t, ok, "no answers")
	for _, want := range []string{
		"A &lt;b&gt;lesson&lt;/b&gt;", "About *it* &amp; more.", "mine · forrester, with", "3 pages",
		"<strong>known</strong>", "<li>it rises</li><li>it &lt;i&gt;falls&lt;/i&gt;</li><li>neither</li>",
		"Where would you query?", "the answer is hidden", "information gain", "simple regret",
		"The exercise", "<code>best &lt; -6</code>", "bandscope lesson mine.jsonl",
		"forrester, with gp-ei and seed 5"} {
		assert.Contains(t, pages, want, "the pages lack %q", want)
	}
	for _, want := range []string{
		"Page 1, Before: <strong>2, it &lt;i&gt;falls", "Page 2, Where?: <strong>gp-ei chose", "which gave f ="} {
		assert.Contains(t, answers, want, "the answers lack %q:\n%s", want, answers)
	}
	figures := strings.Split(pages, "<section")
	if !strings.Contains(figures[3], "acquisition") && strings.Contains(figures[2], ">next<") ||
		strings.Contains(figures[2], "expected improvement") {
		t.Error("the page that asks for a point shows it")
	}
}

// Of two variables there are fields, of several objectives the prior beside the outcomes.
func TestOtherPictures(t *testing.T) {
	for script, want := range map[string][]string{
		"> lesson branin gp-ei 1\n# A\nb\n> begin\n# P\nx\n> step 3\n# Q\ny\n> view plane deviation\n> ask\n" +
			"> step 1\n# R\nz\n> view plane traces best\n": {"standard deviation", ">mean of f<", "best value"},
		"> lesson schaffer mobo-rs-ts 1\n# A\nb\n> begin\n# P\nx\n> step 2\n# Q\n" +
			"y\n": {"the prior over the weights", "the part of the front that it aims at", "hypervolume"},
	} {
		var b bytes.Buffer
		require.NoError(t, Session(t.Context(), &b, made(t, script), "x", nil))
		if whole(t, b.String()) < 2 {
			t.Error("a picture is missing")
		}
		for _, w := range want {
			assert.Contains(t, b.String(), w, "%q lacks %q", script, w)
		}
	}
}

// The lesson of a lab has the columns that its pages are about, as curves and with what was measured last.
func TestTraining(t *testing.T) {
	s, err := lesson.ReadScript("> lab flops dim=8 hidden=8 batch=8 steps=20\n# Lab\nOf a lab.\n> begin\n# One\nx\n"+
		"> ask up | down*\n> step 10\n# Two\ny\n> claim metric > 0\n> add contrast\n# Three\nz\n"+
		"> claim second.dead > -1\n", nil)
	require.NoError(t, err)
	l, err := s.PerformTraining(t.Context(), training.Find, nil)
	require.NoError(t, err)
	l.GoTo(1)
	var b bytes.Buffer
	require.NoError(t, Training(t.Context(), &b, l, "x"))
	html := b.String()
	if n := whole(t, html); n != 2 || l.Timeline().At != 1 {
		t.Errorf("%d pictures, and it stands at page %d", n, l.Timeline().At)
	}
	for _, want := range []string{
		"training", "after 10 of 20 updates", "metric loss", "the second run", "Page 1, One: <strong>2, down"} {
		assert.Contains(t, html, want, "it lacks %q", want)
	}
}
