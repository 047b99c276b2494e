package classroom

import (
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkAnswers is 30 people who answer at once, each answer on disk; B/event is the memory that an event keeps.
func BenchmarkAnswers(b *testing.B) {
	c, err := Create(filepath.Join(b.TempDir(), "class.jsonl"), "Bayes")
	do(b, err)
	fill(b, c, 30)
	n, err := c.Ask(prompt)
	do(b, err)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	for range b.N {
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() { do(b, c.Answer(n, person(i), Value{Choice: 1})) })
		}
		all.Wait()
	}
	b.StopTimer()
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(30*b.N), "B/event")
	do(b, c.Close())
}

// BenchmarkBoard is the board of a race of 30 people and two methods.
func BenchmarkBoard(b *testing.B) {
	for _, function := range []string{"forrester", "hartmann", "bbob-f21:10"} {
		b.Run(function, func(b *testing.B) {
			c := started(b, 30)
			n, err := c.StartRace(RaceConfig{Function: function, Seed: 3, Budget: 12, Methods: []string{"random"}})
			do(b, err)
			r, _ := c.State().Race(n)
			p, err := r.Problem()
			do(b, err)
			x := p.Domain.FromUnit(make([]float64, p.Dim()))
			for i := range 30 {
				for range 12 {
					_, _, err := c.Evaluate(n, person(i), x)
					do(b, err)
				}
			}
			st := c.State()
			for b.Loop() {
				_, err = st.Board(n)
				require.NoError(b, err)
			}
		})
	}
}
