package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart/svg"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

const (
	stepPictures = 24 // number of newest suggestions with a picture of the model at that time
	stepPoints   = 10 // number of points of each that are listed
)

// entry is a step with its picture, its decisions and its notes.
type entry struct {
	Title, Caption string
	Points         []string // each with its results
	Picture        template.HTML
	Lines          []string
	Notes          []noted
}

// noted is a note with its earlier texts.
type noted struct {
	Text   template.HTML
	Former []string
}

// steps describes the branch from its beginning: the model when a point was chosen, later corrections and decisions,
// and the notes.
func (r *contents) steps(ctx context.Context, b reportData, progress sessions.Progress) error {
	all := append(append([]sessions.Iteration{}, b.state.Iterations...), b.state.Pending...)
	if len(all) > stepPictures {
		r.Unpictured = fmt.Sprintf("The newest %d of %d suggestions have pictures.", stepPictures, len(all))
	}
	for step := range len(all) + 1 {
		e := entry{Title: "Before the first experiment"}
		if step > 0 {
			it := all[step-1]
			e.Title = fmt.Sprintf("Experiment %d, step %d", it.Number, step)
			if step > len(b.state.Iterations) {
				e.Title = fmt.Sprintf("Experiment %d, pending", it.Number)
			}
			if first := max(len(all)-stepPictures, 0); step > first {
				progress("drawing the model", step-first-1, len(all)-first)
				for i := range min(len(it.Points), stepPoints) {
					e.Points = append(e.Points, b.point(it, i))
				}
				if hidden := len(it.Points) - stepPoints; hidden > 0 {
					e.Points = append(e.Points, "… and "+widget.Count(hidden, "more point"))
				}
				if err := b.draw(ctx, it, &e); err != nil {
					return err
				}
			}
		}
		if step <= len(b.state.Iterations) {
			if err := b.written(step, &e); err != nil {
				return err
			}
		}
		if e.Caption != "" || len(e.Lines)+len(e.Notes) > 0 {
			r.Entries = append(r.Entries, e)
		}
	}
	return nil
}

// written adds the decisions and notes after a step.
func (b reportData) written(step int, e *entry) error {
	for _, a := range b.history.Acts {
		if a.Step == step {
			line := stamp(a.At)
			if a.By.Known() {
				line += ", " + a.By.String()
			}
			e.Lines = append(e.Lines, sanitize.Text(line+": "+a.Text))
		}
	}
	for _, n := range b.state.NotesAt(step) {
		former := b.history.OldTexts[n.ID]
		if n.Text == "" && len(former) == 0 { // a mark
			continue
		}
		html, err := markdown(n.Text, b.photos)
		if err != nil {
			return err
		}
		entry := noted{Text: html}
		for _, f := range former {
			entry.Former = append(entry.Former, strings.TrimSpace(sanitize.Lines(f)))
		}
		e.Notes = append(e.Notes, entry)
	}
	return nil
}

// Markdown is a note as HTML. Pictures, which would be loaded from elsewhere, are replaced by their texts.
func Markdown(note string) (template.HTML, error) { return markdown(note, nil) }

// markdown is a note as HTML. Photographs that it names are embedded or, if p is nil, replaced by their texts and
// paths.
func markdown(note string, p *photos) (template.HTML, error) {
	source := []byte(sanitize.Lines(note))
	document := sanitize.Markdown.Parser().Parse(text.NewReader(source))
	var images []*ast.Image
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if i, ok := n.(*ast.Image); ok && entering {
			images = append(images, i)
		}
		return ast.WalkContinue, nil
	})
	for _, i := range images {
		i.Parent().ReplaceChild(i.Parent(), i, photoNode(i, source, p))
	}
	var b bytes.Buffer
	err = errors.Join(err, sanitize.Markdown.Renderer().Render(&b, source, document))
	return template.HTML(b.String()), err //nolint:gosec // HTML in it is text
}

// photoNode is what a note shows in place of a picture: the photograph with its text, or the text with the path and why
// the photograph is not there.
func photoNode(i *ast.Image, source []byte, p *photos) ast.Node {
	instead, path := ast.NewEmphasis(1), string(i.Destination)
	plain := plainOf(i, source)
	for i.HasChildren() {
		instead.AppendChild(instead, i.FirstChild())
	}
	if strings.Contains(path, "://") || path == "" {
		return instead
	}
	note := " (" + sanitize.Text(path) + ")"
	if p != nil {
		element, err := p.embed(path, plain)
		if err == nil {
			picture := ast.NewString([]byte(element))
			picture.SetRaw(true)
			picture.SetCode(true)
			whole := ast.NewTextBlock()
			whole.AppendChild(whole, picture)
			whole.AppendChild(whole, instead)
			return whole
		}
		note = fmt.Sprintf(" (%s: %v)", sanitize.Text(path), err)
	}
	instead.AppendChild(instead, ast.NewString([]byte(note)))
	return instead
}

