package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// copyCommands copy texts to the clipboard, through the terminal (OSC 52): also over SSH.
func copyCommands() []command {
	return []command{
		unless((*Model).noPointToCopy, widget.Named("copy the point"), (*Model).copyPoint).
			Long("copy the point under the cursor, or the next or pending points, as name=value"),
		unless((*Model).noTableToCopy, widget.Named("copy the table"), (*Model).copyTable).
			Long("copy the results with tabs between the cells, for a spreadsheet"),
		can(widget.Named("copy the command"), (*Model).copyRepeatCommand).
			Long("copy the command line that makes the same session again, or the one that opens its file"),
	}
}

// maxCopy bounds a text that is sent to the terminal, and cutCopy is the length from which on common terminals cut one:
// xterm takes 100 000 bytes of base64.
const (
	maxCopy = 1 << 20
	cutCopy = 74_000
)

// copyText sends a text to the clipboard and says so.
func (m *Model) copyText(subject, text string) tea.Cmd {
	if len(text) > maxCopy {
		m.Status.Fail(fmt.Errorf("%s has %s, which is too much for a clipboard; export it to a file", subject, bytes(len(text))))
		return nil
	}
	message := fmt.Sprintf("copied %s, %s, if the terminal allows it", subject, bytes(len(text)))
	if len(text) > cutCopy {
		message += "; many terminals cut a text of this size"
	}
	m.Notify(message)
	return tea.SetClipboard(text)
}

// bytes is a size in words.
func bytes(n int) string {
	if n < 1000 {
		return widget.Count(n, "byte")
	}
	return widget.Number(float64(n)/1000) + " kB"
}

// pointsToCopy are the point under the cursor of a mode, or the next or pending points.
func (m *Model) pointsToCopy() (name string, points [][]float64) {
	if cursor := m.overlay().Cursor; cursor != nil {
		return "cursor", [][]float64{cursor}
	}
	if m.report == nil || m.asking() {
		return "", nil
	}
	return m.report.NextPoints.Name(), m.report.Next
}

func (m *Model) noPointToCopy() string {
	if _, points := m.pointsToCopy(); len(points) > 0 {
		return ""
	}
	return cmp.Or(m.wouldRevealAnswer(), "there is no next point yet")
}

func (m *Model) copyPoint() tea.Cmd {
	name, points := m.pointsToCopy()
	lines := make([]string, len(points))
	for i, x := range points {
		lines[i] = report.PointText(m.state.Problem.Domain, x)
	}
	subject := "the point (" + name + ") " + widget.Point(m.state.Problem.Domain, points[0])
	if len(points) > 1 {
		subject = widget.Count(len(points), "point") + " (" + name + ")"
	}
	return m.copyText(sanitize.Text(subject), strings.Join(lines, "\n"))
}

func (m *Model) noTableToCopy() string {
	return widget.Why(len(m.state.Iterations) == 0, "there are no results yet")
}

func (m *Model) copyTable() tea.Cmd {
	rows := 0
	for _, it := range m.state.Iterations {
		rows += len(it.Points)
	}
	return m.copyText("the table of "+widget.Count(rows, "result"), report.TableText(m.state))
}

// repeatMsg has the command that repeats the session.
type repeatMsg struct {
	line string
	err  error
}

func (m *Model) copyRepeatCommand() tea.Cmd {
	s := m.session
	return m.copyJobs.Start("writing the command", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		line, err := report.RepeatCommand(ctx, s)
		return repeatMsg{line, err}
	})
}

// copyDone copies the command that repeats the session.
func (m *Model) copyDone(msg tea.Msg) tea.Cmd {
	m.copyJobs.Finish()
	switch msg := msg.(type) {
	case repeatMsg:
		if msg.err == nil {
			return m.copyText("“"+sanitize.Text(msg.line)+"”", msg.line)
		}
		if !errors.Is(msg.err, context.Canceled) {
			m.Status.Fail(msg.err)
		}
	case widget.PanicMsg:
		m.Status.Fail(msg)
	}
	return nil
}
