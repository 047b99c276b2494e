package guide

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers/registry"
)

// Something is said of every way that a method declares.
func TestEveryWayIsToldOf(t *testing.T) {
	program, err := registry.Find("exec:true")
	require.NoError(t, err)
	for _, s := range append(registry.All(), *program) {
		if Pending[s.Pending] == "" || Errors[s.Errors] == "" || Levels[s.Levels] == "" ||
			Constraints[s.Constraints] == "" || Limits[s.Limits] == "" {
			t.Errorf("of %s not every way is told of", s.Name)
		}
	}
}
