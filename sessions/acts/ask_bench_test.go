package acts_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// hundred is the file of a session with 100 results over six variables.
func hundred(b *testing.B) []byte {
	b.Helper()
	s, err := sessions.New(b.Context(), sessions.Config{Problem: "hartmann", Optimizer: "gp-ei", Seed: 1})
	require.NoError(b, err)
	p, rng := s.State().Problem, rand.New(rand.NewPCG(1, 2))
	for range 100 {
		x := make([]float64, 6)
		for j := range x {
			x[j] = rng.Float64()
		}
		y, err := p.TrueValues(x)
		require.NoError(b, err)
		_, err = s.Record(sessions.ByPerson, [][]float64{x}, functions.Outcome{Values: y})
		require.NoError(b, err)
	}
	path := filepath.Join(b.TempDir(), "s.jsonl")
	require.NoError(b, s.SaveAs(path))
	s.Close()
	text, err := os.ReadFile(path)
	require.NoError(b, err)
	return text
}

// From the file to the point, as a cold start does it.
func BenchmarkAsk(b *testing.B) {
	text := hundred(b)
	for b.Loop() {
		s, err := sessions.Read(b.Context(), bytes.NewReader(text))
		require.NoError(b, err)
		_, err = acts.AskPoints(b.Context(), s, acts.AskArgs{Count: new(1)}, nil)
		require.NoError(b, err)
	}
}

// What reading the file takes of it, which the pipe does once.
func BenchmarkRead(b *testing.B) {
	text := hundred(b)
	for b.Loop() {
		if _, err := sessions.Read(b.Context(), bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
