package explore

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
)

// frameParts are the parts of a plot that stay along a run: the labels of the left axis without those of its ends, and
// the columns of marks in the legend.
func frameParts(screen string) (axis string, columns []int) {
	lines := strings.Split(ansi.Strip(screen), "\n")
	for _, name := range []string{"next", "best", "newest", "data"} {
		columns = append(columns, strings.Index(lines[2], name))
	}
	for i, line := range lines[4:] {
		if strings.Contains(lines[4+i+1], "acquisition") {
			break
		}
		axis += strings.TrimSpace(string([]rune(line)[1:8])) + "|"
	}
	return axis, columns
}

// From the third result on the axis and the marks of the legend stay where they are, unless a result leaves the axis, which then says
// that it was extended; 0 fits it.
func TestAxesStayAlongARun(t *testing.T) {
	for _, c := range []struct {
		problem, method string
		seed            uint64
		hidden          bool
	}{{"forrester", "gp-ei", 7, false}, {"forrester", "gp-ei", 7, true}, {"forrester", "gp-ucb", 2, true},
		{"gramacy-lee", "gp-ts", 1, false}} {
		d := drive(t, sessions.Config{Problem: c.problem, Optimizer: c.method, Seed: c.seed}, 120, 36, noColor)
		if c.hidden {
			d.Press("t")
		}
		d.Press("space", "space", "space")
		axis, legend := frameParts(d.Screen())
		for step := 4; step <= 12; step++ {
			d.Press("space")
			a, l := frameParts(d.Screen())
			extended := strings.Contains(ansi.Strip(d.Screen()), "axis extended")
			if axis != a {
				assert.True(t, extended, "%v, step %d: the axis has %s, then %s", c, step, axis, a)
			}
			assert.Equal(t, legend, l, "%v, step %d", c, step)
			axis, legend = a, l
		}
		d.Press("0")
		d.Shows("the axis fits this step")
	}
}
