package layout

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/theme"
)

// Text is a box of w columns with styled lines.
func Text(w int, lines ...string) *Box {
	b := New(w, len(lines))
	b.Lines = lines
	return b
}

// Line is a box with a styled line, as wide as that.
func Line(text string) *Box { return Text(ansi.StringWidth(text), text) }

// put draws a styled line into a row of a box; one that is too long for it is shortened between words. Whatever its
// texts are, nothing in them is hidden.
func put(scr uv.Screen, p *PlacedBox, row int, line string) {
	if y := p.Area.Min.Y + row; line != "" && y < p.Clip.Max.Y {
		line = sanitize.Styled(line)
		if ansi.StringWidth(line) > p.W {
			line = shorten(line, p.W)
		}
		if p.Style != nil {
			line = p.Style.Render(line)
		}
		(&uv.StyledString{Text: line}).Draw(scr, uv.Rect(p.Area.Min.X, y, p.Clip.Max.X-p.Area.Min.X, 1))
	}
}

// ellipsis marks the end of a shortened line; a line of plain characters gets plain ones.
func ellipsis(line string) string {
	if strings.ContainsFunc(line, func(r rune) bool { return r >= 0x80 }) {
		return "…"
	}
	return "..."
}

// shorten cuts a line, which may hold colour sequences, to at most w columns: between words, with an ellipsis. Only a
// word that is longer than the line is cut within, and if there is a digit in it, it is left out: no number is ever cut
// to another.
func shorten(line string, w int) string { return cut(line, w, ellipsis(line)) }

// ShortenIn cuts a line, which may hold colour sequences, to at most w columns, between words and never within a
// number, with the ellipsis of a style.
func ShortenIn(st theme.Style, line string, w int) string { return cut(line, w, st.Plain("…")) }

// maxTrimmed is how many blanks and signs are taken from the end of a shortened line at most.
const maxTrimmed = 16

func cut(line string, w int, ellipsis string) string {
	if ansi.StringWidth(line) <= w {
		return line
	}
	text := ansi.Strip(line)
	if w < ansi.StringWidth(ellipsis) {
		return ansi.Truncate(ellipsis, max(w, 0), "")
	}
	text = ansi.Truncate(text, w+maxTrimmed, "") // the text behind it is never kept
	for end := strings.LastIndexFunc(text, unicode.IsSpace); end >
		0; end = strings.LastIndexFunc(text[:end], unicode.IsSpace) {
		beginning := strings.TrimRight(text[:end], " ,;:(=·")
		tail := ellipsis
		if last, _ := utf8.DecodeLastRuneInString(beginning); unicode.IsDigit(last) {
			tail = " " + ellipsis // not to be read as a number with more digits
		}
		if n := ansi.StringWidth(beginning) + ansi.StringWidth(tail); n <= w && strings.TrimSpace(beginning) != "" {
			return ansi.Truncate(line, n, tail)
		}
	}
	if strings.ContainsFunc(ansi.Truncate(text, w, ""), unicode.IsDigit) {
		return ellipsis
	}
	return ansi.Truncate(line, w, ellipsis)
}

// Fit shortens or pads a line, which may hold colour sequences, to exactly w columns.
func Fit(line string, w int) string {
	if w <= 0 {
		return ""
	}
	n := ansi.StringWidth(line)
	if n > w {
		line = shorten(line, w)
		n = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", w-n)
}

// Wrap breaks plain text into lines of at most w columns, between words where it can.
func Wrap(text string, w int) []string {
	if w <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(text, w, ""), "\n")
}

// Paragraph breaks a text into painted lines of at most w columns behind a blank.
func Paragraph(st theme.Style, color theme.Color, text string, w int) []string {
	lines := Wrap(st.Plain(text), w)
	for i, l := range lines {
		lines[i] = " " + st.Paint(color, l)
	}
	return lines
}

