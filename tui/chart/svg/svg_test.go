package svg

import (
	"encoding/base64"
	"encoding/xml"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// svgElement is an element of a picture, as far as tests look.
type svgElement struct {
	XMLName  xml.Name
	Attr     []xml.Attr   `xml:",any,attr"`
	Text     string       `xml:",chardata"`
	Children []svgElement `xml:",any"`
}

func (e svgElement) at(name string) float64 {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			v, _ := strconv.ParseFloat(a.Value, 64)
			return v
		}
	}
	return math.NaN()
}

func (e svgElement) word(name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// each calls f with an element and all within it.
func (e svgElement) each(f func(svgElement)) {
	f(e)
	for _, c := range e.Children {
		c.each(f)
	}
}

var colors = theme.New(true, theme.TrueColor, false)

var pair = regexp.MustCompile(`[ML](-?[\d.]+) (-?[\d.]+)`)

// In an SVG picture marks and lines stand where the labels of the axes say: every tick has a label at its place, and
// the places of two labels give those of everything else, on plain and on flipped axes.
func TestVectorChartsStandWhereTheyBelong(t *testing.T) {
	for _, flip := range []bool{false, true} {
		xs, ys := []float64{2, 3.5, 8, 11, 5, 5}, []float64{-3, 4, 9.5, 0, 11, -6}
		line := []float64{-4, 6, 30}
		c := chart.Chart{X: chart.Axis{Label: "x", Min: 0, Max: 10},
			Y: chart.Axis{Label: "f", Min: -5, Max: 10, Flip: flip},
			Layers: []chart.Layer{chart.Points{X: xs, Y: ys, Color: colors.Data},
				chart.Curve{X: []float64{1, 2, 3}, Y: line, Color: colors.Mean},
				chart.Curve{X: []float64{4, 5, 6, 7}, Y: []float64{1, math.NaN(), 2, 3}, Color: colors.Truth},
				chart.Box{X0: 1, X1: 2, Y0: 3, Y1: 4, Color: colors.Best}, chart.Rule{At: 6, Color: colors.Next},
				chart.Label{X: 7, Y: 7, Text: "here", Color: colors.Text}}}
		v := New(400, 300, colors)
		v.Chart(c, 10, 20, 380, 270, "c")
		var root svgElement
		require.NoError(t, xml.Unmarshal([]byte(v.String()), &root))
		// Content both axes the labels, with their places: numbers in the middle below, at their end at the left.
		var below, left [][2]float64
		var frame, clip svgElement
		root.each(func(e svgElement) {
			n, err := strconv.ParseFloat(e.Text, 64)
			switch {
			case e.XMLName.Local == "text" && err == nil && e.word("text-anchor") == "middle":
				below = append(below, [2]float64{n, e.at("x")})
			case e.XMLName.Local == "text" && err == nil:
				left = append(left, [2]float64{n, e.at("y") - 4}) // the base line is below the middle
			case e.XMLName.Local == "rect" && e.word("fill") == "none":
				frame = e
			case e.XMLName.Local == "clipPath":
				clip = e.Children[0]
			}
		})
		if len(below) < 3 || len(left) < 3 {
			t.Fatalf("%d labels below and %d at the left", len(below), len(left))
		}
		line2 := func(labels [][2]float64) func(v float64) float64 {
			a, b := labels[0], labels[len(labels)-1]
			place := func(v float64) float64 { return a[1] + (v-a[0])/(b[0]-a[0])*(b[1]-a[1]) }
			for _, l := range labels {
				assert.InDelta(t, l[1], place(l[0]), 0.11, "%g stands at %g between %v and %v", l[0], l[1], a, b)
			}
			return place
		}
		px, py := line2(below), line2(left)
		var corners [][2]float64
		for _, p := range pair.FindAllStringSubmatch(clip.word("d"), -1) {
			x, _ := strconv.ParseFloat(p[1], 64)
			y, _ := strconv.ParseFloat(p[2], 64)
			corners = append(corners, [2]float64{x, y})
		}
		require.Len(t, corners, 4, "the corners of the clip path")
		top, bottom := 10.0, -5.0
		if flip {
			top, bottom = bottom, top
		}
		for name, got := range map[string][2]float64{
			"left": {frame.at("x"), px(0)}, "right": {frame.at("x") + frame.at("width"), px(10)},
			"top": {frame.at("y"), py(top)}, "bottom": {frame.at("y") + frame.at("height"), py(bottom)},
			"clip left": {corners[0][0], px(0)}, "clip top": {corners[0][1], py(top)},
			"clip right": {corners[2][0], px(10)}, "clip bottom": {corners[2][1], py(bottom)}} {
			assert.InDelta(t, got[1], got[0], 0.3, "the frame's %s is at %g, the axes' at %g", name, got[0], got[1])
		}
		if frame.at("x") < 10 || frame.at("x")+frame.at("width") > 390 || frame.at("y") < 20 ||
			frame.at("y")+frame.at("height") > 290-16 {
			t.Errorf("the plot leaves its rectangle")
		}
		var circles []svgElement
		paths := map[string][][2]float64{}
		label := svgElement{}
		root.each(func(e svgElement) {
			switch e.XMLName.Local {
			case "circle":
				circles = append(circles, e)
			case "path":
				for _, p := range pair.FindAllStringSubmatch(e.word("d"), -1) {
					x, _ := strconv.ParseFloat(p[1], 64)
					y, _ := strconv.ParseFloat(p[2], 64)
					paths[e.word("stroke")] = append(paths[e.word("stroke")], [2]float64{x, y})
				}
				if e.word("stroke") == colors.Truth.RGB && strings.Count(e.word("d"), "M") != 2 {
					t.Errorf("a gap is drawn over: %s", e.word("d"))
				}
			case "text":
				if e.Text == "here" {
					label = e
				}
			}
		})
		near := func(name string, got [2]float64, x, y float64) {
			if math.Abs(got[0]-px(x)) > 0.2 || math.Abs(got[1]-py(y)) > 0.2 {
				t.Errorf("%s stands at %v, want %g, %g", name, got, px(x), py(y))
			}
		}
		require.Equal(t, 3, len(circles), "%d points, of which 3 are in the plot", len(circles))
		for i, e := range circles {
			near("a point", [2]float64{e.at("cx"), e.at("cy")}, xs[i], ys[i])
		}
		near("a label", [2]float64{label.at("x"), label.at("y") - 4}, 7, 7)
		for color, want := range map[string][][2]float64{
			colors.Truth.RGB: {{4, 1}, {6, 2}, {7, 3}}, colors.Best.RGB: {{1, 3}, {2, 3}, {2, 4}, {1, 4}, {1, 3}},
			colors.Next.RGB: {{6, -5}, {6, 10}}, colors.Mean.RGB: {{1, -4}, {2, 6}}} {
			got := paths[color]
			for i, p := range want {
				position := i
				if color == colors.Next.RGB && flip {
					position = 1 - i
				}
				near("a line "+color, got[position], p[0], p[1])
			}
		}
		if distance := paths[colors.Mean.RGB][2]; !flip &&
			(distance[1] >= frame.at("y") || distance[1] < frame.at("y")-frame.at("height")-0.1) || flip &&
			(distance[1] <= frame.at("y")+frame.at("height") || distance[1] > frame.at("y")+2*frame.at("height")+0.1) {
			t.Errorf("what is far beyond stands at %v, want it beyond by a height at most", distance)
		}
	}
}

// everyLayer is one of each kind, named.
func everyLayer() []chart.Layer {
	x, y := []float64{0, 0.25, 0.5, 0.75, 1}, []float64{0.3, 0.3, 0.3, 0.3, 0.3}
	layers := []chart.Layer{
		chart.Band{X: x, Lo: y, Hi: []float64{0.8, 0.8, 0.8, 0.8, 0.8},
			Color: theme.New(true, theme.TrueColor, false).Band, Name: "band"},
		chart.Area{X: x, Y: x, Color: colors.Mean, Name: "area"}, chart.Rule{At: 0.5, Color: colors.Mean, Name: "rule"},
		chart.Rule{At: 0.5, Solid: true, Color: colors.Mean, Name: "line"}, chart.Rule{At: 0.6, Dash: true, Color: colors.Mean, Name: "dashed line"},
		chart.Box{X0: 0.3, X1: 0.5, Y0: 0.2, Y1: 0.6, Dash: true, Color: colors.Mean, Name: "dashed box"},
		chart.Box{X0: 0.2, X1: 0.6, Y0: 0.2, Y1: 0.6, Color: colors.Mean, Name: "box"}, chart.Cross{X: 0.5, Y: 0.5, Name: "cross"},
		chart.Dots{X: x, Y: x, Color: colors.Mean, Name: "specks"}, chart.Region{X: []float64{0.5}, Y: []float64{0.5}, Color: colors.Mean, Name: "region"},
		chart.Label{X: 0.5, Y: 0.5, Text: "A", Color: colors.Mean, Name: "label"},
		chart.Contours{Field: chart.Field{Cols: 2, Rows: 2, Z: []float64{0, 1, 1, 0}}, Levels: []float64{0.5},
			Name: "contours"},
		chart.Contours{Field: chart.Field{Cols: 2, Rows: 2, Z: []float64{0, 1, 1, 0}}, Levels: []float64{0.5},
			Dashed: true, Name: "broken contours"},
	}
	for _, l := range []theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine, theme.Marked} {
		layers = append(layers, chart.Curve{X: x, Y: y, Line: l, Color: colors.Mean, Name: "curve " + string(rune('0'+l))})
	}
	for g := theme.GlyphFilled; g <= theme.GlyphDesign; g++ {
		layers = append(layers, chart.Points{X: []float64{0.5}, Y: []float64{0.5}, Shape: g,
			Name: "points " + string(rune('a'+g))})
	}
	return layers
}

