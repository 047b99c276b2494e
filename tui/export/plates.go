package export

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
)

// maxPlates bounds how many plates the report draws: the newest ones.
const maxPlates = 24

// notebookPlate is a plate of the report.
type notebookPlate struct {
	Name, Summary string
	Wells         wells
}

// plates adds the wells of every plate with their results, and the estimated shifts of plates and other blocks.
func (r *contents) plates(ctx context.Context, s *sessions.Session) error {
	st := s.State()
	all := acts.Plates(s)
	r.PlatesCut = max(len(all)-maxPlates, 0)
	shade := resultShade(st.Problem, all)
	for _, p := range all[r.PlatesCut:] {
		r.Plates = append(r.Plates, newNotebookPlate(st.Problem, p, shade))
	}
	if st.Input().Data.Blocks == nil {
		return nil
	}
	var check *diagnostics.Check
	err := parallel.PanicToError(func() (err error) {
		check, err = diagnostics.CheckModel(ctx, s, diagnostics.CheckOptions{Brief: true}, nil)
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // the recommendations say so
		return nil
	}
	r.blocks(check)
	return nil
}

// blocks adds the shifts of the blocks, or why there are none.
func (r *contents) blocks(check *diagnostics.Check) {
	first := check.Objectives[0]
	if first.Blocks == nil {
		r.BlocksNote = sanitize.Text(first.NoBlocks)
		return
	}
	t := &table{Head: []cell{{Text: "block"}, {Text: "results", Number: true}}}
	for _, o := range check.Objectives {
		t.Head = append(t.Head, cell{Text: sanitize.Text("shift of " + o.Name)})
	}
	for i, shift := range first.Blocks.Shifts {
		cells := []cell{words("%s", shift.Name), {Text: fmt.Sprint(shift.Results), Number: true}}
		for _, o := range check.Objectives {
			cells = append(cells, words("%s", o.Blocks.Format(o.Blocks.Shifts[i], o.Unit)))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	r.Blocks = t
	r.BlocksNote = fmt.Sprintf(
		"What the results of a block have in common beyond what the variables explain, relative to %s, ± standard error. The pictures of the model are without these shifts.",
		first.Blocks.Reference())
}

// newNotebookPlate is a plate with its results.
func newNotebookPlate(problem *functions.Problem, p acts.PlateSheet, shade wellShade) notebookPlate {
	reported, failed := 0, 0
	for _, point := range p.Points {
		if point.Failure() != "" {
			failed++
		} else if len(point.Values) > 0 {
			reported++
		}
	}
	texts := []string{plateSummary(p), numfmt.Count(reported, "result")}
	if failed > 0 {
		texts = append(texts, fmt.Sprintf("%d failed", failed))
	}
	if n := len(p.Points) - reported - failed; n > 0 {
		texts = append(texts, fmt.Sprintf("%d pending", n))
	}
	n := notebookPlate{Name: sanitize.Text(p.Name), Summary: strings.Join(texts, " · ")}
	n.Wells = newWells(p, shade, func(point acts.PlatePoint, brief bool) []string {
		return resultLines(problem, point, brief)
	})
	if slices.ContainsFunc(p.Points, func(point acts.PlatePoint) bool { return beyondLimit(problem, point) }) {
		n.Wells.Legend = append(n.Wells.Legend, beyondMark+": beyond a limit")
	}
	return n
}

// beyondMark marks values beyond a limit, as in the pictures of the model.
const beyondMark = "▽"

// beyondLimit reports whether a value of a point is beyond a limit.
func beyondLimit(problem *functions.Problem, point acts.PlatePoint) bool {
	return slices.ContainsFunc(problem.Outputs(), func(o functions.Objective) bool {
		y, known := point.Values[o.Name]
		return known && !o.Holds(float64(y))
	})
}

// resultShade shades the wells of all plates by the results of the first quantity that has different ones, so that plates
// can be compared.
func resultShade(problem *functions.Problem, all []acts.PlateSheet) wellShade {
	for _, o := range problem.Outputs() {
		value := func(point acts.PlatePoint) float64 {
			if y, known := point.Values[o.Name]; known {
				return o.Transform().ToScale(float64(y))
			}
			return math.NaN()
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range all {
			for _, point := range p.Points {
				if v := value(point); !math.IsNaN(v) {
					low, high = min(low, v), max(high, v)
				}
			}
		}
		if high > low {
			ends := func(v float64) string { return numfmt.Format(o.Transform().FromScale(v)) }
			return wellShade{strings.TrimSpace(fmt.Sprintf("shade: %s from %s to %s %s", o.Name, ends(low), ends(high), o.Unit)),
				low, high, value}
		}
	}
	return wellShade{}
}

// resultLines are the results in a well; in a small one the first value.
func resultLines(problem *functions.Problem, point acts.PlatePoint, brief bool) (lines []string) {
	if point.Failure() != "" {
		return []string{"failed"}
	}
	for _, o := range problem.Outputs() {
		y, known := point.Values[o.Name]
		if !known {
			continue
		}
		text := numfmt.Format(float64(y))
		if !brief {
			text = strings.TrimSpace(o.Name + " " + text + " " + o.Unit)
		}
		if !o.Holds(float64(y)) {
			text += " " + beyondMark
		}
		lines = append(lines, text)
		if brief || len(lines) == maxWellLines {
			break
		}
	}
	switch {
	case lines == nil && brief:
		return []string{"–"}
	case lines == nil:
		return []string{"pending"}
	}
	return lines
}
