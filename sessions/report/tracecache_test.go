package report

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// Traces count work: along a branch every iteration is folded once, however often they are asked for; after a step back
// and another way, only what is new is.
func TestTracesAreFoldedOnce(t *testing.T) {
	s := start(t, sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 2, Budget: 60})
	folds := 0
	ask := func() []float64 {
		st := s.State()
		return traceCacheFor(st).values("count", st.Iterations, func() func(sessions.Iteration) []float64 {
			n := 0.0
			return func(it sessions.Iteration) []float64 { folds++; n++; return []float64{n * 100, it.Points[0].X[0]} }
		})[1]
	}
	for i := range 30 {
		steps(t, s, 1)
		for range 3 {
			if x := ask(); len(x) != i+1 || x[i] != s.State().Iterations[i].Points[0].X[0] {
				t.Fatalf("after %d steps: %v", i+1, x)
			}
		}
	}
	assert.Equal(t, 30, folds, "30 iterations were folded %d times", folds)
	for range 5 {
		s.Back()
		ask()
	}
	assert.Equal(t, 30, folds, "stepping back folded %d times more", folds-30)
	if _, err := s.Query(context.Background(), make([]float64, 7)); err != nil { // another branch
		t.Fatal(err)
	}
	if x := ask(); len(x) != 26 || x[25] != 0 {
		t.Errorf("on another branch: %v", x)
	}
	require.NoError(t, s.Correct(3, 0, nil, ""))
	ask()
	assert.Equal(t, 30+26+26, folds, "a branch and a correction folded %d times, want %d", folds-30, 52)
}

// However a session came to where it is, its traces are those of a session that was only read.
func TestTracesAreThoseOfAFreshSession(t *testing.T) {
	s := start(t, sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 5, Budget: 60})
	for i := range 25 {
		steps(t, s, 1)
		if i%7 == 3 {
			s.Back()
			s.Back()
			if _, err := s.Query(context.Background(),
				[]float64{0.1, 0.2, 0.5, 0.5, 0.5, 0.5, float64(i) / 25}); err != nil {
				t.Fatal(err)
			}
		}
		if i == 15 {
			require.NoError(t, s.Correct(2, 0, nil, ""))
		}
		got := s.State()
		alone, err := s.Detach(t.Context())
		require.NoError(t, err)
		fresh := alone.State()
		if a, b := AllTracesFor(got), AllTracesFor(fresh); !reflect.DeepEqual(a, b) {
			t.Fatalf("step %d: %+v, alone %+v", i, a, b)
		}
		n := len(got.Iterations)
		if a, b := Front(got, n), Front(fresh, n); !reflect.DeepEqual(a, b) {
			t.Fatalf("step %d: the front is %v, alone %v", i, a, b)
		}
	}
}

// What is kept is bounded in tracks and in bytes; the last ones stay.
func TestMemoIsBounded(t *testing.T) {
	for _, c := range []struct {
		bytes int64 // of each track
		kept  int
	}{{0, maxTracks - 1}, {maxTrackBytes / 4, 4}, {maxTrackBytes/4 + 1, 3}, {maxTrackBytes, 1},
		{maxTrackBytes + 1, 0}} {
		var m traceCache
		for i := range 2 * maxTracks {
			tr := &track{key: fmt.Sprint(i)}
			tr.bytes.Store(c.bytes)
			m.tracks = append(m.tracks, tr)
		}
		m.evict()
		if len(m.tracks) != c.kept || c.kept > 0 && m.tracks[c.kept-1].key != fmt.Sprint(2*maxTracks-1) {
			t.Errorf("tracks of %d bytes: %d are kept, want the last %d", c.bytes, len(m.tracks), c.kept)
		}
	}
	var m traceCache
	its := make([]sessions.Iteration, 10)
	m.values("a", its, func() func(sessions.Iteration) []float64 {
		return func(sessions.Iteration) []float64 { return []float64{1, 2} }
	})
	if n := m.tracks[0].bytes.Load(); n != 2*10*8 {
		t.Errorf("two columns of ten values count %d bytes", n)
	}
}

// imported makes CSV of some outcomes of dtlz2-k3.
func imports(b *testing.B, rows int) string {
	s := start(b, sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 2, Budget: 60})
	var csv strings.Builder
	csv.WriteString("x1,x2,x3,x4,x5,x6,x7,f1,f2,f3\n")
	for i := range rows {
		x := []float64{float64(i*7919%rows) / float64(rows), float64(i*104729%rows) / float64(rows), 0.5, 0.5, 0.55,
			0.5, 0.4 + 0.2*float64(i%97)/97}
		y, err := s.State().Problem.TrueValues(x)
		require.NoError(b, err)
		csv.WriteString(strings.Trim(strings.ReplaceAll(fmt.Sprint(append(x, y...)), " ", ","), "[]") + "\n")
	}
	return csv.String()
}

// BenchmarkImport is an import of 2,000 and of 20,000 rows of three objectives, with the traces and a table of all
// iterations.
func BenchmarkImport(b *testing.B) {
	for _, rows := range []int{2000, 20000} {
		csv := imports(b, rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				s, err := readTable(context.Background(), sessions.Config{Problem: "dtlz2-k3", Optimizer: "random"},
					bytes.NewBufferString(csv))
				require.NoError(b, err)
				require.NoError(b, Export(context.Background(), s.State(), io.Discard, "txt"))
			}
		})
	}
}
