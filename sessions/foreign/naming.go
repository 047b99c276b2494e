package foreign

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"bandscope/functions"
	"bandscope/functions/experiment"
)

// names makes names that an experiment may have, and that differ.
type names struct {
	taken   map[string]bool
	changed [][2]string // names that changed: the one of the other program and ours
}

// of is the name for a text of another program.
func (n *names) of(text string) string {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	base := experiment.ValidName(text)
	name := base
	for i := 2; n.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	n.taken[name] = true
	if name != text {
		n.changed = append(n.changed, [2]string{text, name})
	}
	return name
}

// header is the name of the other program for one of ours; empty if it is the same.
func (n *names) header(name string) string {
	for _, pair := range n.changed {
		if pair[1] == name && pair[0] == experiment.ValidChoice(pair[0]) {
			return pair[0]
		}
	}
	return ""
}

// notices say which names are others here.
func (n *names) notices() (list []string) {
	for _, pair := range n.changed {
		list = append(list, fmt.Sprintf("%.60q is named %s here, since a name has letters, digits and _ only", pair[0], pair[1]))
	}
	return list
}

// experimentName is the name of the experiment for a text of another program.
func experimentName(text string) string {
	name := experiment.ValidName(text)
	if slices.Contains(functions.FamilyNames(), name) {
		name = "my_" + name
	}
	return name
}

// levels is a variable over listed values of another program, and the index of each value in it: an ordered one if all
// are numbers, else a choice; one level only is no variable, and false.
func levels(name string, values []any) (v functions.Variable, order []float64, ok bool) {
	v = functions.Variable{Name: name, Kind: functions.Ordered}
	for _, value := range values {
		x, isNumber := value.(float64)
		if !isNumber || math.IsInf(x, 0) || math.IsNaN(x) {
			v.Kind = functions.Choice
		}
		v.Values, order = append(v.Values, x), append(order, x)
	}
	if v.Kind == functions.Ordered {
		slices.Sort(v.Values)
		v.Values = slices.Compact(v.Values)
		if len(v.Values) < 2 {
			return v, order, false
		}
		v.Low, v.High = v.Values[0], v.Values[len(v.Values)-1]
		return v, order, true
	}
	v.Values = nil
	for i, value := range values {
		text := choiceText(value)
		for slices.Contains(v.Choices, text) {
			text += "_"
		}
		v.Choices, order[i] = append(v.Choices, text), float64(i)
	}
	v.High = float64(len(v.Choices) - 1)
	return v, order, len(v.Choices) > 1
}

// choiceText is the name of a choice.
func choiceText(value any) string {
	text, isText := value.(string)
	if !isText {
		out, err := json.Marshal(value)
		if err != nil {
			out = []byte("value")
		}
		text = string(out)
	}
	return experiment.ValidChoice(text)
}

// grid are the numbers from low on in steps up to high.
func grid(low, high, step float64) (values []any, ok bool) {
	n := math.Floor((high-low)/step+1e-9) + 1
	if !(n >= 2 && n <= 1000) {
		return nil, false
	}
	for i := range int(n) {
		// as the decimal number that a person would write
		x, err := strconv.ParseFloat(strconv.FormatFloat(low+float64(i)*step, 'g', 12, 64), 64)
		if err != nil {
			return nil, false
		}
		values = append(values, x)
	}
	return values, true
}

// nearestLevel moves a value to the level of the variable that is the nearest, if it is one but for rounding.
func nearestLevel(v functions.Variable, x float64) float64 {
	if near := v.Snap(x); v.Kind == functions.Ordered && math.Abs(near-x) <= 1e-9*math.Max(1, math.Abs(x)) {
		return near
	}
	return x
}