// The marks and layers of SVG pictures as they were seen and kept.
func TestVectorPicture(t *testing.T) {
	st := theme.New(false, theme.TrueColor, false)
	v := New(720, 420, st)
	layers := everyLayer()
	points := 0
	for i, l := range layers {
		if p, ok := l.(chart.Points); ok {
			p.X, p.Y, p.Color = []float64{float64(points%6)/6 + 0.1}, []float64{0.85 - 0.2*float64(points/6)}, st.Data
			layers[i] = p
			p.Y, p.Ink = []float64{p.Y[0] - 0.1}, true
			layers = append(layers, p)
			points++
		}
	}
	v.Chart(chart.Chart{X: chart.Axis{Label: "x", Max: 1}, Y: chart.Axis{Label: "f <&>", Max: 1}, Layers: layers}, 0,
		0, 400, 300, "a")
	field := chart.Field{Cols: 5, Rows: 5, Z: make([]float64, 25)}
	for i := range field.Z {
		field.Z[i] = math.Hypot(float64(i%5)-1, float64(i/5)-3)
	}
	field.Z[4] = math.NaN()
	scale := chart.NewColorScale(chart.Viridis, field.Z)
	v.Chart(chart.Chart{X: chart.Axis{Max: 1, HideTicks: true}, Y: chart.Axis{Max: 1, HideTicks: true},
		Layers: []chart.Layer{chart.Heat{Field: field, Scale: scale},
			chart.Contours{Field: field, Levels: chart.ContourLevels(scale, 4)}, chart.Cross{X: 0.25, Y: 0.75}}}, 410,
		20, 240, 240, "b")
	v.Bar(scale, 660, 30, 200)
	v.Chart(chart.Chart{X: chart.Axis{Label: "step", Min: 1, Max: 4, Integer: true}, Y: chart.Axis{Max: 1},
		Layers: []chart.Layer{chart.Region{X: []float64{2, 2.1, 3}, Y: []float64{0.2, 0.3, 0.8}, Color: st.Band},
			chart.Dots{X: []float64{1.5, 9}, Y: []float64{0.5, 0.5}, Color: st.Dim},
			chart.Area{X: []float64{1, 2, 4}, Y: []float64{0.1, 0.4, 0.2}, Color: st.Acquisition}}}, 0, 300, 700, 120,
		"c")
	v.Chart(chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}}, 0, 0, 60, 40, "too small")
	screentest.Check(t, "layers.svg", v.String(), false)
}

