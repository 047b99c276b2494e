package export

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/library"
)

// session is one of some steps, with a note that tries to be more than text.
func session(t *testing.T, cfg sessions.Config, steps int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for i := range steps {
		_, err = s.Step(context.Background(), nil)
		require.NoError(t, err)
		if i == 1 {
			require.NoError(t, s.Note("# Two\n\n<script>alert(1)</script> \x1b[31m **bold** [x](javascript:alert(1))"))
		}
	}
	return s
}

var configs = []sessions.Config{
	{Problem: "forrester", Optimizer: "gp-ts", Seed: 3},
	{Problem: "forrester", Optimizer: "random", Seed: 3},
	{Problem: "branin", Optimizer: "gp-ei", Seed: 3},
	{Problem: "hartmann:6", Optimizer: "gp-ucb", Seed: 3},
	{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3, Params: map[string]any{"prior": "box(0.5..0.8, any)"}},
	{Problem: "schaffer", Optimizer: "random", Seed: 3},
	{Problem: "dtlz2-k3", Optimizer: "parego", Seed: 3},
}

// Pictures are well-formed, refer to nothing outside of themselves, and hold finite numbers only, at any step.
func TestSVG(t *testing.T) {
	if testing.Short() {
		t.Skip("every picture is drawn by one goroutine: nothing is shared")
	}
	for _, c := range configs {
		for _, steps := range []int{0, 1, 5} {
			var b bytes.Buffer
			if err := Write(context.Background(), &b, session(t, c, steps), "svg", nil); err != nil {
				t.Fatalf("%s with %s after %d steps: %v", c.Problem, c.Optimizer, steps, err)
			}
			d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
			marks := 0
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err, "%s with %s", c.Problem, c.Optimizer)
				if e, ok := token.(xml.StartElement); ok {
					marks++
					for _, a := range e.Attr {
						if inline := strings.HasPrefix(a.Value, "data:image/png;base64,"); !inline &&
							(strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") ||
								a.Name.Local == "href") {
							t.Fatalf("%s with %s: %s = %q", c.Problem, c.Optimizer, a.Name.Local, a.Value)
						}
					}
				}
			}
			if marks < 10 || strings.Count(b.String(), "http") != 1 {
				t.Errorf("%s with %s after %d steps: %d elements, %d addresses", c.Problem, c.Optimizer, steps, marks,
					strings.Count(b.String(), "http"))
			}
		}
	}
}

// A report holds what happened, the notes as text, and how to repeat it; nothing in it runs.
func TestHTML(t *testing.T) {
	s := session(t, configs[0], 4)
	require.NoError(t, s.Correct(2, 0, []float64{1.25}, "typo <b>"))
	var b bytes.Buffer
	require.NoError(t, Write(context.Background(), &b, s, "html", nil))
	page := b.String()
	for _, want := range []string{
		"<h3>Experiment 2, step 2</h3>", "<strong>bold</strong>", "␛[31m", "typo &lt;b&gt;", `><span>1.25`,
		"was ", "bandscope replay --verify", "<code>kernel</code>"} {
		assert.Contains(t, page, want, "the report lacks %q", want)
	}
	for _, wrong := range []string{"<script", "javascript:", "\x1b", "bandscope run -f"} {
		assert.NotContains(t, page, wrong, "the report holds %q", wrong)
	}
	if n := strings.Count(page, "<svg"); n != 4 {
		t.Errorf("%d pictures", n)
	}
	b.Reset()
	if err := Write(context.Background(), &b, session(t, configs[2], 3), "html", nil); err != nil ||
		!strings.Contains(b.String(), "bandscope run -f branin -o gp-ei --seed 3 --budget 50 -n 3\n") {
		t.Errorf("a run without a person is repeated by a command: %v", err)
	}
}

// A run is repeated with its cost, and every word of the command is one to a shell.
func TestRepeating(t *testing.T) {
	s := session(t, sessions.Config{Problem: "forrester", Optimizer: "ei-per-cost", Seed: 3, Noise: 0.25,
		Cost: "1 + 9*x^2", CostBudget: 30}, 2)
	want := []string{"bandscope", "run", "-f", "forrester", "-o", "ei-per-cost", "--seed", "3", "--budget", "50", "-n",
		"2", "--noise", "0.25", "--cost", "1 + 9*x^2", "--cost-budget", "30", ""}
	line := commands(s.State())[0]
	words, err := exec.Command("sh", "-c", `printf '%s\n' `+line).Output()
	if err == nil && string(words) != strings.Join(want, "\n") {
		t.Errorf("%s: %q", line, words)
	}
	other := session(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3,
		Params: map[string]any{"prior": "box(0.5..0.8, any)"}}, 2)
	if line := commands(other.State())[0]; !strings.HasSuffix(line, " --set 'prior=box(0.5..0.8, any)'") {
		t.Error(line)
	}
}

