package stats

import (
	"math"

	"bandscope/sessions/study"
)

// Beside is a number that a paper prints and what the runs of the study amount to in the same place.
type Beside struct {
	study.Printed // of one problem and one method
	// of that problem and method there are in the study; 0 of a method that the study does not have
	Runs int
	Ours Sample // of those that have come so far, in the measure's own direction
}

// BesidePrinted puts every number that the declaration has printed beside the study's: one that is printed for all
// problems or methods is put beside each. A printed number without a statistic counts as a mean.
func BesidePrinted(t *study.Table) []Beside {
	by := map[study.Measure]*Runs{}
	var list []Beside
	for _, p := range t.Declaration.Printed {
		if p.Measure == study.ByDefault {
			p.Measure = t.Declaration.Measure
		}
		r := by[p.Measure]
		if r == nil {
			d := *t.Declaration
			d.Measure = p.Measure
			r = CurvesFor(&study.Table{Declaration: &d, Rows: t.Rows}, Evaluations)
			by[p.Measure] = r
		}
		for k, problem := range r.Problems {
			if p.Problem != "" && p.Problem != problem.Name {
				continue
			}
			known := false
			for m, method := range r.Methods {
				if p.Method == "" || p.Method == method {
					known = true
					if b := r.beside(p, k, m); b.Runs > 0 {
						list = append(list, b)
					}
				}
			}
			if !known {
				b := Beside{Printed: p, Ours: Summarize(nil)}
				b.Problem, b.Measure = problem.Name, problem.Measure
				list = append(list, b)
			}
		}
	}
	return list
}

// beside is a printed number beside the runs of a problem and a method.
func (r *Runs) beside(p study.Printed, problem, method int) Beside {
	about := r.Problems[problem]
	b := Beside{Printed: p}
	b.Problem, b.Method, b.Measure = about.Name, r.Methods[method], about.Measure
	var values []float64
	for _, c := range r.Of(problem, method) {
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

// Interval is the number to be held against the printed one and its interval: the mean with Student's at 95 %, or the
// median with the quartiles; NaN where there are too few runs for one.
func (b Beside) Interval() (value, low, high float64) {
	if b.Statistic == "median" {
		if b.Ours.N < 2 {
			return b.Ours.Median, math.NaN(), math.NaN()
		}
		return b.Ours.Median, b.Ours.Low, b.Ours.High
	}
	return b.Ours.Mean, b.Ours.Mean - b.Ours.Student, b.Ours.Mean + b.Ours.Student
}

// Agrees reports whether the interval and the printed one have a number in common; ok is false where there is no
// interval to judge by.
func (b Beside) Agrees() (agrees, ok bool) {
	_, low, high := b.Interval()
	if math.IsNaN(low) || math.IsNaN(high) {
		return false, false
	}
	half := 0.0
	if b.Printed.Interval != nil {
		half = *b.Printed.Interval
	}
	return b.Value-half <= high && b.Value+half >= low, true
}
