package acts

import (
	"fmt"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/report"
)

// sheetPrefix begins the name of a sheet, so that no spreadsheet takes it for a number.
const sheetPrefix = "s-"

// Column is a column of the table of a plate.
type Column struct {
	Head string
	Fill bool // it is to be filled in
}

// Table is the sheet as a table that TellTable reads: the plate, the wells and the points, the set values with their
// units in the header, and columns to fill in.
func (p PlateSheet) Table(problem *functions.Problem) (columns []Column, rows [][]sheet.Cell) {
	head := func(name, unit string) string {
		name = report.CSVText(name)
		if unit != "" {
			name += " (" + unit + ")"
		}
		return name
	}
	for _, name := range []string{"sheet", "plate", "well", "point", "kind"} {
		columns = append(columns, Column{Head: name})
	}
	for _, v := range problem.Domain {
		columns = append(columns, Column{Head: head(v.Name, v.Unit)})
	}
	for _, o := range problem.Outputs() {
		columns = append(columns, Column{head(o.Name, o.Unit), true})
	}
	columns = append(columns, Column{"failed", true}, Column{"notes", true})
	for _, point := range p.Points {
		row := []sheet.Cell{sheet.Text(sheetPrefix + p.ID), sheet.Text(report.CSVText(p.Name)), sheet.Text(point.Well),
			sheet.Num(float64(point.Name.Suggestion)), sheet.Text(point.Kind())}
		for _, v := range encoding.EncodeRow(problem.Domain, point.Input()) {
			if v.IsChoice() {
				row = append(row, sheet.Text(report.CSVText(v.String())))
				continue
			}
			row = append(row, sheet.Num(point.Input()[len(row)-5]))
		}
		for _, o := range problem.Outputs() {
			if y, known := point.Values[o.Name]; known {
				row = append(row, sheet.Num(float64(y)))
				continue
			}
			row = append(row, sheet.Text(""))
		}
		rows = append(rows, append(row, sheet.Text(report.CSVText(point.Failure())), sheet.Text(report.CSVText(point.note()))))
	}
	return columns, rows
}

// Kind says what the point of a well is, other than a suggestion; empty for one.
func (p PlatePoint) Kind() string {
	switch {
	case p.Control:
		return "control"
	case p.Replicate != nil:
		return fmt.Sprintf("replicate of %v", *p.Replicate)
	}
	return ""
}

// point is the recorded point.
func (p PlatePoint) point() sessions.Point { return p.iteration.Points[p.index] }

// Failure is why the evaluation of the point failed; empty if it did not.
func (p PlatePoint) Failure() string { return p.point().Reason }

func (p PlatePoint) note() string { return p.point().Note }
