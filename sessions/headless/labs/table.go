package labs

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"bandscope/functions/digits"
	"bandscope/sessions/lab"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// table prints a trace, as lines for people or objects for programs.
type table struct {
	out   io.Writer
	lab   *lab.Lab
	json  bool
	brief []int // the columns that people are told
}

func newTable(out io.Writer, l *lab.Lab, asJSON bool) *table {
	t := &table{out: out, lab: l, json: asJSON}
	for i, c := range l.Columns {
		if c.Brief {
			t.brief = append(t.brief, i)
		}
	}
	return t
}

// width is that of a column of numbers: its key and two blanks have room.
func width(key string) int { return max(11, len(key)+2) }

// begin prints the title and the head of the table.
func (t *table) begin(st lab.State) error {
	if t.json {
		return nil
	}
	head := fmt.Sprintf("%7s", "update")
	for _, k := range t.brief {
		key := t.lab.Columns[k].Key
		head += fmt.Sprintf("%*s", width(key), key)
	}
	_, err := fmt.Fprintf(t.out, "%s\n%s\n", safe.Text(st.Title()), head)
	return err
}

// rows prints what was measured between two states at every tenth update and at the last, and how a run ended. Of the second run the lines are marked.
func (t *table) rows(st, before lab.State, whole bool) error {
	for i, r := range st.Runs {
		from, failed := 0, ""
		if i < len(before.Runs) && !whole {
			from, failed = len(before.Runs[i].Trace), before.Runs[i].Failed
		}
		for u := from + 1; u <= len(r.Trace); u++ {
			if u%every != 0 && u != len(r.Trace) {
				continue
			}
			if err := t.row(i, u, r.Trace[u-1]); err != nil {
				return err
			}
		}
		if r.Failed != failed {
			if err := t.failed(i, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// row prints one.
func (t *table) row(run, update int, values []float64) error {
	if t.json {
		return safe.JSON(t.out, object(t.lab, run, update, values))
	}
	line := fmt.Sprintf("%7d", update)
	for _, k := range t.brief {
		text := ""
		if !math.IsNaN(values[k]) {
			text = digits.Of(values[k])
		}
		line += fmt.Sprintf("%*s", width(t.lab.Columns[k].Key), text)
	}
	_, err := fmt.Fprintln(t.out, line+mark(run))
	return err
}

// mark is what stands behind the lines of the second run.
func mark(run int) string { return strings.Repeat("  second run", min(run, 1)) }

func (t *table) failed(run int, r lab.Run) error {
	if t.json {
		return safe.JSON(t.out, map[string]any{"run": run + 1, "step": len(r.Trace), "failed": r.Failed})
	}
	_, err := fmt.Fprintln(t.out, safe.Text(r.Failed)+mark(run))
	return err
}

// object is a row for other programs.
func object(l *lab.Lab, run, update int, values []float64) map[string]any {
	o := map[string]any{"run": run + 1, "step": update}
	for k, c := range l.Columns {
		o[c.Key] = report.Number(values[k])
	}
	return o
}

// final are the values of all columns that were measured last.
func final(l *lab.Lab, r lab.Run) []float64 {
	values := make([]float64, len(l.Columns))
	for k := range values {
		values[k], _ = r.Last(k, len(r.Trace))
	}
	return values
}

// end prints what came of it.
func (t *table) end(st lab.State, took time.Duration) error {
	if t.json {
		for i, r := range st.Runs {
			o := object(st.Lab, i, len(r.Trace), final(st.Lab, r))
			o["summary"], o["of"], o["params"] = true, r.Of, r.Params
			if r.Failed != "" {
				o["failed"] = r.Failed
			}
			if err := safe.JSON(t.out, o); err != nil {
				return err
			}
		}
		return nil
	}
	for _, line := range standing(st) {
		if _, err := fmt.Fprintln(t.out, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(t.out, "%.1f s\n", took.Seconds())
	return err
}

// standing tells in a few lines how far the runs are and what was measured last.
func standing(st lab.State) (lines []string) {
	for i, r := range st.Runs {
		line := fmt.Sprintf("update %d of %d%s", len(r.Trace), r.Of, mark(i))
		if i > 0 {
			line += " (" + lab.Changes(st.Runs[0].Params, r.Params) + ")"
		}
		for k, v := range final(st.Lab, r) {
			if c := st.Lab.Columns[k]; c.Brief && !math.IsNaN(v) {
				line += " · " + c.Label + " " + digits.Of(v)
				if c.Unit != "" {
					line += " " + c.Unit
				}
			}
		}
		if lines = append(lines, line); r.Failed != "" {
			lines = append(lines, safe.Text(r.Failed))
		}
	}
	return lines
}

// CSV writes the traces of a state, a row an update.
func writeCSV(out io.Writer, st lab.State) error {
	w := csv.NewWriter(out)
	head := []string{"run", "update"}
	for _, c := range st.Lab.Columns {
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

// record is a state for other programs.
type record struct {
	Lab   string      `json:"lab"`
	Step  int         `json:"step"`
	Of    int         `json:"of"`
	Runs  []runRecord `json:"runs"`
	Notes []noted     `json:"notes,omitempty"`
}

type runRecord struct {
	Params any                        `json:"params"`
	Of     int                        `json:"of"`
	Step   int                        `json:"step"`
	Failed string                     `json:"failed,omitempty"`
	Last   map[string]report.Number   `json:"last,omitempty"`
	Trace  map[string][]report.Number `json:"trace,omitempty"`
}

type noted struct {
	Step int    `json:"step"`
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"`
}

// recordOf is a state with its traces, or with the last values alone.
func recordOf(st lab.State, whole bool) record {
	d := record{Lab: st.Lab.Name, Step: st.Step, Of: st.Of}
	for _, r := range st.Runs {
		run := runRecord{Params: r.Params, Of: r.Of, Step: len(r.Trace), Failed: r.Failed}
		if whole {
			run.Trace = map[string][]report.Number{}
		} else {
			run.Last = map[string]report.Number{}
		}
		last := final(st.Lab, r)
		for k, c := range st.Lab.Columns {
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
			d.Notes = append(d.Notes, noted{n.Step, n.Text, n.Mark})
		}
	}
	return d
}
