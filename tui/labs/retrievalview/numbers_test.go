package retrievalview

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/trainer/retrieval"
	"bandscope/tui/widget"
)

// alone is a training of the lab's setting that no session steps.
func alone(t *testing.T, w *watcher, run, updates int) *retrieval.Training {
	t.Helper()
	s := retrieval.Defaults()
	p := w.place.State.Runs[run].Params
	s.Data, s.Seed, s.Activation, s.Regularizer = 1, 1, retrieval.SThresh,
		retrieval.Regularizer(p.Choice("regularizer"))
	s.Lambda, s.Anneal, s.SpreadGamma, s.Dim, s.Hidden, s.Batch = p.Number("lambda"), 0.8, 0.8, p.Int("dim"),
		p.Int("hidden"), p.Int("batch")
	s.Steps = p.Int("steps")
	training, err := retrieval.New(s)
	require.NoError(t, err)
	for range updates {
		require.NoError(t, training.Step())
	}
	return training
}

// tiny is a training that takes some milliseconds, of as many updates as the lab's.
var tiny = map[string]any{"dim": 24, "hidden": 16, "batch": 32}

// What is told of a run is what a training of its setting has, at a place where the run was judged and at one where it
// was not.
func TestNumbersAreThoseOfTheTraining(t *testing.T) {
	for _, updates := range []int{10, 13} {
		w := newWatcher(t, tiny).lay().train(updates)
		text := w.text(200, 56)
		for run := range 2 {
			training := alone(t, w, run, updates)
			j, last := training.Evaluate(), training.Last()
			for _, want := range []string{
				fmt.Sprintf("recall@1 %s %%  F %s  mean %s  R_sub %s  dead %d", widget.Number(j.Recall1),
					widget.Number(j.Flops), widget.Number(j.Mean), widget.NumberIn(j.Sub, 6), j.Dead),
				widget.NumberIn(last.Metric, 7), widget.NumberIn(last.Relaxation, 7), widget.NumberIn(last.Flops, 7),
				widget.NumberIn(last.Sub, 7),
			} {
				assert.Contains(t, text, want, "after %d updates run %d does not say %q:\n%s", updates, run, want, text)
			}
			in := w.place.Computed.(*computed).runs[run]
			if !slices.Equal(in.judgement.Active, j.Active) ||
				!slices.Equal(in.predicted, training.ActivationProbabilities()) {
				t.Errorf("after %d updates the activity of run %d is %v, want %v", updates, run, in.judgement.Active,
					j.Active)
			}
		}
	}
}

// The query reads the lists of the dimensions in which it is active, every row that is in them once.
func TestQueryReadsItsLists(t *testing.T) {
	w := newWatcher(t, tiny).train(20).press("]", "]")
	training := alone(t, w, 0, 20)
	rows, query := training.Rows(), training.Queries().RawRowView(2)
	n, _ := rows.Dims()
	touched, entries, lists := 0, 0, 0
	for j, v := range query {
		if v != 0 {
			lists++
		}
		for i := range n {
			if rows.At(i, j) == 0 {
				continue
			}
			entries++
			if v != 0 {
				touched++
			}
		}
	}
	if text, want := w.text(120, 32), fmt.Sprintf("%d of %d lists, %d of %d entries", lists, len(query), touched,
		entries); !strings.Contains(text, want) {
		t.Errorf("it does not say %q:\n%s", want, text)
	}
	if w.press("[", "[", "["); !strings.Contains(w.text(120, 32), "query 24 reads") {
		t.Errorf("before the first query comes the last one:\n%s", w.text(120, 32))
	}
}

