package export

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/transform"
	"bandscope/sessions"
)

// element is an element of a picture.
type element struct {
	XMLName  xml.Name
	Attr     []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e element) at(name string) float64 {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			v, err := strconv.ParseFloat(a.Value, 64)
			if err == nil {
				return v
			}
		}
	}
	return math.NaN()
}

func (e element) word(name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// frame is a plot of a picture: where its region lies.
type frame struct{ x, y, w, h float64 }

func pictured(t *testing.T, s *sessions.Session) (root element, frames map[string]frame) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(context.Background(), &b, s, "svg", nil))
	require.NoError(t, xml.Unmarshal(b.Bytes(), &root))
	frames = map[string]frame{}
	for _, e := range root.Children {
		if e.XMLName.Local == "clipPath" {
			r := e.Children[0]
			corners := stair.FindAllStringSubmatch(r.word("d"), -1)
			if len(corners) != 4 {
				continue // a triangle
			}
			x0, _ := strconv.ParseFloat(corners[0][1], 64)
			y0, _ := strconv.ParseFloat(corners[0][2], 64)
			x1, _ := strconv.ParseFloat(corners[2][1], 64)
			y1, _ := strconv.ParseFloat(corners[2][2], 64)
			frames[e.word("id")] = frame{x0, y0, x1 - x0, y1 - y0}
		}
	}
	return root, frames
}

// The plots of a picture lie inside of it and beside each other, its texts too, and as many plots are there as the
// session has something for.
func TestPicturesAreLaidOut(t *testing.T) {
	for i, want := range []int{5, 4, 7, 7, 6, 5, 5} { // a share in boxes is traced where there are boxes
		c := configs[i]
		root, frames := pictured(t, session(t, c, 4))
		w, h := root.at("width"), root.at("height")
		if w != pictureW || h != pictureH || root.word("viewBox") != fmt.Sprintf("0 0 %d %d", pictureW, pictureH) {
			t.Errorf("%s: %g×%g, %s", c.Problem, w, h, root.word("viewBox"))
		}
		if len(frames) != want {
			t.Errorf("%s with %s: %d plots, want %d: %v", c.Problem, c.Optimizer, len(frames), want, frames)
		}
		for id, f := range frames {
			if f.x < 30 || f.y < 30 || f.x+f.w > w-4 || f.y+f.h > h-25 || f.w < 60 || f.h < 60 {
				t.Errorf("%s: the plot %s lies at %+v", c.Problem, id, f)
			}
			for other, o := range frames {
				if id < other && f.x < o.x+o.w && o.x < f.x+f.w && f.y < o.y+o.h && o.y < f.y+f.h {
					t.Errorf("%s: the plots %s and %s overlap: %+v, %+v", c.Problem, id, other, f, o)
				}
			}
		}
		for _, e := range root.Children {
			if e.XMLName.Local != "text" {
				continue
			}
			wide := 7.3 * float64(len([]rune(e.Text))) // of a monospaced letter of 12 pixels, or a little more
			from := e.at("x")
			switch e.word("text-anchor") {
			case "end":
				from -= wide
			case "middle":
				from -= wide / 2
			}
			if from < -4 || from+wide > w+4 && !strings.Contains(e.Text, "range") || e.at("y") < 8 || e.at("y") > h {
				t.Errorf("%s: %q reaches from %.0f to %.0f at %g", c.Problem, e.Text, from, from+wide, e.at("y"))
			}
		}
	}
}

var stair = regexp.MustCompile(`[ML](-?[\d.]+) (-?[\d.]+)`)

