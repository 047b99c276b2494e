package registry

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// Every parameter's default is a value of it, and every one has a source and a sentence of help.
func TestDeclarations(t *testing.T) {
	for _, s := range All() {
		if s.Title == "" || s.Summary == "" || s.Source == "" || s.Family == "" || s.Pending == 0 || s.Errors == 0 ||
			s.Levels == 0 || s.Constraints == 0 {
			t.Errorf("%s is not described", s.Name)
		}
		seen := map[string]bool{}
		for _, d := range s.Params {
			if v, err := d.Check(d.Default); err != nil || v != d.Default {
				t.Errorf("%s: the default of %s is not valid: %v", s.Name, d.Key, err)
			}
			if v, err := d.Parse(d.Format(d.Default)); err != nil || v != d.Default {
				t.Errorf("%s: the default of %s does not survive being written: %v, %v", s.Name, d.Key, v, err)
			}
			if d.Label == "" || d.Source == "" || !strings.HasSuffix(d.Help, ".") || seen[d.Key] {
				t.Errorf("%s: the parameter %s is not well declared", s.Name, d.Key)
			}
			seen[d.Key] = true
		}
	}
}

// With data and without, every method suggests a point of the cube, the same one however often and in whatever order it
// is asked.
func TestMethodsArePureFunctions(t *testing.T) {
	for _, spec := range sample.Of(All(), 3, 1) {
		for _, n := range []int{0, 1, 6} {
			data := optimizers.Data{}
			if n > 0 {
				_, data = testbed.Observe(t, "branin", n)
			}
			in := testbed.InputFor(t, spec, 2, data, integrated...)
			a, b := testbed.Fit(t, spec, in), testbed.Fit(t, spec, in)
			x := testbed.Probes(5, 2)
			a.Samples(context.Background(), x, 2, 4)
			a.Predict(context.Background(), x)
			sa, errA := a.Suggest(context.Background())
			sb, errB := b.Suggest(context.Background())
			if errA != nil || errB != nil {
				t.Fatalf("%s, n=%d: %v, %v", spec.Name, n, errA, errB)
			}
			b.Samples(context.Background(), x, 3, 1)
			again, _ := b.Suggest(context.Background())
			if !mat.Equal(sa.X, sb.X) || !mat.Equal(sb.X, again.X) {
				t.Errorf("%s, n=%d: it suggests %v, %v and %v", spec.Name, n, mat.Formatted(sa.X), mat.Formatted(sb.X),
					mat.Formatted(again.X))
			}
			for _, v := range sa.X.RawMatrix().Data {
				if !(v >= 0 && v <= 1) {
					t.Errorf("%s, n=%d: it suggests %v, outside of the cube", spec.Name, n, mat.Formatted(sa.X))
				}
			}
		}
	}
}

// What a legend names a belief has, finite and of the right shape; what it does not name is absent.
func TestBeliefsKeepTheirLegend(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 8)
	x := testbed.Probes(11, 2)
	for _, spec := range All() {
		b := testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, data, cheap...))
		l := b.Legend()
		check := func(subject, name string, err error, values ...[]float64) {
			if name == "" {
				if !errors.Is(err, optimizers.ErrUnsupported) {
					t.Errorf("%s has %s that its legend does not name (%v)", spec.Name, subject, err)
				}
				return
			}
			assert.NoError(t, err, "%s: %s", spec.Name, subject)
			for _, v := range values {
				if len(v) != 11 || !functions.Finite(v) {
					t.Errorf("%s: %s is %v", spec.Name, subject, v)
				}
			}
		}
		bands, err := b.Predict(context.Background(), x)
		if err == nil {
			check("the band", l.Band, err, bands[0].Mean, bands[0].SD)
		} else {
			check("a band", l.Band, err)
		}
		samples, err := b.Samples(context.Background(), x, 2, 0)
		if err == nil {
			check("samples", l.Samples, err, samples[0].RawRowView(0), samples[0].RawRowView(1))
		} else {
			check("samples", l.Samples, err)
		}
		used, err := b.Used(context.Background(), x)
		if err == nil {
			check("a used function", l.Used, err, used[0])
		} else {
			check("a used function", l.Used, err)
		}
		acq, err := b.Acquisition(context.Background(), x)
		if l.NonNegative && (slices.ContainsFunc(acq, func(v float64) bool { return v < 0 }) ||
			strings.Contains(l.Acquisition, "log")) {
			t.Errorf("%s: the acquisition (%s) is declared as never negative: %v", spec.Name, l.Acquisition, acq)
		}
		if strings.Contains(l.Acquisition, "expected improvement") && !l.NonNegative {
			t.Errorf("%s: the acquisition (%s) is not declared as never negative", spec.Name, l.Acquisition)
		}
		if err == nil {
			check("the acquisition", l.Acquisition, err, acq)
		} else {
			check("an acquisition", l.Acquisition, err)
		}
	}
}

// All methods start alike.
func TestMethodsStartAlike(t *testing.T) {
	var first []float64
	for _, s := range All() {
		in := testbed.InputFor(t, s, 2, optimizers.Data{})
		in.Step = 1
		x, ok := testbed.Initial(t, in)
		assert.True(t, ok, "%s has no initial design", s.Name)
		if first == nil {
			first = x
		}
		assert.Equal(t, first, x, "%s starts at %v, others at %v", s.Name, x, first)
	}
}
