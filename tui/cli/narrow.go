package cli

import (
	"bandscope/functions/setting"
	"bandscope/sessions"
	"bandscope/sessions/change"
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func narrowCommand() *cobra.Command {
	var reason string
	c := &cobra.Command{Use: "narrow FILE [NAME=LOW,HIGH]...", Short: "Narrow variables from here on with all data kept, pin them (NAME=VALUE), or free them (NAME=free); without any list the bounds",
		Args: args(cobra.MinimumNArgs(1)), ValidArgsFunction: completeFurther(keptWords, boundWords),
		RunE: func(c *cobra.Command, a []string) error {
			return narrowVariables(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], reason)
		}}
	c.Flags().StringVar(&reason, "because", "", "the reason, which is kept on record")
	return c
}

// Narrow narrows variables from here on, and says what was done; without words it lists the bounds.
func narrowVariables(ctx context.Context, out, errs io.Writer, path string, words []string, reason string) error {
	if len(words) == 0 {
		return printState(ctx, out, errs, path, func(st sessions.State) (lines []string) {
			for j, v := range st.Problem.Domain {
				now := v
				if st.Bounds != nil {
					now = st.Bounds[j]
				}
				line := v.Name + " " + setting.Extent(now)
				if v.Unit != "" {
					line += " " + v.Unit
				}
				if now.Low != v.Low || now.High != v.High {
					line += "  (its domain: " + setting.Extent(v) + ")"
				}
				lines = append(lines, line)
			}
			return lines
		})
	}
	return changeSession(ctx, out, errs, path, func(s *sessions.Session) (string, error) { return change.Narrow(ctx, s, words, reason) })
}

// narrowedWords are the variables of the session before, and behind the equals sign of one also that it is free.
func boundWords(ctx context.Context, before []string, typed string) []string {
	if strings.Contains(typed, ",") { // the upper bound
		return nil
	}
	list := variableWords(ctx, before, typed)
	if name, _, ok := strings.Cut(typed, "="); ok {
		list = append(list, candidate(name+"=free", "its whole domain"))
	}
	return list
}
