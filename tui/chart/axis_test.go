package chart

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/theme"
)

// An axis has ends that are numbers and differ.
func TestEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
	}{
		{Axis{Min: 1, Max: 3}, 1, 3}, {Axis{Min: 3, Max: 1}, 0, 1}, {Axis{Min: nan, Max: 1}, 0, 1},
		{Axis{Min: 0, Max: inf}, 0, 1}, {Axis{Min: 4, Max: 4}, 3.6, 4.4}, {Axis{}, -1, 1},
		{Axis{Min: -100, Max: -100 + 1e-12}, -110, -90},
	} {
		if got := c.axis.Scale(); math.Abs(got.From-c.lo) > 1e-9 || math.Abs(got.To-c.hi) > 1e-9 {
			t.Errorf("an axis from %g to %g is drawn from %g to %g, want %g to %g", c.axis.Min, c.axis.Max, got.From,
				got.To, c.lo, c.hi)
		}
	}
}

// On a drawn chart every tick label stands where its number is: at the left beside the row, below under the column, for
// plain, flipped and whole axes of all sizes; and no two labels touch.
func TestLabelsStandWhereTheyBelong(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	st := theme.New(true, theme.NoColor, true)
	for i := range 300 {
		x0, y0 := rng.NormFloat64()*10, rng.NormFloat64()*10
		x1, y1 := x0+0.5+20*rng.Float64(), y0+0.5+20*rng.Float64()
		w, h := 30+rng.IntN(90), 6+rng.IntN(34)
		c := Chart{X: Axis{Min: x0, Max: x1, Integer: i%3 == 0}, Y: Axis{Min: y0, Max: y1, Flip: i%2 == 0}}
		if i%4 == 0 {
			c.X.Label, c.Y.Label = "variable", "objective"
		}
		lines := c.Draw(w, h, st).Lines()
		title := ""
		if h >= minTitled && c.Y.Label != "" {
			title = lines[0]
			lines = lines[1:]
			h--
		}
		left, seen := strings.IndexAny(lines[0], "|+")+1, 0
		for row, line := range lines[:h-1] {
			label := strings.TrimSpace(line[:left-1])
			require.Equal(t, label != "", line[left-1] == '+', "a tick and its label: %q", line)
			if label == "" {
				continue
			}
			v, err := strconv.ParseFloat(label, 64)
			above, below := y1-(y1-y0)*float64(row)/float64(h-1), y1-(y1-y0)*float64(row+1)/float64(h-1)
			if c.Y.Flip {
				above, below = y0+(y1-y0)*float64(row+1)/float64(h-1), y0+(y1-y0)*float64(row)/float64(h-1)
			}
			if slack := 1e-6 * (y1 - y0); err != nil || v > above+slack || v < below-slack || line[left-2] != ' ' {
				t.Fatalf("%q stands at a row from %g to %g:\n%s", label, below, above, strings.Join(lines, "\n"))
			}
			seen++
		}
		if seen < 2 {
			t.Fatalf("%d ticks at the left of\n%s", seen, strings.Join(lines, "\n"))
		}
		foot := lines[h-1]
		if name := strings.Index(foot, " "+c.X.Label+" "); c.X.Label != "" && !strings.HasSuffix(foot, " variable") &&
			(name < 0 || strings.TrimSpace(foot[name+9:]) == "") || strings.TrimSpace(title) != c.Y.Label {
			t.Fatalf("the names of the axes are lost:\n%s", strings.Join(lines, "\n"))
		}
		foot = strings.Replace(foot, c.X.Label, strings.Repeat(" ", len(c.X.Label)), 1)
		for position, seen := 0, 0; position < len(foot); {
			n := strings.IndexByte(foot[position:]+" ", ' ')
			if n == 0 {
				position++
				continue
			}
			v, err := strconv.ParseFloat(foot[position:position+n], 64)
			middle, col := float64(position)+float64(n)/2, float64(left)+(v-x0)/(x1-x0)*float64(w-left)
			if position == left { // a label that would begin left of the plot
				middle = max(middle-2, min(col, middle))
			}
			if err != nil || math.Abs(middle-col) > 1.01 || c.X.Integer && v != math.Round(v) {
				t.Fatalf("%q stands in the middle of column %g, its place is %g:\n%s", foot[position:position+n], middle, col,
					strings.Join(lines, "\n"))
			}
			seen++
			position += n
		}
	}
}

