package functions

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
)

// Cost is what an evaluation costs, λ(x) (Paria 2022, thesis, ch. 4): positive and finite everywhere in the domain.
type Cost struct {
	Text string // as it is shown, and of one that a person gave as it was given
	Func func(x []float64) float64
}

// maxCostText bounds an expression in bytes.
const maxCostText = 1000

// costChecks is at how many inputs an expression is tried, besides the corners of the domain.
const costChecks = 4096

// costFunctions are those of an expression, each of one number.
var costFunctions = map[string]func(float64) float64{"exp": math.Exp, "log": math.Log, "sqrt": math.Sqrt, "abs": math.Abs,
	"sin": math.Sin, "cos": math.Cos, "tanh": math.Tanh, "floor": math.Floor, "ceil": math.Ceil}

// costOperators are those of an expression.
var costOperators = strings.Fields("+ - * / ^ ** < <= > >= == != and or not && || !")

// costSigns are the characters of an expression that are neither letters nor digits nor blanks.
const costSigns = "_.,()+-*/^<>=!&|?:"

// compileCost reads an expression of the names. What it may hold is what is listed here, and neither calls anything else nor repeats anything: an
// evaluation runs over its at most maxCostText bytes once.
func compileCost(text string, names []string) (*vm.Program, error) {
	if len(text) > maxCostText {
		return nil, fmt.Errorf("the cost: an expression may have %d bytes, this one has %d", maxCostText, len(text))
	}
	at := 0
	for _, r := range text {
		if at++; r != ' ' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(costSigns, r) {
			return nil, fmt.Errorf("the cost %+q, at character %d: %+q is no part of an expression", text, at, r)
		}
	}
	if strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return nil, fmt.Errorf("the cost %+q: an expression has no comments", text)
	}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, costError(text, err)
	}
	g := &costGrammar{names: names}
	ast.Walk(&tree.Node, g)
	if g.wrong != nil {
		return nil, fmt.Errorf("the cost %+q, at character %d: %s has no place in a cost, which is made of numbers, the variables (%s), pi, + - * / ^, comparisons, and, or, not, ? : and %s, max, min",
			text, g.wrong.Location().From+1, g.what, strings.Join(names, ", "), strings.Join(slices.Sorted(maps.Keys(costFunctions)), ", "))
	}
	env := map[string]any{"pi": math.Pi}
	for _, name := range names {
		env[name] = 0.0
	}
	options := []expr.Option{expr.Env(env), expr.AsFloat64(), expr.DisableAllBuiltins(), expr.EnableBuiltin("min"), expr.EnableBuiltin("max")}
	for name, f := range costFunctions {
		options = append(options, expr.Function(name, func(args ...any) (any, error) { return f(number(args[0])), nil }, new(func(float64) float64), new(func(int) float64)))
	}
	program, err := expr.Compile(text, options...)
	if err != nil {
		return nil, costError(text, err)
	}
	return program, nil
}

// costGrammar looks over the parts of an expression, and keeps the first that it may not have.
type costGrammar struct {
	names []string
	wrong ast.Node
	what  string
}

// Visit looks at one part.
func (g *costGrammar) Visit(node *ast.Node) {
	what := ""
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.ConditionalNode:
	case *ast.IdentifierNode:
		if n.Value != "pi" && costFunctions[n.Value] == nil && !slices.Contains(g.names, n.Value) {
			what = n.Value
		}
	case *ast.CallNode:
		if _, named := n.Callee.(*ast.IdentifierNode); !named {
			what = n.String()
		}
	case *ast.BuiltinNode:
		if n.Name != "min" && n.Name != "max" && costFunctions[n.Name] == nil {
			what = n.Name
		}
	case *ast.UnaryNode:
		if !slices.Contains(costOperators, n.Operator) {
			what = n.Operator
		}
	case *ast.BinaryNode:
		if !slices.Contains(costOperators, n.Operator) {
			what = n.Operator
		}
	default:
		what = n.String()
	}
	if what != "" && g.wrong == nil {
		g.wrong, g.what = *node, fmt.Sprintf("%+q", what)
	}
}

