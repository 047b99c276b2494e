package training

import (
	"bandscope/sessions/training"
	"bandscope/tui/training/hierarchy"
	"bandscope/tui/training/panel"
	"bandscope/tui/training/retrieval"
)

// pictures make the pictures of the labs that have one of their own, by the labs' names.
var pictures = map[string]func() panel.Picture{"flops": retrieval.New, "hierarchy": hierarchy.New}

// pictureFor makes the picture of a lab.
func pictureFor(l *training.Spec) panel.Picture {
	if own, ok := pictures[l.Name]; ok {
		return own()
	}
	return panel.NewColumns()
}