// The image of a field has the colour of its scale in every place, the least value at the lower left, and nothing where
// there is no value.
func TestHeatIsTheField(t *testing.T) {
	st := theme.New(false, theme.TrueColor, false)
	f := chart.Field{Cols: 3, Rows: 2, Z: []float64{0, 1, 2, 3, 4, math.NaN()}}
	scale := chart.NewColorScale(chart.Viridis, f.Z)
	v := New(300, 300, st)
	v.Chart(chart.Chart{X: chart.Axis{Max: 1, HideTicks: true}, Y: chart.Axis{Max: 1, HideTicks: true},
		Layers: []chart.Layer{chart.Heat{Field: f, Scale: scale}}}, 0, 0, 300, 300, "a")
	_, data, _ := strings.Cut(v.String(), "base64,")
	data, _, _ = strings.Cut(data, `"`)
	picture, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	require.NoError(t, err)
	n := picture.Bounds().Dx()
	if n != 160 || picture.Bounds().Dy() != n {
		t.Fatalf("the image has %v", picture.Bounds())
	}
	for row := range n {
		for col := range n {
			z := f.At((float64(col)+0.5)/float64(n), 1-(float64(row)+0.5)/float64(n))
			want := color.NRGBA{}
			if !math.IsNaN(z) {
				r, g, b := theme.RGB(scale.Color(z))
				want = color.NRGBA{r, g, b, 255}
			}
			if got := color.NRGBAModel.Convert(picture.At(col, row)); got != want {
				t.Fatalf("column %d, row %d: %v, want %v", col, row, got, want)
			}
		}
	}
}

