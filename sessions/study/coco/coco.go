// Package coco writes the runs of a study on BBOB functions in the format of the benchmarking platform COCO, for its
// package cocopp: a folder per method, with the files of the suite's logger in its format bbob-new2. Package stats
// explains the numbers, and functions/bbob has the functions; this package runs and computes nothing.
package coco

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/bbob"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
)

// Archive lists the written files.
type Archive struct {
	Folders []string // one per method, in the order of the study: the arguments of cocopp
	Trials  int      // runs in them
	Skipped []string // reasons for runs that were left out
}

// trial is a run of a method on one instance.
type trial struct {
	f, dim, instance int
	seed             uint64
	trace            study.Trace
}

// Write writes the finished runs into a folder, which it makes if it does not exist: for every method a folder that
// must not exist yet and that appears when it is complete. Seeds of one instance are repeated runs of it. The format
// follows the output of coco-experiment 2.8.2, with two differences: there are no points x, which COCO also leaves out
// above 22 dimensions and cocopp does not read, and the measured value is the best so far. Of a batch, the last
// evaluation is written. If there is no such run, the error says which runs the format has.
func Write(ctx context.Context, dir string, t *study.Table) (Archive, error) {
	a, byMethod := Archive{}, map[string][]trial{}
	var methods []string
	waiting := 0
	for _, r := range t.Rows {
		run, why := trialFor(r)
		switch {
		case why != "":
			if !slices.Contains(a.Skipped, why) {
				a.Skipped = append(a.Skipped, why)
			}
			continue
		case r.Status != study.Done:
			waiting++
			continue
		}
		if byMethod[r.Method] == nil {
			methods = append(methods, r.Method)
		}
		byMethod[r.Method] = append(byMethod[r.Method], run)
		a.Trials++
	}
	if waiting > 0 {
		a.Skipped = append(a.Skipped, fmt.Sprintf("runs on BBOB functions that are not finished: %d", waiting))
	}
	if a.Trials == 0 {
		return a, fmt.Errorf("there are no runs to write in COCO's format, which needs finished runs on bbob-f1 to bbob-f24, such as bbob-f8:5:i2, without noise%s", skippedReasons(a.Skipped))
	}
	names := folders(methods)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return a, fmt.Errorf("%s already exists; choose another folder", path)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return a, err
	}
	for i, m := range methods {
		path := filepath.Join(dir, names[i])
		if err := writeMethod(ctx, path, m, comment(t, m), byMethod[m]); err != nil {
			return a, err
		}
		a.Folders = append(a.Folders, path)
	}
	return a, nil
}

func skippedReasons(left []string) string {
	if len(left) == 0 {
		return ""
	}
	return "; " + strings.Join(left, "; ")
}

// dimensions are those of the suite bbob.
var dimensions = []int{2, 3, 5, 10, 20, 40}

// trialFor turns a row into a run of BBOB, or returns why it is none.
func trialFor(r study.Row) (trial, string) {
	name, settings, _ := strings.Cut(r.Problem, " ")
	f, dim, instance, ok := function(name, r.Dim)
	switch {
	case !ok:
		return trial{}, sanitize.Text(r.Problem) + " is not a BBOB function"
	case !slices.Contains(dimensions, dim): // cocopp has no reference data for others, and ends
		return trial{}, fmt.Sprintf("%s has %d dimensions, which the suite bbob does not have",
			sanitize.Text(r.Problem), dim)
	case slices.ContainsFunc(strings.Fields(settings), func(s string) bool {
		return strings.HasPrefix(s, "noise=") && s != "noise=0"
	}):
		return trial{}, sanitize.Text(r.Problem) + " has noise, which the suite bbob does not have"
	case r.Status == study.Done && !slices.ContainsFunc(r.Trace.SimpleRegret, func(v float64) bool {
		return !math.IsNaN(v)
	}):
		return trial{}, fmt.Sprintf("no evaluation succeeded in the run of %s by %s with seed %d",
			sanitize.Text(r.Problem), sanitize.Text(r.Method), r.Seed)
	}
	return trial{f: f, dim: dim, instance: instance, seed: r.Seed, trace: r.Trace}, ""
}

// function reads the name of a problem: bbob-f8:5:i3, where the dimension and the instance may be missing.
func function(name string, dim int) (f, d, instance int, ok bool) {
	rest, ok := strings.CutPrefix(name, "bbob-f")
	if !ok {
		return 0, 0, 0, false
	}
	parts := strings.Split(rest, ":")
	f, err := strconv.Atoi(parts[0])
	d, instance = dim, 1
	if len(parts) > 1 {
		var wrong error
		d, wrong = strconv.Atoi(parts[1])
		err = errors.Join(err, wrong)
	}
	if len(parts) > 2 {
		var wrong error
		instance, wrong = strconv.Atoi(strings.TrimPrefix(parts[2], "i"))
		err = errors.Join(err, wrong)
	}
	return f, d, instance, err == nil && len(parts) < 4 && f >= 1 && f <= bbob.Count
}

