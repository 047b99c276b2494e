package layout

import (
	"image"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

var mono = theme.New(true, theme.NoColor, false)

// drawn are the lines of a frame without colours.
func drawn(root *Box, w, h int) []string { return strings.Split(ansi.Strip(Render(root, w, h)), "\n") }

// A panel has its title in its border and cuts what is too large for it; a divided one has a line between its parts,
// and a foot in its lower edge.
func TestPanels(t *testing.T) {
	for _, c := range []struct {
		name string
		root *Box
		want []string
	}{
		{"one part", Panel(mono, "belief", Text(9, "some 123456", "b", "c"), 11, 4, false),
			[]string{"╭─ belief ╮", "│some...  │", "│b        │", "╰─────────╯"}},
		{"a title that is cut", Panel(mono, "the belief here", nil, 14, 2, false),
			[]string{"╭─ the… ─────╮", "╰────────────╯"}},
		{"two parts", SplitPanel(mono, 10, 6, false, &Part{Title: "up", Body: Text(8, "a")},
			&Part{Title: "low", Body: Text(8, "b", "c", "d")}),
			[]string{"╭─ up ───╮", "│a       │", "├─ low ──┤", "│b       │", "│c       │", "╰────────╯"}},
		{"plain characters", Panel(theme.New(true, theme.NoColor, true), "up", nil, 10, 2, false),
			[]string{"+- up ---+", "+--------+"}},
		{"too small for a border", Panel(mono, "up", Text(3, "a"), 1, 2, false), []string{"", ""}},
		{"a foot", func() *Box {
			p := Panel(mono, "", nil, 12, 2, false)
			Foot(mono, p, "3/9")
			return p
		}(), []string{"╭──────────╮", "╰─ 3/9 ────╯"}},
	} {
		if got := drawn(c.root, c.root.W, c.root.H); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// Boxes stand where they were put, flow into rows, and are cut by what holds them.
func TestPlaces(t *testing.T) {
	word := func(s string) *Box { return Line(s).Prose(s, "", "It says "+s+".") }
	root := Column(Row(word("ab"), Space(1, 1), word("cd")), FlowBoxes(7, 1, word("one"), word("two"), word("six")),
		New(3, 1, word("wide one")))
	if got, want := drawn(root, 9, 5), []string{"ab cd", "one two", "six", "wid"}; !slices.Equal(got[:4], want) {
		t.Errorf("%q, want %q", got, want)
	}
	f := Arrange(root, 9, 5)
	boxes := f.DescribedBoxes()
	where := map[string]Span{}
	for _, p := range boxes {
		where[p.Name] = f.Spans(p)[0]
	}
	for name, want := range map[string]Span{
		"ab": {0, 0, 2}, "cd": {0, 3, 5}, "two": {1, 4, 7}, "six": {2, 0, 3}, "wide one": {3, 0, 3}} {
		assert.Equal(t, want, where[name], "%q is at", name)
	}
	if faults := f.Faults(); len(faults) != 1 || !strings.Contains(faults[0], "wide one") {
		t.Errorf("the faults are %q", faults)
	}
	if got := drawn(Text(9, "two words here", "two"), 9, 1); got[0] != "two..." {
		t.Errorf("a text without room is %q", got)
	}
	if p := f.PathAt(4, 0); len(p) != 3 || p[2].Name != "cd" || f.Path(p[2]) != "cd" {
		t.Errorf("under the second word lies %v", p)
	}
	if p := f.PathAt(8, 4); len(p) != 0 {
		t.Errorf("under a free cell lies %v", p)
	}
}

// A mark is lit with its entry elsewhere; of things over each other the smallest is chosen; a cursor is where the box
// with it stands, unless it is cut away.
func TestMarks(t *testing.T) {
	entry := Line("* best")
	mark := New(5, 3).Describe(Mark, "best", "incumbent", Static("The best is 3."))
	mark.Cells = func() []Span { return []Span{{1, 2, 3}, {2, 4, 9}} }
	mark.Linked = []*Box{entry}
	chart := New(5, 3, mark).Section("chart", "", "What is drawn here.")
	root := Column(entry, chart)
	f := Arrange(root, 6, 4)
	var best PlacedBox
	for _, p := range f.DescribedBoxes() {
		if p.Name == "best" {
			best = p
		}
	}
	if got, want := f.Spans(best), []Span{{2, 2, 3}, {3, 4, 5}, {0, 0, 6}}; !slices.Equal(got, want) {
		t.Errorf("lit are %v, want %v", got, want)
	}
	if p, ok := f.DescribedAt(2, 2); !ok || p.Name != "best" {
		t.Errorf("on the mark lies %q", p.Name)
	}
	if p, ok := f.DescribedAt(0, 2); !ok || p.Name != "chart" {
		t.Errorf("beside the mark lies %q", p.Name)
	}
	field := New(4, 1).At(1, 2)
	field.Cursor = &image.Point{X: 2}
	f = Arrange(New(6, 4, field), 6, 4)
	if cursor, ok := f.Cursor(); !ok || cursor != image.Pt(3, 2) {
		t.Errorf("the cursor is at %v, %t", cursor, ok)
	}
	if _, ok := Arrange(New(6, 4, field), 3, 4).Cursor(); ok {
		t.Error("a cursor outside of the window is shown")
	}
}

// All is dimmed but what is lit: marks keep their colours, numbers become bright, and without colours they are turned
// over.
func TestLight(t *testing.T) {
	for _, tier := range []theme.Tier{theme.NoColor, theme.Color256, theme.TrueColor} {
		st := theme.New(true, tier, false)
		for _, kind := range []Kind{Mark, Number} {
			c := lipgloss.NewCanvas(6, 1)
			for x, glyph := range []string{"a", "b", "▀", "c"} {
				c.SetCell(x, 0, &uv.Cell{Content: glyph, Width: 1, Style: uv.Style{Fg: st.Color(st.Mean)}})
			}
			c.SetCell(4, 0, &uv.Cell{Content: "d", Width: 1,
				Style: uv.Style{Fg: st.Color(st.Mean), Bg: st.Color(st.Band)}})
			Highlight(c, st, []Span{{0, 1, 2}, {7, 0, 3}, {0, 90, 99}}, kind)
			lit, faint, area, field := c.CellAt(1, 0).Style, c.CellAt(3, 0).Style, c.CellAt(4, 0).Style, c.CellAt(2, 0)
			switch {
			case tier == theme.NoColor:
				if lit.Attrs&uv.AttrReverse == 0 || faint.Attrs != 0 || field.Content != " " {
					t.Errorf("without colours: lit is %+v, the rest %+v, a field %q", lit, faint, field.Content)
				}
			case kind == Mark && lit.Fg != st.Color(st.Mean),
				kind == Number && (lit.Fg != st.Color(st.Text) || lit.Attrs&uv.AttrBold == 0):
				t.Errorf("tier %d, kind %d: lit is %+v", tier, kind, lit)
			case faint.Fg != st.Color(st.Border) || faint.Bg != nil:
				t.Errorf("tier %d: what is dimmed is %+v", tier, faint)
			case tier == theme.Color256 && (field.Content != " " || area.Bg != nil):
				t.Errorf("tier %d: a field that cannot be mixed is %q, an area %+v", tier, field.Content, area)
			case tier == theme.TrueColor:
				r, g, b, _ := area.Bg.RGBA()
				r0, g0, b0, _ := st.Color(st.Band).RGBA()
				if r>>8 >= r0>>8 || g>>8 >= g0>>8 || b>>8 >= b0>>8 || field.Content != "▀" {
					t.Errorf("an area of %v is dimmed to %v", st.Color(st.Band), area.Bg)
				}
			}
		}
	}
}

// Wherever a canvas leaves a colour to the terminal it gets the palette's own, and nothing else of it changes; without
// colours all stays.
func TestPage(t *testing.T) {
	for _, tier := range []theme.Tier{theme.NoColor, theme.Color16, theme.TrueColor} {
		st := theme.New(false, tier, false)
		c := lipgloss.NewCanvas(3, 1)
		c.SetCell(0, 0, &uv.Cell{Content: "a", Width: 1})
		c.SetCell(1, 0, &uv.Cell{Content: "b", Width: 1, Style: uv.Style{Fg: st.Color(st.Mean), Bg: st.Color(st.Band)}})
		FillPage(c, st)
		for x, want := range []uv.Style{
			{Fg: st.Color(st.Text), Bg: st.Color(st.Page)}, {Fg: st.Color(st.Mean), Bg: st.Color(st.Band)},
			{Fg: st.Color(st.Text), Bg: st.Color(st.Page)}} {
			if tier == theme.NoColor {
				want = uv.Style{}
			}
			if got := c.CellAt(x, 0).Style; !got.Equal(&want) {
				t.Errorf("tier %d: cell %d is %+v, want %+v", tier, x, got, want)
			}
		}
	}
}

// Text that is too long is cut between words, a number never within, and padded where it is short.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
	}{{"a word here·", 12, "a word here·"}, {"a word here·", 10, "a word…   "}, {"step·1234567", 8, "…       "},
		{"ab", 4, "ab  "}, {"ab", 0, ""}, {"plain words", 9, "plain... "}} {
		assert.Equal(t, c.want, Fit(c.text, c.w), "%q in %d columns", c.text, c.w)
	}
	assert.Equal(t, "step 1234 …", ShortenIn(mono, "step 1234 is done", 11), "shortened to")
	assert.Equal(t, "One two three…", Excerpt("One two\tthree four.", 3), "briefly")
}
