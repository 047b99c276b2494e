// Package graphics shows pictures in terminals: as images of kitty's graphics protocol, behind the text, or as sixels.
// It asks a terminal which of them it has, recognizes the answers, and encodes an image and its place into bytes for the
// terminal. It knows no screens; without a protocol, a screen has its cells alone.
package graphics

import (
	"fmt"
	"image"
	"math"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Protocol is how a terminal shows pictures.
type Protocol int

// The protocols. Auto, a setting, is the best one of the terminal; Cells shows no pictures.
const (
	Auto Protocol = iota
	Cells
	Kitty
	Sixel
)

// Names are the names of the protocols, in the order of their values.
var Names = []string{"auto", "cells", "kitty", "sixel"}

func (p Protocol) String() string { return Names[p] }

// Set sets the protocol by its name, as the value of a flag.
func (p *Protocol) Set(name string) error {
	for i, n := range Names {
		if n == name {
			*p = Protocol(i)
			return nil
		}
	}
	return fmt.Errorf("graphics must be one of %s, got %q", strings.Join(Names, ", "), name)
}

// Type is the kind of value in the help of a flag.
func (*Protocol) Type() string { return "protocol" }

// queryID is the id of the image that kitty's protocol is asked with: it is never shown.
const queryID = 31

// Query asks a terminal what it has. Every terminal answers the last question, its primary attributes; so a terminal that
// has answered that one has answered all that it knows.
var Query = ansi.KittyGraphics([]byte("AAAA"), "i=31", "s=1", "v=1", "a=q", "t=d", "f=24") + CellQuery +
	ansi.RequestPrimaryDeviceAttributes

// CellQuery asks a terminal for the size of a cell (16) and of all of them (14), which can change when that of the window
// does.
var CellQuery = ansi.WindowOp(16) + ansi.WindowOp(14)

// Terminal is the answers of a terminal to the query.
type Terminal struct {
	Kitty, Sixel bool
	Cell         CellSize
	Answered     bool // completely
	hasCell      bool // has answered the size of a cell
}

// CellSize is the size of a cell in pixels; zero if it is unknown. In browsers it has fractions.
type CellSize struct{ W, H float64 }

// The bounds of a cell, in pixels: the answers of terminals are data of anybody who is connected.
const (
	minCell = 3
	maxCell = 100
)

// set sets the size, unless it is out of bounds.
func (c *CellSize) set(w, h float64) (ok bool) {
	if min(w, h) < minCell || max(w, h) > maxCell {
		return false
	}
	*c = CellSize{w, h}
	return true
}

// Pixels is the size of the image for an area of cells.
func (c CellSize) Pixels(area image.Rectangle) image.Point {
	return image.Pt(int(math.Round(float64(area.Dx())*c.W)), int(math.Round(float64(area.Dy())*c.H)))
}

// sixelAttribute is the attribute of a terminal that has sixels.
const sixelAttribute = 4

// Take takes a message of a terminal, whose size in cells is window. It returns false if the message is no answer.
func (t *Terminal) Take(msg any, window image.Point) bool {
	switch msg := msg.(type) {
	case uv.KittyGraphicsEvent:
		if msg.Options.ID == queryID {
			t.Kitty = string(msg.Payload) == "OK"
		}
	case uv.CellSizeEvent:
		t.hasCell = t.Cell.set(float64(msg.Width), float64(msg.Height)) || t.hasCell
	case uv.PixelSizeEvent:
		t.refine(float64(msg.Width)/float64(window.X), float64(msg.Height)/float64(window.Y))
	case uv.PrimaryDeviceAttributesEvent:
		for i, attribute := range msg {
			if i > 0 && attribute == sixelAttribute { // the first one is the class of the terminal
				t.Sixel = true
			}
		}
		t.Answered = true
	default:
		return false
	}
	return true
}

// refine takes a size of a cell with fractions, if it is that of the cells without them: that of all cells can have a
// margin.
func (t *Terminal) refine(w, h float64) {
	if math.Abs(w-t.Cell.W) <= 0.5 && math.Abs(h-t.Cell.H) <= 0.5 {
		t.Cell.set(w, h)
	}
}

// TakeWindow takes the size of the window in pixels and in cells, from the system or an SSH client, for terminals that do
// not answer the size of a cell: xterm does not, unless window operations are allowed. The window can have a margin.
func (t *Terminal) TakeWindow(pixels, cells image.Point) {
	if !t.hasCell && cells.X > 0 && cells.Y > 0 {
		t.Cell.set(float64(pixels.X/cells.X), float64(pixels.Y/cells.Y))
	}
}

// Best is the best protocol of the terminal. Pictures need the size of a cell.
func (t Terminal) Best() Protocol {
	switch {
	case t.Cell == CellSize{}:
		return Cells
	case t.Kitty:
		return Kitty
	case t.Sixel:
		return Sixel
	}
	return Cells
}

// Picture is an image at a place of the screen.
type Picture struct {
	ID    int               // of the plot on the screen, from 0
	Image *image.RGBA       // whose size is that of the area, in pixels
	Area  image.Rectangle   // of cells, from (0, 0) in the upper left corner of the screen
	Holes []image.Rectangle // of cells, which show what they showed before: with sixels, texts in front of the picture
}

// Show is the bytes that show a picture in place of the one that has its id, with the cursor where it was.
func (p Protocol) Show(picture Picture) string {
	if picture.Area.Empty() || picture.Image.Bounds().Empty() {
		return p.Hide(picture.ID)
	}
	switch p {
	case Kitty:
		return showKitty(picture)
	case Sixel:
		return showSixel(picture)
	}
	return ""
}

// Hide is the bytes that remove a picture. Sixels are removed by whatever is written into their cells.
func (p Protocol) Hide(id int) string {
	if p != Kitty {
		return ""
	}
	return hideKitty(id)
}

// placed are bytes that are written at the first cell of an area, between two frames of the terminal.
func placed(area image.Rectangle, sequence string) string {
	return ansi.SetModeSynchronizedOutput + ansi.SaveCursor + ansi.CursorPosition(area.Min.X+1, area.Min.Y+1) + sequence +
		ansi.RestoreCursor + ansi.ResetModeSynchronizedOutput
}
