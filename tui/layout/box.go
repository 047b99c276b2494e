// Package layout has the parts of a frame: one tree of boxes, each with a name, a rectangle, a function that draws into
// it, and a sentence that describes it. From this tree come the drawn frame, the box under the mouse, the place of the
// cursor and the description of a screen; nothing reads the drawn text back. Boxes are made where
// a thing is drawn, are put beside and below each other, and know their place relative to the box that holds them;
// Arrange gives each its place in the window. Cells are set on a canvas of Lip Gloss, borders are its borders, and
// styled text is its text. The package knows no screen and never imports Bubble Tea.
package layout

import (
	"image"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// Kind is what a box is for a reader.
type Kind int

// The kinds: a box that only holds others; what a legend names; a number, or a few that belong together; the numbers of
// an axis; a text that is read; a part of the screen with a title.
const (
	Group Kind = iota
	Mark
	Number
	Axis
	Prose
	Section
)

// Importance is how soon a box is explained: boxes of a higher one come first, those of the same one in the order of the
// frame.
type Importance int

// The importances: of texts, single numbers, parts, axes and marks, which boxes have by their kinds, and of the marks
// of a picture that a reader looks for first.
const (
	ImportanceByKind Importance = iota
	ImportanceText
	ImportanceNumber
	ImportancePart
	ImportanceAxis
	ImportanceMark
	ImportanceAcquisition
	ImportanceNext
	ImportanceMean
	ImportanceData
	ImportanceMain // what a picture is about, such as the band
)

// Action is something that can be done with a box: an entry of its menu.
type Action struct {
	Key  string // the name of the key press that does it; empty for none
	Help string // what it does; empty for what the key does
	Want any    // what the window is asked for in place of a key press; nil for none
}

// ClickThere is wanted of the window by an action that does what a click at the place of the menu does.
type ClickThere struct{ About string }

// Span is a run of cells of one row, To exclusive.
type Span struct{ Row, From, To int }

// Box is a rectangle of a frame.
type Box struct {
	// identity among its siblings, as the screen has it: an entry of the legend, the title of a panel
	Name       string
	Kind       Kind       // what it is for a reader
	Importance Importance // how soon it is explained; 0 for that of its kind
	// one sentence with the values that it has now; nil, or empty, where there is nothing to say
	Description func() string
	Term        string        // of the glossary; empty for none
	TermOf      func() string // the term where it is only known with the sentence; nil elsewhere
	Actions     []Action      // what can be done with it, the entries of its menu
	Press       string        // the name of the key press that a click on it makes; empty for none
	OpensMenu   bool          // a click on it opens the menu of what it belongs to
	Wheel       [2]string     // the names of the key presses of the mouse wheel, up and down; empty for none

	X, Y, W, H int // in cells, relative to the box that holds it

	Lines []string        // its text
	Style *lipgloss.Style // of its text; nil for text that is styled already
	// into its rectangle, after its text and before its children; nil for nothing
	Draw func(scr uv.Screen, area uv.Rectangle)
	// that are its own, relative to it, where they are not all of the rectangle
	Cells func() []Span
	// boxes elsewhere in the frame that are lit with it, such as its entry in the legend
	Linked []*Box
	Cursor *image.Point // of the terminal, relative to it, if it takes text
	Focus  func()       // gives it the focus; nil if it cannot have it
	// the values at a place in it, relative to it in cells, such as those of the axes; nil for none
	Value func(col, row float64) []float64
	// the name of the child whose mark a cell of it shows; empty for none
	Owner func(col, row int) string
	// a declaration that others can draw too, such as a chart as a picture of lines; nil for none
	Content      any
	Overlaps     bool // it lies over its siblings on purpose
	Children     []*Box
	LazyChildren func() []*Box // children that are only described
}

// New is a box of a size that holds others at their places.
func New(w, h int, children ...*Box) *Box {
	return &Box{W: max(w, 0), H: max(h, 0), Children: children}
}

// At puts the box at a place of the box that will hold it.
func (b *Box) At(x, y int) *Box {
	b.X, b.Y = x, y
	return b
}

// Describe describes the box. Says is asked only when the description is wanted.
func (b *Box) Describe(kind Kind, name, term string, says func() string) *Box {
	b.Kind = kind
	b.Name = name
	b.Term = term
	b.Description = says
	return b
}

// Important sets how soon the box is explained.
func (b *Box) Important(i Importance) *Box {
	b.Importance = i
	return b
}

// importance is how soon the box is explained.
func (b *Box) importance() Importance {
	if b.Importance != ImportanceByKind {
		return b.Importance
	}
	return map[Kind]Importance{Mark: ImportanceMark, Axis: ImportanceAxis, Section: ImportancePart,
		Number: ImportanceNumber, Prose: ImportanceText}[b.Kind]
}

// Number, Prose and Section describe the box as what their names say, by a sentence that is known already.
func (b *Box) Number(name, term, says string) *Box {
	return b.Describe(Number, name, term, Static(says))
}

// Prose describes the box as a text that is read.
func (b *Box) Prose(name, term, says string) *Box { return b.Describe(Prose, name, term, Static(says)) }

// Section describes the box as a part of the screen with a title.
func (b *Box) Section(name, term, says string) *Box {
	return b.Describe(Section, name, term, Static(says))
}

// Add puts further boxes into this one, at their places.
func (b *Box) Add(children ...*Box) *Box {
	b.Children = append(b.Children, children...)
	return b
}

// Styled gives the box's text a style.
func (b *Box) Styled(s lipgloss.Style) *Box {
	b.Style = &s
	return b
}

// Sized gives the box a size, which cuts or pads its content.
func (b *Box) Sized(w, h int) *Box {
	b.W, b.H = max(w, 0), max(h, 0)
	return b
}

// Static is a sentence that is known already.
func Static(says string) func() string { return func() string { return says } }

// Column puts boxes below each other; it is as wide as the widest. Nil boxes are left out.
func Column(boxes ...*Box) *Box {
	all := &Box{}
	for _, b := range boxes {
		all.Below(b)
	}
	return all
}

// Below adds a box below all that the box holds.
func (b *Box) Below(next *Box) *Box {
	if next == nil {
		return b
	}
	b.Children = append(b.Children, next.At(0, b.H))
	b.W, b.H = max(b.W, next.W), b.H+next.H
	return b
}

// Row puts boxes side by side; it is as high as the highest. Nil boxes are left out.
func Row(boxes ...*Box) *Box {
	all := &Box{}
	for _, b := range boxes {
		all.Beside(b)
	}
	return all
}

// Beside adds a box at the right of all that the box holds.
func (b *Box) Beside(next *Box) *Box {
	if next == nil {
		return b
	}
	b.Children = append(b.Children, next.At(b.W, 0))
	b.W, b.H = b.W+next.W, max(b.H, next.H)
	return b
}

// FlowBoxes puts boxes side by side, with so many columns between two, in as many rows of at most w columns as they
// need.
func FlowBoxes(w, between int, boxes ...*Box) *Box {
	all := New(w, 0)
	x, y := 0, 0
	for _, b := range boxes {
		if x > 0 && x+between+b.W > w {
			x, y = 0, all.H
		}
		if x > 0 {
			x += between
		}
		all.Children = append(all.Children, b.At(x, y))
		x += b.W
		all.H = max(all.H, y+b.H)
	}
	return all
}

// Space is an empty box.
func Space(w, h int) *Box { return New(w, h) }
