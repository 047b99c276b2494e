package tomlfile

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Place is a key of a file, an item of a list, or a key of a table: {Key: "name"}, {Table: "seeds", Index: 2},
// {Table: "variable", Index: 0, Key: "low"}. An Index of -1 is the list as a whole. A key in a table inside of a table
// has a dotted Key.
type Place struct {
	Table string
	Index int
	Key   string
}

// Position is where something is in a file, from 1.
type Position struct{ Line, Column int }

// Compare orders positions as they are in a file.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Positions are where the places of a file are, at their first occurrences.
type Positions map[Place]Position

// Has reports whether a file has a place.
func (p Positions) Has(place Place) bool {
	_, ok := p[place]
	return ok
}

// Line is the line of a place, of the list or the table in which it is missing, or 1.
func (p Positions) Line(place Place) int {
	for _, around := range []Place{place, {Table: place.Table, Index: place.Index}, {Key: place.Table}} {
		if position, ok := p[around]; ok {
			return position.Line
		}
	}
	return 1
}

// entry is a place with its position, and the bytes of the key with its value that it is in.
type entry struct {
	place Place
	Position
	start, end int
}

// positions are the places of the entries.
func (f *file) positions() Positions {
	all := Positions{}
	for _, e := range slices.Backward(f.entries) {
		all[e.place] = e.Position
	}
	return all
}

// entryAt is the last entry that begins at a position or in front of it; false if there is none.
func (f *file) entryAt(line, column int) (entry, bool) {
	for _, e := range slices.Backward(f.entries) {
		if e.Line < line || e.Line == line && e.Column <= column {
			return e, true
		}
	}
	return entry{}, false
}

// finder collects the entries of a text.
type finder struct {
	starts  []int // where each line begins
	entries []entry
	within  unstable.Range // the key with its value that is read
}

// find returns the entries of a text up to its first fault of the syntax.
func find(text []byte) []entry {
	f := finder{starts: []int{0}}
	for i, b := range text {
		if b == '\n' {
			f.starts = append(f.starts, i+1)
		}
	}
	counts := map[string]int{}
	var table Place // that keys belong to
	var parser unstable.Parser
	parser.Reset(text)
	for parser.NextExpression() {
		e := parser.Expression()
		f.within = unstable.Range{}
		if e.Kind == unstable.KeyValue {
			f.within = e.Raw
			f.keyValue(e, table)
			continue
		}
		names, offset := keyOf(e)
		first, rest, inside := strings.Cut(names, ".")
		if !inside {
			counts[first]++
		}
		table = Place{first, max(counts[first]-1, 0), rest}
		f.add(table, offset)
	}
	return f.entries
}

func (f *finder) add(place Place, offset uint32) {
	line := sort.SearchInts(f.starts, int(offset)+1)
	position := Position{line, int(offset) - f.starts[line-1] + 1}
	f.entries = append(f.entries, entry{place, position, int(f.within.Offset), int(f.within.Offset + f.within.Length)})
}

// keyValue adds a key of a table, the items of its list, and the keys of its tables.
func (f *finder) keyValue(e *unstable.Node, table Place) {
	name, offset := keyOf(e)
	place := Place{table.Table, table.Index, strings.TrimPrefix(table.Key+"."+name, ".")}
	f.add(place, offset)
	value := e.Value()
	switch {
	case value.Kind == unstable.InlineTable && place.Table == "":
		f.entries[len(f.entries)-1].place = Place{Table: name}
		f.inside(value, Place{Table: name})
	case value.Kind == unstable.InlineTable:
		f.inside(value, place)
	case value.Kind == unstable.Array && place.Table == "":
		item := Place{Table: name}
		for it := value.Children(); it.Next(); {
			child := it.Node()
			switch child.Kind {
			case unstable.Comment:
				continue
			case unstable.InlineTable:
				f.add(item, child.Raw.Offset)
				f.inside(child, item)
			default:
				if child.Raw.Length > 0 {
					offset = child.Raw.Offset
				}
				f.add(item, offset)
			}
			item.Index++
		}
	}
}

// inside adds the keys of a table in braces.
func (f *finder) inside(e *unstable.Node, table Place) {
	for it := e.Children(); it.Next(); {
		if it.Node().Kind == unstable.KeyValue {
			f.keyValue(it.Node(), table)
		}
	}
}

// keyOf is the key of an expression, dotted, with the byte where it begins.
func keyOf(e *unstable.Node) (name string, offset uint32) {
	var names []string
	for it := e.Key(); it.Next(); {
		if names == nil {
			offset = it.Node().Raw.Offset
		}
		names = append(names, string(it.Node().Data))
	}
	return strings.Join(names, "."), offset
}
