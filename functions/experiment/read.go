package experiment

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
)

// Parse reads an experiment file in TOML that names no other file; its name is only used in faults. The error has all
// faults, as Faults.
func Parse(file string, text []byte) (*Declaration, error) { return ParseWithFiles(file, text, nil) }

// ParseWithFiles is Parse for a file that may name a table, which open reads.
func ParseWithFiles(file string, text []byte, open FileReader) (*Declaration, error) {
	return parse(&Faults{File: file}, text, open, true, true)
}

// ParseDraft is Parse for a text that is made from another source, such as a form: no fault names a line in its words.
// The cost and the constraints, which take long to try over a large domain, are only tried if cost is true.
func ParseDraft(text []byte, cost bool) (*Declaration, error) {
	return parse(&Faults{}, text, nil, false, cost)
}

// parse reads a text and the table that it names; lines says that faults may name the lines of others, cost that the cost
// and the constraints are tried.
func parse(f *Faults, text []byte, open FileReader, lines, cost bool) (*Declaration, error) {
	body, ok := readable(text, f)
	if !ok {
		return nil, f.errorOrNil()
	}
	t := &toml{text: body, faults: f, broken: map[int]string{}}
	t.read()
	r := &reader{checker: checker{Declaration: &Declaration{}, faulty: map[place]bool{}}, lines: map[place]int{},
		faults: f, partial: t.partial}
	r.checker.reportFault = r.report
	if lines {
		r.checker.line = r.lineOf
	}
	r.take(t.root)
	r.readTable(open)
	if r.tabulated && r.Table == nil {
		return nil, f.errorOrNil() // nothing is known of the variables
	}
	r.bounded()
	r.check()
	if slices.Contains(functions.FamilyNames(), r.Name) { // of a file only: sessions outlive the list
		r.addFault(place{key: "name"}, fmt.Sprintf("%q is the name of a test function; choose another name, such as my-%s",
			r.Name, r.Name))
	}
	if len(f.List) == 0 {
		t.parseStrict()
	}
	if len(f.List) == 0 {
		r.checkConstraints(cost)
	}
	if cost && r.Cost != "" && len(f.List) == 0 {
		if _, err := functions.ParseCost(r.Cost, r.Problem()); err != nil {
			r.addFault(place{key: "cost"}, err.Error())
		}
	}
	if err := f.errorOrNil(); err != nil {
		return nil, err
	}
	return r.Declaration, nil
}

// What a key takes.
type valueType int

const (
	takesText valueType = iota
	takesNumber
	takesWhole
	takesPair
	takesNumbers     // a list
	takesTexts       // a list
	takesDescriptors // a table of lists
	takesRelations   // a list of texts that may hold commas
)

// key is one key of a table.
type key struct {
	name      string
	valueType valueType
	required  bool
	example   string
	about     string   // what it is, for a person who fills in a form
	choices   []string // what the text is one of; nil for any
	comment   string   // the comment beside its first occurrence
}

