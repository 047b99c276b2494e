// Package report is what is computed from a session and changes nothing in it: traces of regret and hypervolume, rows, exports, the difference
// between branches, the belief as numbers, and the verification of a record by computing it again.
//
// It takes states and sessions as the engine, package sessions, gives them, and writes numbers and text; what a terminal draws of them is the
// screens' matter. What is computed along the iterations is kept with the session, so that one more costs no more than itself.
package report
