package stats

import (
	"cmp"
	"strconv"
	"strings"

	"bandscope/sessions/study"
)

// instanceFor separates the instance from the text of a problem: "bbob-f8:5:i3 cost=x1" is the third of "bbob-f8:5
// cost=x1"; a problem without an instance is its first.
func instanceFor(problem string) (function string, instance uint64) {
	name, settings, found := strings.Cut(problem, " ")
	if index := strings.LastIndex(name, ":i"); index >= 0 {
		if n, err := strconv.ParseUint(name[index+2:], 10, 32); err == nil {
			function = name[:index]
			if found {
				function += " " + settings
			}
			return function, n
		}
	}
	return problem, 1
}

// JoinInstances is a table in which the instances of a function are its runs, as COCO counts them, and the greatest
// number of instances that a function has: each seed of each instance becomes a seed of its own. A table without
// several instances is left as it is.
func JoinInstances(t *study.Table) (*study.Table, int) {
	instances := map[string]map[uint64]bool{}
	most := 0
	for _, r := range t.Rows {
		function, n := instanceFor(r.Problem)
		if instances[function] == nil {
			instances[function] = map[uint64]bool{}
		}
		instances[function][n] = true
		most = max(most, len(instances[function]))
	}
	if most < 2 {
		return t, most
	}
	whole := &study.Table{Declaration: t.Declaration, Rows: make([]study.Row, len(t.Rows))}
	seeds := map[[2]uint64]uint64{}
	for i, r := range t.Rows {
		function, n := instanceFor(r.Problem)
		key := [2]uint64{n, r.Seed}
		seeds[key] = cmp.Or(seeds[key], uint64(len(seeds)+1))
		r.Problem, r.Seed = function, seeds[key]
		whole.Rows[i] = r
	}
	return whole, most
}
