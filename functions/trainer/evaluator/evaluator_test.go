package evaluator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions/trainer"
	"bandscope/functions/trainer/hierarchy"
	"bandscope/functions/trainer/retrieval"
)

// The values are those of another implementation, in numpy, of the same text. Of a training only the first updates are
// sharp: so are the tolerances.
func TestProblemsGiveTheValuesOfTheirPrototype(t *testing.T) {
	for name, c := range map[string]struct {
		problem *Problem
		x       []float64
		want    []float64
		within  []float64
	}{
		"ReLU": {SparseRetrieval("r"), []float64{2.9187169, 0.9953002, 38, 0.3233555, 0.1578010, 0},
			[]float64{60.25, 4.6288}, []float64{4, 0.12 * 4.6288}},
		"first": {HierarchyForecast("h"), []float64{0.10768482, 20.4091998, 12, 0.00999856, 7},
			[]float64{6.374, 12.994, 0.24967}, []float64{0.5, 0.4, 0.08}},
		"second": {HierarchyForecast("h"), []float64{0.01798830, 5.01312861, 7, 0.00381186, 3},
			[]float64{4.662, 12.04, 0.477}, []float64{0.5, 0.4, 0.15}},
		"of a level": {HierarchyLevels("l"), []float64{0.00695121, 5.31038355, 6, 0.02798576, 6},
			[]float64{5.727, 6.458, 8.187, 12.347}, []float64{0.5, 0.5, 0.5, 0.4}},
	} {
		o, err := c.problem.Evaluate(t.Context(), c.x, nil)
		if err != nil || len(o.Values) != len(c.want) || o.Note == "" || o.Failed != "" {
			t.Fatalf("%s: %+v, %v", name, o, err)
		}
		for k, v := range o.Values {
			if math.Abs(v-c.want[k]) > c.within[k] {
				t.Errorf("%s: value %d is %g, want %g ± %g", name, k, v, c.want[k], c.within[k])
			}
		}
	}
}

// The values of the variables are those of the settings, and what they do not say is fixed: 300 updates, the data of
// seed 1, weights of seed 0, an even start.
func TestValuesAreSettings(t *testing.T) {
	fixed := retrieval.Setting{Data: 1, Lambda: 16, Anneal: 0.75, Dim: 40, Rate: 0.1, Margin: 0.3, Hidden: 64,
		Batch: 128, Steps: 300, Scale: 16, Activation: retrieval.ReLU, Regularizer: retrieval.FLOPs}
	x := []float64{16, 0.75, 40, 0.1, 0.3, 0}
	assert.Equal(t, fixed, retrievalSetting(x), "%v", x)
	fixed.Activation = retrieval.SThresh
	assert.Equal(t, fixed, retrievalSetting(append(x[:5:5], 1, 0)), "by the relaxation")
	fixed.Regularizer, fixed.Lambda = retrieval.L1, 0.8
	assert.Equal(t, fixed, retrievalSetting(append(x[:5:5], 1, 1)), "by ℓ1")
	want := hierarchy.Setting{Data: 1, LambdaE: 0.1, Alpha: 4, Rate: 0.02, Basis: 8, Rank: 3, Steps: 300, Hidden: 24,
		Windows: 8, Nodes: 64, Cell: hierarchy.MLP, TVAR: true, BD: true}
	x = []float64{0.1, 4, 8, 0.02, 3}
	assert.Equal(t, want, hierarchySetting(x), "%v", x)
	want.Cell = hierarchy.LSTM
	assert.Equal(t, want, hierarchySetting(append(x, 1)), "with LSTMs")
}

// What is trained anew is the same to the last bit, and what is remembered is the same and says nothing.
func TestOutcomesAreRepeatedAndRemembered(t *testing.T) {
	p, x := HierarchyForecast("remembered"), []float64{0.01, 4, 3, 0.01, 2}
	count := 0
	first, err := p.Evaluate(t.Context(), x, func(string) { count++ })
	if err != nil || count == 0 {
		t.Fatalf("%v, %d lines", err, count)
	}
	again, err := p.train(t.Context(), x, nil)
	if err != nil || !slices.Equal(first.Values, again.Values) || first.Note != again.Note {
		t.Errorf("trained again: %v, %v, first %v", again, err, first)
	}
	want := slices.Clone(first.Values)
	first.Values[0] = 7
	before := count
	if o, err := p.Evaluate(t.Context(), x, func(string) { count++ }); err != nil || !slices.Equal(o.Values, want) ||
		count != before {
		t.Errorf("remembered: %v, %v, %d lines", o, err, count-before)
	}
	if o, err := HierarchyLevels("another").Evaluate(t.Context(), x, nil); err != nil || len(o.Values) != 4 ||
		o.Values[0] != want[0] || o.Values[3] != want[1] {
		t.Errorf("of all levels: %v, %v, of two %v", o, err, want)
	}
}

