package lesson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/training"
)

// An axis of a lesson has a known name and a range; what is wrong is reported with its line.
func TestAxes(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"> axis y -3..3", ""},
		{"> axis y -3..3\n> axis simple 1e-3..10", ""},
		{"> axis y .5...75", ""},
		{"> axis", "line 6: > axis: an axis has a name and a range, as in y -3..3"},
		{"> axis y", "an axis has a name and a range"},
		{"> axis y -3 3", "an axis has a name and a range"},
		{"> axis y low..3", "an axis has a name and a range"},
		{"> axis y -inf..3", "an axis has a name and a range"},
		{"> axis y 3..-3", "the range 3..-3 is empty"},
		{"> axis simple 0..3", "the axis simple is logarithmic"},
		{"> axis iterations 1..2.5", "iterations are a range from 1"},
		{"> axis iterations 0..20", "iterations are a range from 1"},
		{"> axis y -3..3\n> axis y -4..4", "line 7: > axis y -4..4: the axis y is set twice"},
		{"> axis evidenc -3..3", "did you mean evidence"},
		{"> axis errors 1..3", `no axis "errors"`},
	} {
		text := strings.Replace(lesson, "> hide", c.line+"\n> hide", 1)
		s, err := ReadScript(text, nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.line, err, c.want)
		}
		if err == nil && len(s.Lesson.Axes) != strings.Count(c.line, "axis") {
			t.Errorf("%q: %v", c.line, s.Lesson.Axes)
		}
	}
	const lab = "> lab flops dim=8\n# a\nb\n> axis errors 4..30\n> begin\np"
	s, err := ReadScript(lab, nil)
	require.NoError(t, err)
	made, err := s.PerformTraining(t.Context(), training.Find, nil)
	require.NoError(t, err)
	if low, high, ok := made.Lesson().SharedAxes().Range("errors"); !ok || low != 4 || high != 30 {
		t.Errorf("errors from %g to %g, %v", low, high, ok)
	}
	_, err = ReadScript(strings.Replace(lab, "errors", "y", 1), nil)
	assert.Error(t, err, "a lesson on a training has no axis y")
}

// A shared axis is extended to values outside of its range. An axis that is not set, or that a damaged file sets
// backwards, has no range.
func TestSharedAxes(t *testing.T) {
	a := sessions.Axes{"y": {-3, 3}, "best": {2, 1}}
	if low, high, ok := a.Range("y", 1, 5); !ok || low != -3 || high != 5 {
		t.Errorf("%g to %g, %v", low, high, ok)
	}
	for _, name := range []string{"best", "simple"} {
		if low, high, ok := a.Range(name, 1); ok {
			t.Errorf("%s from %g to %g", name, low, high)
		}
	}
	var none *sessions.Lesson
	if _, _, ok := none.SharedAxes().Range("y"); ok {
		t.Error("no lesson sets an axis")
	}
}