// On a logarithmic axis of a picture everything stands where its factor is.
func TestLogAxis(t *testing.T) {
	v := New(400, 300, theme.New(true, theme.NoColor, false))
	v.Chart(chart.Chart{X: chart.Axis{Min: 1, Max: 100, Log: true}, Y: chart.Axis{Max: 1},
		Layers: []chart.Layer{chart.Curve{X: []float64{1, 10, 100}, Y: []float64{0.5, 0.5, 0.5}}}}, 0, 0, 400, 300, "a")
	if s := v.String(); !strings.Contains(s, "M56.0 137.0L224.0 137.0L392.0 137.0") || !strings.Contains(s, ">10<") {
		t.Errorf("the picture is\n%s", s)
	}
}

// A bracket is a line between its ends; one outside of the plot is not drawn.
func TestBrackets(t *testing.T) {
	v := New(400, 300, colors)
	v.Chart(chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}, Layers: []chart.Layer{
		chart.Bracket{From: 0, To: 0.5, At: 0.5, Color: colors.Text},
		chart.Bracket{From: 0, To: 1, At: 0.5, Vertical: true, Color: colors.Text, Selected: true},
		chart.Bracket{From: 0, To: 1, At: 2, Color: colors.Text}}}, 0, 0, 400, 300, "a")
	for _, want := range []string{"M56.0 137.0L224.0 137.0M56.0 132.5L56.0 141.5M224.0 132.5L224.0 141.5",
		"M224.0 266.0L224.0 8.0M219.5 266.0L228.5 266.0M219.5 8.0L228.5 8.0"} {
		if strings.Count(v.String(), want) != 1 {
			t.Errorf("the picture has no %q:\n%s", want, v.String())
		}
	}
	if n := strings.Count(v.String(), `stroke="`+colors.Text.RGB+`" stroke-width`); n != 2 {
		t.Errorf("%d of 3 brackets are drawn", n)
	}
}

// What lies on the very edge of a plot is drawn: optimizers like the ends of a domain.
func TestPointsOnTheEdge(t *testing.T) {
	for _, flip := range []bool{false, true} {
		c := chart.Chart{X: chart.Axis{Min: -3, Max: 7, HideTicks: true},
			Y: chart.Axis{Min: 0.1, Max: 0.7, HideTicks: true, Flip: flip},
			Layers: []chart.Layer{chart.Points{X: []float64{-3, 7, -3, 7}, Y: []float64{0.1, 0.1, 0.7, 0.7},
				Color: colors.Data}}}
		v := New(200, 100, colors)
		v.Chart(c, 0, 0, 200, 100, "c")
		if n := strings.Count(v.String(), "<circle"); n != 4 {
			t.Errorf("%d of 4 points are drawn", n)
		}
	}
}

