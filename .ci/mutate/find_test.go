//go:build mutate

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// mutants lists those of a function's body, as "kind: the body with the mutant".
func mutants(t *testing.T, body string) []string {
	t.Helper()
	src := "package p\nfunc f(x, y float64, n int, s string, err error, b []int) (float64, error) {\n" + body +
		"\n}\nfunc g() {}\nvar math struct { Inf func(int) float64 }\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{}).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range find(&unit{ImportPath: "p"}, "p.go", []byte(src), fset, file, info) {
		changed := string(m.apply())
		_, changed, _ = strings.Cut(changed, "error) {\n")
		changed, _, _ = strings.Cut(changed, "\n}\nfunc g")
		list = append(list, m.Kind+": "+changed)
	}
	slices.Sort(list)
	return list
}

func TestMutants(t *testing.T) {
	for body, want := range map[string][]string{
		"return -x, nil": {"sign: return x, nil"},
		"return x + y, err": {"error: return x + y, nil", "swap: return x - y, err",
			"term: return x, err", "term: return y, err"},
		"return x * 0.5, nil": {"scale: return x * (0.8*0.5), nil", "scale: return x * (2*0.5), nil",
			"swap: return x / 0.5, nil", "term: return 0.5, nil", "term: return x, nil"},
		"x = 0.0; return x, nil":          {"constant: x = 1.0; return x, nil", "statement: _ = 0.0; return x, nil"},
		"_ = math.Inf(1); return x, nil":  nil,
		"_ = math.Inf(-1); return x, nil": {"sign: _ = math.Inf(1); return x, nil"},
		"_ = s + s; return x, nil":        nil,
		"return x - y, nil":               {"swap: return x + y, nil", "term: return x, nil"},
		"_ = b[1]; return x, nil":         {"constant: _ = b[0]; return x, nil", "constant: _ = b[2]; return x, nil"},
		"return max(x, y), nil":           {"call: return min(x, y), nil"},
		"g(); return x, nil":              {"statement: ; return x, nil"},
		"defer g(); return x, nil":        {"statement: ; return x, nil"},
		"x = y; return x, nil":            {"statement: _ = y; return x, nil"},
		"x += y; return x, nil":           {"statement: _ = y; return x, nil", "swap: x -= y; return x, nil"},
		"n++; return x, nil":              {"swap: n--; return x, nil"},
		"_ = !true; return x, nil":        {"boolean: _ = !false; return x, nil", "negate: _ = true; return x, nil"},
		"_ = x < y; return x, nil":        {"border: _ = x <= y; return x, nil", "compare: _ = x > y; return x, nil"},
		"if n == n {}; return x, nil": {"compare: if n != n {}; return x, nil",
			"negate: if !(n == n) {}; return x, nil"},
		"for { break }; return x, nil": {"branch: for { continue }; return x, nil"},
	} {
		if got := mutants(t, body); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", body, got, want)
		}
	}
}

// What is perhaps equal is said: borders of numbers with a fraction, and capacities.
func TestSuspects(t *testing.T) {
	src := "package p\nfunc f(x float64, n int) bool {\n_ = make([]int, n, n+1)\nreturn x < 3 && n < 3\n}\n"
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "p.go", src, 0)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{}).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	suspect := map[string]int{}
	for _, m := range find(&unit{ImportPath: "p"}, "p.go", []byte(src), fset, file, info) {
		suspect[m.Kind+" "+m.Suspect]++
	}
	if suspect["border numbers with a fraction are seldom equal"] != 1 || suspect["border "] != 1 ||
		suspect["swap a capacity"] != 1 || suspect["constant a capacity"] != 2 {
		t.Errorf("got %v", suspect)
	}
}

// The same seed takes the same mutants, another one others, and every one is taken once.
func TestOrder(t *testing.T) {
	var units []*unit
	total := 0
	for _, size := range []int{3, 40, 0, 200} {
		u := &unit{}
		for i := range size {
			u.mutants = append(u.mutants, mutant{ID: string(rune('a'+len(units))) + strings.Repeat("x", i),
				Kind: []string{"swap", "term", "sign"}[i%3]})
		}
		units, total = append(units, u), total+size
	}
	ids := func(seed uint64) (list []string) {
		for _, m := range order(units, seed) {
			list = append(list, m.ID)
		}
		return list
	}
	a, again, other := ids(1), ids(1), ids(2)
	if !slices.Equal(a, again) || slices.Equal(a, other) {
		t.Error("the order does not follow the seed")
	}
	if slices.Sort(a); len(slices.Compact(a)) != total {
		t.Errorf("%d are taken, there are %d", len(a), total)
	}
}