// plainOf is the text of a node without its marks.
func plainOf(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(source))
		default:
			b.WriteString(plainOf(c, source))
		}
	}
	return b.String()
}

// point is a point with its results so far.
func (b reportData) point(it sessions.Iteration, i int) string {
	message := place(b.state.Problem, it.Points[i].X)
	var values []string
	for k, o := range b.state.Problem.Outputs() {
		if c := value(it, i, k); c.Text != "" {
			values = append(values, strings.TrimSpace(o.Name+" "+
				strings.Join(append([]string{c.Text}, c.More...), " ")+" "+o.Unit))
		}
	}
	if values != nil {
		message += ": " + sanitize.Text(strings.Join(values, ", "))
	}
	return message
}

// draw adds the model at the time when the points of an iteration were chosen.
func (b reportData) draw(ctx context.Context, it sessions.Iteration, e *entry) error {
	m, ok := b.chosen[it.ID]
	if !ok {
		return nil
	}
	if len(m.Before.Iterations) == 0 {
		e.Caption = "Chosen before the first result."
		return nil
	}
	source := b.session.SnapshotBefore(m)
	v := svg.New(stepW, stepH, paper())
	v.Name = fmt.Sprintf("n%d-", it.Number)
	draw := smallPosterior
	if len(m.Before.Problem.Objectives) > 1 {
		draw = smallOutcomes
	}
	caption := ""
	err := parallel.PanicToError(func() (err error) {
		var boxes []*layout.Box
		boxes, caption, err = draw(ctx, source)
		if err == nil {
			v.Frame(layout.Arrange(layout.New(stepW, stepH, boxes...), stepW, stepH))
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		e.Lines = append(e.Lines, sanitize.Text(fmt.Sprintf("no picture of the model: %v", err)))
		return nil
	}
	e.Picture, e.Caption = template.HTML(v.String()),
		sanitize.Text(fmt.Sprintf("The model when it was chosen, with %s: %s",
			widget.Count(len(m.Before.Iterations), "result"),
			caption)) //nolint:gosec // drawn here, its texts escaped
	return nil
}

// The size of a small picture, in pixels.
const (
	stepW = 620
	stepH = 230
)

// smallPosterior draws the belief along one variable, and the acquisition function next to it; or the mean, the standard
// deviation and the acquisition function over the first two variables, without a mean the function that the method uses.
func smallPosterior(ctx context.Context, s picture.Source) (boxes []*layout.Box, caption string, err error) {
	st := s.State()
	v, kinds := picture.View{}, []picture.FieldKind{picture.MeanField, picture.AcquisitionField}
	if st.Problem.Dim() > 1 {
		v = picture.FirstPlane(st.Problem)
		kinds = []picture.FieldKind{picture.MeanField, picture.SDField, picture.AcquisitionField, picture.SampleField}
	}
	p, err := picture.Compute(ctx, s, v, nil, nil, nil)
	if err != nil {
		return nil, "", err
	}
	d := describe(st, p, paper())
	d.Contours = false
	line, columns := v.Axes == picture.OneVariable, min(len(kinds), 3)
	var texts []string
	for i, kind := range kinds {
		if p.Fields[kind].Empty() && !(line && i == 0) || len(texts) == columns {
			continue
		}
		panel, w := d.Panel(kind), float64(stepW/columns)
		boxes = append(boxes, svg.Chart(fmt.Sprint("field", kind), panel.Chart, float64(len(texts))*w, 4, w-4, stepH-8, paper(),
			panel.Axes.Marks))
		name, _, _ := strings.Cut(panel.Titles[0], ":")
		if line {
			name = panel.Titles[0]
			if i == 0 {
				name = strings.TrimSpace("the data and the point ◆ " + p.Legend.Band)
			}
		}
		texts = append(texts, name)
	}
	if texts == nil {
		return nil, "the method has no model to draw", nil
	}
	caption = strings.Join(texts, "; ")
	if len(texts) > 1 {
		caption += " (from left to right)"
	}
	if !line && st.Problem.Dim() > len(v.Variables()) {
		caption += "; the other variables are at the best point"
	}
	return boxes, caption, nil
}

// smallOutcomes draws the space of the first two objectives.
func smallOutcomes(ctx context.Context, s picture.Source) (boxes []*layout.Box, caption string, err error) {
	st := s.State()
	o, err := front.Compute(ctx, s, nil)
	if err != nil {
		return nil, "", err
	}
	d := front.Drawing{Style: paper(), State: st, Outcomes: o, I: 0, J: 1, Reveal: st.Problem.Truth != nil, Moving: -1}
	boxes = append(boxes, svg.Chart("outcomes", d.Chart(), 4, 4, stepW-8, stepH-8, paper(), nil))
	return boxes,
		"the outcomes (● non-dominated, ◎ the newest), samples of the Pareto front from the model, and ◆ the predicted outcome of the point",
		nil
}
