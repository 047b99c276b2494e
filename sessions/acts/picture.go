package acts

import (
	"context"
	"fmt"

	"bandscope/sessions"
)

// Painter draws a picture of a session at its current place; it does not change the session.
type Painter func(ctx context.Context, s *sessions.Session, p PictureArgs) (string, error)

// The formats of pictures.
const (
	FormatSVG  = "svg"
	FormatText = "text"
)

// ThemeDark is the theme of a dark background.
const ThemeDark = "dark"

// PictureArgs are the arguments of picture.
type PictureArgs struct {
	Format string `json:"format,omitempty" enum:"svg|text" default:"\"svg\"" jsonschema:"a drawing, or the cells of the screen as text"`
	Theme  string `json:"theme,omitempty" enum:"dark|light" default:"\"light\"" jsonschema:"the colours of a drawing"`
	Width  int    `json:"width,omitempty" bounds:"40..2000" jsonschema:"in pixels, or in cells of text"`
	Height int    `json:"height,omitempty" bounds:"10..2000" jsonschema:"in pixels, or in cells of text"`
}

// PictureAnswer is a picture.
type PictureAnswer struct {
	Format  string `json:"format"`
	Picture string `json:"picture" jsonschema:"the text of the SVG, or lines of text"`
	Step    int    `json:"step"`
}

// Text says what the picture shows.
func (a PictureAnswer) Text() string {
	return fmt.Sprintf("A picture of the session after step %d, as %s.", a.Step, a.Format)
}

// Picture is the act of drawing a session.
var Picture = declare(Act{Name: "picture", Title: "Draw what the model believes", Fits: true, Idempotent: true,
	About: "Draw what the model believes at the current place: the belief, the acquisition function, or the outcomes."},
	func(ctx context.Context, t Turn, a PictureArgs) (PictureAnswer, error) {
		if t.Paint == nil {
			return PictureAnswer{}, NewError(CodeFailed, fmt.Errorf("there is nothing to draw with here"))
		}
		if a.Format == "" {
			a.Format = FormatSVG
		}
		text, err := t.Paint(ctx, t.Session, a)
		return PictureAnswer{Format: a.Format, Picture: text, Step: len(t.Session.State().Iterations)}, err
	})
