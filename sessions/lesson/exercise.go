// Package lesson reads and performs the scripts of lessons: Markdown in which a line that begins with "> " is an action
// or describes the page above it. A script becomes a session of an optimization or of a training, with pages between
// the actions; errors have the number of their line. Claims about a training are checked here, claims about plots in
// package tui/lessonpage. Progress records what a reader has read, answered and solved, in one file that several programs
// may update.
package lesson

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// MaxWords bounds the words of a page, and of the task of an exercise.
const MaxWords = 60

// Exercise is the exercise at the end of a script.
type Exercise struct {
	sessions.Exercise
	Solve []string // actions that reach the goals; the reader does not see them
}

// CutExercise splits a script before its exercise, and reads the exercise; it is nil if there is none. Files has the
// experiments that the script names, or is nil.
//
//	> exercise FUNCTION OPTIMIZER SEED [KEY=VALUE …] [--noise=SD …]   the configuration
//	> hide acquisition                                 hides the next point and the acquisition
//	The task, of at most 60 words.
//	> goal QUANTITY <|>|= NUMBER                       all goals must hold at the same time
//	> solve ACT, ACT …                                 a solution; with semicolons if an action has commas
func CutExercise(text string, files fs.FS) (before string, e *Exercise, err error) {
	lines := strings.Split(text, "\n")
	begins := slices.IndexFunc(lines, func(l string) bool {
		return l == "> exercise" || strings.HasPrefix(l, "> exercise ")
	})
	if begins < 0 {
		return text, nil, nil
	}
	e = &Exercise{}
	var task []string
	for i, line := range lines[begins:] {
		act, ok := strings.CutPrefix(line, "> ")
		if !ok {
			task = append(task, line)
			continue
		}
		if err := e.parseLine(act, files); err != nil {
			return "", nil, fmt.Errorf("line %d: %s: %w", begins+i+1, line, err)
		}
	}
	e.Text = strings.TrimSpace(strings.Join(task, "\n"))
	switch words := len(strings.Fields(e.Text)); {
	case words == 0:
		err = fmt.Errorf("line %d: the exercise has no task: write it below this line", begins+1)
	case words > MaxWords:
		err = fmt.Errorf("line %d: the task of the exercise has %d words, at most %d are allowed", begins+1, words, MaxWords)
	case len(e.Goals) == 0:
		err = fmt.Errorf(`line %d: the exercise has no goal: add one, as in "> goal regret < 0.1"`, begins+1)
	case len(e.Solve) == 0:
		err = fmt.Errorf(`line %d: the exercise has no solution: add one, as in "> solve step 8"`, begins+1)
	}
	if err != nil {
		return "", nil, err
	}
	return strings.Join(lines[:begins], "\n"), e, nil
}

// parseLine reads a line of the exercise.
func (e *Exercise) parseLine(act string, files fs.FS) (err error) {
	words := strings.Fields(act)
	if len(words) == 0 {
		return fmt.Errorf("the action is missing")
	}
	rest := strings.TrimSpace(strings.TrimPrefix(act, words[0]))
	switch words[0] {
	case "exercise":
		e.Config, err = ParseConfig(words[1:], files)
	case "goal":
		if len(words) != 4 || !slices.Contains([]string{"<", ">", "="}, words[2]) {
			return fmt.Errorf("a goal is a quantity, one of = < > and a number, as in regret < 0.1")
		}
		if _, err := strconv.ParseFloat(words[3], 64); err != nil {
			return fmt.Errorf("%q is not a number", words[3])
		}
		e.Goals = append(e.Goals, strings.Join(words[1:], " "))
	case "hide":
		if rest != "acquisition" {
			return fmt.Errorf("an exercise can hide only acquisition, got %q", rest)
		}
		e.Hide = words[1:]
	case "solve":
		between := ","
		if strings.Contains(rest, ";") {
			between = ";"
		}
		for act := range strings.SplitSeq(rest, between) {
			act = strings.TrimSpace(act)
			if act != "" {
				e.Solve = append(e.Solve, act)
			}
		}
	default:
		err = fmt.Errorf("an exercise is at the end and has a task, goals (> goal), a solution (> solve) and optionally > hide acquisition")
	}
	return err
}

// playground is written in place of a function for a playground.
const playground = "playground"

// ParseConfig reads the configuration of a session: FUNCTION OPTIMIZER SEED, then parameters of the optimizer as
// KEY=VALUE and, as on the command line, --noise=SD, --budget=N, --cost=EXPRESSION and --cost-budget=NUMBER. A FUNCTION
// that ends in .toml is the file of an experiment.
func ParseConfig(words []string, files fs.FS) (sessions.Config, error) {
	if len(words) < 3 {
		return sessions.Config{}, fmt.Errorf("name a function, an optimizer and a seed, as in forrester gp-ei 3")
	}
	cfg := sessions.Config{Problem: words[0], Optimizer: words[1], Params: map[string]any{}}
	var err error
	cfg.Seed, err = strconv.ParseUint(words[2], 10, 64)
	if err != nil {
		return cfg, fmt.Errorf("the seed must be a whole number, got %q", words[2])
	}
	switch {
	case cfg.Problem == playground:
		cfg = sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: cfg.Optimizer, Params: cfg.Params}, cfg.Seed)
	case strings.HasSuffix(cfg.Problem, ".toml"):
		err = declare(&cfg, files)
		if err != nil {
			return cfg, err
		}
	}
	params, err := cfg.Defaults()
	if err != nil {
		return cfg, err
	}
	for _, w := range words[3:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return cfg, fmt.Errorf("write a parameter as KEY=VALUE, got %q", w)
		}
		if flag, ok := strings.CutPrefix(key, "--"); ok {
			err = setFlag(&cfg, flag, value)
		} else if d, unknown := params.Decl(key); unknown != nil {
			err = unknown
		} else {
			cfg.Params[key], err = d.Parse(value)
		}
		if err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// setFlag sets the value of a command-line flag.
func setFlag(cfg *sessions.Config, flag, value string) (err error) {
	switch flag {
	case "noise":
		cfg.Noise, err = strconv.ParseFloat(value, 64)
	case "budget":
		cfg.Budget, err = strconv.Atoi(value)
	case "cost":
		cfg.Cost = value
	case "cost-budget":
		cfg.CostBudget, err = strconv.ParseFloat(value, 64)
	default:
		return fmt.Errorf("a lesson has no flag --%s; it has --noise, --budget, --cost and --cost-budget", flag)
	}
	if err != nil {
		err = fmt.Errorf("--%s=%s: %w", flag, value, err)
	}
	return err
}

// declare reads the experiment in a file.
func declare(cfg *sessions.Config, files fs.FS) error {
	name := cfg.Problem
	if files == nil {
		return fmt.Errorf("%s: this script has no files beside it", name)
	}
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 2*experiment.MaxFile))
	if err != nil {
		return err
	}
	cfg.Experiment, err = experiment.Parse(name, text)
	if err == nil {
		cfg.Problem = cfg.Experiment.Name
	}
	return err
}
