package export

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Paint draws a session at its current place, as an SVG in a theme or as the cells of the explorer; see acts.Painter.
func Paint(ctx context.Context, s *sessions.Session, p acts.PictureArgs) (string, error) {
	copied, err := s.Detach(ctx)
	if err != nil {
		return "", err
	}
	if p.Format == acts.FormatText {
		return cells(ctx, copied, p)
	}
	text, err := drawing(ctx, copied, theme.New(p.Theme == acts.ThemeDark, theme.TrueColor, false), p.View)
	if err != nil || p.Width == 0 && p.Height == 0 {
		return text, err
	}
	w, h := p.Width, p.Height
	height := pictureHeight(copied.State())
	switch { // the other side follows from the shape
	case h == 0:
		h = w * height / pictureW
	case w == 0:
		w = h * pictureW / height
	}
	return strings.Replace(text, fmt.Sprintf(`width="%d" height="%d"`, pictureW, height),
		fmt.Sprintf(`width="%d" height="%d"`, w, h), 1), nil
}

// The largest window that is drawn as text, in cells, and the smallest one that shows a session.
const (
	maxCells       = 400
	minWidth       = 80
	minHeight      = 24
	trailingSpaces = " \t"
)

// cells is the screen of the explorer as plain text.
func cells(ctx context.Context, s *sessions.Session, p acts.PictureArgs) (string, error) {
	w, h := CastWidth, CastHeight
	if p.Width > 0 {
		w = min(max(p.Width, minWidth), maxCells)
	}
	if p.Height > 0 {
		h = min(max(p.Height, minHeight), maxCells)
	}
	f := newHeadless(s)
	f.page.Resize(w, h)
	f.page.Restyle(theme.New(true, theme.NoColor, false))
	f.run(f.page.Init())
	if err := f.settle(ctx); err != nil {
		return "", err
	}
	var lines []string
	for line := range strings.Lines(ansi.Strip(layout.Render(f.page.Frame(), w, h))) {
		lines = append(lines, strings.TrimRight(line, trailingSpaces+"\r\n"))
	}
	return strings.Join(lines, "\n") + "\n", nil
}
