package aim

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// Elements tells the status line: the box that is moved.
func (b *Boxes) Elements(s mode.Scene, seen mode.Seen) []explain.Element {
	if seen.Status < 0 || s.Outcomes == nil || s.Outcomes.Shown == nil {
		return nil
	}
	d := drawing(s)
	var parts []string
	for n, k := range [2]int{s.Outcomes.I, s.Outcomes.J} {
		o := s.State.Problem.Objectives[k]
		from, to := d.Value(k, b.box[2*n]), d.Value(k, b.box[2*n+1])
		part := fmt.Sprintf("%s from %s to %s", o.Name, screen.Number(math.Min(from, to)), screen.Number(math.Max(from, to)))
		parts = append(parts, safe.Text(strings.TrimSpace(part+" "+o.Unit)))
	}
	text := "What the box asks for as it stands: " + strings.Join(parts, ", ")
	if free := b.free(s.State); free != "" {
		text += "; " + safe.Text(strings.TrimSuffix(free, " free")) + " may be anything"
	}
	return []explain.Element{{Kind: explain.Number, Name: "what is wanted", Term: "box", Where: seen.Line(),
		Says: text + fmt.Sprintf(". It is a part from %.0f %% to %.0f %% of the first one's range, 100 %% being best. The prior below shows what that would do; only enter makes it hold.", 100*b.box[0], 100*b.box[1])}}
}
