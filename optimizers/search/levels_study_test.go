//go:build study

package search

import "testing"

func TestSearchByTurnsIsExhaustiveOn500(t *testing.T) { searchAll(t, 500) }
