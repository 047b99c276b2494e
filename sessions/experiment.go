package sessions

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
)

// ExperimentFile is the file of the declaration of an experiment: for information only, as a session has its own
// declaration and never reads that file on its own.
type ExperimentFile struct {
	Path   string `json:"path"` // as it was given
	SHA256 string `json:"sha256"`
}

// WithExperiment is the configuration on the experiment in a file, which it reads: a declaration, or a table of
// candidates (.csv). A table becomes part of the configuration. The faults of the file are returned
// as tomlfile.Faults.
func (c Config) WithExperiment(path string) (Config, error) {
	d, file, err := readExperiment(path)
	if err == nil {
		c.Problem = d.Name
		c.Experiment = d
		c.ExperimentFile = file
	}
	return c, err
}

func readExperiment(path string) (*experiment.Declaration, *ExperimentFile, error) {
	text, err := readFile(path, max(2*experiment.MaxFile, experiment.MaxTableFile))
	if err != nil {
		return nil, nil, err
	}
	d, err := ParseExperiment(path, text, FilesBeside(path))
	if err != nil {
		return nil, nil, err
	}
	hash := sha256.Sum256(text)
	return d, &ExperimentFile{path, hex.EncodeToString(hash[:])}, nil
}

// readFile is the content of a regular file, at most so many bytes and one more.
func readFile(path string, most int) ([]byte, error) {
	f, err := eventlog.OpenRegular(path, int64(most))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)+1))
}

// ParseExperiment reads the content of a file of your own experiment: a table of candidates (.csv), or a declaration,
// whose files open reads. The error is tomlfile.Faults.
func ParseExperiment(path string, text []byte, open experiment.FileReader) (*experiment.Declaration, error) {
	if experiment.Tabulated(path) {
		return experiment.ParseTable(path, text)
	}
	return experiment.ParseWithFiles(path, text, open)
}

// FilesBeside reads the files that a declaration names, which lie in its folder or below it.
func FilesBeside(declaration string) experiment.FileReader {
	return func(path string, most int) ([]byte, error) {
		return readFile(filepath.Join(filepath.Dir(declaration), path), most)
	}
}

// FindProblem finds what the configuration is about: a test function, or the experiment that is declared, both without
// a cost that is an expression.
func (c Config) FindProblem() (*functions.Problem, error) {
	if c.Experiment == nil {
		return functions.Find(c.Problem, c.Seed)
	}
	if err := c.Experiment.Check(); err != nil {
		return nil, err
	}
	return c.Experiment.Problem(), nil
}

// CompareDeclaration compares the experiment with a file that may have changed, and describes the differences; empty if
// there are none. The session keeps its own declaration.
func (s *Session) CompareDeclaration(path string) string {
	began := s.setup.config
	const goesOn = "the session keeps the declaration that it began with"
	d, file, err := readExperiment(path)
	switch {
	case err != nil:
		text, rest, _ := strings.Cut(err.Error(), "\n")
		if rest != "" {
			text += " (and " + numfmt.Count(strings.Count(rest, "\n")+1, "more fault") + ")"
		}
		return text + "; " + goesOn
	case began.Experiment == nil:
		return fmt.Sprintf("%s declares %s, but the session is about the test function %s; %s", path, d.Name,
			began.Problem, goesOn)
	case began.ExperimentFile != nil && d.Table == nil && began.ExperimentFile.SHA256 == file.SHA256:
		return ""
	}
	list := began.Experiment.Differences(d)
	if list == nil {
		return ""
	}
	return fmt.Sprintf("%s has changed since the session began: %s; %s", path, strings.Join(list, ", "), goesOn)
}
