package stats

import (
	"math"

	"bandscope/sessions/study"
)

// PublishedComparison is a number that a paper prints and the statistics of the study's runs at the same place.
type PublishedComparison struct {
	study.PublishedNumber // of one problem and one method
	// number of runs of that problem and method in the study; 0 for a method that the study does not have
	Runs int
	Ours Sample // of those that have come so far, in the measure's own direction
}

// ComparePublished compares every printed number of the declaration with the study's: one for all problems or methods
// is compared with each. A printed number without a statistic counts as a mean.
func ComparePublished(t *study.Table) []PublishedComparison {
	entries := map[study.Measure]*Runs{}
	var list []PublishedComparison
	for _, p := range t.Declaration.Published {
		if p.Measure == study.DefaultMeasure {
			p.Measure = t.Declaration.Measure
		}
		r := entries[p.Measure]
		if r == nil {
			d := *t.Declaration
			d.Measure = p.Measure
			r = CurvesFor(&study.Table{Declaration: &d, Rows: t.Rows}, Evaluations)
			entries[p.Measure] = r
		}
		for k, problem := range r.Problems {
			if p.Problem != "" && p.Problem != problem.Name {
				continue
			}
			known := false
			for m, method := range r.Methods {
				if p.Method == "" || p.Method == method {
					known = true
					if b := r.comparePublished(p, k, m); b.Runs > 0 {
						list = append(list, b)
					}
				}
			}
			if !known {
				b := PublishedComparison{PublishedNumber: p, Ours: Summarize(nil)}
				b.Problem, b.Measure = problem.Name, problem.Measure
				list = append(list, b)
			}
		}
	}
	return list
}

// comparePublished compares a printed number with the runs of a problem and a method.
func (r *Runs) comparePublished(p study.PublishedNumber, problem, method int) PublishedComparison {
	about := r.Problems[problem]
	b := PublishedComparison{PublishedNumber: p}
	b.Problem = about.Name
	b.Method = r.Methods[method]
	b.Measure = about.Measure
	var values []float64
	for _, c := range r.Curves(problem, method) {
		if c.Method == "" {
			continue
		}
		b.Runs++
		v := c.Final()
		if p.Evaluations > 0 {
			v = c.Value(float64(p.Evaluations))
		}
		values = append(values, about.Sign*v)
	}
	b.Ours = Summarize(values)
	return b
}

// Interval is the number to compare with the printed one, and its interval: the mean with Student's at 95 %, or the
// median with the quartiles; NaN if there are too few runs.
func (b PublishedComparison) Interval() (value, low, high float64) {
	if b.Statistic == "median" {
		if b.Ours.N < 2 {
			return b.Ours.Median, math.NaN(), math.NaN()
		}
		return b.Ours.Median, b.Ours.Low, b.Ours.High
	}
	return b.Ours.Mean, b.Ours.Mean - b.Ours.Student, b.Ours.Mean + b.Ours.Student
}

// Agrees reports whether the interval and the printed one overlap; ok is false if there is no interval.
func (b PublishedComparison) Agrees() (agrees, ok bool) {
	_, low, high := b.Interval()
	if math.IsNaN(low) || math.IsNaN(high) {
		return false, false
	}
	half := 0.0
	if b.PublishedNumber.Interval != nil {
		half = *b.PublishedNumber.Interval
	}
	return b.Value-half <= high && b.Value+half >= low, true
}