// ParseCost reads a cost that is an expression of the problem's variables by their names, such as "1 + exp(2*x1)": numbers, + - * / ^, comparisons with and, or,
// not and ? :, pi, exp, log, sqrt, abs, sin, cos, tanh, floor, ceil, min and max. There is nothing else in it. The error says where the expression is
// wrong, or at which input the cost is not positive and finite.
func ParseCost(text string, p *Problem) (*Cost, error) {
	names := make([]string, len(p.Domain))
	for j, v := range p.Domain {
		names[j] = v.Name
	}
	program, err := compileCost(text, names)
	if err != nil {
		return nil, err
	}
	c := &Cost{Text: text, Func: func(x []float64) float64 {
		at := map[string]any{"pi": math.Pi}
		for j, name := range names {
			at[name] = x[j]
		}
		v, err := vm.Run(program, at)
		if err != nil {
			return math.NaN()
		}
		return number(v)
	}}
	return c, c.check(p)
}

// UnreadCost stands for a cost that is on record and cannot be read: it is shown, and no number anywhere, so that nothing more is evaluated.
func UnreadCost(text string) *Cost {
	return &Cost{Text: strconv.QuoteToASCII(text), Func: func([]float64) float64 { return math.NaN() }}
}

// number is a value of an expression as a float.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	}
	return math.NaN()
}

// costError says where an expression is wrong.
func costError(text string, err error) error {
	var at *file.Error
	if errors.As(err, &at) {
		return fmt.Errorf("the cost %+q, at character %d: %s", text, at.Column+1, strings.TrimSpace(at.Message))
	}
	return fmt.Errorf("the cost %+q: %w", text, err)
}

// check tries a cost all over the domain.
func (c *Cost) check(p *Problem) error {
	d := p.Dim()
	tries := mat.NewDense(costChecks, d, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(d, rng), Src: rng}.Sample(tries)
	at := func(u []float64) error {
		x := p.Domain.FromUnit(u)
		if v := c.Func(x); !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("the cost %+q is %g at %s; it must be positive and finite everywhere", c.Text, v, p.Domain.Text(x))
		}
		return nil
	}
	corner := make([]float64, d)
	for i := range 1 << min(d, 12) {
		for j := range corner {
			corner[j] = float64(i >> min(j, 12) & 1)
		}
		if err := at(corner); err != nil {
			return err
		}
	}
	for i := range costChecks {
		if err := at(tries.RawRowView(i)); err != nil {
			return err
		}
	}
	return nil
}

// costly are the families whose evaluations do not all cost the same.
var costly = []Family{
	{Name: "forrester-cost", Title: "Forrester with a cost", About: "the global minimum lies where evaluations are dear",
		Source: "Forrester, Sóbester & Keane 2008, with a cost of our own", MinDim: 1, MaxDim: 1, Default: 1,
		New: func(int, uint64) Problem {
			p := forrester.New(1, 0)
			p.Cost = &Cost{"1 + 9 x^2", func(x []float64) float64 { return 1 + 9*x[0]*x[0] }}
			return p
		}},
	{Name: "branin-cost", Title: "Branin with a cost", About: "of three minima of equal depth one is cheap",
		Source: library + ", with a cost of our own", MinDim: 2, MaxDim: 2, Default: 2,
		New: func(int, uint64) Problem {
			p := branin.New(2, 0)
			p.Cost = &Cost{"exp((x1 + 5)/5)", func(x []float64) float64 { return math.Exp((x[0] + 5) / 5) }}
			return p
		}},
	{Name: "branin-fidelity", Title: "Branin with a fidelity", About: "longer training lowers the error and costs exponentially more",
		Source: "Paria 2022 (thesis), §4.6; the range of l, which it does not print, is [0, 5] here", MinDim: 3, MaxDim: 3, Default: 3,
		New: func(int, uint64) Problem {
			dom := append(rect(-5, 10, 0, 15), Variable{Name: "l", Low: 0, High: 5})
			p := single(dom, at(0.39788735772973816-5, []float64{-math.Pi, 12.275, 5}, []float64{math.Pi, 2.275, 5}, []float64{3 * math.Pi, 2.475, 5}),
				func(x []float64) float64 { return Branin(x[0], x[1]) - x[2] })
			p.Fidelity = &Fidelity{"l", 5}
			p.Cost = &Cost{"exp(l)", func(x []float64) float64 { return math.Exp(x[2]) }}
			return p
		}},
}
