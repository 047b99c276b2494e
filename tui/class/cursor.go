package class

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions/sanitize"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// cursor is a point of a domain that keys and the mouse move.
type cursor struct {
	domain   functions.Domain
	at       []float64 // in the units of the variables
	selected int       // the variable that the keys move, of three or more
}

// newCursor puts a cursor into the middle of a domain.
func newCursor(d functions.Domain) cursor {
	c := cursor{domain: d}
	for _, v := range d {
		c.at = append(c.at, tidy(v, picture.NearestAxisValue(v, 0.5)))
	}
	return c
}

// tidy is a value of a variable with few digits, within its bounds.
func tidy(v functions.Variable, x float64) float64 {
	if v.Levels() > 0 {
		return x
	}
	return min(max(v.Snap(numfmt.Round(x)), v.Low), v.High)
}

// set puts the cursor at values of the first variables, as far as they are valid.
func (c *cursor) set(values ...float64) {
	point := slices.Clone(c.at)
	for j, x := range values[:min(len(values), len(point))] {
		point[j] = tidy(c.domain[j], c.domain[j].Snap(min(max(x, c.domain[j].Low), c.domain[j].High)))
	}
	if c.domain.Check(point) == nil {
		c.at = point
	}
}

// move moves the cursor along a variable by so many hundredths of its axis, or by so many levels.
func (c *cursor) move(j, steps int) {
	v, x := c.domain[j], c.at[j]
	if n := v.Levels(); n > 0 {
		x = v.Level(min(max(v.Nearest(x)+steps, 0), n-1))
	} else {
		u := min(max(picture.AxisFraction(v, x)+float64(steps)/100, 0), 1)
		x = tidy(v, picture.AxisValue(v, u))
	}
	point := slices.Clone(c.at)
	point[j] = x
	if c.domain.Check(point) == nil {
		c.at = point
	}
}

// press moves the cursor by an arrow: by 1, or with shift by 10. Of three or more variables up and down select one.
func (c *cursor) press(msg tea.KeyPressMsg) {
	name, steps := msg.String(), 1
	if rest, ok := strings.CutPrefix(name, "shift+"); ok {
		name, steps = rest, 10
	}
	switch n := len(c.domain); name {
	case "left":
		c.move(c.selected, -steps)
	case "right":
		c.move(c.selected, steps)
	case "up":
		if n == 2 {
			c.move(1, steps)
		} else {
			c.selected = max(c.selected-1, 0)
		}
	case "down":
		if n == 2 {
			c.move(1, -steps)
		} else {
			c.selected = min(c.selected+1, n-1)
		}
	}
}

// click puts the cursor where the mouse is pressed on the plot, and reports whether it was.
func (c *cursor) click(msg tea.Msg) bool {
	hit, ok := msg.(widget.Hit)
	if _, clicked := hit.MouseMsg.(tea.MouseClickMsg); !ok || !clicked {
		return false
	}
	name, values := hit.Value()
	if name != plotName || len(values) == 0 {
		return false
	}
	for j := range values {
		if v := c.domain[j]; v.Levels() > 0 {
			values[j] = picture.NearestAxisValue(v, picture.AxisFraction(v, values[j]))
		}
	}
	c.set(values...)
	return true
}

// parse puts the cursor at a typed point: a value of the selected variable, or one of each, separated by commas.
func (c *cursor) parse(text string) error {
	fields := functions.SplitList(strings.ReplaceAll(text, ";", ","), ',')
	if slices.Contains(c.domain[c.selected].Choices, strings.TrimSpace(text)) { // a name with commas
		fields = []string{text}
	}
	point, first := slices.Clone(c.at), 0
	switch len(fields) {
	case len(point):
	case 1:
		first = c.selected
	default:
		return errors.New("type one value, or one for each variable, separated by commas")
	}
	for i, f := range fields {
		v := c.domain[first+i]
		x, err := v.Parse(encoding.Complete(v, strings.TrimSpace(f)))
		if err == nil {
			err = v.Check(x)
		}
		if err != nil {
			return err
		}
		point[first+i] = x
	}
	c.at = point
	return nil
}

// text is the point of the cursor.
func (c *cursor) text() string { return sanitize.Text(widget.Point(c.domain, c.at)) }

// pointPage is a page on which a person chooses a point with the cursor.
type pointPage struct {
	page
	cursor cursor
}

func (m *pointPage) move(msg tea.KeyPressMsg) tea.Cmd {
	m.cursor.press(msg)
	return nil
}

func (m *pointPage) typePoint() tea.Cmd {
	cmd := m.Status.Ask("point", "", func(text string) tea.Cmd {
		if err := m.cursor.parse(text); err != nil {
			return m.Status.Again(err.Error())
		}
		return nil
	})
	m.Status.Hint("one value, or one for each variable, separated by commas; enter puts the cursor there")
	return cmd
}

// other takes a message that is no key: for the open field, or a click on the plot. cannot is why no point is chosen now;
// empty if one is.
func (m *pointPage) other(msg tea.Msg, cannot string) tea.Cmd {
	if m.Status.Open() {
		return m.Status.Type(msg)
	}
	if cannot == "" {
		m.cursor.click(msg)
	}
	return nil
}

// pointCommands are the commands with which a point is chosen on a page; cannot is why none is chosen now, and does
// names what do does with it.
func pointCommands[M interface {
	move(tea.KeyPressMsg) tea.Cmd
	typePoint() tea.Cmd
}](does string, cannot func(M) string, do func(M) tea.Cmd) []widget.Command[M] {
	return []widget.Command[M]{
		{Binding: widget.Bind("arrows", "move (shift: faster)", "left", "right", "up", "down", "shift+left", "shift+right",
			"shift+up", "shift+down"), DisabledReason: cannot, Do: M.move},
		widget.NewCommand(widget.Bind("e", "type a point", "e"), cannot, M.typePoint),
		widget.NewCommand(widget.Bind("enter", does, "enter"), cannot, do),
	}
}