// The trace of the best value is a staircase through what the session measured: its corners are the iterations and the
// best values so far, on the scale that the labels of its axes give.
func TestTraceOfAPicture(t *testing.T) {
	s := session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 9)
	root, frames := pictured(t, s)
	f, ok := frames["trace1"] // simple regret, best value, cumulative regret
	require.True(t, ok, "the plots are %v", frames)
	type label struct{ value, at float64 }
	var below, left []label
	var path [][2]float64
	var walk func(e element)
	walk = func(e element) {
		x, y := e.at("x"), e.at("y")
		if v, err := strconv.ParseFloat(e.Text, 64); err == nil && e.XMLName.Local == "text" {
			switch {
			case e.word("text-anchor") == "middle" && x > f.x-1 && x < f.x+f.w+1 && y > f.y+f.h && y < f.y+f.h+25:
				below = append(below, label{v, x})
			case e.word("text-anchor") == "end" && x < f.x && x > f.x-60 && y > f.y && y < f.y+f.h+8:
				left = append(left, label{v, y - 4})
			}
		}
		if e.XMLName.Local == "g" && e.word("clip-path") == "url(#trace1)" {
			for _, p := range stair.FindAllStringSubmatch(e.Children[0].word("d"), -1) {
				x, _ := strconv.ParseFloat(p[1], 64)
				y, _ := strconv.ParseFloat(p[2], 64)
				path = append(path, [2]float64{x, y})
			}
		}
		for _, c := range e.Children {
			walk(c)
		}
	}
	walk(root)
	if len(below) < 2 || len(left) < 2 {
		t.Fatalf("%d labels below and %d at the left", len(below), len(left))
	}
	scale := func(l []label) func(position float64) float64 {
		a, b := l[0], l[len(l)-1]
		return func(position float64) float64 { return a.value + (position-a.at)/(b.at-a.at)*(b.value-a.value) }
	}
	step, value := scale(below), scale(left)
	best := math.Inf(1)
	for i, it := range s.State().Iterations {
		best = min(best, it.Points[0].Y[0])
		corner := path[min(2*i, len(path)-1)]
		if math.Abs(step(corner[0])-float64(i+1)) > 0.02 || math.Abs(value(corner[1])-best) > 0.05 {
			t.Errorf("the trace is at %.2f, %.3f where step %d has the best value %.3f", step(corner[0]),
				value(corner[1]), i+1, best)
		}
	}
	assert.Equal(t, 2*9-1, len(path), "%d corners", len(path))
}

// On a logarithmic axis a regret of zero stands at its bottom; nothing else is moved.
func TestTraceChart(t *testing.T) {
	c := traceChart([]float64{100, 1, 0}, true, transform.Transform{})
	curve := fmt.Sprint(c.Layers)
	if c.X.Min != 1 || c.X.Max != 3 || !c.X.Integer || math.Abs(c.Y.Min+0.1) > 1e-9 || math.Abs(c.Y.Max-2.1) > 1e-9 ||
		!strings.Contains(curve, "[1 2 2 3 3] [2 2 0 0 -0.1]") {
		t.Errorf("the chart is %+v", c)
	}
	if c := traceChart([]float64{4}, false, transform.Transform{}); c.X.Max != 2 {
		t.Errorf("of one step the axis ends at %g", c.X.Max)
	}
}

// A recording is as long as its places, and plays as fast as it is asked to.
func TestSpeedOfACast(t *testing.T) {
	times := func(speed float64) (point []float64) {
		s := session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 3)
		var b bytes.Buffer
		require.NoError(t, Cast(context.Background(), &b, s, 80, 24, speed))
		for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n")[1:] {
			v, _, _ := strings.Cut(strings.TrimPrefix(line, "["), ",")
			n, err := strconv.ParseFloat(v, 64)
			require.NoError(t, err)
			point = append(point, n)
		}
		return point
	}
	slow, fast := times(0.5), times(4)
	if len(slow) < 4 || len(slow) != len(fast) || slow[0] != 0 || slow[1] != 2 || fast[1] != 0.25 ||
		math.Abs(slow[len(slow)-1]-8*fast[len(fast)-1]) > 1e-5 {
		t.Errorf("the frames come at %v, eight times as fast at %v", slow, fast)
	}
}
