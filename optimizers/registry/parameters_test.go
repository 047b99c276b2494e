package registry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions/golden"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// The parameters of all methods with their defaults and ranges. Sessions on record hold only what was changed, so
// another default changes what they repeat, and a narrower range refuses them: neither may happen unseen.
func TestParametersStay(t *testing.T) {
	methods := map[string][]string{} // by what they declare
	for _, s := range All() {
		for _, d := range s.ParamsFor(2) {
			log := ""
			if d.Log {
				log = ", log"
			}
			line := fmt.Sprintf("%s = %s, %s%s", d.Key, d.Format(d.Default), d.Range(), log)
			methods[line] = append(methods[line], s.Name)
		}
	}
	lines := make([]string, 0, len(methods))
	for line, names := range methods {
		lines = append(lines, line+": "+strings.Join(slices.Compact(names), " ")+"\n")
	}
	slices.Sort(lines)
	golden.File(t, "testdata/parameters.txt", strings.Join(lines, ""), nil)
}

// A role means one thing: whatever has it goes by one key and is of one kind, and nothing else goes by that key beside
// it.
func TestRoles(t *testing.T) {
	for role, kind := range map[param.Role]param.Kind{
		optimizers.RolePrior: param.Text, optimizers.RoleScalarization: param.Choice} {
		key, found := KeyFor(role), 0
		for _, s := range All() {
			for _, d := range s.ParamsFor(2) {
				if d.Role != role {
					continue
				}
				found++
				if got, ok := param.Defaults(s.ParamsFor(2)).ByRole(role); d.Key != key || d.Kind != kind || !ok ||
					got.Key != key {
					t.Errorf("the %s of %s is %s, a %s", role, s.Name, d.Key, d.Kind)
				}
			}
		}
		if key == "" || found < 2 {
			t.Errorf("%d methods have a %s", found, role)
		}
	}
	assert.Equal(t, "", KeyFor("none"), "a role that nothing has goes by")
	plain := param.Defaults([]param.Decl{{Key: "prior", Kind: param.Number, Default: 10.0, Max: 20}})
	if _, ok := plain.ByRole(optimizers.RolePrior); ok || plain.ValueByRole(optimizers.RolePrior) != nil {
		t.Error("a parameter has a role by its key alone")
	}
}
