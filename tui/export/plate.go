package export

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/sanitize"
)

//go:embed plate.html
var platePage string

var plateTemplate = template.Must(template.New("plate").Parse(platePage))

// PlateFormats are the formats of the sheet of a plate, by the end of a file's name.
var PlateFormats = []string{".csv", ".html", ".xlsx"}

// Plate writes the sheet of a plate in the format that the name of a file says: a table to fill in as CSV or XLSX, or a
// page to print.
func Plate(w io.Writer, file string, s *sessions.Session, p asktell.PlateSheet, o sheet.Options) error {
	problem := s.State().Problem
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".html":
		return plateHTML(w, s, p)
	case ".csv", ".xlsx":
		columns, rows := p.Table(problem)
		marks := sheet.Marks{Name: worksheetName(p.Name)}
		var head []string
		for i, c := range columns {
			width := 0.0
			switch {
			case i == 0:
				width = 6
			case c.Head == "notes":
				width = 30
			case i > 4:
				width = max(11, float64(len([]rune(c.Head)))+1)
			}
			head, marks.Fill, marks.Widths = append(head, c.Head), append(marks.Fill, c.Fill), append(marks.Widths, width)
		}
		if ext == ".xlsx" {
			return sheet.WriteWorkbook(w, head, rows, marks)
		}
		return sheet.WriteCSV(w, head, rows, o)
	}
	return fmt.Errorf("the sheet of a plate is a file that ends in %s, got %q", strings.Join(PlateFormats, ", "),
		filepath.Base(file))
}

// worksheetName is a name that a sheet of a workbook may have.
func worksheetName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]'`, r) {
			return '_'
		}
		return r
	}, name)
	if r := []rune(clean); len(r) > 31 {
		return string(r[:31])
	}
	return clean
}

// plateContents are the data of the page of a plate.
type plateContents struct {
	Title, Plate, Summary, Sheet, Session string
	Columns, Gap                          int
	Width, Height, Number, PrintHeight    float64 // in rem
	Radius, Page, Cell                    string
	Print                                 float64 // size of the print in points
	Numbers                               []int
	Wells                                 []plateRow
	Legend                                []string
	Head                                  []plateCell
	Rows                                  [][]plateCell
}

// plateRow is a row of wells.
type plateRow struct {
	Letter string
	Cells  []plateWell
}

// plateWell is a well of the picture.
type plateWell struct {
	Class, Number string
	Style         template.CSS
	Lines         []string
}

// plateCell is a cell of the table.
type plateCell struct{ Text, Unit, Class string }

// plateHTML writes the page of a plate: a picture of the wells and a table in the order of making.
func plateHTML(w io.Writer, s *sessions.Session, p asktell.PlateSheet) error {
	problem := s.State().Problem
	c := plateContents{Title: sanitize.Text(problem.Name), Plate: sanitize.Text(p.Name), Sheet: "s-" + p.ID,
		Session: sanitize.Text(filepath.Base(s.Path())), Columns: p.Columns, Gap: 4, Width: min(72, float64(p.Columns)*9+2),
		Height: 3.2, Number: 1, Radius: ".5rem", Page: "portrait", Cell: ".12rem", Print: 8.5, PrintHeight: 2.4}
	if p.Columns > 6 {
		c.Gap, c.Width, c.Height, c.Number, c.Radius, c.PrintHeight = 2, min(72, float64(p.Columns)*3.2+2), 2.2, .85, "50%", 1.5
	}
	if len(p.Points) > 30 {
		c.Print, c.Cell = 7, ".04rem"
	}
	if len(problem.Domain)+len(problem.Outputs()) > 8 {
		c.Page = "landscape"
	}
	c.Summary = fmt.Sprintf("%s on %d × %d wells, in %s order", numfmt.Count(len(p.Points), "point"), p.Rows, p.Columns, p.Order)
	c.picture(problem, p)
	c.table(problem, p)
	return plateTemplate.Execute(w, c)
}

