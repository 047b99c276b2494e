// Package expression reads what people write down of variables by their names: a number that depends on them, such as a
// cost, or a relation that holds between them, such as a constraint. A text goes in and what evaluates it comes out, or
// an error that says at which character it is wrong; what an expression may hold is listed here, and it neither calls
// anything else nor repeats anything. Of a relation it is found whether it is linear. What variables are, between which
// bounds, and what a cost or a constraint means is the business of those who have the text.
package expression

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"bandscope/functions/didyoumean"
)

// Variable is a name that an expression may contain. The value of a choice is the index of its name, from 0, and can
// only be compared with such names.
type Variable struct {
	Name    string
	Choices []string // nil of a number
}

// Expression evaluates a text.
type Expression struct {
	program *vm.Program
	vars    []Variable
	free    *sync.Pool // of *machine: many may evaluate at once
}

// machine is what one evaluation needs.
type machine struct {
	vm  vm.VM
	env map[string]any
}

// maxText bounds an expression in bytes: it is run over its length once.
const maxText = 1000

// calls are the functions of an expression, each of one number.
var calls = map[string]func(float64) float64{"exp": math.Exp, "log": math.Log, "sqrt": math.Sqrt, "abs": math.Abs,
	"sin": math.Sin, "cos": math.Cos, "tanh": math.Tanh, "floor": math.Floor, "ceil": math.Ceil}

// operators are those of an expression.
var operators = strings.Fields("+ - * / ^ ** < <= > >= == != and or not && || !")

// signs are the characters of an expression that are neither letters nor digits nor blanks, outside of quotes.
const signs = "_.,()+-*/^<>=!&|?:"

// ParseNumber reads an expression that is a number. What says in the errors what it is: "cost".
func ParseNumber(subject, text string, variables []Variable) (*Expression, error) {
	if _, err := read(subject, text, variables); err != nil {
		return nil, err
	}
	return compile(subject, text, variables, expr.AsFloat64())
}

// Value is the number at values of the variables, in their order; NaN where there is none.
func (e *Expression) Value(x []float64) float64 {
	switch v := e.run(x).(type) {
	case float64:
		return v
	case int:
		return float64(v)
	}
	return math.NaN()
}

// run evaluates the expression; nil where that fails.
func (e *Expression) run(x []float64) any {
	m := e.free.Get().(*machine)
	defer e.free.Put(m)
	for j, v := range e.vars {
		m.env[v.Name] = x[j]
	}
	v, err := m.vm.Run(e.program, m.env)
	if err != nil {
		return nil
	}
	return v
}

// read looks a text over and returns its tree, in which the names of choices are their places.
func read(subject, text string, variables []Variable) (*parser.Tree, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("the %s has %d bytes; the maximum is %d", subject, len(text), maxText)
	}
	quote, character := rune(0), 0
	for _, r := range text {
		character++
		switch {
		case quote != 0 && r != '\\' && !unicode.IsControl(r):
			if r == quote {
				quote = 0
			}
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case quote == 0 && (r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(signs, r)):
		default:
			return nil, fmt.Errorf("the %s %s, at character %d: %s", subject, Quote(text), character, describeInvalidRune(r))
		}
	}
	if strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return nil, fmt.Errorf("the %s %s: comments are not allowed in an expression", subject, Quote(text))
	}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, syntaxError(subject, text, err)
	}
	c := &choiceResolver{vars: variables}
	ast.Walk(&tree.Node, c)
	g := &grammar{vars: variables, compared: c}
	ast.Walk(&tree.Node, g)
	if g.wrong != nil {
		return nil, fmt.Errorf("the %s %s, at character %d: %s", subject, Quote(text), g.wrong.Location().From+1,
			g.why(subject))
	}
	return tree, nil
}

// compile makes what evaluates a text.
func compile(subject, text string, variables []Variable, as ...expr.Option) (*Expression, error) {
	env := map[string]any{"pi": math.Pi}
	for _, v := range variables {
		env[v.Name] = 0.0
	}
	options := append([]expr.Option{expr.Env(maps.Clone(env)), expr.DisableAllBuiltins(), expr.EnableBuiltin("min"),
		expr.EnableBuiltin("max"), expr.Patch(&choiceResolver{vars: variables})}, as...)
	for name, f := range calls {
		options = append(options, expr.Function(name, func(args ...any) (any, error) {
			return f(number(args[0])), nil
		}, new(func(float64) float64), new(func(int) float64)))
	}
	program, err := expr.Compile(text, options...)
	if err != nil {
		return nil, syntaxError(subject, text, err)
	}
	return &Expression{program, variables, &sync.Pool{New: func() any { return &machine{env: maps.Clone(env)} }}}, nil
}

