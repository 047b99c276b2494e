package diagnostics

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions"
	"bandscope/functions/rng"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// CalibrationPlan says which bands to measure on which functions.
type CalibrationPlan struct {
	Functions   []string
	Config      sessions.Config // the method, its parameters and the noise of the data
	Key         string          // of the parameter whose values are compared
	Values      []string
	Seeds       int // from 1
	PerVariable int // results per variable
}

// CalibrationRow is the result for one value of the parameter on one function, or on all of them.
type CalibrationRow struct {
	Function string // empty: all of them
	Value    string
	// share of the truth inside the bands of inspection.Levels, over the seeds
	Coverage []MeanInterval
	Width    MeanInterval // half the width of the widest band, in standard deviations of the truth over the domain
}

// MeanInterval is a mean over cells with the half-width of its 95 % interval by Student's t; NaN for one cell.
type MeanInterval struct{ Value, HalfWidth float64 }

// Covers reports whether the interval contains the nominal level.
func (m MeanInterval) Covers(nominal float64) bool { return math.Abs(m.Value-nominal) <= m.HalfWidth }

// cell is the result for one function and seed: for each value the shares and the width.
type cell [][]float64

// forEachSeed returns the measurements of every function and seed, in this order, on all cores.
func forEachSeed[M any](ctx context.Context, functions []string, seeds int, progress sessions.Progress, subject string,
	measure func(ctx context.Context, function string, seed uint64) (M, error)) ([]M, error) {
	all := make([]M, len(functions)*seeds)
	report := func(done int) {
		if progress != nil {
			progress(subject, done, len(all))
		}
	}
	return all, parallel.TryCounting(len(all), report, func(i int) (err error) {
		all[i], err = measure(ctx, functions[i/seeds], uint64(i%seeds+1))
		return err
	})
}

// predictDisplayed are the predictions of a belief as it is displayed, over the domain.
func predictDisplayed(ctx context.Context, st sessions.State, b optimizers.Belief) (inspection.Predictions, error) {
	b, err := DisplayedBelief(ctx, st, b, nil)
	if err != nil {
		return inspection.Predictions{}, err
	}
	over, err := PredictDomain(ctx, st, b)
	if err != nil {
		return inspection.Predictions{}, err
	}
	return over[0], nil
}

// MeasureCalibration measures the coverage for every value, function and seed, on all cores. It stops soon after its
// context ends.
func MeasureCalibration(ctx context.Context, p CalibrationPlan, progress sessions.Progress) ([]CalibrationRow, error) {
	cells, err := forEachSeed(ctx, p.Functions, p.Seeds, progress, "measuring the coverage of bands", p.cell)
	if err != nil {
		return nil, err
	}
	var rows []CalibrationRow
	for f, name := range p.Functions {
		rows = append(rows, p.rows(name, cells[f*p.Seeds:(f+1)*p.Seeds])...)
	}
	if len(p.Functions) > 1 {
		rows = append(rows, p.rows("", cells)...)
	}
	return rows, nil
}

// rows are the means of cells, one row per value.
func (p CalibrationPlan) rows(function string, cells []cell) (rows []CalibrationRow) {
	for v, value := range p.Values {
		r := CalibrationRow{Function: function, Value: value}
		for l := range inspection.Levels {
			r.Coverage = append(r.Coverage, meanInterval(cells, v, l))
		}
		r.Width = meanInterval(cells, v, len(inspection.Levels))
		rows = append(rows, r)
	}
	return rows
}

func meanInterval(cells []cell, value, column int) MeanInterval {
	all := make([]float64, len(cells))
	for i, c := range cells {
		all[i] = c[value][column]
	}
	return meanOf(all)
}

// meanOf is the mean of values with its interval.
func meanOf(all []float64) MeanInterval {
	mean, sd := stat.MeanStdDev(all, nil)
	if len(all) < 2 {
		return MeanInterval{mean, math.NaN()}
	}
	n := float64(len(all))
	return MeanInterval{mean, distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)}
}

// cell measures every value on one function and seed.
func (p CalibrationPlan) cell(ctx context.Context, function string, seed uint64) (cell, error) {
	cfg := p.Config
	cfg.Problem, cfg.Seed = function, seed
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := p.observe(ctx, s, seed); err != nil {
		return nil, fmt.Errorf("%s, seed %d: %w", function, seed, err)
	}
	wide := distuv.UnitNormal.Quantile((1 + inspection.Levels[len(inspection.Levels)-1]) / 2)
	var c cell
	for _, value := range p.Values {
		st, err := s.State().WithEdit(p.Key, value)
		if err != nil {
			return nil, err
		}
		h, err := p.predict(ctx, st)
		if err != nil {
			return nil, fmt.Errorf("%s, seed %d, %s=%s: %w", function, seed, p.Key, value, err)
		}
		var row []float64
		for _, share := range h.CoverageShares() {
			row = append(row, share.Share())
		}
		c = append(c, append(row, wide*stat.Mean(h.SD, nil)/stat.StdDev(h.Y, nil)))
	}
	return c, nil
}

// predict fits the method of a state, and predicts the domain.
func (CalibrationPlan) predict(ctx context.Context, st sessions.State) (inspection.Predictions, error) {
	b, err := st.Spec.Fit(ctx, st.Input())
	if err != nil {
		return inspection.Predictions{}, err
	}
	return predictDisplayed(ctx, st, b)
}

// observe records results at a scrambled Halton sequence that depends on the seed.
func (p CalibrationPlan) observe(ctx context.Context, s *sessions.Session, seed uint64) error {
	problem, space := s.State().Problem, search.NewSpace(s.State().Input())
	rng := rng.New(seed, 0, "bands")
	x := mat.NewDense(p.PerVariable*problem.Dim(), problem.Dim(), nil)
	if err := search.Halton(ctx, x, rng); err != nil {
		return err
	}
	rows, _ := x.Dims()
	for i := range rows {
		point := problem.Domain.FromUnit(space.FromUnit(x.RawRowView(i)))
		y, err := problem.TrueValues(point)
		if err != nil {
			return err
		}
		for k := range y {
			y[k] += p.Config.Noise * rng.NormFloat64()
		}
		if _, err := s.Record(sessions.ByPerson, [][]float64{point}, functions.Outcome{Values: y}); err != nil {
			return err
		}
	}
	return nil
}
