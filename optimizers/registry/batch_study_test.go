//go:build study

package registry

import "testing"

func TestBatchesOfEveryMethod(t *testing.T) { batchesFor(t, All()) }
