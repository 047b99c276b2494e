package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

func diffCommand() *cobra.Command {
	return &cobra.Command{Use: "diff FILE[#BRANCH] [FILE[#BRANCH]]",
		Short: "Compare the decisions of two sessions or branches, or list the branches of one",
		Args:  args(cobra.RangeArgs(1, 2)), ValidArgsFunction: completeArgs(branchWords, branchWords),
		RunE: func(c *cobra.Command, a []string) error { return diffSessions(c.Context(), os.Stdout, os.Stderr, a) }}
}

type diffSide struct {
	session *sessions.Session
	branch  sessions.Branch
}

// findBranch opens FILE or FILE#BRANCH; without a branch it is the current one.
func findBranch(ctx context.Context, text string, errs io.Writer) (diffSide, error) {
	path, name, named := strings.Cut(text, "#")
	s, err := readSession(ctx, path, errs)
	if err != nil {
		return diffSide{}, err
	}
	list, err := s.Branches()
	if err != nil {
		return diffSide{}, err
	}
	var names []string
	for _, b := range list {
		if named && b.Name == name || !named && b.Current {
			return diffSide{s, b}, nil
		}
		names = append(names, b.Name)
	}
	return diffSide{}, usagef("%s has no branch %q; it has %s", path, name, strings.Join(names, ", "))
}

// diffSessions compares the decisions of two sessions or branches, each given as FILE or FILE#BRANCH. For a single one
// it lists the branches.
func diffSessions(ctx context.Context, out, errs io.Writer, texts []string) error {
	a, err := findBranch(ctx, texts[0], errs)
	if err != nil {
		return err
	}
	if len(texts) == 1 {
		return listBranches(out, a.session)
	}
	b, err := findBranch(ctx, texts[1], errs)
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
