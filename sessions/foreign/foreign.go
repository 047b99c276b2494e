// Package foreign reads the runs of other programs: the SQLite storage and the journal of Optuna, the JSON of an experiment of Ax, and
// tables (CSV or XLSX). A run becomes a declared experiment with its results in their order, and from there a session, in which the
// results are imports, or a row of a study for comparison. Files are data of a bounded size; they are only read.
package foreign

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// Bounds of a run.
const (
	MaxFile   = 256 << 20 // bytes
	maxTrials = 20_000
	maxParams = 1000
)

// Trial is one evaluation of a run.
type Trial struct {
	Name   string    // in the other program; empty for a row of a table
	X      []float64 // in the experiment's units
	Values []float64 // of the objectives; NaN if it failed
	SE     []float64 // of the values, NaN where unknown; nil for none
	Reason string    // why it failed; empty if it did not
}

// Run is a run of another program.
type Run struct {
	Program    string // that made it, with its version if the file has one
	Experiment *experiment.Declaration
	Trials     []Trial
	Notices    []string // what the file has and the run does not

	used names
}

// Options say what to read of a file.
type Options struct {
	Study string        // of several studies in one storage; empty for the only one
	Table sheet.Options // of a table
}

// Read reads a run from a file: SQLite is Optuna's storage, JSON an experiment of Ax, and everything else a
// table. The error
// names what the file does not have.
func Read(ctx context.Context, path string, o Options) (*Run, error) {
	f, err := eventlog.OpenRegular(path, MaxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 16)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var run *Run
	switch {
	case string(head[:n]) == "SQLite format 3\x00":
		run, err = readOptuna(ctx, path, o)
	default:
		var text []byte
		text, err = readRest(f, head[:n])
		if err == nil && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
			run, err = readJSON(text, o)
		} else if err == nil && o.Study != "" {
			err = errOneStudy
		} else if err == nil {
			run, err = readTable(path, text, o.Table)
		}
	}
	if err == nil {
		err = run.finish()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return run, nil
}

// errOneStudy is the error about a study of a file that has only one.
var errOneStudy = errors.New("only a storage of Optuna has several studies")

// readJSON reads a journal of Optuna or an experiment of Ax.
func readJSON(text []byte, o Options) (*Run, error) {
	switch {
	case isJournal(text):
		return readJournal(text, o)
	case o.Study != "":
		return nil, errOneStudy
	}
	return readAx(text)
}

// maxText bounds files that are read as a whole.
const maxText = 64 << 20

func readRest(f *os.File, head []byte) ([]byte, error) {
	rest, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(rest) > maxText {
		err = fmt.Errorf("the file has more than %d MiB", maxText>>20)
	}
	return append(slices.Clone(head), rest...), err
}

// finish checks a run and completes its experiment.
func (r *Run) finish() error {
	if len(r.Trials) == 0 {
		return errors.New("there are no finished trials")
	}
	for j := range r.Experiment.Variables {
		v := &r.Experiment.Variables[j]
		v.Header = r.used.header(v.Name)
	}
	for _, list := range [][]functions.Objective{r.Experiment.Objectives, r.Experiment.Limits} {
		for k := range list {
			list[k].Header = r.used.header(list[k].Name)
		}
	}
	if err := r.Experiment.Check(); err != nil {
		return err
	}
	r.Notices = append(r.Notices, r.used.notices()...)
	outputs := len(r.Experiment.Objectives) + len(r.Experiment.Limits)
	outside, first := 0, error(nil)
	r.Trials = slices.DeleteFunc(r.Trials, func(t Trial) bool {
		err := functions.Domain(r.Experiment.Variables).Check(t.X)
		if err == nil && len(t.Values) != outputs {
			err = fmt.Errorf("it has %s, but there are %d", numfmt.Count(len(t.Values), "value"), outputs)
		}
		if err == nil {
			return false
		}
		outside++
		if outside <= maxOutside {
			r.Notices = append(r.Notices, fmt.Sprintf("%s left out: %v", t.Name, err))
		}
		first = cmp.Or(first, err)
		return true
	})
	if outside > maxOutside {
		r.Notices = append(r.Notices, fmt.Sprintf("%d more left out for such reasons", outside-maxOutside))
	}
	if len(r.Trials) == 0 {
		return fmt.Errorf("no trial can be used: %w", first)
	}
	return nil
}

// maxOutside bounds how many trials that are left out are named.
const maxOutside = 20

// outcome is the result of a trial.
func (t Trial) outcome() functions.Outcome {
	o := functions.Outcome{Values: t.Values, SE: t.SE}
	if !functions.Finite(t.Values) {
		o.Reason, o.SE = t.Reason, nil
		for k := range o.Values {
			o.Values[k] = math.NaN()
		}
		if o.Reason == "" {
			o.Reason = "the value is not finite"
		}
	}
	return o
}

