package experiment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/tomlfile"
)

// Parse reads an experiment file in TOML that names no other file; its name is only used in faults. The error has all
// faults, as tomlfile.Faults.
func Parse(file string, text []byte) (*Declaration, error) { return ParseWithFiles(file, text, nil) }

// ParseWithFiles is Parse for a file that may name a table, which open reads.
func ParseWithFiles(file string, text []byte, open FileReader) (*Declaration, error) {
	return parse(&tomlfile.Faults{File: file}, text, open, true)
}

// ParseDraft is Parse for a text that is made from another source, such as a form: no fault names a line in its words.
// The cost and the constraints, which take long to try over a large domain, are only tried if cost is true.
func ParseDraft(text []byte, cost bool) (*Declaration, error) {
	return parse(&tomlfile.Faults{}, text, nil, cost)
}

// parse reads a text and the table that it names; cost says that the cost and the constraints are tried.
func parse(f *tomlfile.Faults, text []byte, open FileReader, cost bool) (*Declaration, error) {
	r := &reader{checker: checker{Declaration: &Declaration{}, faults: f, faulty: map[Place]bool{}}}
	r.positions, f.List = tomlfile.Decode(text, &r.file)
	if r.positions == nil {
		return nil, f.ErrorOrNil()
	}
	for _, fault := range f.List {
		r.faulty[fault.Place] = true
	}
	r.take()
	r.required()
	r.readTable(open)
	if r.file.Table != nil && r.Table == nil {
		return nil, f.ErrorOrNil() // nothing is known of the variables
	}
	r.bounded()
	r.check()
	if slices.Contains(functions.FamilyNames(), r.Name) { // of a file only: sessions outlive the list
		r.addFault(Place{Key: "name"}, "%q is the name of a test function; choose another name, such as my-%s", r.Name, r.Name)
	}
	if len(f.List) == 0 {
		r.checkConstraints(cost)
	}
	if cost && r.Cost != "" && len(f.List) == 0 {
		if _, err := functions.ParseCost(r.Cost, r.Problem()); err != nil {
			r.addFault(Place{Key: "cost"}, "%s", err.Error())
		}
	}
	if err := f.ErrorOrNil(); err != nil {
		return nil, err
	}
	return r.Declaration, nil
}

// reader makes a declaration from a file.
type reader struct {
	checker
	file rootFile
}

// blanks are the spaces between the words of a text of several lines.
var blanks = regexp.MustCompile(`[ \t\r\n]+`)

// take copies what the file says.
func (r *reader) take() {
	f := &r.file
	r.Name, r.Failures, r.Budget = f.Name, f.Failures, f.Budget
	r.About = blanks.ReplaceAllString(strings.TrimSpace(f.About), " ")
	r.Cost, r.Duration = strings.TrimSpace(f.Cost), strings.TrimSpace(f.Duration)
	for _, text := range f.Constraints {
		r.Constraints = append(r.Constraints, strings.TrimSpace(text))
	}
	if f.Constraints != nil && len(f.Constraints) == 0 {
		r.addFault(Place{Key: constraintsKey}, `constraints is empty; leave it out or add a constraint: constraints = ["dose * ratio <= 40"]`)
	}
	r.positive(Place{Key: "budget"}, float64(r.Budget), fmt.Sprintf(wholeBudget, maxBudget, 0))
	for i, v := range f.Variables {
		r.Variables = append(r.Variables, functions.Variable{Name: v.Name, Kind: v.Kind, Low: v.Low, High: v.High, Unit: v.Unit,
			Scale: r.scale(Place{Table: Variables, Index: i, Key: "scale"}, v.Scale), Step: v.Step, Values: v.Values, Choices: v.Choices,
			Descriptors: r.descriptors(i, v.Descriptors)})
		kind := Place{Table: Variables, Index: i, Key: "kind"}
		if v.Kind == realName {
			r.Variables[i].Kind = functions.Real
		} else if v.Kind == "" && r.positions.Has(kind) {
			r.addFault(kind, "%s", "kind is empty; use "+joinWords(kindNames(), "or"))
		}
		r.positive(Place{Table: Variables, Index: i, Key: "step"}, v.Step, "step must be above 0, got 0")
	}
	for i, m := range f.Mixtures {
		r.Mixtures = append(r.Mixtures, functions.Mixture{Components: m.Components, Total: m.Total})
		r.positive(Place{Table: Mixtures, Index: i, Key: "total"}, m.Total, "total must be above 0, got 0")
	}
	for i, o := range f.Objectives {
		objective := r.quantityOf(Objectives, i, limitFile{Name: o.Name, Unit: o.Unit, Range: o.Range, Noise: o.Noise,
			AtMost: o.AtMost, AtLeast: o.AtLeast})
		objective.Direction, objective.Worthwhile = o.Direction, o.Worthwhile
		objective.Scale = r.scale(Place{Table: Objectives, Index: i, Key: "scale"}, o.Scale)
		r.Objectives = append(r.Objectives, objective)
		r.positive(Place{Table: Objectives, Index: i, Key: "worthwhile"}, o.Worthwhile,
			"worthwhile must be above 0, got 0; leave it out if any improvement counts")
	}
	for i, o := range f.Limits {
		r.Limits = append(r.Limits, r.quantityOf(Limits, i, o))
	}
}

