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
	"bandscope/functions/sheet"
	"bandscope/functions/tomlfile"
	"bandscope/optimizers"
	"bandscope/optimizers/program"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// OwnFile is what a file of yours declares that a study names: a problem, which a program of the worker evaluates or
// which is a table of candidates, or a method that is a program. It is part of the study's declaration, so that workers
// elsewhere have it.
type OwnFile struct {
	File       string                  `json:"file"` // as the study names it
	Experiment *experiment.Declaration `json:"experiment,omitempty"`
	Program    *program.Declaration    `json:"program,omitempty"`
}

// Name is the name of the problem or of the method.
func (p OwnFile) Name() string {
	switch {
	case p.Experiment != nil:
		return p.Experiment.Name
	case p.Program != nil:
		return p.Program.MethodName()
	}
	return ""
}

// NeedsProgram reports whether a program of the worker evaluates the problem: every one but a measured table.
func (p OwnFile) NeedsProgram() bool { return p.Experiment != nil && !p.Experiment.Measured() }

// Hash is a hash of the declaration.
func (p OwnFile) Hash() (string, error) {
	var declared any = p.Experiment
	if p.Program != nil {
		declared = p.Program
	}
	text, err := json.Marshal(declared)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.File, err)
	}
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:]), nil
}

// FindOwn finds one of your own problems by its file or its name; the last, false, if there is none.
func FindOwn(list []OwnFile, name string) (OwnFile, bool) {
	return findOwn(list, name, func(p OwnFile) bool { return p.Experiment != nil })
}

// findProgram is the declaration of a method by its file or its name; nil if no file declares it.
func findProgram(list []OwnFile, name string) *program.Declaration {
	p, _ := findOwn(list, name, func(p OwnFile) bool { return p.Program != nil })
	return p.Program
}

// findOwn finds the file of a kind by its path or by the name of what it declares.
func findOwn(list []OwnFile, name string, kind func(OwnFile) bool) (OwnFile, bool) {
	i := slices.IndexFunc(list, func(p OwnFile) bool { return kind(p) && (p.File == name || p.Name() == name) })
	if i < 0 {
		return OwnFile{}, false
	}
	return list[i], true
}

// IsOwnFile reports whether an entry of the list of problems names a file.
func IsOwnFile(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".toml" || ext == ".csv"
}

// isProgramFile reports whether an entry of the list of methods names a file.
func isProgramFile(name string) bool {
	return !program.IsName(name) && strings.ToLower(filepath.Ext(name)) == ".toml"
}

// readOwn reads a file of yours, as decode does. Open takes paths relative to the study.
func readOwn(file string, most int, open experiment.FileReader, decode func(text []byte) (OwnFile, error)) (OwnFile,
	error) {
	switch {
	case open == nil:
		return OwnFile{}, fmt.Errorf("%s cannot be read here; a study that names files of yours must be a file", file)
	case !filepath.IsLocal(file):
		return OwnFile{}, fmt.Errorf("%s must be in the folder of the study or below it", file)
	}
	text, err := open(file, most)
	if err != nil {
		return OwnFile{}, err
	}
	return decode(text)
}

// ReadOwn reads your own problem from a file, with the table that it names. Open takes paths relative to the study.
func ReadOwn(file string, open experiment.FileReader) (OwnFile, error) {
	return readOwn(file, max(experiment.MaxFile, experiment.MaxTableFile), open, func(text []byte) (OwnFile, error) {
		d, err := sessions.ParseExperiment(file, text, func(path string, most int) ([]byte, error) {
			return open(filepath.Join(filepath.Dir(file), path), most)
		})
		if err == nil && d.Table != nil {
			d.Table.Format = sheet.Format{} // a stored study does not have it
		}
		return OwnFile{File: file, Experiment: d}, err
	})
}

