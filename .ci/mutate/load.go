//go:build mutate

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// unit is a package of the module, as go list tells it.
type unit struct {
	ImportPath   string
	Dir          string
	Export       string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Module       *struct{ Main bool }

	near    []*unit // itself and the packages whose tests may notice a change, the nearest first
	mutants []mutant
}

func (u *unit) tested() bool { return len(u.TestGoFiles)+len(u.XTestGoFiles) > 0 }

// load lists the packages of the module in a folder with their mutants.
func load(ctx context.Context, root string) ([]*unit, error) {
	c := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-json", "./...")
	c.Dir = root
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var units []*unit
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		u := &unit{}
		if err := d.Decode(u); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[u.ImportPath] = u.Export
		if u.Module != nil && u.Module.Main {
			units = append(units, u)
		}
	}
	slices.SortFunc(units, func(a, b *unit) int { return bytes.Compare([]byte(a.ImportPath), []byte(b.ImportPath)) })
	fset := token.NewFileSet()
	types := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for _, u := range units {
		if err := u.read(root, fset, types); err != nil {
			return nil, err
		}
	}
	return units, nearness(units)
}

// read finds the mutants of a package.
func (u *unit) read(root string, fset *token.FileSet, imports types.Importer) error {
	var files []*ast.File
	var sources [][]byte
	for _, name := range u.GoFiles {
		path := filepath.Join(u.Dir, name)
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files, sources = append(files, file), append(sources, src)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: imports}).Check(u.ImportPath, fset, files, info); err != nil {
		return fmt.Errorf("checking %s: %w", u.ImportPath, err)
	}
	for i, file := range files {
		name, err := filepath.Rel(root, filepath.Join(u.Dir, u.GoFiles[i]))
		if err != nil {
			return err
		}
		u.mutants = append(u.mutants, find(u, filepath.ToSlash(name), sources[i], fset, file, info)...)
	}
	return nil
}

// nearness finds for every package those whose tests may notice a change in it: itself, then those that import it, then
// those that import these. Tests that build the program depend on it.
func nearness(all []*unit) error {
	users := map[string][]*unit{}
	for _, u := range all {
		builds := false
		for _, name := range slices.Concat(u.TestGoFiles, u.XTestGoFiles) {
			src, err := os.ReadFile(filepath.Join(u.Dir, name))
			if err != nil {
				return err
			}
			builds = builds || bytes.Contains(src, []byte(`exec.Command("go", "build"`))
		}
		needs := slices.Concat(u.Imports, u.TestImports, u.XTestImports)
		if builds {
			needs = append(needs, all[0].ImportPath) // the shortest path is the program's
		}
		slices.Sort(needs)
		for _, path := range slices.Compact(needs) {
			users[path] = append(users[path], u)
		}
	}
	for _, u := range all {
		seen := map[*unit]bool{u: true}
		for reached := []*unit{u}; len(reached) > 0; {
			u.near = append(u.near, reached...)
			var next []*unit
			for _, r := range reached {
				for _, user := range users[r.ImportPath] {
					if !seen[user] {
						seen[user] = true
						next = append(next, user)
					}
				}
			}
			reached = next
		}
		u.near = slices.DeleteFunc(u.near, func(n *unit) bool { return !n.tested() })
	}
	return nil
}
