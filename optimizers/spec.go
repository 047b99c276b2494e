package optimizers

import (
	"context"
	"slices"

	"bandscope/optimizers/param"
)

// The roles that a parameter can have: what the rest of the program asks a method for, whatever the method calls it.
const (
	// a Text: the law of the weights of several objectives, which a person steers; see weights.PriorOf
	RolePrior         param.Role = "prior"
	RoleScalarization param.Role = "scalarization" // a Choice: how weights make one value of several objectives
	RoleBand          param.Role = "band"          // a Choice: which law the band is of, an assumption too
	// what the model takes for granted of the function or its noise: another value is another explanation of the same
	// data
	RoleAssumption param.Role = "assumption"
)

// PendingStrategy is how a method chooses the next point while others are out.
type PendingStrategy int

// The ways to choose while others are out.
const (
	// by the acquisition averaged over a quasi-random sample of their outcomes
	PendingFantasies PendingStrategy = iota + 1
	// by the band that will be left when they are known, the mean as it is now
	PendingBand
	PendingBeliever // as if they had given their expectations
	PendingDraws    // by another draw for each number of them, kept away from them
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
)

// LevelHandling is how a method handles inputs that are no real numbers. What is believed is constant on a step in all
// ways.
type LevelHandling int

// The ways to handle inputs that are no real numbers.
const (
	LevelsInKernel  LevelHandling = iota + 1 // rounded inside the kernel
	LevelsInLaw                              // numbers, and an input for each choice, of the law of wide networks
	LevelsInNetwork                          // numbers, and an input for each choice, of a network
	LevelsInTrees                            // split between by trees
	LevelsDrawn                              // drawn, all alike
)

// ConstraintHandling is how a method keeps to constraints that are known.
type ConstraintHandling int

// The ways to keep to known constraints.
const (
	FeasibleOnly  ConstraintHandling = iota + 1 // the acquisition is searched over feasible points alone
	FeasibleDraws                               // points are drawn among the feasible ones
)

// Spec declares a method.
type Spec struct {
	Name    string       // what -o takes
	Title   string       // as it is shown
	Family  string       // the group in which it is listed
	Rank    int          // the place in that group, the lowest first
	Summary string       // one line
	Source  string       // paper and algorithm
	Params  []param.Decl // in the order of the editor
	Multi   bool         // it optimizes any number of objectives; others take one

	Pending PendingStrategy // how the next point is chosen while others are out
	Errors  ErrorHandling   // how standard errors of observations, and a noise that is declared, are used

	Limits LimitHandling // how limits on what is measured are kept to

	Levels      LevelHandling      // how inputs that take levels, and choices, are handled
	Constraints ConstraintHandling // how constraints that are known are kept to

	// Judge are parameters that problems of several objectives have in addition: the method does not use them, its
	// results are judged by them.
	ScoringParams []param.Decl

	// Fit builds the belief from the data; with no data, the prior.
	Fit func(ctx context.Context, in Input) (Belief, error)

	// Check, if not nil, says what is wrong with parameters for a problem, beyond what each declares for itself. It is
	// asked without data.
	Check func(in Input) error
}

// registered are the methods that declared themselves while the program started.
var registered []Spec

// Register adds a method to the list of all, and returns it. Packages call it for their variables; a name that is taken
// is a mistake in the program.
func Register(s Spec) Spec {
	if slices.ContainsFunc(registered, func(r Spec) bool { return r.Name == s.Name }) {
		panic("two methods are named " + s.Name)
	}
	registered = append(registered, s)
	return s
}

// Registered lists the methods of all packages that are linked, in no particular order.
func Registered() []Spec { return slices.Clone(registered) }

// ParamsForInputs is Declared with the defaults for a problem of so many inputs.
func (s Spec) ParamsForInputs(objectives, inputs int) []param.Decl {
	return param.ForInputs(s.ParamsFor(objectives), inputs)
}

// ParamsFor are the parameters of the method for a problem of so many objectives, before it is known how many inputs
// there are: see DeclaredFor.
func (s Spec) ParamsFor(objectives int) []param.Decl {
	if objectives < 2 || len(s.ScoringParams) == 0 {
		return s.Params
	}
	return append(slices.Clone(s.ScoringParams), s.Params...)
}

// Supports reports whether the method optimizes problems of so many objectives, with limits on what is measured or
// without.
func (s Spec) Supports(objectives int, limited bool) bool {
	return (s.Multi || objectives < 2) && (!limited || s.Limits != LimitsUnsupported)
}

// UsesWeightPrior reports whether the method's search follows the prior over weights, rather than being judged by it
// alone.
func (s Spec) UsesWeightPrior() bool {
	return s.Multi && slices.ContainsFunc(s.Params, func(d param.Decl) bool { return d.Role == RolePrior })
}
