package widget

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// alwaysShown are the keys that a footer never leaves out.
var alwaysShown = map[string]bool{":": true, "?": true, "q": true, "enter": true, "esc": true}

// isAlwaysShown reports whether a key, or one of several as they are shown, is never left out.
func isAlwaysShown(shown string) bool {
	for _, name := range strings.Split(shown, ", ") {
		if alwaysShown[name] {
			return true
		}
	}
	return false
}

// entry is a binding as a footer shows it: the key, empty for a command without one, and what it does.
type entry struct {
	binding   key.Binding
	key, does string
}

// width is the number of columns of the entry.
func (e entry) width() int {
	if e.key == "" {
		return ansi.StringWidth(e.does)
	}
	return ansi.StringWidth(e.key) + 1 + ansi.StringWidth(e.does)
}

// text is the entry in colours.
func (e entry) text(st theme.Style) string {
	if e.key == "" {
		return st.Paint(st.Dim, e.does)
	}
	return st.PaintBold(st.Accent, e.key) + " " + st.Paint(st.Dim, e.does)
}

// Footer writes bindings in a line of w columns: as many as fit, and always those that leave the screen.
func Footer(st theme.Style, bindings []key.Binding, w int) string {
	var texts []string
	for _, e := range footer(st, bindings, w) {
		texts = append(texts, e.text(st))
	}
	return layout.ShortenIn(st, strings.Join(texts, "  "), w)
}

// maxKeys is the number of words of the keys in their explanation.
const maxKeys = 36

// KeysBox is the line of the keys, w columns wide, as a part of a frame: each entry is a button.
func KeysBox(st theme.Style, bindings []key.Binding, w int) *layout.Box {
	line := layout.New(w, 1)
	x, named := 1, ""
	for _, e := range footer(st, bindings, w-2) {
		box := e.button(st, w-x).At(x, 0)
		line.Add(box)
		x += box.W + 2
		if text := strings.TrimSpace(e.key + " " + e.does); strings.Count(named+text, " ") < maxKeys {
			named += ", " + text
		}
	}
	if named == "" {
		return line
	}
	return line.Prose("keys", "", "The keys that work now: "+strings.TrimPrefix(named, ", ")+
		". The key ? lists all keys.")
}

// button is the entry as a box of at most w columns that presses its key; where it has several, each is a button of its
// own.
func (e entry) button(st theme.Style, w int) *layout.Box {
	b := layout.Line(layout.ShortenIn(st, e.text(st), w))
	b.Name = e.key
	if e.key == "" {
		b.Name = e.does
	}
	if keys := e.binding.Keys(); len(keys) > 0 && !strings.Contains(strings.Trim(e.key, "-"), "-") { // no range of keys
		b.Press = keys[0]
	}
	x := 0
	for x < len(e.key) {
		n := strings.IndexAny(e.key[x:], "/ ,")
		if n < 0 {
			n = len(e.key) - x
		}
		if name := e.key[x : x+n]; name != "" && name != e.key && isKey(name) {
			space := layout.Space(n, 1).At(x, 0)
			space.Press = name
			b.Add(space)
		}
		x += n + 1
	}
	return b
}

// footer are the entries of bindings that fit into a line of w columns.
func footer(st theme.Style, bindings []key.Binding, w int) []entry {
	whole := entries(st, bindings, false)
	total := -2
	for _, e := range whole {
		total += e.width() + 2
	}
	if total <= w {
		return whole
	}
	all := entries(st, bindings, true)
	used := 0
	for _, e := range all {
		if isAlwaysShown(e.key) {
			used += 2 + e.width()
		}
	}
	var list []entry
	for _, e := range all {
		stays := isAlwaysShown(e.key)
		if n := 2 + e.width(); !stays {
			if used+n-2 > w {
				continue
			}
			used += n
		}
		list = append(list, e)
	}
	return list
}

// entries are the bindings with what they do, in full or in short.
func entries(st theme.Style, bindings []key.Binding, short bool) []entry {
	var list []entry
	for _, b := range bindings {
		if Shown(b) == "" {
			continue
		}
		does := b.Help().Desc
		if i := strings.IndexAny(does, ",:("); short && i > 0 {
			does = strings.TrimSpace(does[:i])
		}
		list = append(list, entry{b, b.Help().Key, st.Plain(does)})
	}
	return list
}
