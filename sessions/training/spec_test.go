package training

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/optimizers/param"
)

// Every lab begins, has a row for its columns, and says which of its parameters are live as its training does.
func TestLabsAreWhatTheyDeclare(t *testing.T) {
	for _, l := range Specs() {
		p := l.Defaults()
		small := map[string]any{keySteps: 12}
		if l.Name == "flops" {
			small["dim"], small["hidden"], small["batch"] = 8, 8, 8
		}
		p, err := p.WithAll(small)
		do(t, errors.Join(err, l.Check(p)))
		m, err := l.Begin(p)
		do(t, err)
		for m.At() < m.TotalUpdates() {
			do(t, m.Step())
			row := m.Row()
			if len(row) != len(l.Columns) {
				t.Fatalf("%s: a row has %d values for %d columns", l.Name, len(row), len(l.Columns))
			}
			for i, c := range l.Columns {
				if judged := m.At() == 10 || m.At() == 12; math.IsNaN(row[i]) != (c.Validation && !judged) {
					t.Errorf("%s: %s is %g at update %d", l.Name, c.Key, row[i], m.At())
				}
			}
		}
		if m.TotalUpdates() != l.TotalUpdates(p) || l.Unwrap(m) == nil || m.Bytes() == 0 {
			t.Errorf("%s: %d updates, %v", l.Name, m.TotalUpdates(), l.Unwrap(m))
		}
		for _, d := range l.Decls {
			if d.Key == keySeed || d.Help == "" || d.Source == "" || d.Label == "" {
				continue
			}
			other, err := p.With(d.Key, d.Nudge(p.Value(d.Key), 1))
			do(t, err)
			if l.Check(other) != nil {
				continue
			}
			m, err := l.Begin(p)
			do(t, err)
			if live := m.Change(other) == nil; live != slices.Contains(l.Live, d.Key) &&
				other.Value(d.Key) != p.Value(d.Key) {
				t.Errorf("%s: a training takes another %s: %v", l.Name, d.Key, live)
			}
		}
		if _, err := p.WithAll(l.SecondRun); err != nil || len(l.SecondRun) == 0 {
			t.Errorf("%s: the contrast %v: %v", l.Name, l.SecondRun, err)
		}
		keys := map[string]bool{}
		for _, c := range l.Columns {
			if keys[c.Key] || c.Label == "" || c.Help == "" {
				t.Errorf("%s: the column %q is there twice, or does not say what it is", l.Name, c.Key)
			}
			keys[c.Key] = true
		}
		if found, err := FindBuiltin(l.Name); err != nil || found != l || l.Column(l.Columns[1].Key) != 1 ||
			l.Column("none") != -1 {
			t.Errorf("%s is not found", l.Name)
		}
	}
	if _, err := FindBuiltin("flop"); err == nil || !strings.Contains(err.Error(), "flops") {
		t.Errorf("%v", err)
	}
}

// A training takes every parameter at both of its bounds.
func TestBoundsAreTaken(t *testing.T) {
	for _, l := range Specs() {
		for _, d := range l.Decls {
			if d.Kind != param.Number && d.Kind != param.Integer {
				continue
			}
			for _, v := range []float64{d.Min, d.Max} {
				bound, err := l.Defaults().With(d.Key, v)
				do(t, err)
				assert.NoError(t, l.Check(bound), "%s: %s = %g is declared, but refused", l.Name, d.Key, v)
			}
		}
	}
}
