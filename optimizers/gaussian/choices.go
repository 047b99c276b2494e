package gaussian

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// choiceCorrelations formats for every choice the prior correlation of values that differ in that choice only. It is 0
// if each level has its own function, and 1 if the choice does not matter. A choice with descriptors has two
// correlations: that of the least and that of the most similar levels.
func (b *Process) choiceCorrelations() (list []string) {
	if !b.In.Domain.Mixed() {
		return nil
	}
	for j, in := range b.In.Domain.Inputs {
		if !in.Choice {
			continue
		}
		inputs := mat.NewDense(len(in.Levels), b.In.Dim, nil)
		inputs.SetCol(j, in.Levels)
		cov := b.GP.Gram(inputs)
		least, most := math.Inf(1), math.Inf(-1)
		for i := range in.Levels {
			for o := range i {
				c := cov.At(i, o) / cov.At(i, i)
				least, most = min(least, c), max(most, c)
			}
		}
		text := fmt.Sprintf("%.2f", least)
		if other := fmt.Sprintf("%.2f", most); other != text {
			text += "…" + other
		}
		list = append(list, text)
	}
	return list
}
