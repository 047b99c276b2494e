package plane

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/appraisal"
	"bandscope/sessions/safe"
	"bandscope/tui/belief"
	"bandscope/tui/explore/picture"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
	"bandscope/tui/screen"
)

// places is where the parts of the panel are, in cells inside of its frame.
type places struct {
	w, h         int // of the fields
	bar          int // width of the colour bar
	small        int // width of the small fields, 0 where there is no room
	slices       int // height of the slices with their dividing line, 0 where there is no room
	plotW, plotH int // of the large field with its axes
}

func (p *Picture) layout(s picture.Scene) places {
	l := places{w: s.W - 2, h: s.H - 2 - len(p.legend(s)), bar: 10}
	if s.H >= 28 || s.Overlay.Cursor != nil {
		l.slices = max(l.h/4, 6)
	}
	l.h -= l.slices
	if l.w >= 66 && l.h >= 16 {
		l.small = max(l.w/4, 20)
	}
	l.plotW, l.plotH = l.w-l.small-l.bar, l.h
	return l
}

// frame is the geometry of the large field.
func (p *Picture) frame(s picture.Scene) plot.Frame {
	if p.plane == nil {
		return plot.Frame{}
	}
	l := p.layout(s)
	return p.Chart(s).Frame(l.plotW, l.plotH)
}

// drawing declares what the fields show.
func (p *Picture) drawing(s picture.Scene) belief.PlaneDrawing {
	return belief.PlaneDrawing{Style: s.Style, State: s.State, Plane: p.Drawn(s), Map: colorMaps[p.colors], Shared: !p.own,
		Contours: p.contours, Numbers: p.numbers, Reveal: s.Reveal, Cursor: s.Overlay.Cursor,
		Marks: append(s.Strangers(func(r appraisal.Stranger) (x, y float64, shown bool) {
			return r.X[p.view.X], r.X[p.view.Y], r.Objective == 0
		}, true), s.Marks...)}
}

// Chart declares the large field, of a picture that is there.
func (p *Picture) Chart(s picture.Scene) plot.Chart {
	d := p.drawing(s)
	return d.Chart(p.large(), d.Scale(p.large()), false)
}

func (p *Picture) key(s picture.Scene) string {
	return s.Key(p.plane, p.view, p.big, p.contours, p.numbers, p.own, p.colors)
}

func (p *Picture) legend(s picture.Scene) []string {
	if p.plane == nil {
		return []string{""}
	}
	return p.cache.Lines("legend", p.key(s), func() []string { return s.Legend(p.Chart(s).Layers) })
}

// Panel draws the fields, and the slices below them.
func (p *Picture) Panel(s picture.Scene) []string {
	if p.plane == nil || p.plane.Head != s.State.Head && s.Late {
		return s.Fitting(p.title(s))
	}
	l := p.layout(s)
	body := slices.Clone(p.legend(s))
	body = append(body, p.cache.Lines("fields", p.key(s), func() []string { return p.fields(s, l) })...)
	at := len(body)
	if l.slices > 0 {
		body = append(body, "")
		body = append(body, p.sliceLines(s, l.slices-1)...)
	}
	lines := screen.Panel(s.Style, p.title(s), body, s.W, s.H, false)
	if l.slices > 0 {
		what := "along the best point"
		if s.Overlay.Cursor != nil {
			what = "along the cursor"
		}
		lines[1+at] = screen.Divide(s.Style, what, s.W)
	}
	return lines
}

// large is the field that is shown large: the chosen one, or while that is computed the function that chooses, which is at hand first.
func (p *Picture) large() belief.FieldKind {
	if b := p.plane; b != nil && len(b.Fields[p.big].Z) == 0 && !b.Known[p.big] && len(b.Fields[belief.SampleField].Z) > 0 {
		return belief.SampleField
	}
	return p.big
}

// title names the large field.
func (p *Picture) title(s picture.Scene) string {
	said := fmt.Sprintf("%d %s", p.large()+1, p.plane.Name(p.large()))
	if d := s.State.Problem.Dim(); d > 2 {
		where := "at the best point"
		if s.Overlay.Cursor != nil {
			where = "at the cursor"
		}
		said += fmt.Sprintf(" · the other %s %s ([ ] { } turn)", screen.Counted(d-2, "variable"), where)
	}
	if n := len(p.zooms); n > 0 {
		said += fmt.Sprintf(" · ×%d", 1<<n)
	}
	return s.Style.Plain(said)
}