// keys are the keys of each table, in the order in which they are listed and written.
var keys = map[string][]key{
	rootTable: {
		{"name", takesText, true, `"espresso"`, "the name of the experiment", nil, ""},
		{"about", takesText, false, `"extraction of espresso"`, "the purpose of the experiment in one sentence", nil, ""},
		{"cost", takesText, false, `"1 + dose/10"`,
			"the cost of an evaluation, if it varies: an expression of the variables", nil, ""},
		{constraintsKey, takesRelations, false, `["dose * ratio <= 40"]`,
			"conditions that every evaluated point must satisfy, separated by semicolons", nil, ""},
		{"budget", takesWhole, false, "40", "how many experiments you can do; at most a third of them are the initial design", nil, ""},
		{"failures", takesText, false, `"ignored"`,
			"whether the model learns where evaluations fail (from the third failure) or ignores failures as accidents", []string{FailuresLearned, FailuresIgnored}, ""},
		{"duration", takesText, false, `"2d"`,
			"how long a result usually takes, in min, h, d or w; a point is due after it", nil, ""},
	},
	variableTable: {
		{"name", takesText, true, `"dose"`, "the name of the variable", nil, ""},
		{"kind", takesText, false, `"real"`, "the type of its values", kindNames(), ""},
		{"low", takesNumber, true, "14", "the lower bound", nil, ""},
		{"high", takesNumber, true, "20", "the upper bound", nil, ""},
		{"unit", takesText, false, `"g"`, "the unit of its values", nil, ""},
		{"scale", takesText, false, `"log"`, "linear if equal differences matter, log if equal factors matter",
			[]string{linearName, logName}, ""},
		{"step", takesNumber, false, "0.5", "the distance between suggested values: low, low + step and so on up to high", nil, ""},
		{"values", takesNumbers, false, "[0.1, 0.3, 1, 3]", "the allowed numbers of an ordered variable",
			nil, ""},
		{"choices", takesTexts, false, `["water", "ethanol"]`, "the names of the choices", nil, ""},
		{"descriptors", takesDescriptors, false, "{ boiling = [100, 78] }",
			"properties that say which choices are similar, one number per choice", nil, ""},
	},
	objectiveTable: {
		{"name", takesText, true, `"yield"`, "the name of the objective", nil, ""},
		{"direction", takesText, true, `"maximize"`, "whether lower or higher values are better",
			[]string{string(functions.Minimize), string(functions.Maximize)}, ""},
		{"unit", takesText, false, `"%"`, "the unit of its values", nil, ""},
		{"range", takesPair, false, "[14, 24]", "the least and the greatest value that you expect", nil,
			"expected values"},
		{"scale", takesText, false, `"log"`, "linear if equal differences matter, log if equal factors matter (log needs a range above 0)", []string{linearName, logName}, ""},
		{"noise", takesNumber, false, "0.3", "the standard deviation of a single measurement, if known", nil,
			"standard deviation, if known"},
		{"worthwhile", takesNumber, false, "0.5", "the smallest improvement that is worth another measurement (on a log scale a factor)", nil, ""},
		{"at_most", takesNumber, false, "10", "the greatest value at which a result is still acceptable", nil, ""},
		{"at_least", takesNumber, false, "10", "the least value at which a result is still acceptable", nil, ""},
	},
	mixtureTable: {
		{"components", takesTexts, true, `["water", "oil", "soap"]`, "the names of the variables that have a fixed sum",
			nil, ""},
		{"total", takesNumber, false, "100", "the sum of the components, in their unit; 1 if it is left out", nil, ""},
	},
	tableTable: {{"file", takesText, true, `"candidates.csv"`, "the CSV file of the measured candidates", nil, ""}},
	limitTable: {
		{"name", takesText, true, `"temperature"`, "the name of a quantity that is measured but not optimized", nil, ""},
		{"at_most", takesNumber, false, "80", "the greatest value at which a result is still acceptable", nil, ""},
		{"at_least", takesNumber, false, "80", "the least value at which a result is still acceptable", nil, ""},
		{"unit", takesText, false, `"°C"`, "the unit of its values", nil, ""},
		{"range", takesPair, false, "[20, 120]", "the least and the greatest value that you expect", nil,
			"expected values"},
		{"noise", takesNumber, false, "0.3", "the standard deviation of a single measurement, if known", nil,
			"standard deviation, if known"},
	},
}

// futureKeys are keys that may exist in a later version, with the advice that is given today.
var futureKeys = map[string]string{"constraint": "; list the constraints as constraints = [\"dose * ratio <= 40\"]",
	"seed":    "; set the seed with --seed when you start a session",
	"exec":    "; a file cannot set the command; use --exec when you step a session",
	"command": "; a file cannot set the command; use --exec when you step a session"}

func keyNames(table string) (names []string) {
	for _, k := range keys[table] {
		names = append(names, k.name)
	}
	if table == rootTable {
		names = append(names, "[[variable]]", "[[objective]]", "[[limit]]", "[[mixture]]", "[table]")
	}
	return names
}

// reader makes a declaration from a file.
type reader struct {
	checker
	lines   map[place]int
	faults  *Faults
	items   []int // the lines of the constraints
	partial bool  // some of the file was skipped: missing keys may be there

	tabulated bool   // the variables take their values from a table
	tableFile string // its file
}

// report adds a fault of a place.
func (r *reader) report(pos place, text string) {
	if r.partial && pos.index < 0 {
		return
	}
	r.faults.List = append(r.faults.List, Fault{r.lineOf(pos), text, &pos})
}

// lineOf is the line of a place, or of the table in which it is missing.
func (r *reader) lineOf(pos place) int {
	for _, p := range []place{pos, {pos.table, pos.index, ""}} {
		if line, ok := r.lines[p]; ok {
			return line
		}
	}
	return 1
}

// take reads the tables.
func (r *reader) take(root table) {
	count := map[string]int{}
	r.tabulated = slices.ContainsFunc(root.entries, func(e entry) bool { return e.name == tableTable })
	for _, e := range root.entries {
		switch {
		case !repeated(e.name):
		case e.value.kind == kindTables:
			for _, t := range e.value.tables {
				r.table(t, e.name, count[e.name])
				count[e.name]++
			}
		default:
			r.partial = true
			r.faults.List = append(r.faults.List,
				Fault{Line: e.line, Text: fmt.Sprintf("%s begins with [[%s]], in double brackets, on its own line",
					one(e.name), e.name)})
		}
	}
	r.table(root, rootTable, 0)
}

