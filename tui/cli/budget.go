package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// askBudget asks how many experiments are planned, if the settings are about an experiment without a budget; an empty
// answer takes the default.
func (s *settings) askBudget(in io.Reader, out io.Writer) error {
	cfg, err := s.Config()
	if err != nil || cfg.Experiment == nil || cfg.Budget != 0 || cfg.Experiment.Budget != 0 {
		return err
	}
	answers := bufio.NewReader(in)
	for {
		fmt.Fprintf(out, "How many experiments can you do? At most a third of them are the initial design. [%d] ",
			sessions.DefaultBudget(len(cfg.Experiment.Variables)))
		line, err := answers.ReadString('\n')
		text := strings.TrimSpace(line)
		if text == "" && (err == nil || errors.Is(err, io.EOF)) {
			return nil
		}
		n, parseErr := strconv.Atoi(text)
		if parseErr == nil && n >= 1 && n <= sessions.MaxBudget {
			s.Budget = n
			return nil
		}
		if err != nil {
			return fmt.Errorf("the budget must be a whole number from 1 to %d, got %q", sessions.MaxBudget, text)
		}
		fmt.Fprintf(out, "Type a whole number from 1 to %d, or press enter.\n", sessions.MaxBudget)
	}
}

// designNotices say how many points the initial design has, and how to set the budget if an experiment declares none.
func (s settings) designNotices(st sessions.State) (lines []string) {
	d := st.NextDesignPlace()
	if d == nil {
		return nil
	}
	lines = []string{fmt.Sprintf("the first %s are the initial design; then %s suggests", numfmt.Count(d.Points, "point"),
		st.Spec.Name)}
	if x := st.Config.Experiment; x != nil && x.Budget == 0 && s.Budget == 0 {
		lines = append(lines, fmt.Sprintf("the budget of %d is the default; set yours with --budget, or with budget in the declaration", st.Config.Budget))
	}
	return lines
}
