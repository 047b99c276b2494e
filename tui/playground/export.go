package playground

import (
	"context"
	"errors"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// The size of the plot of a picture in cells, by which brackets are placed.
const pictureCols, pictureRows = 100, 36

// Picture computes the beliefs of the current place of a playground, and declares its plot for a file. The title names
// the beliefs.
func Picture(ctx context.Context, s *sessions.Session, st theme.Style) (c chart.Chart, title string, err error) {
	m := New(s, "")
	m.Restyle(st)
	for _, t := range m.tasks() {
		p, err := computeBelief(ctx, m.state, t, t.config, nil)
		if err != nil && !errors.Is(err, optimizers.ErrUnsupported) {
			return c, "", err
		}
		t.belief.picture = p
	}
	return m.chart(pictureCols, pictureRows), m.title(), nil
}
