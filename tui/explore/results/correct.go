package results

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/widget"
)

// Correction replaces the reported results of a pending point, with the reason.
type Correction struct {
	Tell
	Reason string
}

// Rejection discards a pending suggestion.
type Rejection struct{ acts.DiscardArgs }

// Do records the correction.
func (a Correction) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if a.Outcome.At != nil {
		if err := s.Reach(a.Outcome.At); err != nil {
			return "", err
		}
	}
	it, err := s.Amend(a.ID, a.Point, a.Outcome, a.Reason)
	if err != nil {
		return "", err
	}
	if !it.Incomplete() {
		return widget.DescribeIteration(s.State().Problem, it), nil
	}
	return "result corrected; the previous one stays in the record; " + nextPending(it), nil
}

// Doing names the change.
func (Rejection) Doing() string { return "discarding" }

// Do discards it.
func (r Rejection) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	answer, err := acts.Discard.Do(ctx, acts.Turn{Session: s, Progress: progress}, r.DiscardArgs)
	return answer.Message, err
}

// noneReported returns why nothing can be corrected.
func (t turn) noneReported() string {
	p, ok := t.point()
	switch {
	case !ok:
		return "this point is no longer pending"
	case !p.pending:
		return "this result is recorded; press esc, then K to correct it"
	case len(p.missing()) == 0 || len(p.missing()) == len(t.State.Problem.Outputs()):
		return "this point has no reported result to correct"
	}
	return ""
}

// correct shows the reported result for correction, or goes back to the missing values.
func (t turn) correct() tea.Cmd {
	p, _ := t.point()
	instead := !t.draft(p).correcting
	t.drafts[p.name()] = newDraft(t.State, rowsFor(t.State, p, instead), p, nil, instead)
	if instead {
		t.Say("change the reported result, then press ctrl+s; ctrl+e goes back")
	}
	return t.show(p, 0)
}

// notPending returns why the point cannot be discarded.
func (t turn) notPending() string {
	if p, ok := t.point(); !ok || !p.pending {
		return "this result is recorded; press esc, then delete and drop step to withdraw it"
	}
	return ""
}

// reject discards the point and its batch when the key is pressed twice; the note is the reason.
func (t turn) reject(msg tea.KeyPressMsg) tea.Cmd {
	p, _ := t.point()
	if t.saving != "" {
		return nil
	}
	reason := ""
	d := t.draft(p)
	for i, r := range d.rows {
		if r.field == note {
			reason = strings.TrimSpace(d.texts[i])
		}
	}
	if !t.confirm.Confirmed(msg) {
		message := fmt.Sprintf("press %s again to discard point %d", msg, p.Number)
		if n := len(p.Iteration.Points); n > 1 {
			message += fmt.Sprintf(" with its batch of %d", n)
		}
		if reason == "" {
			message += "; the note is recorded as the reason"
		}
		return t.Say(message)
	}
	t.saving = p.name()
	return t.Request(Rejection{acts.DiscardArgs{Point: &acts.Name{Suggestion: p.Number}, Reason: reason}})
}
