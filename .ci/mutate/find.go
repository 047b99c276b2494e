//go:build mutate

package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// mutant is one small change of a file.
type mutant struct {
	ID      string // of the change and of the file that it changes
	Package string
	File    string // relative to the module
	Line    int
	Column  int
	Kind    string // which operator
	Old     string
	New     string

	Suspect string // why it may change nothing that can be observed; empty if nothing speaks for that

	offset int
	src    []byte // of the file
}

// finder collects the mutants of one file.
type finder struct {
	pkg   *unit
	name  string // of the file, relative to the module
	src   []byte
	fset  *token.FileSet
	info  *types.Info
	hints []ast.Expr // capacities, which change nothing but the speed
	found []mutant

	infinite []*ast.BasicLit // signs of infinity, of which only the sign counts
}

// find lists every mutant of a file in the order of their places.
func find(u *unit, name string, src []byte, fset *token.FileSet, file *ast.File, info *types.Info) []mutant {
	f := &finder{pkg: u, name: name, src: src, fset: fset, info: info}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			f.node(n)
			return true
		})
	}
	slices.SortStableFunc(f.found, func(a, b mutant) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), strings.Compare(a.Kind, b.Kind), strings.Compare(a.New, b.New))
	})
	return f.found
}

// text is the source of a node.
func (f *finder) text(n ast.Node) string {
	return string(f.src[f.fset.Position(n.Pos()).Offset:f.fset.Position(n.End()).Offset])
}

// replace adds a mutant that replaces the source between two positions by another text.
func (f *finder) replace(kind string, from, pos token.Pos, text, suspect string) {
	position := f.fset.Position(from)
	old := string(f.src[position.Offset:f.fset.Position(pos).Offset])
	if old == text {
		return
	}
	for _, h := range f.hints {
		if h.Pos() <= from && from < h.End() {
			suspect = "a capacity"
		}
	}
	m := mutant{Package: f.pkg.ImportPath, File: f.name, Line: position.Line, Column: position.Column, Kind: kind, Old: old,
		New: text, Suspect: suspect, offset: position.Offset, src: f.src}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s\x00%s\x00%s\x00%x", f.name, position.Offset, kind, old, text,
		sha256.Sum256(f.src)))
	m.ID = hex.EncodeToString(sum[:])[:12]
	f.found = append(f.found, m)
}

func (f *finder) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			f.replace("sign", n.OpPos, n.OpPos+1, "", "")
		}
		if n.Op == token.NOT {
			f.replace("negate", n.OpPos, n.OpPos+1, "", "")
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		if other, ok := map[string]string{
			"true": "false", "false": "true"}[n.Name]; ok && f.info.Uses[n] == types.Universe.Lookup(n.Name) {
			f.replace("boolean", n.Pos(), n.End(), other, "")
		}
	case *ast.CallExpr:
		f.call(n)
	case *ast.IfStmt:
		f.replace("negate", n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")", "")
	case *ast.IncDecStmt:
		f.replace("swap", n.TokPos, n.TokPos+2, map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok], "")
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.ExprStmt:
		f.statement(n, n.X)
	case *ast.DeferStmt:
		f.statement(n, n.Call)
	case *ast.BranchStmt:
		if other := map[token.Token]string{
			token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]; other != "" && n.Label == nil {
			f.replace("branch", n.Pos(), n.Pos()+token.Pos(len(n.Tok.String())), other, "")
		}
	case *ast.ReturnStmt:
		f.returned(n)
	}
}

// operators that take each other's place, with the kind of change.
var (
	swapped = map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO,
		token.QUO: token.MUL}
	flipped = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ,
		token.GEQ: token.LEQ, token.EQL: token.NEQ, token.NEQ: token.EQL}
	bordered = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ,
		token.GEQ: token.GTR}
	joined = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}
)

func (f *finder) binary(n *ast.BinaryExpr) {
	put := func(kind string, op token.Token, suspect string) {
		f.replace(kind, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op.String(), suspect)
	}
	if op, ok := flipped[n.Op]; ok {
		put("compare", op, "")
	}
	if op, ok := bordered[n.Op]; ok {
		suspect := ""
		if f.is(n.X, types.IsFloat) || f.is(n.Y, types.IsFloat) {
			suspect = "numbers with a fraction are seldom equal"
		}
		put("border", op, suspect)
	}
	if op, ok := joined[n.Op]; ok {
		put("join", op, "")
		f.replace("term", n.Pos(), n.End(), f.text(n.X), "")
		f.replace("term", n.Pos(), n.End(), f.text(n.Y), "")
	}
	if op, ok := swapped[n.Op]; ok && f.is(n.X, types.IsNumeric) {
		put("swap", op, "")
		f.replace("term", n.Pos(), n.End(), f.text(n.X), "")
		if n.Op == token.ADD || n.Op == token.MUL {
			f.replace("term", n.Pos(), n.End(), f.text(n.Y), "")
		}
	}
}

