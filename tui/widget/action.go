package widget

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
)

// Action is a request of a screen to the window, as a value: another screen, another session, the end. The window does
// it, in one place for all screens. A *SessionPage is an action too.
type Action any

// The actions that screens request of the window.
type (
	Close struct{} // back to the lab, if one is open below, else to the explorer
	Quit  struct{} // the end of the program
	Open  struct { // the screen on which another problem, method or session is chosen
		From     sessions.Config // the choices it begins with
		Lessons  bool            // it begins among the lessons
		Gallery  bool            // it begins with the gallery
		Studies  bool            // it begins among the studies
		Sessions bool            // it begins among the saved sessions
	}
	// the form for the user's own experiment, filled with that of these choices if they are about one
	Declare struct{ From sessions.Config }
	Compare struct{}                         // the session's data under several methods
	Start   struct{ Config sessions.Config } // a new session
	Resume  struct {                         // a saved session
		Path     string
		Continue bool // its file may change without a question
	}
	Lesson struct{ Name string } // a lesson from its beginning, by its name
	// the last page of a lesson, by its name or its file, from its exercise
	Back           struct{ Lesson string }
	Task           struct{}                // the exercise of the lesson that is open
	Training       struct{ Name string }   // a lab before its first update
	Playground     struct{ Preset string } // an empty playground with a belief of registry.Presets by its title, or the first
	PublishedStudy struct{ Name string }   // a comparison that was stored
	Study          struct{ Name string }   // a study, by its name; empty is the one that is open already
	MakeSession    struct {                // a session that is made off the update loop, for the explorer
		What string // in words, while it is made
		Make func(ctx context.Context, progress func(stage string, done, total int)) (*sessions.Session, error)
	}
	Find          struct{ Text string } // the command palette, with a first text
	EditParameter struct{ Key string }  // the editor of the current screen, at the parameter of a key
	Export        struct{ Path string } // the session in a file, in the format of its extension
)

// ActionMsg brings an action to the window.
type ActionMsg struct{ Action Action }

// Request asks for an action.
func Request(a Action) tea.Cmd { return func() tea.Msg { return ActionMsg{a} } }