// table reads the keys of one table.
func (r *reader) table(t table, name string, index int) {
	r.lines[place{name, index, ""}] = t.line
	switch name {
	case variableTable:
		r.Variables = append(r.Variables, functions.Variable{})
	case objectiveTable:
		r.Objectives = append(r.Objectives, functions.Objective{})
	case limitTable:
		r.Limits = append(r.Limits, functions.Objective{})
	case mixtureTable:
		r.Mixtures = append(r.Mixtures, functions.Mixture{})
	}
	if name != rootTable && (len(r.Variables) > MaxVariables || len(r.Objectives) > MaxObjectives ||
		len(r.Limits) > MaxLimits || len(r.Mixtures) > maxMixtures) {
		return
	}
	misspelt := map[string]bool{} // keys that an unknown one is close to
	for _, e := range t.entries {
		position := place{name, index, e.name}
		if name == rootTable && repeated(e.name) {
			continue
		}
		i := slices.IndexFunc(keys[name], func(k key) bool { return k.name == e.name })
		if i < 0 {
			r.faults.List = append(r.faults.List, Fault{Line: e.line, Text: unknown(name, e.name)})
			if near := didyoumean.Nearest(e.name, keyNames(name)); len(near) > 0 {
				misspelt[near[0]] = true
			}
			continue
		}
		if first, twice := r.lines[position]; twice {
			r.faults.List = append(r.faults.List,
				Fault{Line: e.line, Text: fmt.Sprintf("%s is given twice, first in line %d", e.name, first)})
			continue
		}
		r.lines[position] = e.line
		if e.value.kind == kindBroken { // reported
			r.faulty[position] = true
			continue
		}
		r.value(position, keys[name][i], e.value)
	}
	for _, k := range keys[name] {
		position := place{name, index, k.name}
		if _, supplied := r.lines[position]; supplied || !k.required || r.derived(position) {
			continue
		}
		if !r.partial && !misspelt[k.name] { // a misspelt key is one fault
			r.addFault(position, fmt.Sprintf("%s has no %s; add one: %s = %s", the(name), k.name, k.name, k.example))
		}
		r.faulty[position] = true
	}
}

// repeated reports whether a file may have any number of the table.
func repeated(table string) bool {
	return table == variableTable || table == objectiveTable || table == limitTable || table == mixtureTable ||
		table == tableTable
}

func the(table string) string {
	if table == rootTable {
		return "the experiment"
	}
	return "this " + table
}

// unknown describes the fault of an unknown key.
func unknown(table, name string) string {
	if hint, ok := futureKeys[name]; ok {
		if hint == "" {
			hint = "; the keys are " + joinWords(keyNames(table), "and")
		}
		return fmt.Sprintf("unknown key %q%s", name, hint)
	}
	lead := "the keys of an experiment are"
	if table != rootTable {
		if slices.ContainsFunc(keys[rootTable], func(k key) bool { return k.name == name }) {
			return fmt.Sprintf("%s applies to the whole experiment; put it before the first [[%s]] or [[%s]]", name,
				variableTable, objectiveTable)
		}
		lead = "the keys of " + one(table) + " are"
	}
	return fmt.Sprintf("unknown key %q; %s", name, suggestKeys(name, keyNames(table), lead))
}

// value reads what a key is given.
func (r *reader) value(pos place, k key, v value) {
	switch k.valueType {
	case takesText:
		if v.kind != kindText {
			r.addFault(pos, fmt.Sprintf("%s must be text in quotes: %s = %s", k.name, k.name, k.example))
			return
		}
		r.setText(pos, v.text)
	case takesNumber:
		if x, ok := r.number(pos, k, v); ok {
			r.setNumber(pos, x)
		}
	case takesWhole:
		x, ok := r.number(pos, k, v)
		if ok && (x != math.Trunc(x) || x < 1 || x > maxBudget) {
			r.addFault(pos, fmt.Sprintf("%s must be a whole number of iterations from 1 to %d, got %s", k.name,
				maxBudget, number(x)))
		} else if ok {
			r.Budget = int(x)
		}
	case takesPair:
		if v.kind != kindList || len(v.list) != 2 {
			r.addFault(pos, fmt.Sprintf("%s must be two numbers: %s = %s", k.name, k.name, k.example))
			return
		}
		var pair [2]float64
		for n := range pair {
			x, ok := r.number(pos, k, v.list[n])
			if !ok {
				return
			}
			pair[n] = x
		}
		r.quantity(pos).Range = &pair
	case takesNumbers:
		r.Variables[pos.index].Values = r.numbers(pos, k, v)
	case takesTexts:
		if list := r.texts(pos, k, v); pos.table == mixtureTable {
			r.Mixtures[pos.index].Components = list
		} else {
			r.Variables[pos.index].Choices = list
		}
	case takesRelations:
		r.relations(pos, k, v)
	case takesDescriptors:
		r.Variables[pos.index].Descriptors = r.descriptors(pos, k, v)
	}
}

