package tui

import (
	"context"
	"fmt"
	"io"

	"bandscope/sessions"
	"bandscope/sessions/lab"
	held "bandscope/sessions/lab/claims"
	"bandscope/sessions/safe"
	"bandscope/tui/explore/claims"
)

// CheckLesson checks what the pages of a lesson claim of the pictures beside them, and writes what it found. A claim that is not true is
// an error.
func CheckLesson(ctx context.Context, out io.Writer, s *sessions.Session) error {
	checked, broken, err := claims.Check(ctx, s, nil)
	if err != nil {
		return err
	}
	return verdict(out, checked, broken, len(s.Timeline().Stops))
}

// CheckLabLesson is CheckLesson of the lesson of a lab, whose pages make claims about its trace.
func CheckLabLesson(out io.Writer, s *lab.Session) error {
	checked, broken := held.Check(s)
	return verdict(out, checked, broken, len(s.Timeline().Stops))
}

// verdict tells which claims are broken.
func verdict[B fmt.Stringer](out io.Writer, checked int, broken []B, pages int) error {
	for _, b := range broken {
		fmt.Fprintln(out, safe.Text(b.String()))
	}
	if len(broken) > 0 {
		return fmt.Errorf("%d of %d claims are not true", len(broken), checked)
	}
	_, err := fmt.Fprintf(out, "%d claims on %d pages are true\n", checked, pages)
	return err
}
