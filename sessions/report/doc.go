// Package report computes reports from the record of a session without changing it: traces of regret and hypervolume,
// rows, exports, the difference between branches, the belief as numbers, and the verification of a record by computing
// it again. It also starts a session from a CSV table in the format of its exports: one row per point, one column per
// variable and objective. Values along the iterations are cached with the session.
package report
