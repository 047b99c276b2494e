package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
)

// Expression is a sum of products of kernels, such as "matern52 + 0.5*linear" or "periodic(period=0.25)*se". Sums and
// products of covariance functions are covariance functions (Rasmussen & Williams 2006, §4.2.4); Duvenaud 2014, ch. 2,
// describes what they mean. In EBNF:
//
//	sum     = product { "+" product }
//	product = factor { "*" factor }
//	factor  = number | name [ "(" name "=" number { "," name "=" number } ")" ] | "(" sum ")"
//
// Every kernel has variance 1. Every term of a sum has a signal standard deviation of its own, which is fitted like the
// other hyperparameters, except where numbers in the term give its variance: in "matern52 + 0.5*linear" that of the
// linear term is 0.5, in variances of the targets. A term that is only a number is a constant. In parentheses behind a
// name, hyperparameters of the kernel get fixed values. An Expression is immutable.
type Expression struct{ sum []product }

// product is a term of a sum.
type product struct {
	variance float64 // that its numbers give; 0 without numbers
	factors  []factor
}

// factor is a kernel, or a sum in parentheses.
type factor struct {
	kind  *leafKind
	given []float64 // fixed values of the hyperparameters that the kind declares; 0 for a fitted one
	sum   []product
}

// Bounds of expressions.
const (
	maxExpression = 200 // bytes
	maxLeaves     = 8   // kernels
	maxNesting    = 8   // parentheses
)

// varianceBox bounds the variance that numbers give a term, in variances of the targets.
var varianceBox = [2]float64{1e-4, 400}

// leafKind is a kernel that an expression can contain.
type leafKind struct {
	name   string
	form   Form // of a stationary one without further hyperparameters; nil for the others
	hypers []leafHyper
}

// leafHyper declares a hyperparameter of a kernel.
type leafHyper struct {
	key      string
	kind     HyperKind
	box      [2]float64
	perInput bool
}

// Bounds of the hyperparameters of kernels, for inputs in the unit cube.
var (
	lengthBox = [2]float64{0.01, 10}
	periodBox = [2]float64{0.02, 10}
	alphaBox  = [2]float64{0.01, 100}
	biasBox   = [2]float64{1e-3, 10}
)

// leafKinds lists all kernels: the forms, and those with hyperparameters of their own.
func leafKinds() []leafKind {
	length := leafHyper{"length", Length, lengthBox, true}
	var all []leafKind
	for _, f := range forms {
		all = append(all, leafKind{f.Name(), f, []leafHyper{length}})
	}
	return append(all, leafKind{name: "rq", hypers: []leafHyper{length, {"alpha", Alpha, alphaBox, false}}},
		leafKind{name: "periodic", hypers: []leafHyper{{"length", PeriodicLength, lengthBox, true},
			{"period", Period, periodBox, true}}},
		leafKind{name: "linear", hypers: []leafHyper{{"bias", Bias, biasBox, false}}})
}

// Names lists the kernels that an expression can contain.
func Names() []string {
	var names []string
	for _, k := range leafKinds() {
		names = append(names, k.name)
	}
	return names
}

// Parse reads an expression. The error says at which character it is wrong, and what would be valid there.
func Parse(text string) (Expression, error) {
	if len(text) > maxExpression {
		return Expression{}, fmt.Errorf("the expression has %d characters; at most %d are allowed", len(text),
			maxExpression)
	}
	p := &expressionParser{text: text}
	sum, err := p.sum(0)
	p.peek()
	if err == nil && p.at < len(text) {
		err = p.wrong(`"+", "*" or the end`)
	}
	if err != nil {
		return Expression{}, err
	}
	e := Expression{sum}
	if n := e.leaves(); n > maxLeaves {
		return Expression{}, fmt.Errorf("the expression has %d kernels; at most %d are allowed", n, maxLeaves)
	}
	return e, nil
}

// expressionParser reads an expression from left to right.
type expressionParser struct {
	text string
	at   int
}

