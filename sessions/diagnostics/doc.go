// Package diagnostics applies optimizers/inspection to a place of a session and returns what it finds in the problem's
// own units and directions: a summary of the model, a check of its calibration, an explanation of the next point, and a
// comparison of two choices. MeasureCalibration does the same for a method over test functions and seeds. It draws
// nothing.
package diagnostics
