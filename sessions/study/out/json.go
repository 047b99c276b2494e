package out

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"bandscope/sessions"
	"bandscope/sessions/safe"
	"bandscope/sessions/study"
)

// version is that of the form in which studies are written, which changes where a reader of the one before would be wrong.
const version = 1

// maxFile is how much a file of a study may hold, in bytes.
const maxFile = 1 << 30

// file is a study as JSON.
type file struct {
	Format  string             `json:"format"`
	Version int                `json:"version"`
	Program string             `json:"program"` // that wrote it
	Study   *study.Declaration `json:"study"`
	Cells   []study.Row        `json:"cells"`
}

const format = "bandscope study"

// JSON writes everything of a study so that Read has it again, as one object: "format", "version", "program", "study", "cells". Numbers are in their shortest form
// that reads back as they are, null stands for what is no number yet.
func JSON(w io.Writer, t *study.Table) error {
	return safe.JSON(w, file{Format: format, Version: version, Program: sessions.ProgramVersion(), Study: t.Declaration, Cells: t.Rows})
}

// Read reads what JSON wrote. An error says what is wrong of a text that is no study, or of another version of its form.
func Read(r io.Reader) (*study.Table, error) {
	limited := &io.LimitedReader{R: r, N: maxFile}
	text, err := io.ReadAll(limited)
	switch {
	case err != nil:
		return nil, err
	case limited.N == 0:
		return nil, fmt.Errorf("it is larger than %d bytes, which no study is", maxFile)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("it is no study as JSON: %w", err)
	}
	switch {
	case head.Format != format:
		return nil, fmt.Errorf("it is no study: its format must be %q, got %q", format, safe.Text(head.Format))
	case head.Version != version:
		return nil, fmt.Errorf("its form has version %d, which this program does not read: it reads version %d", head.Version, version)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("it is no study as JSON: %w", err)
	}
	if f.Study == nil {
		return nil, errors.New("it does not say of which study it is")
	}
	if err := f.Study.CheckShape(); err != nil {
		return nil, err
	}
	for i := range f.Cells {
		if err := f.Cells[i].Check(); err != nil {
			return nil, fmt.Errorf("cell %d: %w", i, err)
		}
	}
	return &study.Table{Declaration: f.Study, Rows: f.Cells}, nil
}

// Thinned is a table in short, for keeping many: of each trace at most so many iterations, at equal factors of their number, the first and the last among them and
// besides those of which the declaration has a printed number; numbers with so many significant digits, seconds of an iteration with one, of a run with two; without who worked when. A trace
// that was thinned says nothing of the iterations between: what improved in them shows at the next one that is kept.
func Thinned(t *study.Table, points, digits int) *study.Table {
	short := &study.Table{Declaration: t.Declaration, Rows: slices.Clone(t.Rows)}
	for i := range short.Rows {
		r := &short.Rows[i]
		r.Worker, r.Seconds = "", rounded(r.Seconds, 2)
		keep := kept(r.Trace.Evaluations, points, t.Declaration.Printed)
		trace := study.Trace{Evaluations: picked(r.Trace.Evaluations, keep)}
		for _, c := range columns {
			v := picked(*c.of(&r.Trace), keep)
			places := digits
			if c.name == "seconds" {
				places = 1
			}
			for k := range v {
				v[k] = rounded(v[k], places)
			}
			*c.of(&trace) = v
		}
		r.Trace = trace
	}
	return short
}

// kept are the places of the iterations that stay, rising.
func kept(evaluations []int, points int, printed []study.Printed) []int {
	n := len(evaluations)
	var keep []int
	for k := range points {
		keep = append(keep, int(math.Round(math.Pow(float64(n), float64(k)/float64(max(points-1, 1)))))-1)
	}
	for _, p := range printed {
		if i, _ := slices.BinarySearch(evaluations, p.Evaluations); p.Evaluations > 0 && i < n {
			keep = append(keep, i)
		}
	}
	if n <= points { // all of them
		keep = nil
		for i := range n {
			keep = append(keep, i)
		}
	}
	slices.Sort(keep)
	return slices.Compact(keep)
}

// picked are the elements at places; nil of nil.
func picked[E any](v []E, places []int) []E {
	if v == nil {
		return nil
	}
	out := make([]E, 0, len(places))
	for _, i := range places {
		out = append(out, v[i])
	}
	return out
}

// rounded has so many significant digits.
func rounded(v float64, digits int) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return short
}
