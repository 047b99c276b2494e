package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// Ticks are at multiples of a round step, all of them within the range, as many as asked for or nearly so, and no two labels are the same:
// each is read as its value, to within a fifth of a step.
func TestTicksTellTheScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		lo := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(14)-6))
		hi := lo + math.Abs(lo)*math.Pow(10, -4*rng.Float64()) + math.Pow(10, float64(rng.IntN(14)-6))
		count := 2 + rng.IntN(9)
		list := ticks(lo, hi, count)
		if n := len(list); n < 2 || n > count+7 || float64(n) < float64(count)/2.6-1 {
			t.Fatalf("%d ticks from %g to %g, asked for %d", n, lo, hi, count)
		}
		step := list[1].value - list[0].value
		mantissa := step / math.Pow(10, math.Floor(math.Log10(step*(1+1e-9))))
		if !slices.ContainsFunc([]float64{1, 2, 2.5, 5}, func(m float64) bool { return math.Abs(m-mantissa) < 1e-6 }) {
			t.Fatalf("from %g to %g in steps of %g", lo, hi, step)
		}
		if list[0].value < lo-1e-6*step || list[0].value-step > lo+1e-6*step || list[len(list)-1].value > hi+1e-6*step || list[len(list)-1].value+step < hi-1e-6*step {
			t.Fatalf("from %g to %g the ticks go from %g to %g by %g", lo, hi, list[0].value, list[len(list)-1].value, step)
		}
		for i, k := range list {
			if want := list[0].value + float64(i)*step; math.Abs(k.value-want) > 1e-6*step || math.Abs(k.value/step-math.Round(k.value/step)) > 1e-6 {
				t.Fatalf("tick %d is at %g, the step is %g", i, k.value, step)
			}
			read, err := strconv.ParseFloat(k.label, 64)
			if err != nil || math.Abs(read-k.value) > step/5 {
				t.Fatalf("from %g to %g the tick at %.12g is labelled %q", lo, hi, k.value, k.label)
			}
		}
	}
	if ticks(1, 1, 5) != nil || ticks(2, 1, 5) != nil || ticks(math.Inf(-1), 1, 5) != nil || roundTicks(0, 1, 0) != nil {
		t.Error("a range without extent has ticks")
	}
}

