package sheet

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Cell is a cell to write: a text, or a number if it is one.
type Cell struct {
	Text   string
	Number float64
	IsText bool
}

// Text is a cell with a text; Num is a cell with a number.
func Text(s string) Cell { return Cell{Text: s, IsText: true} }

// Num is a cell with a number.
func Num(v float64) Cell { return Cell{Number: v} }

// WriteCSV writes a table with the separator and the decimal sign of the options: a comma and a point if they are zero.
// Numbers have all digits.
func WriteCSV(w io.Writer, head []string, rows [][]Cell, o Options) error {
	if o.Separator == 0 {
		o.Separator = ','
	}
	out := csv.NewWriter(w)
	out.Comma = o.Separator
	if err := out.Write(head); err != nil {
		return err
	}
	for _, row := range rows {
		record := make([]string, len(row))
		for j, c := range row {
			record[j] = c.Text
			if !c.IsText {
				record[j] = strconv.FormatFloat(c.Number, 'g', -1, 64)
				if o.Decimal == ',' {
					record[j] = strings.Replace(record[j], ".", ",", 1)
				}
			}
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Marks say how columns of a workbook look: those to fill in have a frame and a light color.
type Marks struct {
	Name   string    // of the sheet
	Widths []float64 // of the columns, in characters; 0 for the default
	Fill   []bool    // which columns are to be filled in
}

// WriteWorkbook writes a table as a workbook (XLSX) with one sheet, whose header stays in sight and is printed on every
// page. Numbers have 15 digits.
func WriteWorkbook(w io.Writer, head []string, rows [][]Cell, m Marks) error {
	f := excelize.NewFile()
	defer f.Close()
	name := f.GetSheetName(0)
	if m.Name != "" {
		if err := f.SetSheetName(name, m.Name); err != nil {
			return err
		}
		name = m.Name
	}
	bold, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true,
		Vertical: "top"}})
	if err != nil {
		return err
	}
	border := []excelize.Border{}
	for _, side := range []string{"left", "right", "top", "bottom"} {
		border = append(border, excelize.Border{Type: side, Color: "999999", Style: 1})
	}
	fill, err := f.NewStyle(&excelize.Style{Border: border,
		Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFF8DC"}}})
	if err != nil {
		return err
	}
	for j, text := range head {
		if err := setCell(f, name, j, 0, Text(text)); err != nil {
			return err
		}
		column, _ := excelize.ColumnNumberToName(j + 1) // the bounds of plates are far below those of workbooks
		if j < len(m.Widths) && m.Widths[j] > 0 {
			err = f.SetColWidth(name, column, column, m.Widths[j])
		}
		if err == nil && j < len(m.Fill) && m.Fill[j] && len(rows) > 0 {
			err = f.SetCellStyle(name, column+"2", fmt.Sprint(column, len(rows)+1), fill)
		}
		if err != nil {
			return err
		}
	}
	if err := f.SetRowStyle(name, 1, 1, bold); err != nil {
		return err
	}
	for i, row := range rows {
		for j, c := range row {
			if err := setCell(f, name, j, i+1, c); err != nil {
				return err
			}
		}
	}
	if err := f.SetPanes(name, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	landscape, fit := "landscape", true
	if err := f.SetPageLayout(name, &excelize.PageLayoutOptions{Orientation: &landscape}); err != nil {
		return err
	}
	if err := f.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &fit}); err != nil {
		return err
	}
	_, err = f.WriteTo(w)
	return err
}

func setCell(f *excelize.File, name string, column, row int, c Cell) error {
	cell, err := excelize.CoordinatesToCellName(column+1, row+1)
	if err != nil {
		return err
	}
	if c.IsText {
		if c.Text == "" {
			return nil
		}
		return f.SetCellStr(name, cell, c.Text)
	}
	return f.SetCellFloat(name, cell, c.Number, -1, 64)
}
