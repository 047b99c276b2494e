package training

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// Formats are those that Export writes.
var Formats = []string{"csv", "json"}

// Export writes the traces of a state, with all digits.
func Export(w io.Writer, st State, format string) error {
	switch format {
	case "csv":
		return writeCSV(w, st)
	case "json":
		return sanitize.IndentedJSON(w, NewRecord(st, true))
	}
	return fmt.Errorf("--format %[2]q is not available for a lab; use %[1]s", strings.Join(Formats, " or "), format)
}

// Latest are the last measured values of the first columns.
func (r Run) Latest(columns int) []float64 {
	values := make([]float64, columns)
	for k := range values {
		values[k], _ = r.Last(k, len(r.Trace))
	}
	return values
}

// writeCSV writes the traces of a state, with a row for each update.
func writeCSV(out io.Writer, st State) error {
	w := csv.NewWriter(out)
	head := []string{"run", "update"}
	for _, c := range st.Spec.Columns {
		head = append(head, c.Key)
	}
	if err := w.Write(head); err != nil {
		return err
	}
	for i, r := range st.Runs {
		for u, values := range r.Trace {
			row := []string{strconv.Itoa(i + 1), strconv.Itoa(u + 1)}
			for _, v := range values {
				text := ""
				if !math.IsNaN(v) {
					text = strconv.FormatFloat(v, 'g', -1, 64)
				}
				row = append(row, text)
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

// Record is a state for other programs.
type Record struct {
	Lab   string       `json:"lab"`
	Step  int          `json:"step"`
	Steps int          `json:"steps"`
	Runs  []runRecord  `json:"runs"`
	Notes []noteRecord `json:"notes,omitempty"`
}

type runRecord struct {
	Params any                        `json:"params"`
	Steps  int                        `json:"steps"`
	Step   int                        `json:"step"`
	Failed string                     `json:"failed,omitempty"`
	Last   map[string]report.Number   `json:"last,omitempty"`
	Trace  map[string][]report.Number `json:"trace,omitempty"`
}

type noteRecord struct {
	Step int    `json:"step"`
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
}

// NewRecord is a state with its traces, or with the last values alone.
func NewRecord(st State, whole bool) Record {
	d := Record{Lab: st.Spec.Name, Step: st.Step, Steps: st.Total}
	for _, r := range st.Runs {
		run := runRecord{Params: r.Params, Steps: r.Total, Step: len(r.Trace), Failed: r.Failed}
		if whole {
			run.Trace = map[string][]report.Number{}
		} else {
			run.Last = map[string]report.Number{}
		}
		last := r.Latest(len(st.Spec.Columns))
		for k, c := range st.Spec.Columns {
			if !whole {
				run.Last[c.Key] = report.Number(last[k])
				continue
			}
			column := make([]report.Number, len(r.Trace))
			for u, values := range r.Trace {
				column[u] = report.Number(values[k])
			}
			run.Trace[c.Key] = column
		}
		d.Runs = append(d.Runs, run)
	}
	for _, n := range st.Notes {
		if whole && (n.Text != "" || n.Mark) {
			d.Notes = append(d.Notes, noteRecord{n.Step, n.Text, n.Mark})
		}
	}
	return d
}
