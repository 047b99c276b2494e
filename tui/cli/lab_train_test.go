package cli

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/trainer"
	"bandscope/optimizers/param"
	"bandscope/sessions/training"
)

// brief is a training that diverges after some updates.
type brief struct{ at, until int }

func (b *brief) Step() error {
	if b.at == b.until {
		return &trainer.DivergenceError{Step: b.at + 1, What: "the loss"}
	}
	b.at++
	return nil
}

func (b *brief) At() int                { return b.at }
func (b *brief) TotalUpdates() int      { return 40 }
func (b *brief) Row() []float64         { return []float64{float64(b.at)} }
func (b *brief) Change(param.Set) error { return nil }
func (b *brief) Bytes() int             { return 8 }

func (b *brief) Copy() training.Model {
	c := *b
	return &c
}

// A training that diverges is told with its reason, in words and to programs, and the command has failed; beside one
// that does not it is told and goes on.
func TestDiverges(t *testing.T) {
	l := &training.Spec{Name: "brief", Seed: "seed", Updates: "steps",
		Columns: []training.Column{{Key: "n", Label: "n", InTable: true}}, Check: func(param.Set) error { return nil },
		Decls: []param.Decl{{Key: "seed", Kind: param.Integer, Default: 1, Max: 10},
			{Key: "steps", Kind: param.Integer, Default: 40, Max: 40},
			{Key: "until", Kind: param.Integer, Default: 13, Max: 100}},
		Begin: func(p param.Set) (training.Model, error) { return &brief{until: p.Int("until")}, nil }}
	const why = "the training diverged: the loss was not finite at update 14"
	for _, c := range []struct {
		json   bool
		beside map[string]any
		want   string
		fails  bool
	}{
		{false, nil, "     10         10\n     13         13\n" + why + "\n", true},
		{true, nil, `{"failed":"` + why + `","run":1,"step":13}`, true},
		{false, map[string]any{"until": 100}, why + "\n     20         20  second run\n", false},
	} {
		s, err := training.New(l, nil)
		if err == nil && c.beside != nil {
			_, err = s.AddRun(t.Context(), c.beside, nil)
		}
		require.NoError(t, err)
		var out bytes.Buffer
		err = trainSession(t.Context(), &out, io.Discard, s, &trainingOptions{JSON: c.json})
		if (err != nil) != c.fails || err != nil && err.Error() != why || !strings.Contains(out.String(), c.want) {
			t.Errorf("%v, %s", err, out.String())
		}
	}
	assert.NoError(t, errors.Join(listTrainings(io.Discard, "flops", false), listTrainings(io.Discard, "", true)))
}
