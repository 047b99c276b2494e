//go:build study

package search

import "testing"

func TestNothingInfeasibleIn10000(t *testing.T) { neverInfeasible(t, 10_000) }

func TestPublishedOptima(t *testing.T) { publishedOptima(t, 5, "pressure-vessel", "welded-beam") }
