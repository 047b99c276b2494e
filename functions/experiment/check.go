package experiment

import (
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"bandscope/functions"
)

// Check returns what is wrong with the declaration, all of it at once, as Faults; its cost is not looked at.
func (d *Declaration) Check() error {
	f := &Faults{}
	c := checker{Declaration: d, reportFault: func(at place, text string) {
		f.List = append(f.List, Fault{Text: text, at: &at})
	}}
	c.check()
	return f.errorOrNil()
}

// quantity is what a place is of, an objective or a limit.
func (d *Declaration) quantity(at place) *functions.Objective {
	if at.table == limitTable {
		return &d.Limits[at.index]
	}
	return &d.Objectives[at.index]
}

// checker checks a declaration.
type checker struct {
	*Declaration
	reportFault func(at place, text string)
	faulty      map[place]bool // what is known to be wrong or missing, and told
	line        func(at place) int
}

func (c *checker) check() {
	if text := nameFault(c.Name, true); text != "" {
		c.addFault(place{key: "name"}, "the name of the experiment: "+text)
	}
	c.text(place{key: "about"}, "about", c.About, maxAbout)
	if c.Budget < 0 || c.Budget > maxBudget {
		c.addFault(place{key: "budget"}, fmt.Sprintf("budget is %d; it is a number of iterations from 1 to %d",
			c.Budget,
			maxBudget))
	}
	if known := []string{FailuresLearned, FailuresIgnored}; c.Failures != "" && !slices.Contains(known, c.Failures) {
		c.addFault(place{key: "failures"}, fmt.Sprintf("failures %q is not known; %s", c.Failures,
			suggestKeys(c.Failures, known, "there are")))
	}
	switch n := len(c.Variables); {
	case n == 0:
		c.addFault(place{table: variableTable, index: -1}, "there is no variable: each begins with [[variable]]")
	case n > MaxVariables:
		c.addFault(place{table: variableTable, index: MaxVariables},
			fmt.Sprintf("there are %d variables; at most %d are known to be of use", n, MaxVariables))
		return
	}
	switch n := len(c.Objectives); {
	case n == 0:
		c.addFault(place{table: objectiveTable, index: -1}, "there is no objective: each begins with [[objective]]")
	case n > MaxObjectives:
		c.addFault(place{table: objectiveTable, index: MaxObjectives},
			fmt.Sprintf("there are %d objectives; at most %d are optimized together", n, MaxObjectives))
		return
	}
	if n := len(c.Limits); n > MaxLimits {
		c.addFault(place{table: limitTable, index: MaxLimits},
			fmt.Sprintf("there are %d limits; at most %d are kept", n, MaxLimits))
		return
	}
	named := map[string]place{}
	for i := range c.Variables {
		c.name(named, place{variableTable, i, "name"}, c.Variables[i].Name)
		c.variable(i)
	}
	for i := range c.Objectives {
		c.name(named, place{objectiveTable, i, "name"}, c.Objectives[i].Name)
		c.direction(i)
		c.checkQuantity(place{objectiveTable, i, ""})
	}
	for i := range c.Limits {
		c.name(named, place{limitTable, i, "name"}, c.Limits[i].Name)
		c.checkQuantity(place{limitTable, i, ""})
	}
}

// addFault tells a fault of a place, unless one is told of it already.
func (c *checker) addFault(at place, text string) {
	if c.faulty[at] {
		return
	}
	if c.faulty == nil {
		c.faulty = map[place]bool{}
	}
	c.faulty[at] = true
	c.reportFault(at, text)
}

// name checks the name of a variable or an objective.
func (c *checker) name(named map[string]place, at place, name string) {
	if c.faulty[at] {
		return
	}
	if text := nameFault(name, false); text != "" {
		c.addFault(at, "the name of "+one(at.table)+": "+text)
		return
	}
	first, twice := named[name]
	if !twice {
		named[name] = at
		return
	}
	where := ""
	if c.line != nil {
		where = fmt.Sprintf(", in line %d", c.line(first))
	}
	c.addFault(at, fmt.Sprintf("%s is called %q already%s: every variable and objective has a name of its own",
		one(first.table), name, where))
}