// number is an argument of a function as a float.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	}
	return math.NaN()
}

// choiceResolver puts places for the names of choices where a choice is compared with one of them, in quotes or
// bare.
type choiceResolver struct {
	vars []Variable
	fit  []ast.Node // the choices that are compared as they may be
	node []ast.Node // the comparisons
}

// Visit looks at one part.
func (c *choiceResolver) Visit(node *ast.Node) {
	b, ok := (*node).(*ast.BinaryNode)
	if !ok || b.Operator != "==" && b.Operator != "!=" {
		return
	}
	for _, side := range [][2]*ast.Node{{&b.Left, &b.Right}, {&b.Right, &b.Left}} {
		choice, name := choiceFor(*side[0], c.vars), ""
		switch n := (*side[1]).(type) {
		case *ast.IdentifierNode:
			name = n.Value
		case *ast.StringNode:
			name = n.Value
		}
		if choice == nil {
			continue
		}
		if place := slices.Index(choice.Choices, name); place >= 0 {
			ast.Patch(side[1], &ast.IntegerNode{Value: place})
			c.fit, c.node = append(c.fit, *side[0]), append(c.node, *node)
			return
		}
	}
}

// choiceFor is the choice that a node names; nil if it names none.
func choiceFor(node ast.Node, vars []Variable) *Variable {
	name, ok := node.(*ast.IdentifierNode)
	if !ok {
		return nil
	}
	j := slices.IndexFunc(vars, func(v Variable) bool { return v.Name == name.Value && v.Choices != nil })
	if j < 0 {
		return nil
	}
	return &vars[j]
}

// grammar looks over the parts of an expression, and keeps the first that it may not have.
type grammar struct {
	vars        []Variable
	compared    *choiceResolver
	wrong       ast.Node
	what        string
	unknownName string    // a name that is not known
	choice      *Variable // that is not compared as it may be
}

// Visit looks at one part.
func (g *grammar) Visit(node *ast.Node) {
	subject, named := "", ""
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.ConditionalNode:
	case *ast.IdentifierNode:
		if c := choiceFor(n, g.vars); c != nil && !slices.Contains(g.compared.fit, ast.Node(n)) {
			if g.choice == nil && g.wrong == nil {
				g.wrong, g.choice = *node, c
			}
			return
		}
		if n.Value != "pi" && calls[n.Value] == nil &&
			!slices.ContainsFunc(g.vars, func(v Variable) bool { return v.Name == n.Value }) {
			subject, named = n.Value, n.Value
		}
	case *ast.CallNode:
		if _, named := n.Callee.(*ast.IdentifierNode); !named {
			subject = n.String()
		}
	case *ast.BuiltinNode:
		if n.Name != "min" && n.Name != "max" && calls[n.Name] == nil {
			subject = n.Name
		}
	case *ast.UnaryNode:
		if !slices.Contains(operators, n.Operator) {
			subject = n.Operator
		}
	case *ast.BinaryNode:
		if !slices.Contains(operators, n.Operator) {
			subject = n.Operator
		}
	default:
		subject = n.String()
	}
	if subject != "" && g.wrong == nil {
		g.wrong = *node
		g.what = fmt.Sprintf("%+q", subject)
		g.unknownName = named
	}
}

// why describes the fault.
func (g *grammar) why(subject string) string {
	if c := g.choice; c != nil {
		return fmt.Sprintf(`%s is a choice; compare it by == or != with one of its names, such as %s == "%s" (%s)`,
			c.Name, c.Name, c.Choices[0], truncateNames(c.Choices))
	}
	names := make([]string, len(g.vars))
	for j, v := range g.vars {
		names[j] = v.Name
	}
	meant := ""
	if near := didyoumean.Nearest(g.unknownName, names); len(g.unknownName) > 2 && len(near) > 0 {
		meant = " (did you mean " + near[0] + "?)"
	}
	return fmt.Sprintf("%s%s is not allowed in a %s; use numbers, the variables (%s), pi, + - * / ^, comparisons, and, or, not, ? : and %s, max, min",
		g.what, meant, subject, strings.Join(names, ", "), strings.Join(slices.Sorted(maps.Keys(calls)), ", "))
}

// truncateNames lists names, of many the first.
func truncateNames(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// Quote is a text as written in a message: in quotes if it has none, escaped if it has invisible characters.
func Quote(text string) string {
	switch {
	case text == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return strconv.QuoteToASCII(text)
	case strings.Contains(text, `"`):
		return text
	}
	return `"` + text + `"`
}
