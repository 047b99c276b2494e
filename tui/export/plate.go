package export

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/sanitize"
)

//go:embed plate.html
var platePage string

//go:embed wells.html
var wellsText string

var plateTemplate = template.Must(template.Must(template.New("plate").Parse(platePage)).Parse(wellsText))

// PlateFormats are the formats of the sheet of a plate, by the end of a file's name.
var PlateFormats = []string{".csv", ".html", ".xlsx"}

// Plate writes the sheet of a plate in the format that the name of a file says: a table to fill in as CSV or XLSX, or a
// page to print.
func Plate(w io.Writer, file string, s *sessions.Session, p acts.PlateSheet, o sheet.Options) error {
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
			head = append(head, c.Head)
			marks.Fill = append(marks.Fill, c.Fill)
			marks.Widths = append(marks.Widths, width)
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
	Page, Cell                            string
	Print                                 float64 // size of the print in points
	Wells                                 wells
	Head                                  []plateCell
	Rows                                  [][]plateCell
}

// plateCell is a cell of the table.
type plateCell struct{ Text, Unit, Class string }

// plateHTML writes the page of a plate: a picture of the wells and a table in the order of making.
func plateHTML(w io.Writer, s *sessions.Session, p acts.PlateSheet) error {
	problem := s.State().Problem
	c := plateContents{Title: sanitize.Text(problem.Name), Plate: sanitize.Text(p.Name), Sheet: "s-" + p.ID,
		Session: sanitize.Text(filepath.Base(s.Path())), Page: "portrait", Cell: ".12rem", Print: 8.5,
		Wells: newWells(p, variableShade(problem.Domain, p), func(point acts.PlatePoint, brief bool) (lines []string) {
			for j, v := range problem.Domain {
				if brief || len(lines) == maxWellLines {
					break
				}
				lines = append(lines, strings.TrimSpace(v.Text(point.Input()[j])+" "+v.Unit))
			}
			return lines
		})}
	if len(p.Points) > 30 {
		c.Print, c.Cell = 7, ".04rem"
	}
	if len(problem.Domain)+len(problem.Outputs()) > 8 {
		c.Page = "landscape"
	}
	c.Summary = plateSummary(p)
	c.table(problem, p)
	return plateTemplate.Execute(w, c)
}

// plateSummary says how many points are on a plate, and in which order.
func plateSummary(p acts.PlateSheet) string {
	return fmt.Sprintf("%s on %d × %d wells, in %s order", numfmt.Count(len(p.Points), "point"), p.Rows, p.Columns, p.Order)
}

// variableShade shades wells by a variable that differs.
func variableShade(d functions.Domain, p acts.PlateSheet) wellShade {
	j, low, high := shadedVariable(d, p)
	if j < 0 {
		return wellShade{}
	}
	v := d[j]
	text := strings.TrimSpace(fmt.Sprintf("shade: %s from %s to %s %s", v.Name, v.Text(low), v.Text(high), v.Unit))
	if v.Kind == functions.Choice {
		text = fmt.Sprintf("shade: %s, from light to dark %s", v.Name, strings.Join(v.Choices[int(low):int(high)+1], ", "))
	}
	return wellShade{text, low, high, func(point acts.PlatePoint) float64 {
		if point.Control {
			return math.NaN()
		}
		return point.Input()[j]
	}}
}

// shared reports whether points of a plate share a variable by its name.
func shared(p acts.PlateSheet, name string) bool {
	return slices.ContainsFunc(p.Points, func(point acts.PlatePoint) bool {
		return point.Batch != nil && slices.Contains(point.Batch.Shared, name)
	})
}

// shadedVariable is the variable that shades the wells, with its least and greatest value on the plate: one that the
// points of a row or column share, or else the one with the fewest values of those that differ; −1 if none does.
func shadedVariable(d functions.Domain, p acts.PlateSheet) (index int, low, high float64) {
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
			index = j
			fewest = rank
			low = slices.Min(values)
			high = slices.Max(values)
		}
	}
	return index, low, high
}

// table fills in the table. Values that are those of the row before are gray.
func (c *plateContents) table(problem *functions.Problem, p acts.PlateSheet) {
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