func one(table string) string {
	switch table {
	case objectiveTable:
		return "an objective"
	case limitTable:
		return "a limit"
	}
	return "a variable"
}

// variable checks the rest of a variable.
func (c *checker) variable(i int) {
	v := c.Variables[i]
	at := func(key string) place { return place{variableTable, i, key} }
	c.text(at("unit"), "unit", v.Unit, maxUnit)
	c.scale(at("scale"), v.Scale)
	if !c.kind(i) {
		return
	}
	for _, bound := range []struct {
		key   string
		value float64
	}{{"low", v.Low}, {"high", v.High}} {
		switch {
		case !finite(bound.value):
			c.addFault(at(bound.key), fmt.Sprintf("%s is %g; it is a finite number", bound.key, bound.value))
		case v.Scale == functions.Log && bound.value <= 0 && bound.key == "low":
			c.addFault(at(bound.key), fmt.Sprintf("low is %s; on a logarithmic scale it is above 0",
				number(bound.value)))
		}
	}
	if c.faulty[at("low")] || c.faulty[at("high")] {
		return
	}
	switch {
	case v.Low == v.High:
		c.addFault(at("high"), fmt.Sprintf("low and high are both %s; low is less than high (what never changes is no "+
			"variable)", number(v.Low)))
	case v.Low > v.High:
		c.addFault(at("high"), fmt.Sprintf("low is %s and high is %s; low is less than high", number(v.Low),
			number(v.High)))
	case !finite(v.High-v.Low) || v.High-v.Low < 1e-300 ||
		math.Max(math.Abs(v.Low), math.Abs(v.High)) > 1e9*(v.High-v.Low):
		c.addFault(at("high"), fmt.Sprintf("from %s to %s is no range to be searched: take another unit, or an origin "+
			"that is nearer", number(v.Low), number(v.High)))
	default:
		c.checkInteger(i)
	}
}

// direction checks that of an objective.
func (c *checker) direction(i int) {
	o, at := c.Objectives[i], func(key string) place { return place{objectiveTable, i, key} }
	if o.Direction != functions.Minimize && o.Direction != functions.Maximize {
		known := []string{string(functions.Minimize), string(functions.Maximize)}
		c.addFault(at("direction"), fmt.Sprintf("direction %q is not known; %s", o.Direction,
			suggestKeys(string(o.Direction), known, "there are")))
	}
}

// checkQuantity checks the rest of an objective or a limit.
func (c *checker) checkQuantity(of place) {
	o := c.quantity(of)
	at := func(key string) place { return place{of.table, of.index, key} }
	c.text(at("unit"), "unit", o.Unit, maxUnit)
	if r := o.Range; r != nil {
		switch {
		case !finite(r[0]) || !finite(r[1]):
			c.addFault(at("range"), fmt.Sprintf("range is [%g, %g]; it is two finite numbers", r[0], r[1]))
		case r[0] > r[1]:
			c.addFault(at("range"), fmt.Sprintf("range is %s; the lower value stands first, whatever the direction: %s",
				rangeText(r), rangeText(&[2]float64{r[1], r[0]})))
		case r[0] == r[1] || !finite(r[1]-r[0]):
			c.addFault(at("range"), fmt.Sprintf(
				"range is %s; it is the least and the greatest value that is expected, "+
					"which differ", rangeText(r)))
		}
	}
	if !finite(o.Noise) || o.Noise < 0 {
		c.addFault(at("noise"), fmt.Sprintf("noise is %g; it is a standard deviation above 0", o.Noise))
	}
	c.bounds(of, o)
	if c.scale(at("scale"), o.Scale); o.Scale == functions.Log {
		c.factors(of, o)
	}
}

// scale checks how values count.
func (c *checker) scale(at place, s functions.Scale) {
	if s != functions.Linear && s != functions.Log {
		c.addFault(at, fmt.Sprintf("scale %q is not known; %s", s,
			suggestKeys(string(s), []string{linearName, logName}, "there are")))
	}
}

