package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// OwnProblem is your own problem in a study: a declared experiment, which a program of the worker evaluates, or a table
// of candidates. It is part of the study's declaration, so that workers elsewhere have it.
type OwnProblem struct {
	File       string                  `json:"file"` // as the study names it
	Experiment *experiment.Declaration `json:"experiment"`
}

// NeedsProgram reports whether a program of the worker evaluates the problem: every one but a table.
func (p OwnProblem) NeedsProgram() bool { return p.Experiment.Table == nil }

// Hash is a hash of the experiment.
func (p OwnProblem) Hash() (string, error) {
	text, err := json.Marshal(p.Experiment)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.File, err)
	}
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:]), nil
}

// FindOwn finds one of your own problems by its file or its name; the last, false, if there is none.
func FindOwn(list []OwnProblem, name string) (OwnProblem, bool) {
	i := slices.IndexFunc(list, func(p OwnProblem) bool { return p.File == name || p.Experiment.Name == name })
	if i < 0 {
		return OwnProblem{}, false
	}
	return list[i], true
}

// OwnFile reports whether an entry of the list of problems names a file.
func OwnFile(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".toml" || ext == ".csv"
}

// ReadOwn reads your own problem from a file, with the table that it names. Open takes paths relative to the study.
func ReadOwn(file string, open experiment.FileReader) (OwnProblem, error) {
	switch {
	case open == nil:
		return OwnProblem{}, fmt.Errorf("%s cannot be read here; a study of your own problems must be a file", file)
	case !filepath.IsLocal(file):
		return OwnProblem{}, fmt.Errorf("%s must be in the folder of the study or below it", file)
	}
	text, err := open(file, max(experiment.MaxFile, experiment.MaxTableFile))
	if err != nil {
		return OwnProblem{}, err
	}
	d, err := sessions.ParseExperiment(file, text, func(path string, most int) ([]byte, error) {
		return open(filepath.Join(filepath.Dir(file), path), most)
	})
	return OwnProblem{file, d}, err
}

// checkOwn reports values of your own problems that no declaration can have.
func (c *checker) checkOwn() {
	seen := map[string]bool{}
	for i, p := range c.Own {
		at := place{"problems", i, ""}
		switch {
		case p.Experiment == nil || p.File == "" || len(p.File) > maxEntry:
			c.addFault(at, "one of your own problems has no experiment or no file")
			return
		case seen[p.Experiment.Name] || seen[p.File]:
			c.addFault(at, "two of your own problems have the name %s", p.Experiment.Name)
		case slices.Contains(functions.FamilyNames(), p.Experiment.Name):
			c.addFault(at, "%s is the name of a test function", p.Experiment.Name)
		default:
			if err := p.Experiment.Check(); err != nil {
				c.addFault(at, "%s: %v", p.File, err)
			}
		}
		seen[p.Experiment.Name], seen[p.File] = true, true
	}
}

// readOwnProblems reads the files that the list of problems names.
func (r *reader) readOwnProblems(open experiment.FileReader) {
	for i, text := range r.Problems {
		e, err := readEntry(text)
		if err != nil || !OwnFile(e.name) {
			continue
		}
		if slices.ContainsFunc(r.Own, func(p OwnProblem) bool { return p.File == e.name }) {
			continue
		}
		own, err := ReadOwn(e.name, open)
		if err != nil {
			r.addFault(place{"problems", i, ""}, "%v", err)
			continue
		}
		if other, twice := FindOwn(r.Own, own.Experiment.Name); twice {
			r.addFault(place{"problems", i, ""}, "%s and %s both declare %s; change one of the names", other.File, own.File,
				own.Experiment.Name)
			continue
		}
		r.Own = append(r.Own, own)
	}
}

// findProblem finds the problem of an entry: one of your own, or a test function.
func findProblem(name string, seed uint64, own []OwnProblem) (*functions.Problem, *experiment.Declaration, error) {
	if p, ok := FindOwn(own, name); ok {
		cfg := sessions.Config{Experiment: p.Experiment}
		found, err := cfg.FindProblem()
		return found, p.Experiment, err
	}
	if OwnFile(name) {
		return nil, nil, fmt.Errorf("the study has no problem %s", name)
	}
	p, err := functions.Find(name, seed)
	if errors.Is(err, didyoumean.ErrUnknown) && len(own) > 0 {
		var names []string
		for _, p := range own {
			names = append(names, p.Experiment.Name)
		}
		err = fmt.Errorf("%w (your own problems are %s)", err, strings.Join(names, ", "))
	}
	return p, nil, err
}
