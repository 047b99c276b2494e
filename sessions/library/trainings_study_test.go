//go:build study

package library

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func init() { performs = true }

// What the pages of labs' lessons claim is looked up in what is on record of them; that it is what the training gives,
// it is trained again for.
func TestLabLessonsRepeatThemselves(t *testing.T) {
	for _, l := range Lessons() {
		if l.Training == "" {
			continue
		}
		s, err := OpenTrainingLesson(l.Name)
		require.NoError(t, err)
		v, err := s.Verify(t.Context(), nil)
		if err != nil || v.FirstDifference != nil || v.Updates < 1000 {
			t.Errorf("%s: %v, %v", l.Name, v, err)
		}
		t.Logf("%s: %v", l.Name, v)
	}
}
