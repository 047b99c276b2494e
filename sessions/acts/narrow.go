package acts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// free restores the whole domain of a variable.
const free = "free"

// Bounds are new bounds of a variable, as a person writes them: 15..18, with a step as in 15..18,0.5, one value to pin
// it, or free.
type Bounds struct {
	Ends []string // two, or the value to which it is pinned; nil to restore the domain
	Step string   // the distance between suggested values; empty: as before, 0 for none

	whole string // as written: it may be the name of a choice
}

// ParseBounds reads bounds as they are typed.
func ParseBounds(text string) Bounds {
	low, rest, isInterval := strings.Cut(text, "..")
	switch {
	case text == free:
		return Bounds{whole: text}
	case !isInterval:
		return Bounds{whole: text, Ends: []string{text}}
	}
	high, step, _ := strings.Cut(rest, ",")
	return Bounds{whole: text, Ends: []string{low, high}, Step: step}
}

// UnmarshalJSON reads [low, high], [low, high, step], a value, or a text.
func (b *Bounds) UnmarshalJSON(text []byte) error {
	var numbers []float64
	if json.Unmarshal(text, &numbers) == nil && numbers != nil {
		if len(numbers) != 2 && len(numbers) != 3 {
			return fmt.Errorf("bounds are [low, high], or [low, high, step]; got %s", text)
		}
		*b = Bounds{Ends: []string{numfmt.Exact(numbers[0]), numfmt.Exact(numbers[1])}}
		if len(numbers) == 3 {
			b.Step = numfmt.Exact(numbers[2])
		}
		return nil
	}
	var v encoding.Value
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("bounds are [low, high], a value, or %q; got %s", free, text)
	}
	*b = ParseBounds(v.String())
	return nil
}

// MarshalJSON writes the bounds as text.
func (b Bounds) MarshalJSON() ([]byte, error) {
	if b.whole != "" {
		return json.Marshal(b.whole)
	}
	text := strings.Join(b.Ends, "..")
	if b.Step != "" {
		text += "," + b.Step
	}
	if b.Ends == nil {
		text = free
	}
	return json.Marshal(text)
}

// narrow changes the bounds of variables in one act, and returns a sentence about the change.
func narrow(ctx context.Context, s *sessions.Session, reason string, all map[string]Bounds) (string, error) {
	var list []sessions.Bounds
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v, err := s.State().Variable(name)
		if err != nil {
			return "", err
		}
		b := sessions.Bounds{Variable: v.Name, Low: v.Low, High: v.High}
		if all[name].Ends == nil {
			texts = append(texts, b.Variable+" has its whole domain again")
		} else {
			b, err = all[name].parse(v)
			if err != nil {
				return "", err
			}
			texts = append(texts, describeBounds(v, b))
		}
		list = append(list, b)
	}
	return strings.Join(texts, "; "), s.Narrow(ctx, reason, list...)
}

// parse reads the bounds of a variable with its step, or the one value to which it is pinned.
func (b Bounds) parse(v functions.Variable) (bounds sessions.Bounds, err error) {
	bounds = sessions.Bounds{Variable: v.Name}
	if slices.Contains(v.Choices, b.whole) { // a name with .. or a comma
		b.Ends, b.Step = []string{b.whole}, ""
	}
	bounds.Low, err = v.Parse(b.Ends[0])
	if err != nil {
		return bounds, err
	}
	bounds.High, err = v.Parse(b.Ends[len(b.Ends)-1])
	if err != nil || b.Step == "" {
		return bounds, err
	}
	step, err := functions.Variable{Name: "the step of " + v.Name}.Parse(b.Step)
	bounds.Step = &step
	return bounds, err
}

// describeBounds describes new bounds of a variable.
func describeBounds(v functions.Variable, b sessions.Bounds) string {
	v.Low, v.High = b.Low, b.High
	if b.Low == b.High {
		return fmt.Sprintf("%s is pinned %s from now on", v.Name, encoding.FormatBounds(v))
	}
	steps := ""
	if b.Step != nil {
		steps = " without steps"
		if *b.Step > 0 {
			steps = " in steps of " + numfmt.Exact(*b.Step)
		}
	}
	return fmt.Sprintf("%s stays %s%s from now on", v.Name, encoding.FormatBounds(v), steps)
}

// VariableDomain is where a variable may lie.
type VariableDomain struct {
	Low     encoding.Value `json:"low"`
	High    encoding.Value `json:"high" jsonschema:"equal to low if the variable is pinned"`
	Whole   bool           `json:"whole" jsonschema:"these are the bounds of its declaration"`
	Step    float64        `json:"step,omitempty" jsonschema:"the distance between suggested values"`
	Unit    string         `json:"unit,omitempty"`
	Choices []string       `json:"choices,omitempty"`
}

// domainOf is where the variables may lie.
func domainOf(st sessions.State) map[string]VariableDomain {
	all := map[string]VariableDomain{}
	for j, v := range st.Problem.Domain {
		now := v
		if st.Bounds != nil {
			now = st.Bounds[j]
		}
		all[v.Name] = VariableDomain{Low: encoding.Encode(v, now.Low), High: encoding.Encode(v, now.High),
			Whole: now.Low == v.Low && now.High == v.High, Step: v.Step, Unit: v.Unit, Choices: v.Choices}
	}
	return all
}

// domainLines describe where the variables may lie.
func domainLines(st sessions.State) (lines []string) {
	for j, v := range st.Problem.Domain {
		now := v
		if st.Bounds != nil {
			now = st.Bounds[j]
		}
		line := v.Name + " " + encoding.FormatRange(now)
		if v.Unit != "" {
			line += " " + v.Unit
		}
		if now.Low != v.Low || now.High != v.High {
			line += "  (its domain: " + encoding.FormatRange(v) + ")"
		}
		lines = append(lines, line)
	}
	return lines
}
