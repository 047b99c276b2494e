package export

import (
	"context"
	"fmt"
	"html/template"
	"strings"

	"bandscope/functions"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/chart/svg"
	"bandscope/tui/chart/vector"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// The rows of triangles in a picture, which are two in a row, and the traces below them, in pixels.
const (
	triangleH       = 288
	trianglesBottom = top + 2*triangleH
	trianglesH      = trianglesBottom + 176
)

// maxSlices is the largest number of variables whose slices are drawn.
const maxSlices = 12

// figure is a further picture of the report.
type figure struct {
	Picture template.HTML
	Caption string
}

// triangular reports whether the first picture is of three components of a mixture.
func triangular(st sessions.State) bool {
	return st.Problem.Dim() > 2 && picture.FirstPlane(st.Problem).Axes == picture.Ternary
}

// figures adds pictures that the first one does not show: the other mixtures and objectives of mixtures, and the slices
// along all variables.
func (r *contents) figures(ctx context.Context, s *sessions.Session, progress sessions.Progress) error {
	st := s.State()
	if len(st.Iterations) == 0 || st.Config.Playground {
		return nil
	}
	for i := range st.Problem.Mixtures {
		m := &st.Problem.Mixtures[i]
		if len(m.Components) < 3 || i == 0 && len(st.Problem.Objectives) == 1 && triangular(st) {
			continue
		}
		if err := r.figure(ctx, fmt.Sprintf("mixture%d-", i), mixtureCaption(st.Problem, m), func() (*layout.Box, error) {
			progress("drawing the mixture", 0, 0)
			return mixtureFigure(ctx, s, m)
		}); err != nil {
			return err
		}
	}
	if d := st.Problem.Dim(); len(st.Problem.Objectives) > 1 || d < 2 || d > maxSlices {
		return nil
	}
	caption := "Slices through the best point, along each variable: the mean and the band of the model, the results, and the limits."
	if st.Problem.Mixtures != nil {
		caption += " Along a component of a mixture the other components keep their ratio (Cox)."
	}
	return r.figure(ctx, "slices-", caption, func() (*layout.Box, error) {
		progress("drawing the slices", 0, 0)
		return slicesFigure(ctx, s)
	})
}

// figure adds a picture with its caption, or why there is none. id begins the names of its parts.
func (r *contents) figure(ctx context.Context, id, caption string, draw func() (*layout.Box, error)) error {
	var page *layout.Box
	err := parallel.PanicToError(func() (err error) { page, err = draw(); return err })
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.Figures = append(r.Figures, figure{Caption: sanitize.Text(fmt.Sprintf("There is no picture: %v. %s", err, caption))})
		return nil
	case page == nil:
		return nil
	}
	v := svg.New(float64(page.W), float64(page.H), paper())
	v.Name = id
	v.Frame(layout.Arrange(page, page.W, page.H))
	r.Figures = append(r.Figures, figure{template.HTML(v.String()), sanitize.Text(caption)}) //nolint:gosec // drawn here
	return nil
}

// mixtureCaption describes the triangles of a mixture.
func mixtureCaption(p *functions.Problem, m *functions.Mixture) string {
	text := "The mixture of " + strings.Join(m.Components[:3], ", ")
	if len(m.Components) > 3 || p.Dim() > 3 {
		text += ", with the other variables as at the best point"
	}
	if len(p.Objectives) > 1 {
		text += fmt.Sprintf(". The best point is the one with the best %s", p.Objectives[0].Name)
	}
	return text + ". A component has its greatest share at its corner; the dashes beside an edge continue the lines along which it is read."
}

// mixtureFigure draws the mean and the standard deviation of every objective over three components of a mixture.
func mixtureFigure(ctx context.Context, s *sessions.Session, m *functions.Mixture) (*layout.Box, error) {
	st, style := s.State(), paper()
	indices := m.Indices(st.Problem.Domain)
	page := layout.New(pictureW, top+len(st.Problem.Objectives)*triangleH)
	for k := range st.Problem.Objectives {
		v := picture.PlaneOver(st.Problem, indices[2], indices[0], indices[1])
		v.Objective = k
		p, err := picture.Compute(ctx, s, v, nil, nil, nil)
		if err != nil {
			return nil, err
		}
		page.Add(fields(describe(st, p, style), []picture.FieldKind{picture.MeanField, picture.SDField},
			area{left, top + float64(k)*triangleH, pictureW / 2, triangleH}, k == 0)...)
	}
	return page, nil
}

// describe describes a posterior as it is drawn in files.
func describe(st sessions.State, p *picture.Posterior, style theme.Style) picture.Description {
	return picture.Describe(picture.Drawing{Style: style, State: st, Posterior: p, Map: chart.Viridis, Contours: true,
		Reveal: st.Problem.Truth != nil}, picture.MeanField, nil)
}

// fields draws fields in rows of two, each with its color scale in an area like the first one. The first ones have
// the legend.
func fields(d picture.Description, kinds []picture.FieldKind, a area, first bool) (boxes []*layout.Box) {
	p := d.Posterior
	if first && d.State.Problem.Dim() > len(p.View.Variables()) {
		boxes = append(boxes, svg.Content(svg.Label{Text: "the other variables are at the best point",
			Anchor: vector.End, Color: d.Style.Dim}, pictureW-16, 16, 1, 1))
	}
	titled := a.x + plotInset
	if p.View.Axes == picture.Ternary {
		titled = a.x + 8
	}
	for i, kind := range kinds {
		if p.Fields[kind].Empty() {
			continue
		}
		dx, y := float64(i%2)*a.w, a.y+float64(i/2)*a.h
		panel := d.Panel(kind)
		if first && (kind == picture.MeanField || len(kinds) == 1) {
			boxes = append(boxes, legend(panel.Chart.Layers))
		}
		name, _, _ := strings.Cut(panel.Titles[0], ":") // without the formula of an acquisition function
		if p.View.Objective != 0 {                      // results are described by their first value
			panel.Axes.Marks = nil
		}
		boxes = append(boxes, label(name, titled+dx, y+4, d.Style.Text),
			svg.Chart(fmt.Sprint("field", p.View.Objective, "-", kind), panel.Chart, a.x+dx, y, a.w-54, a.h-8, d.Style,
				panel.Axes.Marks),
			svg.Content(d.Scale(kind), a.x+dx+a.w-50, y+8, 48, a.h-58))
	}
	return boxes
}

// The slices, in pixels.
const (
	slicesInRow = 3
	sliceH      = 216
	slicesTop   = 44
)

// slicesFigure draws the slices along all variables through the best point.
func slicesFigure(ctx context.Context, s *sessions.Session) (*layout.Box, error) {
	st := s.State()
	style := paper()
	dim := st.Problem.Dim()
	rows := (dim + slicesInRow - 1) / slicesInRow
	page := layout.New(pictureW, slicesTop+rows*sliceH)
	for j := range dim {
		line, err := picture.ComputeSlice(ctx, s, picture.View{X: j}, nil, nil)
		if err != nil {
			return nil, err
		}
		panel := describe(st, line, style).Panel(picture.MeanField)
		if j == 0 {
			page.Add(svg.Content(chart.Caption(panel.Chart.Layers), left+plotInset, 16, pictureW-left-plotInset, 1))
		}
		const w = pictureW / slicesInRow
		page.Add(svg.Chart(fmt.Sprint("slice", j), panel.Chart, float64(j%slicesInRow*w),
			slicesTop+float64(j/slicesInRow)*sliceH, w-8, sliceH-8, style, panel.Axes.Marks))
	}
	return page, nil
}
