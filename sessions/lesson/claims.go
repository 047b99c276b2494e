package lesson

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
	"bandscope/sessions/training"
)

// BrokenClaim is a false claim of a page.
type BrokenClaim struct {
	Page  int    // from 1
	Title string // of the page
	Claim string
	Why   string
}

// secondRunPrefix marks a column of the second run.
const secondRunPrefix = "second."

// Check measures the claims of all pages, and returns their number and the false ones. The position in the session does
// not change.
func Check(s *training.Session) (checked int, broken []BrokenClaim) {
	line := s.Timeline()
	defer s.GoTo(line.At)
	for i, stop := range line.Stops {
		if stop.Note == "" {
			continue
		}
		s.GoTo(i)
		st := s.State()
		for _, claim := range st.LastNote().Claims {
			checked++
			if err := CheckClaim(st, claim); err != nil {
				broken = append(broken, BrokenClaim{i + 1, stop.Note, claim, err.Error()})
			}
		}
	}
	return checked, broken
}

// CheckClaim returns nil if a claim is true at the current position: two columns of the training, such as dead, or
// numbers, with one of = < > between them, and optionally the update: "dead < 5 at step 300", "flops < second.flops". A
// column that is measured only at some updates has its last value before that.
func CheckClaim(st training.State, claim string) error {
	words := strings.Fields(claim)
	step := st.Step
	if n := len(words); n == 6 && words[3] == "at" && words[4] == "step" {
		update, err := strconv.Atoi(words[5])
		if err != nil || update < 1 || update > st.Step {
			return fmt.Errorf("update %q is not between 1 and %d, the last update", words[5], st.Step)
		}
		words, step = words[:3], update
	}
	if len(words) != 3 {
		return fmt.Errorf("a claim compares two columns or numbers with one of = < >, as in dead < 5 or flops < second.flops at step 300")
	}
	left, err := term(st, words[0], step)
	if err != nil {
		return err
	}
	right, err := term(st, words[2], step)
	if err != nil {
		return err
	}
	holds := false
	switch words[1] {
	case "=":
		holds = left == right
	case "<":
		holds = left < right
	case ">":
		holds = left > right
	default:
		return fmt.Errorf("the comparison %q must be one of = < >", words[1])
	}
	if !holds {
		return errors.New(cmp.Or(strings.Join(
			slices.Concat(describeOperand(words[0], left), describeOperand(words[2], right)), ", and "),
			"it is false"))
	}
	return nil
}

// describeOperand gives the value of a column; nil for a number.
func describeOperand(word string, v float64) []string {
	if _, err := strconv.ParseFloat(word, 64); err == nil {
		return nil
	}
	return []string{word + " is " + numfmt.Format(v)}
}

// term is the value of a number, or of a column at its last measurement until an update.
func term(st training.State, word string, step int) (float64, error) {
	if v, err := strconv.ParseFloat(word, 64); err == nil {
		return v, nil
	}
	run, key := 0, word
	if rest, ok := strings.CutPrefix(word, secondRunPrefix); ok {
		run, key = 1, rest
	}
	if run >= len(st.Runs) {
		return 0, fmt.Errorf("%s: there is no second run", word)
	}
	k := st.Spec.Column(key)
	if k < 0 {
		keys := make([]string, len(st.Spec.Columns))
		for i, c := range st.Spec.Columns {
			keys[i] = c.Key
		}
		return 0, didyoumean.NewUnknownError("column", key, keys)
	}
	v, last := st.Runs[run].Last(k, step)
	if last == 0 {
		return math.NaN(), fmt.Errorf("%s is not measured before update %d", word, step)
	}
	return v, nil
}
