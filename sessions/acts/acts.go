// Package acts is the one vocabulary of acts on sessions, for people, programs and agents. An act has a name, a
// sentence, typed arguments and a typed answer, and says whether it changes the record. Commands, the explorer, lines
// of JSON and agents perform the same functions. Tags of the arguments declare everything a door needs: names, help,
// bounds, words of a command line and completion. JSON Schemas are generated from them, and check them (Act.Perform).
// An answer has one text form, and one in JSON. It draws nothing: a picture is drawn by the Painter of a Turn.
package acts

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
)

// Version is the version of the requests and answers.
const Version = 1

// Turn is what an act needs beside its arguments.
type Turn struct {
	Session  *sessions.Session
	Progress sessions.Progress // may be nil
	Paint    Painter           // may be nil: no pictures
	Emit     func(any) error   // takes the lines of an act that answers with several; nil: it cannot be performed
	Begun    func()            // called when such an act knows where it begins; may be nil

	Folder *Folder // of an act that creates a session, with its name
	Name   string
}

// Answer is the answer to an act: an object in JSON.
type Answer interface {
	Text() string // for people, in lines
}

// Act is the declaration of an act.
type Act struct {
	Name        string
	Title       string // a few words
	About       string // a sentence or two
	Changes     bool   // the record
	Destructive bool   // it withdraws or discards something; the record keeps it
	Idempotent  bool   // a second time it changes nothing more
	Waits       bool   // it ends only when it is cancelled
	Creates     bool   // it needs no session: it creates one
	Stays       bool   // a command performs it where goto left the session, and not at the end of the branch
	Fits        bool   // it asks the method, which may be a program

	arguments, answer reflect.Type
	perform           func(context.Context, Turn, json.RawMessage) (Answer, error)
	schemas           func() schemas
}

// Typed is an act with the types of its arguments and of its answer.
type Typed[A any, R Answer] struct {
	*Act
	// Do performs the act with arguments whose schema was not checked.
	Do func(context.Context, Turn, A) (R, error)
}

// all are the acts in the order of their declaration.
var all []*Act

// declare adds an act that a function performs.
func declare[A any, R Answer](a Act, do func(context.Context, Turn, A) (R, error)) Typed[A, R] {
	a.arguments, a.answer = reflect.TypeFor[A](), reflect.TypeFor[R]()
	a.schemas = sync.OnceValue(func() schemas { return newSchemas(&a) })
	a.perform = func(ctx context.Context, t Turn, raw json.RawMessage) (Answer, error) {
		var args A
		if err := decode(raw, a.schemas(), &args); err != nil {
			return nil, err
		}
		return do(ctx, t, args)
	}
	all = append(all, &a)
	return Typed[A, R]{&a, do}
}

// Arguments is the type of the arguments: a struct whose fields have tags.
func (a *Act) Arguments() reflect.Type { return a.arguments }

// order is the order in which acts are explained.
var order = []string{"create", "status", "ask", "tell", "add", "correct", "discard", "steer", "set",
	"note", "fork", "goto", "back", "results", "predict", "why", "check", "best", "front", "picture", "history",
	"watch"}

// All are all acts, in the order in which they are explained.
func All() []*Act {
	return slices.SortedFunc(slices.Values(all), func(a, b *Act) int {
		return cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name))
	})
}

// Names are the names of all acts, in the same order.
func Names() []string {
	var names []string
	for _, a := range All() {
		names = append(names, a.Name)
	}
	return names
}

// Find is the act with a name; the error for an unknown name suggests the nearest ones.
func Find(name string) (*Act, error) {
	for _, a := range all {
		if a.Name == name {
			return a, nil
		}
	}
	return nil, NewError(CodeRequest, didyoumean.NewUnknownError("act", name, Names()))
}

// Perform performs an act with arguments as a JSON object; empty ones are no arguments. The error is an *Error, and
// then nothing was recorded, except for the points that an ask found before.
func (a *Act) Perform(ctx context.Context, t Turn, arguments json.RawMessage) (Answer, error) {
	answer, err := a.perform(ctx, t, arguments)
	if err != nil {
		return answer, a.Explain(err)
	}
	return answer, nil
}

// ArgumentsSchema is the JSON Schema of the arguments, and AnswerSchema that of the answer. They must not be changed.
func (a *Act) ArgumentsSchema() *jsonschema.Schema { return a.schemas().arguments }

// AnswerSchema is the JSON Schema of the answer.
func (a *Act) AnswerSchema() *jsonschema.Schema { return a.schemas().answer }
