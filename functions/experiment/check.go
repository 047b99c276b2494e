package experiment

import (
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"bandscope/functions"
	"bandscope/functions/timefmt"
	"bandscope/functions/tomlfile"
)

// Check returns all faults of the declaration, as tomlfile.Faults; it does not check the cost.
func (d *Declaration) Check() error {
	c := checker{Declaration: d, faults: &tomlfile.Faults{}, faulty: map[Place]bool{}}
	c.check()
	return c.faults.ErrorOrNil()
}

// quantity is what a place is of, an objective or a limit.
func (d *Declaration) quantity(pos Place) *functions.Objective {
	if pos.Table == Limits {
		return &d.Limits[pos.Index]
	}
	return &d.Objectives[pos.Index]
}

// checker checks a declaration.
type checker struct {
	*Declaration
	faults    *tomlfile.Faults
	faulty    map[Place]bool     // places that are wrong or missing, and reported
	positions tomlfile.Positions // of a declaration that was read from a file
}

const wholeBudget = "budget must be a whole number of iterations from 1 to %d, got %d"

func (c *checker) check() {
	if text := nameFault(c.Name, true); text != "" {
		c.addFault(Place{Key: "name"}, "%s", "the experiment name "+text)
	}
	c.text(Place{Key: "about"}, "about", c.About, maxAbout)
	if c.Budget < 0 || c.Budget > maxBudget {
		c.addFault(Place{Key: "budget"}, wholeBudget, maxBudget, c.Budget)
	}
	if known := []string{FailuresLearned, FailuresIgnored}; c.Failures != "" && !slices.Contains(known, c.Failures) {
		c.addFault(Place{Key: "failures"}, "unknown value %q for failures; %s", c.Failures, suggestValues(c.Failures, known))
	}
	if c.Duration != "" {
		if _, err := timefmt.Parse(c.Duration); err != nil {
			c.addFault(Place{Key: "duration"}, "%s", "duration: "+err.Error())
		}
	}
	switch n := len(c.Variables); {
	case n == 0:
		c.addFault(Place{Table: Variables, Index: -1}, "there are no variables; begin each variable with [[variable]]")
	case n > MaxVariables:
		c.addFault(Place{Table: Variables, Index: MaxVariables}, "there are %d variables; the maximum is %d", n, MaxVariables)
		return
	}
	switch n := len(c.Objectives); {
	case n == 0:
		c.addFault(Place{Table: Objectives, Index: -1}, "there are no objectives; begin each objective with [[objective]]")
	case n > MaxObjectives:
		c.addFault(Place{Table: Objectives, Index: MaxObjectives}, "there are %d objectives; the maximum is %d", n, MaxObjectives)
		return
	}
	if n := len(c.Limits); n > MaxLimits {
		c.addFault(Place{Table: Limits, Index: MaxLimits}, "there are %d limits; the maximum is %d", n, MaxLimits)
		return
	}
	named := map[string]Place{}
	for i := range c.Variables {
		c.name(named, Place{Table: Variables, Index: i, Key: "name"}, c.Variables[i].Name)
		c.variable(i)
	}
	for i := range c.Objectives {
		c.name(named, Place{Table: Objectives, Index: i, Key: "name"}, c.Objectives[i].Name)
		c.direction(i)
		c.checkQuantity(Place{Table: Objectives, Index: i})
	}
	for i := range c.Limits {
		c.name(named, Place{Table: Limits, Index: i, Key: "name"}, c.Limits[i].Name)
		c.checkQuantity(Place{Table: Limits, Index: i})
	}
	c.mixtures()
	if len(c.faulty) == 0 {
		c.table()
	}
}

// addFault reports a fault of a place, unless the place has a fault already.
func (c *checker) addFault(pos Place, format string, args ...any) {
	if c.faulty[pos] {
		return
	}
	c.faulty[pos] = true
	c.faults.Add(c.positions, pos, fmt.Sprintf(format, args...))
}

// name checks the name of a variable or an objective.
func (c *checker) name(named map[string]Place, pos Place, name string) {
	if c.faulty[pos] {
		return
	}
	if text := nameFault(name, false); text != "" {
		c.addFault(pos, "%s", "the "+pos.Table+" name "+text)
		return
	}
	first, twice := named[name]
	if !twice {
		named[name] = pos
		return
	}
	where := ""
	if c.faults.File != "" {
		where = fmt.Sprintf(" in line %d", c.positions.Line(first))
	}
	c.addFault(pos, "%s%s already has the name %q; choose another name", one(first.Table), where, name)
}

