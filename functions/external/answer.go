package external

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
)

// maxPrinted bounds how much of an answer is read, in bytes.
const maxPrinted = 1 << 20

// readBounded reads to the end, or until it is too much, and says whether that was all.
func readBounded(f *os.File) ([]byte, bool) {
	text, _ := io.ReadAll(io.LimitReader(f, maxPrinted+1))
	if len(text) > maxPrinted {
		return nil, false
	}
	return text, true
}

// answer is what a program printed, understood.
type answer struct {
	id     *int64 // of the request, if it names one
	result functions.Result
	fault  string // the fault of the answer; empty for none
}

// outcome is the result of an input, with the last log lines of the program. The reason says why there can be no
// values, whatever the answer.
func (a answer) outcome(problem *functions.Problem, x []float64, reason string, tail []string) functions.Outcome {
	if a.fault == "" && (reason == "" || a.result.Failed != "") { // the program's own word is better than how it ended
		o, err := problem.Outcome(x, a.result)
		if err == nil && !o.Partial {
			o.Note = withTail(o.Note, tail)
			return o
		}
		a.fault = "the answer is incomplete"
		if err != nil {
			a.fault = "invalid answer: " + err.Error()
		}
	}
	return failed(cmp.Or(reason, a.fault), tail)
}

// withTail is a note with the last lines that a program said.
func withTail(note string, tail []string) string {
	if len(tail) == 0 {
		return note
	}
	return strings.TrimPrefix(note+"\nstandard error: "+strings.Join(tail, "\n"), "\n")
}

// failed is an outcome without values: the reason, with the last line that the program said; the note has the others.
func failed(reason string, tail []string) functions.Outcome {
	if n := len(tail); n > 0 {
		reason += "; standard error: " + tail[n-1]
		if n > 1 {
			return functions.Outcome{Reason: reason, Note: withTail("", tail)}
		}
	}
	return functions.Outcome{Reason: reason}
}

// parse reads an answer: a JSON object, or plain numbers in the order of the objectives, and of the limits behind them.
func parse(problem *functions.Problem, printed []byte) answer {
	text := bytes.TrimSpace(printed)
	switch {
	case len(text) == 0:
		return answer{fault: "the program printed nothing"}
	case !utf8.Valid(text):
		return answer{fault: "the program printed invalid UTF-8: " + excerpt(text)}
	case text[0] == '{':
		return parseObject(problem, text)
	}
	return parseNumbers(problem, string(text))
}

// parseNumbers reads plain numbers, apart by blanks, line ends or commas.
func parseNumbers(problem *functions.Problem, text string) answer {
	names := namesFor(problem)
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) })
	values := map[string]float64{}
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		switch {
		case err != nil && i == 0 || i >= len(names) && err != nil:
			return answer{fault: "the program printed " + excerpt([]byte(text)) + ", which is neither a JSON object nor " +
				expectedValues(problem)}
		case err != nil:
			return answer{fault: fmt.Sprintf("the program printed %s for %s, which is not a number",
				excerpt([]byte(f)), names[i])}
		case i < len(names) && !functions.Finite([]float64{v}):
			return answer{fault: fmt.Sprintf("the program printed %s for %s, which is not a finite number",
				excerpt([]byte(f)), names[i])}
		}
		if i < len(names) {
			values[names[i]] = v
		}
	}
	if len(fields) != len(names) {
		return answer{fault: fmt.Sprintf("the program printed %s, but %s needs %s",
			numfmt.Count(len(fields), "number"), problem.Name, expectedValues(problem))}
	}
	return answer{result: functions.Result{Values: values}}
}

// expectedValues describes the numbers of an answer: "2 numbers (yield, purity)".
func expectedValues(problem *functions.Problem) string {
	names := namesFor(problem)
	return numfmt.Count(len(names), "number") + " (" + strings.Join(names, ", ") + ")"
}

func namesFor(problem *functions.Problem) []string {
	var names []string
	for _, o := range problem.Outputs() {
		names = append(names, o.Name)
	}
	return names
}

// The keys of an answer. Where there are no values, the names of the objectives are keys as well, unless one is the
// name of another key.
const (
	keyID     = "id"
	keyValues = "values" // of objectives
	keySD     = "sd"     // standard errors of them
	keyAt     = "at"     // variables that were set otherwise than asked
	keyCost   = "cost"
	keyFailed = "failed"
	keyNote   = "note"
)

var keys = []string{keyID, keyValues, keySD, keyAt, keyCost, keyFailed, keyNote}

// parseObject reads a JSON object: the values of the objectives, and the other keys of an answer.
func parseObject(problem *functions.Problem, text []byte) answer {
	fields, err := object(text)
	if err != nil {
		return answer{fault: "the program printed " + excerpt(text) + ", which is not a valid JSON object: " +
			err.Error()}
	}
	r := reader{names: namesFor(problem), fields: fields}
	a := answer{id: r.id()}
	values := r.values()
	a.result.Values = values
	a.result.SE = r.numbers(keySD)
	a.result.At = r.at(problem.Domain)
	if raw, ok := fields[keyCost]; ok {
		a.result.Cost = r.number(keyCost, raw)
		if a.result.Cost <= 0 {
			r.fail("the program gave the cost %s; a cost must be above 0", excerpt(raw))
		}
	}
	reason, says := r.text(keyFailed)
	a.result.Failed = reason
	a.result.Note, _ = r.text(keyNote)
	r.unknown()
	switch {
	case r.fault != "":
		a.fault = r.fault
	case says && reason == "":
		a.fault = "the program reported a failure without a reason"
	case says && len(values) > 0:
		a.fault = "the program reported both values and a failure: " + reason
	case !says && len(values) < len(r.names):
		missing := slices.DeleteFunc(r.names, func(n string) bool { _, ok := values[n]; return ok })
		a.fault = "the program gave no value for " + strings.Join(missing, ", ")
	}
	return a
}