// readOwnProgram reads the declaration of a method that is a program from a file. The timeout in it counts where the
// file allows the program.
func readOwnProgram(file string, open experiment.FileReader) (OwnFile, error) {
	return readOwn(file, program.MaxFile, open, func(text []byte) (OwnFile, error) {
		d, _, err := program.Parse(text)
		if err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
		return OwnFile{File: file, Program: d}, err
	})
}

// checkOwn reports values of your own files that no declaration can have.
func (c *checker) checkOwn() {
	seen := map[string]bool{}
	for i, p := range c.Own {
		position := tomlfile.Place{Table: "problems", Index: i}
		if p.Program != nil {
			position.Table = "methods"
		}
		switch {
		case (p.Experiment == nil) == (p.Program == nil) || p.File == "" || len(p.File) > maxEntry:
			c.addFault(position, "one of your own problems has no experiment or no file")
			return
		case seen[p.Name()] || seen[p.File]:
			c.addFault(position, "two of your own files declare %s", p.Name())
		case p.Program != nil:
			if err := p.Program.Check(); err != nil {
				c.addFault(position, "%s: %v", p.File, err)
			}
		case slices.Contains(functions.FamilyNames(), p.Experiment.Name):
			c.addFault(position, "%s is the name of a test function", p.Experiment.Name)
		default:
			if err := p.Experiment.Check(); err != nil {
				c.addFault(position, "%s: %v", p.File, err)
			}
		}
		seen[p.Name()], seen[p.File] = true, true
	}
}

// readOwnFiles reads the files that the lists of problems and methods name.
func (r *reader) readOwnFiles(open experiment.FileReader) {
	r.readListed("problems", r.Problems, IsOwnFile, func(file string) (OwnFile, error) { return ReadOwn(file, open) })
	r.readListed("methods", r.Methods, isProgramFile, func(file string) (OwnFile, error) {
		return readOwnProgram(file, open)
	})
}

// readListed reads the files that a list names, each once.
func (r *reader) readListed(key string, entries []string, isFile func(string) bool, read func(string) (OwnFile, error)) {
	for i, text := range entries {
		e, err := readEntry(text)
		if err != nil || !isFile(e.name) || slices.ContainsFunc(r.Own, func(p OwnFile) bool { return p.File == e.name }) {
			continue
		}
		file, err := read(e.name)
		if err != nil {
			r.addFault(tomlfile.Place{Table: key, Index: i}, "%v", err)
			continue
		}
		index := slices.IndexFunc(r.Own, func(p OwnFile) bool { return p.Name() == file.Name() })
		if index >= 0 {
			r.addFault(tomlfile.Place{Table: key, Index: i}, "%s and %s both declare %s; change one of the names", r.Own[index].File, file.File,
				file.Name())
			continue
		}
		r.Own = append(r.Own, file)
	}
}

// FindMethod finds the method of an entry by its name: one that a file of yours declares, or one of the registry.
func FindMethod(name string, ownFiles []OwnFile) (*optimizers.Spec, error) {
	if d := findProgram(ownFiles, name); d != nil {
		return registry.Program(d), nil
	}
	if isProgramFile(name) {
		return nil, fmt.Errorf("the study has no method %s", name)
	}
	return registry.Find(name)
}

// findProblem finds the problem of an entry: one of your own, or a test function.
func findProblem(name string, seed uint64, ownFiles []OwnFile) (*functions.Problem, *experiment.Declaration, error) {
	if p, ok := FindOwn(ownFiles, name); ok {
		cfg := sessions.Config{Experiment: p.Experiment}
		found, err := cfg.FindProblem()
		return found, p.Experiment, err
	}
	if IsOwnFile(name) {
		return nil, nil, fmt.Errorf("the study has no problem %s", name)
	}
	p, err := functions.Find(name, seed)
	if errors.Is(err, didyoumean.ErrUnknown) {
		var names []string
		for _, p := range ownFiles {
			if p.Experiment != nil {
				names = append(names, p.Experiment.Name)
			}
		}
		if names != nil {
			err = fmt.Errorf("%w (your own problems are %s)", err, strings.Join(names, ", "))
		}
	}
	return p, nil, err
}
