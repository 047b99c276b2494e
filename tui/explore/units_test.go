package explore

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// The panel tells lengths in the variables' own units, and the editor the same as the model counts them, also in a
// small window: Branin's variables are 15 wide each, from −5 to 10 and from 0 to 15.
func TestUnits(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		d := driveAfter(t, 6, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3,
			Params: map[string]any{"hyperparameters": "fitted", "kernel": "se"}}, size[0], size[1],
			trueColor)
		read := func(pattern string) []float64 {
			t.Helper()
			text := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "\n", " ").Replace(side(d))), " ")
			found := regexp.MustCompile(pattern).FindStringSubmatch(text)
			require.NotNil(t, found, "%v: no %s in %s", size, pattern, text)
			var v []float64
			for _, f := range found[1:] {
				x, err := strconv.ParseFloat(f, 64)
				require.NoError(t, err)
				v = append(v, x)
			}
			return v
		}
		local := read(`x1 [─━●]+ ([0-9.]+) \S+ x2 [─━●]+ ([0-9.]+)`)
		d.Press("e")
		scaled := read(`scaled: lengthscale ([0-9.]+) ([0-9.]+)`)
		for j := range local {
			if math.Abs(local[j]-15*scaled[j]) > 0.01*local[j] {
				t.Errorf("%v: the lengthscale is %g, and %g scaled", size, local[j], scaled[j])
			}
		}
		if size[0] >= 120 {
			read(`signal sd ([0-9.]+), noise sd ([0-9.e-]+)`)
		}
	}
}

// side is the right-hand panel of what is shown, without its colours.
func side(d *driver) string {
	var b strings.Builder
	for line := range strings.SplitSeq(d.Text(), "\n") {
		parts := strings.Split(line, "││")
		b.WriteString(parts[len(parts)-1] + "\n")
	}
	return b.String()
}
