package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// worth is an experiment whose objective has these lines.
const worth = `name = "reactor"
[[variable]]
name = "dose"
low  = 0
high = 1
[[objective]]
name      = "yield"
unit      = "%%"
direction = "maximize"
%s
`

// The smallest worthwhile improvement is a positive number in the unit of the objective, without the unit, on a
// logarithmic scale a factor above 1; whatever else is written, the error says so.
func TestWorthwhile(t *testing.T) {
	for line, want := range map[string]float64{
		"": 0, "worthwhile = 2": 2, "worthwhile = 0.5": 0.5, "worthwhile = 1e6": 1e6, "worthwhile = 1e-9": 1e-9,
		"range = [1, 90]\nscale = \"log\"\nworthwhile = 1.1": 1.1,
	} {
		d, err := Parse("", fmt.Appendf(nil, worth, line))
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		assert.Equal(t, want, d.Objectives[0].Worthwhile, "%q is read as", line)
		text, err := json.Marshal(d)
		var again Declaration
		if err := errors.Join(err, json.Unmarshal(text, &again)); err != nil || again.Objectives[0].Worthwhile != want {
			t.Errorf("%q is stored as %s (%v)", line, text, err)
		}
	}
	for line, want := range map[string]string{
		"worthwhile = 0":        "worthwhile must be above 0, got 0",
		"worthwhile = -2":       "worthwhile must be an amount above 0, got -2",
		"worthwhile = inf":      "worthwhile",
		"worthwhile = nan":      "worthwhile",
		"worthwhile = 1e400":    "worthwhile",
		"worthwhile = \"2 %\"":  "worthwhile",
		"worthwhile = \"much\"": "worthwhile",
		"worthwhile = true":     "worthwhile",
		"range = [1, 90]\nscale = \"log\"\nworthwhile = 1":    "a factor above 1 on a logarithmic scale",
		"range = [1, 90]\nscale = \"log\"\nworthwhile = 0.5":  "a factor above 1 on a logarithmic scale",
		"range = [1, 90]\nscale = \"log\"\nworthwhile = -1.1": "worthwhile must be an amount above 0",
	} {
		if _, err := Parse("", fmt.Appendf(nil, worth, line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", line, err, want)
		}
	}
}
