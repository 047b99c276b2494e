package expression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// Relation is a relation between variables: a comparison of two numbers, or a condition, which is true or false.
type Relation struct {
	Uses []int // the places of the variables that it names, rising

	// Of a comparison, Left Operator Right; of a condition Left is nil.
	Left, Right *Expression
	Operator    string  // <=, <, >=, > or ==
	Varies      [2]bool // whether the sides name variables
	// Of a comparison that is linear, Linear·x + Constant is the left side less the right one; nil of others.
	Linear   []float64
	Constant float64

	condition *Expression
}

// ParseRelation reads a relation. What says in the errors what it is: "constraint".
func ParseRelation(subject, text string, variables []Variable) (*Relation, error) {
	tree, err := read(subject, text, variables)
	if err != nil {
		return nil, err
	}
	r := &Relation{}
	r.condition, err = compile(subject, text, variables, expr.AsBool())
	if err != nil {
		if _, number := compile(subject, text, variables, expr.AsFloat64()); number == nil {
			return nil, fmt.Errorf("the %s %s is a number; a %s must be a comparison, such as %s <= 40", subject, Quote(text), subject, text)
		}
		return nil, err
	}
	for j, in := range uses(tree.Node, variables) {
		if in {
			r.Uses = append(r.Uses, j)
		}
	}
	if r.Uses == nil {
		return nil, fmt.Errorf("the %s %s does not contain a variable", subject, Quote(text))
	}
	if b, ok := tree.Node.(*ast.BinaryNode); ok {
		if b.Operator == "and" || b.Operator == "&&" {
			return nil, fmt.Errorf("the %s %s combines two conditions; write each one as a separate %s", subject,
				Quote(text), subject)
		}
		r.compare(b, variables)
	}
	return r, nil
}

// compare finds the sides of a comparison of two numbers.
func (r *Relation) compare(b *ast.BinaryNode, variables []Variable) {
	if !slices.Contains([]string{"<=", "<", ">=", ">", "=="}, b.Operator) || choiceFor(b.Left, variables) != nil ||
		choiceFor(b.Right, variables) != nil {
		return
	}
	left, err := side(b.Left, variables)
	if err != nil {
		return // of truth values
	}
	right, err := side(b.Right, variables)
	if err != nil {
		return
	}
	r.Left = left
	r.Right = right
	r.Operator = b.Operator
	r.Varies = [2]bool{slices.Contains(uses(b.Left, variables), true), slices.Contains(uses(b.Right, variables), true)}
	if f, ok := affineReader(variables).affine(&ast.BinaryNode{Operator: "-", Left: b.Left, Right: b.Right}); ok &&
		r.agrees(f) {
		r.Linear, r.Constant = f.slope, f.constant
	}
}

// side compiles a part of a tree that is a number.
func side(node ast.Node, variables []Variable) (*Expression, error) {
	numbers := make([]Variable, len(variables)) // the names of choices are places already
	for j, v := range variables {
		numbers[j] = Variable{Name: v.Name}
	}
	return compile("", node.String(), numbers, expr.AsFloat64())
}

// agrees checks a linear form by what the sides are at some inputs.
func (r *Relation) agrees(f affineForm) bool {
	rng := rand.New(rand.NewPCG(15, 4))
	x := make([]float64, len(f.slope))
	for range 16 {
		sum, size := f.constant, math.Abs(f.constant)
		for j := range x {
			x[j] = 20*rng.Float64() - 10
			sum += f.slope[j] * x[j]
			size += math.Abs(f.slope[j] * x[j])
		}
		if !(math.Abs(r.Difference(x)-sum) <= 1e-9*max(size, math.Abs(r.Left.Value(x)))) {
			return false
		}
	}
	return true
}

// Comparison reports whether it compares two numbers.
func (r *Relation) Comparison() bool { return r.Left != nil }

// Strict reports whether it is a comparison that does not hold where both sides are the same.
func (r *Relation) Strict() bool { return r.Operator == "<" || r.Operator == ">" }

