package chart

import (
	"math"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// maxLabel is how many characters a label within a plot has at most; a wide plot has longer ones.
const maxLabel = 15

// minLabelled is how many rows a plot has at least in which there are labels.
const minLabelled = 3

// placedLabel is a label within a plot: the name of the layer, and the cells of its text.
type placedLabel struct {
	name string
	Span
}

// How costly it is to write over what a cell shows. A label is never put over data, other texts, boxes and axes.
const (
	costFill   = 0.3 // the edge of a band, or its texture
	costSample = 0.7 // one of many thin lines
	costRule   = 1.5
	costCurve  = 2.5
	costTouch  = 2   // beside something, without a blank
	maxCost    = 0.9 // per character, beside a constant
	maxForced  = 2.2 // the same where the legend is full
	stayBonus  = 4   // how much better another place must be than the one in the last drawing
)

// labeller is the plot region of a drawn chart while labels are put into it.
type labeller struct {
	canvas *Canvas
	f      Frame
	layers []Layer
	names  []string       // of the layers
	cost   []float64      // of writing into each cell, row by row; +Inf where nothing may be written
	far    map[string]far // how far each cell is from the lines of a name
	limit  float64        // what a label may cost per character
	stay   *place         // where the label was in the last drawing; nil for nowhere
}

// far is the vertical distance of each cell from the nearest visible cell of a line in its column; at most maxFar.
type far []float64

const maxFar = 9

// addLabels labels lines and filled regions within the plot where they fit, from the front to the back: the marks of
// the given names, which have the fewest places, then lines, then bands and regions. A name is written once.
func (c Chart) addLabels(canvas *Canvas, f Frame, layers []Layer) (placed []placedLabel) {
	if !c.Labels && c.Note == "" && c.Beside == nil || f.Rows < minLabelled || f.Cols < maxLabel {
		return nil
	}
	canvas.front = true
	r := newLabeller(canvas, f, layers)
	r.limit = maxForced
	if c.Note != "" {
		r.note(f.style.Plain(c.Note))
	}
	forced := func(i int) bool { return slices.Contains(c.Beside, r.names[i]) }
	done := map[string]bool{"": true}
	label := func(i int, locate func(e Entry, text string) (pos place, ok bool)) {
		e := layers[i].key(f.style)
		if done[e.Name] {
			return
		}
		r.limit, r.stay = maxCost, nil
		if forced(i) {
			r.limit = maxForced
		}
		if was, ok := c.Memory.place(e.Name); ok {
			if was == noPlace && !forced(i) {
				return
			}
			r.stay, r.limit = &was, maxForced
		}
		for _, text := range e.labels(f) {
			if pos, ok := locate(e, text); ok {
				placed = append(placed, r.write(i, e, text, pos))
				done[e.Name] = true
				return
			}
		}
	}
	for i, l := range slices.Backward(layers) {
		if !isLine(l) && !isFill(l) && forced(i) {
			label(i, r.beside)
		}
	}
	for _, kind := range []func(Layer) bool{isLine, isFill} {
		for i, l := range slices.Backward(layers) {
			if !kind(l) || !c.Labels && !forced(i) {
				continue
			}
			if isFill(l) {
				label(i, r.inside)
			}
			label(i, r.along)
			if forced(i) {
				label(i, r.beside)
			}
		}
	}
	return placed
}

// labels are the texts that can label an entry in a plot, the best first.
func (e Entry) labels(f Frame) (texts []string) {
	for _, text := range []string{e.Name, e.Short} {
		text = f.style.Plain(text)
		if n := ansi.StringWidth(text); n > 0 && n <= max(maxLabel, f.Cols/4) {
			texts = append(texts, text)
		}
	}
	return texts
}

// isLine reports whether a layer is labelled along its marks, isFill whether it is labelled within them.
func isLine(l Layer) bool {
	switch l := l.(type) {
	case Curve, Contours, Dots:
		return true
	case Points:
		return l.Back
	}
	return false
}

func isFill(l Layer) bool {
	switch l.(type) {
	case Band, Region:
		return true
	}
	return false
}

func newLabeller(canvas *Canvas, f Frame, layers []Layer) *labeller {
	r := &labeller{canvas: canvas, f: f, layers: layers, names: make([]string, len(layers)),
		cost: make([]float64, f.Rows*f.Cols), far: map[string]far{}}
	for i, l := range layers {
		r.names[i] = l.key(f.style).Name
	}
	for row := range f.Rows {
		for col := range f.Cols {
			r.cost[row*f.Cols+col] = r.at(col, row).labelCost()
		}
	}
	for i, l := range layers {
		if name := r.names[i]; name != "" && isLine(l) && r.far[name] == nil {
			r.far[name] = r.distances(name, isLine)
		}
	}
	return r
}

// at is a cell of the plot region.
func (r *labeller) at(col, row int) *cell { return r.canvas.at(r.f.Left+col, r.f.Top+row) }

// owns reports whether a cell of the plot region shows a layer of a name.
func (r *labeller) owns(p *cell, name string) bool { return p.owner > 0 && r.names[p.owner-1] == name }

// labelCost is how costly it is to write over a cell.
func (p *cell) labelCost() float64 {
	switch {
	case p.glyph == 0 && p.dots|p.fine == 0:
		return 0
	case p.priority >= priorityBack:
		return math.Inf(1)
	case p.priority > priorityEdge:
		return costCurve
	case p.priority > priorityUnder:
		return costSample
	case p.dots != 0 || p.glyph == '|':
		return costRule
	}
	return costFill
}

// distances are the distances of all cells from the visible marks of the layers of a name that are of a kind.
func (r *labeller) distances(name string, kind func(Layer) bool) far {
	d := make(far, r.f.Rows*r.f.Cols)
	for col := range r.f.Cols {
		last := -maxFar
		for row := range r.f.Rows {
			if p := r.at(col, row); p.shows() && r.owns(p, name) && kind(r.layers[p.owner-1]) {
				last = row
			}
			d[row*r.f.Cols+col] = float64(min(row-last, maxFar))
		}
		last = r.f.Rows + maxFar
		for row := range slices.Backward(make([]struct{}, r.f.Rows)) {
			if d[row*r.f.Cols+col] == 0 {
				last = row
			}
			d[row*r.f.Cols+col] = min(d[row*r.f.Cols+col], float64(last-row))
		}
	}
	return d
}

// shows reports whether something is drawn into a cell.
func (p *cell) shows() bool { return p.glyph != 0 || p.dots|p.fine != 0 || p.bg.IsSet() }

// place is where a label begins in the plot region.
type place struct{ col, row int }

// best is the place of a text of n columns that costs least, at most what it may. placeCost is added to the cost of
// writing there. Labels are rather at the right end than at the left.
func (r *labeller) best(n int, placeCost func(pos place) float64) (pos place, ok bool) {
	const perColumn = 0.04
	least := r.limit*float64(n) + 5
	for row := range r.f.Rows {
		for col := 0; col+n <= r.f.Cols; col++ {
			cost := perColumn * float64(r.f.Cols-n-col)
			if r.stay != nil && *r.stay == (place{col, row}) {
				cost -= stayBonus
			}
			for k := max(col-1, 0); k < min(col+n+1, r.f.Cols) && cost < least; k++ {
				switch written := r.cost[row*r.f.Cols+k]; {
				case math.IsInf(written, 1), k >= col && k < col+n:
					cost += written
				case written > costFill:
					cost += costTouch
				}
			}
			if cost < least {
				cost += placeCost(place{col, row})
			}
			if cost < least {
				least = cost
				pos = place{col, row}
				ok = true
			}
		}
	}
	return pos, ok
}

// mean is the mean distance of the cells of a text from the marks of a line.
func (r *labeller) mean(d far, n int, pos place) float64 {
	sum := 0.0
	for k := range n {
		sum += d[pos.row*r.f.Cols+pos.col+k]
	}
	return sum / float64(n)
}

// along places a text above or below a line, nearer to it than to other lines.
func (r *labeller) along(e Entry, text string) (place, bool) {
	const maxMean, weight, wrong = 1.7, 2, 4
	distances, n := r.far[e.Name], ansi.StringWidth(text)
	if distances == nil {
		distances = r.distances(e.Name, isFill)
	}
	return r.best(n, func(pos place) float64 {
		mean := r.mean(distances, n, pos)
		if mean > maxMean {
			return math.Inf(1)
		}
		cost := weight * mean
		for name, other := range r.far {
			if name != e.Name && r.mean(other, n, pos) <= mean {
				cost += wrong
			}
		}
		return cost
	})
}

// inside places a text within a filled region, rather away from its edges and from lines.
func (r *labeller) inside(e Entry, text string) (place, bool) {
	n := ansi.StringWidth(text)
	within := func(col, row int) bool {
		if col < 0 || row < 0 || col >= r.f.Cols || row >= r.f.Rows {
			return false
		}
		p := r.at(col, row)
		return r.owns(p, e.Name) && (p.bg.IsSet() || r.f.style.Tier == theme.NoColor) && p.dots == 0
	}
	return r.best(n, func(pos place) (cost float64) {
		const narrow = 0.25
		for k := range n {
			if !within(pos.col+k, pos.row) {
				return math.Inf(1)
			}
			for _, beside := range [2]int{-1, 1} {
				if !within(pos.col+k, pos.row+beside) {
					cost += narrow
				}
			}
		}
		return cost
	})
}

// beside places a text at the right or at the left of a point, with a blank between.
func (r *labeller) beside(e Entry, text string) (place, bool) {
	n := ansi.StringWidth(text)
	mark := func(col, row int) bool {
		if col < 0 || col >= r.f.Cols {
			return false
		}
		p := r.at(col, row)
		return p.glyph != 0 && r.owns(p, e.Name)
	}
	return r.best(n, func(pos place) float64 {
		const left = 0.5
		switch {
		case mark(pos.col-2, pos.row):
			return 0
		case mark(pos.col+n+1, pos.row):
			return left
		}
		return math.Inf(1)
	})
}

// note writes a text as near to the middle of the plot as it can.
func (r *labeller) note(text string) {
	n := ansi.StringWidth(text)
	if position, ok := r.best(n, func(position place) float64 {
		const perColumn, perRow, clear = 0.1, 0.4, 3
		for k := max(position.col-clear, 0); k < min(position.col+n+clear, r.f.Cols); k++ {
			if math.IsInf(r.cost[position.row*r.f.Cols+k], 1) { // it would seem to be a label
				return math.Inf(1)
			}
		}
		return perColumn*math.Abs(float64(2*position.col+n-r.f.Cols)) + perRow*math.Abs(float64(2*position.row+1-r.f.Rows))
	}); ok {
		r.put(text, position, func(*cell) theme.Color { return r.f.style.Accent })
	}
}

// write puts a text into the plot as a part of a layer.
func (r *labeller) write(i int, e Entry, text string, pos place) placedLabel {
	r.canvas.layer = int16(i + 1)
	n := ansi.StringWidth(text)
	readable := true // the layer's color can be read over all cells of the text; else it has that of text, all along
	for k := range n {
		p := *r.at(pos.col+k, pos.row)
		p.ground()
		readable = readable && r.labelColor(i, &p) == r.labelColor(i, &cell{})
	}
	r.put(text, pos, func(p *cell) theme.Color {
		if c := r.labelColor(i, p); readable || c != r.labelColor(i, &cell{}) {
			return c
		}
		return r.f.style.Text
	})
	r.canvas.layer = 0
	from := r.f.Left + pos.col
	return placedLabel{e.Name, Span{Row: r.f.Top + pos.row, From: from, To: from + n}}
}

// put writes a text into the plot, beside which nothing more is written.
func (r *labeller) put(text string, pos place, color func(under *cell) theme.Color) {
	col := pos.col
	for character, w := range layout.Characters(text) {
		for k := range w {
			r.at(col+k, pos.row).ground()
		}
		r.canvas.put(r.f.Left+col, r.f.Top+pos.row, character, w, color(r.at(col, pos.row)), false, priorityPoint)
		col += w
	}
	for k := max(pos.col-1, 0); k < min(col+1, r.f.Cols); k++ {
		r.cost[pos.row*r.f.Cols+k] = math.Inf(1)
	}
}

// ground makes the filling of a cell the background of a text.
func (p *cell) ground() {
	p.coverShade()
	if p.area || p.reverse {
		p.fillBackground()
	}
}

// labelColor is the colour of the label of a layer over a cell: the colour of the layer, or that of dim text if the
// layer is a background, where it can be read; else black or white.
func (r *labeller) labelColor(i int, under *cell) theme.Color {
	color := r.f.style.Dim
	switch l := r.layers[i].(type) {
	case Curve:
		color = l.Color
	case Dots:
		color = l.Color
	case Box:
		color = l.Color
	case Rule:
		color = l.Color
	case Errors:
		color = l.Color
	case Points:
		color = l.Color
	case Hatch:
		color = l.Color
	case Contours:
		color = theme.Color{}
	}
	if !color.IsSet() {
		return r.f.style.OnTop(under.bg)
	}
	return r.f.style.Over(under.bg, color)
}
