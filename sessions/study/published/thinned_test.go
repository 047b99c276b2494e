package published

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"bandscope/sessions/study"
)

// TestThinned: of a thousand iterations stay the first, the last, those at equal factors and those that are printed,
// and the table is left as it was.
func TestThinned(t *testing.T) {
	table := &study.Table{Declaration: &study.Declaration{},
		Rows: []study.Row{{Steps: 1000, Worker: "one", Seconds: 0.123456}}}
	r := &table.Rows[0]
	for _, evaluations := range []int{777, 1000, 1001, 0} { // within, at the end, beyond it, and at no number of them
		table.Declaration.Published = append(table.Declaration.Published,
			study.PublishedNumber{Evaluations: evaluations})
	}
	for i := range 1000 {
		r.Trace.Evaluations, r.Trace.SimpleRegret = append(r.Trace.Evaluations, i+1),
			append(r.Trace.SimpleRegret, 1/float64(i+1)/3)
	}
	got := thinned(table, 7, 4).Rows[0]
	if want := "[1 3 10 32 100 316 777 1000]"; fmt.Sprint(got.Trace.Evaluations) != want {
		t.Error(got.Trace.Evaluations)
	}
	if want := "[0.3333 0.1111 0.03333 0.01042 0.003333 0.001055 0.000429 0.0003333]"; fmt.Sprint(got.Trace.SimpleRegret) !=
		want {
		t.Error(got.Trace.SimpleRegret)
	}
	if got.Trace.Best != nil || got.Worker != "" || got.Seconds != 0.12 || got.Steps != 1000 ||
		len(r.Trace.SimpleRegret) != 1000 || r.Worker != "one" || r.Trace.SimpleRegret[2] != 1./9 {
		t.Errorf("%+v", got)
	}
}

// thinned is a table in short, for keeping many: of each trace at most so many iterations, at equal factors of their
// number, the first and the last among them and besides those of which the declaration has a printed number; numbers
// with so many significant digits, seconds of an iteration with one, of a run with two; without who worked when. A
// trace that was thinned says nothing of the iterations between: what improved in them shows at the next one that is
// kept.
func thinned(t *study.Table, points, digits int) *study.Table {
	short := &study.Table{Declaration: t.Declaration, Rows: slices.Clone(t.Rows)}
	for i := range short.Rows {
		r := &short.Rows[i]
		r.Worker, r.Seconds = "", rounded(r.Seconds, 2)
		keep := places(r.Trace.Evaluations, points, t.Declaration.Published)
		r.Trace.Evaluations = picked(r.Trace.Evaluations, keep)
		for fields, f := reflect.ValueOf(&r.Trace).Elem(), 0; f < fields.NumField(); f++ {
			v, ok := fields.Field(f).Interface().([]float64)
			if !ok {
				continue
			}
			figures := digits
			if fields.Type().Field(f).Name == "Seconds" {
				figures = 1
			}
			v = picked(v, keep)
			for k := range v {
				v[k] = rounded(v[k], figures)
			}
			fields.Field(f).Set(reflect.ValueOf(v))
		}
	}
	return short
}

// places are the places of the iterations that stay, rising.
func places(evaluations []int, points int, printed []study.PublishedNumber) []int {
	n := len(evaluations)
	var keep []int
	for k := range points {
		keep = append(keep, int(math.Round(math.Pow(float64(n), float64(k)/float64(max(points-1, 1)))))-1)
	}
	for _, p := range printed {
		if i, _ := slices.BinarySearch(evaluations, p.Evaluations); p.Evaluations > 0 && i < n {
			keep = append(keep, i)
		}
	}
	if n <= points { // all of them
		keep = nil
		for i := range n {
			keep = append(keep, i)
		}
	}
	slices.Sort(keep)
	return slices.Compact(keep)
}

// picked are the elements at places; nil of nil.
func picked[E any](v []E, places []int) []E {
	if v == nil {
		return nil
	}
	out := make([]E, 0, len(places))
	for _, i := range places {
		out = append(out, v[i])
	}
	return out
}

// rounded has so many significant digits.
func rounded(v float64, digits int) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return short
}
