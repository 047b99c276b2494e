package optimizers

import (
	"context"
	"slices"

	"bandscope/optimizers/param"
)

// The roles of parameters: what the rest of the program asks a method for, whatever the parameter is called.
const (
	// a Text: the prior over the weights of several objectives, set by the user; see weights.PriorFor
	RolePrior         param.Role = "prior"
	RoleScalarization param.Role = "scalarization" // a Choice: how weights combine several objectives
	RoleBand          param.Role = "band"          // a Choice: which distribution the band shows, also an assumption
	// an assumption of the model about the function or its noise: another value is another explanation of the same data
	RoleAssumption param.Role = "assumption"
)

// PendingStrategy is how a method chooses the next point while other points are pending.
type PendingStrategy int

// The strategies for pending points.
const (
	// averages the acquisition function over a quasi-random sample of their outcomes
	PendingFantasies PendingStrategy = iota + 1
	// uses the band after they are evaluated, with the current mean
	PendingBand
	PendingBeliever  // assumes that their outcomes equal the posterior mean
	PendingDraws     // a new sample for each number of pending points, at a distance from them
	PendingByProgram // the program that is the method gets them
)

// ErrorHandling is how a method uses standard errors of observations.
type ErrorHandling int

// The ways to use standard errors.
const (
	ErrorsIgnored   ErrorHandling = iota + 1
	ErrorsAsNoise                 // as known noise
	ErrorsAsWeights               // as weights by which replicates are averaged
	ErrorsInHead                  // as known noise of the linear head alone
	ErrorsByWeights               // as known noise; of a scalarization by its slope
	ErrorsByProgram               // the program gets them
)

// LevelHandling is how a method handles inputs that are not real numbers. In all of them the model is constant on each
// step of the levels.
type LevelHandling int

// The ways to handle inputs that are not real numbers.
const (
	LevelsInKernel  LevelHandling = iota + 1 // rounded inside the kernel
	LevelsInLaw                              // numbers, and an input for each choice, of infinitely wide networks
	LevelsInNetwork                          // numbers, and an input for each choice, of a network
	LevelsInTrees                            // split by trees
	LevelsDrawn                              // drawn uniformly
	LevelsByProgram                          // the program gets the variables
)

// ConstraintHandling is how a method satisfies known constraints.
type ConstraintHandling int

// The ways to satisfy known constraints.
const (
	FeasibleOnly      ConstraintHandling = iota + 1 // the acquisition function is maximized over feasible points only
	FeasibleDraws                                   // feasible points are drawn
	FeasibleByProgram                               // the program gets the constraints, and other points are errors
)

// Spec declares a method.
type Spec struct {
	Name    string       // the value of -o
	Title   string       // name on screens
	Family  string       // the group in which it is listed
	Rank    int          // the position in that group, the lowest first
	Summary string       // one line
	Source  string       // paper and algorithm
	Params  []param.Decl // in the order of the parameter editor
	Multi   bool         // it optimizes any number of objectives; others optimize one
	NoBand  bool         // its belief has no band

	Pending PendingStrategy // how the next point is chosen while others are pending
	Errors  ErrorHandling   // how standard errors and a declared noise are used

	Limits LimitHandling // how limits on measured quantities are handled

	Levels      LevelHandling      // how inputs with levels, and choices, are handled
	Constraints ConstraintHandling // how known constraints are satisfied

	// ScoringParams are further parameters for problems of several objectives. The method does not use them to choose
	// points; they score its results.
	ScoringParams []param.Decl

	// Fit builds the belief from the data; without data it is the prior.
	Fit func(ctx context.Context, in Input) (Belief, error)

	// Suggest, if not nil, returns the next points without a belief; otherwise the belief suggests them. Its error is the
	// caller's: no random point replaces the suggestion.
	Suggest func(ctx context.Context, in Input) (Suggestion, error)

	// Check, if not nil, returns an error for parameters that do not fit a problem, beyond the checks of each
	// declaration. It is called without data.
	Check func(in Input) error
}

// registered are the methods that were registered when the program started.
var registered []Spec

// Register adds a method to the list of all and returns it. Packages call it in the declaration of a variable. It
// panics if the name is already used.
func Register(s Spec) Spec {
	if slices.ContainsFunc(registered, func(r Spec) bool { return r.Name == s.Name }) {
		panic("two methods are named " + s.Name)
	}
	registered = append(registered, s)
	return s
}

// Registered lists the methods of all packages that are linked, in no particular order.
func Registered() []Spec { return slices.Clone(registered) }

// ParamsForInputs is ParamsFor with the defaults for a number of inputs.
func (s Spec) ParamsForInputs(objectives, inputs int) []param.Decl {
	return param.ForInputs(s.ParamsFor(objectives), inputs)
}

// ParamsFor are the parameters of the method for a number of objectives, before the number of inputs is known; see
// ParamsForInputs.
func (s Spec) ParamsFor(objectives int) []param.Decl {
	if objectives < 2 || len(s.ScoringParams) == 0 {
		return s.Params
	}
	return append(slices.Clone(s.ScoringParams), s.Params...)
}

// Supports reports whether the method optimizes a number of objectives, with or without limits.
func (s Spec) Supports(objectives int, limited bool) bool {
	return (s.Multi || objectives < 2) && (!limited || s.Limits != LimitsUnsupported)
}

// UsesWeightPrior reports whether the method chooses points with the prior over weights, and does not only score
// results with it.
func (s Spec) UsesWeightPrior() bool {
	return s.Multi && slices.ContainsFunc(s.Params, func(d param.Decl) bool { return d.Role == RolePrior })
}
