package views

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/view"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// Turn is a call of one of the picture's keys: the scene, and its effects.
type Turn struct {
	*Plane
	*view.Turn
}

// Commands are the keys of the fields. They work while the picture is shown.
func Commands() []widget.Command[Turn] {
	return []widget.Command[Turn]{
		{Binding: widget.Bind("1-7", "enlarge a field", "1", "2", "3", "4", "5", "6", "7"), Do: Turn.enlarge},
		widget.NewCommand(widget.Bind("} {", "other second variable", "}"), Turn.noOther, func(t Turn) tea.Cmd {
			return t.second(+1)
		}),
		widget.NewCommand(widget.Bind("", "other second variable", "{"), Turn.noOther, func(t Turn) tea.Cmd {
			return t.second(-1)
		}),
		widget.NewCommand(widget.Bind("l", "contour lines", "l"), nil, func(t Turn) tea.Cmd {
			t.contours = !t.contours
			if t.contours && t.stepped(t.Scene) {
				return t.Say("fields over discrete variables have no contour lines")
			}
			return t.Say("contour lines are " + map[bool]string{true: "shown", false: "hidden"}[t.contours])
		}),
		widget.NewChange(widget.Bind("#", "number the points", "#"), nil, func(t Turn) { t.numbers = !t.numbers }),
		widget.NewCommand(widget.Bind("y", "shared or separate colour scales", "y"), nil, func(t Turn) tea.Cmd {
			t.own = !t.own
			return t.Say(map[bool]string{true: "each field has its own colour scale",
				false: "truth, mean and sample share a colour scale"}[t.own])
		}),
		widget.NewCommand(widget.Named("colour map"), nil, func(t Turn) tea.Cmd {
			t.colors = (t.colors + 1) % len(colorMaps)
			return t.Say("colour map: " + colorMaps[t.colors].Name)
		}).Long("change the colour map of the fields"),
	}
}

func (t Turn) noOther() string {
	switch d := t.State.Problem.Dim(); {
	case d == 2:
		return "the plot already shows both variables"
	case d == 3 && t.view.Axes == picture.Ternary:
		return "the triangle already shows all components"
	}
	return ""
}

// enlarge makes the field of a digit the large one.
func (t Turn) enlarge(msg tea.KeyPressMsg) tea.Cmd {
	kind := picture.FieldKind(msg.Code - '1')
	switch {
	case kind == picture.CostField && t.State.Problem.Cost == nil:
		return t.Say("all evaluations have the same cost; set a cost with --cost")
	case kind == picture.FeasibleField && (t.plane == nil || t.plane.Known[kind] && len(t.plane.Fields[kind].Z) == 0):
		return t.Say("there is no feasibility: no output has a limit, and failures are not modelled")
	case t.big == kind:
		t.Say(fmt.Sprintf("field %s is already the large one", msg.Text))
	}
	t.big = kind
	return nil
}

// second shows another second variable.
func (t Turn) second(delta int) tea.Cmd {
	y := other(t.Scene, t.view.Y, t.view.X, delta)
	if t.view.Axes == picture.Ternary {
		y = t.beyondTriangle(t.Scene, t.view.Y, delta)
	}
	t.view = picture.PlaneOver(t.State.Problem, t.view.X, y, t.view.Z)
	return t.Recompute()
}

// ZoomIn halves the visible range around the cursor, or the best point.
func (t Turn) ZoomIn() tea.Cmd {
	v := t.view
	if v.Axes == picture.Ternary {
		return t.Say("a triangle shows all mixtures; narrow a component to look at a part of it")
	}
	if v.High[0]-v.Low[0] < 1e-3 {
		return t.Say("this is the maximum zoom")
	}
	center, domain := anchor(t.Overlay.Cursor, t.State), t.State.Problem.Domain
	t.zooms, t.view = append(t.zooms, v), v.Zoomed(
		[2]float64{picture.AxisFraction(domain[v.X], center[v.X]), picture.AxisFraction(domain[v.Y], center[v.Y])})
	return t.Recompute()
}

// ZoomOut shows the previous range, or the whole domain.
func (t Turn) ZoomOut(whole bool) tea.Cmd {
	n := len(t.zooms)
	if n == 0 {
		return t.Say("the plot already shows the whole domain")
	}
	if whole {
		n = 1
	}
	t.view, t.zooms = t.zooms[n-1], t.zooms[:n-1]
	return t.Recompute()
}
