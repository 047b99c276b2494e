package study

import (
	"context"

	"bandscope/functions/experiment"
	"bandscope/functions/tomlfile"
)

// Parse reads and checks the text of a study file (TOML) of test functions; the path is only for messages. The error has
// all faults, as *tomlfile.Faults, each with its line. Printed numbers get their problems and methods as the cells have
// them.
func Parse(ctx context.Context, path string, text []byte) (*Declaration, error) {
	return ParseWithFiles(ctx, path, text, nil)
}

// ParseWithFiles is Parse for a study that may name files of your own problems, which open reads.
func ParseWithFiles(ctx context.Context, path string, text []byte, open experiment.FileReader) (*Declaration, error) {
	r := &reader{checker: checker{Declaration: &Declaration{}, faults: tomlfile.Faults{File: path}}}
	r.read(text)
	if len(r.faults.List) == 0 {
		r.readOwnFiles(open)
	}
	if len(r.faults.List) == 0 {
		r.check(ctx)
	}
	if len(r.faults.List) == 0 && len(r.Published) > 0 {
		r.align()
	}
	if err := r.faults.ErrorOrNil(); err != nil {
		return nil, err
	}
	return r.Declaration, nil
}

// reader reads a study file.
type reader struct{ checker }

// budget is a budget as a file has it: a whole number, or text.
type budget string

// UnmarshalText takes a number.
func (b *budget) UnmarshalText(text []byte) error {
	*b = budget(text)
	return nil
}

// read takes what the file says.
func (r *reader) read(text []byte) {
	var file struct {
		Declaration
		Budget budget `toml:"budget" example:"\"20*d\""`
	}
	r.positions, r.faults.List = tomlfile.Decode(text, &file)
	*r.Declaration = file.Declaration
	r.Budget = string(file.Budget)
	for i := range r.Published {
		if place := (tomlfile.Place{Table: "published", Index: i}); !r.positions.Has(tomlfile.Place{Table: "published", Index: i, Key: "value"}) {
			r.addFault(place, "a published number has no value; add one, such as value = 0.02")
		}
	}
}

// align gives the printed numbers the texts of the cells.
func (r *reader) align() {
	pairs := r.pairsOf(r.cells())
	for i, p := range r.Published {
		if in, err := p.Resolve(pairs, r.Own...); err == nil { // as check has found
			r.Published[i] = in
		}
	}
}