// Jumbled, as many values are not 0, F falls to d·p̄² but for chance, and nothing is found.
func TestJumbled(t *testing.T) {
	w := newWatcher(t, tiny).train(60)
	before := w.place.Computed.(*computed).runs[0]
	w.press("s")
	in := w.place.Computed.(*computed).runs[0]
	even := float64(len(in.shuffled.Active)) * math.Pow(in.shuffled.Mean, 2)
	if math.Abs(in.shuffled.Mean-before.judgement.Mean) > 1e-12 || math.Abs(in.shuffled.Flops/even-1) > 0.02 ||
		in.shuffled.Flops >= before.judgement.Flops || in.shuffled.Recall1 > before.judgement.Recall1/2 {
		t.Errorf("jumbled it is %+v, before %+v", *in.shuffled, before.judgement)
	}
	if text := w.text(120, 32); !strings.Contains(text, "shuffled: F") {
		t.Errorf("it does not say so:\n%s", text)
	}
	if w.press("s"); w.place.Computed.(*computed).runs[0].shuffled != nil {
		t.Error("it stays jumbled")
	}
}

// A race is run once, when it is asked for, and stays with what is known until the next.
func TestRace(t *testing.T) {
	w := newWatcher(t, small).train(5)
	w.place.W, w.place.H = 80, 20
	w.press("time_the_search")
	if text := w.text(80, 20); !strings.Contains(text, "update 5: index ") || !strings.Contains(text, "(20000 rows)") {
		t.Errorf("after a race:\n%s", text)
	}
	speed := w.place.Computed.(*computed).runs[0].race
	w.train(2)
	if again := w.place.Computed.(*computed).runs[0].race; again != speed {
		t.Errorf("there was another race, %v", again)
	}
}

// The dots of the plane are where the flows are at the time that is told, which grows with the training and ends at
// 150.
func TestPlaneIsThatOfTheFlows(t *testing.T) {
	w := newWatcher(t, small).train(6)
	k := w.place.Computed.(*computed)
	if want := math.Sqrt(151) - 1; math.Abs(k.tau-want) > 1e-12 {
		t.Errorf("half way it is τ = %v, want %v", k.tau, want)
	}
	for _, toy := range k.flows {
		p := retrieval.NewPath(retrieval.NewToyModel(), toy.norm).At(k.tau).Probabilities()
		last := len(toy.p[0]) - 1
		if got := [2]float64{toy.p[0][last], toy.p[1][last]}; p[0] > minP && got != p || len(toy.on[0]) == 0 {
			t.Errorf("%v is at %v, want %v", toy.norm, got, p)
		}
	}
	assert.InDelta(t, 150, w.train(6).place.Computed.(*computed).tau, 1e-9, "at the end it is τ")
}

// The front is of all that was seen: of runs before this one, too, but for one that goes on from it.
func TestFrontRemembersRunsBefore(t *testing.T) {
	w := newWatcher(t, tiny).train(10).train(10)
	if past := w.place.Computed.(*computed).past; len(past) != 0 {
		t.Errorf("%d runs before the first", len(past))
	}
	first := w.place.Computed.(*computed).trail[0]
	if len(first.at) != 2 || first.at[1] != 20 {
		t.Errorf("it was judged at %v", first.at)
	}
	if _, err := w.session.Edit(0, map[string]any{"uneven_gamma": 0.1}); err != nil {
		t.Fatal(err)
	}
	w.train(10)
	k := w.place.Computed.(*computed)
	if len(k.past) != 1 || !slices.Equal(k.past[0].flops, first.flops) {
		t.Errorf("the runs before are %v, want %v", k.past, first)
	}
	x, y := frontFor(append(k.past, k.trail...), 1000)
	for i := 1; i < len(x); i++ {
		if x[i] < x[i-1] || y[i] < y[i-1] {
			t.Errorf("the front falls: %v, %v", x, y)
		}
	}
	if w.place.Asking = true; strings.Contains(w.text(120, 32), "earlier runs") {
		t.Error("what was seen before is shown while a lesson asks")
	}
}

func BenchmarkFrame(b *testing.B) {
	w := newWatcher(b, tiny).lay().train(300)
	for _, size := range [][2]int{{80, 20}, {120, 32}, {200, 56}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				w.drawn(size[0], size[1])
			}
		})
	}
}

func BenchmarkLook(b *testing.B) {
	w := newWatcher(b, nil).lay().train(60)
	for b.Loop() {
		w.look()
	}
}
