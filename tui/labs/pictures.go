package labs

import (
	"bandscope/sessions/training"
	"bandscope/tui/labs/hierarchyview"
	"bandscope/tui/labs/panel"
	"bandscope/tui/labs/retrievalview"
)

// pictures are the constructors of the pictures for single labs, by the labs' names.
var pictures = map[string]func() panel.Picture{"flops": retrievalview.New, "hierarchy": hierarchyview.New}

// pictureFor makes the picture of a lab: its own, or one with a plot for each column.
func pictureFor(l *training.Spec) panel.Picture {
	if build, ok := pictures[l.Name]; ok {
		return build()
	}
	return panel.NewColumns()
}
