//go:build study

package report

import "testing"

// The same on the other problems, with first designs of their own size.
func TestEverySteeredTrainingRepeatsItself(t *testing.T) {
	steered(t, "sparse-retrieval", "accurate", "activation", 8, 2)
	steered(t, "sparse-regularizers", "0.5 cheap + 0.5 flat", "regularizer", 8, 2)
	steered(t, "hierarchy-levels", "leaves", "rank", 8, 2)
	steered(t, "hierarchy-cells", "coherent", "cell", 8, 2)
}
