package cli

import (
	"bandscope/functions/setting"
	"bandscope/sessions"
	"bandscope/sessions/loop"
	"bandscope/sessions/safe"
	"fmt"
	"io"
	"strings"
)

// InputText names the values of an input, with units.
func inputText(st sessions.State, x []float64) string {
	parts := make([]string, len(x))
	for j, v := range st.Problem.Domain {
		parts[j] = strings.TrimSpace(v.Name + " = " + setting.Given(v, x[j]) + " " + v.Unit)
	}
	return strings.Join(parts, "  ")
}

// shownInput is InputText with at most four significant digits.
func shownInput(st sessions.State, x []float64) string {
	parts := make([]string, len(x))
	for j, v := range st.Problem.Domain {
		parts[j] = strings.TrimSpace(v.Name + " = " + v.Text(x[j]) + " " + v.Unit)
	}
	return strings.Join(parts, "  ")
}

// ageText is a time in its greatest unit.
func ageText(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 7200:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds < 48*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}

// printPoints prints points that are out, one a line, for people with their inputs as a text.
func printPoints(out io.Writer, st sessions.State, points []loop.Point, asJSON bool, input func(sessions.State, []float64) string) error {
	for _, p := range points {
		if asJSON {
			if err := safe.JSON(out, p); err != nil {
				return err
			}
			continue
		}
		batch := ""
		if p.Batch != nil {
			batch = fmt.Sprintf(", %d of %d", p.Batch.Place, p.Batch.Points)
		}
		text := fmt.Sprintf("%-5v %s  (%s%s, out for %s)", p.Name, input(st, p.Input()), p.By, batch, ageText(float64(p.Age)))
		if len(p.Waits) > 0 {
			text += "  waits for " + strings.Join(p.Waits, ", ")
		}
		if p.Reason != "" {
			text += "  # " + p.Reason
		}
		if _, err := fmt.Fprintln(out, safe.Text(text)); err != nil {
			return err
		}
	}
	return nil
}
