package cli

import (
	"bandscope/tui"
	"bandscope/tui/layout"
	"bandscope/tui/plot/scale"
	"bandscope/tui/plot/trace"
	"bandscope/tui/theme"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// drawCurves draws the medians of a benchmark, each with a letter: over the iterations, or over the cost where that has a budget.
func drawCurves(out *os.File, results []studyResult, costBudget float64, log bool) error {
	width := 100
	if w, _, err := term.GetSize(out.Fd()); err == nil && w >= 40 {
		width = min(w, 160)
	}
	profile := colorprofile.Detect(out, os.Environ())
	text := curves(results, costBudget, log, width, theme.New(true, tui.TierOf(profile), false))
	if !term.IsTerminal(out.Fd()) {
		text = ansi.Strip(text)
	}
	_, err := io.WriteString(out, "\n"+text)
	return err
}

func curves(results []studyResult, costBudget float64, log bool, width int, st theme.Style) string {
	t := trace.Trace{Log: log, X: "iteration"}
	if costBudget > 0 {
		t.X, t.From, t.To = "cost", "0", scale.Short(costBudget)
	}
	text := ""
	for i, r := range results {
		mark := string(rune('a' + i%26))
		color := st.Series[i%len(st.Series)]
		t.Series = append(t.Series, trace.Series{Values: r.Median, Color: color, Mark: mark})
		text += fmt.Sprintf("%s %s  ", st.PaintBold(color, mark), r.Method)
	}
	for _, line := range t.Draw(width, 22, st) {
		text += "\n" + layout.Fit(line, width)
	}
	return text + "\n"
}
