package asktell

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/sessions"
)

// limit changes the limits of a measured quantity.
func (o Objective) limit(s *sessions.Session) (string, error) {
	measured := s.State().Problem.Outputs()
	k := slices.IndexFunc(measured, func(ob functions.Objective) bool { return ob.Name == o.Name })
	ob := functions.Objective{Name: o.Name, Unit: o.Unit}
	switch {
	case o.Name == "":
		return "", errors.New("which quantity? limit needs a name")
	case o.AtMost == "" && o.AtLeast == "":
		return "", errors.New("which limit? Give at most, at least, or both; none removes one")
	case o.Direction != "" || o.expects():
		return "", errors.New("limit takes no direction, range, scale, noise or worthwhile improvement")
	case k >= 0 && o.Unit != "":
		return "", fmt.Errorf("the unit of %s cannot change: add a new quantity instead", o.Name)
	case k >= 0:
		ob = measured[k]
	}
	for _, side := range []struct {
		text string
		of   **float64
	}{{o.AtMost, &ob.AtMost}, {o.AtLeast, &ob.AtLeast}} {
		switch side.text {
		case "":
		case None:
			*side.of = nil
		default:
			v, err := strconv.ParseFloat(strings.TrimSpace(side.text), 64)
			if err != nil || !functions.Finite([]float64{v}) {
				return "", fmt.Errorf("a limit is a number, or %s; got %q", None, side.text)
			}
			*side.of = &v
		}
	}
	if err := s.Limit(ob, o.Method); err != nil {
		return "", err
	}
	switch {
	case k < 0:
		return fmt.Sprintf("%s %s is a limit from now on", o.Name, ob.LimitText()) + incompleteText(s.State(), o.Name), nil
	case !ob.HasLimits():
		return o.Name + " has no limit from now on", nil
	}
	return fmt.Sprintf("%s %s from now on", o.Name, ob.LimitText()), nil
}
