package told

import (
	"testing"

	"bandscope/tui/explain"
	"bandscope/tui/theme"
)

// A value is described where its entry is whole: not where it is the beginning or the end of another, or of the run beside.
func TestMeasures(t *testing.T) {
	s := Screen{Seen: explain.See([]string{"", " ▕▏ ● metric loss 1.5 ▁▂  WAPE 31 ▁▂▃        ■ metric loss 2.5 ▁▂"}), Style: theme.New(true, theme.NoColor, false)}
	for _, c := range []struct {
		entry    string
		from, to int
		want     bool
	}{
		{"metric loss 1.5", 4, 45, true}, {"WAPE 31", 4, 45, true}, {"metric loss 2.5", 45, 80, true},
		{"loss 1.5", 4, 45, false}, {"WAPE 3", 4, 45, false}, {"metric loss 2.5", 4, 45, false}, {"metric loss 1.5", 45, 80, false},
	} {
		if got := s.measures(c.entry, c.from, c.to); got != c.want {
			t.Errorf("%q between columns %d and %d is %t, want %t", c.entry, c.from, c.to, got, c.want)
		}
	}
}