// A recording is an asciicast: a header, and events in order, which a terminal shows as screens.
func TestCast(t *testing.T) {
	for _, name := range []string{"", "posterior"} {
		s := session(t, configs[0], 5)
		if name != "" {
			var err error
			if s, err = library.OpenLesson(name); err != nil {
				t.Fatal(err)
			}
		}
		before := s.State()
		var b bytes.Buffer
		require.NoError(t, Write(context.Background(), &b, s, "cast", nil))
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		var head struct{ Version, Width, Height int }
		if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || head.Version != 2 ||
			head.Width != CastWidth || head.Height != CastHeight {
			t.Fatalf("header %s, %v", lines[0], err)
		}
		position, terminal := -1.0, vt.NewEmulator(CastWidth, CastHeight)
		for i, line := range lines[1:] {
			var e []any
			if err := json.Unmarshal([]byte(line), &e); err != nil || len(e) != 3 || e[1] != "o" {
				t.Fatalf("event %d: %.80s, %v", i, line, err)
			}
			if now := e[0].(float64); now <= position {
				t.Errorf("event %d is at %g, after %g", i, now, position)
			} else {
				position = now
			}
			if _, err := terminal.Write([]byte(e[2].(string))); err != nil {
				t.Fatal(err)
			}
			if shown := ansi.Strip(terminal.Render()); !strings.Contains(shown, "bandscope") ||
				strings.Count(shown, "╭") < 2 {
				t.Errorf("after event %d the terminal shows\n%s", i, shown)
			}
		}
		if len(lines) < 6 {
			t.Errorf("%d events", len(lines)-1)
		}
		if after := s.State(); after.Head != before.Head {
			t.Error("recording has moved the session")
		}
	}
}

func TestFiles(t *testing.T) {
	s := session(t, configs[1], 2)
	path := filepath.Join(t.TempDir(), "x.csv")
	require.NoError(t, File(context.Background(), path, s, nil))
	assert.ErrorContains(t, File(context.Background(), path, s, nil), "exists already", "a file is overwritten")
	assert.ErrorContains(t, File(context.Background(), path+".doc", s, nil), ".svg", "an unknown ending")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	other := filepath.Join(t.TempDir(), "x.cast")
	assert.Error(t, File(ctx, other, s, nil), "a cancelled recording is there")
	if _, err := os.Stat(other); err == nil {
		t.Error("a file that is not whole is left behind")
	}
}

// A step that was marked before something was written on it has its note, with one picture, as any other; what is
// written on it next stands with it.
func TestNotesOfMarkedSteps(t *testing.T) {
	s := session(t, configs[1], 1)
	for _, err := range []error{s.Mark(), s.Note("after the mark"), s.Note("and once more")} {
		require.NoError(t, err)
	}
	var b bytes.Buffer
	require.NoError(t, Write(context.Background(), &b, s, "html", nil))
	page := b.String()
	if strings.Count(page, "after the mark") != 1 || strings.Count(page, "and once more") != 1 ||
		strings.Count(page, "<svg") != 1 || strings.Count(page, `<div class="note">`) != 2 {
		t.Errorf("the report has %d pictures and %d notes", strings.Count(page, "<svg"),
			strings.Count(page, `<div class="note">`))
	}
}

// What is written of an experiment shows no truth, and judges by none.
func TestExperimentExported(t *testing.T) {
	for _, c := range []sessions.Config{
		{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, {Problem: "branin", Optimizer: "gp-ei", Seed: 3},
		{Problem: "branin-currin", Optimizer: "mobo-rs-ucb", Seed: 3}} {
		s := session(t, c, 0)
		truth := s.State().Problem.Truth
		s.State().Problem.Truth = nil
		for range 6 {
			it, err := s.Ask(t.Context(), nil)
			require.NoError(t, err)
			_, err = s.Tell(it.ID, functions.Outcome{Values: truth.Value(it.Points[0].X)})
			require.NoError(t, err)
		}
		var b bytes.Buffer
		require.NoError(t, SVG(t.Context(), &b, s))
		for _, never := range []string{"true function", "truth", "regret", "optimum"} {
			if strings.Contains(b.String(), never) && !(never == "regret" && c.Problem == "branin-currin") {
				t.Errorf("%s: the plot tells of the %s", c.Problem, never)
			}
		}
	}
}
