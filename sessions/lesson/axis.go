package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
)

// errAxis says how an axis is written.
var errAxis = errors.New("an axis has a name and a range, as in y -3..3")

// positiveAxes are logarithmic.
var positiveAxes = []string{"simple", "errors"}

// parseAxis reads an axis that all pages share, by the words of its line: its name, and LOW..HIGH in its units.
func (s *Script) parseAxis(words []string) error {
	if len(words) != 2 {
		return errAxis
	}
	name, all := words[0], sessions.SessionAxes
	if s.IsTraining() {
		all = sessions.TrainingAxes
	}
	if !slices.Contains(all, name) {
		return didyoumean.NewUnknownError("axis", name, all)
	}
	if _, twice := s.Lesson.Axes[name]; twice {
		return fmt.Errorf("the axis %s is set twice", name)
	}
	low, high, _ := strings.Cut(words[1], "..")
	var r [2]float64
	for i, end := range []string{low, high} {
		v, err := strconv.ParseFloat(end, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return errAxis
		}
		r[i] = v
	}
	switch {
	case r[0] >= r[1]:
		return fmt.Errorf("the range %s is empty: the first number must be the smaller one", words[1])
	case r[0] <= 0 && slices.Contains(positiveAxes, name):
		return fmt.Errorf("the axis %s is logarithmic: its range must be above 0", name)
	case name == "iterations" && (r[0] != 1 || r[1] != math.Trunc(r[1]) || r[1] > maxTimes):
		return fmt.Errorf("iterations are a range from 1 to a whole number up to %d", maxTimes)
	}
	if s.Lesson.Axes == nil {
		s.Lesson.Axes = sessions.Axes{}
	}
	s.Lesson.Axes[name] = r
	return nil
}
