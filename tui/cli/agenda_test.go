package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/library"
)

// The table of an agenda has at most 80 columns, and what comes from files cannot change the terminal.
func TestWriteAgenda(t *testing.T) {
	now := time.Date(2026, 3, 5, 9, 0, 0, 0, time.FixedZone("CET", 3600))
	since, due := now.Add(-1000*time.Hour), now.Add(1000*time.Hour)
	evil := "\x1b[2J" + strings.Repeat("long", 20)
	list := []library.AgendaItem{
		{Name: evil, State: library.AgendaOverdue, Manual: true, Pending: 100, Overdue: 99, Steps: 100, Budget: 200,
			Since: &since, Due: &due, News: "since 08:00: 1 result by \x1b[2Jann"},
		{Name: "plain", State: library.AgendaStopped, Manual: true, Budget: 50},
		{Name: "branin", State: library.AgendaStopped},
		{Name: "x", State: library.AgendaUnreadable, Reason: "x.jsonl: line 1: damaged"}}
	var b strings.Builder
	require.NoError(t, writeAgenda(&b, list, now))
	table, _, _ := strings.Cut(b.String(), "x.jsonl")
	lines := strings.Split(table, "\n")
	for _, l := range lines[:5] {
		if w := ansi.StringWidth(l); w > 80 {
			t.Errorf("a line has %d columns: %q", w, l)
		}
	}
	for _, want := range []string{"99/100 overdue  100/200  2026-01-22 17:00  2026-04-16 01:00\n",
		"plain                stopped         0/50\n", "x                    unreadable\n",
		"cannot read x.jsonl: line 1: damaged\n", "not listed: 1 session with automatic evaluation (--json lists all)\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Errorf("an escape character reaches the terminal: %q", b.String())
	}
	b.Reset()
	if err := writeAgenda(&b, nil, now); err != nil || b.String() != "there are no sessions in this folder\n" {
		t.Errorf("an empty folder: %q, %v", b.String(), err)
	}
}
