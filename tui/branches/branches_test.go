package branches

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

var (
	trueColor = theme.New(true, theme.TrueColor, false)
	noColor   = theme.New(true, theme.NoColor, false)
)

// forked is a session with three branches, standing on the second.
func forked(t *testing.T) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 4})
	require.NoError(t, err)
	step := func(n int) {
		for range n {
			if _, err := s.Step(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	fork := func(index int, name, optimizer string) {
		s.Seek(index)
		require.NoError(t, s.Fork(name, optimizer))
	}
	step(8)
	fork(4, "with a process", "gp-ei")
	step(5)
	fork(6, "by hand", "")
	_, err = s.Query(context.Background(), []float64{0.75})
	require.NoError(t, err)
	list, err := s.Branches()
	require.NoError(t, err)
	require.NoError(t, s.Switch(list[1].ID))
	return s
}

func model(t *testing.T, s *sessions.Session, w, h int, st theme.Style) *Model {
	t.Helper()
	m, err := New(s)
	require.NoError(t, err)
	m.Permit(rights.Own(""))
	m.Resize(w, h)
	m.Restyle(st)
	return m
}

func reopened(t *testing.T, path string) *sessions.Session {
	t.Helper()
	s, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	return s
}

// keys presses keys and returns the last message that the screen sent.
func keys(m *Model, names ...string) (sent tea.Msg) {
	for _, n := range names {
		cmd := m.Update(screentest.Key(n))
		if cmd == nil || m.KeyMap().Typing {
			continue
		}
		if sent = cmd(); m.jobs.Busy() {
			m.Update(widget.Perform(rights.Rights{}, sent.(tea.BatchMsg)[0])) // the other one turns the spinner
		}
	}
	return sent
}

func text(m *Model) string { return ansi.Strip(layout.Render(m.Frame(), m.Width, m.Height)) }

func TestGoldenScreens(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		style theme.Style
		keys  string
	}{
		{"tree-80x24", 80, 24, noColor, ""},
		{"tree-120x36", 120, 36, trueColor, "down down"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, forked(t), c.w, c.h, c.style)
			keys(m, strings.Fields(c.keys)...)
			screentest.Check(t, c.name, layout.Render(m.Frame(), c.w, c.h), false)
			explained.Check(t, c.name, m.Frame(), c.w, c.h)
			m.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, c.name, layout.Render(m.Frame(), c.w, c.h))
		})
	}
}

// A branch is chosen, compared and gone on from; another session comes beside it.
func TestBranches(t *testing.T) {
	s := forked(t)
	m := model(t, s, 120, 36, trueColor)
	for _, want := range []string{
		"└─ with a process", "└──", "step 5   a begins the branch", "b random evaluates", "◉ you are here"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("the screen does not show %q:\n%s", want, text(m))
		}
	}
	keys(m, "down", "down")
	if !strings.Contains(text(m), "b person evaluates (0.75)") {
		t.Errorf("of the third branch:\n%s", text(m))
	}
	if sent := keys(m, "enter"); sent != tea.Msg(widget.ActionMsg{Action: widget.Close{}}) ||
		s.State().Branch != "by hand" {
		t.Errorf("%#v, on %q", sent, s.State().Branch)
	}
	path := filepath.Join(t.TempDir(), "other.jsonl")
	other := forked(t)
	require.NoError(t, other.SaveAs(path))
	require.NoError(t, other.Close())
	keys(m, append([]string{"C"}, append(strings.Split(path, ""), "enter")...)...)
	if !strings.Contains(text(m), "other.jsonl") {
		t.Errorf("the other session is not shown:\n%s", text(m))
	}
	keys(m, "enter")
	if !strings.Contains(text(m), "belongs to another session") {
		t.Errorf("going on from another session's branch:\n%s", text(m))
	}
	again := reopened(t, path)
	defer again.Close()
	if again.State().ReadOnly {
		t.Error("a session that is looked at is locked")
	}
	keys(m, "C", "n", "o", "enter")
	if !strings.Contains(text(m), "no such file") {
		t.Errorf("a file that is not there:\n%s", text(m))
	}
	keys(m, "esc")
	if sent := keys(m, "esc"); sent != tea.Msg(widget.ActionMsg{Action: widget.Close{}}) {
		t.Errorf("esc sends %#v", sent)
	}
}

