package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// branchDiff is the word of bandscope branch that compares two branches.
const branchDiff = "diff"

// branchActs are the acts of bandscope branch.
var branchActs = []*acts.Act{acts.Fork.Act, acts.Goto.Act, acts.Back.Act}

func branchCommand() *cobra.Command {
	c := &cobra.Command{Use: "branch FILE [fork [NAME] | goto [STEP|BRANCH] | back | diff FILE#BRANCH]",
		Short: "List the branches of a session, begin one, go to one, or compare",
		Long: "List the branches of a session. Or one of:\n\n" + actList(branchActs...) +
			"  diff     Compare the decisions with those of another session or branch, FILE or FILE#BRANCH.\n\n" +
			"Nothing is lost by going back. fork and bandscope note act at the place where goto and back left the session, and the explorer opens there. All other commands act at the end of the branch.",
		Example: "  bandscope branch s.jsonl\n  bandscope branch s.jsonl goto 3\n  bandscope branch s.jsonl fork careful -o gp-ucb\n" +
			"  bandscope branch s.jsonl diff 's.jsonl#careful'",
		Args: args(cobra.RangeArgs(1, 3)), ValidArgsFunction: completeArgs(branchWords,
			actWords(branchActs...), placeWords)}
	d := newDoor(c, branchActs...)
	c.RunE = func(c *cobra.Command, a []string) error {
		if len(a) == 1 || a[1] == branchDiff {
			if c.Flags().NFlag() > 0 {
				return usagef("the flags are those of fork, goto and back")
			}
			return compareBranches(c.Context(), os.Stdout, os.Stderr, a)
		}
		act, err := findAct(branchActs, a[1])
		if err != nil {
			return err
		}
		words := a[2:]
		if act == acts.Goto.Act && len(words) == 1 && isNumber(words[0]) {
			err = d.flags["step"].Set(words[0])
			if err != nil {
				return asUsage(err)
			}
			words = nil
		}
		return d.run(c.Context(), os.Stdout, os.Stderr, act, a[0], words)
	}
	return c
}

// isNumber reports whether a word is the number of a step, rather than the name of a branch.
func isNumber(word string) bool {
	_, err := strconv.Atoi(word)
	return err == nil
}

// placeWords are what can follow the verb before: the branches of the session, or others to compare with.
func placeWords(ctx context.Context, before []string, typed string) (list []string) {
	switch before[1] {
	case branchDiff:
		return branchWords(ctx, nil, typed)
	case acts.Goto.Name:
		return ownBranchWords(ctx, before, typed)
	}
	return nil
}

// ownBranchWords are the branches of the session before.
func ownBranchWords(ctx context.Context, before []string, _ string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	branches, _ := s.Branches() // what cannot be read is not offered
	for _, b := range branches {
		list = append(list, candidate(b.Name, fmt.Sprintf("%d steps with %s", len(b.State.Iterations),
			b.State.Spec.Name)))
	}
	return list
}

type diffSide struct {
	session *sessions.Session
	branch  sessions.Branch
}

// openSide opens FILE or FILE#BRANCH; without a branch it is the current one.
func openSide(ctx context.Context, text string, errs io.Writer) (diffSide, error) {
	path, name, named := splitBranch(text)
	s, err := readSession(ctx, path, errs)
	if err != nil {
		return diffSide{}, err
	}
	list, err := s.Branches()
	if err != nil {
		return diffSide{}, err
	}
	for _, b := range list {
		if !named && b.Current {
			return diffSide{s, b}, nil
		}
	}
	b, err := findBranch(path, name, list)
	return diffSide{s, b}, err
}

// compareBranches compares the decisions of two sessions or branches, each given as FILE or FILE#BRANCH, with the verb
// between them. For a single one it lists the branches.
func compareBranches(ctx context.Context, out, errs io.Writer, words []string) error {
	a, err := openSide(ctx, words[0], errs)
	if err != nil {
		return err
	}
	switch len(words) {
	case 1:
		return listBranches(out, a.session)
	case 2:
		return usagef("compare with which session or branch? Name it, as in bandscope branch %s diff FILE#BRANCH", words[0])
	}
	b, err := openSide(ctx, words[2], errs)
	if err != nil {
		return err
	}
	left, err := a.session.Decisions(a.branch.ID)
	if err != nil {
		return err
	}
	right, err := b.session.Decisions(b.branch.ID)
	if err != nil {
		return err
	}
	if err := printLines(out, report.Diff(left, right).Lines("a", "b")...); err != nil {
		return err
	}
	for i, side := range []diffSide{a, b} {
		fmt.Fprintf(out, "%c: ", "ab"[i])
		if err := summarize(out, side.branch.State, false); err != nil {
			return err
		}
	}
	return nil
}

func listBranches(out io.Writer, s *sessions.Session) error {
	list, err := s.Branches()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, b := range list {
		from, here := "", ""
		if b.Parent >= 0 {
			from = fmt.Sprintf("from %s, step %d", list[b.Parent].Name, b.From)
		}
		if b.Current {
			here = "current"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", sanitize.Text(b.Name), b.State.Spec.Name,
			numfmt.Count(len(b.State.Iterations), "step"), sanitize.Text(from), here)
	}
	return w.Flush()
}
