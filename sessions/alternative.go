package sessions

import (
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/fitcache"
)

// Alternative is the posterior of another method, or of the same method with other parameters, for the data of a
// session at its current position. It changes nothing in the session and is not recorded.
type Alternative struct {
	session *Session
	spec    *optimizers.Spec
	params  param.Set
	fits    fitcache.Cache
}

// WithMethod is the session seen by another method; parameters that are not given have their defaults.
func (s *Session) WithMethod(optimizer string, params map[string]any) (*Alternative, error) {
	cfg := s.State().Config
	cfg.Optimizer, cfg.Params = optimizer, params
	set, err := resolve(cfg)
	if err != nil {
		return nil, err
	}
	return &Alternative{session: s, spec: set.spec, params: set.params}, nil
}

// Spec is the method.
func (a *Alternative) Spec() *optimizers.Spec { return a.spec }

// Params are the method's parameters.
func (a *Alternative) Params() param.Set { return a.params }

// State is the current state of the session, with the alternative's method.
func (a *Alternative) State() State {
	st := a.session.State()
	st.Spec = a.spec
	st.Params = a.params
	st.Pending = nil
	st.Config.Optimizer, st.Config.Params = a.spec.Name, a.params.Changed()
	return st
}

// Belief is what the method believes; it is kept.
func (a *Alternative) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	return a.State().believe(ctx, &a.fits, progress)
}

// Next is what the method would evaluate next, in the unit cube.
func (a *Alternative) Next(ctx context.Context, progress Progress) (optimizers.Suggestion, error) {
	return a.State().next(ctx, &a.fits, progress)
}
