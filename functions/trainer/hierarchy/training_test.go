package hierarchy

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"bandscope/functions/trainer"
)

// near reports a number that is not the one wanted, to a tolerance relative to it or, below 1, to 1.
func near(t *testing.T, subject string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s is %.17g, want %.17g", subject, got, want)
	}
}

// begun is a training of the defaults, as changed, after so many updates.
func begun(t testing.TB, updates int, change func(s *Setting)) *Training {
	t.Helper()
	s := Defaults()
	change(&s)
	tr, err := New(s)
	require.NoError(t, err)
	step(t, tr, updates)
	return tr
}

func step(t testing.TB, tr *Training, updates int) {
	t.Helper()
	for range updates {
		require.NoError(t, tr.Step())
	}
}

// few is a change to what takes less time.
func few(cell Cell) func(s *Setting) {
	return func(s *Setting) { s.Cell, s.Hidden, s.Windows, s.Basis = cell, 5, 3, 3 }
}

// The first updates are those of another implementation, in numpy, of the same text.
func TestFirstUpdates(t *testing.T) {
	tr := begun(t, 0, func(s *Setting) { s.Alpha, s.Steps = 4, 21 })
	want := map[int][3]float64{0: {0.7346270491915924, 30.71597614150531, 1e-8},
		1: {0.6196494903588018, 25.774580391670092, 1e-6}, 2: {0.7816906745078142, 21.52518545547439, 1e-5},
		5: {0.7829066695362441, 13.344124418651367, 1e-3}, 20: {0.5152937097886618, 7.9227896764823695, 3e-2}}
	for update := range 21 {
		step(t, tr, 1)
		if update == 0 && (!slices.Equal(tr.workspace.starts, []int{83, 146, 1, 35, 109, 99, 108, 12}) ||
			!slices.Equal(tr.workspace.nodes[:6], []int{5, 0, 72, 62, 18, 1})) {
			t.Errorf("the first minibatch is of %v and %v", tr.workspace.starts, tr.workspace.nodes[:6])
		}
		if w, ok := want[update]; ok {
			near(t, "the error", tr.Last().MAE, w[0], w[2])
			near(t, "E_reg", tr.Last().Reg, w[1], w[2])
		}
	}
}

// A whole training ends where another implementation's does.
func TestWholeTraining(t *testing.T) {
	tr := begun(t, 300, func(s *Setting) { s.Alpha = 4 })
	l, j := tr.Last(), tr.Evaluate()
	near(t, "the error", l.MAE, 0.22, .05)
	near(t, "E_reg", l.Reg, 0.43, .1)
	near(t, "the rate", l.Rate, 0.01/32, 1e-15)
	for level, want := range [][4]float64{
		{.0501, .008, .0012}, {.0549, .007, .0073}, {.0736, .005, .0093}, {.1154, .004, 0}} {
		near(t, "WAPE", j.Test.WAPE[level], want[0], want[1])
		near(t, "coherence", j.Test.Coherence[level], want[2], 0.4*want[2])
	}
	near(t, "the error of the root", j.RootWAPE(), 100*j.Test.WAPE[0], 0)
	near(t, "the error of the leaves", j.LeafWAPE(), 100*j.Test.WAPE[3], 0)
	near(t, "the mean error", j.MeanWAPE(), 100*floats.Sum(j.Test.WAPE)/4, 1e-14)
	near(t, "the incoherence", j.Incoherence(), 100*floats.Sum(j.Test.Coherence[:3])/3, 1e-14)
	if naive := tr.Panel().Naive(); floats.Max(j.Test.WAPE) > floats.Max(naive.WAPE) || j.Test.WAPE[0] > naive.WAPE[0] {
		t.Errorf("errors of %v are worse than last week's %v", j.Test.WAPE, naive.WAPE)
	}
	if a, b := tr.Evaluate(), j; !slices.Equal(a.Test.WAPE, b.Test.WAPE) ||
		!slices.Equal(a.Validation.SMAPE, b.Validation.SMAPE) {
		t.Error("judged twice, it is not the same")
	}
}

// loss is the error of the minibatch that was drawn last, at the weights as they are, with its gradient in the memory
// of the update.
func loss(tr *Training) float64 {
	w, n := tr.workspace, tr.networkSize()
	clear(w.g)
	a, b := w.net.Forward(tr.w[:n], w.starts)
	value := w.error(tr, a, b)
	w.net.Backward(tr.w[:n], w.g[:n], w.da, w.db)
	return value
}