// HoldsStrictly reports whether a strict comparison holds by more than rounding.
func (r *Relation) HoldsStrictly(x []float64) bool {
	return r.Excess(x) < -1e-12*max(math.Abs(r.Left.Value(x)), math.Abs(r.Right.Value(x)))
}

// Difference is the left side less the right one.
func (r *Relation) Difference(x []float64) float64 { return r.Left.Value(x) - r.Right.Value(x) }

// Excess is at most 0 where the relation holds: of a comparison by how much the sides are off, of a condition 0 or 1.
// Where a side is no number, it is NaN.
func (r *Relation) Excess(x []float64) float64 {
	switch {
	case r.Left == nil:
		if holds, ok := r.condition.run(x).(bool); !ok {
			return math.NaN()
		} else if holds {
			return 0
		}
		return 1
	case r.Operator == "==":
		return math.Abs(r.Difference(x))
	case r.Operator[0] == '>':
		return -r.Difference(x)
	}
	return r.Difference(x)
}

// uses reports for each variable whether a tree contains it.
func uses(node ast.Node, variables []Variable) []bool {
	u := &usageVisitor{vars: variables, list: make([]bool, len(variables))}
	ast.Walk(&node, u)
	return u.list
}

// usageVisitor marks the variables that a tree names.
type usageVisitor struct {
	vars []Variable
	list []bool
}

// Visit looks at one part.
func (u *usageVisitor) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.IdentifierNode); ok {
		if j := slices.IndexFunc(u.vars, func(v Variable) bool { return v.Name == n.Value }); j >= 0 {
			u.list[j] = true
		}
	}
}

// affineForm is slope·x + constant.
type affineForm struct {
	slope    []float64
	constant float64
}

// affineReader finds linear relations in trees.
type affineReader []Variable

// affine is the linear form of a tree; false where it is none.
func (f affineReader) affine(node ast.Node) (affineForm, bool) {
	names := uses(node, f)
	made := affineForm{slope: make([]float64, len(f))}
	if !slices.Contains(names, true) {
		e, err := side(node, f)
		if err != nil {
			return made, false
		}
		made.constant = e.Value(make([]float64, len(f)))
		return made, !math.IsNaN(made.constant) && !math.IsInf(made.constant, 0)
	}
	switch n := node.(type) {
	case *ast.IdentifierNode:
		made.slope[slices.Index(names, true)] = 1
		return made, choiceFor(n, f) == nil
	case *ast.UnaryNode:
		a, ok := f.affine(n.Node)
		if n.Operator == "-" {
			a = a.times(-1)
		}
		return a, ok && (n.Operator == "-" || n.Operator == "+")
	case *ast.BinaryNode:
		return f.combine(n)
	}
	return made, false
}

// combine is the linear form of two that are combined.
func (f affineReader) combine(n *ast.BinaryNode) (affineForm, bool) {
	a, ok := f.affine(n.Left)
	if !ok {
		return a, false
	}
	b, ok := f.affine(n.Right)
	if !ok {
		return a, false
	}
	switch n.Operator {
	case "+":
		return a.plus(1, b), true
	case "-":
		return a.plus(-1, b), true
	case "*":
		if a.flat() {
			a, b = b, a
		}
		return a.times(b.constant), b.flat()
	case "/":
		return a.times(1 / b.constant), b.flat() && b.constant != 0
	}
	return a, false
}

// flat reports whether a form is the same everywhere.
func (a affineForm) flat() bool {
	return !slices.ContainsFunc(a.slope, func(v float64) bool { return v != 0 })
}

// plus is a + factor·b.
func (a affineForm) plus(factor float64, b affineForm) affineForm {
	sum := affineForm{make([]float64, len(a.slope)), a.constant + factor*b.constant}
	for j := range sum.slope {
		sum.slope[j] = a.slope[j] + factor*b.slope[j]
	}
	return sum
}

// times is factor·a.
func (a affineForm) times(factor float64) affineForm {
	return affineForm{make([]float64, len(a.slope)), 0}.plus(factor, a)
}
