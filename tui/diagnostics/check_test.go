package diagnostics

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/golden"
	"bandscope/tui/internal/press"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

var checkStyle = theme.New(true, theme.TrueColor, false)

// stepped is a session of so many steps.
func steppedCheck(t *testing.T, problem, method string, n int, params map[string]any) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: method, Seed: 7, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// opened is the screen with its first report.
func openCheck(t *testing.T, s *sessions.Session, w, h int, st theme.Style, names ...string) *CheckPage {
	t.Helper()
	m := NewCheck(s)
	m.Resize(w, h)
	m.Restyle(st)
	explained.Check(t, "before the model is asked", m.Frame(), w, h)
	checkWait(m, m.Init())
	checkKeys(m, names...)
	return m
}

// wait runs a command to its end, as far as it is a job's.
func checkWait(m *CheckPage, cmd tea.Cmd) (sent tea.Msg) {
	if cmd == nil {
		return nil
	}
	sent = cmd()
	if batch, ok := sent.(tea.BatchMsg); ok && m.jobs.Busy() {
		return checkWait(m, m.Update(batch[0]())) // the other one turns the spinner
	}
	return sent
}

func checkKeys(m *CheckPage, names ...string) (sent tea.Msg) {
	for _, n := range names {
		sent = checkWait(m, m.Update(press.Key(n)))
	}
	return sent
}

func checkText(m *CheckPage) string { return ansi.Strip(layout.Render(m.Frame(), m.Width, m.Height)) }

func TestCheckScreens(t *testing.T) {
	process := steppedCheck(t, "branin", "gp-ei", 14, nil)
	networks := steppedCheck(t, "forrester", "neural-greedy", 5, map[string]any{"width": 32, "ensemble": 3})
	several := steppedCheck(t, "schaffer", "mobo-rs-ucb", 9, nil)
	for _, c := range []struct {
		name  string
		s     *sessions.Session
		w, h  int
		style theme.Style
		keys  string
	}{
		{"process-80x24", process, 80, 24, checkStyle, "H"},
		{"process-120x36", process, 120, 36, checkStyle, "H down"},
		{"process-200x60-light", process, 200, 60, theme.New(false, theme.TrueColor, false), ""},
		{"process-120x36-nocolor", process, 120, 36, theme.New(true, theme.NoColor, false), "H"},
		{"process-80x24-ascii", process, 80, 24, theme.New(true, theme.NoColor, true), "H"},
		{"networks-80x24", networks, 80, 24, checkStyle, ""},
		{"networks-retrained-80x24", networks, 80, 24, checkStyle, "L"},
		{"several-120x36", several, 120, 36, checkStyle, "v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openCheck(t, c.s, c.w, c.h, c.style, strings.Fields(c.keys)...)
			golden.Check(t, "check-"+c.name, layout.Render(m.Frame(), c.w, c.h), c.style.ASCII)
			explained.Check(t, c.name, m.Frame(), c.w, c.h)
		})
	}
}

// Other assumptions are tried, one is chosen and taken: it is the parameter's value then, and the screen is left.
func TestAnAssumptionIsTaken(t *testing.T) {
	s := steppedCheck(t, "forrester", "gp-ei", 9, nil)
	m := openCheck(t, s, 120, 36, checkStyle)
	for key, want := range map[string]string{"enter": "no other assumption was tried: H", "v": "there is one objective", "up": "there is none above", "down": "there is none below"} {
		if checkKeys(m, key); !strings.Contains(checkText(m), want) {
			t.Errorf("%s does not say %q:\n%s", key, want, checkText(m))
		}
	}
	checkKeys(m, "H", "down")
	if checkKeys(m, "H"); !strings.Contains(checkText(m), "all of them were tried") {
		t.Errorf("tried twice:\n%s", checkText(m))
	}
	a := m.report.Alternatives[1]
	if sent := checkKeys(m, "enter"); sent != tea.Msg(screen.ActionMsg{Action: screen.Close{}}) {
		t.Errorf("it sends %#v", sent)
	}
	if got := a.Decl.Format(s.State().Params.Value(a.Decl.Key)); got != a.Value {
		t.Errorf("%s is %s, want %s", a.Decl.Key, got, a.Value)
	}
	if sent := checkKeys(m, "esc"); sent != tea.Msg(screen.ActionMsg{Action: screen.Close{}}) {
		t.Errorf("esc sends %#v", sent)
	}
}

// What has no band says so, and nothing can be asked of it.
func TestWithoutABand(t *testing.T) {
	m := openCheck(t, steppedCheck(t, "forrester", "random", 4, nil), 80, 24, checkStyle)
	for _, key := range []string{"L", "H"} {
		if checkKeys(m, key); !strings.Contains(checkText(m), "has no band to be held against the results") {
			t.Errorf("%s:\n%s", key, checkText(m))
		}
	}
	if m := openCheck(t, steppedCheck(t, "forrester", "gp-ei", 1, nil), 80, 24, checkStyle); !strings.Contains(checkText(m), "takes two results") {
		t.Errorf("of one result:\n%s", checkText(m))
	}
}

// The row of an alternative is lit by its place: also where the text of another row contains its own, where the list is scrolled, and where its label is shortened.
func TestAlternativesAreLitByTheirRows(t *testing.T) {
	m := openCheck(t, steppedCheck(t, "forrester", "gp-ei", 6, nil), 80, 24, theme.New(true, theme.NoColor, false), "H")
	a := m.report.Alternatives[0]
	m.report.Alternatives = nil
	for i, value := range []string{"0.5", "0.05", "0", "1e-05", "1e-0", "50", "5", "500"} {
		a.Label, a.Value, a.Gain = "σ² noise variance", value, float64(i+1)
		m.report.Alternatives = append(m.report.Alternatives, a)
	}
	a.Label, a.Gain = "a parameter with a label for which no panel has any room", 9
	m.report.Alternatives = append(m.report.Alternatives, a)
	for m.chosen = range m.report.Alternatives {
		lines, frame, seen := strings.Split(checkText(m), "\n"), layout.Arrange(m.Frame(), m.Width, m.Height), 0
		told := frame.Described()
		for _, a := range m.report.Alternatives {
			drawn := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, diagnostics.FormatGain(a.Gain)+" ±") })
			at := slices.IndexFunc(told, func(p layout.Placed) bool { return p.Name == a.Label+" "+a.Value })
			if (drawn >= 0) != (at >= 0) {
				t.Fatalf("with %d chosen, %q is drawn in row %d and is element %d", m.chosen, a.Value, drawn, at)
			}
			if drawn < 0 {
				continue
			}
			seen++
			if lit := frame.Spans(told[at]); lit[0].Row != drawn || !strings.Contains(told[at].Says(), diagnostics.FormatGain(a.Gain)) {
				t.Errorf("with %d chosen, %q is drawn in row %d and lit in row %d: %s", m.chosen, a.Value, drawn, lit[0].Row, told[at].Says())
			}
		}
		if seen < 2 || seen == len(m.report.Alternatives) {
			t.Fatalf("%d rows are in sight, which does not scroll", seen)
		}
	}
}