// folders are names of folders for methods, which cocopp shows as the names of the algorithms: with an underscore for
// each character that a file system or LaTeX may not accept, and all different.
func folders(methods []string) []string {
	names := make([]string, 0, len(methods))
	for _, m := range methods {
		name := strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '=':
				return r
			}
			return '_'
		}, m)
		name = strings.TrimLeft(name, "-.")
		for n := 2; slices.ContainsFunc(names, func(s string) bool { return strings.EqualFold(s, name) }); n++ {
			name = fmt.Sprintf("%s_%d", strings.TrimSuffix(name, fmt.Sprintf("_%d", n-1)), n)
		}
		names = append(names, name)
	}
	return names
}

// comment names the study and the program of the runs.
func comment(t *study.Table, method string) string {
	var programs []string
	for _, r := range t.Rows {
		if p := sanitize.Text(r.Program); p != "" && !slices.Contains(programs, p) {
			programs = append(programs, p)
		}
	}
	if len(programs) == 0 {
		programs = []string{sessions.ProgramVersion()}
	}
	return fmt.Sprintf("%s in the study %s of bandscope %s", sanitize.Text(method), sanitize.Text(t.Declaration.Name),
		strings.Join(programs, ", "))
}

// writeMethod writes the folder of a method, first under a temporary name.
func writeMethod(ctx context.Context, path, method, comment string, trials []trial) (err error) {
	tmp, err := os.MkdirTemp(filepath.Dir(path), ".coco-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(tmp)
		}
	}()
	slices.SortStableFunc(trials, func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.dim, b.dim), cmp.Compare(a.instance, b.instance),
			cmp.Compare(a.seed, b.seed))
	})
	infos := map[int]*bytes.Buffer{}
	for len(trials) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := trials[0]
		n := slices.IndexFunc(trials, func(t trial) bool { return t.f != first.f || t.dim != first.dim })
		if n < 0 {
			n = len(trials)
		}
		if infos[first.f] == nil {
			infos[first.f] = &bytes.Buffer{}
		}
		info := infos[first.f]
		// An attribute ends at the quote before a comma.
		fmt.Fprintf(info, "suite = 'bbob', funcId = %d, DIM = %d, Precision = 1.000e-08, algId = '%s', coco_version = '', logger = 'bbob', data_format = 'bbob-new2'\n%% %s\n",
			first.f, first.dim, strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(sanitize.Text(method)), comment)
		if err := writeProblem(info, tmp, trials[:n]); err != nil {
			return err
		}
		trials = trials[n:]
	}
	for f, info := range infos {
		if err := os.WriteFile(filepath.Join(tmp, fmt.Sprintf("bbobexp_f%d.info", f)), info.Bytes(), 0o644); err !=
			nil {
			return err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// writeProblem writes the files of a function in a dimension, and their line of the index.
func writeProblem(info *bytes.Buffer, dir string, trials []trial) error {
	first := trials[0]
	name := fmt.Sprintf("data_f%d/bbobexp_f%d_DIM%d", first.f, first.f, first.dim)
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
		return err
	}
	fmt.Fprintf(info, "%s.dat", name)
	var byTarget, byCount, none bytes.Buffer
	for _, t := range trials {
		problem, err := bbob.New(t.f, t.dim, t.instance)
		if err != nil {
			return fmt.Errorf("bbob-f%d:%d:i%d: %w", t.f, t.dim, t.instance, err)
		}
		head := fmt.Sprintf("%% f evaluations | g evaluations | best noise-free fitness - Fopt (%.12e) + sum g_i+ | measured fitness | best measured fitness or single-digit g-values\n", problem.Best)
		lines := logLines(t)
		for _, out := range []*bytes.Buffer{&byTarget, &byCount, &none} {
			out.WriteString(head)
		}
		for _, l := range lines {
			text := fmt.Sprintf("%d 0 %+.9e %+.9e %+.9e\n", l.evaluations, l.regret, l.best, l.best)
			if l.target {
				byTarget.WriteString(text)
			}
			if l.count {
				byCount.WriteString(text)
			}
		}
		last := lines[len(lines)-1]
		fmt.Fprintf(info, ", %d:%d|%.1e", t.instance, last.evaluations, last.regret)
	}
	info.WriteByte('\n')
	for ending, text := range map[string][]byte{
		".dat": byTarget.Bytes(), ".tdat": byCount.Bytes(), ".mdat": none.Bytes(), ".rdat": none.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name+ending), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