// peek returns the next character that is not a blank; 0 at the end.
func (p *expressionParser) peek() byte {
	for p.at < len(p.text) && strings.IndexByte(" \t", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take skips a character if it is the next one.
func (p *expressionParser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

// wrong is the error for the text at the current place.
func (p *expressionParser) wrong(want string) error {
	p.peek()
	if p.at == len(p.text) {
		return fmt.Errorf("the expression %q ends where %s is missing", p.text, want)
	}
	rest := []rune(p.text[p.at:])
	return fmt.Errorf("at character %d of the kernel expression: want %s, got %q", len([]rune(p.text[:p.at]))+1, want,
		string(rest[:min(len(rest), 12)]))
}

func (p *expressionParser) sum(depth int) ([]product, error) {
	var terms []product
	for {
		t, err := p.product(depth)
		if err != nil {
			return nil, err
		}
		if t.variance == 0 && len(t.factors) == 1 && t.factors[0].kind == nil { // a + (b + c)
			terms = append(terms, t.factors[0].sum...)
		} else {
			terms = append(terms, t)
		}
		if !p.take('+') {
			return terms, nil
		}
	}
}

func (p *expressionParser) product(depth int) (product, error) {
	var t product
	numbers, number := false, 1.0
	times := func(v float64) { numbers, number = true, number*v }
	for {
		f, v, err := p.factor(depth)
		switch {
		case err != nil:
			return t, err
		case v > 0:
			times(v)
		case f.kind == nil && len(f.sum) == 1: // a*(b*c)
			if f.sum[0].variance > 0 {
				times(f.sum[0].variance)
			}
			t.factors = append(t.factors, f.sum[0].factors...)
		default:
			t.factors = append(t.factors, f)
		}
		if !p.take('*') {
			break
		}
	}
	if !numbers {
		return t, nil
	}
	t.variance = numfmt.Round(number)
	if !(number >= varianceBox[0] && number <= varianceBox[1]) {
		return t, fmt.Errorf("the variance of a term must be in [%s, %s], got %s", numfmt.Exact(varianceBox[0]),
			numfmt.Exact(varianceBox[1]), numfmt.Format(number))
	}
	return t, nil
}

// factor reads a kernel or a sum in parentheses, or else a number.
func (p *expressionParser) factor(depth int) (f factor, number float64, err error) {
	switch c := p.peek(); {
	case c == '(':
		if depth == maxNesting {
			return f, 0, fmt.Errorf("the expression has more than %d parentheses in each other", maxNesting)
		}
		p.at++
		f.sum, err = p.sum(depth + 1)
		if err == nil && !p.take(')') {
			err = p.wrong(`"+", "*" or ")"`)
		}
		return f, 0, err
	case c >= '0' && c <= '9' || c == '.':
		number, err = p.number()
		if err == nil && !(number > 0) {
			err = fmt.Errorf("a number in the expression must be above 0, got %s", numfmt.Exact(number))
		}
		return f, number, err
	case isLetter(c):
		f, err = p.leaf()
		return f, 0, err
	}
	return f, 0, p.wrong(`a kernel, a number or "("`)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// word reads a name in lower case.
func (p *expressionParser) word() string {
	p.peek()
	from := p.at
	for p.at < len(p.text) && (isLetter(p.text[p.at]) || p.text[p.at] == '_' || p.at > from && p.text[p.at] >= '0' &&
		p.text[p.at] <= '9') {
		p.at++
	}
	return strings.ToLower(p.text[from:p.at])
}

func (p *expressionParser) number() (float64, error) {
	p.peek()
	from := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		exponent := p.at > from && (p.text[p.at-1] == 'e' || p.text[p.at-1] == 'E')
		if !(c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || exponent && (c == '+' || c == '-')) {
			break
		}
		p.at++
	}
	v, err := strconv.ParseFloat(p.text[from:p.at], 64)
	if err != nil || math.IsInf(v, 0) {
		p.at = from
		return 0, p.wrong("a number")
	}
	return numfmt.Round(v), nil
}

// leaf reads a kernel with its fixed hyperparameters.
func (p *expressionParser) leaf() (f factor, err error) {
	name := p.word()
	all := leafKinds()
	i := slices.IndexFunc(all, func(k leafKind) bool { return k.name == name })
	if i < 0 {
		err := didyoumean.NewUnknownError("kernel", name, Names())
		if len(didyoumean.Nearest(name, Names())) > 0 { // otherwise it lists all
			err = fmt.Errorf("%w; the kernels are %s", err, strings.Join(Names(), ", "))
		}
		return f, err
	}
	f = factor{kind: &all[i], given: make([]float64, len(all[i].hypers))}
	if !p.take('(') {
		return f, nil
	}
	for {
		if err := p.argument(f); err != nil {
			return f, err
		}
		switch {
		case p.take(','):
		case p.take(')'):
			return f, nil
		default:
			return f, p.wrong(`"," or ")"`)
		}
	}
}

// argument reads the fixed value of a hyperparameter into a factor.
func (p *expressionParser) argument(f factor) error {
	var keys []string
	for _, h := range f.kind.hypers {
		keys = append(keys, h.key)
	}
	want := fmt.Sprintf("%s=VALUE", strings.Join(keys, "=VALUE or "))
	if !isLetter(p.peek()) {
		return p.wrong(want)
	}
	key := p.word()
	i := slices.Index(keys, key)
	if i < 0 {
		return didyoumean.NewUnknownError("hyperparameter of "+f.kind.name, key, keys)
	}
	if !p.take('=') {
		return p.wrong(`"=" and the value of ` + key)
	}
	v, err := p.number()
	if err != nil {
		return err
	}
	if f.given[i] != 0 {
		return fmt.Errorf("%s of %s is given twice", key, f.kind.name)
	}
	if box := f.kind.hypers[i].box; !(v >= box[0] && v <= box[1]) {
		return fmt.Errorf("%s of %s must be in [%s, %s], got %s", key, f.kind.name, numfmt.Exact(box[0]),
			numfmt.Exact(box[1]), numfmt.Exact(v))
	}
	f.given[i] = v
	return nil
}

// leaves counts the kernels of the expression.
func (e Expression) leaves() (n int) {
	for _, t := range e.sum {
		for _, f := range t.factors {
			if f.kind != nil {
				n++
			} else {
				n += Expression{f.sum}.leaves()
			}
		}
	}
	return n
}

// String writes the expression the way Parse reads it, always the same way for the same meaning.
func (e Expression) String() string {
	terms := make([]string, len(e.sum))
	for i, t := range e.sum {
		terms[i] = t.String()
	}
	return strings.Join(terms, " + ")
}

// titles are the names of kernels in texts, where they differ from the names in expressions.
var titles = map[string]string{"se": "squared exponential", "matern12": "Matérn 1/2", "matern32": "Matérn 3/2",
	"matern52": "Matérn 5/2", "rq": "rational quadratic"}

// Title names the kernels of the expression in words, without their settings: "squared exponential × periodic".
func (e Expression) Title() string {
	terms := make([]string, len(e.sum))
	for i, t := range e.sum {
		var factors []string
		for _, f := range t.factors {
			name := "(" + Expression{f.sum}.Title() + ")"
			if f.kind != nil {
				name = cmp.Or(titles[f.kind.name], f.kind.name)
			}
			factors = append(factors, name)
		}
		terms[i] = strings.Join(factors, " × ")
	}
	return strings.Join(terms, " + ")
}

// String writes the term.
func (t product) String() string {
	var parts []string
	if t.variance > 0 {
		parts = append(parts, numfmt.Exact(t.variance))
	}
	for _, f := range t.factors {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, "*")
}

// String writes the factor.
func (f factor) String() string {
	if f.kind == nil {
		return "(" + Expression{f.sum}.String() + ")"
	}
	var settings []string
	for i, v := range f.given {
		if v > 0 {
			settings = append(settings, f.kind.hypers[i].key+"="+numfmt.Exact(v))
		}
	}
	if settings == nil {
		return f.kind.name
	}
	return f.kind.name + "(" + strings.Join(settings, ", ") + ")"
}

// Form returns the form if the expression is a single stationary kernel whose hyperparameters are all fitted.
func (e Expression) Form() (Form, bool) {
	if len(e.sum) != 1 || e.sum[0].variance != 0 || len(e.sum[0].factors) != 1 {
		return nil, false
	}
	f := e.sum[0].factors[0]
	if f.kind == nil || f.kind.form == nil || f.given[0] != 0 {
		return nil, false
	}
	return f.kind.form, true
}

// errHyper is the error for a hyperparameter that belongs to another expression.
var errHyper = errors.New("the expression has no such hyperparameter")
