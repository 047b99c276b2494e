package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// mark writes a table of exercises with the goals that hold, a row per file. A file that cannot be marked has the reason
// in its row, and does not keep the others from being marked.
func (o lessonCheck) mark(ctx context.Context, out io.Writer, names []string) error {
	w := csv.NewWriter(out)
	rows := [][]string{{"file", "lesson", "steps", "done", "goals", "goals_reached", "open_goals", "error"}}
	for _, name := range names {
		row, err := markRow(ctx, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			row = []string{name, "", "", "no", "", "", "", err.Error()}
		}
		for i := range row {
			row[i] = sanitize.Text(row[i])
		}
		rows = append(rows, row)
	}
	return w.WriteAll(rows)
}

// markRow is the row of a file.
func markRow(ctx context.Context, name string) ([]string, error) {
	s, err := sessions.OpenReadOnly(ctx, name)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if s.Task() == nil {
		return nil, errors.New("this is not the session of an exercise")
	}
	s.Last()
	var v lessonCheckResult
	if err := v.goals(ctx, s); err != nil {
		return nil, err
	}
	var open []string
	for _, g := range v.Goals {
		if !g.Holds {
			open = append(open, g.Claim+" ("+g.ProgressText()+")")
		}
	}
	done := map[bool]string{true: "yes", false: "no"}[len(open) == 0]
	return []string{filepath.Base(name), filepath.Base(v.Lesson), strconv.Itoa(len(s.State().Iterations)), done,
		strconv.Itoa(len(v.Goals)), strconv.Itoa(v.goalsMet()), strings.Join(open, "; "), ""}, nil
}
