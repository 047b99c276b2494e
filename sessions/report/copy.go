package report

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// PointText is an input as text for other programs: "x1=0.5, solvent=ethanol", with all digits.
func PointText(d functions.Domain, x []float64) string {
	parts := make([]string, len(d))
	for j, v := range encoding.EncodeRow(d, x) {
		parts[j] = sanitize.Text(d[j].Name + "=" + v.String())
	}
	return strings.Join(parts, ", ")
}

// TableText is the results as rows of cells with tabs between them, for spreadsheets: the columns of the export as CSV,
// with units in the first row. Texts that a spreadsheet would read as formulas begin with an apostrophe.
func TableText(st sessions.State) string {
	t := csvColumnsFor(st)
	lines := []string{strings.Join(t.head(st.Problem, true), "\t")}
	for _, it := range st.Iterations {
		for i := range it.Points {
			lines = append(lines, strings.Join(t.row(st, it, i), "\t"))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// RepeatCommand is the command that makes the session up to its current place again, as a line for a POSIX shell: a run
// of the method on the function with the same settings, if all that happened were steps of the method. Otherwise it is
// the command that opens the file of the session; the error says that there is none. It evaluates again what a function
// with a known truth can evaluate.
func RepeatCommand(ctx context.Context, s *sessions.Session) (string, error) {
	st := s.State()
	words, err := runWords(ctx, s, st)
	switch {
	case err != nil:
		return "", err
	case words == nil && st.Path == "":
		return "", errors.New("no command repeats this session, because more happened than steps of one method; save it, and copy the command that opens the file")
	case words == nil:
		words = []string{st.Path}
		if strings.HasPrefix(st.Path, "-") {
			words[0] = "./" + st.Path
		}
	}
	line := "bandscope"
	for _, w := range words {
		if sanitize.Text(w) != w {
			return "", fmt.Errorf("no command repeats this session: a shell cannot safely read %q", w)
		}
		line += " " + functions.ShellWord(w)
	}
	return line, nil
}

// runWords are the arguments of the run that repeats a session; nil if there is none.
func runWords(ctx context.Context, s *sessions.Session, st sessions.State) ([]string, error) {
	cfg := st.Config
	fresh, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, ctx.Err() // such as a problem that this version does not have
	}
	defer fresh.Close()
	start := fresh.State()
	if cfg.Experiment != nil || cfg.Program != nil || !reflect.DeepEqual(start.Config, cfg) || !reflect.DeepEqual(start.Range, st.Range) ||
		!maps.Equal(start.Params.Changed(), st.Params.Changed()) {
		return nil, nil
	}
	if only, err := onlySteps(ctx, s, st); err != nil || !only {
		return nil, err
	}
	words := []string{"run", "-f", cfg.Problem, "-o", cfg.Optimizer, "--seed", strconv.FormatUint(cfg.Seed, 10)}
	add := func(set bool, flag, value string) {
		if set {
			words = append(words, flag, value)
		}
	}
	add(cfg.Noise != 0, "--noise", number(cfg.Noise))
	add(cfg.Budget != sessions.DefaultBudget(st.Problem.Dim()), "--budget", strconv.Itoa(cfg.Budget))
	add(cfg.Cost != "", "--cost", cfg.Cost)
	add(cfg.CostBudget != 0, "--cost-budget", number(cfg.CostBudget))
	changed := start.Params.Changed()
	for _, d := range start.Params.Decls() {
		v, ok := changed[d.Key]
		text := d.Format(v)
		if x, ok := v.(float64); ok {
			text = number(x)
		}
		add(ok, "--set", d.Key+"="+text)
	}
	add(true, "-n", strconv.Itoa(len(st.Iterations)))
	return words, nil
}

// onlySteps reports whether all that happened up to a place is that the method suggested points, one after the other,
// and the function of the problem was evaluated there.
func onlySteps(ctx context.Context, s *sessions.Session, st sessions.State) (bool, error) {
	h, err := s.History()
	if err != nil || len(st.Iterations) == 0 || slices.ContainsFunc(h.Acts, func(a sessions.Act) bool {
		return a.Step <= len(st.Iterations)
	}) {
		return false, err
	}
	all, err := s.Suggestions()
	if err != nil || len(all) < len(st.Iterations) {
		return false, err
	}
	for k, it := range st.Iterations {
		m := all[k]
		if m.Iteration.ID != it.ID || it.By != st.Spec.Name || it.Batch != nil || it.IsFallback() || it.Moved() ||
			len(m.Before.Pending) > 0 || len(m.Before.Iterations) != k || len(it.Corrections) > 0 {
			return false, nil
		}
		for i, pt := range it.Points {
			if same, err := evaluated(ctx, m, i, pt); err != nil || !same {
				return false, err
			}
		}
	}
	return true, nil
}

// evaluated reports whether the result of a point is that of the problem's own function, as far as that can be known
// without an evaluation that takes long.
func evaluated(ctx context.Context, m sessions.Suggestion, i int, pt sessions.Point) (bool, error) {
	if m.Before.Problem.Truth == nil {
		return pt.SE == nil && pt.Note == "", nil
	}
	o, err := m.Outcome(ctx, i, nil)
	if err != nil {
		return false, ctx.Err()
	}
	return slices.Equal(o.Values, pt.Y), nil
}

// number writes a number with all digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
