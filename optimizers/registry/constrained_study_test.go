//go:build study

package registry

import "testing"

func TestKnownConstraintsOfAllMethods(t *testing.T) { knownConstraints(t, 1) }
