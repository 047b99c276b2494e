package experiment

import (
	"fmt"
	"testing"
)

// What a key press in a form costs, with as many variables as are declared.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := New()
			d.Root["name"], d.Root["cost"] = "p", "1 + x0^2"
			d.Variables = nil
			for i := range n {
				d.Variables = append(d.Variables, Row{"name": fmt.Sprint("x", i), "low": "0", "high": "1"})
			}
			d.Objectives[0] = Row{"name": "y", "direction": "minimize"}
			for b.Loop() {
				if d.Write().Declaration == nil {
					b.Fatal(d.Write().Faults)
				}
			}
		})
	}
}