// Session is the session of a run, in memory: its results are imports, and the method of the configuration continues it.
func (r *Run) Session(ctx context.Context, cfg sessions.Config) (*sessions.Session, error) {
	cfg.Problem, cfg.Experiment = r.Experiment.Name, r.Experiment
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := record(ctx, s, r.Trials); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// record records trials as imports.
func record(ctx context.Context, s *sessions.Session, trials []Trial) error {
	return s.RecordTogether(func() error {
		for i, t := range trials {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := s.Record(sessions.ByImport, [][]float64{t.X}, t.outcome()); err != nil {
				return fmt.Errorf("trial %d: %w", i+1, err)
			}
		}
		return nil
	})
}

// RecordIn records the results in a session of the same problem, such as one of a study: variables and objectives are
// found by their names. It returns notices about the trials outside of the problem's domain, which are left out.
func (r *Run) RecordIn(ctx context.Context, s *sessions.Session) (notices []string, err error) {
	trials, notices, err := r.trialsOf(s.State().Problem)
	if err != nil {
		return nil, err
	}
	return notices, record(ctx, s, trials)
}

// trialsOf are the trials in the domain of another declaration of the problem.
func (r *Run) trialsOf(d *functions.Problem) (trials []Trial, notices []string, err error) {
	variables, err := indices("variable", d.Domain, r.Experiment.Variables, func(v functions.Variable) string {
		return v.Name
	})
	if err != nil {
		return nil, nil, err
	}
	name := func(o functions.Objective) string { return o.Name }
	from := slices.Concat(r.Experiment.Objectives, r.Experiment.Limits)
	outputs, err := indices("objective", slices.Concat(d.Objectives, d.Limits), from, name)
	if err != nil {
		return nil, nil, err
	}
	for k, o := range d.Objectives {
		if other := from[outputs[k]]; other.Direction != "" && other.Direction != o.Direction {
			return nil, nil, fmt.Errorf("%s is to %s here, but to %s there", o.Name, other.Direction, o.Direction)
		}
	}
	outside := 0
	for _, t := range r.Trials {
		trial := Trial{Reason: t.Reason}
		valid := true
		for j, v := range d.Domain {
			x, err := parseRaw(v, rawText(r.Experiment.Variables[variables[j]], t.X[variables[j]]))
			valid = valid && err == nil && v.Check(x) == nil
			trial.X = append(trial.X, x)
		}
		for _, k := range outputs {
			trial.Values = append(trial.Values, t.Values[k])
			if t.SE != nil {
				trial.SE = append(trial.SE, t.SE[k])
			}
		}
		if !valid {
			outside++
			continue
		}
		trials = append(trials, trial)
	}
	if outside > 0 {
		notices = append(notices, numfmt.Count(outside, "trial")+" outside of the domain of "+d.Name+" left out")
	}
	if len(trials) == 0 {
		return nil, nil, fmt.Errorf("no trial lies in the domain of %s", d.Name)
	}
	return trials, notices, nil
}

// rawText is a value with all digits, or the name of a choice.
func rawText(v functions.Variable, x float64) string {
	if v.Kind == functions.Choice {
		return v.Choices[v.Nearest(x)]
	}
	return fmt.Sprint(x)
}

// parseRaw reads what rawText writes. The name of a choice may have lost the characters that only tables have.
func parseRaw(v functions.Variable, text string) (float64, error) {
	x, err := v.Parse(text)
	if err == nil || v.Kind != functions.Choice {
		return x, err
	}
	if i := slices.IndexFunc(v.Choices, func(name string) bool { return experiment.ValidChoice(name) == text }); i >= 0 {
		return float64(i), nil
	}
	return x, err
}

// indices are the places of the names of a list in another one.
func indices[T any](kind string, list, in []T, name func(T) string) (places []int, err error) {
	for _, single := range list {
		i := slices.IndexFunc(in, func(other T) bool { return name(other) == name(single) })
		if i < 0 {
			var names []string
			for _, other := range in {
				names = append(names, name(other))
			}
			return nil, fmt.Errorf("the run has no %s %s; it has %s", kind, name(single), strings.Join(names, ", "))
		}
		places = append(places, i)
	}
	return places, nil
}

// readTable reads a table of results; a header marks the objectives, as in yield:max.
func readTable(path string, text []byte, o sheet.Options) (*Run, error) {
	d, rows, format, err := experiment.ParseResults(path, text, o)
	if err != nil {
		return nil, err
	}
	r := &Run{Program: "CSV", Experiment: d}
	if format.Workbook != "" {
		r.Program = "a workbook"
	}
	if !format.Plain() {
		r.Notices = append(r.Notices, format.String())
	}
	for _, row := range rows {
		n := len(d.Variables)
		t := Trial{X: row[:n:n], Values: row[n:]}
		if !functions.Finite(t.Values) {
			t.Reason = "no value"
		}
		r.Trials = append(r.Trials, t)
	}
	return r, nil
}
