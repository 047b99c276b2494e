package modes

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/explore/mode"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// priorDraft is a new prior over weights, which is previewed before it is applied.
type priorDraft struct {
	prior preference.Prior
	jobs  widget.Jobs // computes the weights under the new prior
	stale bool        // the prior has changed since that job started
}

// SetPrior sets the prior over weights, as an event of the session.
type SetPrior struct{ Text, Said string }

// noPrior is why a mode that changes the prior cannot start; empty if it can.
func noPrior(s mode.Scene, name string) string {
	switch o, st := s.Outcomes, s.State; {
	case o == nil:
		return name + " needs several objectives and the outcomes view (d)"
	case !st.HasWeightPrior():
		return st.Spec.Title + " has no prior over weights"
	case o.Current == nil || st.Range == nil && len(st.Iterations) < 2:
		return name + " needs the results of the first points; press space"
	}
	return ""
}

// begin takes the current prior for a mode with a name. It is false, and says why, where none can be changed.
func (d *priorDraft) begin(t *mode.Turn, name string) (said tea.Cmd, ok bool) {
	if why := noPrior(t.Scene, name); why != "" {
		return t.Say(why), false
	}
	prior, err := weights.PriorFor(t.State.Input())
	if err != nil {
		return t.Fail(err), false
	}
	d.prior = prior
	return nil, true
}

// Busy reports whether the weights under a prior are being computed.
func (d *priorDraft) Busy() bool { return d.jobs.Busy() }

// Stop stops the computation.
func (d *priorDraft) Stop() { d.jobs.Stop() }

// preview computes the weights under the new prior off the update loop, one prior at a time: while a prior is dragged,
// the newest one is the next.
func (d *priorDraft) preview(t *mode.Turn) tea.Cmd {
	d.stale = d.jobs.Busy()
	if d.stale {
		return nil
	}
	held := t.Outcomes.Current
	st, err := t.State.WithEdit(priorKey(t.State), d.prior.String())
	if err != nil || held == nil {
		return nil
	}
	return d.jobs.Start("computing the weights", func(context.Context, func(string, int, int)) tea.Msg {
		return held.UpdateWeights(st)
	})
}

// previewDone shows the computed weights, and starts again if the prior changed meanwhile.
func (d *priorDraft) previewDone(t *mode.Turn, msg widget.DoneMsg) tea.Cmd {
	inner, ok := d.jobs.Take(msg)
	if !ok {
		return nil
	}
	d.jobs.Finish()
	if o, ok := inner.(*front.Outcomes); ok {
		t.Request(mode.Preview{Outcomes: o})
	}
	if d.stale {
		return d.preview(t)
	}
	return nil
}

// priorKey is the key of the parameter that is the prior over weights.
func priorKey(st sessions.State) string {
	d, _ := st.Params.ByRole(optimizers.RolePrior)
	return d.Key
}

// apply applies the new prior, and keeps the preview.
func (d *priorDraft) apply(t *mode.Turn, said string) tea.Cmd {
	d.jobs.Stop()
	t.Request(SetPrior{d.prior.String(), said})
	return t.Request(mode.Leave{})
}

// leave keeps the current prior.
func (d *priorDraft) leave(t *mode.Turn) tea.Cmd {
	d.jobs.Stop()
	return t.Request(mode.Leave{})
}

func (d *priorDraft) flatten(t *mode.Turn) tea.Cmd {
	d.leave(t)
	return t.Request(SetPrior{string(preference.Flat), "the prior over weights is flat again"})
}

// Doing names the change.
func (c SetPrior) Doing() string { return "changing the prior" }

// Do sets the prior, unless it is set already.
func (c SetPrior) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if _, err := (acts.SteerArgs{Prior: c.Text}).Apply(s); err != nil {
		return "", err
	}
	return c.Said, nil
}