// Who wants what is being trained waits for it, and trains it if that was stopped.
func TestEqualTrainingsAreOne(t *testing.T) {
	p, x := HierarchyForecast("one"), []float64{0.02, 4, 3, 0.01, 2}
	for _, stopped := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		count, second := 0, make(chan error)
		_, err := p.Evaluate(ctx, x, func(string) {
			if count++; count > 1 {
				return
			}
			go func() {
				lines := 0
				_, err := p.Evaluate(t.Context(), x, func(string) { lines++ })
				if (lines > 0) != stopped {
					err = fmt.Errorf("the second said %d lines", lines)
				}
				second <- err
			}()
			if stopped {
				cancel()
			}
		})
		if errors.Is(err, context.Canceled) != stopped || err != nil && !stopped {
			t.Errorf("the first: %v", err)
		}
		assert.NoError(t, <-second)
		cancel()
		x[0] *= 2
	}
}

// How a training goes is told from its first update to its last.
func TestTrainingsTellHowTheyGo(t *testing.T) {
	var lines []string
	if _, err := SparseRetrieval("told").Evaluate(t.Context(), []float64{12, 0.8, 32, 0.2, 0.2, 0}, func(line string) {
		lines = append(lines, line)
	}); err != nil {
		t.Fatal(err)
	}
	last := lines[len(lines)-1]
	if !strings.HasPrefix(lines[0], "update 1 of 300 · loss 12.") ||
		!strings.HasPrefix(last, "update 300 of 300 · loss ") || !strings.Contains(last, " · λ 12 · F ") ||
		len(lines) < 30 || len(lines) > 100 {
		t.Errorf("%d lines, from %q to %q", len(lines), lines[0], last)
	}
}

// A training whose context ends stops at the next update, and nothing is remembered of it.
func TestTrainingsStop(t *testing.T) {
	for _, c := range []struct {
		p *Problem
		x []float64
	}{{SparseRetrieval("stopped"), []float64{12, 0.8, 160, 0.2, 0.2, 0}},
		{HierarchyForecast("stopped"), []float64{0.01, 4, 3, 0.01, 2, 1}}} {
		ctx, cancel := context.WithCancel(t.Context())
		count := 0
		o, err := c.p.Evaluate(ctx, c.x, func(string) {
			if count++; count == 2 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || count != 2 || o.Values != nil {
			t.Errorf("%v, %v, after %d lines", o, err, count)
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		if _, err := c.p.Evaluate(ctx, c.x, func(string) { count++ }); !errors.Is(err, context.Canceled) || count != 2 {
			t.Errorf("begun though it was over: %v, %d lines", err, count)
		}
	}
}

// slow is a training that diverges at its third update.
type slow struct{ at int }

func (s *slow) At() int           { return s.at }
func (s *slow) TotalUpdates() int { return 5 }
func (s *slow) Step() error {
	if s.at++; s.at == 3 {
		return &trainer.DivergenceError{Step: 3, What: "the loss"}
	}
	return nil
}

// What diverges has failed, with the reason, and so has what is judged by no number; what cannot be trained by is an
// error.
func TestTrainingsThatFail(t *testing.T) {
	p := &Problem{"diverges", func([]float64) (trainingRun, error) { return trainingRun{training: &slow{}}, nil }}
	if o, err := p.Evaluate(t.Context(), nil, nil); err != nil || o.Values != nil ||
		o.Failed != "the training diverged: the loss was not finite at update 3" {
		t.Errorf("%+v, %v", o, err)
	}
	p = &Problem{"not finite", func([]float64) (trainingRun, error) {
		return trainingRun{&slow{at: 4}, nil, func() Outcome { return Outcome{Values: []float64{1, math.NaN()}} }}, nil
	}}
	if o, err := p.Evaluate(t.Context(), nil, nil); err != nil || o.Values != nil ||
		!strings.Contains(o.Failed, "not finite: [1 NaN]") {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := SparseRetrieval("retrieval").Evaluate(t.Context(), []float64{12, 0.8, 32, -1, 0.2, 0}, nil); err ==
		nil || !strings.Contains(err.Error(), "retrieval: the learning rate must be in") {
		t.Errorf("%v", err)
	}
	if _, err := HierarchyForecast("forecast").Evaluate(t.Context(), []float64{0.01, 4, -3, 0.01, 2}, nil); err ==
		nil || !strings.Contains(err.Error(), "forecast: the number of basis functions") {
		t.Errorf("%v", err)
	}
}
