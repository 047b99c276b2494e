package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	tomlfile "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// kind is what a value in a file is.
type kind int

const (
	kindText kind = iota
	kindNumber
	kindList
	kindTables
	kindTable  // in braces
	kindOther  // true, false, a date
	kindBroken // it is not valid TOML, and reported
)

// value is what a key is given.
type value struct {
	kind   kind
	text   string // of a text what it says, of a number as it is written
	list   []value
	tables []table
	inside []entry // of a table in braces
	line   int     // of an item of a list
}

// entry is a key with its value.
type entry struct {
	line  int
	name  string
	value value
}

// table is a table with its entries, in their order in the file.
type table struct {
	line    int
	entries []entry
}

// toml reads TOML with the line of everything. After a fault of the syntax it continues with the next line.
type toml struct {
	text    []byte
	faults  *Faults
	starts  []int          // where each line begins
	broken  map[int]string // of lines that were put right, so that the rest can be read
	partial bool           // a line was passed over

	root table
	into *table // what keys go to
	kind string // and the kind of table it is; of one that is not known "?"
}

// maxSyntax bounds after how many faults of the syntax reading goes on.
const maxSyntax = 50

// read reads the text.
func (t *toml) read() {
	t.text = bytes.Clone(t.text)
	for range maxSyntax {
		line, message := t.parseOnce()
		if line == 0 {
			break
		}
		if _, again := t.broken[line]; again || !t.repair(line, message) {
			t.partial = true
			break
		}
	}
}

// parseStrict reports other invalid TOML in a text that can be read, such as a key that is a table and a value at once.
func (t *toml) parseStrict() {
	var all map[string]any
	err := tomlfile.Unmarshal(t.text, &all)
	if err == nil {
		return
	}
	var parseError *tomlfile.DecodeError
	line := 1
	if errors.As(err, &parseError) {
		line, _ = parseError.Position()
	}
	t.report(line, notTOML+strings.TrimPrefix(err.Error(), "toml: "))
}

// notTOML is the prefix of messages of the parser.
const notTOML = "invalid TOML: "

// parseOnce reads the text up to its first fault of the syntax, which it returns with its line; 0 if there is none.
func (t *toml) parseOnce() (int, string) {
	t.starts = []int{0}
	for i, b := range t.text {
		if b == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	t.root = table{line: 1}
	t.into, t.kind = &t.root, rootTable
	var p unstable.Parser
	p.Reset(t.text)
	for p.NextExpression() {
		t.expression(p.Expression())
	}
	err := p.Error()
	if err == nil {
		return 0, ""
	}
	var parseError *unstable.ParserError
	if !errors.As(err, &parseError) {
		return 1, err.Error()
	}
	return t.lineAt(int(p.Range(parseError.Highlight).Offset)), parseError.Message
}

// lineAt is the line of a byte.
func (t *toml) lineAt(offset int) int {
	return sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > offset })
}

// expression takes one line, or what belongs together.
func (t *toml) expression(e *unstable.Node) {
	switch e.Kind {
	case unstable.Table, unstable.ArrayTable:
		name, line := t.keyOf(e)
		if e.Kind == unstable.Table && name != tableTable || !repeated(name) {
			t.root.entries = append(t.root.entries, entry{line, name, value{kind: kindOther}})
			t.into, t.kind = &table{}, "?"
			return
		}
		i := -1
		for n, known := range t.root.entries {
			if known.name == name && known.value.kind == kindTables {
				i = n
			}
		}
		if i < 0 {
			i = len(t.root.entries)
			t.root.entries = append(t.root.entries, entry{line, name, value{kind: kindTables}})
		}
		tables := &t.root.entries[i].value.tables
		*tables = append(*tables, table{line: line})
		t.into, t.kind = &(*tables)[len(*tables)-1], name
	case unstable.KeyValue:
		t.into.entries = append(t.into.entries, t.entryOf(e))
	}
}

// keyOf is the key of an expression, with its line.
func (t *toml) keyOf(e *unstable.Node) (name string, line int) {
	for it := e.Key(); it.Next(); {
		k := it.Node()
		if line == 0 {
			line = t.lineAt(int(k.Raw.Offset))
		} else {
			name += "."
		}
		name += string(k.Data)
	}
	return name, line
}

func (t *toml) entryOf(e *unstable.Node) entry {
	name, line := t.keyOf(e)
	v := t.valueOf(e.Value(), line)
	if _, broken := t.broken[line]; broken {
		v = value{kind: kindBroken}
	}
	return entry{line, name, v}
}

