package sessions

import (
	"fmt"
	"math"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// DesignPlace is the place of a point in the initial design.
type DesignPlace struct {
	Place  int `json:"place" jsonschema:"from 1"`
	Points int `json:"points" jsonschema:"the number of points of the initial design"`
}

// String names the point: "point 3 of 11 of the initial design".
func (d DesignPlace) String() string {
	return fmt.Sprintf("point %d of %d of the initial design", d.Place, d.Points)
}

// NextDesignPlace is the place of the next suggestion in the initial design; nil if it does not belong to it.
func (st State) NextDesignPlace() *DesignPlace {
	return st.designPlace(len(st.Iterations) + len(st.Pending))
}

// DesignPlaceOf is the place of a suggestion in the initial design; nil if a person or the model chose it.
func (st State) DesignPlaceOf(it Iteration) *DesignPlace {
	if it.By != st.Spec.Name || it.IsFallback() || !math.IsNaN(it.Points[0].Acquisition) {
		return nil
	}
	before := 0
	for _, list := range [][]Iteration{st.Iterations, st.Pending} {
		for _, other := range list {
			if other.Number < it.Number {
				before++
			}
		}
	}
	return st.designPlace(before)
}

// designPlace is the place of a suggestion after a number of others. A method without a model has no design to speak of.
func (st State) designPlace(before int) *DesignPlace {
	in := optimizers.Input{Dim: st.Problem.Dim(), Budget: st.Config.Budget, Params: st.Params,
		Domain: domainFor(st.Problem), Step: before}
	if st.Spec.NoBand || !search.InDesign(in) {
		return nil
	}
	return &DesignPlace{Place: before + 1, Points: search.InitialCount(in)}
}
