package layout

import (
	"cmp"
	"image"
	"slices"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// PlacedBox is a box at its place in the window.
type PlacedBox struct {
	*Box
	Area uv.Rectangle // all of it
	Clip uv.Rectangle // the part of it inside of its parent

	parent int  // index of its parent, −1 for the root
	whole  bool // its children that are only described have their places
}

// Frame is a tree of boxes that has its places in a window, in the order in which it is drawn and read: parents before
// children.
type Frame struct {
	W, H  int
	Boxes []PlacedBox
	index map[*Box]int // made when it is asked for
}

// Arrange gives the boxes of a tree their places in a window.
func Arrange(root *Box, w, h int) *Frame {
	f := &Frame{W: max(w, 0), H: max(h, 0), Boxes: make([]PlacedBox, 0, 128)}
	if root != nil {
		f.place(root, image.Point{}, uv.Rect(0, 0, f.W, f.H), -1)
	}
	return f
}

func (f *Frame) place(b *Box, origin image.Point, clip uv.Rectangle, parent int) {
	corner := origin.Add(image.Pt(b.X, b.Y))
	area := uv.Rect(corner.X, corner.Y, b.W, b.H)
	visible := area.Intersect(clip)
	if visible.Empty() {
		return
	}
	here := len(f.Boxes)
	f.Boxes = append(f.Boxes, PlacedBox{Box: b, Area: area, Clip: visible, parent: parent})
	for _, c := range b.Children {
		if c != nil {
			f.place(c, corner, visible, here)
		}
	}
}

// Draw draws the boxes onto a canvas.
func (f *Frame) Draw(c *lipgloss.Canvas) {
	for i := range f.Boxes {
		p := &f.Boxes[i]
		for row, line := range p.Lines {
			put(c, p, row, line)
		}
		switch {
		case p.Box.Draw == nil:
		case p.Area == p.Clip:
			p.Box.Draw(c, p.Area)
		default:
			p.Box.Draw(clipScreen{c, p.Clip}, p.Area)
		}
	}
}

// clipScreen is a screen on which only the cells of a rectangle are set.
type clipScreen struct {
	uv.Screen
	clip uv.Rectangle
}

func (c clipScreen) SetCell(x, y int, cell *uv.Cell) {
	if image.Pt(x, y).In(c.clip) && (cell == nil || x+cell.Width <= c.clip.Max.X) {
		c.Screen.SetCell(x, y, cell)
	}
}

// Render is a tree of boxes as styled text, in a window of a size.
func Render(root *Box, w, h int) string {
	c := lipgloss.NewCanvas(max(w, 0), max(h, 0))
	Arrange(root, w, h).Draw(c)
	return new(Encoder).Encode(c)
}

// DescribedBoxes are the boxes that have a description, in the order in which they are read.
func (f *Frame) DescribedBoxes() []PlacedBox {
	var boxes []PlacedBox
	for i := 0; i < len(f.Boxes); i++ {
		p := f.Boxes[i]
		if p.LazyChildren != nil && !p.whole {
			for _, c := range p.LazyChildren() {
				f.place(c, p.Area.Min, p.Clip, i)
			}
			f.Boxes[i].whole, f.index = true, nil
		}
		if p.Description != nil && p.Kind != Group && p.Description() != "" {
			boxes = append(boxes, p)
		}
	}
	return boxes
}

// ByImportance are the boxes that have a description, in the order in which they are explained.
func (f *Frame) ByImportance() []PlacedBox {
	boxes := f.DescribedBoxes()
	slices.SortStableFunc(boxes, func(a, b PlacedBox) int { return cmp.Compare(b.importance(), a.importance()) })
	return boxes
}

// GlossaryTerm is the box's term of the glossary; empty for none.
func (b *Box) GlossaryTerm() string {
	if b.TermOf != nil {
		return b.TermOf()
	}
	return b.Term
}

// Spans are the cells of the window that are a box's own, with those of the boxes that are lit with it.
func (f *Frame) Spans(p PlacedBox) []Span {
	spans := p.spans()
	for _, other := range p.Linked {
		if i, ok := f.find(other); ok {
			spans = append(spans, f.Boxes[i].spans()...)
		}
	}
	return spans
}

// find is where a box is in the frame.
func (f *Frame) find(b *Box) (int, bool) {
	if f.index == nil {
		f.index = make(map[*Box]int, len(f.Boxes))
		for i, p := range f.Boxes {
			f.index[p.Box] = i
		}
	}
	i, ok := f.index[b]
	return i, ok
}

func (p PlacedBox) spans() (list []Span) {
	add := func(row, from, end int) {
		from, end = max(from, p.Clip.Min.X),
			min(end, p.Clip.Max.X)
		if row >= p.Clip.Min.Y && row < p.Clip.Max.Y && from < end {
			list = append(list, Span{row, from, end})
		}
	}
	if p.Cells != nil {
		for _, s := range p.Cells() {
			add(p.Area.Min.Y+s.Row, p.Area.Min.X+s.From, p.Area.Min.X+s.To)
		}
		return list
	}
	for row := p.Clip.Min.Y; row < p.Clip.Max.Y; row++ {
		add(row, p.Clip.Min.X, p.Clip.Max.X)
	}
	return list
}

// PathAt is the path to the innermost box under a cell of the window, the root first; nil where there is none. Of boxes
// that lie over each other it is the one drawn last.
func (f *Frame) PathAt(col, row int) []PlacedBox {
	cell := image.Pt(col, row)
	for i := len(f.Boxes) - 1; i >= 0; i-- {
		if p := f.Boxes[i]; cell.In(p.Clip) && p.Cells == nil {
			var path []PlacedBox
			for ; i >= 0; i = f.Boxes[i].parent {
				path = append(path, f.Boxes[i])
			}
			slices.Reverse(path)
			return path
		}
	}
	return nil
}

// DescribedAt is the box with a description that has fewest cells of those with a cell of the window, or the mark that
// the cell shows; false where there is none.
func (f *Frame) DescribedAt(col, row int) (PlacedBox, bool) {
	if p, ok := f.mark(col, row); ok {
		return p, true
	}
	best := PlacedBox{}
	least := 0
	found := false
	for _, p := range f.DescribedBoxes() {
		n, under := 0, false
		for _, s := range f.Spans(p) {
			n += s.To - s.From
			under = under || s.Row == row && s.From <= col && col < s.To
		}
		if under && (!found || n < least) {
			best = p
			least = n
			found = true
		}
	}
	return best, found
}

// mark is the described mark that a cell of a chart shows; false where it shows none.
func (f *Frame) mark(col, row int) (none PlacedBox, ok bool) {
	for _, p := range slices.Backward(f.PathAt(col, row)) {
		if p.Owner == nil {
			continue
		}
		name := p.Owner(col-p.Area.Min.X, row-p.Area.Min.Y)
		for _, c := range p.Children {
			if i, placed := f.find(c); placed && name != "" && c.Name == name && c.Kind == Mark &&
				c.Description != nil &&
				c.Description() != "" {
				return f.Boxes[i], true
			}
		}
	}
	return none, false
}

// PathOf is the path to a box of the frame, the root first.
func (f *Frame) PathOf(p PlacedBox) []PlacedBox {
	path := []PlacedBox{p}
	for i := p.parent; i >= 0; i = f.Boxes[i].parent {
		path = append(path, f.Boxes[i])
	}
	slices.Reverse(path)
	return path
}

// Path is the identity of a box in the frame: the names of its parents and its own, separated by slashes.
func (f *Frame) Path(p PlacedBox) string {
	path := p.Name
	for i := p.parent; i >= 0; i = f.Boxes[i].parent {
		if name := f.Boxes[i].Name; name != "" {
			path = name + "/" + path
		}
	}
	return path
}

// Cursor is the place of the terminal's cursor; false if it is hidden.
func (f *Frame) Cursor() (position image.Point, ok bool) {
	for _, p := range f.Boxes {
		if p.Box.Cursor != nil {
			if c := p.Area.Min.Add(*p.Box.Cursor); c.In(p.Clip) {
				position, ok = c, true
			}
		}
	}
	return position, ok
}
