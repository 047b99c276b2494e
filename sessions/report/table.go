package report

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
)

// Bounds of a table, in bytes and in rows.
const (
	MaxBytes     = 64 << 20
	maxTableRows = 100_000
)

// ReadTable starts a session with earlier results from CSV. The first row has the names of the columns: every variable
// and every objective, and optionally "step" (rows with the same step are a batch), an objective's name with "_se" (its
// standard errors) and "reason" (why an evaluation failed). It ignores other columns, so that it reads what Export
// writes. If the values of all objectives are empty, the evaluation failed; if some are empty, they are missing. The
// error names the row.
func ReadTable(ctx context.Context, cfg sessions.Config, r io.Reader) (*sessions.Session, error) {
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: eventlog.WithContext(ctx, r), N: MaxBytes + 1}
	in := csv.NewReader(limited)
	in.TrimLeadingSpace, in.ReuseRecord = true, true
	head, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the CSV is empty: its first row must name the columns")
	}
	if err != nil {
		return nil, fmt.Errorf("reading CSV: %w", err)
	}
	problem := s.State().Problem
	c, err := columnsFor(problem, head)
	if err != nil {
		return nil, err
	}
	var batch imported
	for row := 2; ; row++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		record, err := in.Read()
		switch ended := errors.Is(err, io.EOF) && limited.N > 0; {
		case ended && row == 2:
			return nil, errors.New("the CSV has no rows of results below the names of its columns")
		case ended:
			return s, batch.record(s)
		case limited.N <= 0 || row > maxTableRows+1:
			return nil, fmt.Errorf("the CSV has more than %d rows or %d MiB", maxTableRows, MaxBytes>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("reading CSV: %w", err)
		}
		x, o, step, err := c.read(problem, record)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", row, err)
		}
		if step == "" || step != batch.step {
			if err := batch.record(s); err != nil {
				return nil, err
			}
			batch = imported{step: step}
		}
		batch.x, batch.outcomes = append(batch.x, x), append(batch.outcomes, o)
	}
}

// imported is one batch of rows.
type imported struct {
	step     string
	x        [][]float64
	outcomes []functions.Outcome
}

// record records the batch, if there is one.
func (b imported) record(s *sessions.Session) error {
	if len(b.x) == 0 {
		return nil
	}
	_, err := s.Record(sessions.ByImport, b.x, b.outcomes...)
	return err
}

// tableColumns are the positions of the columns.
type tableColumns struct {
	x, y, se     []int // −1 in se if there is none
	step, reason int   // −1 if there is none
}

func columnsFor(p *functions.Problem, head []string) (tableColumns, error) {
	names := make([]string, len(head))
	for i, h := range head {
		names[i] = strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), "'")
	}
	if err := CheckSeparator(head); err != nil {
		return tableColumns{}, err
	}
	c := tableColumns{step: slices.Index(names, "step"), reason: slices.Index(names, "reason")}
	find := func(name string) (int, error) {
		i := slices.Index(names, name)
		if i < 0 {
			return 0, fmt.Errorf("the CSV has no column %q; it has %s", name, sanitize.Text(strings.Join(names, ", ")))
		}
		if slices.Index(names[i+1:], name) >= 0 {
			return 0, fmt.Errorf("the CSV has two columns %q", name)
		}
		return i, nil
	}
	for _, v := range p.Domain {
		i, err := find(v.Name)
		if err != nil {
			return c, err
		}
		c.x = append(c.x, i)
	}
	for _, o := range p.Outputs() {
		i, err := find(o.Name)
		if err != nil {
			return c, err
		}
		c.y, c.se = append(c.y, i), append(c.se, slices.Index(names, o.Name+"_se"))
	}
	return c, nil
}

// CheckSeparator returns an error if the first row of a table is separated by semicolons or tabs instead of commas.
func CheckSeparator(head []string) error {
	for sign, name := range map[string]string{";": "semicolons", "\t": "tabs"} {
		if len(head) == 1 && strings.Contains(head[0], sign) {
			return fmt.Errorf("the columns are separated by %s: save the table as CSV with commas between columns "+
				"and a decimal point in numbers (18.5)", name)
		}
	}
	return nil
}

// read reads one row.
func (c tableColumns) read(p *functions.Problem, record []string) (x []float64, o functions.Outcome, step string,
	err error) {
	for j, i := range c.x {
		v, err := p.Domain[j].Parse(strings.TrimPrefix(strings.TrimSpace(record[i]), "'"))
		if err != nil {
			return nil, o, "", err
		}
		x = append(x, v)
	}
	if err := p.Domain.Check(x); err != nil {
		return nil, o, "", err
	}
	empty, measured := 0, p.Outputs()
	for k, i := range c.y {
		v, se := math.NaN(), math.NaN()
		if strings.TrimSpace(record[i]) == "" {
			empty++
		} else if v, err = parseNumber(measured[k].Name, record[i]); err != nil {
			return nil, o, "", err
		}
		if i := c.se[k]; i >= 0 && strings.TrimSpace(record[i]) != "" {
			if se, err = parseNumber(measured[k].Name+"_se", record[i]); err != nil {
				return nil, o, "", err
			}
		}
		o.Values, o.SE = append(o.Values, v), append(o.SE, se)
	}
	if c.reason >= 0 {
		o.Reason = strings.TrimSpace(record[c.reason])
	}
	o.Partial = empty > 0 && empty < len(c.y) && o.Reason == ""
	if !slices.ContainsFunc(o.SE, func(v float64) bool { return !math.IsNaN(v) }) {
		o.SE = nil
	}
	if c.step >= 0 {
		step = record[c.step]
	}
	return x, o, step, nil
}

// parseNumber parses the number in a cell.
func parseNumber(name, cell string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	if err != nil {
		return 0, fmt.Errorf("%s is %q, which is not a number%s", name, sanitize.Text(cell), numfmt.CommaHint(cell))
	}
	return v, nil
}
