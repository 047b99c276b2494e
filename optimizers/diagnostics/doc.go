// Package diagnostics examines a fitted belief where no truth is known: leave-one-out predictions, calibration and
// coverage of its bands, sensitivity to the variables, the improvement still to be expected, and the attribution of a
// choice: the terms of the acquisition, runners-up, influential data and counterfactual parameters. Inputs and beliefs
// come in, numbers in the minimized objective's units go out. It knows no method by its name, formats nothing and draws
// nothing.
package diagnostics
