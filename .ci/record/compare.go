//go:build record

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/numfmt"
)

// event has the parts of a line of a session that are compared.
type event struct {
	Kind string `json:"kind"`
	Data struct {
		X [][]float64 `json:"x"`
	} `json:"data"`
}

// compare says how a recording differs from the one before.
func compare(before, made []byte) string {
	switch {
	case bytes.Equal(before, made):
		return "the same"
	case len(before) == 0:
		return "new"
	}
	old := readEvents(before)
	events := readEvents(made)
	if len(events) == 0 {
		return "differs"
	}
	if !slices.EqualFunc(old, events, func(a, b event) bool { return a.Kind == b.Kind }) {
		return fmt.Sprintf("other events, %d instead of %d", len(events), len(old))
	}
	suggestions := 0
	moved := 0
	largest := 0.0
	for i, e := range events {
		if e.Kind != "suggested" {
			continue
		}
		suggestions++
		distance := maxDifference(old[i].Data.X, e.Data.X)
		if distance > 0 {
			moved++
		}
		largest = max(largest, distance)
	}
	if moved == 0 {
		return "the same suggestions, but other lines"
	}
	return fmt.Sprintf("%d of %d suggestions moved, by up to %s in a variable", moved, suggestions,
		numfmt.Format(largest))
}

// readEvents reads the events of a session; nil if the text is none.
func readEvents(text []byte) []event {
	var list []event
	for line := range bytes.Lines(text) {
		var e event
		if json.Unmarshal(line, &e) != nil {
			return nil
		}
		list = append(list, e)
	}
	return list
}

// maxDifference is the largest difference of two suggestions in a variable.
func maxDifference(a, b [][]float64) float64 {
	largest := 0.0
	for i := range b {
		if len(a) != len(b) || len(a[i]) != len(b[i]) {
			return math.Inf(1)
		}
		for j := range b[i] {
			largest = max(largest, math.Abs(a[i][j]-b[i][j]))
		}
	}
	return largest
}
