package diagnostics

import (
	"context"

	optdiag "bandscope/optimizers/diagnostics"
)

// Importance is the share of an objective's variance that a variable explains alone, with its interval.
type Importance = optdiag.Importance

// MinImportanceResults is the number of results from which a model says which variables matter: as many as leave-one-out
// validation needs, and more than the model has lengthscales and means.
func MinImportanceResults(dim int) int { return max(minResiduals, dim+2) }

// Importances returns the importance of each variable, by objective; nil if there are fewer results than
// MinImportanceResults, or if the number of variables is 1 or greater than MaxSensitivityDim. The error wraps
// optimizers.ErrUnsupported if the model draws no functions.
func Importances(ctx context.Context, s Source) ([][]Importance, error) {
	st := s.State()
	in := st.Input()
	if d := in.Dim; in.Data.X == nil || in.Data.Len() < MinImportanceResults(d) || d < 2 || d > MaxSensitivityDim {
		return nil, nil
	}
	b, err := s.Belief(ctx, nil)
	if err != nil {
		return nil, err
	}
	return optdiag.Importances(ctx, in, b)
}
