package optimizers

// SearchRegion is a part of the space in which a method looks for the next point, such as a trust region.
type SearchRegion struct {
	Name      string    // "trust region", with its number if there are several
	Low, High []float64 // the box, in the unit cube
	Text      string    // what it is and how it changes, in sentences
}

// LocalSearcher is a belief whose method looks for the next point in some regions only.
type LocalSearcher interface {
	// SearchRegions are these regions, first the one of the next point; nil while the method looks everywhere.
	SearchRegions() []SearchRegion
}
