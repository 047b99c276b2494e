package lesson

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The example can be performed as it stands.
func TestExample(t *testing.T) {
	s, err := ReadScript(Example, nil)
	require.NoError(t, err)
	made, err := s.Perform(t.Context(), nil)
	if err != nil || len(made.Timeline().Stops) != 6 {
		t.Errorf("%v, %d pages", err, len(made.Timeline().Stops))
	}
}
