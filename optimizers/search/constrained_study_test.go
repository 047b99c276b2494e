//go:build study

package search

import "testing"

func TestNothingInfeasibleIn10000(t *testing.T) { neverInfeasible(t, 10_000) }
