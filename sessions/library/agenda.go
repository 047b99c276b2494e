package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/functions/timefmt"
	"bandscope/sessions"
)

// AgendaState is what a session waits for, those that need attention first.
type AgendaState string

// The states of a session in an agenda.
const (
	AgendaOverdue    AgendaState = "overdue"    // a result is expected by now
	AgendaPending    AgendaState = "pending"    // points wait for their results
	AgendaUnreadable AgendaState = "unreadable" // the file cannot be read
	AgendaStopped    AgendaState = "stopped"    // no point is pending, and the budget is not spent
	AgendaComplete   AgendaState = "complete"   // no point is pending, and the budget is spent
)

// agendaOrder is the order of the states in an agenda.
var agendaOrder = []AgendaState{AgendaOverdue, AgendaPending, AgendaUnreadable, AgendaStopped, AgendaComplete}

// AgendaItem is a session as an agenda lists it.
type AgendaItem struct {
	Path      string      `json:"path"`
	Name      string      `json:"name"`
	State     AgendaState `json:"state"`
	Problem   string      `json:"problem,omitempty"`
	Optimizer string      `json:"optimizer,omitempty"`
	Manual    bool        `json:"manual"` // a person reports the results
	Steps     int         `json:"steps"`
	Budget    int         `json:"budget"`
	Pending   int         `json:"pending"` // points without a complete result
	Overdue   int         `json:"overdue"` // of them, those that are past their expected duration
	// when the oldest pending point was suggested
	Since *time.Time `json:"since,omitempty"`
	// when the first result is expected, if a duration is declared
	Due *time.Time `json:"due,omitempty"`
	// the time of the last event
	Last   *time.Time `json:"last,omitempty"`
	News   string     `json:"news,omitempty"`   // what others recorded since the reader was last there
	Reason string     `json:"reason,omitempty"` // why it cannot be read, or why it is complete
}

// Agenda lists the optimizations of a folder for a reader, those that need attention first: results that are due, the
// longest first; pending points, the oldest first; the others, the latest first. Sessions of labs are not listed.
// progress may be nil.
func Agenda(ctx context.Context, dir string, reader sessions.Author, now time.Time, progress sessions.Progress) (
	[]AgendaItem, error) {
	entries, err := List(ctx, dir)
	if err != nil {
		return nil, err
	}
	list := []AgendaItem{}
	for i, e := range entries {
		if progress != nil {
			progress("reading", i, len(entries))
		}
		if e.Training != "" {
			continue
		}
		s, err := sessions.OpenReadOnly(ctx, e.Path)
		switch {
		case ctx.Err() != nil:
			return nil, errors.Join(ctx.Err(), closed(s, err))
		case err != nil:
			list = append(list, AgendaItem{Path: e.Path, Name: e.Name, State: AgendaUnreadable, Reason: err.Error()})
			continue
		}
		s.SetAuthor(reader)
		item := NewAgendaItem(s, now)
		item.Path, item.Name = e.Path, e.Name
		list = append(list, item)
		if s.Close() != nil {
			continue // it was only read
		}
	}
	slices.SortStableFunc(list, compareItems)
	return list, nil
}

// closed closes a session that was opened without an error.
func closed(s *sessions.Session, opened error) error {
	if opened != nil {
		return nil
	}
	return s.Close()
}

// NewAgendaItem is a session at the end of its branch, to which it moves, as an agenda lists it for its author.
func NewAgendaItem(s *sessions.Session, now time.Time) AgendaItem {
	s.Last()
	st := s.State()
	a := AgendaItem{Problem: st.Problem.Name, Optimizer: st.Spec.Name, Manual: s.ManualEvaluation(),
		Steps: len(st.Iterations), Budget: st.Config.Budget, State: AgendaStopped}
	if last := s.LastEvent(); !last.IsZero() {
		last = last.UTC()
		a.Last = &last
	}
	if n, ok := s.NewsFor(s.Author()); ok {
		a.News = n.Sentence(now)
	}
	takes := st.ExpectedDuration()
	for _, it := range st.Pending {
		recordedAt := s.RecordedAt(it.ID).UTC()
		for i := range it.Points {
			if it.HasResults() && !it.IncompleteAt(i) {
				continue
			}
			a.Pending++
			if a.Since == nil {
				a.Since = &recordedAt
			}
			if takes == 0 {
				continue
			}
			due := recordedAt.Add(takes)
			if a.Due == nil {
				a.Due = &due
			}
			if now.After(due) {
				a.Overdue++
			}
		}
	}
	switch reason := st.StopReason(); {
	case a.Overdue > 0:
		a.State = AgendaOverdue
	case a.Pending > 0:
		a.State = AgendaPending
	case reason != "":
		a.State, a.Reason = AgendaComplete, reason
	}
	return a
}

// compareItems orders the items of an agenda.
func compareItems(a, b AgendaItem) int {
	rank := func(i AgendaItem) int { return slices.Index(agendaOrder, i.State) }
	valueAt := func(t *time.Time) time.Time {
		if t == nil {
			return time.Time{}
		}
		return *t
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch a.State {
	case AgendaOverdue:
		return cmp.Or(valueAt(a.Due).Compare(valueAt(b.Due)), strings.Compare(a.Name, b.Name))
	case AgendaPending: // those with a date before those without
		return cmp.Or(-cmp.Compare(btoi(a.Due != nil), btoi(b.Due != nil)), valueAt(a.Due).Compare(valueAt(b.Due)),
			valueAt(a.Since).Compare(valueAt(b.Since)), strings.Compare(a.Name, b.Name))
	}
	return cmp.Or(valueAt(b.Last).Compare(valueAt(a.Last)), strings.Compare(a.Name, b.Name))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Summary counts pending points and overdue results: "3 pending", "1/3 overdue"; without pending points it is the state.
func (a AgendaItem) Summary() string {
	switch a.State {
	case AgendaOverdue:
		return fmt.Sprintf("%d/%d overdue", a.Overdue, a.Pending)
	case AgendaPending:
		return fmt.Sprintf("%d pending", a.Pending)
	}
	return string(a.State)
}

// Sentence says since when points wait and when the first result is due, in the time zone of now; empty if no point is
// pending.
func (a AgendaItem) Sentence(now time.Time) string {
	if a.Since == nil {
		return ""
	}
	text := numfmt.Count(a.Pending, "point") + " pending since " + timefmt.Clock(*a.Since, now)
	switch {
	case a.Due == nil:
		return text
	case a.Overdue > 0:
		return fmt.Sprintf("%s; %s overdue since %s", text, numfmt.Count(a.Overdue, "result"), timefmt.Clock(*a.Due, now))
	}
	return text + "; the first result is due " + timefmt.Clock(*a.Due, now)
}
