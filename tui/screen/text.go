package screen

import (
	"math"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
)

// Number writes a value with four significant digits, without an exponent where that stays short.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	s := strconv.FormatFloat(v, 'g', 4, 64)
	if !strings.Contains(s, "e") {
		return s
	}
	if a := math.Abs(v); a >= 1e4 && a < 1e7 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	mantissa, exponent, _ := strings.Cut(s, "e")
	if n, err := strconv.Atoi(exponent); err == nil {
		return mantissa + "e" + strconv.Itoa(n)
	}
	return s
}

// Point writes an input: "x = 0.75", or "(0.1, 0.2, …)" cut after four values.
func Point(d functions.Domain, x []float64) string {
	if len(x) == 1 {
		return d[0].Name + " = " + Number(x[0])
	}
	parts := make([]string, 0, 5)
	for i, v := range x {
		if i == 4 && len(x) > 5 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, Number(v))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Fit shortens or pads a line, which may hold colour sequences, to exactly w columns.
func Fit(line string, w int) string {
	if w <= 0 {
		return ""
	}
	n := ansi.StringWidth(line)
	if n > w {
		line = Shorten(line, w)
		n = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", w-n)
}

// Wrap breaks plain text into lines of at most w columns, between words where it can.
func Wrap(text string, w int) []string {
	if w <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(text, w, ""), "\n")
}

// FitEntries joins as many entries, the first ones first, as fit into w columns.
func FitEntries(entries []string, between string, w int) string {
	line, used := "", 0
	for _, e := range entries {
		n := ansi.StringWidth(e)
		if used > 0 {
			n += ansi.StringWidth(between)
		}
		if used+n > w {
			continue
		}
		if used > 0 {
			line += between
		}
		line += e
		used += n
	}
	return line
}

// Rows joins entries into as many rows of at most w columns as they need.
func Rows(entries []string, between string, w int) []string {
	var rows []string
	used := 0
	for _, e := range entries {
		n := ansi.StringWidth(e)
		if len(rows) == 0 || used+ansi.StringWidth(between)+n > w {
			rows, used = append(rows, e), n
			continue
		}
		rows[len(rows)-1] += between + e
		used += ansi.StringWidth(between) + n
	}
	return rows
}
