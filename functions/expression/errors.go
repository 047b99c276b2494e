package expression

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/expr-lang/expr/file"
)

// mistakes are common mistakes in expressions and what to write instead; the first that applies is reported.
var mistakes = []struct {
	pattern *regexp.Regexp // its first group is the mistake
	advice  string
}{
	{regexp.MustCompile(`(=>)`), "write >= for at least"},
	{regexp.MustCompile(`(=<)`), "write <= for at most"},
	{regexp.MustCompile(`(<>)`), "use != for values that differ"},
	{regexp.MustCompile(`(===)`), "use == to compare"},
	{regexp.MustCompile(`(?:^|[^<>=!])(=)(?:[^=]|$)`), "use == to compare"},
	{regexp.MustCompile(`(?:^|[^&])(&)(?:[^&]|$)`), `write "and"`},
	{regexp.MustCompile(`(?:^|[^|])(\|)(?:[^|]|$)`), `write "or"`},
	{regexp.MustCompile(`(?:^|[^\w.])([0-9.]+)(?:[a-df-zA-DF-Z_(]|[eE][a-zA-Z_(])`),
		"write * between a number and a variable, such as 2*x"},
	{regexp.MustCompile(`\)\s*(\()`), "write * between factors"},
}

// signs that are known from texts, and what to write instead.
var replacements = map[rune]string{'≤': "<=", '≥': ">=", '≠': "!=", '×': "*", '·': "*", '÷': "/", '−': "-", '²': "^2",
	'³': "^3", '[': "(", ']': ")", '{': "(", '}': ")"}

// describeInvalidRune says that a character has no place in an expression.
func describeInvalidRune(r rune) string {
	text := fmt.Sprintf("%q is not allowed in an expression", r)
	if s := replacements[r]; s != "" {
		text += "; write " + s
	}
	return text
}

// blankQuoted is a text with blanks in place of quoted parts, so that positions stay the same; closed reports whether
// the last quote is closed.
func blankQuoted(text string) (outside string, closed bool) {
	quote := rune(0)
	outside = strings.Map(func(r rune) rune {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0:
			return r
		}
		return '_'
	}, text)
	return outside, quote == 0
}

var (
	unexpected = regexp.MustCompile(`^unexpected token (\w+)(?:\("(.*)"\))?`)
	mismatched = regexp.MustCompile(`^invalid operation: (\S+) \(mismatched types?`)
	different  = regexp.MustCompile(`expected (float64|bool), but got (float64|int|bool|string|func)`)
)

// syntaxError says where a text cannot be read, and what to write instead.
func syntaxError(subject, text string, err error) error {
	say := func(column int, why string) error {
		return fmt.Errorf("the %s %s, at character %d: %s", subject, Quote(text), column, why)
	}
	outside, closed := blankQuoted(text)
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("the %s %s is empty", subject, Quote(text))
	case !closed:
		return fmt.Errorf("the %s %s: a quote is not closed", subject, Quote(text))
	}
	var cause *file.Error
	if !errors.As(err, &cause) {
		return fmt.Errorf("the %s %s: %s", subject, Quote(text), explainMessage(subject, err.Error()))
	}
	if m := unexpected.FindStringSubmatch(cause.Message); m != nil || strings.HasPrefix(cause.Message, "bad number") ||
		strings.HasPrefix(cause.Message, "invalid float") {
		for _, mistake := range mistakes {
			if i := mistake.pattern.FindStringSubmatchIndex(outside); i != nil {
				return say(utf8.RuneCountInString(outside[:i[2]])+1, mistake.advice)
			}
		}
		if open, shut := strings.Count(outside, "("), strings.Count(outside, ")"); open != shut {
			return fmt.Errorf("the %s %s: the brackets do not match, there are %d ( and %d )", subject, Quote(text), open, shut)
		}
		if m != nil && m[1] == "EOF" {
			return say(cause.Column+1, "something is missing after this")
		}
	}
	return say(cause.Column+1, explainMessage(subject, strings.TrimSpace(cause.Message)))
}

// explainMessage says in words what the parser says of its tokens and types.
func explainMessage(subject, message string) string {
	if m := unexpected.FindStringSubmatch(message); m != nil {
		switch m[1] {
		case "Identifier", "Number", "String":
			return fmt.Sprintf("an operator is missing before %s", m[2])
		}
		return fmt.Sprintf("%q is not expected here", m[2])
	}
	if m := mismatched.FindStringSubmatch(message); m != nil {
		return m[1] + " needs comparisons such as x > 1, not numbers"
	}
	if m := different.FindStringSubmatch(message); m != nil {
		switch {
		case m[2] == "func":
			return "a function needs an argument in brackets, such as exp(1)"
		case m[1] == "float64":
			return fmt.Sprintf("this is true or false, but a %s must be a number", subject)
		}
		return fmt.Sprintf("this is a number, but a %s must be true or false", subject)
	}
	if strings.HasPrefix(message, "invalid float") || strings.HasPrefix(message, "bad number") {
		return "this is not a number"
	}
	return strings.TrimFunc(message, unicode.IsSpace)
}
