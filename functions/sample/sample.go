// Package sample chooses what tests run over. A plain go test runs over a part of a large table, which is the same in
// every run; with the build tag study it runs over the whole table.
package sample

import (
	"math/rand/v2"
	"slices"
)

// Of returns one in share elements of a table, in the order of the table: at least one of a table that is not empty.
// Tests of the same table choose others by other seeds.
func Of[T any](table []T, share int, seed uint64) []T {
	count := (len(table) + share - 1) / share
	if whole {
		count = len(table)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	places := rng.Perm(len(table))[:count]
	slices.Sort(places)
	part := make([]T, count)
	for i, place := range places {
		part[i] = table[place]
	}
	return part
}

// Stride returns the distance of the places that a test tries: stride, or 1 with the build tag study. A prime stride
// meets all remainders of other periods.
func Stride(stride int) int {
	if whole {
		return 1
	}
	return stride
}

// Count returns how many random cases a test tries: few, or all with the build tag study.
func Count(few, all int) int {
	if whole {
		return all
	}
	return few
}
