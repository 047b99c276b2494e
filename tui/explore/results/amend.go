package results

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/widget"
)

// Anew tells in place of all that was told of a point that is still out what should have been told, and why.
type Anew struct {
	Tell
	Reason string
}

// Refuse rejects what is out under an ID.
type Refuse struct{ ID, Label, Reason string }

// Do tells it.
func (a Anew) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	it, err := s.Amend(a.ID, a.Point, a.Outcome, a.Reason)
	if err != nil {
		return "", err
	}
	if !it.Waits() {
		return widget.Iteration(s.State().Problem, it), nil
	}
	return "told anew, what was told before stays on record; " + waitsFor(it), nil
}

// Doing says what is done.
func (Refuse) Doing() string { return "rejecting" }

// Do rejects it.
func (r Refuse) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if err := s.Refuse(r.ID, r.Reason); err != nil {
		return "", err
	}
	return fmt.Sprintf("point %s is rejected: the search stays away from it", r.Label), nil
}

// noneTold is why nothing can be told anew.
func (t turn) noneTold() string {
	p, ok := t.point()
	switch {
	case !ok:
		return "this point waits for nothing any more"
	case !p.out:
		return "K corrects what was told of a point that is out no more"
	case len(p.missing()) == 0 || len(p.missing()) == len(t.State.Problem.Measured()):
		return "nothing is told of it yet that could be told anew"
	}
	return ""
}

// anew begins to tell anew what was told, or goes back to what is missing.
func (t turn) anew() tea.Cmd {
	p, _ := t.point()
	instead := !t.draft(p).instead
	t.drafts[p.name()] = newDraft(t.State.Problem, rowsFor(t.State.Problem, p, instead), p, nil, instead)
	if instead {
		t.Say("what was told stands in the form: change it, and ctrl+s tells it anew; ctrl+e goes back")
	}
	return t.show(p, 0)
}

// notOut is why the point cannot be rejected.
func (t turn) notOut() string {
	if p, ok := t.point(); !ok || !p.out {
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
	if !t.sure.Of(msg) {
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
	return t.Want(Refuse{p.ID, label, reason})
}
