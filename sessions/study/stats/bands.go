package stats

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sample is the statistics of a sample, such as one number per seed.
type Sample struct {
	N         int // of numbers, without NaN
	Median    float64
	Low, High float64 // quartiles, linear between the numbers
	Min, Max  float64
	Mean, SD  float64
	// half-width of the mean's 95 % interval by the normal distribution, as papers draw it: 1.96 SD / √N; NaN for fewer
	// than two
	Normal float64
	// half-width by Student's t distribution, which is right for few seeds if the numbers are nearly normal; NaN for
	// fewer than two
	Student float64
}

// Summarize computes the statistics of numbers; it leaves out NaN.
func Summarize(values []float64) Sample {
	sorted := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	return summarizeSorted(sorted)
}

// summarizeSorted computes the statistics of numbers without NaN, which it sorts in place.
func summarizeSorted(values []float64) Sample {
	nan := math.NaN()
	s := Sample{N: len(values), Median: nan, Low: nan, High: nan, Min: nan, Max: nan, Mean: nan, SD: nan,
		Normal: nan, Student: nan}
	if s.N == 0 {
		return s
	}
	slices.Sort(values)
	s.Median = quantile(values, 0.5)
	s.Low = quantile(values, 0.25)
	s.High = quantile(values, 0.75)
	s.Min, s.Max = values[0], values[s.N-1]
	s.Mean = stat.Mean(values, nil)
	if s.N > 1 {
		s.SD = stat.StdDev(values, nil)
		s.Normal = 1.96 * s.SD / math.Sqrt(float64(s.N))
		s.Student = studentQuantile(s.N-1) * s.SD / math.Sqrt(float64(s.N))
	}
	return s
}

// studentQuantiles caches quantiles of Student's t distribution by degrees of freedom, which all places of bands need.
var studentQuantiles sync.Map

// studentQuantile is the 97.5 % quantile of Student's t distribution.
func studentQuantile(freedom int) float64 {
	if q, ok := studentQuantiles.Load(freedom); ok {
		return q.(float64)
	}
	q := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
	studentQuantiles.Store(freedom, q)
	return q
}

// quantile is that of sorted values, linear between them.
func quantile(sorted []float64, p float64) float64 {
	rank := p * float64(len(sorted)-1)
	i := int(rank)
	if i+1 >= len(sorted) || sorted[i] == sorted[i+1] {
		return sorted[i]
	}
	return sorted[i] + (rank-float64(i))*(sorted[i+1]-sorted[i])
}

// Band is the statistics of a method's runs on a problem over the seeds. All slices have a number at each place of the
// axis; it is NaN where at most half of the started runs have a value, since the others may do worse.
type Band struct {
	Problem, Method   string
	At                []float64
	N                 []int // runs with a value
	Median, Low, High []float64
	Mean              []float64
	Normal, Student   []float64 // half widths of the mean's intervals, see Sample
}

// Band is that of a problem and a method at up to so many places of the axis: where its runs have values or, if these
// are more, at equal distances. A running cell counts up to its last value, a failed one up to its failure, and a
// finished one to the end of its budget.
func (r *Runs) Band(problem, method, places int) Band {
	return r.BandAt(problem, method, axisFor(r.Curves(problem, method), places))
}

// BandAt is Band at given increasing places of the axis.
func (r *Runs) BandAt(problem, method int, point []float64) Band {
	curves := r.Curves(problem, method)
	b := Band{Problem: r.Problems[problem].Name, Method: r.Methods[method], At: point}
	b.N = make([]int, len(b.At))
	for _, v := range []*[]float64{&b.Median, &b.Low, &b.High, &b.Mean, &b.Normal, &b.Student} {
		*v = make([]float64, len(b.At))
	}
	begun := 0
	for i := range curves {
		if len(curves[i].At) > 0 || curves[i].Failed() {
			begun++
		}
	}
	next := make([]int, len(curves)) // of each curve, the first number that lies behind
	values := make([]float64, 0, len(curves))
	for k, x := range b.At {
		values = values[:0]
		for i := range curves {
			c := &curves[i]
			for next[i] < len(c.At) && c.At[next[i]] <= x*(1+axisTolerance) {
				next[i]++
			}
			if next[i] > 0 && x <= c.KnownUntil*(1+axisTolerance) && !math.IsNaN(c.Values[next[i]-1]) {
				values = append(values, c.Values[next[i]-1])
			}
		}
		b.N[k] = len(values)
		if len(values) <= begun/2 {
			values = values[:0]
		}
		s := summarizeSorted(values)
		b.Median[k] = s.Median
		b.Low[k] = s.Low
		b.High[k] = s.High
		b.Mean[k] = s.Mean
		b.Normal[k] = s.Normal
		b.Student[k] = s.Student
	}
	return b
}

// axisFor are the places at which curves have values, or up to so many at equal distances.
func axisFor(curves []Curve, places int) []float64 {
	var longest []float64
	for i := range curves {
		if len(curves[i].At) > len(longest) {
			longest = curves[i].At
		}
	}
	point := slices.Clone(longest)
	for i := range curves {
		if c := curves[i].At; !slices.Equal(c, longest[:len(c)]) { // over evaluations, most are the same
			point = append(point, c...)
		}
	}
	end := 0.0
	for i := range curves {
		end = max(end, curves[i].Budget)
	}
	// values beyond a cost budget, which the last evaluation may exceed, do not count
	beyond := func(x float64) bool { return x > end*(1+axisTolerance) }
	if slices.ContainsFunc(point, beyond) {
		point = append(point, end)
	}
	slices.Sort(point)
	point = slices.DeleteFunc(slices.Compact(point), func(x float64) bool { return math.IsNaN(x) || beyond(x) })
	if len(point) <= places {
		return point
	}
	low, high := point[0], point[len(point)-1]
	point = make([]float64, places)
	for k := range point {
		point[k] = low + (high-low)*float64(k)/float64(places-1)
	}
	point[places-1] = high
	return point
}

// Final is the statistics of the final values of the finished runs of a problem and a method.
func (r *Runs) Final(problem, method int) Sample {
	var finals []float64
	for _, c := range r.Curves(problem, method) {
		finals = append(finals, c.Final())
	}
	return Summarize(finals)
}
