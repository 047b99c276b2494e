package widget

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
)

func TestPoints(t *testing.T) {
	for want, x := range map[string][]float64{
		"x = 0.75": {0.75}, "(1, 2)": {1, 2}, "(1, 2, 3, 4, 5)": {1, 2, 3, 4, 5},
		"(1, 2, 3, 4, …)": {1, 2, 3, 4, 5, 6}} {
		d := functions.Box(len(x), 0, 9)
		d[0].Name = "x"
		assert.Equal(t, want, Point(d, x), "%v is written", x)
	}
}

// A long text is shown as it stands, and of a very long one its beginning, with how much there is more; what just fits
// is whole.
func TestLongTexts(t *testing.T) {
	for extra, want := range map[int]string{
		-1: "", 0: "", 1: "and 1 KB more", 1024: "and 1 KB more", 1025: "and 2 KB more"} {
		source := strings.Repeat("word ", (maxShown+extra)/5+1)[:maxShown+extra]
		lines := Markdown(plainStyle, source, 50)
		if last := lines[len(lines)-1]; strings.HasPrefix(last, "and") != (want != "") || want != "" && last != want {
			t.Errorf("of %d bytes beyond the bound is said %q, want %q", extra, last, want)
		}
		if n := strings.Count(strings.Join(lines, " "), "word"); n < maxShown/5-1 {
			t.Errorf("%d words are shown", n)
		}
	}
	if got := strings.Join(Markdown(plainStyle, strings.Repeat("*a* ", maxMarkdown/4), 80), ""); strings.Contains(got,
		"*") {
		t.Error("a text within the bound is not laid out")
	}
	if got := strings.Join(Markdown(plainStyle, strings.Repeat("*a* ", maxMarkdown/4)+"*", 80), ""); strings.Count(got,
		"*") < maxMarkdown/4 {
		t.Error("a text beyond the bound is laid out")
	}
}

// take runs the first of a job's commands, which is the computation.
func take(t *testing.T, cmd tea.Cmd) DoneMsg {
	t.Helper()
	batch, ok := cmd().(tea.BatchMsg)
	require.True(t, ok, "a job is no batch of its computation and the spinner")
	done, ok := Perform(rights.Rights{}, batch[0]).(DoneMsg)
	require.True(t, ok, "the first of a job's commands is not its computation")
	return done
}

// A job is busy from its start until it is finished or stopped; only its own result is taken, a panic is one; starting
// another one cancels it.
func TestJobs(t *testing.T) {
	var j Jobs
	if j.Busy() || j.Stop() || j.Status(false) != "" {
		t.Error("a job runs that was not started")
	}
	var first context.Context
	cmd := j.Start("fitting", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		first = ctx
		progress("drawing", 3, 8)
		return "one"
	})
	if !j.Busy() || j.Late() || j.Status(true) != "" {
		t.Error("a job that was just started is not busy, or late already")
	}
	done := take(t, cmd)
	j.turns++
	if got := j.Status(true); !strings.HasSuffix(got, " drawing 3/8 (esc stops)") ||
		strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) {
		t.Errorf("the status is %q", got)
	}
	if msg, ok := j.Take(done); !ok || msg != "one" || first.Err() != nil {
		t.Errorf("the result is %v, %v", msg, ok)
	}
	if cmd := j.Tick(TickMsg{j.gen}); cmd == nil || j.turns != 2 {
		t.Error("the spinner stands still")
	}
	second := j.Start("fitting", func(context.Context, func(string, int, int)) tea.Msg { panic("broken") })
	assert.Error(t, first.Err(), "starting a job leaves the one before running")
	if _, ok := j.Take(done); ok || j.Tick(TickMsg{done.gen}) != nil {
		t.Error("the result of a job that was stopped is taken, or its spinner turns")
	}
	msg, ok := j.Take(take(t, second))
	if p, current := msg.(PanicMsg); !ok || !current || p.Reason != "broken" || !strings.Contains(p.Stack, "parts_test.go") {
		t.Errorf("a panic brings %v", msg)
	}
	third := j.Start("counting", func(context.Context, func(string, int, int)) tea.Msg { return "three" })
	j.turns++
	if got := j.Status(false); !strings.HasSuffix(got, " counting (esc stops)") {
		t.Errorf("without numbers the status is %q", got)
	}
	if !j.Stop() || j.Busy() || j.Stop() || j.Status(false) != "" {
		t.Error("stopping does not")
	}
	if _, ok := j.Take(take(t, third)); ok {
		t.Error("what was stopped brings a result")
	}
	fourth := j.Start("counting", func(context.Context, func(string, int, int)) tea.Msg { return nil })
	d := take(t, fourth)
	if j.Finish(); j.Busy() || j.Tick(TickMsg{d.gen}) != nil {
		t.Error("a finished job is busy")
	}
	if _, ok := j.Take(d); ok {
		t.Error("a finished job brings a result")
	}
}