// FirstFit is the first of some texts, as the style writes it, that fits into w columns; if none does, the last one,
// shortened.
func FirstFit(st theme.Style, w int, texts ...string) (text string) {
	for _, text = range texts {
		text = st.Plain(text)
		if ansi.StringWidth(text) <= w {
			return text
		}
	}
	return ShortenIn(st, text, w)
}

// ShortenAmong is one of some names in at most w columns: its beginning, or, where another name begins like that, its
// end, or the part from where they differ on, so that different names stay different.
func ShortenAmong(st theme.Style, name string, names []string, w int) string {
	name = st.Plain(name)
	ellipsis := "…"
	if st.ASCII {
		ellipsis = "~"
	}
	short := ansi.Truncate(name, max(w, 0), ellipsis)
	beginning := strings.TrimSuffix(short, ellipsis)
	if short == name || beginning == "" {
		return short
	}
	common := name
	var others []string
	for _, other := range names {
		other = st.Plain(other)
		if other != name && strings.HasPrefix(other, beginning) {
			others, common = append(others, other), common[:commonPrefix(common, other)]
		}
	}
	room := w - ansi.StringWidth(ellipsis)
	end := func(text string) string {
		return ellipsis + ansi.TruncateLeft(text, max(ansi.StringWidth(text)-room, 0), "")
	}
	difference := func(text string) string { return ellipsis + ansi.Truncate(text[len(common):], room, ellipsis) }
	for _, form := range []func(string) string{end, difference} {
		label := form(name)
		isSame := func(other string) bool { return form(other) == label }
		if others != nil && !slices.ContainsFunc(others, isSame) {
			return label
		}
	}
	return short
}

// commonPrefix is the length of the common prefix of two texts in bytes, in whole characters.
func commonPrefix(a, b string) (n int) {
	for character := range Characters(a) {
		if !strings.HasPrefix(b[n:], character) {
			break
		}
		n += len(character)
	}
	return n
}

// Characters are the characters of a text as a reader counts them, each of one or more code points, with the columns
// that they take. Text that a terminal does not show safely is replaced, and what takes no column is left out.
func Characters(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for text = sanitize.Text(text); text != ""; {
			character, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
			if w > 0 && !yield(character, w) {
				return
			}
			text = text[len(character):]
		}
	}
}

// FitEntries joins as many entries, the first ones first, as fit into w columns.
func FitEntries(entries []string, between string, w int) string {
	line, used := "", 0
	for _, e := range entries {
		n := ansi.StringWidth(e)
		if used > 0 {
			n += ansi.StringWidth(between)
		}
		if used+n > w {
			continue
		}
		if used > 0 {
			line += between
		}
		line += e
		used += n
	}
	return line
}

// Flow joins entries into as many rows of at most w columns as they need.
func Flow(entries []string, between string, w int) []string {
	var rows []string
	used := 0
	for _, e := range entries {
		n := ansi.StringWidth(e)
		if len(rows) == 0 || used+ansi.StringWidth(between)+n > w {
			rows, used = append(rows, e), n
			continue
		}
		rows[len(rows)-1] += between + e
		used += ansi.StringWidth(between) + n
	}
	return rows
}

// Excerpt is a text that somebody wrote, or that the program says elsewhere, on one line and in at most so many words,
// to be quoted within a sentence, without its full stop.
func Excerpt(text string, most int) string {
	words := strings.Fields(sanitize.Text(text))
	if len(words) > most {
		return strings.Join(words[:most], " ") + "…"
	}
	return strings.TrimSuffix(strings.Join(words, " "), ".")
}

// Filled is a column cut or filled up to a height.
func (b *Box) Filled(h int) *Box { return b.Sized(b.W, h) }

// Sentence is a text in a colour as lines of a box of w columns, a blank before each and behind the longest, of at most
// h rows.
func Sentence(st theme.Style, color theme.Color, text string, w, h int) *Box {
	lines := Wrap(st.Plain(text), max(w-2, 1))
	b := Text(w-1, lines[:min(len(lines), max(h, 0))]...).Styled(st.Ink(color)).At(1, 0)
	return New(w, b.H, b)
}
