package shelf

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
)

//go:embed comparisons.json
var comparisonFile []byte

// Comparisons lists the built-in comparisons, in the order in which they are shown.
func Comparisons() []Comparison { return slices.Clone(comparisons()) }

var comparisons = sync.OnceValue(func() []Comparison {
	var all []Comparison
	if err := json.Unmarshal(comparisonFile, &all); err != nil {
		panic("shelf: the built-in comparisons: " + err.Error())
	}
	return all
})
