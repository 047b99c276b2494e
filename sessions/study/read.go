package study

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"bandscope/functions/didyoumean"
	"bandscope/functions/experiment"
)

// maxFile bounds a study file in bytes.
const maxFile = 1 << 20

// Parse reads and checks the text of a study file (TOML) of test functions; the path is only for messages. The error has
// all faults, as *experiment.Faults, each with its line. Printed numbers get their problems and methods as the cells have
// them.
func Parse(ctx context.Context, path string, text []byte) (*Declaration, error) {
	return ParseWithFiles(ctx, path, text, nil)
}

// ParseWithFiles is Parse for a study that may name files of your own problems, which open reads.
func ParseWithFiles(ctx context.Context, path string, text []byte, open experiment.FileReader) (*Declaration, error) {
	r := &reader{checker: checker{Declaration: &Declaration{}, faults: experiment.Faults{File: path}}}
	r.read(text)
	if len(r.faults.List) == 0 {
		r.readOwnFiles(open)
	}
	if len(r.faults.List) == 0 {
		r.check(ctx)
	}
	if len(r.faults.List) == 0 && len(r.Published) > 0 {
		r.align()
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return r.Declaration, nil
}

// reader reads a study file.
type reader struct{ checker }

// align gives the printed numbers the texts of the cells.
func (r *reader) align() {
	pairs := r.pairsOf(r.cells())
	for i, p := range r.Published {
		if in, err := p.Resolve(pairs, r.Own...); err == nil { // as check has found
			r.Published[i] = in
		}
	}
}

func (r *reader) read(text []byte) {
	if len(text) > maxFile {
		r.fault(0, "the file has %d bytes; the limit is %d", len(text), maxFile)
		return
	}
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		line := 1
		var parseError *toml.DecodeError
		if errors.As(err, &parseError) {
			line, _ = parseError.Position()
		}
		r.fault(line, "the file is not valid TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
		return
	}
	r.lines = linesFor(text)
	if len(all) == 0 {
		r.fault(0, "the file is empty; a study needs a name, problems, methods and seeds")
		return
	}
	r.take(place{index: -1}, all, map[string]func(place, any){
		"name": r.text(&r.Name), "title": r.text(&r.Title), "source": r.text(&r.Source), "note": r.text(&r.Note),
		"problems": r.texts(&r.Problems), "methods": r.texts(&r.Methods),
		"seeds": r.whole(&r.Seeds), "first_seed": r.first, "budget": r.budget, "measure": r.text((*string)(&r.Measure)),
		"keep": r.text((*string)(&r.Keep)), "published": r.tables})
}

// fault adds a fault at a line.
func (r *reader) fault(line int, format string, args ...any) {
	r.faults.List = append(r.faults.List, experiment.Fault{Line: line, Text: fmt.Sprintf(format, args...)})
}

// take takes the keys of a table, which is the file itself or at a place in it.
func (r *reader) take(pos place, table map[string]any, keys map[string]func(place, any)) {
	known := slices.Sorted(maps.Keys(keys))
	for _, key := range slices.Sorted(maps.Keys(table)) {
		end := place{key, -1, ""}
		if pos.key != "" {
			end = place{pos.key, pos.index, key}
		}
		if take := keys[key]; take != nil {
			take(end, table[key])
			continue
		}
		r.addFault(end, "%v", didyoumean.NewUnknownError("key", key, known))
	}
}

// placeName is the key of a place.
func placeName(pos place) string {
	if pos.under != "" {
		return pos.under
	}
	return pos.key
}

// describeValue is a value in a message.
func describeValue(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprint(v)
}

func (r *reader) text(into *string) func(place, any) {
	return func(pos place, v any) {
		s, ok := v.(string)
		if !ok {
			r.addFault(pos, "%s must be text in quotes, got %s", placeName(pos), describeValue(v))
		}
		*into = s
	}
}

func (r *reader) texts(into *[]string) func(place, any) {
	return func(pos place, v any) {
		list, ok := v.([]any)
		if !ok {
			r.addFault(pos, `%s must be a list of texts, such as %s = ["…", "…"]; got %s`, placeName(pos), placeName(pos),
				describeValue(v))
			return
		}
		for i, item := range list {
			s, ok := item.(string)
			if !ok {
				r.addFault(place{pos.key, i, ""}, "%s must be a list of texts in quotes, got %s", placeName(pos),
					describeValue(item))
			}
			*into = append(*into, s)
		}
	}
}

func (r *reader) whole(into *int) func(place, any) {
	return func(pos place, v any) {
		n, ok := v.(int64)
		if !ok {
			r.addFault(pos, "%s must be a whole number, got %s", placeName(pos), describeValue(v))
			return
		}
		*into = int(n)
	}
}

func (r *reader) number(into *float64) func(place, any) {
	return func(pos place, v any) {
		switch n := v.(type) {
		case float64:
			*into = n
		case int64:
			*into = float64(n)
		default:
			r.addFault(pos, "%s must be a number, got %s", placeName(pos), describeValue(v))
		}
	}
}

func (r *reader) first(pos place, v any) {
	n := 0
	r.whole(&n)(pos, v)
	if n < 0 {
		r.addFault(pos, "first_seed must be at least 1, got %d", n)
		return
	}
	r.First = uint64(n)
}

func (r *reader) budget(pos place, v any) {
	switch n := v.(type) {
	case string:
		r.Budget = n
	case int64:
		r.Budget = strconv.FormatInt(n, 10)
	default:
		r.addFault(pos,
			`budget must be a whole number or an expression of the dimension d, such as budget = "20*d"; got %s`,
			describeValue(v))
	}
}

func (r *reader) tables(pos place, v any) {
	list, ok := v.([]any)
	if !ok {
		r.addFault(pos, "published numbers must be [[published]] tables, one per number; got %s", describeValue(v))
		return
	}
	for i, item := range list {
		table, ok := item.(map[string]any)
		if !ok {
			r.addFault(pos, "published numbers must be [[published]] tables, one per number; got %s", describeValue(item))
			return
		}
		var p PublishedNumber
		r.take(place{pos.key, i, ""}, table, map[string]func(place, any){
			"problem": r.text(&p.Problem), "method": r.text(&p.Method), "measure": r.text((*string)(&p.Measure)),
			"evaluations": r.whole(&p.Evaluations),
			"value":       r.number(&p.Value), "interval": func(pos place, v any) {
				p.Interval = new(float64)
				r.number(p.Interval)(pos, v)
			},
			"statistic": r.text(&p.Statistic), "source": r.text(&p.Source), "note": r.text(&p.Note)})
		if _, has := table["value"]; !has {
			r.addFault(place{pos.key, i, ""}, "a published number has no value; add one, such as value = 0.02")
		}
		r.Published = append(r.Published, p)
	}
}

// linesFor are the lines of the keys of a TOML text, of the items of their lists and of the keys of their tables.
func linesFor(text []byte) map[place]int {
	var starts []int
	for i := range text {
		if i == 0 || text[i-1] == '\n' {
			starts = append(starts, i)
		}
	}
	valueAt := func(n *unstable.Node) int {
		return sort.SearchInts(starts, int(n.Raw.Offset)+1)
	}
	lines, tables := map[place]int{}, map[string]int{}
	under := place{index: -1}
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		key := e.Key()
		if !key.Next() {
			continue
		}
		first := string(key.Node().Data)
		line := valueAt(key.Node())
		switch e.Kind {
		case unstable.ArrayTable:
			under = place{first, tables[first], ""}
			tables[first]++
			lines[under] = line
		case unstable.Table:
			under = place{first, -1, ""}
			lines[under] = line
		case unstable.KeyValue:
			if under.key != "" {
				lines[place{under.key, under.index, first}] = line
				continue
			}
			lines[place{first, -1, ""}] = line
			for it, i := e.Value().Children(), 0; e.Value().Kind == unstable.Array && it.Next(); {
				if it.Node().Kind == unstable.Comment {
					continue
				}
				lines[place{first, i, ""}] = line
				if it.Node().Raw.Length > 0 {
					lines[place{first, i, ""}] = valueAt(it.Node())
				}
				i++
			}
		}
	}
	return lines
}
