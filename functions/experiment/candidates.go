package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
)

// Measurement is the result of a row of a table whose other rows are pending.
type Measurement struct {
	X      []float64
	Values []float64 // of the columns behind the variables; NaN where one is pending
	Failed bool
}

// Measurements are the results of a table with pending rows.
func (t *Table) Measurements(dim int) (list []Measurement) {
	for i, row := range t.Rows {
		m := Measurement{X: row[:dim:dim], Values: row[dim:], Failed: slices.Contains(t.Failed, i)}
		if m.Failed || slices.ContainsFunc(m.Values, finite) {
			list = append(list, m)
		}
	}
	return list
}

// takeOutputs reads the columns of the outputs. Rows are pending if a cell says so, or if no cell has a number.
func (d *Declaration) takeOutputs(in tableFile, columns []int) error {
	dim, numbers := len(d.Variables), 0
	for i, row := range in.Rows {
		failed := false
		for k := dim; k < len(columns); k++ {
			d.Table.Rows[i][k] = math.NaN()
			switch cell := row[columns[k]]; {
			case strings.EqualFold(cell, pendingCell):
				d.Table.Pending = true
			case isMissing(cell):
				failed = failed || cell != ""
			default:
				v, err := in.number(i, columns[k])
				if err != nil {
					return err
				}
				d.Table.Rows[i][k] = v
				numbers++
			}
		}
		if failed {
			d.Table.Failed = append(d.Table.Failed, i)
		}
	}
	d.Table.Pending = d.Table.Pending || numbers == 0 && len(columns) > dim
	if !d.Table.Pending {
		d.Table.Failed = nil
	}
	return nil
}

// pendingCell is the cell of a result that is not measured yet.
const pendingCell = "pending"

// rowNames are the names of columns that name the rows of a table.
var rowNames = []string{"id", "no", "nr", "number", "index", "entry", "row", "name", "label", "sample", "compound",
	"smiles", "inchi", "inchikey", "cas"}

// takeLabels leaves out the columns that name the rows: they have such a name, their values all differ, and the rows
// differ without them. The labels are those of the first of them, texts before numbers.
func (d *Declaration) takeLabels(in tableFile) {
	var variables functions.Domain
	var columns, labels []int
	for _, v := range d.Variables {
		i, err := in.column(v.Name, v.Unit)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, row := range in.Rows {
			seen[row[i]] = true
		}
		described := slices.ContainsFunc(in.Header, func(head string) bool {
			return strings.HasPrefix(head, in.Header[i]+".")
		})
		if !described && len(seen) == len(in.Rows) && slices.Contains(rowNames, strings.ToLower(v.Name)) {
			labels = append(labels, i)
			continue
		}
		variables, columns = append(variables, v), append(columns, i)
	}
	seen := map[string]bool{}
	for _, row := range in.Rows {
		key := ""
		for _, i := range columns {
			key += fmt.Sprintf("%q", row[i])
		}
		seen[key] = true
	}
	if len(labels) == 0 || len(seen) < len(in.Rows) {
		return
	}
	d.Variables = variables
	label := labels[0]
	for _, i := range slices.Backward(labels) {
		if !isNumber(in.Rows[0][i]) {
			label = i
		}
	}
	d.Table.Label = in.Header[label]
	for i := range in.Rows {
		d.Table.Labels = append(d.Table.Labels, in.Raw(i, label))
	}
}
