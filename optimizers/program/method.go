package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
	"bandscope/optimizers/weights"
)

// Spec makes a method of a declaration. drawn is the method whose belief is drawn where the program has none.
func Spec(d *Declaration, drawn func(objectives int) *optimizers.Spec) *optimizers.Spec {
	m := &method{declaration: d, drawn: drawn}
	s := &optimizers.Spec{Name: d.MethodName(), Title: d.MethodName(), Family: "program", Multi: true,
		Pending: optimizers.PendingByProgram, Errors: optimizers.ErrorsByProgram, Limits: optimizers.LimitsByProgram,
		Levels: optimizers.LevelsByProgram, Constraints: optimizers.FeasibleByProgram,
		Summary: d.About, Source: d.Source, Params: append(slices.Clone(d.Params), search.RepeatsParam()),
		ScoringParams: weights.ScoringParams(), Check: weights.Check, Fit: m.fit, Suggest: m.suggest}
	if s.Summary == "" {
		s.Summary = "the program " + d.Command
	}
	if s.Source == "" {
		s.Source = "your own program"
	}
	return s
}

// method is a program as a method.
type method struct {
	declaration *Declaration
	drawn       func(objectives int) *optimizers.Spec
}

// NotAllowedError is returned for a suggestion of a program that the command line does not name.
type NotAllowedError struct{ Command string }

// Error says how to allow it.
func (e *NotAllowedError) Error() string {
	return "give " + Flag(e.Command) + " again to go on: a program is started only if the command line names it"
}

// Flag is the flag that allows a command, quoted for a POSIX shell.
func Flag(command string) string { return "-o " + functions.ShellWord(Prefix+command) }

// allowed reports whether the program may be started for an input.
func (m *method) allowed(in optimizers.Input) bool {
	_, ok := external.Allowed(m.declaration.Command)
	return ok && in.Source != nil && in.Source.Talker != nil
}

// exchange sends a line, and returns the greeting of the program, and its answer.
func (m *method) exchange(ctx context.Context, r *request, line []byte) (greeting, []byte, error) {
	if !m.allowed(r.in) {
		return greeting{}, nil, &NotAllowedError{m.declaration.Command}
	}
	hello, answer, err := r.source.Talker.Exchange(ctx, m.declaration.Command, r.hello, line)
	if hello == nil {
		return greeting{}, nil, err
	}
	g, bad := readGreeting(hello, m.declaration.Can)
	if bad != nil {
		r.source.Talker.Restart()
		return g, nil, bad
	}
	return g, answer, err
}

// greet asks what the program can do.
func (m *method) greet(ctx context.Context, r *request) (greeting, error) {
	g, _, err := m.exchange(ctx, r, nil)
	return g, err
}

// suggest asks the program for the next points. An error names the program.
func (m *method) suggest(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, error) {
	s, err := m.ask(ctx, in)
	if err != nil && !errors.As(err, new(*NotAllowedError)) {
		err = fmt.Errorf("%s: %w", m.declaration.MethodName(), err)
	}
	return s, err
}

// ask is suggest without the name in errors.
func (m *method) ask(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, error) {
	in.Report("waiting for the program", 0, 0)
	r, err := newRequest(in)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	g, err := m.greet(ctx, r)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	if in.Pending != nil && !g.can(CanPending) {
		return optimizers.Suggestion{}, errors.New("the program cannot take pending points into account; report or discard them first")
	}
	line, err := r.suggest(g.State == stateSnapshot)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	g, answer, err := m.exchange(ctx, r, line)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	s, err := r.readSuggestion(answer, g)
	if err != nil {
		r.source.Talker.Restart()
		return optimizers.Suggestion{}, err
	}
	return s, m.predictAt(ctx, r, g, &s)
}

// predictAt adds what the program predicts at the points of a suggestion, if it can.
func (m *method) predictAt(ctx context.Context, r *request, g greeting, s *optimizers.Suggestion) error {
	b := &belief{method: m, request: r, greeting: g}
	if g.can(CanPredict) {
		bands, err := b.Predict(ctx, s.X)
		if err != nil {
			return err
		}
		s.Mean, s.SD = bands[0].Mean, bands[0].SD
	}
	if g.can(CanAcquisition) {
		v, err := b.Acquisition(ctx, s.X)
		if err != nil {
			return err
		}
		s.Acquisition = v
	}
	return nil
}

// fit is the belief of the program, if it has one and may be started; otherwise it is that of another method, with a
// legend that says so.
func (m *method) fit(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
	b := &belief{method: m}
	var warning string
	if m.allowed(in) {
		r, err := newRequest(in)
		if err == nil {
			b.request = r
			b.greeting, err = m.greet(ctx, r)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			warning = cut(err.Error(), maxText)
			b.greeting = greeting{}
		case b.can(CanPredict):
			return b, nil
		}
	}
	spec := m.drawn(in.Objectives)
	in.Params = param.Defaults(spec.ParamsForInputs(in.Objectives, in.Dim))
	base, err := spec.Fit(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("%s, drawn beside the program: %w", spec.Title, err)
	}
	return &borrowed{Belief: base, own: b, title: spec.Title, warning: warning, count: in.Objectives}, nil
}

// marshal is a line; the values of this package are all valid in JSON.
func marshal(line any) ([]byte, error) { return json.Marshal(line) }
