package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// ReadTable starts a session with earlier results from a table, CSV or a workbook. The first row has the names of the
// columns: every variable and every objective, and optionally "step" (rows with the same step are a batch), an
// objective's name with "_se" (its standard errors), "reason" (why an evaluation failed) and "block" (its plate or day).
// It ignores other columns, so that it reads what Export writes. If the values of all objectives are empty, the
// evaluation failed; if some are empty, they are missing. The error names the line. It returns how the table was read.
func ReadTable(ctx context.Context, cfg sessions.Config, r io.Reader, o sheet.Options) (*sessions.Session, sheet.Format,
	error) {
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, sheet.Format{}, err
	}
	t, err := sheet.ReadFrom(eventlog.WithContext(ctx, r), o)
	if err != nil {
		return nil, sheet.Format{}, err
	}
	problem := s.State().Problem
	c, err := columnsFor(problem, t)
	if err != nil {
		return nil, t.Format, err
	}
	if len(t.Rows) == 0 {
		return nil, t.Format, errors.New("there are no rows of results below the names of the columns")
	}
	var batch imported
	for row := range t.Rows {
		if err := ctx.Err(); err != nil {
			return nil, t.Format, err
		}
		x, o, step, err := c.read(problem, t, row)
		if err != nil {
			return nil, t.Format, err
		}
		if step == "" || step != batch.step {
			if err := batch.record(s); err != nil {
				return nil, t.Format, err
			}
			batch = imported{step: step}
		}
		batch.x, batch.outcomes = append(batch.x, x), append(batch.outcomes, o)
	}
	return s, t.Format, batch.record(s)
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
	block        int   // −1 if there is none
}

func columnsFor(p *functions.Problem, t *sheet.Table) (c tableColumns, err error) {
	find := func(name, unit string) int {
		i, failed := t.Find(name, unit)
		err = errors.Join(err, failed)
		return i
	}
	need := func(name, unit string) int {
		i := find(name, unit)
		if i < 0 && err == nil {
			err = t.Unknown(name)
		}
		return i
	}
	c.step = find("step", "")
	c.reason = find("reason", "")
	c.block = find("block", "")
	for _, v := range p.Domain {
		c.x = append(c.x, need(v.Name, v.Unit))
	}
	for _, o := range p.Outputs() {
		c.y, c.se = append(c.y, need(o.Name, o.Unit)), append(c.se, find(o.Name+"_se", o.Unit))
	}
	return c, err
}

// read reads one row.
func (c tableColumns) read(p *functions.Problem, t *sheet.Table, row int) (x []float64, o functions.Outcome, step string,
	err error) {
	record := t.Rows[row]
	for j, i := range c.x {
		v, err := p.Domain[j].Parse(strings.TrimPrefix(record[i], "'"))
		if err == nil {
			err = p.Domain[j].Check(v)
		}
		if err != nil {
			return nil, o, "", t.CellError(row, i, "%v", err)
		}
		x = append(x, v)
	}
	if err := p.Domain.Check(x); err != nil {
		return nil, o, "", fmt.Errorf("%s: %w", t.Place(row), err)
	}
	empty := 0
	for k, i := range c.y {
		v, se := math.NaN(), math.NaN()
		if record[i] == "" {
			empty++
		} else {
			v, err = t.Number(row, i)
			if err != nil {
				return nil, o, "", err
			}
		}
		if i := c.se[k]; i >= 0 && record[i] != "" {
			se, err = t.Number(row, i)
			if err != nil {
				return nil, o, "", err
			}
		}
		o.Values, o.SE = append(o.Values, v), append(o.SE, se)
	}
	if c.reason >= 0 {
		o.Reason = record[c.reason]
	}
	if c.block >= 0 {
		o.Block, _, err = sheet.Date(record[c.block])
		if err != nil {
			return nil, o, "", t.CellError(row, c.block, "%v", err)
		}
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
