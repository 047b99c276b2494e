package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
)

// Bounds of a variable that takes levels.
const (
	maxWhole       = 1 << 53 // the greatest whole number, in size
	maxListed      = 1000    // numbers or choices that are listed
	maxChoice      = 300     // characters of a choice
	maxDescriptors = 100     // descriptors
	maxHeader      = 300     // characters of a name in another program
)

// realName is the kind of a variable that is any number, as a file has it.
const realName = "real"

// kindNames are those of a file.
func kindNames() []string {
	return []string{realName, string(functions.Integer), string(functions.Ordered), string(functions.Choice)}
}

func kindName(k functions.Kind) string {
	if k == functions.Real {
		return realName
	}
	return string(k)
}

// listedKind reports whether a kind lists its values, so that it has no other bounds.
func listedKind(k functions.Kind) bool { return k == functions.Ordered || k == functions.Choice }

// derived reports whether a required key follows from others: the bounds of a variable that lists its values.
func (r *reader) derived(pos Place) bool {
	return pos.Table == Variables && (pos.Key == "low" || pos.Key == "high") &&
		(r.file.Table != nil || listedKind(r.Variables[pos.Index].Kind))
}

// bounded sets the bounds of variables that list their values, and reports other bounds in the file.
func (r *reader) bounded() {
	if r.Table != nil {
		return
	}
	for i := range r.Variables {
		v := &r.Variables[i]
		if !listedKind(v.Kind) {
			continue
		}
		for _, key := range []string{"low", "high"} {
			if r.positions.Has(Place{Table: Variables, Index: i, Key: key}) {
				r.addFault(Place{Table: Variables, Index: i, Key: key}, "%s does not apply to kind = %q; remove it", key, v.Kind)
			}
		}
		v.Low, v.High = 0, float64(max(len(v.Choices)-1, 0))
		if v.Kind == functions.Ordered && len(v.Values) > 0 {
			v.Low, v.High = v.Values[0], v.Values[len(v.Values)-1]
		}
	}
}

// kind checks what a variable says of its kind; false if its bounds are not worth a look.
func (c *checker) kind(i int) bool {
	v := c.Variables[i]
	keyPlace := func(key string) Place { return Place{Table: Variables, Index: i, Key: key} }
	if !slices.Contains(kindNames(), kindName(v.Kind)) {
		c.addFault(keyPlace("kind"), "unknown value %q for kind; %s", v.Kind, suggestValues(string(v.Kind), kindNames()))
		return false
	}
	for _, list := range []struct {
		key   string
		given bool
		of    functions.Kind
	}{{"values", v.Values != nil, functions.Ordered}, {"choices", v.Choices != nil, functions.Choice},
		{"descriptors", v.Descriptors != nil, functions.Choice}, {"step", v.Step != 0, functions.Real}} {
		if list.given && v.Kind != list.of {
			c.addFault(keyPlace(list.key), "%s does not apply to kind = %q, only to kind = %q", list.key, kindName(v.Kind), kindName(list.of))
		}
	}
	switch v.Kind {
	case functions.Ordered:
		c.values(i)
	case functions.Choice:
		c.choices(i)
		c.checkDescriptors(i)
		return false
	}
	return !c.faulty[keyPlace("values")]
}

// values checks the numbers of an ordered variable.
func (c *checker) values(i int) {
	v, position := c.Variables[i], Place{Table: Variables, Index: i, Key: "values"}
	switch n := len(v.Values); {
	case c.faulty[position]:
		return
	case n < 2:
		c.addFault(position, `an ordered variable needs 2 or more values in ascending order: values = [0.1, 0.3, 1, 3]`)
		return
	case c.Table != nil && n > MaxTableRows || c.Table == nil && n > maxListed:
		c.addFault(position, "values has %d numbers; the maximum is %d", n, maxListed)
		return
	}
	for n, x := range v.Values {
		switch {
		case !finite(x):
			c.addFault(position, "values must be finite numbers, got %g", x)
		case v.Scale == functions.Log && x <= 0:
			c.addFault(position, "values must be above 0 on a logarithmic scale, got %s", number(x))
		case n > 0 && !(x > v.Values[n-1]):
			c.addFault(position, "values must be in ascending order without repeats, got %s after %s", number(x), number(v.Values[n-1]))
		}
	}
	if !c.faulty[position] && (v.Low != v.Values[0] || v.High != v.Values[len(v.Values)-1]) {
		c.addFault(position, "the bounds of an ordered variable must be its first and its last value")
	}
}

