//go:build study

package methods

import "testing"

func TestBatchesOfEveryMethod(t *testing.T) { batchesOf(t, All()) }
