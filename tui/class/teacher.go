package class

import (
	"bandscope/sessions"
	"bandscope/sessions/classroom"
)

// Teacher is what the teacher's panel asks of the class and of the server. A server implements it around a
// *classroom.Class.
type Teacher interface {
	State() classroom.State
	// Present says who is connected, by ID
	Present() map[string]Presence
	// Session is the state of the session on the teacher's screen; false if there is none
	Session() (sessions.State, bool)

	// Joining is the join code, and the addresses to type, each after the name of the program that reads it
	Joining() (code string, addresses []string)

	Ask(p classroom.Prompt) (number int, err error)
	// Reveal reveals the answers, and writes them into the session: classroom.WriteNote and classroom.RecordPreferences
	Reveal(question int) error
	CloseQuestion(question int) error
	// StartRace starts a race, and runs its methods: (*classroom.Class).RunMethod
	StartRace(r classroom.RaceConfig) (number int, err error)
	EndRace(race int) error
	// PassKeyboard lets a person act on the teacher's screen, TakeKeyboard ends that
	PassKeyboard(person string) error
	TakeKeyboard() error
	// Name is the name behind a pseudonym; empty if it is unknown
	Name(person string) string
	// ClearNames gives back the names of people who are away and left nothing
	ClearNames() (number int, err error)
	// Disconnect ends the terminals of a person
	Disconnect(person string) error
	// Export writes the progress as CSV, and returns where
	Export() (path string, err error)
}

// Presence is whether a person is connected, and acts on the teacher's screen.
type Presence struct{ Connected, Keyboard bool }

// The actions that the panel requests of the window: the pages to show.
type (
	ShowAnswers  struct{} // the answers to the question that was revealed, see Reveal
	ShowBoard    struct{} // the race, see Race
	ShowProgress struct{} // see Progress
)
