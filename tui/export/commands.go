package export

import (
	"fmt"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// commands repeat the session: one command from scratch if only the optimizer chose points, and always its
// verification.
func commands(st sessions.State) []string {
	c := st.Config
	verify := "bandscope replay --verify SESSION.jsonl"
	alone := st.Bounds == nil && len(st.Rejections)+len(st.Answers) == 0 && st.Branch == ""
	for _, it := range st.Iterations {
		alone = alone && it.By == c.Optimizer && len(it.Corrections) == 0
	}
	run := fmt.Sprintf("bandscope run -f %s -o %s --seed %d --budget %d -n %d", sanitize.Word(c.Problem),
		sanitize.Word(c.Optimizer), c.Seed, c.Budget, len(st.Iterations))
	if c.Noise > 0 {
		run += fmt.Sprintf(" --noise %g", c.Noise)
	}
	if c.Cost != "" {
		run += " --cost " + sanitize.Word(c.Cost)
	}
	if c.CostBudget > 0 {
		run += fmt.Sprintf(" --cost-budget %g", c.CostBudget)
	}
	for _, d := range st.Params.Decls() {
		v := st.Params.Value(d.Key)
		alone = alone && d.Format(v) == d.Format(c.Params[d.Key])
		if v != d.Default {
			run += " --set " + sanitize.Word(d.Key+"="+d.Format(v))
		}
	}
	if !alone {
		return []string{verify}
	}
	return []string{run, verify}
}