// quantityOf is an objective or a limit of the file.
func (r *reader) quantityOf(table string, i int, o limitFile) functions.Objective {
	q := functions.Objective{Name: o.Name, Unit: o.Unit, Noise: o.Noise, AtMost: o.AtMost, AtLeast: o.AtLeast}
	place := Place{Table: table, Index: i, Key: "range"}
	switch {
	case len(o.Range) == 2:
		q.Range = &[2]float64{o.Range[0], o.Range[1]}
	case r.positions.Has(place):
		r.addFault(place, "range must be two numbers: range = [14, 24]")
	}
	r.positive(Place{Table: table, Index: i, Key: "noise"}, o.Noise,
		"noise must be a standard deviation above 0, got 0; leave it out if you do not know it")
	return q
}

// positive reports a number of the file that is 0.
func (r *reader) positive(place Place, value float64, text string) {
	if value == 0 && r.positions.Has(place) {
		r.addFault(place, "%s", text)
	}
}

// scale reads how values count.
func (r *reader) scale(place Place, s functions.Scale) functions.Scale {
	if s == "" && r.positions.Has(place) {
		r.addFault(place, `scale is empty; use "linear" or "log"`)
	}
	if s == linearName {
		return functions.Linear
	}
	return s
}

// descriptors are the descriptors of a variable, in the order of the file.
func (r *reader) descriptors(i int, file map[string][]float64) (list []functions.Descriptor) {
	for name, values := range file {
		list = append(list, functions.Descriptor{Name: name, Values: values})
	}
	position := func(d functions.Descriptor) tomlfile.Position {
		return r.positions[Place{Table: Variables, Index: i, Key: "descriptors." + d.Name}]
	}
	slices.SortFunc(list, func(a, b functions.Descriptor) int { return position(a).Compare(position(b)) })
	return list
}

// required reports the missing keys of tables without unknown keys, which may be misspelt.
func (r *reader) required() {
	misspelt := map[Place]bool{}
	for _, fault := range r.faults.List {
		if !slices.ContainsFunc(fields[fault.Table], func(f Field) bool { return f.Key == fault.Key }) {
			misspelt[Place{Table: fault.Table, Index: fault.Index}] = true
		}
	}
	count := map[string]int{Root: 1, Variables: len(r.Variables), Objectives: len(r.Objectives),
		Limits: len(r.Limits), Mixtures: len(r.Mixtures)}
	if r.file.Table != nil {
		count[tableTable] = 1
	}
	for table, n := range count {
		for i := range n {
			for _, f := range fields[table] {
				place := Place{Table: table, Index: i, Key: f.Key}
				if !f.Required || r.positions.Has(place) || r.derived(place) {
					continue
				}
				if misspelt[Place{Table: table, Index: i}] {
					r.faulty[place] = true
				}
				r.addFault(place, "%s has no %s; add one: %s = %s", the(table), f.Key, f.Key, f.Example)
			}
		}
	}
}

func the(table string) string {
	if table == Root {
		return "the experiment"
	}
	return "this " + table
}
