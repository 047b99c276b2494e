package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"bandscope/functions/didyoumean"
)

// shownDate is a date or a time as a number format shows it: three figures or a month with signs between them.
var shownDate = regexp.MustCompile(`^\d{1,4}([-/. :])[^%]*\d.*[-/. :].*\d|^\d{1,2}:\d\d|[A-Za-z]{3}.*[-/. ]\d|\d[-/. ]+[A-Za-z]{3}`)

// readWorkbook reads a sheet of a workbook. Numbers have all their digits, however the workbook shows them; dates are
// texts such as 2026-11-03. A number that is shown as a percentage is that number of percent.
func readWorkbook(text []byte, o Options) (*Table, error) {
	f, err := openWorkbook(text)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names := f.GetSheetList()
	if len(names) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	name := o.Sheet
	if name == "" {
		name = names[0]
	} else if i, _ := f.GetSheetIndex(name); i < 0 {
		return nil, didyoumean.NewUnknownError("sheet of the workbook", name, names)
	}
	t := &Table{label: "row", Format: Format{Workbook: name}}
	o.Ragged = true
	if err := t.takeSheet(f, name, o); err != nil {
		return nil, err
	}
	if t.Header == nil {
		return nil, fmt.Errorf("the sheet %q is empty; its first row must name the columns", name)
	}
	return t, nil
}

// openWorkbook opens a workbook of a bounded size. The library panics on some damaged files.
func openWorkbook(text []byte) (f *excelize.File, err error) {
	defer func() {
		if recover() != nil {
			f, err = nil, errors.New("the file is not a readable workbook")
		}
	}()
	f, err = excelize.OpenReader(bytes.NewReader(text), excelize.Options{UnzipSizeLimit: MaxBytes,
		UnzipXMLSizeLimit: MaxBytes, RawCellValue: true, ShortDatePattern: "yyyy-mm-dd"})
	if err != nil {
		return nil, fmt.Errorf("the file is not a readable workbook: %w", err)
	}
	return f, nil
}

// takeSheet adds the rows of a sheet, which it reads twice: as the numbers are and as they are shown.
func (t *Table) takeSheet(f *excelize.File, name string, o Options) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the sheet is damaged")
		}
	}()
	raw, err := f.Rows(name)
	if err != nil {
		return err
	}
	defer raw.Close()
	shown, err := f.Rows(name)
	if err != nil {
		return err
	}
	defer shown.Close()
	props, err := f.GetWorkbookProps()
	if err != nil {
		return err
	}
	from1904 := props.Date1904 != nil && *props.Date1904
	for line := 1; raw.Next() && shown.Next(); line++ {
		values, err := raw.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return fmt.Errorf("row %d: %w", line, err)
		}
		texts, err := shown.Columns(excelize.Options{RawCellValue: false, ShortDatePattern: "yyyy-mm-dd"})
		if err != nil {
			return fmt.Errorf("row %d: %w", line, err)
		}
		for j, v := range values {
			if v == "" || j >= len(texts) || texts[j] == v {
				continue
			}
			var isDate bool
			values[j], isDate = cellText(v, texts[j], from1904)
			if isDate {
				t.dates = append(t.dates, [2]int{len(t.Rows), j})
			}
		}
		if err := t.add(values, line, o); err != nil {
			return err
		}
	}
	return errors.Join(raw.Error(), shown.Error())
}

// cellText is the text of a cell with a value that is shown as another text, and whether it is a date.
func cellText(value, shown string, from1904 bool) (text string, isDate bool) {
	v, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
		return value, false
	case strings.Contains(shown, "%"):
		return strconv.FormatFloat(v*100, 'g', 15, 64) + "%", false
	case !shownDate.MatchString(shown) || v < 0:
		return value, false
	}
	date, err := excelize.ExcelDateToTime(v, from1904)
	if err != nil {
		return value, false
	}
	date = date.Round(time.Second)
	if date.Hour() == 0 && date.Minute() == 0 && date.Second() == 0 {
		return date.Format(time.DateOnly), true
	}
	return date.Format("2006-01-02 15:04"), true
}
