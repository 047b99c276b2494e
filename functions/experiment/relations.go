package experiment

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
)

// constraintsKey is the key of the constraints.
const constraintsKey = "constraints"

// Bounds of the constraints.
const (
	maxConstraints = 100
	maxConstraint  = 1000 // characters
)

// relations reads the constraints, with the line of each.
func (r *reader) relations(pos place, k key, v value) {
	r.Constraints = r.texts(pos, k, v)
	for i, text := range r.Constraints {
		r.Constraints[i] = strings.TrimSpace(text)
		r.items = append(r.items, v.list[i].line)
	}
	if v.kind == kindList && len(v.list) == 0 {
		r.addFault(pos, fmt.Sprintf("%s is empty; leave it out or add a constraint: %s = %s", k.name, k.name,
			k.example))
	}
}

// checkConstraints checks the constraints of a declaration that is right otherwise; tried says that they are tried all
// over the domain.
func (r *reader) checkConstraints(tried bool) {
	position := place{key: constraintsKey}
	wrong := func(i int, text string) { r.faults.List = append(r.faults.List, Fault{r.items[i], text, &position}) }
	if n := len(r.Constraints); n > maxConstraints {
		r.addFault(position, fmt.Sprintf("there are %d constraints; the maximum is %d", n, maxConstraints))
		return
	}
	for i, text := range r.Constraints {
		if bad := textFault(text, maxConstraint); bad != "" {
			wrong(i, "a constraint "+bad)
			continue
		}
		c, err := functions.ParseConstraint(text, r.Variables)
		switch {
		case err != nil:
			wrong(i, err.Error())
		case slices.Contains(r.Constraints[:i], text):
			wrong(i, fmt.Sprintf("the constraint %q is given twice", text))
		case tried:
			if err := c.Check(r.Variables); err != nil {
				wrong(i, err.Error())
			}
		}
	}
}
