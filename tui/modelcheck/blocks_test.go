package modelcheck

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/internal/explained"
	"bandscope/tui/theme"
)

// shifted is a session with results of three plates, the last of which is shifted.
func shifted(t *testing.T, method string) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: method, Seed: 7})
	require.NoError(t, err)
	for i := range 15 {
		x := []float64{float64(i*7%15) / 14}
		y, err := s.State().Problem.TrueValues(x)
		require.NoError(t, err)
		block := []string{"plate 1", "plate 2", "tuesday"}[i%3]
		if i%3 == 2 {
			y[0] += 6
		}
		_, err = s.Record(sessions.ByPerson, [][]float64{x}, functions.Outcome{Values: y, Block: block})
		require.NoError(t, err)
	}
	return s
}

// The shifts of plates are drawn with their intervals and described, and a session without plates has no such panel.
func TestBlocks(t *testing.T) {
	s := shifted(t, "gp-ei")
	for _, st := range []theme.Style{theme.New(true, theme.NoColor, false), theme.New(true, theme.NoColor, true)} {
		m := openCheck(t, s, 120, 36, st)
		for _, want := range []string{"shifts of the blocks", "plate 1", "tuesday", "+3.92 "} {
			if !strings.Contains(text(m), want) {
				t.Errorf("%q is not drawn:\n%s", want, text(m))
			}
		}
		explained.Check(t, "with blocks", m.Frame(), 120, 36)
	}
	small := openCheck(t, s, 80, 24, theme.New(true, theme.NoColor, false), "tab")
	if !strings.Contains(text(small), "shifts of the blocks") || !strings.Contains(text(small), "+3.92 ± 0.32") {
		t.Errorf("a small window:\n%s", text(small))
	}
	explained.Check(t, "a small window with blocks", small.Frame(), 80, 24)
	b := openCheck(t, s, 120, 36, theme.New(true, theme.NoColor, false)).objective().Blocks
	if last := b.Shifts[2]; last.Results != 5 || last.Low() < 0 || last.High() < 4 ||
		!strings.Contains(b.Describe(last, ""), "clearly not 0") {
		t.Errorf("%+v: %s", last, b.Describe(last, ""))
	}
	if m := openCheck(t, stepped(t, "forrester", "gp-ei", 6, nil), 120, 36, theme.New(true, theme.NoColor, false)); strings.
		Contains(text(m), "shifts") {
		t.Error("a session without blocks has shifts")
	}
	m := openCheck(t, shifted(t, "ntk-ucb"), 120, 36, theme.New(true, theme.NoColor, false))
	if !strings.Contains(text(m), "estimates no shifts") {
		t.Errorf("a method without shifts:\n%s", text(m))
	}
	explained.Check(t, "without shifts", m.Frame(), 120, 36)
}

// The residuals of each block have a mark of their own without colours too, which the legend names with the shift and
// the list of shifts repeats.
func TestResidualsShowTheirBlocks(t *testing.T) {
	for style, marks := range map[theme.Style]string{
		theme.New(true, theme.NoColor, false): "● plate 1|▲ plate 2|○ tuesday", theme.New(true, theme.NoColor, true): "O plate 1|^ plate 2|o tuesday"} {
		m := openCheck(t, shifted(t, "gp-ei"), 160, 40, style)
		shown := text(m)
		for _, want := range strings.Split(marks, "|") {
			assert.Contains(t, shown, want, "%q is not drawn:\n%s", want, shown)
		}
		shape, _, _ := strings.Cut(strings.Split(marks, "|")[1], " ")
		rows, drawn := m.residualsChart(), 0
		for _, l := range rows.Layers {
			p, ok := l.(chart.Points)
			if !ok || p.Short != "plate 2" {
				continue
			}
			drawn = len(p.X)
			for _, x := range p.X {
				assert.Equal(t, 2, int(x)%3, "result %g is not of plate 2", x)
			}
			assert.Equal(t, shape, style.Glyph(p.Shape), "the mark")
		}
		assert.Equal(t, 5, drawn, "%d results of plate 2", drawn)
		says, _ := m.residualMarks(m.blockLegend("tuesday"))
		if !strings.Contains(says, "The results of tuesday (5)") || !strings.Contains(says, "clearly not 0") {
			t.Errorf("it is described as %q", says)
		}
	}
	m := openCheck(t, shifted(t, "ntk-ucb"), 120, 36, theme.New(true, theme.NoColor, false))
	if says, _ := m.residualMarks("tuesday"); !strings.Contains(says, "estimates no shift") {
		t.Errorf("a method without shifts: %q", says)
	}
}

// Of more blocks than there are marks, the last ones have marks.
func TestMoreBlocksThanMarks(t *testing.T) {
	s := shifted(t, "gp-ei")
	for i := range 8 {
		if _, err := s.Record(sessions.ByPerson, [][]float64{{float64(i) / 8}},
			functions.Outcome{Values: []float64{1}, Block: string(rune('a' + i))}); err != nil {
			t.Fatal(err)
		}
	}
	m := openCheck(t, s, 160, 50, theme.New(true, theme.NoColor, false))
	if names := m.blockNames(); len(names) != maxBlocks || names[0] != "a" || m.blockGlyph("plate 1") != " " {
		t.Errorf("marked are %q", names)
	}
	if shown := text(m); !strings.Contains(shown, "· other results") {
		t.Errorf("the others are not named:\n%s", shown)
	}
	explained.Check(t, "many blocks", m.Frame(), 160, 50)
}
