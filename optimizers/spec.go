package optimizers

import (
	"context"
	"slices"

	"bandscope/optimizers/param"
)

// The roles that a parameter can have: what the rest of the program asks a method for, whatever the method calls it.
const (
	// a Text: the law of the weights of several objectives, which a person steers; see weights.PriorOf
	RolePrior         param.Role = "prior over weights"
	RoleScalarization param.Role = "scalarization" // a Choice: how weights make one value of several objectives
	RoleBand          param.Role = "band"          // a Choice: which law the band is of, an assumption too
	// what the model takes for granted of the function or its noise: another value is another explanation of the same
	// data
	RoleAssumption param.Role = "assumption"
)

// Pending is how a method chooses the next point while others are out.
type Pending string

// The ways to choose while others are out, as they are told.
const (
	ByJoint Pending = "the acquisition averaged over what the points that are out may give, a fixed quasi-random " +
		"sample of it"
	ByBand      Pending = "the band that will be left when the points that are out are known, the mean as it is now"
	ByBelieving Pending = "as if the points that are out had given what is expected of them"
	ByDrawing   Pending = "a draw of its own for each number of points that are out, kept away from them"
)

// Errors is how a method uses standard errors of observations.
type Errors string

// The ways to use standard errors, as they are told; none is NoErrors.
const (
	NoErrors        Errors = "not used: all observations count alike"
	ErrorsAsNoise   Errors = "as the noise of each observation, known; a declared noise for all others"
	ErrorsAsWeights Errors = "as the weights of observations, so that replicates are averaged by them; what is " +
		"otherwise believed of a single one does not depend on its error"
	ErrorsInHead    Errors = "as the noise of each observation in the linear head, not in the training of the network"
	ErrorsByWeights Errors = "as the noise of each observation; of the scalarization by its slope, where the errors " +
		"of all objectives are known"
)

// Levels is how a method handles inputs that are no real numbers.
type Levels string

// The ways to handle inputs that are no real numbers, as they are told. What is believed is constant on a step in all
// of them.
const (
	LevelsInKernel Levels = "levels are rounded inside the kernel; choices have a lengthscale of their own on " +
		"whether they are the same, or one a descriptor: their order and their names change nothing"
	LevelsInLaw Levels = "the law of wide networks sees levels as numbers, choices as an input each or by their " +
		"descriptors: their order and their names change nothing"
	LevelsInNetwork Levels = "the network sees levels as numbers, choices as an input each or by their descriptors: " +
		"in another order other weights are drawn, of the same law"
	LevelsInTrees Levels = "trees split between levels, choices as an input each or by their descriptors: in " +
		"another order other splits are tried, of the same law"
	LevelsDrawn Levels = "levels and choices are drawn, all alike"
)

// Constraints is how a method keeps to constraints that are known.
type Constraints string

// The ways to keep to known constraints, as they are told.
const (
	FeasibleOnly  Constraints = "the acquisition is searched over feasible points alone"
	FeasibleDraws Constraints = "points are drawn among the feasible ones"
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

	Pending Pending // how the next point is chosen while others are out
	Errors  Errors  // how standard errors of observations, and a noise that is declared, are used

	Limits Limits // how limits on what is measured are kept to

	Levels      Levels      // how inputs that take levels, and choices, are handled
	Constraints Constraints // how constraints that are known are kept to

	// Judge are parameters that problems of several objectives have in addition: the method does not use them, its
	// results are judged by them.
	Judge []param.Decl

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

// DeclaredFor is Declared with the defaults for a problem of so many inputs.
func (s Spec) DeclaredFor(objectives, inputs int) []param.Decl {
	return param.ForInputs(s.Declared(objectives), inputs)
}

// Declared are the parameters of the method for a problem of so many objectives, before it is known how many inputs
// there are: see DeclaredFor.
func (s Spec) Declared(objectives int) []param.Decl {
	if objectives < 2 || len(s.Judge) == 0 {
		return s.Params
	}
	return append(slices.Clone(s.Judge), s.Params...)
}

// Fits reports whether the method optimizes problems of so many objectives, with limits on what is measured or without.
func (s Spec) Fits(objectives int, limited bool) bool {
	return (s.Multi || objectives < 2) && (!limited || s.Limits != NoLimits)
}

// Steered reports whether the method's search follows the prior over weights, rather than being judged by it alone.
func (s Spec) Steered() bool {
	return s.Multi && slices.ContainsFunc(s.Params, func(d param.Decl) bool { return d.Role == RolePrior })
}
