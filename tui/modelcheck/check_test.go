package modelcheck

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// openCheck is the screen with its first report.
func openCheck(t *testing.T, s *sessions.Session, w, h int, st theme.Style, names ...string) *CheckPage {
	m := NewCheck(s)
	opened(t, m, w, h, st, names...)
	return m
}

func TestCheckScreens(t *testing.T) {
	process := stepped(t, "branin", "gp-ei", 14, nil)
	networks := stepped(t, "forrester", "neural-greedy", 5, map[string]any{"width": 32, "ensemble": 3})
	several := stepped(t, "schaffer", "mobo-rs-ucb", 9, nil)
	for _, c := range []struct {
		name  string
		s     *sessions.Session
		w, h  int
		style theme.Style
		keys  string
	}{
		{"process-80x24", process, 80, 24, noColor, "e"},
		{"process-120x36", process, 120, 36, trueColor, "e down"},
		{"networks-80x24", networks, 80, 24, noColor, ""},
		{"several-120x36", several, 120, 36, trueColor, "v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openCheck(t, c.s, c.w, c.h, c.style, strings.Fields(c.keys)...)
			screentest.Check(t, "check-"+c.name, layout.Render(m.Frame(), c.w, c.h), false)
			explained.Check(t, c.name, m.Frame(), c.w, c.h)
			m.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, c.name, layout.Render(m.Frame(), c.w, c.h))
		})
	}
}

// Other assumptions are tried, one is chosen and taken: it is the parameter's value then, and the screen is left.
func TestAnAssumptionIsTaken(t *testing.T) {
	s := stepped(t, "forrester", "gp-ei", 9, nil)
	m := openCheck(t, s, 120, 36, trueColor)
	for key, want := range map[string]string{
		"enter": "no alternative was tried yet: press e", "v": "there is only one objective",
		"up": "this is the first entry", "down": "this is the last entry"} {
		if keys(m, key); !strings.Contains(text(m), want) {
			t.Errorf("%s does not say %q:\n%s", key, want, text(m))
		}
	}
	keys(m, "e", "down")
	if keys(m, "e"); !strings.Contains(text(m), "all alternatives were tried") {
		t.Errorf("tried twice:\n%s", text(m))
	}
	a := m.report.Alternatives[1]
	if sent := keys(m, "enter"); sent != tea.Msg(widget.ActionMsg{Action: widget.Close{}}) {
		t.Errorf("it sends %#v", sent)
	}
	assert.Equal(t, a.Value, a.Decl.Format(s.State().Params.Value(a.Decl.Key)), a.Decl.Key)
	if sent := keys(m, "esc"); sent != tea.Msg(widget.ActionMsg{Action: widget.Close{}}) {
		t.Errorf("esc sends %#v", sent)
	}
}

// What has no band says so, and nothing can be asked of it.
func TestWithoutABand(t *testing.T) {
	m := openCheck(t, stepped(t, "forrester", "random", 4, nil), 80, 24, trueColor)
	for _, key := range []string{"r", "e"} {
		if keys(m, key); !strings.Contains(text(m), "has no band to compare with the results") {
			t.Errorf("%s:\n%s", key, text(m))
		}
	}
	if m := openCheck(t, stepped(t, "forrester", "gp-ei", 1, nil), 80, 24, trueColor); !strings.Contains(text(m),
		"needs at least 2 results") {
		t.Errorf("of one result:\n%s", text(m))
	}
}

// The row of an alternative is lit by its place: also where the text of another row contains its own, where the list is
// scrolled, and where its label is shortened.
func TestAlternativesAreLitByTheirRows(t *testing.T) {
	m := openCheck(t, stepped(t, "forrester", "gp-ei", 6, nil), 80, 24, theme.New(true, theme.NoColor, false), "e")
	a := m.report.Alternatives[0]
	m.report.Alternatives = nil
	for i := range 20 {
		a.Label, a.Value, a.Gain = "σ² noise variance", []string{"0.5", "0.05", "0", "1e-05", "1e-0", "50", "5", "500"}[i%8]+
			strings.Repeat("1", i/8), float64(i+1)
		m.report.Alternatives = append(m.report.Alternatives, a)
	}
	a.Label, a.Gain = "a parameter with a label for which no panel has any room", 29
	m.report.Alternatives = append(m.report.Alternatives, a)
	for m.chosen = range m.report.Alternatives {
		lines, frame, seen := strings.Split(text(m), "\n"), layout.Arrange(m.Frame(), m.Width, m.Height), 0
		boxes := frame.DescribedBoxes()
		for _, a := range m.report.Alternatives {
			drawn := slices.IndexFunc(lines, func(l string) bool {
				return strings.Contains(l, diagnostics.FormatGain(a.Gain)+" ±")
			})
			index := slices.IndexFunc(boxes, func(p layout.PlacedBox) bool { return p.Name == a.Label+" "+a.Value })
			if (drawn >= 0) != (index >= 0) {
				t.Fatalf("with %d chosen, %q is drawn in row %d and is element %d", m.chosen, a.Value, drawn, index)
			}
			if drawn < 0 {
				continue
			}
			seen++
			if lit := frame.Spans(boxes[index]); lit[0].Row != drawn ||
				!strings.Contains(boxes[index].Description(), diagnostics.FormatGain(a.Gain)) {
				t.Errorf("with %d chosen, %q is drawn in row %d and lit in row %d: %s", m.chosen, a.Value, drawn,
					lit[0].Row, boxes[index].Description())
			}
		}
		if seen < 2 || seen == len(m.report.Alternatives) {
			t.Fatalf("%d rows are in sight, which does not scroll", seen)
		}
	}
}

// The importance of a variable is shown with its interval, which contains it, and not from too few results.
func TestImportances(t *testing.T) {
	m := openCheck(t, stepped(t, "branin", "gp-ei", 14, nil), 120, 36, theme.New(true, theme.NoColor, false))
	for j, i := range m.objective().Importances {
		want := fmt.Sprintf("%.0f %% (%.0f–%.0f)", 100*i.Median, 100*i.Low, 100*i.High)
		if !(i.Low < i.Median && i.Median < i.High) || !strings.Contains(text(m), want) {
			t.Errorf("%s of variable %d is not shown:\n%s", want, j+1, text(m))
		}
		if says := m.dependsOn(j); !strings.Contains(says, i.String()) {
			t.Errorf("it is described as %q", says)
		}
	}
	few := openCheck(t, stepped(t, "branin", "gp-ei", 4, nil), 120, 36, theme.New(true, theme.NoColor, false))
	if o := few.objective(); o.First != nil || o.Importances != nil || strings.Contains(text(few), "alone") ||
		!strings.Contains(strings.Join(strings.Fields(text(few)), " "), "which variables matter") {
		t.Errorf("of 4 results:\n%s", text(few))
	}
	explained.Check(t, "too few", few.Frame(), 120, 36)
}
