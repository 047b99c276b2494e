package modes

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
)

// Bounds of the rows of hyperparameters.
const (
	maxEstimates = 4  // of one hyperparameter; of more only the shortest
	minBar       = 5  // columns of a bar
	minLongBar   = 12 // columns of a bar beside the interval in numbers
)

// factRows are the fitted values in a panel of w columns: hyperparameters as bars, the others as texts.
func factRows(s mode.Scene, facts []optimizers.Fact, w int) (rows []*layout.Box) {
	c := newBarColumns(s, facts, w-4)
	for _, f := range facts {
		if f.Estimates == nil {
			box := valueEntry(s.Style, " ", s.Style.Dim, s.Style.Text, w, shortNames(s.Style.Plain(f.Name)),
				factValues(s.Style.Plain(f.Value)))
			rows = append(rows, describeFact(box, f, s))
			continue
		}
		shown, rest := splitEstimates(f)
		for _, e := range shown {
			one := f
			one.Estimates = []optimizers.Estimate{e}
			rows = append(rows, describeFact(row(w, c.line(s, f, e)), one, s))
		}
		if n := len(rest); n > 0 {
			rows = append(rows, row(w, s.Style.Paint(s.Style.Dim, fmt.Sprintf("%d longer ones", n))).
				Number("longer ones", "characteristic lengthscale", fmt.Sprintf(
					"The other %d variables, along which the function changes less: their values are from %s to %s.",
					n, rest[0], rest[n-1])))
		}
	}
	return rows
}

// describeFact gives a row the description of its fact.
func describeFact(box *layout.Box, f optimizers.Fact, s mode.Scene) *layout.Box {
	box.Describe(layout.Number, f.Name, "", func() string { says, _ := picture.DescribeFact(f, s.State); return says })
	box.TermOf = func() string { _, term := picture.DescribeFact(f, s.State); return term }
	return box
}

// splitEstimates divides the estimates of a hyperparameter: of many, only those of the variables that matter most are
// shown.
func splitEstimates(f optimizers.Fact) (shown, rest []optimizers.Estimate) {
	if len(f.Estimates) <= maxEstimates {
		return f.Estimates, nil
	}
	sorted := slices.Clone(f.Estimates)
	slices.SortStableFunc(sorted, func(a, b optimizers.Estimate) int { return cmp.Compare(a.Value, b.Value) })
	return sorted[:maxEstimates-1], sorted[maxEstimates-1:]
}

// barColumns are the widths of the columns of hyperparameters, name, bar and value, and how the name and the value are
// written.
type barColumns struct {
	name, bar, value   int
	symbols, intervals bool
}

// newBarColumns divides so many columns: intervals are written in numbers where the bars beside them are still long, and
// symbols instead of names where the bars would be too short.
func newBarColumns(s mode.Scene, facts []optimizers.Fact, room int) (c barColumns) {
	for _, c = range []barColumns{{intervals: true, bar: minLongBar}, {bar: minBar}, {symbols: true}} {
		least := c.bar
		for _, f := range facts {
			shown, _ := splitEstimates(f)
			for _, e := range shown {
				c.name = max(c.name, ansi.StringWidth(c.nameOf(s, f, e)))
				c.value = max(c.value, ansi.StringWidth(c.valueOf(s, e)))
			}
		}
		if c.symbols {
			c.name = min(c.name, room/2)
		}
		c.bar = room - c.name - c.value - 2
		if c.bar >= least {
			break
		}
	}
	return c
}

// line is a hyperparameter as a bar on a logarithmic scale between its name and its value.
func (c barColumns) line(s mode.Scene, f optimizers.Fact, e optimizers.Estimate) string {
	st, value, room := s.Style, c.valueOf(s, e), c.value
	line := st.Paint(st.Dim, layout.Fit(layout.ShortenIn(st, c.nameOf(s, f, e), c.name), c.name)) + " "
	if c.bar < minBar {
		room += c.bar + 1
	} else {
		line += chart.Bar{Low: e.Low, High: e.High, Mark: e.Value, Scale: chart.Scale{From: e.Min, To: e.Max, Log: true}}.
			Text(st, c.bar, st.Mean) + " "
	}
	return line + strings.Repeat(" ", max(room-ansi.StringWidth(value), 0)) + st.Paint(st.Text, value)
}

// nameOf is the name of a hyperparameter, with its variable if there are several.
func (c barColumns) nameOf(s mode.Scene, f optimizers.Fact, e optimizers.Estimate) string {
	name := f.Name
	if c.symbols {
		name, _, _ = strings.Cut(name, " (")
	}
	if len(f.Estimates) > 1 {
		if c.symbols && f.Name == optimizers.FactLengthscale {
			name = "ℓ"
		}
		name += " " + sanitize.Text(s.State.Problem.Domain[e.Variable-1].Name)
	}
	return s.Style.Plain(name)
}

// valueOf is the value of a hyperparameter, with its interval where that is written.
func (c barColumns) valueOf(s mode.Scene, e optimizers.Estimate) string {
	if c.intervals {
		return s.Style.Plain(e.String())
	}
	return s.Style.Plain(e.Text)
}

// factValues are a value and the same value without what it says in parentheses.
func factValues(value string) []string {
	return []string{value, parentheses.ReplaceAllString(value, "")}
}

var parentheses = regexp.MustCompile(` \([^)]*\)`)
