package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"bandscope/sessions"
)

// Bounds of a study.
const (
	MaxSeeds = 100_000
	MaxCells = 1_000_000
	maxSeed  = 1 << 53 // every program that reads the tables can tell the seeds up to here apart
)

// Cells divides the study into its runs: problem after problem, in each method after method, in each seed after seed.
// Their texts are in canonical form: names with their dimension, keys sorted, numbers in one form, and no defaults; the
// budget is the number of iterations. The error has all faults of the study's lists, as *tomlfile.Faults.
func (d *Declaration) Cells() ([]Cell, error) {
	c := &checker{Declaration: d}
	cells := c.cells()
	if err := c.faults.ErrorOrNil(); err != nil {
		return nil, err
	}
	return cells, nil
}

// Config is the configuration of the cell's session, in a study with some files of yours. A text that this program
// does not know, such as one of another version, is an error.
func (c Cell) Config(ownFiles ...OwnFile) (sessions.Config, error) {
	p, err := readProblem(c.Problem, c.Seed, ownFiles)
	if err != nil {
		return sessions.Config{}, err
	}
	method, params, err := p.method(c.Method)
	if err != nil {
		return sessions.Config{}, err
	}
	return sessions.Config{Problem: p.name, Experiment: p.experiment, Optimizer: method.name, Seed: c.Seed,
		Noise: p.noise, Budget: c.Budget, Cost: p.cost, CostBudget: p.costBudget, Params: params, Program: findProgram(ownFiles, method.name)}, nil
}

// Session is the session of the cell before its first step, in memory. The errors are those of sessions.New.
func (c Cell) Session(ctx context.Context, ownFiles ...OwnFile) (*sessions.Session, error) {
	cfg, err := c.Config(ownFiles...)
	if err != nil {
		return nil, err
	}
	return sessions.New(ctx, cfg)
}

// ID is the key of the cell wherever it is kept: the first 32 hexadecimal digits of the SHA-256 of its problem, method,
// seed and budget, with line feeds between them.
func (c Cell) ID() string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d\n%d", c.Problem, c.Method, c.Seed, c.Budget))
	return hex.EncodeToString(hash[:16])
}

// String names the cell in messages.
func (c Cell) String() string { return fmt.Sprintf("%s, %s, seed %d", c.Problem, c.Method, c.Seed) }

// ID is the key of the study's runs: of its cells, your own files and its Keep. Two declarations with the same ID are the same study,
// whatever their names are.
func (d *Declaration) ID() (string, error) {
	cells, err := d.Cells()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n", d.KeepOrDefault())
	for _, c := range cells {
		fmt.Fprintln(hash, c.ID())
	}
	for _, p := range d.Own {
		id, err := p.Hash()
		if err != nil {
			return "", err
		}
		fmt.Fprintln(hash, id)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
}

// KeepOrDefault is Keep, or traces where it is empty.
func (d *Declaration) KeepOrDefault() Keep {
	if d.Keep == "" {
		return KeepTraces
	}
	return d.Keep
}

// FirstSeed is the first seed.
func (d *Declaration) FirstSeed() uint64 { return max(d.First, 1) }
