package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
)

// studyExec says which programs of this worker evaluate your own problems of studies. It comes from the command line
// only and is written to no file.
type studyExec struct {
	Commands []string // each NAME=COMMAND, or a command for a study of one such problem
	Pipes    []string // the same of commands that keep running
	Shell    bool
	Timeout  time.Duration
}

// Flags adds the flags.
func (e *studyExec) Flags(f *pflag.FlagSet) {
	f.StringArrayVar(&e.Commands, "exec", nil, "command that evaluates one point of your own problem, as FILE=COMMAND; may be repeated")
	f.StringArrayVar(&e.Pipes, "exec-pipe", nil, "command that evaluates all points of your own problem, one JSON object per line, as FILE=COMMAND; may be repeated")
	f.BoolVar(&e.Shell, "shell", false, "run the commands in a shell; without it, they are split into words")
	f.DurationVar(&e.Timeout, "timeout", 0, "time after which an evaluation fails, such as 90s or 2h; 0 is no limit")
}

// command is a program for your own problem.
type command struct {
	problem string // its file or name; empty for the only one
	text    string
	pipe    bool
}

// commands are the programs of the flags. If own is not nil, they are for a study of these problems, each of which must
// have a program or be a table.
func (e studyExec) commands(ownFiles []study.OwnFile, known bool) ([]command, error) {
	needed := slices.DeleteFunc(slices.Clone(ownFiles), func(p study.OwnFile) bool { return !p.NeedsProgram() })
	var files []string
	for _, p := range needed {
		files = append(files, p.File)
	}
	var list []command
	for i, text := range slices.Concat(e.Commands, e.Pipes) {
		c := command{text: text, pipe: i >= len(e.Commands)}
		name, rest, named := strings.Cut(text, "=")
		_, ours := study.FindOwn(needed, name)
		switch {
		case named && (ours || !known && study.IsOwnFile(name)):
			c.problem, c.text = name, rest
		case known && len(needed) == 1: // it is for the only one
			c.problem = needed[0].File
		case known && len(needed) == 0:
			return nil, usagef("--exec is for your own problems, and the study has none that a program evaluates")
		case known:
			return nil, usagef("--exec must be FILE=COMMAND, with one of %s; got %q", strings.Join(files, ", "), text)
		default:
			return nil, usagef("--exec must be FILE=COMMAND, such as 'gbm.toml=python gbm.py', got %q", text)
		}
		if strings.TrimSpace(c.text) == "" {
			return nil, usagef("--exec has no command for %s", c.problem)
		}
		list = append(list, c)
	}
	if len(list) == 0 && (e.Shell || e.Timeout != 0) {
		return nil, usagef("--shell and --timeout need a program: add --exec FILE=COMMAND")
	}
	if e.Timeout < 0 {
		return nil, usagef("--timeout must be above 0, got %v", e.Timeout)
	}
	return list, e.checkPrograms(list, needed)
}

// checkPrograms reports a problem without a program, or with two.
func (e studyExec) checkPrograms(list []command, needed []study.OwnFile) error {
	for _, p := range needed {
		n := 0
		for _, c := range list {
			if c.problem == p.File || c.problem == p.Name() {
				n++
			}
		}
		switch {
		case n == 0:
			return usagef("%s has no evaluator: add --exec '%s=COMMAND'; a study file never starts a program", p.File, p.File)
		case n > 1:
			return usagef("%s has %d programs; give it one", p.File, n)
		}
	}
	return nil
}

// programs are started programs, one per problem.
type programs struct {
	exec studyExec
	list []command

	mu   sync.Mutex
	made map[string]*external.Program
}

// evaluators are the evaluators of commands; the caller must call end, which ends all programs.
func (e studyExec) evaluators(list []command) (found worker.Evaluators, end func() error) {
	p := &programs{exec: e, list: list, made: map[string]*external.Program{}}
	return p.find, p.close
}

// find is the program for a problem; nil if there is none.
func (p *programs) find(ownFile study.OwnFile) (functions.Evaluator, error) {
	i := slices.IndexFunc(p.list, func(c command) bool {
		return c.problem == ownFile.File || c.problem == ownFile.Name()
	})
	if i < 0 {
		return nil, nil
	}
	key, err := ownFile.Hash()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if made := p.made[key]; made != nil {
		return made, nil
	}
	made, err := external.New(ownFile.Experiment.Problem(), external.Options{Command: p.list[i].text, Shell: p.exec.Shell,
		KeepAlive: p.list[i].pipe, Timeout: p.exec.Timeout})
	if err != nil {
		return nil, err
	}
	p.made[key] = made
	return made, nil
}

// close ends all programs.
func (p *programs) close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, single := range p.made {
		err = errors.Join(err, single.Close())
	}
	return err
}

// openEvaluators are the evaluators of your own problems of a study, of which each must have a program, unless the study
// is only read.
func (e studyExec) openEvaluators(ownFiles []study.OwnFile, readOnly bool) (worker.Evaluators, func() error, error) {
	none := func() error { return nil }
	if readOnly {
		if len(e.Commands)+len(e.Pipes) > 0 {
			return nil, none, usagef("--exec cannot be used with --look, --published or --export, which run no cells")
		}
		return nil, none, nil
	}
	list, err := e.commands(ownFiles, true)
	if err != nil || len(list) == 0 {
		return nil, none, err
	}
	found, end := e.evaluators(list)
	for _, p := range ownFiles { // a program that cannot be found is an error before any cell runs
		if !p.NeedsProgram() {
			continue
		}
		if _, err := found(p); err != nil {
			return nil, none, cmp.Or(asUsage(err), end())
		}
	}
	return found, end, nil
}

// openFor is openEvaluators for a study of a database; one without cells to run needs no program.
func (e studyExec) openFor(ctx context.Context, st *store.Store, name string, readOnly bool) (worker.Evaluators,
	func() error, error) {
	d, err := st.Declaration(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	list, err := st.Studies(ctx)
	if err != nil {
		return nil, nil, err
	}
	done := slices.ContainsFunc(list, func(s store.Summary) bool { return s.Name == name && s.Remaining() == 0 })
	if done && !readOnly && len(e.Commands)+len(e.Pipes) == 0 {
		readOnly = true
	}
	return e.openEvaluators(d.Own, readOnly)
}