// Every kind of layer that charts draw in cells is drawn in pictures too.
func TestEveryKindOfLayerIsDrawn(t *testing.T) {
	kinds := regexp.MustCompile(`(?m)^func \(\w+ (\w+)\) draw\(\w+ \*Canvas, \w+ Frame\)`)
	layers, err := os.ReadFile("../vector/layers.go")
	require.NoError(t, err)
	files, err := filepath.Glob("../*.go")
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, kind := range kinds.FindAllStringSubmatch(string(text), -1) {
			found++
			if !strings.Contains(string(layers), "\tcase chart."+kind[1]+":\n") {
				t.Errorf("%s has no case of its own in pictures", kind[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("%d kinds of layer were found", found)
	}
}

// A legend names each thing that is drawn once, behind its own mark, goes on in a new row where one is full, and is
// silent on what draws nothing.
func TestLegend(t *testing.T) {
	v := New(300, 100, theme.New(false, theme.TrueColor, false))
	two := []float64{0, 1}
	v.Legend([]chart.Layer{
		chart.Band{X: two, Lo: two, Hi: two, Name: "band"}, chart.Curve{X: two, Y: two, Name: "mean"},
		chart.Curve{X: two, Y: two, Name: "mean"},
		chart.Curve{X: two, Y: []float64{math.NaN(), math.NaN()}, Name: "unknown"}, chart.Points{Name: "absent"},
		chart.Points{X: two, Y: two, Name: "a name that is long enough"},
	}, 10, 20, 150)
	var names []string
	for _, m := range regexp.MustCompile(`y="(\d+\.\d)" text-anchor="start"[^>]*>([^<]*)<`).
		FindAllStringSubmatch(v.String(), -1) {
		names = append(names, m[2]+" "+m[1])
	}
	if want := []string{"a name that is long enough 20.0", "mean 35.0", "band 35.0"}; !slices.Equal(names, want) {
		t.Errorf("it names %q, want %q", names, want)
	}
	if n := strings.Count(v.String(), "<circle"); n != 1 {
		t.Errorf("%d marks of points", n)
	}
}

// A tree of boxes is drawn with its charts, legends, bars and texts where they lie, and what is told of marks as
// titles.
func TestFrame(t *testing.T) {
	st := theme.New(false, theme.TrueColor, false)
	c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1},
		Layers: []chart.Layer{chart.Curve{X: []float64{0, 1}, Y: []float64{0, 1}, Color: st.Mean, Name: "mean"}}}
	report := func(name string) (string, string) { return "What is <" + name + ">.", "" }
	page := layout.New(400, 240, Content(Label{Text: "belief", Anchor: vector.Start, Color: st.Text}, 16, 16, 100, 1),
		Content(chart.Caption(c.Layers), 60, 40, 200, 1),
		layout.New(300, 200, Chart("curve", c, 5, 10, 280, 180, st, report)).At(10, 40),
		Content(chart.ColorScale{Map: chart.Viridis, Lo: 0, Hi: 7}, 340, 60, 40, 100))
	v := New(400, 240, st)
	v.Frame(layout.Arrange(page, 400, 240))
	text := v.String()
	for _, want := range []string{
		`x="16.0" y="16.0" text-anchor="start" fill="` + st.Text.RGB + `">belief</text>`, ">mean</text>",
		`<rect x="15" y="50" width="280" height="180" fill="none" pointer-events="all"><title>mean: What is &lt;mean&gt;.`, `<clipPath id="curve"`, `>7</text>`} {
		assert.Contains(t, text, want, "there is no %s in %s", want, text)
	}
	alone := New(400, 240, st)
	alone.Chart(c, 15, 50, 280, 180, "curve")
	if plain := alone.String(); !strings.Contains(text,
		plain[strings.Index(plain, "<clipPath"):strings.Index(plain, "</svg>")]) {
		t.Error("the chart is drawn elsewhere, or otherwise, than by itself")
	}
}