// A key that has several commands does the first one that can; why it can do nothing is the last one's reason.
func TestPress(t *testing.T) {
	press := func(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Text: string(r)} }
	var done string
	does := func(subject string) func(int, tea.KeyPressMsg) tea.Cmd {
		return func(int, tea.KeyPressMsg) tea.Cmd { done = subject; return nil }
	}
	later := func(m int) string {
		if m > 0 {
			return ""
		}
		return "later"
	}
	commands := []Command[int]{
		{Binding: Bind("a", "add", "a"), DisabledReason: later, Do: does("add")},
		{Binding: Bind("b", "back", "b"), Do: does("back")},
		{Binding: Bind("a", "again", "a"), DisabledReason: func(m int) string {
			if m == 2 {
				return "never"
			}
			return later(1 - m)
		}, Do: does("again")},
		{Binding: Bind("w", "the window's", "w")},
	}
	for _, c := range []struct {
		model     int
		key       rune
		done, off string
		taken     bool
	}{{0, 'a', "again", "", true}, {1, 'a', "add", "", true}, {2, 'a', "add", "", true}, {0, 'b', "back", "", true},
		{0, 'w', "", "", true}, {0, 'c', "", "", false}} {
		done = ""
		if _, off, taken := Press(c.model, commands, press(c.key)); done != c.done || off != c.off || taken != c.taken {
			t.Errorf("%c of %d: %q, %q, %v; want %q, %q, %v", c.key, c.model, done, off, taken, c.done, c.off, c.taken)
		}
	}
	commands[2].DisabledReason = func(int) string { return "never" }
	if _, off, taken := Press(0, commands, press('a')); off != "never" || !taken {
		t.Errorf("a key that can do nothing: %q, %v", off, taken)
	}
	var texts []string
	for _, k := range Keys(0, commands) {
		texts = append(texts, k.Help().Key+":"+k.DisabledReason())
	}
	assert.Equal(t, "a:later b: a:never w:", strings.Join(texts, " "), "the keys")
}