// picture fills in the picture of the wells, shaded by a variable that differs.
func (c *plateContents) picture(problem *functions.Problem, p asktell.PlateSheet) {
	for column := range p.Columns {
		c.Numbers = append(c.Numbers, column+1)
	}
	shade, low, high := shadedVariable(problem.Domain, p)
	for row := range p.Rows {
		r := plateRow{Letter: strings.TrimRight(sessions.WellName(row, 0), "0123456789")}
		for column := range p.Columns {
			name := sessions.WellName(row, column)
			i := slices.IndexFunc(p.Points, func(point asktell.PlatePoint) bool { return point.Well == name })
			if i < 0 {
				r.Cells = append(r.Cells, plateWell{Class: "empty"})
				continue
			}
			r.Cells = append(r.Cells, c.well(problem.Domain, p.Points[i], shade, low, high))
		}
		c.Wells = append(c.Wells, r)
	}
	c.Legend = append(c.Legend, "the number in a well is its point")
	if shade >= 0 {
		v := problem.Domain[shade]
		text := strings.TrimSpace(fmt.Sprintf("shade: %s from %s to %s %s", v.Name, v.Text(low), v.Text(high), v.Unit))
		if v.Kind == functions.Choice {
			text = fmt.Sprintf("shade: %s, from light to dark %s", v.Name,
				strings.Join(v.Choices[int(low):int(high)+1], ", "))
		}
		c.Legend = append(c.Legend, sanitize.Text(text))
	}
	if slices.ContainsFunc(p.Points, func(point asktell.PlatePoint) bool { return point.Control }) {
		c.Legend = append(c.Legend, "thick frame: control")
	}
	if slices.ContainsFunc(p.Points, func(point asktell.PlatePoint) bool { return point.Replicate != nil }) {
		c.Legend = append(c.Legend, "=: replicate of a point")
	}
}

// shared reports whether points of a plate share a variable by its name.
func shared(p asktell.PlateSheet, name string) bool {
	return slices.ContainsFunc(p.Points, func(point asktell.PlatePoint) bool {
		return point.Batch != nil && slices.Contains(point.Batch.Shared, name)
	})
}

// shadedVariable is the variable that shades the wells, with its least and greatest value on the plate: one that the
// points of a row or column share, or else the one with the fewest values of those that differ; −1 if none does.
func shadedVariable(d functions.Domain, p asktell.PlateSheet) (index int, low, high float64) {
	index = -1
	fewest := 0
	for j := range d {
		var values []float64
		for _, point := range p.Points {
			if !point.Control && !slices.Contains(values, point.Input()[j]) {
				values = append(values, point.Input()[j])
			}
		}
		rank := len(values)
		if shared(p, d[j].Name) {
			rank = 0
		}
		if len(values) > 1 && (index < 0 || rank < fewest) {
			index, fewest, low, high = j, rank, slices.Min(values), slices.Max(values)
		}
	}
	return index, low, high
}

// well is a well of the picture.
func (c *plateContents) well(d functions.Domain, point asktell.PlatePoint, shade int, low, high float64) plateWell {
	w := plateWell{Number: point.Name.String()}
	switch {
	case point.Control:
		w.Class = "control"
	case point.Replicate != nil:
		w.Class, w.Number = "replicate", "= "+point.Replicate.String()
		if c.Columns <= 6 {
			w.Number = fmt.Sprintf("%v = %v", point.Name, *point.Replicate)
		}
	}
	if shade >= 0 && !point.Control {
		share := min(max((point.Input()[shade]-low)/(high-low), 0), 1)
		w.Style = template.CSS(fmt.Sprintf("background:hsl(205 70%% %.0f%%)", 97-27*share))
	}
	for j, v := range d {
		if c.Columns > 6 || len(w.Lines) == 4 {
			break
		}
		w.Lines = append(w.Lines, sanitize.Text(strings.TrimSpace(v.Text(point.Input()[j])+" "+v.Unit)))
	}
	return w
}

// table fills in the table. Values that are those of the row before are gray.
func (c *plateContents) table(problem *functions.Problem, p asktell.PlateSheet) {
	c.Head = []plateCell{{Text: "", Class: "n"}, {Text: "well"}, {Text: "point", Class: "n"}}
	for _, v := range problem.Domain {
		c.Head = append(c.Head, plateCell{sanitize.Text(v.Name), sanitize.Text(v.Unit), valueClass(v)})
	}
	for _, o := range problem.Outputs() {
		c.Head = append(c.Head, plateCell{Text: sanitize.Text(o.Name), Unit: sanitize.Text(o.Unit)})
	}
	c.Head = append(c.Head, plateCell{Text: "notes"})
	for i, point := range p.Points {
		row := []plateCell{{Text: fmt.Sprint(i + 1), Class: "n"}, {Text: point.Well}, {Text: point.Name.String(), Class: "n"}}
		for j, v := range problem.Domain {
			cell := plateCell{Text: sanitize.Text(v.Text(point.Input()[j])), Class: valueClass(v)}
			if i > 0 && p.Points[i-1].Input()[j] == point.Input()[j] {
				cell.Class += " same"
			}
			row = append(row, cell)
		}
		for _, o := range problem.Outputs() {
			cell := plateCell{Class: "fill"}
			if y, known := point.Values[o.Name]; known {
				cell.Text = numfmt.Format(float64(y))
			}
			row = append(row, cell)
		}
		c.Rows = append(c.Rows, append(row, plateCell{Text: point.Kind(), Class: "notes"}))
	}
}

// valueClass is the class of the values of a variable: numbers are on the right.
func valueClass(v functions.Variable) string {
	if v.Kind == functions.Choice {
		return ""
	}
	return "n"
}
