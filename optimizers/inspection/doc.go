// Package inspection examines a fitted belief without knowing the true function: leave-one-out predictions,
// calibration and coverage of its bands, sensitivity to the variables, the remaining expected improvement, and the
// attribution of a choice: the terms of the acquisition function, runners-up, influential observations and
// counterfactual parameters. Its results are in the units of the minimized objective. It depends on no single method,
// and contains no formatting or drawing.
package inspection