// number reads a finite number.
func (r *reader) number(pos place, k key, v value) (float64, bool) {
	if v.kind == kindText || v.kind == kindOther || v.kind == kindTable || v.kind == kindList || v.kind == kindTables {
		text := fmt.Sprintf("%s must be a number without quotes: %s = %s", k.name, k.name, k.example)
		if x, err := strconv.ParseFloat(strings.TrimSpace(v.text), 64); v.kind == kindText && err == nil &&
			finite(x) && k.valueType != takesPair && k.valueType != takesNumbers && k.valueType != takesDescriptors {
			text = fmt.Sprintf("%s must be a number without quotes: %s = %s", k.name, k.name, strings.TrimSpace(v.text))
		}
		r.addFault(pos, text)
		return 0, false
	}
	x, err := parseNumber(v.text)
	if err != nil || !finite(x) {
		r.addFault(pos, fmt.Sprintf("%s must be a finite number, got %s", k.name, v.text))
		return 0, false
	}
	return x, true
}

// parseNumber reads a number as TOML writes it.
func parseNumber(text string) (float64, error) {
	plain := strings.ReplaceAll(text, "_", "")
	if strings.HasPrefix(plain, "0x") || strings.HasPrefix(plain, "0o") || strings.HasPrefix(plain, "0b") {
		n, err := strconv.ParseUint(plain, 0, 63)
		return float64(n), err
	}
	return strconv.ParseFloat(plain, 64)
}

// setText keeps a text.
func (r *reader) setText(pos place, text string) {
	switch pos.table {
	case variableTable:
		v := &r.Variables[pos.index]
		switch pos.key {
		case "name":
			v.Name = text
		case "unit":
			v.Unit = text
		case "scale":
			v.Scale = r.scale(pos, text)
		case "kind":
			v.Kind = functions.Kind(text)
			if text == realName {
				v.Kind = functions.Real
			} else if text == "" {
				r.addFault(pos, "kind is empty; use "+joinWords(kindNames(), "or"))
			}
		}
	case objectiveTable, limitTable:
		o := r.quantity(pos)
		switch pos.key {
		case "name":
			o.Name = text
		case "unit":
			o.Unit = text
		case "direction":
			o.Direction = functions.Direction(text)
		case "scale":
			o.Scale = r.scale(pos, text)
		}
	case tableTable:
		r.tableFile = text
	default:
		switch pos.key {
		case "name":
			r.Name = text
		case "about":
			r.About = blanks.ReplaceAllString(strings.TrimSpace(text), " ")
		case "cost":
			r.Cost = strings.TrimSpace(text)
		case "failures":
			r.Failures = text
		case "duration":
			r.Duration = strings.TrimSpace(text)
		}
	}
}

// scale reads how values count.
func (r *reader) scale(pos place, text string) functions.Scale {
	switch text {
	case linearName:
		return functions.Linear
	case "":
		r.addFault(pos, `scale is empty; use "linear" or "log"`)
	}
	return functions.Scale(text)
}

// blanks are the spaces between the words of a text of several lines.
var blanks = regexp.MustCompile(`[ \t\r\n]+`)

// setNumber keeps a number.
func (r *reader) setNumber(pos place, x float64) {
	switch pos.key {
	case "low":
		r.Variables[pos.index].Low = x
	case "high":
		r.Variables[pos.index].High = x
	case "step":
		r.Variables[pos.index].Step = x
		if !(x > 0) {
			r.addFault(pos, fmt.Sprintf("step must be above 0, got %s", number(x)))
		}
	case "total":
		r.Mixtures[pos.index].Total = x
		if !(x > 0) {
			r.addFault(pos, fmt.Sprintf("total must be above 0, got %s", number(x)))
		}
	case "noise":
		r.quantity(pos).Noise = x
		if x == 0 {
			r.addFault(pos, "noise must be a standard deviation above 0, got 0; leave it out if you do not know it")
		}
	case "worthwhile":
		r.quantity(pos).Worthwhile = x
		if x == 0 {
			r.addFault(pos, "worthwhile must be above 0, got 0; leave it out if any improvement counts")
		}
	case "at_most":
		r.quantity(pos).AtMost = &x
	case "at_least":
		r.quantity(pos).AtLeast = &x
	}
}
