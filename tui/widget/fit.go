package widget

import (
	"math"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// NumberIn writes a value in at most w columns, with as many of four significant digits as fit; an
// ellipsis where not even one fits.
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

// alwaysShown are the keys that a footer never leaves out.
var alwaysShown = map[string]bool{"?": true, "o": true, "q": true, "enter": true, "esc": true}

// isAlwaysShown reports whether a key, or one of several as they are shown, is never left out.
func isAlwaysShown(shown string) bool {
	for _, one := range strings.Split(shown, ", ") {
		if alwaysShown[one] {
			return true
		}
	}
	return false
}

// Footer writes bindings in a line of w columns: as many as fit, and always those that leave the screen.
func Footer(st theme.Style, bindings []key.Binding, w int) string {
	return layout.ShortenIn(st, strings.Join(footer(st, bindings, w), "  "), w)
}

// KeysBox is the line of the keys, w columns wide, as a part of a frame: each entry is a box with an action.
func KeysBox(st theme.Style, bindings []key.Binding, w int) *layout.Box {
	line := layout.New(w, 1)
	x, named := 1, ""
	for _, e := range footer(st, bindings, w-2) {
		e = layout.ShortenIn(st, e, w-x)
		name := ansi.Strip(e)
		one := layout.Line(e).At(x, 0)
		if shown, does, ok := strings.Cut(name, " "); ok {
			one.Name, one.Actions = shown, []layout.Action{{Key: shown, Help: does}}
		}
		line.Add(one)
		if x += one.W + 2; strings.Count(named+name, " ") < maxKeys {
			named += ", " + name
		}
	}
	if named == "" {
		return line
	}
	return line.Prose("keys", "", "The keys that work now: "+strings.TrimPrefix(named, ", ")+
		". The key ? lists all keys.")
}

// maxKeys is the number of words of the keys in their explanation.
const maxKeys = 36

// footer are the entries of bindings that fit into a line of w columns.
func footer(st theme.Style, bindings []key.Binding, w int) []string {
	whole := footerEntries(st, bindings, false)
	if ansi.StringWidth(strings.Join(whole, "  ")) <= w {
		return whole
	}
	entries := footerEntries(st, bindings, true)
	used, at := 0, 0
	stays := make([]bool, len(entries))
	for _, b := range bindings {
		if b.Help().Key == "" {
			continue
		}
		if stays[at] = isAlwaysShown(b.Help().Key); stays[at] {
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
	return kept
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