// is says whether an expression has a kind of basic type.
func (f *finder) is(e ast.Expr, kind types.BasicInfo) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}

// literal moves a whole number by one, and scales another.
func (f *finder) literal(n *ast.BasicLit) {
	tv, ok := f.info.Types[n]
	if !ok || tv.Value == nil || n.Kind != token.INT && n.Kind != token.FLOAT || slices.Contains(f.infinite, n) {
		return
	}
	if v, exact := constant.Int64Val(constant.ToInt(tv.Value)); exact && n.Kind == token.INT {
		f.replace("constant", n.Pos(), n.End(), strconv.FormatInt(v+1, 10), "")
		if v > 0 {
			f.replace("constant", n.Pos(), n.End(), strconv.FormatInt(v-1, 10), "")
		}
	}
	if n.Kind == token.FLOAT {
		suspect := ""
		v, _ := constant.Float64Val(tv.Value)
		switch {
		case v == 0: // of any scale
			f.replace("constant", n.Pos(), n.End(), "1.0", "")
			return
		case v < 1e-5:
			suspect = "a tolerance"
		}
		f.replace("scale", n.Pos(), n.End(), "(2*"+n.Value+")", suspect)
		f.replace("scale", n.Pos(), n.End(), "(0.8*"+n.Value+")", suspect)
	}
}

// call exchanges the smaller and the greater.
func (f *finder) call(n *ast.CallExpr) {
	swap := func(id *ast.Ident, pairs map[string]string) {
		if other, ok := pairs[id.Name]; ok {
			f.replace("call", id.Pos(), id.End(), other, "")
		}
	}
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		if _, ok := f.info.Uses[fun].(*types.Builtin); ok {
			if fun.Name == "make" && len(n.Args) == 3 {
				f.hints = append(f.hints, n.Args[2])
			}
			swap(fun, map[string]string{"min": "max", "max": "min"})
		}
	case *ast.SelectorExpr:
		if id, ok := fun.X.(*ast.Ident); ok && id.Name == "math" {
			if fun.Sel.Name == "Inf" && len(n.Args) == 1 {
				arg := n.Args[0]
				if minus, ok := arg.(*ast.UnaryExpr); ok {
					arg = minus.X
				}
				if sign, ok := arg.(*ast.BasicLit); ok {
					f.infinite = append(f.infinite, sign)
				}
			}
			swap(fun.Sel, map[string]string{"Min": "Max", "Max": "Min", "Ceil": "Floor", "Floor": "Ceil", "Sin": "Cos",
				"Cos": "Sin"})
		}
	}
}

func (f *finder) assign(n *ast.AssignStmt) {
	other := map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "/=",
		token.QUO_ASSIGN: "*="}[n.Tok]
	if other != "" && f.is(n.Lhs[0], types.IsNumeric) {
		f.replace("swap", n.TokPos, n.TokPos+2, other, "")
	}
	if n.Tok == token.DEFINE || len(n.Lhs) != len(n.Rhs) {
		return
	}
	// The values are still computed, so that every name is used.
	blanks := strings.TrimSuffix(strings.Repeat("_, ", len(n.Lhs)), ", ")
	f.replace("statement", n.Pos(), n.Rhs[0].Pos(), blanks+" = ", "")
}

// statement drops a call, unless it takes or gives back a lock.
func (f *finder) statement(n ast.Node, call ast.Expr) {
	text := f.text(call)
	for _, values := range []string{"Lock()", "Unlock()", "panic(", "Wait()", "Done()", "release()"} {
		if strings.Contains(text, values) {
			return
		}
	}
	f.replace("statement", n.Pos(), n.End(), "", "")
}

// returned returns no error where there is one.
func (f *finder) returned(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	if t := f.info.TypeOf(last); t != nil && f.text(last) != "nil" && types.Implements(t, errorType) {
		f.replace("error", last.Pos(), last.End(), "nil", "")
	}
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
