//go:build study

package diagnostics

import (
	"context"
	"fmt"
	"testing"

	"bandscope/model/parallel"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// studyBand is a band of a method, by a parameter.
type studyBand struct{ method, key, value string }

// recalibratedCells are the cells of one search after 8, 12, 16 and 20 evaluations: for each band without and with
// recalibration.
func recalibratedCells(ctx context.Context, function string, seed uint64, bands []studyBand) (cells [][2][]searchCell,
	err error) {
	cells = make([][2][]searchCell, len(bands))
	cfg := sessions.Config{Problem: function, Optimizer: bands[0].method, Seed: seed, Budget: 20}
	if cfg.Optimizer == "neural-greedy" {
		cfg.Params = map[string]any{"width": 500}
	}
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for n := 1; n <= 20; n++ {
		if _, err := s.Step(ctx, nil); err != nil {
			return nil, err
		}
		for i, band := range bands {
			if n < 8 || n%4 != 0 {
				break
			}
			st, err := s.State().WithEdit(band.key, band.value)
			if err != nil {
				return nil, err
			}
			b, err := st.Spec.Fit(ctx, st.Input())
			if err != nil {
				return nil, err
			}
			for r, choice := range []string{"off", "loo"} {
				if st, err = st.WithEdit("recalibration", choice); err != nil {
					return nil, err
				}
				displayed, err := DisplayedBelief(ctx, st, b, nil)
				if err != nil {
					return nil, err
				}
				over, err := PredictDomain(ctx, st, displayed)
				if err != nil {
					return nil, err
				}
				cells[i][r] = append(cells[i][r], cellOf(over[0]))
			}
		}
	}
	return cells, nil
}

// Recalibrated bands in the course of searches, on ten functions with three seeds: on average the 95 % band covers 80 to
// 97.5 % of the domain, and less than 75 % in at most three tenths of the cells; the 50 % band covers 40 to 60 %. They
// cover less than they promise where results lie closer to each other than points of the domain lie to results.
func TestCoverageOfRecalibration(t *testing.T) {
	functions := []string{"forrester", "gramacy-lee", "sine-trend", "branin", "six-hump", "goldstein-price", "hartmann:3",
		"ackley:2", "levy:2", "rosenbrock:2"}
	const firstSeed, seeds = 31, 3
	for _, bands := range [][]studyBand{
		{{"gp-ei", "hyperparameters", "fitted"}, {"gp-ei", "hyperparameters", "integrated"}},
		{{"neural-greedy", "band", "trained"}, {"neural-greedy", "band", "nngp"}, {"neural-greedy", "band", "posterior"},
			{"neural-greedy", "band", "ensemble"}},
	} {
		searches := make([][][2][]searchCell, len(functions)*seeds)
		if err := parallel.Try(len(searches), func(i int) (err error) {
			searches[i], err = recalibratedCells(t.Context(), functions[i/seeds], uint64(firstSeed+i%seeds), bands)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for k, band := range bands {
			for r, name := range []string{"off", "loo"} {
				var cells []searchCell
				for _, s := range searches {
					cells = append(cells, s[k][r]...)
				}
				row := searchRow("", 0, cells)
				wide, narrow := row.Coverage[len(inspection.Levels)-1].Value, row.Coverage[0].Value
				text := fmt.Sprintf("%-14s %-10s %s  95 %%: %4.1f  50 %%: %4.1f  below 75 %%: %2.0f %%  log density %.2f",
					band.method, band.value, name, 100*wide, 100*narrow, 100*row.Narrow, row.LogDensity.Value)
				t.Log(text)
				if name == "loo" && (wide < 0.8 || wide > 0.975 || row.Narrow > 0.31 || narrow < 0.4 || narrow > 0.6) {
					t.Error(text)
				}
			}
		}
	}
}
