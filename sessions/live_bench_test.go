package sessions

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// acted is the file of a session with so many acts: half of them suggestions, half of them results.
func acted(b *testing.B, acts int) string {
	b.Helper()
	s := start(b, Config{Problem: "forrester", Optimizer: "random", Seed: 3, Budget: acts})
	for i := range acts / 2 {
		if _, err := s.Record(ByImport, [][]float64{{float64(i) / float64(acts)}}, worth(float64(i%7))); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), "s.jsonl")
	require.NoError(b, s.SaveAs(path))
	s.Close()
	return path
}

// BenchmarkAct measures a report to a file with so many acts, with and without another session that writes in between:
// its turn, its state, its line and its flush to the disk. An act must cost at most 5 ms at 10,000 acts.
func BenchmarkAct(b *testing.B) {
	for _, acts := range []int{100, 10_000} {
		for _, others := range []int{0, 1} {
			b.Run(fmt.Sprintf("acts=%d/others=%d", acts, others), func(b *testing.B) {
				path := acted(b, acts)
				all := []*Session{reopen(b, path)}
				if others > 0 {
					all = append(all, reopen(b, path))
				}
				i := 0
				for b.Loop() {
					i++
					if _, err := all[i%len(all)].Record(ByImport, [][]float64{{0.5}}, worth(float64(i))); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkOpenActed measures opening and closing a file with so many acts.
func BenchmarkOpenActed(b *testing.B) {
	for _, acts := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("acts=%d", acts), func(b *testing.B) {
			path := acted(b, acts)
			for b.Loop() {
				s, err := OpenForWriting(b.Context(), path, time.Second)
				require.NoError(b, err)
				s.Close()
			}
		})
	}
}

// BenchmarkFollow measures how long a session takes to read a result of another one, at so many acts.
func BenchmarkFollow(b *testing.B) {
	for _, acts := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("acts=%d", acts), func(b *testing.B) {
			path := acted(b, acts)
			writer, follower := reopen(b, path), reopen(b, path)
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				if _, err := writer.Record(ByImport, [][]float64{{0.5}}, worth(float64(i))); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if err := follower.Refresh(); err != nil || len(follower.Arrivals()) == 0 {
					b.Fatal(err)
				}
				follower.State()
			}
		})
	}
}