// object reads the fields of one JSON object, with nothing behind it.
func object(text []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		name := key.(string)
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("%s occurs twice", excerpt([]byte(name)))
		}
		fields[name] = raw
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is text after the object")
	}
	return fields, nil
}

// reader takes an answer apart; the first thing that is wrong is kept.
type reader struct {
	names  []string
	fields map[string]json.RawMessage
	long   bool // the values are in an object of their own
	fault  string
}

func (r *reader) fail(format string, args ...any) {
	if r.fault == "" {
		r.fault = fmt.Sprintf(format, args...)
	}
}

// values are those of the objectives: under the key for them, or each under its name.
func (r *reader) values() map[string]float64 {
	raw, long := r.fields[keyValues]
	if long && (raw[0] == '{' || !slices.Contains(r.names, keyValues)) {
		r.long = true
		return r.numbers(keyValues)
	}
	values := map[string]float64{}
	_, fails := r.fields[keyFailed]
	for _, name := range r.names {
		raw, ok := r.fields[name]
		switch {
		case !ok:
		case !slices.Contains(keys, name):
			values[name] = r.number(name, raw)
		case !fails || name == keyFailed:
			r.fail(
				`%s is both a key of the answer and an objective; put the values into {"values": {%s: 1}}`,
				excerpt([]byte(name)), excerpt([]byte(name)))
		}
	}
	return values
}

func (r *reader) number(name string, raw json.RawMessage) float64 {
	var v *float64
	if err := json.Unmarshal(raw, &v); err != nil || v == nil {
		r.fail("the program gave %s for %s, which is not a number", excerpt(raw), name)
		return 0
	}
	return *v
}

func (r *reader) text(key string) (string, bool) {
	raw, ok := r.fields[key]
	if !ok {
		return "", false
	}
	var v *string
	if err := json.Unmarshal(raw, &v); err != nil || v == nil {
		r.fail("the program gave %s for %s, which must be a text", excerpt(raw), key)
		return "", false
	}
	return cut(strings.TrimSpace(*v), maxText), true
}

// id is the request that is answered; nil if it names none.
func (r *reader) id() *int64 {
	raw, ok := r.fields[keyID]
	if !ok {
		return nil
	}
	var v *int64
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return v
}

// numbers are a field that is an object of numbers.
func (r *reader) numbers(key string) map[string]float64 {
	raw, ok := r.fields[key]
	if !ok {
		return nil
	}
	fields, err := object(raw)
	if raw[0] != '{' || err != nil {
		r.fail("the program gave %s for %s, which must be an object of numbers", excerpt(raw), key)
		return nil
	}
	values := map[string]float64{}
	for name, raw := range fields {
		values[name] = r.number(name+" in "+key, raw)
	}
	return values
}

// at is where it was evaluated, of the variables that were set otherwise than asked.
func (r *reader) at(d functions.Domain) map[string]float64 {
	raw, ok := r.fields[keyAt]
	if !ok {
		return nil
	}
	fields, err := object(raw)
	if raw[0] != '{' || err != nil {
		r.fail("the program gave %s for %s, which must be an object of variables and their values", excerpt(raw), keyAt)
		return nil
	}
	values := map[string]encoding.Value{}
	for name, raw := range fields {
		var v encoding.Value
		if json.Unmarshal(raw, &v) != nil {
			r.fail("the program gave %s for %s in %s, which is not a value of a variable", excerpt(raw),
				excerpt([]byte(name)), keyAt)
		}
		values[name] = v
	}
	x, err := encoding.DecodeMap(d, values)
	if err != nil {
		r.fail("%s: %s", keyAt, cut(err.Error(), maxText))
	}
	return x
}

// unknown says which key means nothing.
func (r *reader) unknown() {
	known := slices.Clone(keys)
	if !r.long {
		known = append(known, r.names...)
	}
	for _, name := range slices.Sorted(maps.Keys(r.fields)) {
		if !slices.Contains(known, name) {
			r.fail("%v", didyoumean.NewUnknownError("key", cut(name, maxExcerpt), known))
		}
	}
}

// Bounds of the excerpts of an answer, in characters.
const (
	maxText    = 500
	maxExcerpt = 60
)

// excerpt quotes the beginning of what a program printed.
func excerpt(text []byte) string {
	return strconv.Quote(cut(string(text[:min(len(text), 4*maxExcerpt)]), maxExcerpt))
}

// cut bounds a text.
func cut(s string, max int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if r := []rune(s); len(r) > max {
		return string(r[:max-1]) + "…"
	}
	return s
}
