package acts

import (
	"cmp"
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

// The views of a session.
const (
	ViewAll         = "all"         // the model and, beside it, the traces
	ViewPosterior   = "posterior"   // the mean and the band
	ViewAcquisition = "acquisition" // the acquisition function
	ViewFront       = "front"       // the outcomes of several objectives
	ViewTraces      = "traces"      // the progress over the steps
)

// ThemeDark is the theme of a dark background.
const ThemeDark = "dark"

// PictureArgs are the arguments of picture.
type PictureArgs struct {
	View   string `json:"view,omitempty" enum:"all|posterior|acquisition|front|traces" default:"\"all\"" jsonschema:"the part that is drawn"`
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
	About: "Draw a session at its current place: the posterior, the acquisition function, the front of several objectives, the traces over the steps, or all of them."},
	func(ctx context.Context, t Turn, a PictureArgs) (PictureAnswer, error) {
		if t.Paint == nil {
			return PictureAnswer{}, NewError(CodeFailed, fmt.Errorf("there is nothing to draw with here"))
		}
		a.Format = cmp.Or(a.Format, FormatSVG)
		a.View = cmp.Or(a.View, ViewAll)
		switch {
		case a.View != ViewAll && a.Format == FormatText:
			return PictureAnswer{}, wrong("a view of its own needs the format svg; the text is the whole screen")
		case a.View == ViewFront && len(t.Session.State().Problem.Objectives) < 2:
			return PictureAnswer{}, wrong("a front needs several objectives; this session has one")
		}
		text, err := t.Paint(ctx, t.Session, a)
		return PictureAnswer{Format: a.Format, Picture: text, Step: len(t.Session.State().Iterations)}, err
	})
