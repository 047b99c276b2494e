package plane

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/belief"
	"bandscope/tui/belief/along"
	"bandscope/tui/explore/picture"
	"bandscope/tui/screen"
)

// Turn is a call of one of the picture's keys: what it sees, and what comes of it.
type Turn struct {
	*Picture
	*picture.Turn
}

// Commands are the keys of fields. They are pressed where the picture is shown.
func Commands() []screen.Command[Turn] {
	return []screen.Command[Turn]{
		{Binding: screen.Bind("1-7", "which field is large", "1", "2", "3", "4", "5", "6", "7"), Do: Turn.enlarge},
		screen.Do(screen.Bind("} {", "the second variable", "}"), Turn.noOther, func(t Turn) tea.Cmd { return t.second(+1) }),
		screen.Do(screen.Bind("", "the second variable", "{"), Turn.noOther, func(t Turn) tea.Cmd { return t.second(-1) }),
		screen.Do(screen.Bind("z", "zoom to the cursor, or the best point", "z"), nil, Turn.zoom),
		screen.Do(screen.Bind("Z", "zoom back", "Z"), Turn.whole, Turn.zoomBack),
		screen.Do(screen.Bind("l", "contour lines", "l"), nil, func(t Turn) tea.Cmd {
			if t.contours = !t.contours; t.contours && t.stepped(t.Scene) {
				return t.Say("a field of levels has steps, and no contour lines")
			}
			return t.Say(map[bool]string{true: "contour lines are drawn", false: "no contour lines"}[t.contours])
		}),
		screen.Do(screen.Bind("#", "number the points", "#"), nil, func(t Turn) tea.Cmd { t.numbers = !t.numbers; return nil }),
		screen.Do(screen.Bind("y", "one colour scale, or each its own", "y"), nil, func(t Turn) tea.Cmd {
			t.own = !t.own
			return t.Say(map[bool]string{true: "each field has a colour scale of its own", false: "truth, mean and sample have one colour scale"}[t.own])
		}),
		screen.Do(screen.Bind("Y", "colour map", "Y"), nil, func(t Turn) tea.Cmd {
			t.colors = (t.colors + 1) % len(colorMaps)
			return t.Say("colours: " + colorMaps[t.colors].Name)
		}),
	}
}

func (t Turn) noOther() string {
	if t.State.Problem.Dim() == 2 {
		return "both variables are shown"
	}
	return ""
}

func (t Turn) whole() string {
	if len(t.zooms) == 0 {
		return "this is the whole domain"
	}
	return ""
}

// enlarge makes the field of a digit the large one.
func (t Turn) enlarge(msg tea.KeyPressMsg) tea.Cmd {
	kind := belief.FieldKind(msg.Code - '1')
	switch {
	case kind == belief.CostField && t.State.Problem.Cost == nil:
		return t.Say("all evaluations cost the same here; --cost gives them a cost")
	case kind == belief.FeasibleField && (t.plane == nil || t.plane.Known[kind] && len(t.plane.Fields[kind].Z) == 0):
		return t.Say("nothing that is measured has a limit here, and no failures are learned")
	case t.big == kind:
		t.Say(fmt.Sprintf("field %s is the large one", msg.Text))
	}
	t.big = kind
	return nil
}

// second chooses the second variable.
func (t Turn) second(by int) tea.Cmd {
	t.view = belief.WholePlane(t.view.X, other(t.Scene, t.view.Y, t.view.X, by))
	return t.Anew()
}

// zoom halves the window around the cursor, or the best point.
func (t Turn) zoom() tea.Cmd {
	v := t.view
	if v.High[0]-v.Low[0] < 1e-3 {
		return t.Say("this is as near as it goes")
	}
	at, domain := anchor(t.Overlay.Cursor, t.State), t.State.Problem.Domain
	t.zooms, t.view = append(t.zooms, v), v.Zoomed([2]float64{along.Part(domain[v.X], at[v.X]), along.Part(domain[v.Y], at[v.Y])})
	return t.Anew()
}

// zoomBack shows the window before.
func (t Turn) zoomBack() tea.Cmd {
	n := len(t.zooms)
	t.view, t.zooms = t.zooms[n-1], t.zooms[:n-1]
	return t.Anew()
}
