package acts

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/sheet"
	"bandscope/sessions"
)

// textColumns are the columns of a table that are never numbers.
var textColumns = []string{"point", "well", "plate", "block", "sheet", "failed", "notes"}

// tableColumns are the positions of the columns of a table; −1 if there is none.
type tableColumns struct {
	point, failed, notes, cost, block int
	sheet, well, plate                int
	x                                 []int
	y, sd                             []int // of the outputs
}

// columnsFor finds the columns of a table.
func (b snapshot) columnsFor(t *sheet.Table) (c tableColumns, err error) {
	find := func(name, unit string) int {
		i, failed := t.Find(name, unit)
		if failed != nil && err == nil {
			err = failed
		}
		return i
	}
	c = tableColumns{point: find("point", ""), failed: find("failed", ""), notes: find("notes", ""), cost: find(b.state.Problem.CostColumn(), ""),
		block: find("block", "")}
	c.sheet = find("sheet", "")
	c.well = find("well", "")
	c.plate = find("plate", "")
	quantity := func(name, header, unit string) int {
		if i := slices.Index(t.Header, header); i >= 0 && header != "" {
			return i
		}
		return find(name, unit)
	}
	lacking, measured := "", false
	for _, v := range b.state.Problem.Domain {
		i := quantity(v.Name, v.Header, v.Unit)
		c.x = append(c.x, i)
		if i < 0 {
			lacking = v.Name
		}
	}
	for _, o := range b.state.Problem.Outputs() {
		i := quantity(o.Name, o.Header, o.Unit)
		if i < 0 && c.sheet >= 0 && err == nil { // the header of a sheet of a plate was edited
			err = t.Unknown(o.Name)
		}
		c.y = append(c.y, i)
		c.sd = append(c.sd, find(o.Name+"_sd", o.Unit))
		measured = measured || i >= 0
	}
	names := strings.Join(t.Header, ", ")
	switch {
	case err != nil:
	case !measured:
		err = fmt.Errorf("%s: there is no column of an objective, such as %q; the columns are %s", t.Place(-1),
			b.state.Problem.Objectives[0].Name, names)
	case lacking != "" && c.point < 0 && (c.plate < 0 || c.well < 0):
		err = fmt.Errorf("%s: there is neither a column %q nor \"point\"; the columns are %s", t.Place(-1), lacking, names)
	}
	return c, err
}

// readTable reads all rows.
func (b snapshot) readTable(ctx context.Context, t *sheet.Table) ([]row, error) {
	c, err := b.columnsFor(t)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(t.Rows))
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows[i], err = b.readRow(c, t, i)
		if err != nil {
			return nil, err
		}
		rows[i].place = t.Place(i)
	}
	return rows, nil
}

// readRow reads a row.
func (b snapshot) readRow(c tableColumns, t *sheet.Table, i int) (r row, err error) {
	cell := func(column int) string {
		if column < 0 {
			return ""
		}
		return t.Rows[i][column]
	}
	number := func(column int) (v float64, ok bool) {
		if cell(column) == "" || err != nil {
			return 0, false
		}
		v, err = t.Number(i, column)
		return v, err == nil
	}
	r = row{name: cell(c.point), result: functions.Result{Values: map[string]float64{}, SE: map[string]float64{},
		Note: strings.TrimPrefix(cell(c.notes), "'")}}
	if err := b.readWell(&r, c, t, i); err != nil {
		return r, err
	}
	r.result.Block, _, err = sheet.Date(cell(c.block))
	if err != nil {
		return r, t.CellError(i, c.block, "%v", err)
	}
	r.result.Cost, _ = number(c.cost)
	if failed := cell(c.failed); failed != "" && !strings.EqualFold(failed, "false") {
		r.result.Failed = failed
		if strings.EqualFold(failed, "true") {
			r.result.Failed = "failed"
		}
	}
	for k, o := range b.state.Problem.Outputs() {
		if v, ok := number(c.y[k]); ok && !(math.IsNaN(v) && r.result.Failed != "") {
			r.result.Values[o.Name] = v
		}
		if v, ok := number(c.sd[k]); ok && !math.IsNaN(v) {
			r.result.SE[o.Name] = v
		}
	}
	if err != nil {
		return r, err
	}
	return r, b.readInput(&r, c, t, i)
}

// readInput reads the values of the variables of a row.
func (b snapshot) readInput(r *row, c tableColumns, t *sheet.Table, i int) error {
	count := 0
	for j, variable := range b.state.Problem.Domain {
		v, column := 0.0, c.x[j]
		if column >= 0 && t.Rows[i][column] != "" {
			var err error
			v, err = variable.Parse(t.Raw(i, column)) // names are not numbers, however they look
			if err != nil || variable.Kind != functions.Choice {
				v, err = variable.Parse(strings.TrimPrefix(t.Rows[i][column], "'"))
			}
			if err != nil {
				return t.CellError(i, column, "%v", err)
			}
			count++
		}
		r.x = append(r.x, v)
	}
	if count == 0 && r.name != "" {
		r.x = nil
	} else if count < len(r.x) {
		return fmt.Errorf("%s: it has values for some variables only", t.Place(i))
	}
	return nil
}

// readWell finds the point of a row of the sheet of a plate by its well, or compares it with the one that the row names.
func (b snapshot) readWell(r *row, c tableColumns, t *sheet.Table, i int) error {
	cell := func(column int) string {
		if column < 0 {
			return ""
		}
		return strings.TrimPrefix(t.Rows[i][column], "'")
	}
	id := strings.TrimPrefix(cell(c.sheet), sheetPrefix)
	plate := cell(c.plate)
	well := cell(c.well)
	index := slices.IndexFunc(b.state.Plates, func(p sessions.Plate) bool {
		return p.ID == id || id == "" && plate != "" && p.Name == plate
	})
	switch {
	case index < 0 && id != "":
		return t.CellError(i, c.sheet, "the sheet is not of this session, which has %s", b.plateNames())
	case index < 0 || well == "":
		return nil // a table of another origin
	}
	p := b.state.Plates[index]
	k := slices.IndexFunc(p.Wells, func(w sessions.Well) bool { return strings.EqualFold(w.Name, well) })
	if k < 0 {
		return t.CellError(i, c.well, "%s has no point in the well %s", p.Name, well)
	}
	for _, it := range slices.Concat(b.state.Iterations, b.state.Pending) {
		if it.ID != p.Wells[k].Point {
			continue
		}
		if name := nameFor(it, 0).String(); r.name == "" {
			r.name = name
		} else if r.name != name {
			return t.CellError(i, c.well, "%s of %s holds point %s, but the row is about point %s", p.Wells[k].Name, p.Name,
				name, r.name)
		}
	}
	return nil
}

// plateNames lists the plates of a session.
func (b snapshot) plateNames() string {
	var names []string
	for _, p := range b.state.Plates {
		names = append(names, p.Name)
	}
	if names == nil {
		return "no plates"
	}
	return "the plates " + strings.Join(names, ", ")
}
