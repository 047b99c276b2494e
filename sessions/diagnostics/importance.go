package diagnostics

import (
	"context"
	"fmt"

	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// Importance is the share of an objective's variance that a variable explains alone, with its interval.
type Importance = inspection.Importance

// MinImportanceResults is the number of results from which a model says which variables matter: as many as leave-one-out
// validation needs, and more than the model has lengthscales and means.
func MinImportanceResults(dim int) int { return max(minResiduals, dim+2) }

// Importances returns the importance of each variable, by objective; nil if there are fewer results than
// MinImportanceResults, or if the number of variables is 1 or greater than MaxSensitivityDim. The error wraps
// optimizers.ErrUnsupported if the model draws no functions.
func Importances(ctx context.Context, s Source) ([][]Importance, error) {
	in := s.State().Input()
	if !hasImportances(in) {
		return nil, nil
	}
	b, err := s.Belief(ctx, nil)
	if err != nil {
		return nil, err
	}
	return inspection.Importances(ctx, in, b)
}

// hasImportances reports whether the number of variables and of results allow importances and sensitivities.
func hasImportances(in optimizers.Input) bool {
	d := in.Dim
	return in.Data.X != nil && in.Data.Len() >= MinImportanceResults(d) && d > 1 && d <= MaxSensitivityDim
}

// TooFewForImportances says from how many results on a model says which variables matter; empty if a state has as many,
// or if the number of variables is the reason that it does not.
func TooFewForImportances(st sessions.State) string {
	d, n := st.Problem.Dim(), len(Results(st))
	if need := MinImportanceResults(d); n < need && d > 1 && d <= MaxSensitivityDim {
		return fmt.Sprintf("the model can say which variables matter from %d results on; there are %d", need, n)
	}
	return ""
}