// valueOf is a value; tables inside of it are inline.
func (t *toml) valueOf(n *unstable.Node, line int) value {
	switch n.Kind {
	case unstable.String:
		return value{kind: kindText, text: string(n.Data)}
	case unstable.Integer, unstable.Float:
		return value{kind: kindNumber, text: string(n.Data)}
	case unstable.Array:
		v := value{kind: kindList}
		for it := n.Children(); it.Next(); {
			child := it.Node()
			switch child.Kind {
			case unstable.Comment:
			case unstable.InlineTable:
				in := table{line: t.lineAt(int(child.Raw.Offset))}
				for entries := child.Children(); entries.Next(); {
					in.entries = append(in.entries, t.entryOf(entries.Node()))
				}
				v.tables = append(v.tables, in)
			default:
				item := t.valueOf(child, line)
				item.line = line
				if child.Raw.Length > 0 {
					item.line = t.lineAt(int(child.Raw.Offset))
				}
				v.list = append(v.list, item)
			}
		}
		if v.tables != nil && v.list == nil {
			v.kind = kindTables
		}
		return v
	}
	if n.Kind == unstable.InlineTable {
		v := value{kind: kindTable}
		for entries := n.Children(); entries.Next(); {
			name, _ := t.keyOf(entries.Node())
			v.inside = append(v.inside, entry{line, name, t.valueOf(entries.Node().Value(), line)})
		}
		return v
	}
	return value{kind: kindOther}
}

// assignment is a line that gives a key a value.
var assignment = regexp.MustCompile(`^\s*([A-Za-z0-9_-]+)\s*=\s*(.*?)\s*$`)

// heading is a line that was to begin a variable, an objective or a mixture.
var heading = regexp.MustCompile(`^\s*\[*\s*(variable|objective|mixture)\b`)

// repair reports the fault of a line and replaces the line so that the rest can be read; false if that is not possible.
func (t *toml) repair(line int, message string) bool {
	from, end := t.starts[line-1], len(t.text)
	if line < len(t.starts) {
		end = t.starts[line] - 1
	}
	text, with := string(t.text[from:end]), ""
	if m := assignment.FindStringSubmatch(text); m != nil {
		message = t.misspelt(m[1], m[2], message)
		with = m[1] + ` = ""`
	} else if m := heading.FindStringSubmatch(text); m != nil {
		with = "[[" + m[1] + "]]"
		message = fmt.Sprintf("%s begins with %s, on its own line", one(m[1]), with)
	} else {
		t.partial, message = true, notTOML+message
	}
	t.report(line, message)
	t.broken[line] = message
	t.text = bytes.Join([][]byte{t.text[:from], []byte(with), t.text[end:]}, nil)
	return true
}

// misspelt describes the fault of a value that is not valid TOML.
func (t *toml) misspelt(name, text, message string) string {
	text, _, _ = strings.Cut(text, "#")
	text = strings.TrimSpace(text)
	for _, k := range keys[t.kind] {
		switch {
		case k.name != name || strings.ContainsAny(text, `"'[]{}`):
		case text == "":
			return fmt.Sprintf("%s has no value; add one: %s = %s", name, name, k.example)
		case k.valueType == takesText:
			return fmt.Sprintf("%s must be text in quotes: %s = %q", name, name, text)
		case k.valueType == takesNumber || k.valueType == takesWhole:
			return fmt.Sprintf("%s must be a number, got %+q; write %s = %s, for example", name, text, name, k.example)
		}
	}
	return notTOML + message
}

// report adds a fault.
func (t *toml) report(line int, message string) {
	t.faults.List = append(t.faults.List, Fault{Line: line, Text: message})
}

// readable is the text without a byte order mark; false for an invalid text, which it reports.
func readable(text []byte, f *Faults) ([]byte, bool) {
	if len(text) > MaxFile {
		f.List = []Fault{{Text: fmt.Sprintf("the file has %d bytes; the maximum is %d", len(text), MaxFile)}}
		return nil, false
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		f.List = []Fault{{Text: "the file is empty; an experiment needs a name, variables and objectives"}}
		return nil, false
	}
	for n, line := range bytes.Split(text, []byte("\n")) {
		if n >= len(text) || len(f.List) > maxFaults {
			break
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		for i := 0; i < len(line); {
			r, size := utf8.DecodeRune(line[i:])
			if r == utf8.RuneError && size == 1 {
				f.List = append(f.List, Fault{Line: n + 1,
					Text: fmt.Sprintf("the byte %#x is not valid UTF-8; save the file as UTF-8", line[i])})
				break
			}
			if r < ' ' && r != '\t' || r == 0x7f {
				f.List = append(f.List, Fault{Line: n + 1,
					Text: fmt.Sprintf("this line contains the control character %U; remove it", r)})
				break
			}
			i += size
		}
	}
	return text, len(f.List) == 0
}
