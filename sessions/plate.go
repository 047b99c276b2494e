package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/sessions/recorder"
)

// Plate says which points are measured together on a plate, and in which wells. Its name is the block of their results,
// unless a report names another one.
type Plate struct {
	ID            string // of its event
	Name          string
	Rows, Columns int
	Order         string // how the wells were filled: PlateRandom or PlateSorted
	Wells         []Well // in the order in which they are made
}

// Well is a well of a plate with its point, which is a suggestion of one point.
type Well struct {
	Name      string // such as A1
	Point     string // the ID of the suggestion
	Control   bool   // the point is on every plate
	Replicate string // the ID of the suggestion that the point repeats; empty for none
}

// How the wells of a plate are filled.
const (
	PlateRandom = "random" // in random order, within the rows or columns that share values
	PlateSorted = "sorted" // so that few values change from one well to the next
)

// Bounds of plates: those with 1536 wells are the largest ones.
const (
	MaxPlateRows    = 32
	MaxPlateColumns = 48
)

// WellName is the name of a well, both numbers from 0: a letter for the row and a number for the column.
func WellName(row, column int) string {
	letters := string(rune('A' + row%26))
	if row >= 26 {
		letters = string(rune('A'+row/26-1)) + letters
	}
	return letters + strconv.Itoa(column+1)
}

// kindPlated is the kind of event that puts pending points into the wells of a plate.
const kindPlated = "plated"

var _ = register(kindPlated, kind{fold: recorder.FoldData((*State).plate), text: describeData(platedText)})

type platedData struct {
	Name    string     `json:"name"`
	Rows    int        `json:"rows"`
	Columns int        `json:"columns"`
	Order   string     `json:"order"`
	Wells   []wellData `json:"wells"`
}

type wellData struct {
	Well      string `json:"well"`
	Of        string `json:"suggestion"` // the id of the suggestion
	Control   bool   `json:"control,omitempty"`
	Replicate string `json:"replicate,omitempty"` // the id of the suggestion that it repeats
}

// plate folds a plate.
func (st *State) plate(d platedData) error {
	p := Plate{st.Head, d.Name, d.Rows, d.Columns, d.Order, nil}
	if err := st.CheckPlate(p); err != nil {
		return err
	}
	wells := map[string]bool{}
	for row := range d.Rows {
		for column := range d.Columns {
			wells[WellName(row, column)] = true
		}
	}
	for _, w := range d.Wells {
		if !wells[w.Well] {
			return fmt.Errorf("the plate %s has no free well %s", d.Name, w.Well)
		}
		delete(wells, w.Well)
		it, _ := st.iteration(w.Of)
		if it.ID == "" || len(it.Points) != 1 {
			return fmt.Errorf("the well %s has no point: %w", w.Well, ErrNotPending)
		}
		if other, _, ok := st.WellOf(w.Of); ok {
			return fmt.Errorf("the point of the well %s is on the plate %s", w.Well, other.Name)
		}
		p.Wells = append(p.Wells, Well{w.Well, w.Of, w.Control, w.Replicate})
	}
	if len(p.Wells) == 0 {
		return errors.New("a plate needs a point")
	}
	st.Plates = append(slices.Clip(st.Plates), p)
	return nil
}

// platedText describes a plate.
func platedText(_ State, d platedData) string {
	return fmt.Sprintf("put %s on the plate %s", numfmt.Count(len(d.Wells), "point"), d.Name)
}

// CheckPlate returns the error of a plate whose name or size is not possible.
func (st State) CheckPlate(p Plate) error {
	switch {
	case strings.TrimSpace(p.Name) == "" || len(p.Name) > MaxBlock:
		return fmt.Errorf("a plate needs a name of at most %d characters", MaxBlock)
	case p.Rows < 1 || p.Rows > MaxPlateRows || p.Columns < 1 || p.Columns > MaxPlateColumns:
		return fmt.Errorf("a plate has 1 to %d rows and 1 to %d columns, got %dx%d", MaxPlateRows, MaxPlateColumns, p.Rows,
			p.Columns)
	case slices.ContainsFunc(st.Plates, func(other Plate) bool { return other.Name == p.Name }):
		return fmt.Errorf("there is a plate %s already; choose another name", p.Name)
	}
	return nil
}

// WellOf is the plate and the well of a suggestion with an ID; false if it is on none.
func (st State) WellOf(id string) (Plate, Well, bool) {
	for _, p := range st.Plates {
		if i := slices.IndexFunc(p.Wells, func(w Well) bool { return w.Point == id }); i >= 0 {
			return p, p.Wells[i], true
		}
	}
	return Plate{}, Well{}, false
}

// MaxBlock bounds the name of a block and of a plate, in bytes.
const MaxBlock = 64

// Blocks are the plates and the other blocks of results, in the order in which they occur first; nil for none.
func (st State) Blocks() (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, p := range st.Plates {
		add(p.Name)
	}
	for _, list := range [][]Iteration{st.Iterations, st.Pending} {
		for _, it := range list {
			for _, pt := range it.Points {
				add(pt.Block)
			}
		}
	}
	return names
}

// BlockFor is the block of a result: the reported one, or the plate of the suggestion.
func (st State) BlockFor(it Iteration, reported string) string {
	if reported != "" || len(st.Plates) == 0 || it.ID == "" {
		return reported
	}
	p, _, _ := st.WellOf(it.ID)
	return p.Name
}

// NextPlateName is the first of "plate 1", "plate 2", … that no plate has.
func (st State) NextPlateName() string {
	for n := len(st.Plates) + 1; ; n++ {
		if p := (Plate{Name: fmt.Sprint("plate ", n), Rows: 1, Columns: 1}); st.CheckPlate(p) == nil {
			return p.Name
		}
	}
}

// Plate records that pending points are in the wells of a plate, and returns it.
func (s *Session) Plate(p Plate) (Plate, error) {
	d := platedData{Name: p.Name, Rows: p.Rows, Columns: p.Columns, Order: cmp.Or(p.Order, PlateRandom)}
	for _, w := range p.Wells {
		d.Wells = append(d.Wells, wellData{w.Name, w.Point, w.Control, w.Replicate})
	}
	e, err := s.rec.Act(func() ([]recorder.Entry, error) { return []recorder.Entry{{Kind: kindPlated, Data: d}}, nil })
	if err != nil {
		return Plate{}, err
	}
	list := s.stateAt(e).Plates
	return list[len(list)-1], nil
}