func one(table string) string {
	switch table {
	case Objectives:
		return "an objective"
	case Limits:
		return "a limit"
	case tableTable:
		return "a table"
	case Mixtures:
		return "a mixture"
	}
	return "a variable"
}

// variable checks the rest of a variable.
func (c *checker) variable(i int) {
	v := c.Variables[i]
	keyPlace := func(key string) Place { return Place{Table: Variables, Index: i, Key: key} }
	c.text(keyPlace("unit"), "unit", v.Unit, maxUnit)
	c.text(keyPlace("header"), "header", v.Header, maxHeader)
	c.scale(keyPlace("scale"), v.Scale)
	if !c.kind(i) {
		return
	}
	for _, bound := range []struct {
		key   string
		value float64
	}{{"low", v.Low}, {"high", v.High}} {
		switch {
		case !finite(bound.value):
			c.addFault(keyPlace(bound.key), "%s must be a finite number, got %g", bound.key, bound.value)
		case v.Scale == functions.Log && bound.value <= 0 && bound.key == "low":
			c.addFault(keyPlace(bound.key), "low must be above 0 on a logarithmic scale, got %s", number(bound.value))
		}
	}
	if c.faulty[keyPlace("low")] || c.faulty[keyPlace("high")] {
		return
	}
	switch {
	case v.Low == v.High:
		c.addFault(keyPlace("high"), "low and high are both %s; low must be less than high (leave out a variable that never changes)", number(v.Low))
	case v.Low > v.High:
		c.addFault(keyPlace("high"), "low must be less than high, got low = %s and high = %s", number(v.Low), number(v.High))
	case !finite(v.High-v.Low) || v.High-v.Low < 1e-300 ||
		math.Max(math.Abs(v.Low), math.Abs(v.High)) > 1e9*(v.High-v.Low):
		c.addFault(keyPlace("high"), "the interval from %s to %s cannot be searched numerically; use another unit or a closer origin", number(v.Low), number(v.High))
	default:
		c.checkInteger(i)
		c.checkStep(i)
	}
}

// direction checks that of an objective.
func (c *checker) direction(i int) {
	o, keyPlace := c.Objectives[i], func(key string) Place { return Place{Table: Objectives, Index: i, Key: key} }
	if o.Direction != functions.Minimize && o.Direction != functions.Maximize {
		known := []string{string(functions.Minimize), string(functions.Maximize)}
		c.addFault(keyPlace("direction"), "unknown value %q for direction; %s", o.Direction, suggestValues(string(o.Direction), known))
	}
}

// checkQuantity checks the rest of an objective or a limit.
func (c *checker) checkQuantity(owner Place) {
	o := c.quantity(owner)
	keyPlace := func(key string) Place { return Place{Table: owner.Table, Index: owner.Index, Key: key} }
	c.text(keyPlace("unit"), "unit", o.Unit, maxUnit)
	c.text(keyPlace("header"), "header", o.Header, maxHeader)
	if r := o.Range; r != nil {
		switch {
		case !finite(r[0]) || !finite(r[1]):
			c.addFault(keyPlace("range"), "range must be two finite numbers, got [%g, %g]", r[0], r[1])
		case r[0] > r[1]:
			c.addFault(keyPlace("range"), "range is %s; give the lower value first, whatever the direction: %s", rangeText(r), rangeText(&[2]float64{r[1], r[0]}))
		case r[0] == r[1] || !finite(r[1]-r[0]):
			c.addFault(keyPlace("range"), "range must be the least and the greatest value that you expect, got %s", rangeText(r))
		}
	}
	if !finite(o.Noise) || o.Noise < 0 {
		c.addFault(keyPlace("noise"), "noise must be a standard deviation above 0, got %g", o.Noise)
	}
	c.worthwhile(keyPlace("worthwhile"), o)
	c.bounds(owner, o)
	c.scale(keyPlace("scale"), o.Scale)
	if o.Scale == functions.Log {
		c.factors(owner, o)
	}
}

// worthwhile checks the smallest improvement that counts.
func (c *checker) worthwhile(pos Place, o *functions.Objective) {
	switch v := o.Worthwhile; {
	case v == 0:
	case !finite(v) || v < 0:
		c.addFault(pos, "worthwhile must be an amount above 0, got %g", v)
	case o.Scale == functions.Log && v <= 1:
		c.addFault(pos, "worthwhile must be a factor above 1 on a logarithmic scale, such as 1.1, got %g", v)
	}
}

