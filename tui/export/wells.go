package export

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/sanitize"
)

// wells is a picture of the wells of a plate, for the page of a plate and for the report.
type wells struct {
	Columns, Gap                       int
	Width, Height, Number, PrintHeight float64 // in rem
	Radius                             string
	Numbers                            []int
	Rows                               []wellRow
	Legend                             []string
}

// wellRow is a row of wells.
type wellRow struct {
	Letter string
	Cells  []well
}

// well is a well of the picture.
type well struct {
	Class, Number string
	Style         template.CSS
	Lines         []string
}

// wellShade shades wells by a value between two ends; wells whose value is NaN have no shade. Without a text there is
// none.
type wellShade struct {
	text      string
	low, high float64
	value     func(acts.PlatePoint) float64
}

// Plates with more columns than maxWideColumns have small round wells with few lines; others have up to maxWellLines.
const (
	maxWideColumns = 6
	maxWellLines   = 4
)

// newWells is the picture of a plate: lines are the texts in a well, brief ones if it is small.
func newWells(p acts.PlateSheet, shade wellShade, lines func(point acts.PlatePoint, brief bool) []string) wells {
	c := wells{Columns: p.Columns, Gap: 4, Width: min(72, float64(p.Columns)*9+2), Height: 3.2, Number: 1, Radius: ".5rem",
		PrintHeight: 2.4}
	brief := p.Columns > maxWideColumns
	if brief {
		c.Gap = 2
		c.Width = min(72, float64(p.Columns)*3.2+2)
		c.Height = 2.2
		c.Number = .85
		c.Radius = "50%"
		c.PrintHeight = 1.5
	}
	for column := range p.Columns {
		c.Numbers = append(c.Numbers, column+1)
	}
	for row := range p.Rows {
		r := wellRow{Letter: strings.TrimRight(sessions.WellName(row, 0), "0123456789")}
		for column := range p.Columns {
			name := sessions.WellName(row, column)
			i := slices.IndexFunc(p.Points, func(point acts.PlatePoint) bool { return point.Well == name })
			if i < 0 {
				r.Cells = append(r.Cells, well{Class: "empty"})
				continue
			}
			w := newWell(p.Points[i], shade, brief)
			for _, l := range lines(p.Points[i], brief) {
				w.Lines = append(w.Lines, sanitize.Text(l))
			}
			r.Cells = append(r.Cells, w)
		}
		c.Rows = append(c.Rows, r)
	}
	c.legend(p, shade)
	return c
}

// legend explains the picture.
func (c *wells) legend(p acts.PlateSheet, shade wellShade) {
	c.Legend = append(c.Legend, "the number in a well is its point")
	if shade.text != "" {
		c.Legend = append(c.Legend, sanitize.Text(shade.text))
	}
	if slices.ContainsFunc(p.Points, func(point acts.PlatePoint) bool { return point.Control }) {
		c.Legend = append(c.Legend, "thick frame: control")
	}
	if slices.ContainsFunc(p.Points, func(point acts.PlatePoint) bool { return point.Replicate != nil }) {
		c.Legend = append(c.Legend, "=: replicate of a point")
	}
}

// newWell is a well without its lines.
func newWell(point acts.PlatePoint, shade wellShade, brief bool) well {
	w := well{Number: point.Name.String()}
	switch {
	case point.Control:
		w.Class = "control"
	case point.Replicate != nil:
		w.Class, w.Number = "replicate", "= "+point.Replicate.String()
		if !brief {
			w.Number = fmt.Sprintf("%v = %v", point.Name, *point.Replicate)
		}
	}
	if shade.text == "" {
		return w
	}
	if v := shade.value(point); !math.IsNaN(v) && shade.high > shade.low {
		share := min(max((v-shade.low)/(shade.high-shade.low), 0), 1)
		w.Style = template.CSS(fmt.Sprintf("background:hsl(205 70%% %.0f%%)", 97-27*share))
	}
	return w
}
