package explore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
)

// AskBatch suggests several points at once, as requested by a sentence: 8 same temperature apart 0.1.
type AskBatch struct{ Text string }

var _ mode.Change = AskBatch{}

// Doing names the change.
func (AskBatch) Doing() string { return "suggesting several points" }

// Do suggests the points, all or none.
func (a AskBatch) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	b, err := parseBatch(a.Text)
	if err != nil {
		return "", err
	}
	list, err := s.AskBatch(ctx, b, progress)
	if err != nil {
		return "", err
	}
	message := fmt.Sprintf("points %d to %d are pending; press enter to report their results", list[0].Number,
		list[len(list)-1].Number)
	if len(list) == 1 {
		message = fmt.Sprintf("point %d is pending; press enter to report its results", list[0].Number)
	}
	if list[0].Note != "" {
		message = list[0].Note + "; " + message
	}
	return message, nil
}

// The words of the sentence.
const sameWord, apartWord = "same", "apart"

// BatchText formats a batch as the sentence that requests it.
func BatchText(b sessions.Batch) string {
	words := []string{strconv.Itoa(b.Points)}
	if len(b.Shared) > 0 {
		words = append(words, sameWord, strings.Join(b.Shared, ", "))
	}
	if b.MinDistance > 0 {
		words = append(words, apartWord, strconv.FormatFloat(b.MinDistance, 'g', -1, 64))
	}
	return strings.Join(words, " ")
}

// parseBatch reads the sentence; the session checks whether the batch is possible.
func parseBatch(text string) (b sessions.Batch, err error) {
	words := strings.Fields(strings.ReplaceAll(text, ",", " "))
	if len(words) == 0 {
		return b, errors.New("type the number of points, for example: 8 same temperature apart 0.1")
	}
	b.Points, err = strconv.Atoi(words[0])
	if err != nil || b.Points < 1 || b.Points > sessions.MaxBatch {
		return b, fmt.Errorf("the number of points must be from 1 to %d, got %q", sessions.MaxBatch, words[0])
	}
	part := ""
	for _, w := range words[1:] {
		switch {
		case w == sameWord || w == apartWord:
			part = w
		case part == sameWord:
			b.Shared = append(b.Shared, w)
		case part == apartWord && b.MinDistance == 0:
			b.MinDistance, err = strconv.ParseFloat(w, 64)
			if err != nil {
				return b, fmt.Errorf(`"apart" needs a fraction of a variable's range, such as 0.1, got %q`, w)
			}
		default:
			return b, fmt.Errorf(`after the number, type "same" and variables, or "apart" and a fraction of a range, `+
				"got %q", w)
		}
	}
	switch {
	case part == sameWord && len(b.Shared) == 0:
		return b, errors.New(`"same" needs the names of the variables whose value all points share`)
	case part == apartWord && b.MinDistance == 0:
		return b, errors.New(`"apart" needs a fraction of a variable's range, such as 0.1`)
	}
	return b, nil
}
