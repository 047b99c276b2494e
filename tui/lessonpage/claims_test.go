package lessonpage

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/library"
)

// A claim that is false, or that means nothing, is found.
func TestFalseClaims(t *testing.T) {
	s, err := library.OpenLesson("posterior")
	require.NoError(t, err)
	s.GoTo(1) // one observation
	p, err := turnTo(context.Background(), s, nil)
	require.NoError(t, err)
	for claim, want := range map[string]string{
		"points = 1":            "",
		"points = 2":            "points is 1",
		"points > 1":            "points is 1",
		"points < 1":            "points is 1",
		"truth = 1":             "",
		"next = 0":              "", // the lesson leaves it out
		"band-at-data < 1":      "", // the band meets its datum
		"band-at-data > 1":      "band-at-data is",
		"warnings = 0":          "",
		"moved > 0":             "moved is unknown", // from nowhere
		"bandd > 2":             "band",
		"band > wide":           `"wide" is not a number`,
		"band >= 2":             "must be one of",
		"band":                  "a claim is",
		"box-probability > 0.5": "box-probability is not on this page",
		"last-spread= 1":        "a claim is",
	} {
		err := p.check(claim)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", claim, err, want)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(quantities)) {
		q := quantities[name]
		assert.NotEqual(t, "", q.about, "%s has no sentence", name)
		if q.on&onLine != 0 {
			q.of(p) // every one can be measured on a page with one datum
		}
	}
}
