// Package report computes what a record shows and changes nothing in it: traces of regret and hypervolume, rows,
// exports, the difference between branches, the belief as numbers, and the verification of a record by computing it
// again. It also starts a session from a table in CSV as it writes them: one row per point, one column per variable and
// objective. What is computed along the iterations is cached with the session, so that one more iteration costs no more
// than itself.
package report
