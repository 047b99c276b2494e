// Package numfmt formats numbers for people, by one rule each: measured and computed numbers with four significant
// digits, given numbers as they were given. Screens, reports and messages all use it, so that a value reads the same
// everywhere. Numbers for other programs have all digits and are not formatted here; nor are units, widths and columns.
package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// Format writes a value with four significant digits, without an exponent where that stays short.
func Format(v float64) string { return significant(v, 4) }

// Brief writes a value with three significant digits, for a line that has little room.
func Brief(v float64) string { return significant(v, 3) }

// significant writes a value with a number of significant digits.
func significant(v float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', digits, 64)
	}
	s := strconv.FormatFloat(v+0, 'g', digits, 64) // no -0
	if !strings.Contains(s, "e") {
		return s
	}
	if a := math.Abs(v); a > 1 && a < 1e7 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return shortExponent(s)
}

// CommaHint is the end of an error about a text that is not a number: advice if it would be one with a decimal point in
// place of its comma; empty otherwise.
func CommaHint(text string) string {
	pointed := strings.Replace(strings.TrimSpace(text), ",", ".", 1)
	if _, err := strconv.ParseFloat(pointed, 64); err != nil || !strings.Contains(text, ",") {
		return ""
	}
	return "; write it with a decimal point: " + pointed
}

// List writes values with four significant digits each and a text between them.
func List(v []float64, between string) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = Format(x)
	}
	return strings.Join(parts, between)
}

// Exact writes a number as it was given: with the digits that it was typed with, up to fifteen, and not those that
// arithmetic left behind them.
func Exact(v float64) string {
	return shortExponent(strconv.FormatFloat(v+0, 'g', 15, 64))
}

// ExactList writes numbers as they were given, with commas.
func ExactList(v []float64) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = Exact(x)
	}
	return strings.Join(parts, ", ")
}

// Round is the number without the digits behind the fifteenth, which no decimal number that is typed needs and
// arithmetic leaves behind: 0.7 for 0.7000000000000001.
func Round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// shortExponent writes an exponent without its sign + and its zeros.
func shortExponent(s string) string {
	mantissa, exponent, ok := strings.Cut(s, "e")
	if n, err := strconv.Atoi(exponent); ok && err == nil {
		return mantissa + "e" + strconv.Itoa(n)
	}
	return s
}