func TestRanges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ lo, hi, from, to float64 }{
		{0, 20, -1, 21}, {-10, 10, -11, 11}, {3, 3, 2.7, 3.3}, {-3, -3, -3.3, -2.7}, {0, 0, -1, 1}, {2, 1, -1, 1}, {nan, 1, -1, 1}, {0, inf, -1, 1}, {-inf, 0, -1, 1},
		{5, 5 + 1e-14, 4.5, 5.5}, {-1.5e308, 1.5e308, -1.5e308, 1.5e308},
	} {
		if from, to := Pad(c.lo, c.hi); math.Abs(from-c.from) > 1e-9*max(1, math.Abs(c.from)) || math.Abs(to-c.to) > 1e-9*max(1, math.Abs(c.to)) {
			t.Errorf("%g to %g is widened to %g to %g, want %g to %g", c.lo, c.hi, from, to, c.from, c.to)
		}
	}
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
	}{
		{Axis{Min: 1, Max: 3}, 1, 3}, {Axis{Min: 3, Max: 1}, 0, 1}, {Axis{Min: nan, Max: 1}, 0, 1}, {Axis{Min: 0, Max: inf}, 0, 1}, {Axis{Min: 4, Max: 4}, 3.6, 4.4}, {Axis{}, -1, 1},
		{Axis{Min: -100, Max: -100 + 1e-12}, -110, -90},
	} {
		if got := c.axis.sane(); math.Abs(got.Min-c.lo) > 1e-9 || math.Abs(got.Max-c.hi) > 1e-9 {
			t.Errorf("an axis from %g to %g is drawn from %g to %g, want %g to %g", c.axis.Min, c.axis.Max, got.Min, got.Max, c.lo, c.hi)
		}
	}
	if lo, hi := Span([]float64{nan, 2, -inf, 7, -1, inf}); lo != -1 || hi != 7 {
		t.Errorf("the finite values go from %g to %g", lo, hi)
	}
	if lo, hi := Span([]float64{nan, inf}); lo <= hi {
		t.Errorf("no finite values go from %g to %g", lo, hi)
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", -2.5: "-2.5", 0.12345: "0.123", 123.4: "123", 1234: "1230", 12345: "12300", 99999: "1e5", 123456: "1.23e5", 1e-7: "1e-7",
		-2.346e-9: "-2.35e-9", 1e21: "1e21", math.Inf(1): "+Inf"} {
		if got := Short(v); got != want && got != strconv.FormatFloat(v, 'f', 0, 64) { // whole numbers of up to five digits may stand in full
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
}

// On a drawn chart every tick label stands where its number is: at the left beside the row, below under the column, for plain, flipped and
// whole axes of all sizes; and no two labels touch.
func TestLabelsStandWhereTheyBelong(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	st := theme.New(true, theme.NoColor, true)
	for i := range 300 {
		x0, y0 := rng.NormFloat64()*10, rng.NormFloat64()*10
		x1, y1 := x0+0.5+20*rng.Float64(), y0+0.5+20*rng.Float64()
		w, h := 30+rng.IntN(90), 6+rng.IntN(34)
		c := Chart{X: Axis{Min: x0, Max: x1, Whole: i%3 == 0}, Y: Axis{Min: y0, Max: y1, Flip: i%2 == 0}}
		if i%4 == 0 {
			c.X.Label, c.Y.Label = "variable", "objective"
		}
		lines := c.Draw(w, h, st).Lines()
		left, seen := strings.IndexAny(lines[0], "|+")+1, 0
		for row, line := range lines[:h-1] {
			label := strings.TrimSpace(line[:left-1])
			if (line[left-1] == '+') != (label != "") {
				t.Fatalf("a tick and its label: %q", line)
			}
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
		if c.X.Label != "" && !strings.HasSuffix(foot, " variable") || c.Y.Label != "" && !strings.HasPrefix(lines[0][left+1:], "objective") {
			t.Fatalf("the names of the axes are lost:\n%s", strings.Join(lines, "\n"))
		}
		foot = strings.TrimSuffix(foot, c.X.Label)
		for at, seen := 0, 0; at < len(foot); {
			n := strings.IndexByte(foot[at:]+" ", ' ')
			if n == 0 {
				at++
				continue
			}
			v, err := strconv.ParseFloat(foot[at:at+n], 64)
			middle, col := float64(at)+float64(n)/2, float64(left)+(v-x0)/(x1-x0)*float64(w-left)
			if at == left { // a label that would begin left of the plot
				middle = max(middle-2, min(col, middle))
			}
			if err != nil || math.Abs(middle-col) > 1.01 || c.X.Whole && v != math.Round(v) {
				t.Fatalf("%q stands in the middle of column %g, its place is %g:\n%s", foot[at:at+n], middle, col, strings.Join(lines, "\n"))
			}
			seen++
			at += n
		}
	}
}

// The ends of an axis may have names, which take the place of the labels there and never overlap.
func TestNamedEnds(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	for w := 12; w < 60; w++ {
		c := Chart{X: Axis{Max: 1, Ends: [2]string{"only f₁", "only f₂"}}, Y: Axis{Max: 1, HideTicks: true}}
		foot := []rune(c.Draw(w, 4, st).Lines()[3])
		if len(foot) != w || w >= 18 && (!strings.HasPrefix(string(foot), "only f₁ ") || !strings.HasSuffix(string(foot), " only f₂")) {
			t.Errorf("in %d columns: %q", w, string(foot))
		}
		for _, label := range strings.Fields(strings.ReplaceAll(string(foot), "only f", "only_f")) {
			v, err := strconv.ParseFloat(label, 64)
			if err != nil {
				continue
			}
			at := utf8.RuneCountInString(string(foot)[:strings.Index(string(foot), " "+label)]) + 1
			if middle := float64(at) + float64(len(label))/2; math.Abs(middle-v*float64(w)) > 1.01 {
				t.Errorf("in %d columns %s stands at %g: %q", w, label, middle, string(foot))
			}
		}
	}
}

// Of a trace every end stands in the row of its value, between the labels of the rows above and below, on plain and on logarithmic axes.
func TestTraceRows(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	rng := rand.New(rand.NewPCG(9, 10))
	for i := range 300 {
		log := i%2 == 0
		values := make([]float64, 2+rng.IntN(40))
		for k := range values {
			values[k] = rng.NormFloat64() * 5
			if log {
				values[k] = math.Pow(10, 2*rng.NormFloat64())
			}
		}
		w, h := 30+rng.IntN(60), 6+rng.IntN(20)
		lines := Trace{Series: []Series{{Values: values, Mark: "Z"}}, Log: log, X: "iteration"}.Draw(w, h, st)
		for i := range lines {
			lines[i] = ansi.Strip(lines[i])
		}
		scale := func(v float64) float64 { return v }
		if log {
			scale = math.Log10
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			lo, hi = min(lo, scale(v)), max(hi, scale(v))
		}
		place := func(v float64) float64 { return (hi - scale(v)) / (hi - lo) * float64(h-2) }
		end, labels := -1, 0
		for row, line := range lines[:h-1] {
			at := strings.IndexAny(line, "|+")
			if strings.HasSuffix(line, "Z") {
				if end = row; ansi.StringWidth(line) != w {
					t.Fatalf("the mark stands in column %d of %d", ansi.StringWidth(line), w)
				}
			}
			label := strings.TrimSpace(line[:at])
			if label == "" {
				continue
			}
			labels++
			v, err := strconv.ParseFloat(label, 64)
			if err != nil || math.Abs(place(v)-float64(row)) > 0.51 {
				t.Fatalf("%q stands in row %d, its place is %g:\n%s", label, row, place(v), strings.Join(lines, "\n"))
			}
		}
		if want := place(values[len(values)-1]); math.Abs(float64(end)-want) > 0.51 || labels < 1 {
			t.Fatalf("the end stands in row %d, its place is %g:\n%s", end, want, strings.Join(lines, "\n"))
		}
		foot := strings.Fields(lines[h-1])
		if foot[0] != "1" || foot[len(foot)-1] != fmt.Sprint(len(values)) || len(foot) != 3 || foot[1] != "iteration" {
			t.Fatalf("below stands %q", lines[h-1])
		}
	}
	zeros := Trace{Series: []Series{{Values: []float64{1, 0.1, 0.01, 0}, Mark: "Z"}}, Log: true}.Draw(40, 10, st)
	if !strings.HasSuffix(ansi.Strip(zeros[8]), "Z") {
		t.Errorf("on a logarithmic axis a zero does not stand at the bottom:\n%s", strings.Join(zeros, "\n"))
	}
}

// Logarithmic ticks are round, within the range, read as their values, two at least and not too many.
func TestLogTicks(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 3000 {
		lo := math.Pow(10, 20*rng.Float64()-10)
		hi := lo * math.Pow(10, 0.05+12*rng.Float64()*rng.Float64())
		count := 2 + rng.IntN(9)
		list := logTicks(lo, hi, count)
		if len(list) < 2 || len(list) > 2*count+5 {
			t.Fatalf("%d ticks from %g to %g, asked for %d", len(list), lo, hi, count)
		}
		for i, k := range list {
			read, err := strconv.ParseFloat(k.label, 64)
			if err != nil || math.Abs(read-k.value) > 0.2*math.Abs(k.value) || k.value < lo*(1-1e-6) || k.value > hi*(1+1e-6) || i > 0 && k.value <= list[i-1].value {
				t.Fatalf("from %g to %g the tick at %g is labelled %q", lo, hi, k.value, k.label)
			}
		}
	}
	labels := func(lo, hi float64, count int) (all []string) {
		for _, k := range logTicks(lo, hi, count) {
			all = append(all, k.label)
		}
		return all
	}
	for _, c := range []struct {
		lo, hi float64
		count  int
		want   string
	}{{0.5, 50, 8, "0.5 1 2 5 10 20 50"}, {1e-5, 0.1, 6, "1e-5 0.0001 0.001 0.01 0.1"}, {1e-10, 1e10, 5, "1e-8 0.0001 1 10000 1e8"}, {2, 3, 4, "2.00 2.25 2.50 2.75 3.00"}, {1, 100, 5, "1 3 10 30 100"}} {
		if got := strings.Join(labels(c.lo, c.hi, c.count), " "); got != c.want {
			t.Errorf("from %g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
	if logTicks(0, 1, 5) != nil || logTicks(2, 1, 5) != nil || logTicks(1, math.Inf(1), 5) != nil {
		t.Error("what is no range has ticks")
	}
}

// On a logarithmic axis everything stands where its factor is, on the screen and in a picture, and there and back is the same.
func TestLogAxis(t *testing.T) {
	c := Chart{X: Axis{Min: 0.01, Max: 100, Log: true}, Y: Axis{Min: 1, Max: 10000, Log: true}}
	f := c.Frame(60, 20)
	for _, p := range []float64{0, 0.25, 0.5, 1} {
		x, y := 0.01*math.Pow(10, 4*p), math.Pow(10, 4*p)
		if col, row := f.Col(x), f.Row(y); math.Abs(col-p*float64(f.Cols)) > 1e-6 || math.Abs(row-(1-p)*float64(f.Rows)) > 1e-6 {
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
	if a := (Axis{Min: 0, Max: 1, Log: true}).sane(); a.Log {
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
		return strings.Join(Chart{X: x, Y: Axis{Max: 1}, Layers: []Layer{l}, Gutter: 5}.Draw(50, 12, st).Lines()[:11], "\n")
	}
	if a, b := draw(Axis{Min: 1, Max: 1000, Log: true}, log), draw(Axis{Max: 1}, even); a != b {
		t.Errorf("on a logarithmic axis\n%s\non an even one\n%s", a, b)
	}
	v := NewVector(400, 300, st)
	v.Chart(Chart{X: Axis{Min: 1, Max: 100, Log: true}, Y: Axis{Max: 1}, Layers: []Layer{Curve{X: []float64{1, 10, 100}, Y: []float64{0.5, 0.5, 0.5}}}}, 0, 0, 400, 300, "a")
	if s := v.String(); !strings.Contains(s, "M56.0 137.0L224.0 137.0L392.0 137.0") || !strings.Contains(s, ">10<") {
		t.Errorf("the picture is\n%s", s)
	}
}
