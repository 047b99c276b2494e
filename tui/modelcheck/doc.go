// Package modelcheck has the two diagnostic screens of a session: CheckPage checks its model, ExplainPage explains why
// the next point was chosen. A session goes in; sessions/diagnostics makes the reports, off the update loop. The
// screens compute nothing themselves, and change the session only when a person takes an alternative.
package modelcheck
