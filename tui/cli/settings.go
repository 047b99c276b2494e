package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/optimizers/methods"
	"bandscope/sessions"
	"bandscope/sessions/log"
	"bandscope/sessions/table"
)

// Setting is a configuration as flags give it.
type settings struct {
	Function  string
	File      string // of the experiment, in place of a function; empty for none
	Optimizer string // empty is the default for the function
	Seed      uint64
	Noise     float64
	Budget    int
	Set       []string // key=value

	Cost          string  // an expression of the variables, empty for the problem's own
	CostBudget    float64 // what the evaluations may cost together, 0 for no such bound
	Import        string  // a CSV file of earlier observations, empty for none
	Prior         string  // over the weights of several objectives; empty is the default
	Scalarization string
}

// settingsOf are the problem, the method and the seed of a configuration.
func settingsOf(cfg sessions.Config) settings {
	return settings{Function: cfg.Problem, Optimizer: cfg.Optimizer, Seed: cfg.Seed}
}

// Config reads the setting; what it names wrongly is an error of usage.
func (s settings) Config() (sessions.Config, error) {
	cfg, err := s.about()
	if err != nil {
		return cfg, asUsage(err)
	}
	values, err := parseParams(cfg, s.pairs())
	if err != nil {
		return cfg, asUsage(err)
	}
	cfg.Params = values
	return cfg, nil
}

// about is what the setting says without the parameters of the method.
func (s settings) about() (sessions.Config, error) {
	cfg := sessions.Config{Problem: s.Function, Optimizer: s.Optimizer, Seed: s.Seed, Noise: s.Noise, Budget: s.Budget, Cost: s.Cost, CostBudget: s.CostBudget}
	if s.File == "" {
		return cfg, nil
	}
	return cfg.WithExperiment(s.File)
}

// Start makes a session of the setting.
func (s settings) Start(ctx context.Context) (*sessions.Session, error) {
	if s.Import != "" {
		return s.startFrom(ctx, s.Import)
	}
	cfg, err := s.Config()
	if err != nil {
		return nil, err
	}
	session, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, asUsage(err)
	}
	return session, nil
}

// parseSet reads key=value pairs.
func parseParams(cfg sessions.Config, pairs []string) (map[string]any, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	params, err := cfg.Defaults()
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return nil, fmt.Errorf("--set takes key=value, got %q", p)
		}
		if params, err = params.WithText(strings.TrimSpace(key), value); err != nil {
			return nil, err
		}
	}
	return params.Changed(), nil
}

// PairsOf are the parameters that the setting gives and a method has, as key=value.
func (s settings) PairsOf(optimizer string) ([]string, error) {
	cfg := sessions.Config{Problem: s.Function, Optimizer: optimizer}
	declared, err := cfg.Defaults()
	if err != nil {
		return nil, err
	}
	pairs := slices.DeleteFunc(s.pairs(), func(pair string) bool { return !declared.Has(pairKey(pair)) })
	_, err = parseParams(cfg, pairs)
	return pairs, err
}

// CheckPairs says what is wrong with the parameters that the setting gives for some methods: each is one that at least one of them has.
func (s settings) CheckPairs(names []string) error {
	unused := s.pairs()
	for _, m := range names {
		own, err := s.PairsOf(m)
		if err != nil {
			return asUsage(err)
		}
		unused = slices.DeleteFunc(unused, func(pair string) bool { return slices.Contains(own, pair) })
	}
	if len(unused) > 0 {
		key, _, _ := strings.Cut(unused[0], "=")
		return usagef("none of %s has a parameter %q", s.Optimizer, key)
	}
	return nil
}

func pairKey(pair string) string {
	key, _, _ := strings.Cut(pair, "=")
	return strings.TrimSpace(key)
}

// pairs are all parameters that the setting gives.
func (s settings) pairs() []string {
	set := slices.Clone(s.Set)
	for _, short := range [][2]string{{methods.KeyOf(optimizers.RolePrior), s.Prior}, {methods.KeyOf(optimizers.RoleScalarization), s.Scalarization}} {
		if short[1] != "" {
			set = append(set, short[0]+"="+short[1])
		}
	}
	return set
}

// startFrom makes a session of the setting that begins with the observations of a CSV file.
func (s settings) startFrom(ctx context.Context, path string) (*sessions.Session, error) {
	cfg, err := s.Config()
	if err != nil {
		return nil, err
	}
	f, err := log.OpenRegular(path, table.MaxBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	session, err := table.Read(ctx, cfg, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return session, nil
}
