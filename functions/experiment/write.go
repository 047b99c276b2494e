package experiment

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"bandscope/functions"
	"bandscope/functions/tomlfile"
)

// DraftFile is a draft as a file.
type DraftFile struct {
	Text        []byte
	Declaration *Declaration // nil where something is wrong
	Faults      []Fault      // in the order of the lines
	places      []Place      // of the lines
}

// Line is the place that a line of the text is about, from 0; false if it is about none.
func (w *DraftFile) Line(n int) (Place, bool) {
	if n < 0 || n >= len(w.places) || w.places[n] == nowhere {
		return Place{}, false
	}
	return w.places[n], true
}

// nowhere is the place of a line between tables.
var nowhere = Place{Index: -2}

// realHelp is the comment of the first variable if it has only the keys in plainKeys.
const realHelp = `a real number; scale = "log" is possible`

var plainKeys = []string{"name", "low", "high", "unit"}

// commentAt is the column, from 0, in which comments begin.
const commentAt = 25

// Write writes the draft as a file and finds its faults; it does not check the cost and does not try the constraints,
// which takes longer.
func (d *Draft) Write() *DraftFile {
	w := &writer{written: map[string]bool{}}
	w.table(Root, 0, d.Root)
	for _, table := range []string{Variables, Mixtures, Objectives, Limits} {
		for i, row := range *d.Rows(table) {
			w.table(table, i, row)
		}
	}
	w.Text = []byte(w.text.String())
	w.check(false)
	return &w.DraftFile
}

// WithFullCheck is the same with the cost and the constraints tried all over the domain.
func (w *DraftFile) WithFullCheck() *DraftFile {
	tried := &DraftFile{Text: w.Text, places: w.places}
	tried.check(true)
	return tried
}

// writer writes tables.
type writer struct {
	DraftFile
	text    strings.Builder
	written map[string]bool // comments
}

func (w *writer) line(place Place, text string) {
	w.text.WriteString(text + "\n")
	w.places = append(w.places, place)
}

// table writes a table: its keys in their order, with the signs of equality and the comments below each other.
func (w *writer) table(table string, index int, row Row) {
	if table != Root {
		if len(w.places) > 0 {
			w.line(nowhere, "")
		}
		w.line(Place{Table: table, Index: index}, "[["+table+"]]")
	}
	var fields []Field
	width, plain := 0, true
	for _, f := range Fields(table) {
		if f.AppliesTo(table, row["kind"]) && strings.TrimSpace(row[f.Key]) != "" {
			// what does not fit comes back with the kind
			fields = append(fields, f)
			width = max(width, len(f.Key))
			plain = plain && slices.Contains(plainKeys, f.Key)
		}
	}
	for i, f := range fields {
		line := f.Key + strings.Repeat(" ", width-len(f.Key)) + " = " + draftValue(f, strings.TrimSpace(row[f.Key]))
		comment := f.Comment
		if table == Variables && index == 0 && plain && i == len(fields)-1 {
			comment = realHelp
		}
		if comment != "" && !w.written[comment] {
			w.written[comment] = true
			line += strings.Repeat(" ", max(commentAt-utf8.RuneCountInString(line), 2)) + "# " + comment
		}
		w.line(Place{Table: table, Index: index, Key: f.Key}, line)
	}
}

// draftValue is the text typed for a key as written in a file.
func draftValue(f Field, text string) string {
	switch {
	case f.Table:
		text = "{ " + strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")) + " }"
		var file map[string]any
		if toml.Unmarshal([]byte("k = "+text), &file) != nil || strings.Contains(text, "\n") {
			return quoted(text)
		}
		return text
	case f.List:
		var parts []string
		split := split
		if f.Commas {
			split = relations
		}
		for _, part := range split(text) {
			parts = append(parts, draftItem(f, part))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return draftItem(f, text)
}

// draftItem is one value: text in quotes, or a number as TOML writes it. An invalid number is in quotes, which is
// reported.
func draftItem(f Field, text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if f.Text || err != nil || !finite(v) || !isNumber(text) {
		return quoted(text)
	}
	var file map[string]any
	if toml.Unmarshal([]byte("k = "+text), &file) != nil { // such as .5, or a whole number beyond 64 bits
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return text
}

// split are the values of a list as it is typed: 14, 24 or [14, 24] or 14 to 24 or 14..24 or 14 24; in double quotes a
// value may have commas.
func split(text string) (parts []string) {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	if !strings.Contains(text, ",") {
		if a, b, ok := strings.Cut(text, ".."); ok {
			text = a + "," + b
		} else if a, b, ok := strings.Cut(text, " to "); ok {
			text = a + "," + b
		} else {
			text = strings.Join(strings.Fields(text), ",")
		}
	}
	for _, part := range functions.SplitList(text, ',') {
		part = functions.Unquote(part)
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// relations are the values of a list whose values may contain commas: dose * ratio <= 40; max(a, b) <= 3, or as in a
// file.
func relations(text string) (parts []string) {
	if listed, ok := strings.CutPrefix(text, "["); ok {
		var file struct{ K []string }
		if toml.Unmarshal([]byte("K = ["+listed), &file) == nil {
			return file.K
		}
	}
	quote := rune(0)
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool {
		if quote == 0 && (r == '"' || r == '\'') {
			quote = r
		} else if r == quote {
			quote = 0
		}
		return r == ';' && quote == 0
	}) {
		part = strings.TrimSpace(part)
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && !strings.ContainsAny(text, "xXpP_")
}

// draftKey is a name as written before an equals sign.
func draftKey(name string) string {
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" && name != "" {
		return name
	}
	return quoted(name)
}

// quoted is a text in quotes: in double quotes if nothing in it needs others.
func quoted(text string) string {
	line, err := toml.Marshal(map[string]string{"k": text})
	if err != nil {
		return strconv.QuoteToASCII(text) // invalid UTF-8, which is reported
	}
	out := strings.TrimSuffix(strings.TrimPrefix(string(line), "k = "), "\n")
	if in, ok := strings.CutPrefix(out, "'"); ok && !strings.ContainsAny(in, `"\`) {
		return `"` + strings.TrimSuffix(in, "'") + `"`
	}
	return out
}

// check finds the faults with the checks of the file.
func (w *DraftFile) check(cost bool) {
	var err error
	w.Declaration, err = ParseDraft(w.Text, cost)
	if err == nil {
		return
	}
	var found *tomlfile.Faults
	if !errors.As(err, &found) {
		w.Faults = []Fault{{Text: err.Error()}}
		return
	}
	w.Faults = found.List
	for i, f := range w.Faults {
		if f.Table == constraintsKey {
			w.Faults[i].Place = Place{Key: constraintsKey}
		}
	}
}
