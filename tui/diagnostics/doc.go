// Package diagnostics is the two screens that question the model of a session: CheckPage shows whether it can be
// believed, ExplainPage why the next point was chosen. A session goes in; reports are made off the update loop by
// sessions/diagnostics. The screens compute nothing themselves, and change the session only where a person takes a
// suggestion.
package diagnostics
