//go:build study

package methods

import "testing"

func TestKnownConstraintsOfAllMethods(t *testing.T) { knownConstraints(t, 1) }
