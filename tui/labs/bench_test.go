package labs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/training"
)

// A frame of each lab while it trains: after a message that changed nothing but the status line, and after a step, as
// its picture is drawn anew.
func BenchmarkFrame(b *testing.B) {
	for _, l := range training.Specs() {
		s, err := training.New(l, nil)
		require.NoError(b, err)
		d := begin(b, New(s, ""), 120, 36, trueColor)
		d.Press("c", "enter", "space", "space", "space", "space", "space")
		b.Run(l.Name+"/same", func(b *testing.B) {
			for b.Loop() {
				d.Screen()
			}
		})
		b.Run(l.Name+"/next", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				d.Press("b", "space")
				b.StartTimer()
				d.Screen()
			}
		})
	}
}
