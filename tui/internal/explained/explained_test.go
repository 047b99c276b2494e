package explained

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// screen is a panel with a number and a mark, which are described.
func screen() (panel, part, data *layout.Box) {
	st := theme.New(true, theme.NoColor, false)
	data = layout.Line("12 ● data").Describe(layout.Mark, "data", "posterior", layout.Static("There are 12 results."))
	p := &layout.Part{Title: "belief", Body: layout.Column(data)}
	panel = layout.SplitPanel(st, 17, 3, false, p)
	return panel, p.Box.Section("belief", "", "The part with the belief."), data
}

// What no box describes is found: a mark, a part, a number; what is described badly; and what lies where it does not
// belong.
func TestLacks(t *testing.T) {
	panel, _, _ := screen()
	assert.Nil(t, Undescribed(panel, 17, 3), "of a screen that is described")
	for _, c := range []struct {
		change func(panel, part, data *layout.Box)
		want   string
	}{
		{func(_, part, data *layout.Box) { part.Description, data.Description = nil, nil }, "nothing is described"},
		{func(_, _, data *layout.Box) { data.Description = nil }, `data" is not described`},
		{func(_, _, data *layout.Box) {
			data.Kind, data.Description = layout.Group, nil
		}, "the number 1… in row 1, column 1"},
		{func(_, part, _ *layout.Box) { part.Description = nil }, `"belief" is not described`},
		{func(_, _, data *layout.Box) { data.Description = layout.Static("Twelve") }, "in 1 words"},
		{func(_, _, data *layout.Box) { data.Description = layout.Static("There are 12 results") }, "brokenly"},
		{func(_, _, data *layout.Box) { data.Description = layout.Static("There are NaN results.") }, "brokenly"},
		{func(_, _, data *layout.Box) { data.Term = "posteriro" }, "posterior"},
		{func(_, _, data *layout.Box) { data.W = 90 }, "reaches beyond"},
		{func(_, part, data *layout.Box) { part.Add(layout.Line("over").At(2, 1)) }, "share"},
		{func(_, _, data *layout.Box) { data.Cells = func() []layout.Span { return nil } }, "is nowhere"},
		{func(_, _, data *layout.Box) { data.Name = "" }, "has no name"},
	} {
		panel, part, data := screen()
		c.change(panel, part, data)
		if got := strings.Join(Undescribed(panel, 17, 3), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("found is %q, want %q", got, c.want)
		}
	}
}
