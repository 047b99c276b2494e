package training

import (
	"slices"

	"bandscope/functions/didyoumean"
	"bandscope/functions/training"
	"bandscope/optimizers/param"
)

// Model is a training that a lab watches.
type Model interface {
	training.Training
	// Row is what was measured at the last update, a value for every column of the lab, NaN where a column was not.
	Row() []float64
	// Change gives the training other parameters from here on; only those that are live may differ.
	Change(p param.Set) error
	Copy() Model // independent of this one
	Bytes() int  // what a copy takes in memory, about
}

// Column is a quantity that is measured while a lab trains.
type Column struct {
	Key     string `json:"key"`            // in files and tables
	Label   string `json:"label"`          // on the screen
	Help    string `json:"help"`           // one sentence
	Unit    string `json:"unit,omitempty"` //
	Log     bool   `json:"log,omitempty"`  // it is drawn by factors
	InTable bool   `json:"-"`              // it stands in tables for people
	// it is measured at some updates alone, on data that the training does not see
	Validation bool `json:"judged,omitempty"`
}

// Spec is a training to be watched, as it is declared.
type Spec struct {
	Name   string       `json:"name"`
	Title  string       `json:"title"`
	About  string       `json:"about"` // one sentence
	Source string       `json:"source"`
	Decls  []param.Decl `json:"params"`
	// parameters that change what follows; an edit of any other begins the training anew
	Live    []string `json:"live"`
	Columns []Column `json:"columns"`
	Updates string   `json:"-"` // the parameter that says how many updates there are
	Seed    string   `json:"-"` // the parameter that is the seed of weights and minibatches

	SecondRun map[string]any `json:"contrast"` // in what a second run is offered to differ from the first

	Check  func(param.Set) error          `json:"-"` // what is wrong with parameters beside their ranges
	Begin  func(param.Set) (Model, error) `json:"-"`
	Unwrap func(Model) any                `json:"-"` // the training itself, as its package in functions knows it
}

// Specs lists the labs in the order in which they are shown.
func Specs() []*Spec { return slices.Clone(builtins) }

var builtins = []*Spec{flops(), forecasts()}

// FindBuiltin returns a lab by its name.
func FindBuiltin(name string) (*Spec, error) {
	names := make([]string, len(builtins))
	for i, l := range builtins {
		if l.Name == name {
			return l, nil
		}
		names[i] = l.Name
	}
	return nil, didyoumean.NewUnknownError("lab", name, names)
}

// Defaults are its parameters at their defaults.
func (l *Spec) Defaults() param.Set { return param.Defaults(l.Decls) }

// Column is the number of the column with a key, −1 if there is none.
func (l *Spec) Column(key string) int {
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.Key == key })
}

// TotalUpdates is how many updates a training with these parameters has.
func (l *Spec) TotalUpdates(p param.Set) int { return p.Int(l.Updates) }

// Restarts reports whether a change of parameters begins the training anew.
func (l *Spec) Restarts(set map[string]any) bool {
	for key := range set {
		if !slices.Contains(l.Live, key) {
			return true
		}
	}
	return false
}