// The gradient of the error by the weights of the networks and by the embeddings is that of differences, where no error
// is near 0.
func TestGradientOfTheErrorIsThatOfDifferences(t *testing.T) {
	for _, cell := range Cells() {
		tr := begun(t, 2, few(cell))
		loss(tr)
		g := slices.Clone(tr.workspace.g)
		const h = 1e-7
		for i := 0; i < len(g); i += 5 {
			was := tr.w[i]
			tr.w[i] = was + h
			up := loss(tr)
			tr.w[i] = was - h
			down := loss(tr)
			tr.w[i] = was
			near(t, string(cell)+": the gradient", g[i], (up-down)/(2*h), 2e-7)
		}
	}
}

// The same setting is the same training bit by bit, also through a copy in its midst, which goes its own way.
func TestCopyGoesOnFromTheSamePlace(t *testing.T) {
	for _, cell := range Cells() {
		tr := begun(t, 7, few(cell))
		c := tr.Copy()
		point := slices.Clone(tr.w)
		step(t, c, 3)
		if !slices.Equal(tr.w, point) || tr.At() != 7 || c.At() != 10 {
			t.Errorf("%s: stepping the copy to %d steps the training to %d", cell, c.At(), tr.At())
		}
		step(t, tr, 3)
		if again := begun(t, 10, few(cell)); !slices.Equal(again.w, tr.w) || !slices.Equal(again.w, c.w) {
			t.Errorf("%s: three ways to the same update end at different weights", cell)
		}
		if tr.Bytes() < 3*8*len(tr.w) {
			t.Errorf("%s: %d bytes for %d weights with two moments each", cell, tr.Bytes(), len(tr.w))
		}
	}
}

func TestChangeInTheMidst(t *testing.T) {
	tr, straight := begun(t, 5, func(*Setting) {}), begun(t, 5, func(*Setting) {})
	require.NoError(t, tr.Change(tr.Setting()))
	step(t, tr, 1)
	step(t, straight, 1)
	if !slices.Equal(tr.w, straight.w) {
		t.Error("changing nothing changes the training")
	}
	s := tr.Setting()
	s.LambdaE, s.Alpha, s.Rate = 1, 1000, 0.003
	require.NoError(t, tr.Change(s))
	reg := tr.Last().Reg
	step(t, tr, 30)
	l := tr.Last()
	if l.Rate != 0.003 || l.Draws[0] < 55 || l.Reg > reg/2 || l.GradReg == 0 || l.GradData == 0 || tr.Setting() != s {
		t.Errorf("with λ_E = 1, α = 1000 and a rate of 0.003: %+v, E_reg before %v", l, reg)
	}
	s.Basis++
	assert.ErrorContains(t, tr.Change(s), "only λ_E", "another number of basis functions")
	s.Basis, s.Alpha = s.Basis-1, math.NaN()
	assert.ErrorContains(t, tr.Change(s), "α must be", "α that is no number")
}

// What is left out of the forecast stays as it began, and so do weights without a gradient: Adam's first step would be
// the whole rate otherwise.
func TestPartsThatAreLeftOutStay(t *testing.T) {
	for _, cell := range Cells() {
		whole, began := begun(t, 4, few(cell)), begun(t, 0, few(cell))
		tvar := begun(t, 4, func(s *Setting) { few(cell)(s); s.BD = false })
		bd := begun(t, 4, func(s *Setting) { few(cell)(s); s.TVAR = false })
		if !slices.Equal(tvar.embeddings(), began.embeddings()) {
			t.Errorf("%s: embeddings move without a basis", cell)
		}
		n, moved := whole.networkSize(), [3]int{}
		for i := range n {
			for j, tr := range []*Training{whole, tvar, bd} {
				if tr.w[i] != began.w[i] {
					moved[j]++
				}
			}
		}
		if moved[0] != n || moved[1] >= n || moved[2] >= n || moved[1]+moved[2] < n {
			t.Errorf("%s: of %d weights there move %v", cell, n, moved)
		}
		if l := tvar.Last(); l.Reg != 0 || l.GradReg != 0 || l.GradData != 0 {
			t.Errorf("%s: without a basis there are %+v", cell, l)
		}
		if f := bd.Forecast(0); f.TVAR.At(3, 3) != bd.Panel().Mean || bd.Attention(0).At(6, 27) != 0 {
			t.Errorf("%s: without autoregression its part is %v", cell, f.TVAR.At(3, 3))
		}
	}
}

