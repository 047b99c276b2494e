package results

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/widget"
)

// Correction tells in place of all that was told of a point that is still out what should have been told, and why.
type Correction struct {
	Tell
	Reason string
}

// Rejection rejects what is out under an ID.
type Rejection struct{ ID, Label, Reason string }

// Do tells it.
func (a Correction) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	it, err := s.Amend(a.ID, a.Point, a.Outcome, a.Reason)
	if err != nil {
		return "", err
	}
	if !it.Incomplete() {
		return widget.DescribeIteration(s.State().Problem, it), nil
	}
	return "told anew, what was told before stays on record; " + nextPending(it), nil
}

// Doing says what is done.
func (Rejection) Doing() string { return "rejecting" }

// Do rejects it.
func (r Rejection) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if err := s.RejectByID(r.ID, r.Reason); err != nil {
		return "", err
	}
	return fmt.Sprintf("point %s is rejected: the search stays away from it", r.Label), nil
}

// noneReported is why nothing can be told anew.
func (t turn) noneReported() string {
	p, ok := t.point()
	switch {
	case !ok:
		return "this point waits for nothing any more"
	case !p.pending:
		return "K corrects what was told of a point that is out no more"
	case len(p.missing()) == 0 || len(p.missing()) == len(t.State.Problem.Outputs()):
		return "nothing is told of it yet that could be told anew"
	}
	return ""
}

// correct begins to tell anew what was told, or goes back to what is missing.
func (t turn) correct() tea.Cmd {
	p, _ := t.point()
	instead := !t.draft(p).correcting
	t.drafts[p.name()] = newDraft(t.State.Problem, rowsFor(t.State.Problem, p, instead), p, nil, instead)
	if instead {
		t.Say("what was told stands in the form: change it, and ctrl+s tells it anew; ctrl+e goes back")
	}
	return t.show(p, 0)
}

// notPending is why the point cannot be rejected.
func (t turn) notPending() string {
	if p, ok := t.point(); !ok || !p.pending {
		return "it is told already: K, drop step withdraws what was observed"
	}
	return ""
}

// reject rejects the point, with its batch, when that was said twice; the note says why.
func (t turn) reject(msg tea.KeyPressMsg) tea.Cmd {
	p, _ := t.point()
	if t.saving != "" {
		return nil
	}
	reason, label := "", fmt.Sprint(p.Number)
	d := t.draft(p)
	for i, r := range d.rows {
		if r.field == note {
			reason = strings.TrimSpace(d.texts[i])
		}
	}
	if !t.confirm.Confirmed(msg) {
		said := fmt.Sprintf("%s again rejects point %s", msg, label)
		if n := len(p.Iteration.Points); n > 1 {
			said += fmt.Sprintf(" with all %d of its batch", n)
		}
		if reason == "" {
			said += "; what stands under note is the reason"
		}
		return t.Say(said)
	}
	t.saving = p.name()
	return t.Request(Rejection{p.ID, label, reason})
}
