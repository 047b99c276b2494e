package screen

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// ellipsis stands for what was left out of a line; a line of plain characters gets plain ones.
func ellipsis(line string) string {
	if strings.ContainsFunc(line, func(r rune) bool { return r >= 0x80 }) {
		return "…"
	}
	return "..."
}

// shorten cuts a line, which may hold colour sequences, to at most w columns: between words, with an ellipsis. Only a word that is longer than
// the line is cut within, and if there is a digit in it, it is left out: no number is ever cut to another.
func shorten(line string, w int) string { return cut(line, w, ellipsis(line)) }

// ShortenIn cuts a line, which may hold colour sequences, to at most w columns, between words and never within a number, with the ellipsis of a style.
func ShortenIn(st theme.Style, line string, w int) string { return cut(line, w, st.Plain("…")) }

func cut(line string, w int, more string) string {
	if ansi.StringWidth(line) <= w {
		return line
	}
	text := ansi.Strip(line)
	if w < ansi.StringWidth(more) {
		return ansi.Truncate(more, max(w, 0), "")
	}
	for end := strings.LastIndexFunc(text, unicode.IsSpace); end > 0; end = strings.LastIndexFunc(text[:end], unicode.IsSpace) {
		kept := strings.TrimRight(text[:end], " ,;:(=·")
		tail := more
		if last, _ := utf8.DecodeLastRuneInString(kept); unicode.IsDigit(last) {
			tail = " " + more // not to be read as a number with more digits
		}
		if n := ansi.StringWidth(kept) + ansi.StringWidth(tail); n <= w && strings.TrimSpace(kept) != "" {
			return ansi.Truncate(line, n, tail)
		}
	}
	if strings.ContainsFunc(ansi.Truncate(text, w, ""), unicode.IsDigit) {
		return more
	}
	return ansi.Truncate(line, w, more)
}

// NumberIn writes a value in at most w columns, with as many of four significant digits as there is room for; an ellipsis where not even one fits.
func NumberIn(v float64, w int) string {
	if s := Number(v); len(s) <= w {
		return s
	}
	for digits := 3; digits > 0 && !math.IsNaN(v) && !math.IsInf(v, 0); digits-- {
		for _, format := range []byte{'f', 'e'} {
			s := strconv.FormatFloat(v, format, digits-1, 64)
			if format == 'f' {
				rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
				if err != nil {
					continue
				}
				s = strconv.FormatFloat(rounded, 'f', -1, 64)
			} else if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
				if n, err := strconv.Atoi(exponent); err == nil {
					s = mantissa + "e" + strconv.Itoa(n)
				}
			}
			if len(s) <= w {
				return s
			}
		}
	}
	return ansi.Truncate("…", max(w, 0), "")
}

// leastName is to how many columns the names of a legend are shortened at most.
const leastName = 6

// Legend writes entries into as few rows of at most w columns as they need. Where that would be more than most, the names are shortened together,
// as little as must be; if that is not enough, or names would become the same, there are more rows: no entry is ever lost.
func Legend(st theme.Style, entries []plot.Entry, w, most int) []string {
	longest := 0
	for _, e := range entries {
		name := ansi.StringWidth(st.Plain(e.Name))
		longest = max(longest, min(name, w-1-ansi.StringWidth(e.Mark)))
	}
	longest = max(longest, leastName)
	var rows []string
	for cap := longest; (rows == nil || len(rows) > most) && cap >= leastName; cap-- {
		if shorter := legendRows(st, entries, w, cap); shorter != nil {
			rows = shorter
		}
	}
	if rows == nil && len(entries) > 0 { // names that cannot be told apart when they are short
		return legendRows(st, entries, w, math.MaxInt)
	}
	return rows
}

// legendRows are the rows with names of at most so many columns; nil if two names would be the same, or nothing be left of one.
func legendRows(st theme.Style, entries []plot.Entry, w, cap int) []string {
	seen := map[string]bool{}
	painted := make([]string, 0, len(entries))
	for _, e := range entries {
		name := ShortenIn(st, st.Plain(e.Name), cap)
		if seen[name] || strings.Trim(name, ".…") == "" {
			return nil
		}
		seen[name] = true
		painted = append(painted, e.Mark+" "+st.Paint(st.Dim, name))
	}
	return Rows(painted, "  ", w)
}

// always are the keys that a footer never leaves out.
var always = map[string]bool{"?": true, "o": true, "q": true, "enter": true, "esc": true}

// stay reports whether a key, or one of several as they are shown, is never left out.
func stay(shown string) bool {
	for _, one := range strings.Split(shown, ", ") {
		if always[one] {
			return true
		}
	}
	return false
}

// Footer writes keys with what they do into at most w columns, in their order: those that always stay, and of the others the first ones that fit. Where
// not all do, what they do is told up to its first comma or colon.
func Footer(st theme.Style, bindings []key.Binding, w int) string {
	whole := footerEntries(st, bindings, false)
	if line := strings.Join(whole, "  "); ansi.StringWidth(line) <= w {
		return line
	}
	entries := footerEntries(st, bindings, true)
	used, at := 0, 0
	stays := make([]bool, len(entries))
	for _, b := range bindings {
		if b.Help().Key == "" {
			continue
		}
		if stays[at] = stay(b.Help().Key); stays[at] {
			used += 2 + ansi.StringWidth(entries[at])
		}
		at++
	}
	var kept []string
	for i, e := range entries {
		n := 2 + ansi.StringWidth(e)
		if !stays[i] && used+n-2 > w {
			continue
		}
		if !stays[i] {
			used += n
		}
		kept = append(kept, e)
	}
	return ShortenIn(st, strings.Join(kept, "  "), w)
}

// footerEntries are the keys with what they do, in full or in short.
func footerEntries(st theme.Style, bindings []key.Binding, short bool) []string {
	var entries []string
	for _, b := range bindings {
		h := b.Help()
		if h.Key == "" {
			continue
		}
		does := h.Desc
		if i := strings.IndexAny(does, ",:("); short && i > 0 {
			does = strings.TrimSpace(does[:i])
		}
		entries = append(entries, st.PaintBold(st.Accent, h.Key)+" "+st.Paint(st.Dim, st.Plain(does)))
	}
	return entries
}
