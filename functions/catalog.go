package functions

// Entry describes a family for programs that read lists.
type Entry struct {
	Name        string      `json:"name"`
	Title       string      `json:"title"`
	About       string      `json:"about"`
	Source      string      `json:"source"`
	MinDim      int         `json:"min_dim"`
	MaxDim      int         `json:"max_dim"`
	Dims        []int       `json:"dims,omitempty"` // where not every dimension between those exists
	DefaultDim  int         `json:"default_dim"`
	Domain      Domain      `json:"domain"` // of the default dimension
	Objectives  []Objective `json:"objectives"`
	Limits      []Objective `json:"limits,omitempty"`      // that are measured and not optimized
	Constraints []string    `json:"constraints,omitempty"` // that are known
	// of the default dimension; null where it is unknown or another for every seed
	Optimum  *Optimum  `json:"optimum"`
	Seeded   bool      `json:"seeded"`
	Cost     string    `json:"cost,omitempty"` // of an evaluation, where not all cost the same
	Fidelity *Fidelity `json:"fidelity,omitempty"`
	// of several objectives on the front of the default dimension; absent where it is unknown
	Range   *Range   `json:"range,omitempty"`
	Regions []Region `json:"regions,omitempty"` // that a prior over weights can be aimed at by name
}

// Catalog describes every family.
func Catalog() []Entry {
	entries := make([]Entry, 0, len(families))
	for _, f := range families {
		p := f.New(f.DefaultDim, 0)
		e := Entry{f.Name, f.Title, f.About, f.Source, f.MinDim, f.MaxDim, f.Dims, f.DefaultDim, p.Domain, p.Objectives,
			p.Limits, nil, p.Optimum(), f.Seeded, "", p.Fidelity, p.Range, p.Regions}
		for _, c := range p.Constraints {
			e.Constraints = append(e.Constraints, c.Text)
		}
		if p.Cost != nil {
			e.Cost = p.Cost.Text
		}
		if f.Seeded {
			e.Optimum = nil
		}
		entries = append(entries, e)
	}
	return entries
}