// The ends of an axis may have names, which take the place of the labels there and never overlap.
func TestNamedEnds(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	for w := 12; w < 60; w++ {
		c := Chart{X: Axis{Max: 1, Ends: [2]string{"only f₁", "only f₂"}}, Y: Axis{Max: 1, HideTicks: true}}
		foot := []rune(c.Draw(w, 4, st).Lines()[3])
		if len(foot) != w || w >= 18 && (!strings.HasPrefix(string(foot), "only f₁ ") ||
			!strings.HasSuffix(string(foot), " only f₂")) {
			t.Errorf("in %d columns: %q", w, string(foot))
		}
		for _, label := range strings.Fields(strings.ReplaceAll(string(foot), "only f", "only_f")) {
			v, err := strconv.ParseFloat(label, 64)
			if err != nil {
				continue
			}
			position := utf8.RuneCountInString(string(foot)[:strings.Index(string(foot), " "+label)]) + 1
			if middle := float64(position) + float64(len(label))/2; math.Abs(middle-v*float64(w)) > 1.01 {
				t.Errorf("in %d columns %s stands at %g: %q", w, label, middle, string(foot))
			}
		}
	}
}

// On a logarithmic axis everything stands where its factor is, and there and back is the same.
func TestLogAxis(t *testing.T) {
	c := Chart{X: Axis{Min: 0.01, Max: 100, Log: true}, Y: Axis{Min: 1, Max: 10000, Log: true}}
	f := c.Frame(60, 20)
	for _, p := range []float64{0, 0.25, 0.5, 1} {
		x, y := 0.01*math.Pow(10, 4*p), math.Pow(10, 4*p)
		if col, row := f.Col(x), f.Row(y); math.Abs(col-p*float64(f.Cols)) > 1e-6 ||
			math.Abs(row-(1-p)*float64(f.Rows)) > 1e-6 {
			t.Errorf("(%g, %g) stands at %g, %g of %d×%d", x, y, col, row, f.Cols, f.Rows)
		}
		if back, ok := f.X(float64(f.Left) + p*float64(f.Cols)); !ok || math.Abs(back/x-1) > 1e-9 {
			t.Errorf("under it is %g, want %g", back, x)
		}
		if back, ok := f.Y(float64(f.Top) + (1-p)*float64(f.Rows)); !ok || math.Abs(back/y-1) > 1e-9 {
			t.Errorf("beside it is %g, want %g", back, y)
		}
	}
	if col := f.Col(-3); !(col < -1) || math.IsInf(col, 0) {
		t.Errorf("what is not above 0 stands at %g", col)
	}
	if a := (Axis{Min: 0, Max: 1, Log: true}).Scale(); a.Log {
		t.Error("an axis from 0 is logarithmic")
	}
	// A curve that is straight on this axis is drawn straight, as on an even one.
	log, even := Curve{Priority: 1}, Curve{Priority: 1}
	for i := range 101 {
		p := float64(i) / 100
		log.X, log.Y = append(log.X, math.Pow(10, 3*p)), append(log.Y, p)
		even.X, even.Y = append(even.X, p), append(even.Y, p)
	}
	st := theme.New(true, theme.NoColor, false)
	draw := func(x Axis, l Curve) string {
		return strings.Join(Chart{X: x, Y: Axis{Max: 1}, Layers: []Layer{l}, Gutter: 5}.Draw(50, 12, st).Lines()[:11],
			"\n")
	}
	if a, b := draw(Axis{Min: 1, Max: 1000, Log: true}, log), draw(Axis{Max: 1}, even); a != b {
		t.Errorf("on a logarithmic axis\n%s\non an even one\n%s", a, b)
	}
}

// An axis of whole numbers names those alone, without a point.
func TestWholeTicks(t *testing.T) {
	var labels []string
	for _, tick := range (Axis{Min: 0, Max: 12, Integer: true}).Ticks(5) {
		labels = append(labels, tick.Label)
	}
	assert.Equal(t, "0 5 10", strings.Join(labels, " "), "an axis to 12")
}

// The name of an axis hides no tick: it is at the right where no tick is, else between two; of those in the midst the
// fewest give way, the last never.
func TestNameHidesNoTick(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	for _, c := range []struct {
		axis  Axis
		width int
		want  string // the words of the foot
	}{
		{Axis{Label: "x", Max: 1}, 50, "0 0.25 0.50 0.75 x"},
		{Axis{Label: "f1, more is better", Min: -0.1, Max: 1.1}, 74, "0 0.2 0.4 0.6 f1, more is better 1.0"},
		{Axis{Label: "evaluations / dimension", Min: 0, Max: 6.2}, 90, "0 1 2 3 4 evaluations / dimension 6"},
		{Axis{Label: "result", Min: 0.5, Max: 20.5, Integer: true}, 60, "5 10 15 result 20"},
		{Axis{Label: "x", Min: -0.1, Max: 1.1}, 20, "0 x 1"},
		{Axis{Label: "a name without any room", Max: 1}, 30, "0 0.5"},
	} {
		c.axis.Max += 1e-9
		foot := Chart{X: c.axis, Y: Axis{Max: 1, HideTicks: true}}.Draw(c.width, 4, st).Lines()[3]
		if got := strings.Join(strings.Fields(foot), " "); got != c.want {
			t.Errorf("%q in %d columns has the foot %q, want %q", c.axis.Label, c.width, got, c.want)
		}
	}
}
