package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// An agenda lists results that are due before pending points, these before files that cannot be read, stopped sessions
// and complete ones; it says since when, until when, and what is new.
func TestAgenda(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 3, 5, 9, 0, 0, 0, time.FixedZone("CET", 3600))
	ann := sessions.Author{Kind: sessions.AuthorPerson, Name: "ann", Via: sessions.ViaCommand}
	ben := sessions.Author{Kind: sessions.AuthorPerson, Name: "ben", Via: sessions.ViaCommand}
	// begin makes a session that ann began a number of hours ago, with so many points of which some are reported by ben.
	begin := func(name, duration string, hours, asked, count, budget int) {
		t.Helper()
		start := now.Add(-time.Duration(hours) * time.Hour)
		s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random", Seed: 1, Budget: budget,
			Experiment: &experiment.Declaration{Name: "p", Duration: duration, Variables: functions.Domain{{Name: "x", High: 1}},
				Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize},
					{Name: "z", Direction: functions.Minimize}}}},
			sessions.WithClock(func() time.Time { return start }))
		require.NoError(t, err)
		require.NoError(t, s.SaveAs(filepath.Join(dir, name+".jsonl")))
		s.SetAuthor(ann)
		var points []sessions.Iteration
		for range asked {
			it, err := s.Ask(t.Context(), nil)
			require.NoError(t, err)
			points = append(points, it)
		}
		s.SetAuthor(ben)
		for _, it := range points[:count] {
			_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{1, 2}})
			require.NoError(t, err)
		}
		require.NoError(t, s.Close())
	}
	begin("complete", "", 1, 2, 2, 2)
	begin("stopped", "", 2, 0, 0, 5)
	begin("waits", "", 30, 1, 0, 5)
	begin("waits longer", "", 40, 1, 0, 5)
	begin("due tomorrow", "2d", 20, 2, 1, 5)
	begin("due today", "1d", 20, 2, 0, 5)
	begin("overdue", "1d", 25, 2, 0, 5)
	begin("overdue for long", "1d", 100, 3, 1, 5)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "broken.jsonl"), []byte("broken\n"), 0o600))
	list, err := Agenda(t.Context(), dir, ann, now, nil)
	require.NoError(t, err)
	var got []string
	for _, a := range list {
		got = append(got, strings.Join([]string{a.Name, a.Summary(), a.Sentence(now), a.News}, " | "))
	}
	want := `overdue for long | 2/2 overdue | 2 points pending since 2026-03-01 05:00; 2 results overdue since 2026-03-02 05:00 | since 2026-03-01 05:00: 1 result by ben
overdue | 2/2 overdue | 2 points pending since yesterday 08:00; 2 results overdue since 08:00 | 
due today | 2 pending | 2 points pending since yesterday 13:00; the first result is due 13:00 | 
due tomorrow | 1 pending | 1 point pending since yesterday 13:00; the first result is due tomorrow 13:00 | since yesterday 13:00: 1 result by ben
waits longer | 1 pending | 1 point pending since 2026-03-03 17:00 | 
waits | 1 pending | 1 point pending since yesterday 03:00 | 
broken | unreadable |  | 
stopped | stopped |  | 
complete | complete |  | since 08:00: 2 results by ben`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("the agenda is\n%s\nwant\n%s", text, want)
	}
	if _, err := Agenda(t.Context(), "", ann, now, nil); err != ErrNoHome {
		t.Errorf("without a folder: %v", err)
	}
}
