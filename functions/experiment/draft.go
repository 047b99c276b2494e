package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/functions"
)

// Row is a table of the file: the text typed for each key. Empty texts are left out of the file.
type Row map[string]string

// Draft is an experiment that is being written.
type Draft struct {
	Root       Row
	Variables  []Row
	Objectives []Row
	Limits     []Row
	Mixtures   []Row
}

// New returns a draft with an empty variable and an empty objective.
func New() *Draft { return &Draft{Root: Row{}, Variables: []Row{{}}, Objectives: []Row{{}}} }

// NewDraft returns the draft of a declaration; the error says that it has a table, which a form does not show.
func NewDraft(d *Declaration) (*Draft, error) {
	if d.Table != nil {
		return nil, fmt.Errorf("%s takes its variables from the table %s; edit its files in an editor", d.Name, d.Table.File)
	}
	return d.draft()
}

// draft is the draft of a declaration without its table.
func (d *Declaration) draft() (*Draft, error) {
	plain := *d
	plain.Table = nil
	text, err := json.Marshal(plain)
	if err != nil {
		return nil, fmt.Errorf("the experiment %s: %w", d.Name, err)
	}
	var whole map[string]any
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber() // with the digits of the declaration
	if err := in.Decode(&whole); err != nil {
		return nil, fmt.Errorf("the experiment %s: %w", d.Name, err)
	}
	if d.Constraints != nil {
		whole["constraints"] = strings.Join(d.Constraints, "; ")
	}
	made := &Draft{Root: rowFor(whole)}
	for name, rows := range map[string]*[]Row{
		Variables: &made.Variables, Objectives: &made.Objectives, Limits: &made.Limits,
		Mixtures: &made.Mixtures} {
		list, _ := whole[name].([]any)
		for _, entry := range list {
			if fields, ok := entry.(map[string]any); ok {
				*rows = append(*rows, rowFor(draftFields(fields)))
			}
		}
	}
	return made, nil
}

// draftFields are the fields of a declaration as they are written to a file: what lists its values has no bounds there,
// and descriptors are a table.
func draftFields(fields map[string]any) map[string]any {
	if fields["values"] != nil || fields["choices"] != nil {
		delete(fields, "low")
		delete(fields, "high")
	}
	var parts []string
	list, _ := fields["descriptors"].([]any)
	for _, d := range list {
		if d, ok := d.(map[string]any); ok {
			values, _ := textFor(d["values"])
			parts = append(parts, fmt.Sprintf("%s = [%s]", draftKey(fmt.Sprint(d["name"])), values))
		}
	}
	if parts != nil {
		fields["descriptors"] = strings.Join(parts, ", ")
	}
	return fields
}

// rowFor is a table as the JSON of a declaration has it, whose fields are the keys of the file.
func rowFor(fields map[string]any) Row {
	row := Row{}
	for key, value := range fields {
		if text, ok := textFor(value); ok && text != "" {
			row[key] = text
		}
	}
	return row
}

// textFor returns a value as it is typed; false for a table.
func textFor(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			part, ok := textFor(x)
			if !ok {
				return "", false
			}
			parts[i] = functions.Quote(part)
		}
		return strings.Join(parts, ", "), true
	}
	return "", false
}

// Rows are the tables of one kind; nil for the experiment itself, which is one.
func (d *Draft) Rows(table string) *[]Row {
	switch table {
	case Variables:
		return &d.Variables
	case Objectives:
		return &d.Objectives
	case Limits:
		return &d.Limits
	case Mixtures:
		return &d.Mixtures
	}
	return nil
}

// Row is one table, by its kind and from 0; nil if there is none.
func (d *Draft) Row(table string, index int) Row {
	if table == Root {
		return d.Root
	}
	if rows := d.Rows(table); rows != nil && index >= 0 && index < len(*rows) {
		return (*rows)[index]
	}
	return nil
}

// Clone is a draft of its own with the same text.
func (d *Draft) Clone() *Draft {
	clone := func(rows []Row) []Row {
		if rows == nil {
			return nil
		}
		list := make([]Row, len(rows))
		for i, r := range rows {
			list[i] = maps.Clone(r)
		}
		return list
	}
	return &Draft{maps.Clone(d.Root), clone(d.Variables), clone(d.Objectives), clone(d.Limits), clone(d.Mixtures)}
}

// Equal reports whether another draft says the same.
func (d *Draft) Equal(other *Draft) bool {
	same := func(a, b Row) bool { return maps.Equal(a, b) }
	return same(d.Root, other.Root) && slices.EqualFunc(d.Variables, other.Variables, same) &&
		slices.EqualFunc(d.Objectives, other.Objectives, same) &&
		slices.EqualFunc(d.Limits, other.Limits, same) && slices.EqualFunc(d.Mixtures, other.Mixtures, same)
}
