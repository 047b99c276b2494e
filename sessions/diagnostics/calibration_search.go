package diagnostics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// SearchPlan says in the course of which searches bands are compared with the truth.
type SearchPlan struct {
	Functions []string
	Config    sessions.Config // the method, its parameters and the noise of the data
	Seeds     int             // from 1
	At        []int           // numbers of evaluations after which bands are measured, ascending
}

// SearchRow is the calibration of one function's searches after so many evaluations, or of all searches.
type SearchRow struct {
	Function    string         // empty: all of them
	Evaluations int            // 0: after all of SearchPlan.At
	Coverage    []MeanInterval // share of the domain inside of the bands of inspection.Levels, over the seeds
	LogDensity  MeanInterval   // of the truth, standardized over the domain, averaged over the domain
	Narrow      float64        // share of the searches whose widest band covers less than 75 % of the domain
}

// narrowCoverage is the coverage of a 95 % band below which it is far too narrow.
const narrowCoverage = 0.75

// searchCell is what one search shows after so many evaluations: the coverages, then the log density.
type searchCell []float64

// MeasureSearchCalibration lets the method search every function with every seed, on all cores, and compares its bands
// with the truth over the domain at some numbers of evaluations. Points that a search chooses lie where it expects the
// optimum, so that its bands are harder to calibrate than those over a design. It stops soon after its context ends.
func MeasureSearchCalibration(ctx context.Context, p SearchPlan, progress sessions.Progress) ([]SearchRow, error) {
	// of each a cell for every number of evaluations
	searches, err := forEachSeed(ctx, p.Functions, p.Seeds, progress, "searching the functions", p.search)
	if err != nil {
		return nil, err
	}
	var rows []SearchRow
	var all []searchCell
	for f, name := range p.Functions {
		for k, n := range p.At {
			var cells []searchCell
			for _, s := range searches[f*p.Seeds : (f+1)*p.Seeds] {
				cells = append(cells, s[k])
			}
			rows = append(rows, searchRow(name, n, cells))
			all = append(all, cells...)
		}
	}
	return append(rows, searchRow("", 0, all)), nil
}

// searchRow is the row of some cells.
func searchRow(function string, n int, cells []searchCell) SearchRow {
	r := SearchRow{Function: function, Evaluations: n}
	column := func(k int) []float64 {
		values := make([]float64, len(cells))
		for i, c := range cells {
			values[i] = c[k]
		}
		return values
	}
	for l := range inspection.Levels {
		r.Coverage = append(r.Coverage, meanOf(column(l)))
	}
	r.LogDensity = meanOf(column(len(inspection.Levels)))
	for _, share := range column(len(inspection.Levels) - 1) {
		if share < narrowCoverage {
			r.Narrow += 1 / float64(len(cells))
		}
	}
	return r
}

// search measures one search at the numbers of evaluations.
func (p SearchPlan) search(ctx context.Context, function string, seed uint64) (cells []searchCell, err error) {
	cfg := p.Config
	cfg.Problem = function
	cfg.Seed = seed
	cfg.Budget = max(cfg.Budget, slices.Max(p.At))
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for n := 1; len(cells) < len(p.At); n++ {
		if _, err := s.Step(ctx, nil); err != nil {
			return nil, fmt.Errorf("%s, seed %d, step %d: %w", function, seed, n, err)
		}
		if n != p.At[len(cells)] {
			continue
		}
		st := s.State()
		b, err := s.Belief(ctx, nil)
		if err != nil {
			return nil, fmt.Errorf("%s, seed %d, %d evaluations: %w", function, seed, n, err)
		}
		over, err := predictDisplayed(ctx, st, b)
		if err != nil {
			return nil, fmt.Errorf("%s, seed %d, %d evaluations: %w", function, seed, n, err)
		}
		cells = append(cells, cellOf(over))
	}
	return cells, nil
}

// cellOf is the coverage of predictions and the mean log density of the truth, standardized over the domain.
func cellOf(h inspection.Predictions) (cell searchCell) {
	for _, share := range h.CoverageShares() {
		cell = append(cell, share.Share())
	}
	sum, unit := 0.0, math.Log(stat.StdDev(h.Y, nil))
	for _, v := range h.LogDensity {
		sum += max(v+unit, minLogDensity)
	}
	return append(cell, sum/float64(len(h.Y)))
}

// minLogDensity bounds what one point may take from the mean log density.
const minLogDensity = -50
