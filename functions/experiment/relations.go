package experiment

import (
	"fmt"
	"slices"

	"bandscope/functions"
)

// constraintsKey is the key of the constraints.
const constraintsKey = "constraints"

// Bounds of the constraints.
const (
	maxConstraints = 100
	maxConstraint  = 1000 // characters
)

// checkConstraints checks the constraints of a declaration that is right otherwise; tried says that they are tried all
// over the domain.
func (r *reader) checkConstraints(tried bool) {
	position := Place{Key: constraintsKey}
	wrong := func(i int, text string) { r.addFault(Place{Table: constraintsKey, Index: i}, "%s", text) }
	if n := len(r.Constraints); n > maxConstraints {
		r.addFault(position, "there are %d constraints; the maximum is %d", n, maxConstraints)
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
