package widget

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Bounds in bytes: a text longer than maxMarkdown is shown without formatting, because the time to parse Markdown grows
// with the square of the length; of one longer than maxShown only the beginning is shown.
const (
	maxMarkdown = 8 << 10
	maxShown    = 64 << 10
)

// Markdown lays a Markdown text out in lines of at most w columns: headings, emphasis, lists, quotes and code. The text
// is not trusted: control characters are made visible, HTML and links remain text. A long text is shown without
// formatting, a very long one in part.
func Markdown(st theme.Style, source string, w int) []string {
	if len(source) > maxMarkdown {
		return longText(st, source, w)
	}
	src := []byte(sanitize.Lines(source))
	m := markdown{style: st, source: src}
	for n := sanitize.Markdown.Parser().Parse(text.NewReader(src)).FirstChild(); n != nil; n = n.NextSibling() {
		m.block(n, w, "", "")
	}
	for len(m.lines) > 0 && m.lines[len(m.lines)-1] == "" {
		m.lines = m.lines[:len(m.lines)-1]
	}
	return m.lines
}

// longText lays a text out without formatting, at most maxShown of it.
func longText(st theme.Style, source string, w int) []string {
	rest := len(source) - maxShown
	if rest > 0 {
		source = strings.ToValidUTF8(source[:maxShown], "")
	}
	lines := layout.Wrap(st.Plain(sanitize.Lines(source)), w)
	for i, l := range lines {
		lines[i] = st.Paint(st.Text, l)
	}
	if rest > 0 {
		lines = append(lines, st.Paint(st.Faint, ansi.Truncate(fmt.Sprintf("and %d KB more", (rest+1023)/1024), w, "")))
	}
	return lines
}

// markdown collects lines.
type markdown struct {
	style  theme.Style
	source []byte
	lines  []string
}

// block lays out one block, its first line behind one prefix and the others behind another.
func (m *markdown) block(n ast.Node, w int, first, rest string) {
	switch n := n.(type) {
	case *ast.Heading:
		m.wrap(m.style.PaintBold(m.style.Accent, m.style.Plain(plainText(n, m.source))), w, first, rest)
	case *ast.List:
		number := n.Start
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			mark := m.style.Plain("• ")
			if n.IsOrdered() {
				mark = strconv.Itoa(number) + ". "
				number++
			}
			start := len(m.lines)
			for part := item.FirstChild(); part != nil; part = part.NextSibling() {
				m.block(part, w, rest+mark, rest+strings.Repeat(" ", ansi.StringWidth(mark)))
				mark = strings.Repeat(" ", ansi.StringWidth(mark))
			}
			if len(m.lines) > start && m.lines[len(m.lines)-1] == "" && item.NextSibling() != nil {
				m.lines = m.lines[:len(m.lines)-1]
			}
		}
		return
	case *ast.Blockquote:
		bar := m.style.Plain("│ ")
		for part := n.FirstChild(); part != nil; part = part.NextSibling() {
			m.block(part, w, rest+bar, rest+bar)
		}
		return
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		lines := n.Lines()
		for i := range lines.Len() {
			segment := lines.At(i)
			line := strings.TrimRight(string(segment.Value(m.source)), "\n")
			m.code(m.style.Plain(line), w, rest)
		}
	case *ast.ThematicBreak:
		m.lines = append(m.lines, rest+m.style.Paint(m.style.Faint,
			strings.Repeat(m.style.Plain("─"), max(w-ansi.StringWidth(rest), 0))))
	default:
		m.wrap(m.inline(n), w, first, rest)
	}
	m.lines = append(m.lines, "")
}

// code lays out a line of code. One that is too long, as a formula in ASCII may be, is broken between words.
func (m *markdown) code(line string, w int, rest string) {
	room := w - ansi.StringWidth(rest) - 2
	for i, part := range strings.Split(ansi.Wrap(line, max(room, 8), ""), "\n") {
		if i > 0 {
			part = "    " + strings.TrimSpace(part)
		}
		m.lines = append(m.lines, ansi.Truncate(rest+"  "+m.style.Paint(m.style.Mean, part), w, ""))
	}
}

// wrap breaks painted text between words and sets it behind prefixes.
func (m *markdown) wrap(painted string, w int, first, rest string) {
	room := max(w-ansi.StringWidth(rest), 8)
	for i, line := range strings.Split(ansi.Wrap(painted, room, ""), "\n") {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		m.lines = append(m.lines, prefix+line)
	}
}

// inline paints the text of a block word by word, so that lines can be broken between any two.
func (m *markdown) inline(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(m.words(string(c.Value(m.source)), func(s string) string {
				return m.style.Paint(m.style.Text, s)
			}))
			switch {
			case c.HardLineBreak():
				b.WriteByte('\n')
			case c.SoftLineBreak():
				b.WriteByte(' ')
			}
		case *ast.Emphasis:
			b.WriteString(m.words(plainText(c, m.source), func(s string) string {
				return m.style.PaintBold(m.style.Title, s)
			}))
		case *ast.CodeSpan:
			b.WriteString(m.words(plainText(c, m.source), func(s string) string {
				return m.style.PaintBold(m.style.Accent, s)
			}))
		default:
			b.WriteString(m.words(plainText(c, m.source), func(s string) string {
				return m.style.Paint(m.style.Text, s)
			}))
		}
	}
	return b.String()
}

// words paints the words of a text and leaves the spaces between them.
func (m *markdown) words(s string, paint func(string) string) string {
	parts := strings.Split(s, " ")
	for i, p := range parts {
		if p != "" {
			parts[i] = paint(m.style.Plain(p))
		}
	}
	return strings.Join(parts, " ")
}

// plainText is the text of a node and all below it.
func plainText(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		if n.SoftLineBreak() {
			return string(n.Value(source)) + " "
		}
		return string(n.Value(source))
	case *ast.String:
		return string(n.Value)
	}
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(plainText(c, source))
	}
	return b.String()
}
