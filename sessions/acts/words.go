package acts

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// Input is an input: values by variable.
type Input = map[string]encoding.Value

// describeMap is "a = 1, b = 2" in the order of the names.
func describeMap[V any](m map[string]V, text func(V) string) string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" = "+text(m[name]))
	}
	return strings.Join(parts, ", ")
}

// capitalized is a text with a capital letter first.
func capitalized(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// textOf are lines for a terminal, whatever they are made of.
func textOf(lines ...string) string {
	for i, l := range lines {
		lines[i] = sanitize.Text(l)
	}
	return strings.Join(lines, "\n")
}

// Done is an answer that is one sentence.
type Done struct {
	Message string `json:"text" jsonschema:"what changed"`
}

// Text is the sentence.
func (d Done) Text() string { return textOf(capitalized(d.Message) + ".") }

// done is the answer to a change of which text is the description; an error is one of the arguments.
func done(text string, err error) (Done, error) { return Done{text}, asWrong(err) }

// describeInput names the values of an input.
func describeInput(x Input) string {
	return describeMap(x, encoding.Value.String)
}

// describeValues names values.
func describeValues[N ~float64](values map[string]N) string {
	return describeMap(values, func(v N) string { return numfmt.Format(float64(v)) })
}

// inputText names the values of an input, with units, each value as valueText writes it.
func inputText(st sessions.State, x []float64, valueText func(functions.Variable, float64) string) string {
	parts := make([]string, len(x))
	for j, v := range st.Problem.Domain {
		parts[j] = strings.TrimSpace(v.Name + " = " + valueText(v, x[j]) + " " + v.Unit)
	}
	return strings.Join(parts, "  ")
}

// shortDigits is the number of significant digits of inputs for people.
const shortDigits = 6

// shortValue is a value of a variable with few digits.
func shortValue(v functions.Variable, x float64) string {
	switch {
	case v.Steps() > 0:
		return v.Text(x)
	case v.Kind == functions.Real:
		rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', shortDigits, 64), 64)
		if err == nil {
			x = rounded
		}
	}
	return encoding.FormatExact(v, x)
}
