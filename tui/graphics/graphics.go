// Package graphics shows pictures in terminals: as images of kitty's graphics protocol, behind the text, or as sixels.
// It asks a terminal which of them it has, recognizes the answers, and encodes an image and its place into bytes for the
// terminal. It knows no screens; without a protocol, a screen has its cells alone.
package graphics

import (
	"fmt"
	"image"
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
// has answered that one has answered all that it knows. Before it, a terminal of sixels is asked to tell 256 colors
// apart: xterm has 16 otherwise.
var Query = ansi.KittyGraphics([]byte("AAAA"), "i=31", "s=1", "v=1", "a=q", "t=d", "f=24") +
	ansi.WindowOp(ansi.RequestCellSizeWinOp) + "\x1b[?1;3;256S" + ansi.RequestPrimaryDeviceAttributes

// Terminal is what a terminal has answered to the query.
type Terminal struct {
	Kitty, Sixel bool
	Cell         image.Point // the size of a cell in pixels; zero if it is unknown
	Answered     bool        // completely
}

// The bounds of a cell, in pixels: what terminals answer is data of anybody who is connected.
const (
	minCell = 3
	maxCell = 100
)

// sixelAttribute is the attribute of a terminal that has sixels.
const sixelAttribute = 4

// Take takes a message of a terminal. It returns false if the message is no answer.
func (t *Terminal) Take(msg any) bool {
	switch msg := msg.(type) {
	case uv.KittyGraphicsEvent:
		if msg.Options.ID == queryID {
			t.Kitty = string(msg.Payload) == "OK"
		}
	case uv.CellSizeEvent:
		if min(msg.Width, msg.Height) >= minCell && max(msg.Width, msg.Height) <= maxCell {
			t.Cell = image.Pt(msg.Width, msg.Height)
		}
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

// Best is the best protocol of the terminal. Sizes of pictures depend on that of a cell.
func (t Terminal) Best() Protocol {
	switch {
	case t.Cell == image.Point{}:
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

// placed are bytes that are written at the first cell of an area.
func placed(area image.Rectangle, sequence string) string {
	return ansi.SaveCursor + ansi.CursorPosition(area.Min.X+1, area.Min.Y+1) + sequence + ansi.RestoreCursor
}
