package experiment

import (
	"testing"

	"github.com/expr-lang/expr/builtin"
	"github.com/stretchr/testify/assert"

	"bandscope/functions"
)

// Whatever name is allowed can stand in an expression.
func TestNamesStandInExpressions(t *testing.T) {
	words := append([]string{"x", "Dose", "x_1", "größe", "λ", "温度", "a1b", "if", "let", "in", "and", "not", "nil",
		"true", "matches", "var", "env", "e", "E", "pi", "inf", "NaN", "get", "throw"}, builtin.Names...)
	allowed := 0
	for _, name := range words {
		if nameFault(name, false) != "" {
			continue
		}
		allowed++
		p := &functions.Problem{Domain: functions.Domain{{Name: name, Low: 1, High: 3}}}
		c, err := functions.ParseCost("2*"+name+" + "+name+"*("+name+" + 1)", p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if v := c.Func([]float64{2}); v != 10 {
			t.Errorf("with %s = 2 the expression is %g", name, v)
		}
	}
	if allowed < len(words)/2 {
		t.Errorf("%d of %d words are allowed", allowed, len(words))
	}
	for _, name := range reservedNames {
		assert.NotEqual(t, "", nameFault(name, false), "%s is allowed", name)
	}
}