// Nodes that are not drawn move by the regularizer.
func TestEveryEmbeddingMoves(t *testing.T) {
	tr, began := begun(t, 1, func(s *Setting) { s.Alpha, s.Nodes = 1000, 2 }), begun(t, 0, func(*Setting) {})
	if d := tr.Last().Draws; d[3] != 0 || d[0]+d[1]+d[2] != 2 {
		t.Errorf("drawn are %v", d)
	}
	for i, v := range tr.embeddings() {
		assert.NotEqual(t, began.embeddings()[i], v, "number %d of the embeddings stays", i)
	}
}

// A training whose numbers are not finite any more says where, and stays as it was.
func TestDivergedTrainingSaysWhere(t *testing.T) {
	for name, poison := range map[string]func(tr *Training){
		"the loss":     func(tr *Training) { tr.w[0] = math.NaN() },
		"the gradient": func(tr *Training) { tr.setting.LambdaE = 1e300; tr.embeddings()[0] = 1e3 },
	} {
		tr := begun(t, 2, few(MLP))
		poison(tr)
		point := slices.Clone(tr.w)
		var diverged *trainer.DivergenceError
		if err := tr.Step(); !errors.As(err, &diverged) || diverged.Step != 3 || diverged.What != name {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.EqualFunc(tr.w, point, func(a, b float64) bool { return a == b || a != a && b != b }) || tr.At() != 2 {
			t.Errorf("%s: it goes on to %d", name, tr.At())
		}
	}
}

func TestCheckSaysWhatCannotBe(t *testing.T) {
	require.NoError(t, Defaults().Check())
	for want, change := range map[string]func(s *Setting){
		"the number of basis functions must be in [1, 64], got 0":        func(s *Setting) { s.Basis = 0 },
		"the number of representative series must be in [1, 32], got 33": func(s *Setting) { s.Rank = 33 },
		"the number of updates must be":                                  func(s *Setting) { s.Steps = 1 << 40 },
		"the width of the hidden layers must be":                         func(s *Setting) { s.Hidden = -1 },
		"the number of windows in a minibatch must be":                   func(s *Setting) { s.Windows = 33 },
		"the number of nodes in a minibatch must be":                     func(s *Setting) { s.Nodes = 0 },
		"λ_E must be in [0, 1e+06], got -1":                              func(s *Setting) { s.LambdaE = -1 },
		"α must be in [0.01, 1000], got NaN":                             func(s *Setting) { s.Alpha = math.NaN() },
		"the learning rate must be":                                      func(s *Setting) { s.Rate = math.Inf(1) },
		`there is no cell "gru"; choose mlp or lstm`:                     func(s *Setting) { s.Cell = "gru" },
		"a forecast needs at least one of its parts": func(s *Setting) {
			s.TVAR, s.BD = false, false
		},
	} {
		s := Defaults()
		change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if tr, err := New(s); err == nil || tr != nil {
			t.Errorf("%q: a training begins", want)
		}
	}
}

// The bounds of sizes can be trained: the largest of each, with the others small.
func TestBoundsOfSizesCanBeTrained(t *testing.T) {
	for _, change := range []func(s *Setting){
		func(s *Setting) { s.Rank = 32 },
		func(s *Setting) { s.Basis, s.Nodes = 64, 1 },
		func(s *Setting) { s.Nodes, s.Rank, s.Basis, s.Hidden = 512, 1, 1, 1 },
	} {
		for _, cell := range Cells() {
			tr := begun(t, 2, func(s *Setting) { few(cell)(s); change(s) })
			if w := tr.Evaluate().Test.WAPE; floats.HasNaN(w) || len(w) != tr.Panel().Tree.Levels() {
				t.Errorf("%+v: errors are %v", tr.Setting(), w)
			}
		}
	}
}

// An update allocates nothing after the first.
func TestUpdatesAllocateNothing(t *testing.T) {
	for _, cell := range Cells() {
		tr := begun(t, 1, few(cell))
		if n := testing.AllocsPerRun(3, func() { step(t, tr, 1) }); n != 0 {
			t.Errorf("%s: an update allocates %v times", cell, n)
		}
	}
}

// A whole training of the defaults: at most 5 s are asked for.
func BenchmarkTraining(b *testing.B) {
	for _, cell := range Cells() {
		b.Run(string(cell), func(b *testing.B) {
			for b.Loop() {
				begun(b, 300, func(s *Setting) { s.Cell = cell })
			}
		})
	}
}

var _ trainer.Training = (*Training)(nil)
