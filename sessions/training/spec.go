package training

import (
	"slices"

	"bandscope/functions/didyoumean"
	"bandscope/functions/trainer"
	"bandscope/optimizers/param"
)

// Model is the training of a lab.
type Model interface {
	trainer.Training
	// Row is the measurements at the last update, a value for every column of the lab, NaN for columns that were not
	// measured.
	Row() []float64
	// Change changes parameters from here on; only live ones may differ.
	Change(p param.Set) error
	Copy() Model // independent of this one
	Bytes() int  // approximate size of a copy in memory
}

// Column is a quantity that is measured while a lab trains.
type Column struct {
	Key     string `json:"key"`            // in files and tables
	Label   string `json:"label"`          // on the screen
	Help    string `json:"help"`           // one sentence
	Unit    string `json:"unit,omitempty"` //
	Log     bool   `json:"log,omitempty"`  // it is drawn on a log scale
	InTable bool   `json:"-"`              // tables for people have it
	// it is measured only at some updates, on data that the training does not use
	Validation bool `json:"validation,omitempty"`
}

// Spec is the declaration of a lab.
type Spec struct {
	Name   string       `json:"name"`
	Title  string       `json:"title"`
	About  string       `json:"about"` // one sentence
	Source string       `json:"source"`
	Decls  []param.Decl `json:"params"`
	// keys of the parameters that may change during the training; an edit of any other restarts it
	Live    []string `json:"editable"`
	Columns []Column `json:"columns"`
	Updates string   `json:"-"` // the parameter that says how many updates there are
	Seed    string   `json:"-"` // the parameter that is the seed of weights and minibatches

	SecondRun map[string]any `json:"contrast"` // the parameters that a second run gets by suggestion

	Check  func(param.Set) error          `json:"-"` // checks parameters beyond their ranges
	Begin  func(param.Set) (Model, error) `json:"-"`
	Unwrap func(Model) any                `json:"-"` // the training with the type of its package in functions
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

// Column is the index of the column with a key, −1 if there is none.
func (l *Spec) Column(key string) int {
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.Key == key })
}

// TotalUpdates is the number of updates of a training with these parameters.
func (l *Spec) TotalUpdates(p param.Set) int { return p.Int(l.Updates) }

// Restarts reports whether a change of parameters restarts the training.
func (l *Spec) Restarts(set map[string]any) bool {
	for key := range set {
		if !slices.Contains(l.Live, key) {
			return true
		}
	}
	return false
}