// A prompt gives what was typed, keeps it to be mended with what is wrong, and forgets that as soon as it is changed.
func TestPrompt(t *testing.T) {
	p := newPrompt()
	assert.False(t, p.Open(), "a new prompt is open")
	var taken []string
	p.Ask("name", "first", func(s string) tea.Cmd { taken = append(taken, s); return nil })
	p.Hint("a hint")
	write := func(text string) {
		for _, r := range text {
			p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	write(" light")
	if got := ansi.Strip(p.View(plainStyle)); !p.Open() || !strings.HasPrefix(got, " name: first light") ||
		!strings.Contains(p.Explain(plainStyle), "a hint") {
		t.Errorf("it shows %q and %q", got, p.Explain(plainStyle))
	}
	p.Key(tea.KeyPressMsg{Code: tea.KeyEnter})
	if p.Open() || len(taken) != 1 || taken[0] != "first light" {
		t.Errorf("taken is %q", taken)
	}
	p.Again("no \x1b[31mspaces")
	if got := ansi.Strip(p.Explain(plainStyle)); !p.Open() || !strings.Contains(got, "no ␛[31mspaces") {
		t.Errorf("it explains %q", got)
	}
	p.Key(tea.KeyPressMsg{Code: tea.KeyLeft})
	assert.Contains(t, p.Explain(plainStyle), "spaces", "moving the cursor takes the reason away")
	write("x")
	if got := p.Explain(plainStyle); !strings.Contains(got, "a hint") {
		t.Errorf("after a change it explains %q", got)
	}
	p.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
	if p.Open() || len(taken) != 1 {
		t.Errorf("left, it is open %v, taken is %q", p.Open(), taken)
	}
	p.Ask("again", "", func(string) tea.Cmd { return nil })
	if got := p.Explain(plainStyle); strings.Contains(got, "hint") || strings.Contains(got, "spaces") {
		t.Errorf("the next question explains %q", got)
	}
}

// What a key does is taken once: by the prompt while it is open, else by its command, whose reason is said where it
// cannot; a key that asks whether one is sure takes the same key for a yes and any other one for a no.
func TestStatus(t *testing.T) {
	type model struct {
		status Status
		done   string
		stuck  bool
	}
	press := func(name string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: []rune(name)[0], Text: name} }
	commands := []Command[*model]{
		NewCommand(Bind("a", "ask", "a"), nil, func(m *model) tea.Cmd {
			return m.status.Ask("name", "", func(s string) tea.Cmd { m.done += "(" + s + ")"; return nil })
		}),
		{Binding: Bind("d", "delete", "d"), Do: func(m *model, msg tea.KeyPressMsg) tea.Cmd {
			if !m.status.Confirmed(msg) {
				m.status.Say("d again deletes", false)
				return nil
			}
			m.done += "deleted"
			return nil
		}},
		NewCommand(Bind("s", "step", "s"), func(m *model) string {
			if m.stuck {
				return "stuck"
			}
			return ""
		}, func(m *model) tea.Cmd { m.done += "stepped"; return nil }),
		{Binding: Bind("?", "help", "?")},
		NewRequestCommand[*model](Bind("q", "quit", "q"), Quit{}),
	}
	for _, c := range []struct {
		keys, done, said string
		stuck            bool
	}{
		{keys: "s", done: "stepped"}, {keys: "s", stuck: true, said: "stuck"}, {keys: "dd", done: "deleted"},
		{keys: "dsd", done: "stepped", said: "d again deletes"},
		{keys: "ddd", done: "deleted", said: "d again deletes"}, {keys: "adq\r", done: "(dq)"}, {keys: "d?", said: ""},
	} {
		m := &model{status: NewStatus(), stuck: c.stuck}
		for _, r := range c.keys {
			msg := press(string(r))
			if r == '\r' {
				msg = tea.KeyPressMsg{Code: tea.KeyEnter}
			}
			if _, taken := Take(m, &m.status, commands, msg); !taken {
				t.Errorf("%q: %c is not taken", c.keys, r)
			}
		}
		if message, bad := m.status.Message(); m.done != c.done || message != c.said || bad {
			t.Errorf("%q does %q and says %q, want %q and %q", c.keys, m.done, message, c.done, c.said)
		}
	}
	m := &model{status: NewStatus()}
	if _, taken := Take(m, &m.status, commands, press("x")); taken {
		t.Error("a key that nothing is bound to is taken")
	}
	cmd, _ := Take(m, &m.status, commands, press("q"))
	if cmd == nil || cmd() != tea.Msg(ActionMsg{Quit{}}) {
		t.Error("quitting is not asked for")
	}
}

// A footer names its keys as they are shown, in its order; what is no key is left out.
func TestNamed(t *testing.T) {
	commands := []Command[int]{{Binding: Bind("d", "delete", "d")}, {Binding: Bind("s", "step", "s")},
		{Binding: Bind("?", "help", "?")}, {Binding: Bind("q", "quit", "q")}}
	for shown, want := range map[string]string{"q d s": "quit delete step", "s nothing ?": "step help", "": ""} {
		var does []string
		for _, b := range BindingsFor(commands, shown) {
			does = append(does, b.Help().Desc)
		}
		assert.Equal(t, want, strings.Join(does, " "), "the keys %q", shown)
	}
}

// The status line tells of what is computed before what is said, and that before what the screen says of itself.
func TestStatusLine(t *testing.T) {
	for i, want := range []string{" own", " working  ", " × failed", " said"} {
		var s Status
		computed := ""
		switch i {
		case 1:
			computed = "working"
		case 2:
			s.Fail(errors.New("failed"))
		case 3:
			s.Say("said", false)
		}
		if got := s.Line(plainStyle, computed, "own"); ansi.Strip(got) != want {
			t.Errorf("the status line is %q, want %q", ansi.Strip(got), want)
		}
	}
}

// The cursor stands behind what is typed into the status line, wherever one goes in it, and nowhere while nothing is
// asked.
func TestCursorOfTheStatusLine(t *testing.T) {
	s := NewStatus()
	st := theme.New(true, theme.NoColor, false)
	valueAt := func() (x int, shown bool) {
		p, ok := layout.Arrange(s.Box(st, 60, "", ""), 60, 1).Cursor()
		return p.X, ok
	}
	if _, shown := valueAt(); shown {
		t.Error("a cursor is shown where nothing is asked")
	}
	s.Ask("save as", "run", func(string) tea.Cmd { return nil })
	for _, c := range []struct {
		key  string
		want int
	}{{"1", 14}, {"2", 15}, {"left", 14}, {"home", 10}, {"end", 15}} {
		s.Key(KeyPress(c.key))
		if x, shown := valueAt(); !shown || x != c.want {
			t.Errorf("after %s the cursor is in column %d, want %d: %q", c.key, x, c.want,
				layout.Render(s.Box(st, 60, "", ""), 60, 1))
		}
	}
}

// A key is looked up without the reasons of all others, which are found out only where they are shown.
func TestReasonsAreFoundOutWhenTheyAreAskedFor(t *testing.T) {
	asked := 0
	off := func(int) string { asked++; return "never" }
	keys := Keys(0, []Command[int]{NewCommand(Bind("a", "act", "a"), off, func(int) tea.Cmd { return nil }), {Binding: Bind("b", "wait", "b")}})
	assert.Equal(t, 0, asked, "%d reasons are found out before one is asked for", asked)
	if keys[0].DisabledReason() != "never" || keys[1].DisabledReason() != "" || asked != 1 {
		t.Errorf("the reasons are %q and %q", keys[0].DisabledReason(), keys[1].DisabledReason())
	}
}
