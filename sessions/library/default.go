package library

import (
	"context"
	"errors"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// defaultResults is the number of results of the default session. They are the initial design, so that the model
// chooses the next point.
const defaultResults = 3

// DefaultConfig is the configuration of the default session: with this seed, the model finds the optimum in a few
// steps.
func DefaultConfig() sessions.Config {
	method, params := registry.First(defaultResults)
	return sessions.Config{Problem: "forrester", Optimizer: method, Seed: 8, Params: params}
}

// NewDefault makes the session that the program opens with if none is named. Its first results are there.
func NewDefault(ctx context.Context, options ...sessions.Option) (*sessions.Session, error) {
	s, err := sessions.New(ctx, DefaultConfig(), options...)
	if err != nil {
		return nil, err
	}
	for range defaultResults {
		if _, err := s.Step(ctx, nil); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}
