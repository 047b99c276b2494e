// Package explained checks, for tests, that a frame describes everything on it: every mark of a legend, every part with
// a title and every number belongs to a box with a description, the descriptions are complete sentences, and boxes lie
// inside of their parents. It does not depend on any screen.
package explained

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/layout"
)

// maxWords is how many words a description may have.
const maxWords = 60

var broken = regexp.MustCompile(`NaN|[-+]Inf|%!|\x1b|  `)

// Check reports the parts of a frame that no box describes, and misplaced boxes. With -v it logs all descriptions.
func Check(t testing.TB, where string, root *layout.Box, w, h int) {
	t.Helper()
	if testing.Verbose() {
		for _, p := range layout.Arrange(root, w, h).DescribedBoxes() {
			t.Logf("%s (%s): %s", p.Name, p.GlossaryTerm(), p.Description())
		}
	}
	for _, lack := range Undescribed(root, w, h) {
		t.Errorf("%s: %s", where, lack)
	}
}

// Undescribed returns the errors that Check reports.
func Undescribed(root *layout.Box, w, h int) (lacks []string) {
	lack := func(format string, args ...any) { lacks = append(lacks, fmt.Sprintf(format, args...)) }
	f := layout.Arrange(root, w, h)
	boxes := f.DescribedBoxes()
	if len(boxes) == 0 {
		return []string{"nothing is described"}
	}
	covered := make([]bool, f.W*f.H)
	for _, p := range boxes {
		spans := f.Spans(p)
		if wrong := unfit(p, spans); wrong != "" {
			lack("%q %s", f.Path(p), wrong)
		}
		if p.Kind == layout.Section && len(spans) > 0 {
			spans = spans[:1] // its description covers its title
		}
		for _, s := range spans {
			for col := s.From; col < s.To; col++ {
				covered[s.Row*f.W+col] = true
			}
		}
	}
	for _, p := range f.Boxes {
		if (p.Kind == layout.Section || p.Kind == layout.Mark) && (p.Description == nil || p.Description() == "") {
			lack("%q is not described", f.Path(p))
		}
	}
	lacks = append(lacks, f.Faults()...)
	return append(lacks, numbers(f, covered)...)
}

// CutWords reports titles and legends of a frame that are shortened: small windows have short forms of their words.
func CutWords(t testing.TB, where string, root *layout.Box, w, h int) {
	t.Helper()
	f := layout.Arrange(root, w, h)
	for _, p := range f.Boxes {
		if p.Name != layout.TitleName && !strings.Contains(f.Path(p), "/"+layout.LegendName+"/") {
			continue
		}
		for _, line := range p.Lines {
			line = ansi.Strip(line)
			if strings.Contains(line, "…") || strings.Contains(line, "...") ||
				ansi.StringWidth(line) > p.Clip.Dx() {
				t.Errorf("%s: %q is shortened", where, line)
			}
		}
	}
}

// numbers lists the numbers in the cells of a frame that no box describes.
func numbers(f *layout.Frame, covered []bool) (lacks []string) {
	c := lipgloss.NewCanvas(f.W, f.H)
	f.Draw(c)
	for row := range f.H {
		before := ' '
		for col := range f.W {
			cell := c.CellAt(col, row)
			r, _ := utf8.DecodeRuneInString(cell.Content)
			if unicode.IsDigit(r) && !unicode.IsDigit(before) && !unicode.IsLetter(before) && before != '.' &&
				before != ',' && !covered[row*f.W+col] {
				// x1 is a name
				lacks = append(lacks, fmt.Sprintf("the number %c… in row %d, column %d, is not described (%s)", r, row,
					col, strings.Join(names(f, col, row), "/")))
			}
			before = r
		}
	}
	return lacks
}

// names are those of the boxes under a cell.
func names(f *layout.Frame, col, row int) (list []string) {
	for _, p := range f.PathAt(col, row) {
		list = append(list, p.Name)
	}
	return list
}

// unfit returns the error of a description; empty for none.
func unfit(p layout.PlacedBox, spans []layout.Span) string {
	says := p.Description()
	switch words := len(strings.Fields(says)); {
	case p.Name == "":
		return "has no name"
	case words < 3 || words > maxWords:
		return fmt.Sprintf("is described in %d words: %q", words, says)
	case !strings.HasSuffix(says, ".") || broken.MatchString(says):
		return fmt.Sprintf("is described brokenly: %q", says)
	case len(spans) == 0:
		return "is nowhere"
	}
	if word := p.GlossaryTerm(); word != "" {
		if _, err := glossary.Find(word); err != nil {
			return err.Error()
		}
	}
	return ""
}