// choices checks the names of a choice.
func (c *checker) choices(i int) {
	v, position := c.Variables[i], Place{Table: Variables, Index: i, Key: "choices"}
	if v.Scale != functions.Linear {
		c.addFault(Place{Table: Variables, Index: i, Key: "scale"}, `scale does not apply to kind = "choice", because choices have no order`)
	}
	switch n := len(v.Choices); {
	case c.faulty[position]:
		return
	case n < 2:
		c.addFault(position, `a choice needs 2 or more names: choices = ["water", "ethanol"]`)
		return
	case n > maxListed:
		c.addFault(position, "choices has %d names; the maximum is %d", n, maxListed)
		return
	}
	seen := map[string]bool{}
	for _, name := range v.Choices {
		switch text := choiceFault(name); {
		case text != "":
			c.addFault(position, "%s", text)
		case seen[name]:
			c.addFault(position, "choices contains %q twice", name)
		}
		seen[name] = true
	}
	if !c.faulty[position] && (v.Low != 0 || v.High != float64(len(v.Choices)-1)) {
		c.addFault(position, "the bounds of a choice must be 0 and the number of its choices minus 1")
	}
}

// choiceFault describes the fault of the name of a choice; empty if there is none.
func choiceFault(name string) string {
	switch text := textFault(name, maxChoice); {
	case strings.TrimSpace(name) != name || name == "":
		return fmt.Sprintf("choices contains %+q; a name must not be empty, and must not begin or end with a space", name)
	case text != "":
		return fmt.Sprintf("the choice %+q %s", name, text)
	}
	return ""
}

// ValidChoice is the name of a choice that an experiment may have for a text of another program: the text itself,
// unless it is empty, too long, or has characters that cannot be shown.
func ValidChoice(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if textFault(string(r), 1) != "" {
			return '_'
		}
		return r
	}, text))
	if runes := []rune(text); len(runes) > maxChoice {
		text = strings.TrimSpace(string(runes[:maxChoice]))
	}
	return cmp.Or(text, "empty")
}

// checkDescriptors checks the descriptors of a choice.
func (c *checker) checkDescriptors(i int) {
	v, position := c.Variables[i], Place{Table: Variables, Index: i, Key: "descriptors"}
	if c.faulty[position] || v.Descriptors == nil || c.faulty[Place{Table: Variables, Index: i, Key: "choices"}] {
		return
	}
	if n := len(v.Descriptors); n == 0 || n > maxDescriptors {
		c.addFault(position, "descriptors must have 1 to %d properties, got %d: descriptors = { boiling = [100, 78] }", maxDescriptors, n)
		return
	}
	seen := map[string]bool{}
	for _, d := range v.Descriptors {
		switch text := nameFault(d.Name, false); {
		case text != "":
			c.addFault(position, "%s", "the descriptor name "+text)
		case seen[d.Name]:
			c.addFault(position, "descriptors contains %q twice", d.Name)
		case len(d.Values) != len(v.Choices):
			c.addFault(position, "%s has %s for %s; give one number per choice, in the same order", d.Name, numfmt.Count(len(d.Values), "number"), numfmt.Count(len(v.Choices), "choice"))
		case slices.ContainsFunc(d.Values, func(x float64) bool { return !finite(x) }):
			c.addFault(position, "%s contains a number that is not finite", d.Name)
		case slices.Max(d.Values) == slices.Min(d.Values) || math.IsInf(slices.Max(d.Values)-slices.Min(d.Values), 0):
			c.addFault(position, "%s is %s for every choice; a property must differ between choices", d.Name, number(d.Values[0]))
		}
		seen[d.Name] = true
	}
	if c.faulty[position] {
		return
	}
	for a := range v.Choices {
		for b := range a {
			if !slices.ContainsFunc(v.Descriptors, func(d functions.Descriptor) bool {
				return d.Values[a] != d.Values[b]
			}) {
				c.addFault(position, "%s and %s have the same descriptors; add a property that differs between them", v.Choices[b], v.Choices[a])
				return
			}
		}
	}
}

// checkInteger checks the bounds of whole numbers, which are right as bounds.
func (c *checker) checkInteger(i int) {
	v := c.Variables[i]
	if v.Kind != functions.Integer {
		return
	}
	for _, bound := range []struct {
		key   string
		value float64
	}{{"low", v.Low}, {"high", v.High}} {
		if bound.value != math.Trunc(bound.value) {
			c.addFault(Place{Table: Variables, Index: i, Key: bound.key}, "%s of an integer must be a whole number, got %s", bound.key, number(bound.value))
			return
		}
		if math.Abs(bound.value) > maxWhole {
			c.addFault(Place{Table: Variables, Index: i, Key: bound.key}, "%s of an integer must be at most 2^53 in size, got %s; use a real variable", bound.key, number(bound.value))
			return
		}
	}
}