// fields are the large field with its colour bar, and the others, small, at its right.
func (p *Picture) fields(s picture.Scene, l places) []string {
	d, big := p.drawing(s), p.large()
	scale := d.Scale(big)
	blocks := [][]string{field(s, d, big, scale, l.plotW, l.plotH, false)}
	var bar []string
	if p.seen(s, big) {
		bar = plot.ColorBar(scale, l.bar-1, l.plotH-1, s.Style)
	}
	for i := range bar {
		bar[i] = " " + bar[i]
	}
	blocks = append(blocks, append(bar, layout.Fit("", l.bar)))
	if l.small > 0 {
		blocks = append(blocks, p.smallFields(s, d, l))
	}
	return screen.Beside(blocks...)
}

// smallNames name the small fields.
var smallNames = [...]string{"truth", "mean", "sd", "acquisition", "sample", "cost", "feasible"}

// others are the fields that are shown beside the large one.
func (p *Picture) others(s picture.Scene) (kinds []belief.FieldKind) {
	b := p.Drawn(s)
	for k := range belief.FieldKinds {
		if k != p.large() && !secret(s, b, k) && (k != belief.TrueField || s.Reveal) && (k != belief.CostField || s.State.Problem.Cost != nil) && (k != belief.FeasibleField || len(b.Fields[k].Z) > 0) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// smallFields are the other fields, one under the other, each with its name and its range.
func (p *Picture) smallFields(s picture.Scene, d belief.PlaneDrawing, l places) []string {
	st, kinds := s.Style, p.others(s)
	var lines []string
	for i, k := range kinds {
		top, bottom := l.plotH*i/len(kinds), l.plotH*(i+1)/len(kinds)
		scale := d.Scale(k)
		title := fmt.Sprintf(" %d %s", k+1, smallNames[k])
		if len(d.Plane.Fields[k].Z) > 0 {
			title += ends(scale, l.small-len(title))
		}
		lines = append(lines, layout.Fit(st.Paint(st.Dim, st.Plain(title)), l.small))
		for _, line := range field(s, d, k, scale, l.small, bottom-top-1, true) {
			lines = append(lines, layout.Fit(line, l.small))
		}
	}
	return lines
}

// ends are the ends of a scale in at most w columns, with as many digits as there is room for; nothing where there is none for either.
func ends(s colormap.Scale, w int) string {
	const between = " to "
	room := w - len(between) - 1
	lo := screen.NumberIn(s.Told(s.Lo), (room+1)/2)
	hi := screen.NumberIn(s.Told(s.Hi), room-len(lo))
	lo = screen.NumberIn(s.Told(s.Lo), room-len(hi))
	if room < 2 || lo == "…" || hi == "…" {
		return ""
	}
	return " " + lo + between + hi
}

// field is one field, or why there is none.
func field(s picture.Scene, d belief.PlaneDrawing, k belief.FieldKind, scale colormap.Scale, w, h int, small bool) []string {
	switch {
	case secret(s, d.Plane, k):
		return picture.Saying(s.Style, "hidden until you have chosen a point: x", w, h)
	case k == belief.TrueField && !s.Reveal:
		return picture.Saying(s.Style, "the true function is hidden (t)", w, h)
	case len(d.Plane.Fields[k].Z) > 0:
		return d.Chart(k, scale, small).Draw(w, h, s.Style).Lines()
	case d.Plane.Known[k]:
		return picture.Saying(s.Style, "this method has none", w, h)
	}
	return picture.Saying(s.Style, "computing…", w, h)
}

// sliceLines are the two slices through the cursor side by side.
func (p *Picture) sliceLines(s picture.Scene, h int) []string {
	w := s.W - 2
	var blocks [][]string
	for k := range 2 {
		width, gap := w/2+k*(w-2*(w/2)), p.gap(s, k)
		line := p.slices.lines[k]
		if line == nil {
			why := "computing…"
			if p.slices.err != nil {
				why = safe.Text("no slice: " + p.slices.err.Error())
			}
			blocks = append(blocks, picture.Saying(s.Style, why, width, h))
			continue
		}
		blocks = append(blocks, p.cache.Lines(fmt.Sprint("slice", k), s.Key(line, width, h), func() []string {
			drawn := p.slice(s, k).Chart().Draw(width-gap, h, s.Style).Lines()
			for i := range drawn {
				drawn[i] = strings.Repeat(" ", gap) + drawn[i]
			}
			return drawn
		}))
	}
	return screen.Beside(blocks...)
}

// slice declares one of the slices, which is there.
func (p *Picture) slice(s picture.Scene, k int) belief.Drawing {
	line := p.slices.lines[k]
	return belief.Drawing{Style: s.Style, State: s.State, Picture: line, Variable: line.View.Variable, Reveal: s.Reveal, Cursor: anchor(s.Overlay.Cursor, s.State), Truth: p.slices.truth[k]}
}

// gap is how many columns stand before a slice, between the names of the two axes.
func (p *Picture) gap(s picture.Scene, k int) int {
	if k == 1 && p.stepped(s) {
		return 1
	}
	return 0
}
