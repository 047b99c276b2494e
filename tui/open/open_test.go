package open

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/tui/theme"
)

func model(t *testing.T) *Model {
	t.Helper()
	m := New(sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 7}, "", t.TempDir())
	m.Resize(120, 36)
	m.Restyle(theme.New(true, theme.NoColor, false))
	m.Init()
	return m
}

// enter types text; enter, tab and down by name. It returns the last message that the screen sent.
func enter(m *Model, parts ...string) (sent tea.Msg) {
	special := map[string]rune{"enter": tea.KeyEnter, "tab": tea.KeyTab, "down": tea.KeyDown, "backspace": tea.KeyBackspace, "esc": tea.KeyEscape}
	for _, p := range parts {
		presses := []tea.KeyPressMsg{}
		if code, ok := special[p]; ok {
			presses = append(presses, tea.KeyPressMsg{Code: code})
		} else {
			for _, r := range p {
				presses = append(presses, tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
		for _, k := range presses {
			if cmd := m.Update(k); cmd != nil && m.field == fieldStart || cmd != nil && p == "esc" {
				sent = cmd()
			}
		}
	}
	return sent
}

func text(m *Model) string { return ansi.Strip(strings.Join(m.Render(), "\n")) }

func TestChoosingByTyping(t *testing.T) {
	m := model(t)
	sent := enter(m, "ackley:5", "enter", "greedy", "enter", "backspace", "42", "enter", "backspace", "0.5", "enter", "80", "enter", "enter")
	got, ok := sent.(StartMsg)
	if !ok {
		t.Fatalf("it sends %#v\n%s", sent, text(m))
	}
	c := got.Config
	if c.Problem != "ackley:5" || c.Optimizer != "neural-greedy" || c.Seed != 42 || c.Noise != 0.5 || c.Budget != 80 {
		t.Errorf("got %+v", c)
	}
}

func TestWrongEntriesStayWithTheirReason(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"hartmann:4", "enter"}, "3 or 6"},
		{[]string{"qqqq", "enter"}, "no function"},
		{[]string{"tab", "tab", "x", "enter"}, "the seed must be"},
		{[]string{"tab", "tab", "tab", "-", "enter"}, "standard deviation"},
		{[]string{"tab", "tab", "tab", "tab", "0", "enter"}, "from 1 to 1000000"},
	} {
		m := model(t)
		enter(m, c.keys...)
		if s := strings.Join(strings.Fields(strings.ReplaceAll(text(m), "│", " ")), " "); !strings.Contains(s, c.want[:6]) {
			t.Errorf("%v: the screen does not say %q:\n%s", c.keys, c.want, text(m))
		}
	}
}

func TestFilterAndPreview(t *testing.T) {
	m := model(t)
	enter(m, "bran")
	if s := text(m); !strings.Contains(s, "Branin–Hoo") || strings.Contains(s, "gramacy") || !strings.Contains(s, "optimum: 0.3979") {
		t.Errorf("got\n%s", s)
	}
	if _, ok := enter(m, "esc").(ClosedMsg); !ok {
		t.Error("esc does not close")
	}
}

func TestEverySizeFits(t *testing.T) {
	m := model(t)
	for w := 80; w <= 200; w += 11 {
		for h := 24; h <= 60; h += 7 {
			m.Resize(w, h)
			lines := m.Render()
			if len(lines) != h {
				t.Fatalf("%dx%d: %d lines", w, h, len(lines))
			}
			for _, l := range lines {
				if n := ansi.StringWidth(l); n > w {
					t.Fatalf("%dx%d: a line of %d columns", w, h, n)
				}
			}
		}
	}
}
