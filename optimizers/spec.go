package optimizers

import (
	"context"
	"slices"

	"bandscope/optimizers/param"
)

// The roles that a parameter can have: what the rest of the program asks a method for, whatever the method calls it.
const (
	RolePrior         param.Role = "prior over weights" // a Text: the law of the weights of several objectives, which a person steers; see weights.PriorOf
	RoleScalarization param.Role = "scalarization"      // a Choice: how weights make one value of several objectives
)

// Spec declares a method.
type Spec struct {
	Name    string       // what -o takes
	Title   string       // as it is shown
	Family  string       // the group in which it is listed
	Summary string       // one line
	Source  string       // paper and algorithm
	Params  []param.Decl // in the order of the editor
	Multi   bool         // it optimizes any number of objectives; others take one

	// Judge are parameters that problems of several objectives have in addition: the method does not use them, its results are judged by them.
	Judge []param.Decl

	// Fit builds the belief from the data; with no data, the prior.
	Fit func(ctx context.Context, in Input) (Belief, error)

	// Check, if not nil, says what is wrong with parameters for a problem, beyond what each declares for itself. It is asked without data.
	Check func(in Input) error
}

// Declared are the parameters of the method for a problem of so many objectives.
func (s Spec) Declared(objectives int) []param.Decl {
	if objectives < 2 || len(s.Judge) == 0 {
		return s.Params
	}
	return append(slices.Clone(s.Judge), s.Params...)
}

// Fits reports whether the method optimizes problems of so many objectives.
func (s Spec) Fits(objectives int) bool { return s.Multi || objectives < 2 }

// Steered reports whether the method's search follows the prior over weights, rather than being judged by it alone.
func (s Spec) Steered() bool {
	return s.Multi && slices.ContainsFunc(s.Params, func(d param.Decl) bool { return d.Role == RolePrior })
}