// scale checks how values count.
func (c *checker) scale(pos Place, s functions.Scale) {
	if s != functions.Linear && s != functions.Log {
		c.addFault(pos, "unknown value %q for scale; %s", s, suggestValues(string(s), []string{linearName, logName}))
	}
}

// factors checks an objective or a limit of which factors count.
func (c *checker) factors(owner Place, o *functions.Objective) {
	keyPlace := func(key string) Place { return Place{Table: owner.Table, Index: owner.Index, Key: key} }
	switch r := o.Range; {
	case c.faulty[keyPlace("range")]:
		return
	case r == nil:
		c.addFault(keyPlace("range"), "a logarithmic scale needs a range with a lower value above 0: range = [0.01, 100]; results below that value are clipped to it")
		return
	case !(r[0] > 0):
		c.addFault(keyPlace("range"), "the lower value of range must be above 0 on a logarithmic scale, got %s; results below it are clipped to it", rangeText(r))
		return
	}
	for _, bound := range []struct {
		key   string
		value *float64
	}{{"at_most", o.AtMost}, {"at_least", o.AtLeast}} {
		if v := bound.value; v != nil && *v <= o.Range[0] {
			c.addFault(keyPlace(bound.key), "%s must be above %s, the lower value of range, on a logarithmic scale, got %s", bound.key, number(o.Range[0]), number(*v))
		}
	}
}

// bounds checks the limits of an objective or a limit.
func (c *checker) bounds(owner Place, o *functions.Objective) {
	keyPlace := func(key string) Place { return Place{Table: owner.Table, Index: owner.Index, Key: key} }
	for _, bound := range []struct {
		key   string
		value *float64
	}{{"at_most", o.AtMost}, {"at_least", o.AtLeast}} {
		if bound.value != nil && !finite(*bound.value) {
			c.addFault(keyPlace(bound.key), "%s must be a finite number, got %g", bound.key, *bound.value)
		}
	}
	switch {
	case c.faulty[keyPlace("at_most")] || c.faulty[keyPlace("at_least")]:
	case owner.Table == Limits && !o.HasLimits():
		c.addFault(keyPlace("at_most"), "a limit needs at_most, at_least or both: at_most = 80 (to maximize or minimize a quantity, declare an [[objective]])")
	case o.AtMost != nil && o.AtLeast != nil && !(*o.AtLeast < *o.AtMost):
		c.addFault(keyPlace("at_most"), "at_least must be less than at_most, got at_least = %s and at_most = %s", number(*o.AtLeast), number(*o.AtMost))
	}
}

// text checks a text that is only shown.
func (c *checker) text(pos Place, subject, text string, most int) {
	if text := textFault(text, most); text != "" {
		c.addFault(pos, "%s", subject+" "+text)
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// textFault describes the fault of a text that is only shown; empty if there is none.
func textFault(text string, most int) string {
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("has %d characters; the maximum is %d", n, most)
	}
	for _, r := range text {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError {
			return fmt.Sprintf("contains the control character %U; remove it", r)
		}
	}
	return ""
}

// reservedNames are words that mean something else in expressions, in corrections and in tables.
var reservedNames = []string{"abs", "and", "because", "by", "ceil", "contains", "cos", "else", "endsWith",
	"evaluation_cost", "exp", "failed", "false", "floor", "if", "in", "let", "log", "matches", "max", "min",
	"nil", "not", "notes", "or", "pi", "seconds", "sin", "sqrt", "startsWith", "step", "tanh", "true"}

// nameFault describes the fault of a name, which is used in expressions, on command lines and in heads of tables, or,
// for an experiment, in names of files; empty if there is none.
func nameFault(name string, experiment bool) string {
	rule := "start with a letter and use only letters, digits and _"
	if experiment {
		rule = "start with a letter and use only letters, digits, _ and -"
	}
	if name == "" {
		return "is empty; " + rule
	}
	if len(name) > maxName {
		return fmt.Sprintf("has %d bytes; the maximum is %d", len(name), maxName)
	}
	for i, r := range name {
		if !unicode.IsLetter(r) && (i == 0 || !(r >= '0' && r <= '9' || r == '_' || experiment && r == '-')) {
			verb := "contains"
			if i == 0 {
				verb = "begins with"
			}
			return fmt.Sprintf("%+q %s %+q; %s", name, verb, string(r), rule)
		}
	}
	if !experiment && slices.Contains(reservedNames, name) {
		return fmt.Sprintf("%q has another meaning in expressions and tables; choose another name, such as %s_1",
			name, name)
	}
	return ""
}
