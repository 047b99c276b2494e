package acts_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// hundred is the file of a session with 100 results over six variables.
func hundred(b *testing.B) []byte {
	b.Helper()
	s, err := sessions.New(b.Context(), sessions.Config{Problem: "hartmann", Optimizer: "gp-ei", Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	p, rng := s.State().Problem, rand.New(rand.NewPCG(1, 2))
	for range 100 {
		x := make([]float64, 6)
		for j := range x {
			x[j] = rng.Float64()
		}
		y, err := p.TrueValues(x)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Record(sessions.ByPerson, [][]float64{x}, functions.Outcome{Values: y}); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), "s.jsonl")
	if err := s.SaveAs(path); err != nil {
		b.Fatal(err)
	}
	s.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// From the file to the point, as a cold start does it.
func BenchmarkAsk(b *testing.B) {
	text := hundred(b)
	for b.Loop() {
		s, err := sessions.Read(b.Context(), bytes.NewReader(text))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := acts.AskPoints(b.Context(), s, acts.AskArgs{Count: new(1)}, nil); err != nil {
			b.Fatal(err)
		}
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
