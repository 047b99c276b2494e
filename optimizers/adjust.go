package optimizers

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/param"
)

// HandleKind says where a hyperparameter can be drawn on a plot of a belief along a variable.
type HandleKind int

// The kinds of handles.
const (
	HandleNumber HandleKind = iota // nowhere: it is only a number
	HandleLength                   // a distance along the variable, in the unit cube
	HandleSignal                   // a standard deviation of the functions around their mean
	HandleNoise                    // a standard deviation of results around the function
)

// Handle is a hyperparameter of a belief that a person can set, such as by dragging. Standard deviations are in the
// units of the minimized objective.
type Handle struct {
	Name     string // short, with the kernel that it belongs to if there are several: "lengthscale (se)"
	Symbol   string // for a plot: "ℓ"
	Kind     HandleKind
	Value    float64 // in use
	Min, Max float64 // of values that can be set
	Fitted   bool    // the method finds the value
	// Set returns what changes in parameters of the method to fix a value in the range.
	Set func(p param.Set, value float64) []Setting
	// Fit returns what changes in parameters of the method so that it finds the value; nil if it cannot.
	Fit func(p param.Set) []Setting
}

// Setting is a parameter of a method with a value, as text.
type Setting struct{ Key, Text string }

// Adjustable is a belief with hyperparameters that a person can set.
type Adjustable interface {
	// Handles lists these hyperparameters with their current values.
	Handles() []Handle
}

// Covariant is a belief whose covariance is known.
type Covariant interface {
	// Covariances returns the covariances of the value at x with those at the rows of X, before and after the data, in
	// squared units of the minimized objective. The error wraps ErrUnsupported if the belief has none.
	Covariances(ctx context.Context, x []float64, X *mat.Dense) (prior, posterior []float64, err error)
}

// HandlesOf returns the handles of a belief; none if it has no hyperparameters that can be set.
func HandlesOf(b Belief) []Handle {
	if a, ok := b.(Adjustable); ok {
		return a.Handles()
	}
	return nil
}