// A branch is lit by its place in the list, also where its name is part of what other rows say, and where the list is
// scrolled.
func TestBranchesAreLitByTheirPlace(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 4})
	require.NoError(t, err)
	for _, name := range []string{
		"step", "steps", "m", "best", "from", "a", "random", "0 steps", "1", "in", "rand", "om"} {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
		s.Seek(0)
		require.NoError(t, s.Fork(name, ""))
	}
	m := model(t, s, 100, 24, theme.New(true, theme.NoColor, false))
	scrolled := false
	for m.selected = range m.rows {
		lines, frame, count := strings.Split(text(m), "\n"), layout.Arrange(m.Frame(), m.Width, m.Height), 0
		explained.Check(t, m.rows[m.selected].branch.Name, m.Frame(), m.Width, m.Height)
		for _, p := range frame.DescribedBoxes() {
			if p.Name == "other branches" {
				count += len(frame.Spans(p))
			}
			i := slices.IndexFunc(m.rows, func(r row) bool {
				return r.branch.Name == p.Name && p.Kind == layout.Number
			})
			if i < 0 {
				continue
			}
			count++
			if want, row := strings.TrimSpace(ansi.Strip(m.branchLine(i, m.columns(m.Width-3)))),
				frame.Spans(p)[0].Row; !strings.Contains(lines[row], want) {
				t.Errorf("with %d selected, %q is lit in row %d:\n%s", m.selected, want, row, text(m))
			}
		}
		assert.NotEqual(t, 0, count, "with %d selected, no branch is described", m.selected)
		scrolled = scrolled || count < len(m.rows)
	}
	require.True(t, scrolled, "all branches have room")
}

// The lines of the tree lead to what a branch left, past those that left it later.
func TestTreeLines(t *testing.T) {
	var m Model
	m.grow(nil, []sessions.Branch{{Parent: -1, Name: "main"}, {Parent: 0, Name: "x"}, {Parent: 0, Name: "\x1b[2J"},
		{Parent: 1, Name: "y"}, {Parent: 3}}, 0)
	var got []string
	for _, r := range m.rows {
		got = append(got, r.label, theme.New(true, theme.NoColor, true).Plain(r.label))
	}
	if want := []string{
		"main", "main", "├─ x", "|- x", "│  └─ y", "|  `- y", "│     └─ ?", "|     `- ?", "└─ ␛[2J",
		"`- ?[2J"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A line begins below the step where the branch leaves its parent, and ends at its last step; lines of later branches
// pass it; the best result and the current step are marked.
func TestBranchLines(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 4})
	require.NoError(t, err)
	record := func(values ...float64) {
		for _, y := range values {
			if _, err := s.Record(sessions.ByPerson, [][]float64{{0.5}}, functions.Outcome{Values: []float64{y}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	record(9, 8, 7, 6, 5, 4)
	for _, f := range []struct {
		at     int
		name   string
		values []float64
	}{{2, "first", []float64{1, 2, 3}}, {2, "second", []float64{3}}, {4, "late", []float64{9, 9}}} {
		s.Seek(f.at)
		list, err := s.Branches()
		require.NoError(t, err)
		if f.name == "late" { // it leaves the first branch
			require.NoError(t, s.Switch(list[0].ID))
			s.Seek(4)
		}
		require.NoError(t, s.Fork(f.name, ""))
		record(f.values...)
	}
	s.Seek(5)
	m := model(t, s, 100, 24, theme.New(true, theme.NoColor, false))
	c := columns{line: 13, last: 6}
	want := map[string]string{"main": "────┬───┬───★", "first": "    ├─★───○  ", "second": "    └─★ │    ",
		"late": "        └─◉─○"}
	for i, r := range m.rows {
		assert.Equal(t, want[r.branch.Name], m.line(i, c), "the line of %s", r.branch.Name)
	}
	for _, w := range []int{20, 40, 60, 76} { // the columns give way one after the other
		c := m.columns(w)
		for i := range m.rows {
			if n := ansi.StringWidth(m.branchLine(i, c)); n > max(w, 34) {
				t.Errorf("in %d columns a line has %d: %q", w, n, m.branchLine(i, c))
			}
		}
	}
}
