package training

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers/param"
)

// train trains a course on, and returns it with what was measured.
func train(t *testing.T, m *Trainer, c Plan, n int) (Plan, [][]float64) {
	t.Helper()
	results, err := m.Train(t.Context(), []Plan{c}, n, nil)
	if err != nil || results[0].Failed != "" {
		t.Fatal(err, results[0].Failed)
	}
	c.Updates += len(results[0].Rows)
	return c, results[0].Rows
}

// began is a course of a thousand updates before the first.
func began(t *testing.T, decls []param.Decl) Plan {
	t.Helper()
	p, err := param.Defaults(decls).With(keySteps, 1000)
	require.NoError(t, err)
	return Plan{Stages: []Stage{NewStage(0, p)}}
}

// Snapshots stay within their bound, and what is trained again is no more than lies between two of them.
func TestSnapshotsAreBounded(t *testing.T) {
	l, stepped := driftSpec()
	m := NewTrainer(l)
	m.maxBytes = 60_000
	c, rows := began(t, l.Decls), [][]float64(nil)
	for range 250 {
		next, added := train(t, m, c, 4)
		c, rows = next, append(rows, added...)
	}
	if *stepped != 1000 || c.Updates != 1000 {
		t.Errorf("%d updates were done for 1000", *stepped)
	}
	check := func(when string) {
		t.Helper()
		bytes := 0
		for _, sn := range m.checkpoints {
			bytes += sn.bytes
		}
		if bytes != m.bytes || bytes > m.maxBytes {
			t.Errorf("%s %d bytes are kept, counted are %d, and there is room for %d", when, bytes, m.bytes, m.maxBytes)
		}
	}
	check("after the training")
	for _, values := range []int{400, 28, 996, 240, 244, 236, 4, 0, 1000} {
		before := *stepped
		c.Updates = values
		model, err := m.ModelAt(t.Context(), c, nil)
		require.NoError(t, err)
		if n := *stepped - before; n >= checkpointEvery {
			t.Errorf("at update %d %d updates were trained again", values, n)
		}
		if d := model.(*driftModel); d.At() != values || values > 0 && d.W != rows[values-1][1] {
			t.Errorf("at update %d the model is another", values)
		}
		check("after a look")
	}
	m.maxBytes, c.Updates = 1, 132 // less than one: what is looked at is kept all the same
	if model, err := m.ModelAt(t.Context(), c, nil); err != nil || model.At() != 132 || len(m.checkpoints) != 1 {
		t.Errorf("%v, %d kept", err, len(m.checkpoints))
	}
}

// Trainer that are kept on the way of a long training, or when it is trained again, stay what they were.
func TestSnapshotsStay(t *testing.T) {
	l, _ := driftSpec()
	m := NewTrainer(l)
	c, rows := train(t, m, began(t, l.Decls), 15)
	c, added := train(t, m, c, 85)
	rows = append(rows, added...)
	for _, when := range []string{"on the way", "trained again"} {
		for _, sn := range m.checkpoints {
			if update := sn.model.At(); update > 0 && sn.model.(*driftModel).W != rows[update-1][1] {
				t.Errorf("%s: the model of update %d is another", when, update)
			}
		}
		if n := len(m.checkpoints); n < 6 {
			t.Errorf("%s: %d models are kept", when, n)
		}
		m = NewTrainer(l)
		if _, err := m.ModelAt(t.Context(), c, nil); err != nil {
			t.Fatal(err)
		}
	}
}