// factors checks an objective or a limit of which factors count.
func (c *checker) factors(of place, o *functions.Objective) {
	at := func(key string) place { return place{of.table, of.index, key} }
	switch r := o.Range; {
	case c.faulty[at("range")]:
		return
	case r == nil:
		c.addFault(at("range"), "where factors count a range is needed, whose lower value is above 0: range = [0.01, "+
			"100]; what is below that counts as it does")
		return
	case !(r[0] > 0):
		c.addFault(at("range"), fmt.Sprintf("range is %s; where factors count its lower value is above 0, and what is "+
			"below that counts as it does", rangeText(r)))
		return
	}
	for _, bound := range []struct {
		key   string
		value *float64
	}{{"at_most", o.AtMost}, {"at_least", o.AtLeast}} {
		if v := bound.value; v != nil && *v <= o.Range[0] {
			c.addFault(at(bound.key), fmt.Sprintf(
				"%s is %s; what is below %s, the lower value of the range, counts as "+
					"that: a limit is above it", bound.key, number(*v), number(o.Range[0])))
		}
	}
}

// bounds checks the limits of an objective or a limit.
func (c *checker) bounds(of place, o *functions.Objective) {
	at := func(key string) place { return place{of.table, of.index, key} }
	for _, bound := range []struct {
		key   string
		value *float64
	}{{"at_most", o.AtMost}, {"at_least", o.AtLeast}} {
		if bound.value != nil && !finite(*bound.value) {
			c.addFault(at(bound.key), fmt.Sprintf("%s is %g; it is a finite number", bound.key, *bound.value))
		}
	}
	switch {
	case c.faulty[at("at_most")] || c.faulty[at("at_least")]:
	case of.table == limitTable && !o.HasLimits():
		c.addFault(at("at_most"), "a limit has at_most, at_least or both: at_most = 80 (what is to be as great or as "+
			"small as possible is an [[objective]])")
	case o.AtMost != nil && o.AtLeast != nil && !(*o.AtLeast < *o.AtMost):
		c.addFault(at("at_most"), fmt.Sprintf("at_least is %s and at_most is %s; at_least is the lower one",
			number(*o.AtLeast), number(*o.AtMost)))
	}
}

// text checks a text that is only shown.
func (c *checker) text(at place, what, text string, most int) {
	if text := textFault(text, most); text != "" {
		c.addFault(at, what+" "+text)
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// textFault is what is wrong with a text that is only shown; empty if nothing is.
func textFault(text string, most int) string {
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("has %d characters; at most %d are shown", n, most)
	}
	for _, r := range text {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError {
			return fmt.Sprintf("has a control character (%U)", r)
		}
	}
	return ""
}

// reservedNames are words that mean something else in expressions, in corrections and in tables.
var reservedNames = []string{"abs", "and", "because", "by", "ceil", "contains", "cos", "cost", "else", "endsWith",
	"exp",
	"failed", "false", "floor", "if", "in", "let", "log", "matches", "max", "min",
	"nil", "not", "notes", "or", "pi", "seconds", "sin", "sqrt", "startsWith", "step", "tanh", "true"}

// nameFault is what is wrong with a name, which stands in expressions, on command lines and in the heads of tables, or,
// of an experiment, in names of files; empty if nothing is.
func nameFault(name string, experiment bool) string {
	rule := "a name begins with a letter and has letters, digits and _ only"
	if experiment {
		rule = "it begins with a letter and has letters, digits, _ and - only"
	}
	if name == "" {
		return "it is empty; " + rule
	}
	if len(name) > maxName {
		return fmt.Sprintf("it has %d bytes, and at most %d are read", len(name), maxName)
	}
	for i, r := range name {
		if !unicode.IsLetter(r) && (i == 0 || !(r >= '0' && r <= '9' || r == '_' || experiment && r == '-')) {
			return fmt.Sprintf("%+q has a %+q; %s", name, string(r), rule)
		}
	}
	if !experiment && slices.Contains(reservedNames, name) {
		return fmt.Sprintf("%q means something else in expressions and tables; take another word, such as %s_1", name,
			name)
	}
	return ""
}
