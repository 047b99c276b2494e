// Package explained checks, for tests, that a screen tells all that is seen on it: every name of a legend, every part with a title and every number belongs to an
// element of the screen, and what the elements say is whole. It sees the drawn lines, as a person does, and knows no screen.
package explained

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/glossary"
	"bandscope/tui/explain"
	"bandscope/tui/plot"
)

// mostWords is how many a sentence may have.
const mostWords = 60

var (
	number = regexp.MustCompile(`[0-9][0-9.,]*(e[-+]?[0-9]+)?`)
	title  = regexp.MustCompile(`[╭├+]([─-]) ([^─+|│╭╮├┤]+) `)
	broken = regexp.MustCompile(`NaN|[-+]Inf|%!|\x1b|  `)
)

// Check tells what of a drawn screen no element tells; legend are the names that the legends of its plots have. All that is told can be read with -v.
func Check(t testing.TB, where string, p explain.Page, lines []string, legend []string) {
	t.Helper()
	elements := p.Elements()
	if testing.Verbose() {
		for _, e := range elements {
			t.Logf("%s (%s): %s", e.Name, e.Term, e.Says)
		}
	}
	for _, lack := range Lacks(elements, lines, legend) {
		t.Errorf("%s: %s", where, lack)
	}
}

// Lacks are what Check finds.
func Lacks(elements []explain.Element, lines []string, legend []string) (lacks []string) {
	lack := func(format string, args ...any) { lacks = append(lacks, fmt.Sprintf(format, args...)) }
	if len(elements) == 0 {
		return []string{"nothing is told"}
	}
	numbers, parts := newCover(lines), newCover(lines)
	names := map[string]bool{}
	for _, e := range elements {
		names[e.Name] = true
		spans := e.Where()
		if wrong := unfit(e, spans, lines); wrong != "" {
			lack("%q %s", e.Name, wrong)
		}
		if e.Kind == explain.Panel {
			parts.add(spans)
			if len(spans) > 0 {
				numbers.add(spans[:1]) // its title is told with it
			}
		} else {
			numbers.add(spans)
		}
	}
	for _, name := range legend {
		if !names[name] {
			lack("the legend's %q is not told", name)
		}
	}
	for row, line := range lines {
		line = ansi.Strip(line)
		for _, at := range number.FindAllStringIndex(line, -1) {
			if before, _ := utf8.DecodeLastRuneInString(line[:at[0]]); unicode.IsLetter(before) { // x1 is a name
				continue
			}
			if from := ansi.StringWidth(line[:at[0]]); !numbers.has(row, from) {
				lack("the number %s in row %d, column %d is not told: %s", line[at[0]:at[1]], row, from, line)
			}
		}
		for _, at := range title.FindAllStringSubmatchIndex(line, -1) {
			if from := ansi.StringWidth(line[:at[4]]); !parts.has(row, from) {
				lack("the part %q in row %d is not told", line[at[4]:at[5]], row)
			}
		}
	}
	return lacks
}

// unfit says what is wrong with an element.
func unfit(e explain.Element, spans []plot.Span, lines []string) string {
	switch words := len(strings.Fields(e.Says)); {
	case e.Name == "":
		return "has no name"
	case words < 3 || words > mostWords:
		return fmt.Sprintf("is told in %d words: %q", words, e.Says)
	case !strings.HasSuffix(e.Says, ".") || broken.MatchString(e.Says):
		return fmt.Sprintf("is told brokenly: %q", e.Says)
	case len(spans) == 0:
		return "is nowhere"
	}
	if _, err := glossary.Find(e.Term); e.Term != "" && err != nil {
		return err.Error()
	}
	for _, s := range spans {
		if s.Row < 0 || s.Row >= len(lines) || s.From < 0 || s.From >= s.To || s.To > ansi.StringWidth(lines[s.Row]) {
			return fmt.Sprintf("has cells outside of the window: %v", s)
		}
	}
	return ""
}

// cover is which cells of a window are told.
type cover [][]bool

func newCover(lines []string) cover {
	c := make(cover, len(lines))
	for i, l := range lines {
		c[i] = make([]bool, ansi.StringWidth(l)+1)
	}
	return c
}

func (c cover) add(spans []plot.Span) {
	for _, s := range spans {
		for col := max(s.From, 0); s.Row >= 0 && s.Row < len(c) && col < min(s.To, len(c[s.Row])); col++ {
			c[s.Row][col] = true
		}
	}
}

func (c cover) has(row, col int) bool { return c[row][col] }
